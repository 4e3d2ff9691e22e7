package specimen

import "github.com/dossierhq/dossier"

// unseenPapers are layouts of payroll offices, utilities, landlords and funds that no reader was written for: what was
// read of them first stands in docs/benchmarks.md.
func unseenPapers() []paperSheet {
	return []paperSheet{
		{name: "us_pay_list", doc: dossier.DocPayStub, note: "one caption and value a row, nothing in columns", body: `
#PAYROLL SUMMARY
Employer                              {company=Copperleaf Landscaping LLC}
Employee                              {employee=Maren Holloway}
Pay period                            {periodStart=2024-06-03~06/03/2024} to {periodEnd=2024-06-16~06/16/2024}
Payday                                {payDate=2024-06-21~06/21/2024}
Hours worked                          74.25
Gross wages                           {totalEarnings=1633.50~$1,633.50}
Federal tax                           $122.10
Social Security                       $101.28
Medicare                              $23.69
State tax                             $49.81
Take-home pay                         {netPay=1336.62~$1,336.62}
`},
		{name: "us_numbered_boxes", doc: dossier.DocPayStub, note: "a statement of earnings and leave: numbered boxes, captions over values", body: `
!EARNINGS AND LEAVE STATEMENT
!1. Pay Period End     2. Pay Date       3. Name                     4. Pay Plan/Grade/Step
{periodEnd=2024-05-04~05/04/2024}            {payDate=2024-05-10~05/10/2024}        {employee=QUIST ROSALIND M}            GS 09 04

!                         Current>      Year to Date>
Gross Pay              {totalEarnings=2544.80~2,544.80}>       {totalEarningsYtd=22903.20~22,903.20}>
Taxable Wages            2,341.22>          21,070.98>
Nontaxable Wages           203.58>           1,832.22>
Deductions                 790.40>           7,113.60>
Net Pay                {netPay=1754.40~1,754.40}>          15,789.60>
`},
		{name: "ch_lohn", doc: dossier.DocPayStub, note: "a Swiss slip: apostrophes in amounts, month in words", body: `
{company=Alpstein Holzbau AG}                                  Lohnabrechnung Mai 2024
Dorfstrasse 4, 9099 Musterdorf
Mitarbeiter: {employee=Regula Tobler}                          Auszahlungsdatum: {payDate=2024-05-24~24.05.2024}
AHV-Nr.: 756.0000.0000.00

!Lohnart                               Ansatz>       Betrag CHF>
Monatslohn                                              5'800.00>
Kinderzulage                                              200.00>
!Bruttolohn                                             {totalEarnings=6000.00~6'000.00}>
AHV/IV/EO                               5.300%            307.40>
ALV                                     1.100%             63.80>
Pensionskasse                                             312.00>
!Nettolohn                                              {netPay=5316.80~5'316.80}>
`},
		{name: "ar_haberes", doc: dossier.DocPayStub, note: "an Argentine receipt of wages: surname first, sums at the foot of three columns", body: `
#RECIBO DE HABERES
Empleador: {company=Molinos del Ejemplo S.R.L.}                 CUIT: 30-00000000-0
Apellido y Nombre: {employee=PEREYRA LUCIANA}                    Legajo: 118
Período: Abril 2024                                   Fecha de pago: {payDate=2024-05-03~03/05/2024}

!Concepto                 Remunerativo>    No remunerativo>   Deducciones>
Sueldo básico               610.000,00>
Antigüedad                   36.600,00>
Jubilación                                                      71.126,00>
Obra social                                                     19.398,00>
!Total haberes              {totalEarnings=646600.00~646.600,00}>
!Total deducciones                                              90.524,00>
!Neto a cobrar              {netPay=556076.00~556.076,00}>
`},
		{name: "fr_bulletin_cumul", doc: dossier.DocPayStub, note: "a French slip with the running sums in a box at its foot", body: `
!BULLETIN DE SALAIRE
Employeur : {company=Atelier Modèle SAS}                          Période du {periodStart=2024-04-01~01/04/2024} au {periodEnd=2024-04-30~30/04/2024}
3 quai des Essais 33099 BOURGMODÈLE                     Payé le {payDate=2024-04-30~30/04/2024}
Nom et prénom : {employee=Margaux Delcourt}

!Désignation                                Base>       Taux>      Part salarié>
Salaire mensuel                           151,67>      16,00>         2 426,72>
!SALAIRE BRUT                                                         {totalEarnings=2426.72~2 426,72}>
Sécurité sociale                        2 426,72>       7,30>           177,15>
CSG déductible                          2 384,25>       6,80>           162,13>
!NET À PAYER                                                          {netPay=1931.05~1 931,05}>
!Cumuls          Brut>        Net imposable>       Heures>
2024         {totalEarningsYtd=9706.88~9 706,88}>          7 910,20>       606,68>
`},
		{name: "us_gas_sentence", doc: dossier.DocUtilityBill, note: "the amount and its day in a box of sentences", body: `
#{issuer=Juniper Ridge Gas Company}
Account 4410-2281-07
{name=THADDEUS WINSLOW}
612 HOLLOW OAK DR
FALLOW CREEK TX 75999

Statement date {statementDate=2024-02-09~February 9, 2024}
!Your bill at a glance
Balance on last bill                        $88.12>
Payment Feb 1, thank you                   -$88.12>
Gas charges this month                      $94.07>
Amount due by {dueDate=2024-03-01~March 1, 2024}                 {amountDue=94.07~$94.07}>
Meter 0081172   previous read 4410   current read 4502   92 CCF used
Pay online, by phone or by mail. Natural gas smells like rotten eggs.
`},
		{name: "de_strom_abschlag", doc: dossier.DocUtilityBill, note: "a German yearly account with an additional payment", body: `
{issuer=Stadtwerke Musterstadt GmbH}
Energieweg 1, 70999 Musterstadt

Frau
{name=Henriette Kaltenbrunn}
Lindenallee 12
70999 Musterstadt

!Jahresrechnung Strom
Kundennummer: 400118
Rechnungsdatum: {statementDate=2024-02-12~12.02.2024}
Zählernummer: 1EMH00118
Verbrauch 2.410 kWh vom 01.01.2023 bis 31.12.2023
Nettobetrag                                              689,20>
Umsatzsteuer 19 %                                        130,95>
Bruttobetrag                                             820,15>
Geleistete Abschläge                                    -720,00>
Nachzahlung                                              {amountDue=100.15~100,15 €}>
Fällig am {dueDate=2024-02-28~28.02.2024}
`},
		{name: "es_luz", doc: dossier.DocUtilityBill, note: "a Spanish bill with its data in one box and the customer in another", body: `
#{issuer=Energía Ejemplo S.A.}
!FACTURA DE ELECTRICIDAD
Nº factura: FE24000118                          Titular: {name=Amparo Quiroga Lastra}
Fecha de factura: {statementDate=2024-03-11~11/03/2024}                  Dirección de suministro: C/ Muestra 4, Villaejemplo
Periodo de consumo: 05/02/2024 a 06/03/2024     CUPS: ES0000000000000000XX
Fecha de cargo: {dueDate=2024-03-18~18/03/2024}
Por potencia contratada                                   12,40 €>
Por energía consumida 214 kWh                             38,52 €>
Impuesto electricidad                                      1,28 €>
IVA 21%                                                   10,96 €>
!TOTAL IMPORTE FACTURA                                    {amountDue=63.16~63,16 €}>
`},
		{name: "us_lease_basic_terms", doc: dossier.DocLease, note: "a commercial lease with its basic terms in a table", body: `
#COMMERCIAL LEASE
!BASIC LEASE INFORMATION
Lease Date:             {date=2023-10-02~October 2, 2023}
Landlord:               {landlord=Harbor Gate Properties LP}
Tenant:                 {tenant=Bluestem Coffee Roasters LLC}
Premises:               Suite 110, 400 Foundry Street, Eastbrook, OH 43099
Term:                   Sixty (60) months
Base Rent:              $3,400.00 per month
Security Deposit:       $6,800.00
The Basic Lease Information is part of this Lease. Landlord leases the Premises to Tenant on these terms.
`},
		{name: "us_services_invoice", doc: dossier.DocInvoice, note: "a consultant's invoice: a large word, terms in a band", body: `
{issuer=Lantern Hill Consulting LLC}                                           INVOICE
4410 Lantern Hill Road, Windmere, IL 60099

!INVOICE #          DATE              TERMS           DUE DATE
{number=LH-0118}            {date=2024-04-02~04/02/2024}        Net 15          {dueDate=2024-04-17~04/17/2024}

BILL TO
Oak & Anvil Roofing Inc.
77 Juniper Street, Windmere, IL 60099

!DESCRIPTION                            QTY>      RATE>      AMOUNT>
Bookkeeping review, March               12.00>    95.00>     1,140.00>
Travel                                   1.00>    60.00>        60.00>
                                                  SUBTOTAL    1,200.00>
                                                  TAX             0.00>
                                                  TOTAL       {total=1200.00~1,200.00}>
                                                  BALANCE DUE    $1,200.00>
`},
		{name: "us_fund_quarter", doc: dossier.DocInvestmentStatement, note: "a fund's account: two columns of values, this period and this year", body: `
#{institution=Northgate Mutual Funds}
Investor account statement                               For the quarter ended {periodEnd=2024-03-31~March 31, 2024}
{accountHolder=IMOGEN CASTELLANE}
9 ALDER COURT
QUARRY HILL VT 05099
Account number: {accountNumber=0044-118820}
!Value of your account                     This quarter>       Year to date>
Beginning value                           {openingBalance=18220.10~$18,220.10}>         $18,220.10>
Purchases                                    $600.00>            $600.00>
Dividends reinvested                         $118.40>            $118.40>
Change in value of shares                    $811.22>            $811.22>
Ending value                              {closingBalance=19749.72~$19,749.72}>         $19,749.72>
Mutual funds are not insured and may lose value. Your asset mix: 80% stock funds, 20% bond funds.
`},
		{name: "mx_inversion", doc: dossier.DocInvestmentStatement, note: "a Mexican statement of investments", body: `
#{institution=Operadora de Fondos Muestra}
ESTADO DE CUENTA DE INVERSIÓN
{accountHolder=IGNACIO ROBLEDO PARRA}
Contrato: 44-118820
Periodo del {periodStart=2024-04-01~01/04/2024} al {periodEnd=2024-04-30~30/04/2024}
!Resumen de su portafolio
Saldo anterior                                    {openingBalance=204118.20~$204,118.20}>
Depósitos                                          $10,000.00>
Retiros                                                 $0.00>
Plusvalía                                           $1,877.35>
Saldo final                                       {closingBalance=215995.55~$215,995.55}>
!Fondo               Títulos>       Precio>        Valor de mercado>
MUESTRA-D            11,200>       10.2214>          $114,479.68>
EJEMPLO-R             6,118>       16.5930>          $101,515.87>
`},
	}
}
