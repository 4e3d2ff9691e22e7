package specimen

import "github.com/dossierhq/dossier"

// fieldPay are pay stubs as the large payroll houses, public employers and offices of other countries print them.
func fieldPay() []paperSheet {
	return []paperSheet{
		{name: "us_two_blocks", doc: dossier.DocPayStub, wide: 792, high: 612, note: "a row of totals at the foot: the year in three cells, then the period in three", body: `
{company=HARTWELL & DUNE CATERING LLC}                                             {title=Earnings Statement}
2210 Marlow Avenue, Suite 4, Pinewater, FL 33099
!EMPLOYEE NAME           SSN               EMPLOYEE ID     CHECK NO.      PAY PERIOD                  PAY DATE
{employee=Marguerite Oakshott}       XXX-XX-7716       2291            41880          {periodStart=2024-02-05~02/05/2024} - {periodEnd=2024-02-18~02/18/2024}     {payDate=2024-02-23~02/23/2024}

!INCOME            RATE>     HOURS>    CURRENT TOTAL>      DEDUCTIONS             CURRENT TOTAL>     YEAR-TO-DATE>
REGULAR           19.75>     72.00>         1,422.00>      FICA MED TAX                   21.48>            85.91>
OVERTIME          29.63>      2.00>            59.25>      FICA SS TAX                    91.84>           367.34>
                                                          FED TAX                        104.09>           416.36>

!     YTD GROSS>          YTD DEDUCTIONS>          YTD NET PAY>          CURRENT TOTAL>          CURRENT DEDUCTIONS>          NET PAY>
      {totalEarningsYtd=5925.00~5,925.00}>                  869.61>             5,055.39>               {totalEarnings=1481.25~1,481.25}>                      217.41>         {netPay=1263.84~1,263.84}>
`},
		{name: "us_personal_column", doc: dossier.DocPayStub, note: "who is paid in a column at the left, the payroll house named at the foot", body: `
!PERSONAL AND CHECK INFORMATION            EARNINGS          HRS/UNITS>     RATE>     THIS PERIOD ($)>     YTD ($)>
{employee=Desmond Pell}                               Hourly                 80.00>     22.00>             1,760.00>    8,800.00>
41 Turnstone Street                        Overtime                3.00>     33.00>                99.00>      363.00>
Brackwater, OH 44099                       Gross Earnings         83.00>                         {totalEarnings=1859.00~1,859.00}>    {totalEarningsYtd=9163.00~9,163.00}>
Soc Sec #: xxx-xx-xxxx   Employee ID: 14
Hire Date: 05/16/19   Status: Full Time
Pay Period: {periodStart=2024-03-10~03/10/24} to {periodEnd=2024-03-23~03/23/24}
Check Date: {payDate=2024-03-29~03/29/24}   Check #: 5512
!NET PAY ALLOCATIONS                       WITHHOLDINGS                                   THIS PERIOD ($)>     YTD ($)>
DESCRIPTION                                Social Security                                      115.26>      568.11>
Check Amount         0.00                  Medicare                                              26.96>      132.86>
Chkg 417         1,495.10                  Fed Income Tax                                       163.20>      806.15>
NET PAY          1,495.10                  OH Income Tax                                         58.48>      288.02>
!NET PAY                                                                                    THIS PERIOD ($)>     YTD ($)>
                                                                                               {netPay=1495.10~1,495.10}>    7,367.86>
Payrolls by Quillstone Payroll Services
0144 Y221-0091  {company=Fennimore Glass Inc}  18 Sandbar Road  Brackwater OH 44099  (555) 555-0119
`},
		{name: "us_university", doc: dossier.DocPayStub, wide: 792, high: 612, note: "the employer above its address, its pay group in boxes, current and year in two bands of columns", body: `
{company=Larkmoor State University}                     Pay Group:       BW2-Biweekly Staff       Business Unit:   LMSU1
100 College Drive                              Pay Begin Date:  {periodStart=2023-09-10~09/10/2023}               Advice #:        000000000884412
Larkmoor, IN 47099                             Pay End Date:    {periodEnd=2023-09-23~09/23/2023}               Advice Date:     {payDate=2023-09-29~09/29/2023}

{employee=Cordelia Ashgrove}                               Employee ID:     0018842                TAX DATA:       Federal     IN State
77 Millrace Lane                               Department:      44102-Libraries        Tax Status:     Single      N/A
Larkmoor, IN 47099                             Location:        Main Library           Allowances:     0           1
                                               Pay Rate:        $25.10 Hourly

!HOURS AND EARNINGS                   Current                         YTD                   TAXES
!Description     Rate>     Hours>     Earnings>     Hours>     Earnings>       Description       Current>       YTD>
Regular         25.10>     80.00>     2,008.00>   1,440.00>    36,144.00>       Fed Withholdng     171.18>    3,081.24>
Vacation                                0.00>      32.00>       803.20>       Fed MED/EE          29.12>      535.73>
!TOTAL:                     80.00>     {totalEarnings=2008.00~2,008.00}>   1,472.00>    {totalEarningsYtd=36947.20~36,947.20}>       TOTAL:             200.30>    3,616.97>

!                    TOTAL GROSS>          FED TAXABLE GROSS>          TOTAL TAXES>          TOTAL DEDUCTIONS>          NET PAY>
Current:                2,008.00>                   1,907.60>               200.30>                    100.40>         {netPay=1707.30~1,707.30}>
YTD:                   36,947.20>                  35,100.00>             3,616.97>                  1,847.20>        31,483.03>
`},
		{name: "us_workday", doc: dossier.DocPayStub, note: "a table of one row that names who, when; then periods in rows", body: `
{company=Bellwether Robotics Corp}     500 Tessellate Way     Arrowfield, CA 94099
!Name                    Company                   Employee ID     Pay Period Begin     Pay Period End     Check Date      Check Number
{employee=Anneliese Rockwood}        Bellwether Robotics Corp   200417          {periodStart=2024-05-01~05/01/2024}           {periodEnd=2024-05-15~05/15/2024}         {payDate=2024-05-15~05/15/2024}
!            Hours Worked>     Gross Pay>     Pre Tax Deductions>     Employee Taxes>     Post Tax Deductions>     Net Pay>
Current            86.67>      {totalEarnings=5416.67~5,416.67}>                 541.67>           1,402.11>                   25.00>     {netPay=3447.89~3,447.89}>
YTD               780.03>     {totalEarningsYtd=48750.03~48,750.03}>               4,875.03>          12,618.99>                  225.00>    31,031.01>
!Earnings
Description      Dates                        Hours>     Rate>      Amount>      YTD Hours>     YTD Amount>
Salary           05/01/2024 - 05/15/2024      86.67>                5,416.67>         780.03>      48,750.03>
`},
		{name: "us_small_office", doc: dossier.DocPayStub, note: "the stub of a bookkeeping program: captions in one band, the firm at the foot", body: `
!Employee                                         SSN            Status (Fed/State)        Allowances/Extra
{employee=Tobias J Larkspur}, 9 Cinder Row, Gladewater TX 75099    ***-**-2210    Single/Withhold           Fed-0/0/TX-0/0
                                                  Pay Period: {periodStart=2024-01-14~01/14/2024} - {periodEnd=2024-01-27~01/27/2024}     Pay Date: {payDate=2024-02-02~02/02/2024}
!Earnings and Hours        Qty>      Rate>     Current>      YTD Amount>     Direct Deposit            Amount>
Hourly Rate              80:00>     17.00>     1,360.00>        4,080.00>     Checking - ***0417       1,171.96>
Taxes                                         Current>      YTD Amount>
Medicare Employee                               -19.72>          -59.16>     Memo
Social Security Employee                        -84.32>         -252.96>     Direct Deposit
Federal Withholding                             -84.00>         -252.00>
                                              -188.04>         -564.12>
!Net Pay                                      {netPay=1171.96~1,171.96}>        3,515.88>

{company=Juniper Fence Company}, 40 Old Mill Road, Gladewater, TX 75099
`},
		{name: "us_federal_les", doc: dossier.DocPayStub, note: "a civil servant's leave and earnings statement", body: `
{company=U.S. Department of Commerce}
CIVILIAN LEAVE AND EARNINGS STATEMENT
Pay Period End: {periodEnd=2024-04-06~04/06/2024}                         Pay Date: {payDate=2024-04-18~04/18/2024}
Name: {employee=Philippa Sandoval}                        Pay Plan/Grade/Step: GS 11 04
Hourly Rate: 41.22                                  Basic OT Rate: 61.83
!                         CURRENT>     YEAR TO DATE>
GROSS PAY                {totalEarnings=3297.60~3,297.60}>        {totalEarningsYtd=23083.20~23,083.20}>
TAXABLE WAGES            3,034.92>        21,244.44>
DEDUCTIONS                 964.10>         6,748.70>
NET PAY                  {netPay=2333.50~2,333.50}>        16,334.50>
`},
		{name: "us_check_on_top", doc: dossier.DocPayStub, note: "a payroll check above its stub", body: `
{company=Copper Basin Mechanical Inc.}                                           Check No. 20771
5 Foundry Lane, Tanglewood, AZ 85099                                    Date: {payDate=2023-12-08~12/08/2023}
Pay to the order of   {employee=Rufus Castellane}                                      $1,402.18
One thousand four hundred two and 18/100 dollars
!                                      EARNINGS STATEMENT
Period Beginning  {periodStart=2023-11-20~11/20/2023}     Period Ending  {periodEnd=2023-12-03~12/03/2023}     Employee No. 77
!Earnings              Hours>      Rate>       Current>            YTD>
Regular                80.00>     22.50>       1,800.00>      43,200.00>
!Gross Earnings                               {totalEarnings=1800.00~1,800.00}>      {totalEarningsYtd=43200.00~43,200.00}>
Federal W/H                                     210.00>       5,040.00>
FICA                                            137.70>       3,304.80>
State W/H                                        50.12>       1,202.88>
!Net Pay                                       {netPay=1402.18~1,402.18}>      33,652.32>
`},
		{name: "us_last_first", doc: dossier.DocPayStub, note: "the employee with last name first; totals as cards of numbers", body: `
{title=PAY STATEMENT}
Employer:  {company=Riverbend Cooperative Hospital}
Employee:  {employee=OKONJO, DESMOND A}
Emp ID:    40071        Dept: 6110 Nursing
Pay period:  {periodStart=2024-06-02~Jun 2, 2024} - {periodEnd=2024-06-15~Jun 15, 2024}
Paid on:     {payDate=2024-06-20~Jun 20, 2024}
!Gross wages        Taxes           Deductions        Net pay
{totalEarnings=3120.40~$3,120.40}          $702.09         $187.22           {netPay=2231.09~$2,231.09}
!Description        Hours>     Rate>     Amount>     YTD>
Regular            72.00>    38.00>    2,736.00>    32,832.00>
Night diff         24.00>    16.02>      384.40>     4,612.80>
`},
		{name: "uk_xero", doc: dossier.DocPayStub, note: "who pays and who is paid without captions, amounts of the year in a box at the right", body: `
#{title=Payslip}
{employee=Imogen Farthingdale}                                 Pay period      {periodStart=2024-04-01~1 Apr 2024} – {periodEnd=2024-04-30~30 Apr 2024}
18 Quayside                                         Payment date    {payDate=2024-04-30~30 Apr 2024}
Saltmarsh                                           NI number       QQ 12 34 56 A
SM4 2QX                                             Tax code        1257L
{company=Thornbury Kitchens Limited}
3 Orchard Trading Estate, Saltmarsh, SM1 1AA
!Earnings                    Units>      Rate>      This period>        Year to date>
Salary                                              {totalEarnings=2916.67~£2,916.67}>          {totalEarningsYtd=2916.67~£2,916.67}>
!Total earnings                                    £2,916.67>          £2,916.67>
PAYE                                                 £373.60>            £373.60>
National Insurance                                   £149.47>            £149.47>
!Net pay                                           {netPay=2393.60~£2,393.60}>          £2,393.60>
`},
		{name: "au_payslip", doc: dossier.DocPayStub, note: "an Australian slip: employed by, paid to", body: `
#PAY SLIP
Employed by:  {company=Wattle Joinery Pty Ltd}             ABN: 00 000 000 000
Employee:     {employee=Bronwyn Tregear}                   Classification: Joiner
Pay period:   {periodStart=2024-07-01~01/07/2024} to {periodEnd=2024-07-14~14/07/2024}        Payment date: {payDate=2024-07-17~17/07/2024}
!                         HOURS>     RATE>     THIS PAY>          YTD>
Ordinary hours            76.00>    38.20>     2,903.20>      2,903.20>
!GROSS EARNINGS                                {totalEarnings=2903.20~$2,903.20}>     {totalEarningsYtd=2903.20~$2,903.20}>
PAYG tax                                        $598.00>       $598.00>
!NET PAY                                       {netPay=2305.20~$2,305.20}>     $2,305.20>
Superannuation guarantee                        $333.87>       $333.87>
`},
		{name: "in_payslip", doc: dossier.DocPayStub, note: "an Indian slip: earnings beside deductions, totals on one line", body: `
                         {company=Marudham Textiles Private Limited}
                         Plot 41, Industrial Estate, Coimbatore 641099
                         Payslip for the month of March 2024
Employee Name : {employee=Lakshmi Venkataraman}              Employee Code : MT0417
Designation   : Accounts Executive                 Bank A/c No : XXXXXX7716
PAN           : XXXXX0000X                         Days paid : 31
!Earnings                      Amount>      Deductions                  Amount>
Basic                       24,000.00>      Provident Fund             2,880.00>
House Rent Allowance        12,000.00>      Professional Tax             200.00>
Special Allowance            6,500.00>      Income Tax                 1,100.00>
Gross Earnings              {totalEarnings=42500.00~42,500.00}>      Total Deductions           4,180.00>
Net Pay : {netPay=38320.00~38,320.00}   (Rupees Thirty Eight Thousand Three Hundred Twenty Only)
`},
		{name: "ca_depot", doc: dossier.DocPayStub, note: "a slip of Quebec in French", body: `
{company=Scierie du Nord-Ouest inc.}                      Bulletin de paie
220, rang Saint-Ambroise                         Période de paie : {periodStart=2024-02-11~2024-02-11} au {periodEnd=2024-02-24~2024-02-24}
Val-Modèle QC  J0Z 0Z0                           Date de paiement : {payDate=2024-02-29~2024-02-29}
Employé : {employee=Mathieu Larouche-Gagnon}
!Gains                  Heures>      Taux>      Courant>        Cumulatif>
Régulier                 80,00>     26,40>     2 112,00>        8 448,00>
!Total des gains                                {totalEarnings=2112.00~2 112,00}>        {totalEarningsYtd=8448.00~8 448,00}>
Impôt fédéral                                    188,02>          752,08>
Impôt du Québec                                  240,11>          960,44>
RRQ                                              118,40>          473,60>
!Paie nette                                     {netPay=1565.47~1 565,47}>        6 261,88>
`},
		{name: "fr_cadre", doc: dossier.DocPayStub, note: "a French slip with a frame of the employer and one of the employee", body: `
                                  {title=BULLETIN DE PAIE}
{company=ATELIERS DU VAL MODÈLE SAS}                              Période du {periodStart=2024-06-01~01/06/2024} au {periodEnd=2024-06-30~30/06/2024}
8 avenue des Tilleuls                                   Paiement le {payDate=2024-06-28~28/06/2024} par virement
38099 BOURG-EXEMPLE
SIRET 000 000 000 00000   APE 2562B                     Monsieur {employee=Étienne Vaucanson}
Convention collective : métallurgie                     12 chemin du Moulin
Matricule 00417                                         38098 LA SALLE-EXEMPLE
Emploi Tourneur      Coefficient 240
!Désignation                        Base>       Taux salarial>     Part salarié>     Part employeur>
Salaire mensuel                   151,67>        15,2300>          2 309,93>
Heures supplémentaires 25 %         8,00>        19,0375>            152,30>
SALAIRE BRUT                                                       {totalEarnings=2462.23~2 462,23}>
Sécurité sociale plafonnée      2 462,23>         6,9000>            169,89>          210,52>
CSG déductible                  2 419,14>         6,8000>            164,50>
NET À PAYER AVANT IMPÔT SUR LE REVENU                              1 934,12>
Impôt sur le revenu prélevé     1 990,00>         2,9000>             57,71>
NET PAYÉ                                                           {netPay=1876.41~1 876,41 €}>
Cumuls       Brut 14 773,38       Net imposable 12 010,40
`},
		{name: "de_bezuege", doc: dossier.DocPayStub, note: "the settlement of gross and net pay of the German accountants' program", body: `
!Abrechnung der Brutto/Netto-Bezüge        für Mai 2024                      Blatt 1
{company=Kaltenbrunn Feinmechanik GmbH} * Industriestr. 9 * 72099 Musterhausen          Personal-Nr. 00417
                                                                       Geburtsdatum 14.02.1986
Herrn                                                                  Steuerklasse 3   Kinderfreibetr. 1,0
{employee=Ulric Dornhagen}                                                        SV-Nr. 00 000000 D 000
Lindenallee 12                                                         Eintritt 01.10.2015
72098 Beispieldorf

!Lohnart     Bezeichnung                     Einheit     Menge>     Faktor>        Betrag>
100         Stundenlohn                     Std.      160,00>      22,50>       3.600,00>
200         Überstunden                     Std.        6,00>      28,13>         168,78>
!                                                    Gesamt-Brutto               {totalEarnings=3768.78~3.768,78}>
Lohnsteuer 201,50        Kirchensteuer 0,00        SolZ 0,00
KV-Beitrag 305,27        RV-Beitrag 350,50         AV-Beitrag 48,99        PV-Beitrag 64,07
!                                                    Netto-Verdienst               2.798,45>
!                                                    Auszahlungsbetrag           {netPay=2798.45~2.798,45}>
Bank: Musterbank eG     IBAN DE02 1203 0000 0000 2020 51
`},
		{name: "es_cuadro", doc: dossier.DocPayStub, note: "captions of the firm and of the worker as heads of two boxes", body: `
!EMPRESA                                        TRABAJADOR
{company=Conservas Ría Baja, S.A.}                          {employee=Amparo Quiroga Lastra}
Muelle Norte, 4                                 NIF 00000000T      Núm. S.S. 00/00000000/00
36999 Villaejemplo                              Categoría: Oficial 2ª      Antigüedad 01/03/2017
CIF A00000000
Período de liquidación del {periodStart=2024-04-01~1 de abril de 2024} al {periodEnd=2024-04-30~30 de abril de 2024}        Total días 30
!CONCEPTO                                        DEVENGOS>        DEDUCCIONES>
Salario base                                     1.320,00>
Plus de transporte                                 110,40>
Cont. comunes 4,70 %                                                    67,23>
Desempleo 1,55 %                                                        22,17>
Tributación I.R.P.F. 8,00 %                                            114,43>
!TOTAL DEVENGADO  {totalEarnings=1430.40~1.430,40}          TOTAL A DEDUCIR  203,83          LÍQUIDO A PERCIBIR  {netPay=1226.57~1.226,57}
`},
		{name: "br_holerite", doc: dossier.DocPayStub, note: "a Brazilian slip: vencimentos and descontos", body: `
{company=Padaria Estrela do Sul Ltda}                         Recibo de Pagamento de Salário
CNPJ: 00.000.000/0001-00                             Mês: Maio/2024
Código   Nome do Funcionário                         CBO        Departamento
0417     {employee=Benedita Carvalho Pires}                      5135-05    Produção
!Cód.   Descrição               Referência>      Vencimentos>      Descontos>
001    Salário                     30,00>          2.100,00>
010    Horas extras                 6,00>             85,92>
998    INSS                         9,00>                             175,57>
!                        Total de Vencimentos     {totalEarnings=2185.92~2.185,92}          Total de Descontos     175,57
!                        Valor Líquido            {netPay=2010.35~2.010,35}
`},
		{name: "nl_loonstrook", doc: dossier.DocPayStub, note: "a Dutch slip", body: `
{company=Polderhof Kwekerijen B.V.}                           Loonstrook
Dijkweg 8                                            Periode: {periodStart=2024-03-01~01-03-2024} t/m {periodEnd=2024-03-31~31-03-2024}
1799 ZZ Voorbeelddam                                 Datum betaling: {payDate=2024-03-25~25-03-2024}
Werknemer: {employee=Marijke Hoogland}
!Omschrijving                     Aantal>      Tarief>      Bedrag>
Salaris                           160,00>       18,50>     2.960,00>
!Bruto loon                                                {totalEarnings=2960.00~2.960,00}>
Loonheffing                                                 -412,00>
Pensioenpremie                                               -98,40>
!Netto loon                                                {netPay=2449.60~2.449,60}>
`},
		{name: "it_busta", doc: dossier.DocPayStub, note: "an Italian slip", body: `
!BUSTA PAGA                                              Mese retribuito: Marzo 2024
Azienda: {company=Officine Esempio S.r.l.}                       Codice fiscale: 00000000000
Dipendente: {employee=Fiammetta Bellandi}                        Matricola: 0417
!Voce                               Ore>       Base>        Competenze>       Trattenute>
Retribuzione ordinaria           168,00>      11,4500>        1.923,60>
Contributi INPS                                                                  176,78>
IRPEF                                                                            241,10>
Totale competenze                {totalEarnings=1923.60~1.923,60}       Totale trattenute   417,88
!NETTO IN BUSTA                   {netPay=1505.72~1.505,72}
`},
	}
}
