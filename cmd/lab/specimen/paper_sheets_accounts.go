package specimen

import "github.com/dossierhq/dossier"

// accountPapers are statements of cards, securities, loans and assets: none is a bank statement.
func accountPapers() []paperSheet {
	return []paperSheet{
		{name: "uk_card", doc: dossier.DocCreditCardStatement, note: "a British card statement", body: `
#{institution=Severnside Card}
{accountHolder=MR JASPER FAIRWEATHER}                                 Card number: {accountNumber=**** **** **** 4417}
4 COPPERFIELD ROAD                                    Statement date: 14 March 2024
HARROWGATE
HG9 9ZZ
!Your account summary
Previous balance                                       {openingBalance=412.18~£412.18}>
Payments received                                      £412.18 CR>
New transactions                                       £288.60>
New balance                                            {closingBalance=288.60~£288.60}>
Minimum payment                                        £5.00>
Payment due date                                       8 April 2024
Credit limit                                           £4,000.00>
Available credit                                       £3,711.40>
!Date       Description                              Amount>
16 FEB     SAMPLE STORES LEEDS                       88.20>
21 FEB     EXAMPLE RAIL                             200.40>
`},
		{name: "mx_card", doc: dossier.DocCreditCardStatement, note: "estado de cuenta of a card", body: `
#{institution=Banco Ejemplo del Golfo}
ESTADO DE CUENTA TARJETA DE CRÉDITO
{accountHolder=IGNACIO ROBLEDO PARRA}
Número de tarjeta: {accountNumber=**** **** **** 2210}
Periodo: {periodStart=2024-03-13~13/03/2024} al {periodEnd=2024-04-12~12/04/2024}
Fecha límite de pago: 02/05/2024
Pago mínimo: $420.00
Límite de crédito: $30,000.00
Saldo anterior                     {openingBalance=8120.00~$8,120.00}>
Pagos y abonos                    $8,120.00>
Compras                           $5,911.20>
Saldo al corte                     {closingBalance=5911.20~$5,911.20}>
`},
		{name: "fr_carte", doc: dossier.DocCreditCardStatement, note: "relevé of a Canadian card in French", body: `
#{institution=Caisse populaire du Lac-Bouchette}
Relevé de compte - carte de crédit
{accountHolder=CAMILLE LARRIVIÈRE}
Numéro de carte : {accountNumber=XXXX XXXX XXXX 8891}
Solde précédent                         {openingBalance=310.22~310,22 $}>
Paiements                              -310,22 $>
Achats                                  188,90 $>
Nouveau solde                           {closingBalance=188.90~188,90 $}>
Paiement minimum                         10,00 $>
Date d'échéance du paiement             2024-05-21
Limite de crédit                      5 000,00 $>
Crédit disponible                     4 811,10 $>
`},
		{name: "us_brokerage_summary", doc: dossier.DocBrokerageStatement, note: "an account with cash, opening and closing values", body: `
#{institution=Highline Securities LLC}
Brokerage account statement                               {periodStart=2024-01-01~January 1} - {periodEnd=2024-01-31~January 31, 2024}
{accountHolder=ELODIE GOLDMANN}                                          Account number: {accountNumber=4471-8820}
18 IRONWOOD TERRACE
QUARRY HILL VT 05099
!Account summary
Beginning account value                                {openingBalance=88120.44~$88,120.44}>
Deposits                                               $1,000.00>
Withdrawals                                                $0.00>
Dividends and interest                                   $112.09>
Change in market value                                 $2,019.33>
Ending account value                                   {closingBalance=91251.86~$91,251.86}>
!Holdings
!Symbol      Description                      Quantity>    Price>     Market value>
EXA         Example Total Market Fund         310.000>   271.10>      $84,041.00>
            Cash and sweep funds                                       $7,210.86>
Securities offered by Highline Securities LLC, member FINRA/SIPC. Unrealized gains and losses are on the next page.
`},
		{name: "us_retirement", doc: dossier.DocInvestmentStatement, note: "a retirement plan's quarterly statement", body: `
#{institution=Keystone Row Retirement Services}
Retirement Savings Statement
{accountHolder=WENDELL YARROW}
Statement Period: {periodStart=2024-01-01~01/01/2024} to {periodEnd=2024-03-31~03/31/2024}
Bluestem Freight 401(k) Plan
!Your Account Summary
Beginning Balance                        {openingBalance=41220.10~$41,220.10}>
Your Contributions                        $1,800.00>
Employer Contributions                      $900.00>
Change in Market Value                    $2,014.90>
Ending Balance                           {closingBalance=45935.00~$45,935.00}>
Vested Balance                           $45,035.00>
Your asset allocation: stock funds 70%, bond funds 30%. Mutual funds may lose value.
`},
		{name: "asset_report", doc: dossier.DocAssetVerification, note: "a report of assets with captions over values", body: `
#Asset Report
!Report ID           Date Requested       Days Requested     Number of Accounts
a8f2-0417            {requestedOn=2024-02-20~2024-02-20}           {daysRequested=#90~90}                 {accounts=#2~2}
Prepared for: {name=Amara Castellane}
!Institution                 Account                Current Balance>
Lakehouse Savings Bank      Checking ...4417            $4,120.18>
Lakehouse Savings Bank      Savings ...0092            $18,004.55>
Total Assets                                          {totalAssets=22124.73~$22,124.73}>
`},
		{name: "loan_statement", doc: dossier.DocOther, note: "a loan's statement with balances and payments", body: `
Stonehollow Trust Company
#Loan Statement
CALLA MONTCLAIRE                                    Loan number: 00-4417-22
60 BRIAR LANE                                       Statement date: 04/01/2024
LARKFIELD CO 80699                                  Payment due date: 04/16/2024
!Account information
Outstanding principal balance                        $18,220.15>
Interest rate                                           7.250%>
Regular monthly payment                                 $402.11>
!Transaction activity
03/16/2024   Payment   principal 288.10   interest 114.01        $402.11>
Beginning balance                                    $18,508.25>
Ending balance                                       $18,220.15>
`},
		{name: "mortgage_statement", doc: dossier.DocOther, note: "a mortgage's statement", body: `
#Granite Home Lending
Mortgage Statement
Statement date: 05/02/2024
BENNETT EASTLAKE
9 COPPERFIELD ROAD
EASTBROOK OH 43099
Loan number 1188220
Payment due date 06/01/2024                Amount due $1,602.77
Outstanding principal                      $211,804.22
Escrow balance                             $2,140.09
!Explanation of amount due
Principal                          $488.20>
Interest                           $702.11>
Escrow (taxes and insurance)       $412.46>
`},
		{name: "bank_letter", doc: dossier.DocOther, note: "a bank's letter that confirms balances is no statement", body: `
#Lakehouse Savings Bank
March 4, 2024
To whom it may concern,
We confirm that Quentin Ravenscroft holds a checking account with us, account number ending in 4417, opened June 3, 2019.
The current balance is $12,004.18 and the average balance of the last six months is $11,220.00.
Sincerely,
Branch manager
`},
		{name: "remittance", doc: dossier.DocOther, note: "an advice of payments with a running total", body: `
#Remittance Advice
Oak & Anvil Roofing Inc.                                Payment date: 02/16/2024
Vendor: Fernwood Electrical Co.                         Payment number: 88120
!Invoice date     Invoice number     Gross amount>     Discount>     Net amount>
01/08/2024       4410                    1,200.00>         24.00>       1,176.00>
01/15/2024       4422                      860.00>          0.00>         860.00>
Total                                    2,060.00>         24.00>       2,036.00>
`},
	}
}
