package specimen

import "github.com/dossierhq/dossier"

// paySheets are papers about pay and leases, as payroll offices and landlords of several countries lay them out.
func paySheets() []paperSheet {
	return []paperSheet{
		{name: "us_boxes", doc: dossier.DocPayStub, note: "captions in one row, values in the row below", body: `
{company=Bluestem Freight LLC}                                                      Earnings Statement
812 Granite Parkway, Silver Prairie, KS 66099

!Employee Name           Employee ID     Pay Period                  Pay Date       Check No.
{employee=Hollis Vandermeer}       004417          {periodStart=2024-03-04~03/04/2024} - {periodEnd=2024-03-17~03/17/2024}     {payDate=2024-03-22~03/22/2024}     20118

!Earnings         Rate>     Hours>      Current>          YTD>
Regular          24.50>     80.00>     1,960.00>    11,760.00>
Overtime         36.75>      4.00>       147.00>       588.00>
!Gross Pay                                  {totalEarnings=2107.00~2,107.00}>    {totalEarningsYtd=12348.00~12,348.00}>

!Deductions                             Current>          YTD>
Federal Income Tax                        210.00>     1,240.00>
Social Security                           130.63>       765.58>
Medicare                                   30.55>       179.05>
!Net Pay                                {netPay=1735.82~1,735.82}>    10,163.37>
`},
		{name: "us_side_by_side", doc: dossier.DocPayStub, note: "earnings left, deductions right, summary row at the foot", body: `
#{company=Oak & Anvil Roofing Inc.}
PAY STATEMENT
Employee: {employee=DESMOND OKONJO}                                   Pay Date: {payDate=2023-11-10~11/10/2023}
SSN: XXX-XX-4471                                            Pay Begin Date: {periodStart=2023-10-22~10/22/2023}
Department: 400 Field                                       Pay End Date: {periodEnd=2023-11-04~11/04/2023}

!HOURS AND EARNINGS                                          TAXES
!Description     Hours>   Earnings>     YTD Earnings>        Description          Current>        YTD>
Regular          76.50>   2,371.50>      48,911.00>           Fed Withholdng        288.10>    5,940.12>
Holiday           8.00>     248.00>       1,736.00>           Fed MED/EE             37.98>      734.38>
                                                             Fed OASDI/EE          162.41>    3,140.11>
!TOTAL:          84.50>   {totalEarnings=2619.50~2,619.50}>      {totalEarningsYtd=50647.00~50,647.00}>           TOTAL:                488.49>    9,814.61>

!             TOTAL GROSS>     FED TAXABLE GROSS>       TOTAL TAXES>      TOTAL DEDUCTIONS>        NET PAY>
Current          2,619.50>              2,619.50>            488.49>                 61.00>       {netPay=2070.01~2,070.01}>
YTD             50,647.00>             50,647.00>          9,814.61>              1,281.00>      39,551.39>
`},
		{name: "us_direct_deposit", doc: dossier.DocPayStub, note: "no gross caption but a total of earnings; the employee in the window of the envelope", body: `
{company=Meadowlark Veterinary Care Co.}                                     Advice of deposit 0093
77 Juniper Street                                                  Period Beginning:  {periodStart=2024-01-01~01/01/2024}
Windmere, IL 60099                                                 Period Ending:     {periodEnd=2024-01-15~01/15/2024}
                                                                   Pay Date:          {payDate=2024-01-19~01/19/2024}

                                                                   {employee=ROSALIND THISTLEDOWN}
Taxable Marital Status: Single                                     4410 LANTERN HILL ROAD
Exemptions/Allowances: Federal 0                                   WINDMERE IL 60099

!Earnings          rate>   hours>   this period>   year to date>
Salary                     86.67>      3,125.00>       3,125.00>
!                 Gross Pay            {totalEarnings=3125.00~$3,125.00}>       {totalEarningsYtd=3125.00~3,125.00}>

!Deductions       Statutory
Federal Income Tax                      -341.20>         341.20>
Social Security Tax                     -193.75>         193.75>
Medicare Tax                             -45.31>          45.31>
!                 Net Pay              {netPay=2544.74~$2,544.74}>

Deposited to the account of            account number     transit ABA      amount
ROSALIND THISTLEDOWN                   xxxxxx4410         xxxx xxxx     $2,544.74
`},
		{name: "uk_payslip", doc: dossier.DocPayStub, note: "a payslip with its net pay in the corner", body: `
!{company=Severnside Joinery Ltd}                                         PAYSLIP
Employee No.      Employee                       Process Date       NI Number
118               {employee=Ms Tamsin Northcott}           {payDate=2024-02-29~29/02/2024}         QQ123456C

!Payments              Units>      Rate>     Amount>      Deductions            Amount>
Basic pay              1.00>    2,650.00>   2,650.00>     PAYE Tax              320.40>
Bonus                  1.00>      150.00>     150.00>     National Insurance    175.20>
                                                         Pension               112.00>

Total Gross Pay             {totalEarnings=2800.00~2,800.00}>                  Total Gross Pay TD      {totalEarningsYtd=30150.00~30,150.00}>
Gross for Tax               2,800.00>                  Tax Paid TD              3,410.20>

Tax Period: 11    Tax Code: 1257L     Payment Method: BACS          Net Pay      {netPay=2192.40~£2,192.40}>
`},
		{name: "ca_statement_of_earnings", doc: dossier.DocPayStub, note: "the Canadian pair of languages beside one another", body: `
{company=Prairie Rock Logistics Ltd.}                          Statement of Earnings / Relevé de paie
Employee Name: {employee=Kiran Birchwood}                       Pay Period End: {periodEnd=2024-04-13~2024-04-13}
Pay Period Start: {periodStart=2024-03-31~2024-03-31}                      Pay Date: {payDate=2024-04-19~2024-04-19}

!Earnings            Hours>     Rate>     Current>           YTD>
Regular              80.00>    31.25>     2,500.00>     17,500.00>
Vacation                                    100.00>        700.00>
!Total Earnings                           {totalEarnings=2600.00~2,600.00}>     {totalEarningsYtd=18200.00~18,200.00}>
CPP                                         139.10>        973.70>
EI                                           43.16>        302.12>
Income tax                                  402.22>      2,815.54>
!Net Pay                                  {netPay=2015.52~2,015.52}>
`},
		{name: "fr_bulletin", doc: dossier.DocPayStub, note: "the salary in brut and net, name of the employee after his civility", body: `
!{company=Menuiserie Modèle SARL}                                BULLETIN DE PAIE
14 rue des Exemples                                    Période : Mars 2024
69099 VILLEMODÈLE                                      Du {periodStart=2024-03-01~01/03/2024} au {periodEnd=2024-03-31~31/03/2024}
SIRET : 000 000 000 00000   Code NAF : 4332A           Date de paiement : {payDate=2024-03-29~29/03/2024}

Salarié : {employee=Camille Larrivière}
Emploi : Comptable

!Rubriques                               Base>       Taux>       Montant>
Salaire de base                        151,67>       18,50>      2 805,90>
Prime d'ancienneté                                                  94,10>
!Salaire brut                                                    {totalEarnings=2900.00~2 900,00}>
Total des cotisations et contributions salariales                  638,00>
!Net à payer avant impôt sur le revenu                           2 262,00>
Impôt sur le revenu prélevé à la source    2 310,00>      4,50>     103,95>
!Net payé                                                        {netPay=2158.05~2 158,05}>
`},
		{name: "de_entgelt", doc: dossier.DocPayStub, note: "month in words, the employee in an address block under the firm's line of return", body: `
{company=Muster Metallbau GmbH}  * Beispielweg 4 * 70999 Musterstadt
Frau
{employee=Greta Zimmerlin}
Lindenallee 12
70999 Musterstadt
                                                     Entgeltabrechnung
                                                     Abrechnungsmonat: März 2024
Personal-Nr. 00118      Steuerklasse 1       Eintritt 01.04.2019

!Lohnart     Bezeichnung                     Menge>      Faktor>        Betrag>
2000        Gehalt                                                   4.150,00>
2290        Zuschuss VWL                                                26,59>
!Gesamtbrutto                                                        {totalEarnings=4176.59~4.176,59}>
Lohnsteuer                                     611,33-
Krankenversicherung                            342,48-
Rentenversicherung                             388,42-
!Auszahlungsbetrag                                                   {netPay=2732.63~2.732,63}>
Überweisung auf IBAN DE02 1203 0000 0000 2020 51
`},
		{name: "es_nomina", doc: dossier.DocPayStub, note: "Spanish payslip: company and worker side by side", body: `
!RECIBO INDIVIDUAL JUSTIFICATIVO DEL PAGO DE SALARIOS
Empresa: {company=Talleres Ejemplo S.L.}              Trabajador: {employee=Leonor Castellanos Ruiz}
CIF: B00000000                                NIF: 00000000T
Período de liquidación: del {periodStart=2024-05-01~01/05/2024} al {periodEnd=2024-05-31~31/05/2024}     Total días: 30

!I. DEVENGOS                                                    Totales>
Salario base                                                   1.450,00>
Plus convenio                                                    210,00>
!A. TOTAL DEVENGADO                                            {totalEarnings=1660.00~1.660,00}>
!II. DEDUCCIONES
Contingencias comunes                   4,70%                     78,02>
I.R.P.F.                                9,00%                    149,40>
!B. TOTAL A DEDUCIR                                              227,42>
!LÍQUIDO TOTAL A PERCIBIR (A-B)                                {netPay=1432.58~1.432,58}>
`},
		{name: "mx_recibo_nomina", doc: dossier.DocPayStub, note: "a Mexican receipt with its digital seal", body: `
{company=Servicios Muestra del Norte S.A. de C.V.}                RECIBO DE NÓMINA
RFC: SMN000000XX0                                          Fecha de pago: {payDate=2024-06-15~15/06/2024}
Empleado: {employee=Ignacio Robledo Parra}                           Período: {periodStart=2024-06-01~01/06/2024} - {periodEnd=2024-06-15~15/06/2024}
!PERCEPCIONES                       Importe>       DEDUCCIONES                Importe>
Sueldo                             9,250.00>       ISR                        1,104.20>
Despensa                             500.00>       IMSS                         241.10>
Total percepciones                {totalEarnings=9750.00~$9,750.00}>       Total deducciones          1,345.30>
                                                   Neto a pagar              {netPay=8404.70~$8,404.70}>
`},
		{name: "lease_form", doc: dossier.DocLease, note: "a form of a lease: captions with colons", body: `
#RESIDENTIAL LEASE AGREEMENT
!1. PARTIES
Landlord: {landlord=Cedar Ridge Property Management LLC}
Tenant(s): {tenant=Orson Jessamine}
Date of Agreement: {date=2023-08-15~August 15, 2023}
!2. PREMISES
Property Address: 1190 Foxglove Way, Fallow Creek, TX 75999
!3. TERM
The lease begins on September 1, 2023 and ends on August 31, 2024.
!4. RENT
Tenant shall pay Landlord a monthly rent of $1,850.00, due on the first day of each month. Security deposit: $1,850.00.
`},
		{name: "lease_sentence", doc: dossier.DocLease, note: "parties in the opening sentence, in capitals, roles behind in quotes", body: `
#LEASE
THIS LEASE is entered into as of {date=2022-05-02~May 2, 2022}, by and between {landlord=Keystone Row Holdings Corp.}, a Delaware
corporation ("Lessor"), and {tenant=Lakeshore Dental Supply Inc.}, an Ohio corporation ("Lessee").
1. Premises. Lessor leases to Lessee the premises at 40 Kestrel Boulevard, Eastbrook, OH 43099.
2. Term. The term of this Lease is five (5) years, commencing June 1, 2022.
3. Base rent. Lessee shall pay base rent of $6,200.00 per month.
`},
		{name: "fr_bail", doc: dossier.DocLease, note: "a French lease: bailleur and locataire", body: `
#CONTRAT DE LOCATION
Logement vide - Résidence principale
Le présent contrat est conclu entre les soussignés :
Bailleur : {landlord=Odile Marchandeau}
Locataire : {tenant=Bastien Roquevaire}
Date de signature : {date=2023-09-14~14/09/2023}
Le bail est consenti pour une durée de trois ans. Loyer mensuel : 780,00 €. Dépôt de garantie : 780,00 €.
`},
		{name: "es_arrendamiento", doc: dossier.DocLease, note: "a Spanish lease with its parties in captions", body: `
#CONTRATO DE ARRENDAMIENTO DE VIVIENDA
En Villaejemplo, a {date=2023-07-03~3 de julio de 2023}
Arrendador: {landlord=Amparo Quiroga Lastra}
Arrendatario: {tenant=Marcelino Oteiza Prado}
Las partes acuerdan el arrendamiento de la vivienda por un plazo de cinco años y una renta mensual de 850,00 €.
`},
		{name: "de_mietvertrag", doc: dossier.DocLease, note: "a German lease", body: `
#Mietvertrag für Wohnraum
Vermieter: {landlord=Henriette Kaltenbrunn}
Mieter: {tenant=Ulric Dornhagen}
wird folgender Vertrag geschlossen. Datum: {date=2023-10-01~01.10.2023}
§ 1 Vermietet werden drei Zimmer im zweiten Stock. § 2 Die Miete beträgt monatlich 920,00 EUR. Die Kaution beträgt 2.760,00 EUR.
`},
	}
}
