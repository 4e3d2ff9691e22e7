package specimen

import "github.com/dossierhq/dossier"

// atlasSheets are statements in the manner of further banks of the world: those that name their parts in tables of
// their own, of neobanks, of Asia and Latin America; the banks are invented.
func atlasSheets() []bankSheet {
	return []bankSheet{
		{name: "us_summary_instances", bank: "Crestline National Bank", currency: "USD", business: true,
			shape: trading{texts: businessTexts, checks: true, fees: true}, money: american.with("$"), day: "01/02",
			entries: 16, entriesOff: true,
			note: "instances beside amounts, withdrawals by kind, daily balances", body: `
Crestline National Bank                                         {from:January 02, 2006} through {to:January 02, 2006}
P O Box 659754                                                  Account Number: {acct:000000#########}
Port Amity, WA 98699
                                                                CUSTOMER SERVICE INFORMATION
00118 DRE 021 210 09124 NNNNNNNNNNN 1 000000000 64 0000         Web site: Crestline.example
{holder}                                                        Service Center: 1-800-555-0199
{street}
{city}

!CHECKING SUMMARY      {kind:Crestline Business Complete Checking}
!                                                     INSTANCES>             AMOUNT>
Beginning Balance                                                             {open}>
Deposits and Additions                                    {nin}>                {in}>
Checks Paid                                           {nchecks}>           {-checks}>
Electronic Withdrawals                                   {nout}>              {-out}>
Fees                                                          1>             {-fees}>
Ending Balance                                                               {close}>

!DEPOSITS AND ADDITIONS
!DATE       DESCRIPTION                                                      AMOUNT>
@ins {d}     {t}                                                               {i}>
!Total Deposits and Additions

!WITHDRAWALS
!DATE       DESCRIPTION                                                      AMOUNT>
@outs {d}     {t}                                                              {o}>
`},
		{name: "us_activity_summary", bank: "Saddleback Bank", currency: "USD", shape: trading{texts: personalTexts},
			money: american, day: "1/2", entries: 14,
			note: "a sidebar beside the activity summary, ending daily balance only on the last entry of a day", body: `
#{kind:Everyday Checking}
{to:January 2, 2006}   Page 1 of 3

                                                                  Questions?
{holder}                                                          Available by phone 24 hours a day
{street}                                                          1-800-555-0133
{city}                                                            Online: saddleback.example
                                                                  Write: Saddleback Bank, PO Box 6995

!Statement period activity summary                                Account number: {acct:##########}
Beginning balance on {from:1/2}                 {open}>           {holder}
Deposits/Additions                              {in}>             Ohio account terms and conditions apply
Withdrawals/Subtractions                     - {out}>             For Direct Deposit use
Ending balance on {to:1/2}                     {close}>           Routing Number (RTN): 000000000
Statement period {from:01/02/2006} - {to:01/02/2006}

!Transaction history
!             Check                                      Deposits/>     Withdrawals/>     Ending daily>
!Date        Number  Description                         Additions>      Subtractions>          balance>
@rows {d}                {t}                                   {i}>               {o}>           {B}>
!Ending balance on {to:1/2}                                                                    {close}>
!Totals                                                         {in}>             {out}>

Saddleback Bank, N.A. Member FDIC
`},
		{name: "us_total_deposits_line", bank: "Union Prairie Bank", currency: "USD",
			shape: trading{texts: personalTexts}, money: american.with("$"), day: "Jan 02", entries: 9,
			note: "previous balance with its date, ledger words, account summary at the right", body: `
#UNION PRAIRIE BANK
Silver Prairie, KS
                                                          Uni-Statement
{holder}                                                  Account Number: {acct:# ### #### ####}
{street}                                                  Statement Period:
{city}                                                    {from:Jan 2, 2006} through {to:Jan 2, 2006}

!UNION CHECKING                                                                     Member FDIC
Account Summary                       # Items
Beginning Balance on {from:Jan 2}                      {open}>
Other Deposits                           {nin}           {in}>
Other Withdrawals                        {nout}          {-out}>
Ending Balance on {to:Jan 2, 2006}                     {close}>
!Other Deposits
!Date      Description of Transaction                                    Amount>
@ins {d}    {t}                                                             {i}>
!Other Withdrawals
!Date      Description of Transaction                                    Amount>
@outs {d}   {t}                                                             {o}>
`},
		{name: "us_neobank_business", bank: "Harborlane", currency: "USD", business: true,
			shape: trading{texts: businessTexts}, money: american.with("$"), day: "Jan 02", entries: 12,
			note: "a platform that is no bank: partner bank at the foot, signed amounts with a sign", body: `
#Harborlane
{from:January 2006} Statement
{holder}
{street}
{city}

!Account                       Statement period
Checking {acct:••####}           {from:Jan 2, 2006} - {to:Jan 2, 2006}

!Opening balance        Money in        Money out         Closing balance
{open}                  {in}             {-out}            {close}

!Date       Description                                  Amount>         End of day balance>
@rows {d}    {t}                                            {a}>                       {B}>

Harborlane is a financial technology company and not a bank. Banking services are provided by Tidewater Trust, Member FDIC.
`},
		{name: "us_share_draft_summary", bank: "Quarry Hill Community Credit Union", currency: "USD", accounts: 2,
			shape: trading{texts: personalTexts}, money: american, day: "Jan 02", entries: 5, entriesOff: true,
			note: "suffixes with balance forward, deposits and withdrawals in sentences", body: `
#Quarry Hill Community Credit Union
                                                                 Member number: XXXX1188
{holder}                                                         Statement period: {from:01/02/2006} - {to:01/02/2006}
{street}
{city}

!Suffix 01   {1.kind:PRIMARY SAVINGS}     {1.acct:####-01}
!Date        Transaction Description                          Amount>        Balance>
{from:Jan 02}       Balance Forward                                              {1.open}>
@rows {d}     {t}                                                {a}>            {b}>
{to:Jan 02}       Ending Balance                                                {1.close}>

@account 2
!Suffix 75   {2.kind:FREE CHECKING}     {2.acct:####-75}
!Date        Transaction Description                          Amount>        Balance>
{from:Jan 02}       Balance Forward                                              {2.open}>
@rows {d}     {t}                                                {a}>            {b}>
{to:Jan 02}       Ending Balance                                                {2.close}>
This credit union is federally insured by the National Credit Union Administration.
`},
		{name: "ca_account_activity", bank: "Royal Birch Bank of Canada", currency: "CAD", business: true,
			shape: trading{texts: businessTexts}, money: american, day: "02 Jan", entries: 13,
			note: "a sentence for the period, summary as a formula, cheques and debits", body: `
                                                      Business Account Statement
Royal Birch Bank of Canada                            {from:January 2, 2006} to {to:January 2, 2006}
P.O. Box 4047 Terminal A                              Account number: {acct:#####  ###-###-#}
Toronto ON  M5W 1L5
{holder}                                              How to reach us: 1-800-555-0188
{street}                                              www.royalbirch.example
GRANITE BAY ON  K0A 9Z9

!Account Summary for this Period
Opening balance on {from:January 2, 2006}                                 {open}>
Total deposits & credits ({nin})                                        + {in}>
Total cheques & debits ({nout})                                        - {out}>
Closing balance on {to:January 2, 2006}                                = {close}>

!Account Activity Details
!Date       Description                     Cheques & Debits ($)>   Deposits & Credits ($)>      Balance ($)>
            Opening balance                                                                      {open}>
@rows {D}       {t}                                          {o}>                   {i}>           {B}>
            Closing balance                                                                     {close}>
`},
		{name: "ca_branch_transit", bank: "Lakeview Trust", currency: "CAD", shape: trading{texts: personalTexts},
			money: american, day: "JAN 02", entries: 10,
			note: "branch and account numbers in boxes, starting balance row", body: `
#Lakeview Trust                                              Statement of Account
{holder}                                 !Branch No.     Account No.         Statement From - To
{street}
WINDMERE  AB  T0A 0A0
Account Type: {kind:EVERY DAY CHEQUING}
Account No. {acct:####-#######}
Statement From {from:JAN 02/06} - To {to:JAN 02/06}                              Page 1 of 2
!Description                      Cheque/Debit>     Deposit/Credit>     Date>          Balance>
STARTING BALANCE                                                                         {open}>
@rows {t}                               {o}>              {i}>             {d}>            {b}>
CLOSING BALANCE                                                                         {close}>
Lakeview Trust is a member of the Canada Deposit Insurance Corporation
`, entriesOff: true},
		{name: "uk_app_bank", bank: "Larkbank", currency: "GBP", shape: trading{texts: britishTexts},
			money: american.with("£"), day: "02/01/2006", entries: 12,
			note: "an app's statement: totals as sentences, sort code and IBAN", body: `
#Larkbank                                                   Personal Account statement
                                                            {from:02/01/2006} - {to:02/01/2006}
{holder}
4 Alder Court, Leeds, LS9 9ZZ
Sort code: 00-00-00      Account number: {acct:########}
BIC: LARKGB00      IBAN: GB00LARK00000000000000

{close}      Personal Account balance
{in}      Total deposits
{-out}      Total outgoings

!Date            Description                                (GBP) Amount>      (GBP) Balance>
@rows {d}         {t}                                               {a}>               {b}>
Larkbank Limited is authorised by the Prudential Regulation Authority.
`},
		{name: "uk_paid_out_in", bank: "Midshire Bank plc", currency: "GBP", business: true,
			shape: trading{texts: britishTexts}, money: american, day: "02 Jan 06", entries: 13,
			note: "payment type column, balance brought and carried forward", body: `
Midshire Bank plc                                      Your Statement
The Secretary
{holder}                                               Contact tel 03455 000 000
9 DOVETAIL STREET                                      www.midshire.example
HARROGATE HG9 9ZZ

Account Name                                           Sortcode          Account Number         Sheet Number
{holder}                                               00-00-00          {acct:########}               118
!Account Summary
Opening Balance                       {open}>
Payments In                           {in}>
Payments Out                         {out}>
Closing Balance                     {close}>
Your Business Current Account details      {from:2 January 2006} to {to:2 January 2006}
!Date          Payment type and details                    Paid out>        Paid in>        Balance>
               BALANCE BROUGHT FORWARD                                                        {open}>
@rows {D}       {t}                                            {o}>            {i}>            {B}>
               BALANCE CARRIED FORWARD                                                       {close}>
`, entriesOff: true},
		{name: "uk_multi_currency", bank: "Fjordpay Europe SA", currency: "EUR", shape: trading{texts: personalTexts},
			money: american, day: "2 January 2006", entries: 9,
			note: "an account in one of several currencies, the currency printed as its code in the title", body: `
#EUR statement
{from:2 January 2006} - {to:2 January 2006}
Generated on {after:2 January 2006}
!Account Holder                     IBAN
{holder}                            {acct:BE00 #### #### ####}
{street}, {city}
EUR on {to:2 January 2006}                                            {close} EUR>
!Description                                   Incoming>        Outgoing>           Amount>
@rows {t}                                           {i}>            {o}>               {b}>
Fjordpay Europe SA is authorised by the National Bank.
`, entriesOff: true},
		{name: "de_neobank", bank: "Nordlicht Bank AG", currency: "EUR", shape: trading{texts: germanTexts},
			money: german.ending("€"), day: "02.01.2006", entries: 10,
			note: "previous and new balance at the foot, IBAN and BIC", body: `
#Kontoauszug
Nr. 03/2024                                                    {from:02.01.2006} bis {to:02.01.2006}
{holder}
Lindenallee 12, 70999 Musterstadt

!Beschreibung                              Verbuchungsdatum>            Betrag>
@rows {t}                                              {d}>               {a}>

!Zusammenfassung
Dein alter Kontostand                                             {open}>
Ausgehende Transaktionen                                          {-out}>
Eingehende Transaktionen                                            {in}>
Dein neuer Kontostand                                            {close}>
IBAN: {acct:DE00120300##########}   BIC: NRDLDEXXXXX
Nordlicht Bank AG, Musterallee 1, 10999 Berlin. Vorstand: A. Muster, B. Beispiel
`, entriesOff: true},
		{name: "fr_releve_banque", bank: "Banque du Modèle", currency: "EUR", shape: trading{texts: frenchTexts},
			money: french, day: "02/01", entries: 12,
			note: "date and value date, ancien and nouveau solde, totals of movements", body: `
#Banque du Modèle
RELEVÉ DE COMPTE                                     du {from:02/01/2006} au {to:02/01/2006}
{holder}
14 RUE DES EXEMPLES
69099 VILLEMODELE
N° de compte : {acct:#####  ##########A  ##}
IBAN FR76 0000 0000 0000 0000 0000 000   BIC MODLFRPPXXX

!Date       Nature de l'opération                    Valeur>          Débit>           Crédit>
            ANCIEN SOLDE AU {from:02/01/2006}                                           {open}>
@rows {d}    {t}                                         {d}>            {o}>             {i}>
            TOTAL DES OPÉRATIONS                                    {debits}>        {credits}>
            NOUVEAU SOLDE AU {to:02/01/2006}                                            {close}>
Banque du Modèle, société anonyme au capital de 1 000 000 €
`, entriesOff: true},
		{name: "nl_bank", bank: "Delta Spaarbank", currency: "EUR", shape: trading{texts: dutchTexts}, money: german,
			day: "02-01-2006", entries: 9,
			note: "previous and new balance with total off and on, debit and credit by word", body: `
#Delta Spaarbank
Rekeningafschrift                                        Datum afschrift   {issued:02-01-2006}
{holder}
Polderweg 18
1099 ZZ AMSTELDORP
Rekeningnummer: {acct:NL00DELT##########}     Periode: {from:02-01-2006} t/m {to:02-01-2006}
!Vorig saldo>           Totaal bijgeschreven>        Totaal afgeschreven>         Nieuw saldo>
{open}>                 {credits}>                    {debits}>                     {close}>
!Datum          Omschrijving                                    Bedrag af>       Bedrag bij>
@rows {d}        {t}                                                {o}>             {i}>
`, entriesOff: true},
		{name: "in_branch_head", bank: "Deccan Bank Limited", currency: "INR", shape: trading{texts: indianTexts},
			money: american, day: "02/01/06", entries: 11,
			note: "branch data at the right, narration wraps, opening and closing in a summary at the foot", body: `
#DECCAN BANK                                             Account Branch : SAMPLE NAGAR
{holder}                                                Address : 18 MG ROAD
4 LAKE VIEW ROAD                                        City : HYDERABAD 500099
HYDERABAD 500099                                        State : TELANGANA
TELANGANA INDIA                                         OD Limit : 0.00     Currency : INR
JOINT HOLDERS :                                         Account No : {acct:##############}
                                                        A/C Open Date : 03/06/2014
                                                        RTGS/NEFT IFSC : DECN0000118   MICR : 500240000
From : {from:02/01/2006}   To : {to:02/01/2006}           Statement of account

!Date      Narration                           Chq./Ref.No.    Value Dt    Withdrawal Amt.>   Deposit Amt.>    Closing Balance>
@rows {d}   {t}                               0000000118      {d}                 {o}>            {i}>               {b}>

!STATEMENT SUMMARY :-
!Opening Balance>        Dr Count>     Cr Count>           Debits>          Credits>        Closing Bal>
{open}>                  {ndebits}>    {ncredits}>           {debits}>         {credits}>            {close}>
DECCAN BANK LIMITED. Contents of this statement will be considered correct if no error is reported within 30 days.
`, entriesOff: true},
		{name: "sg_statement", bank: "Straits Harbour Bank", currency: "SGD", shape: trading{texts: personalTexts},
			money: american, day: "02 JAN", entries: 9,
			note: "balance brought and carried forward, total of both columns, currency in the account's name", body: `
#Straits Harbour Bank                                              Statement of Account
{holder}                                                           {from:2 Jan 2006} TO {to:2 Jan 2006}
118 SAMPLE STREET #04-12
SINGAPORE 000099
!360 SAVINGS ACCOUNT (SGD)
Account No. {acct:###-######-###}
!Transaction   Value
!Date          Date       Description                         Withdrawal>       Deposit>         Balance>
                          BALANCE B/F                                                             {open}>
@rows {d}         {d}     {t}                                       {o}>           {i}>             {b}>
                          BALANCE C/F                                                            {close}>
                          Total Withdrawals/Deposits               {out}>          {in}>
Deposit Insurance Scheme: Singapore dollar deposits are insured up to the limits of the law.
`, entriesOff: true},
		{name: "br_extrato", bank: "Banco Modelo do Sul S.A.", currency: "BRL", shape: trading{texts: spanishTexts},
			money: german.with("R$ "), day: "02/01", entries: 8,
			note: "an extrato: saldo anterior, lançamentos, saldo final in reais", body: `
#Banco Modelo do Sul S.A.
Extrato de conta corrente                          período {from:02/01/2006} a {to:02/01/2006}
{holder}
agência 0118   conta {acct:#####-#}
Saldo anterior                                                        {open}>
Total de entradas                                                       {in}>
Total de saídas                                                        {-out}>
Saldo final                                                          {close}>
!data       lançamentos                                          valor (R$)>
@rows {d}    {t}                                                        {a}>
`, entriesOff: true},
		{name: "co_extracto", bank: "Banco Cordillera", currency: "COP", shape: trading{texts: spanishTexts},
			money: american.with("$"), day: "2/01", entries: 8,
			note: "desde and hasta, resumen with saldo anterior, total abonos and cargos", body: `
#BANCO CORDILLERA
ESTADO DE CUENTA                                      DESDE: {from:2006/01/02}  HASTA: {to:2006/01/02}
CUENTA DE AHORROS                                     NÚMERO: {acct:###########}
{holder}
CALLE 18 # 44 - 17
BOGOTA D.C. COLOMBIA
!RESUMEN
SALDO ANTERIOR                        {open}>
TOTAL ABONOS                       {credits}>
TOTAL CARGOS                        {debits}>
SALDO ACTUAL                         {close}>
!FECHA     DESCRIPCIÓN                                       VALOR>          SALDO>
@rows {d}   {t}                                                {a}>            {b}>
`, entriesOff: true},
		{name: "mx_cuenta_pyme", bank: "Banca Azteca Modelo", currency: "MXN", business: true,
			shape: trading{texts: spanishTexts}, money: american, day: "02-JAN", entries: 9,
			note: "periodo del al, depósitos and retiros in a box of totals, R.F.C. and CLABE", body: `
#Banca Azteca Modelo                                   ESTADO DE CUENTA
{holder}                                              Periodo  DEL {from:02/01/2006} AL {to:02/01/2006}
AV INSURGENTES 118                                    Fecha de Corte  {issued:02/01/2006}
COL CENTRO                                            No. de Cuenta  {acct:##########}
C.P. 06099 CIUDAD DE MEXICO                           R.F.C. XXX000000XX0
MONEDA NACIONAL
!Comportamiento
Saldo Anterior                                  {open}>
Depósitos / Abonos (+)      {nin}                 {in}>
Retiros / Cargos (-)        {nout}               {out}>
Saldo Final                                    {close}>
!OPER       DESCRIPCIÓN                                   CARGOS>         ABONOS>          SALDO>
@rows {d}    {t}                                              {o}>            {i}>            {b}>
`, entriesOff: true},
		{name: "au_business", bank: "Southern Cross Bank", currency: "AUD", business: true,
			shape: trading{texts: businessTexts}, money: american.with("$"), day: "02 Jan 2006", entries: 10,
			note: "BSB, total credits and debits, opening balance row with its date", body: `
#Southern Cross Bank
Business One Statement                                     Statement Period
{holder}                                                   {from:2 January 2006} - {to:2 January 2006}
12 EXAMPLE STREET                                          BSB 000-000
NEWTOWN NSW 2042                                           Account Number {acct:##-####}
Opening Balance                                            + {open}>
Total Credits                                           + {credits}>
Total Debits                                             - {debits}>
Closing Balance                                            + {close}>
!DATE           TRANSACTION DESCRIPTION                  DEBIT>       CREDIT>       BALANCE>
{from:02 Jan 2006}      STATEMENT OPENING BALANCE                                        {open}>
@rows {d}       {t}                                         {o}>          {i}>          {b}>
{to:02 Jan 2006}      CLOSING BALANCE                                                 {close}>
Southern Cross Bank ABN 00 000 000 000 AFSL and Australian credit licence 000000.
`},
		{name: "nz_debit_credit", bank: "Aorangi Bank", currency: "NZD", shape: trading{texts: personalTexts},
			money: american, day: "02 Jan", entries: 9,
			note: "statement number, GST number, particulars, opening balance in the table", body: `
#Aorangi Bank                                             Statement
{holder}                                                  Statement number 118
9 RATA STREET                                             From {from:02 Jan 2006}
WELLINGTON 6099                                           To {to:02 Jan 2006}
Account name  {holder}
Account number  {acct:##-####-#######-##}
!Date      Type and details                             Withdrawals>        Deposits>         Balance>
           Opening balance                                                                      {open}>
@rows {d}   {t}                                                {o}>             {i}>             {b}>
           Totals at end of period                            {out}>            {in}>           {close}>
`, entriesOff: true},
		{name: "us_savings_guide", doc: dossier.DocOther, bank: "", shape: trading{texts: personalTexts},
			money: american.with("$"), day: "01/02", entries: 4,
			note: "a guide that explains a pictured statement", body: `
#How to read your statement
This guide walks you through a sample statement. Your own statement may look different.
Sample: Beginning balance  $1,000.00
Sample: Deposits and other credits  $250.00
Sample: Withdrawals and other debits  $100.00
Sample: Ending balance  $1,150.00
1. The statement period shows the days that your statement covers.
2. The beginning balance is what was in your account on the first day.
3. Compare the ending balance with your register. For example, subtract checks that have not cleared.
Questions? Ask at any branch. Frequently asked questions are at www.sample.example.
`},
	}
}
