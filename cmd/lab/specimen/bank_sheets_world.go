package specimen

import (
	"slices"

	"github.com/dossierhq/dossier"
)

// bankSheets are all statements of BankSheet.
func bankSheets() []bankSheet {
	return slices.Concat(americanSheets(), worldSheets(), atlasSheets(), pagedSheets(), tiledSheets())
}

var (
	indianTexts = phrases{in: []string{"NEFT CR-SAMPLE TRADERS", "UPI/%s/CREDIT", "CASH DEPOSIT SELF"},
		out: []string{"UPI/%s/DEBIT", "ATM WDL %4", "NEFT DR-SAMPLE SUPPLIES", "ACH D- EXAMPLE EMI"},
		fee: []string{"SMS CHARGES"}}
	quebecTexts = phrases{in: []string{"Dépôt salaire", "Virement reçu", "Dépôt mobile"},
		out: []string{"Achat marchand %4", "Retrait au guichet", "Paiement facture", "Virement émis"},
		fee: []string{"Frais d'administration"}}
)

// worldSheets are statements as banks of other countries lay them out.
func worldSheets() []bankSheet {
	british := trading{texts: britishTexts}
	return []bankSheet{
		{name: "ca_chequing", bank: "Northern Dominion Bank", currency: "CAD", shape: trading{texts: personalTexts},
			money: american, day: "02 Jan", entries: 12,
			note: "opening balance on a date, the balance once a day, transit and account", body: `
Northern Dominion Bank
P.O. Box 4047, Station A, Toronto ON  M5W 1L5
                                                  Your chequing account statement
                                                  {from:January 2, 2006} to {to:January 2, 2006}
{holder}
{street}
TORONTO ON  M4B 1B3                               Your account number: {acct:#####-#######}

!Summary of your account for this period
{kind:Everyday Chequing Account}
Your opening balance on {from:January 2, 2006}                {open}>
Total deposits into your account                             + {in}>
Total withdrawals from your account                          - {out}>
Your closing balance on {to:January 2, 2006}                = {close}>

!Details of your account activity
!Date       Description                                  Withdrawals ($)>     Deposits ($)>      Balance ($)>
@rows {D}       {t}                                               {o}>              {i}>            {B}>
            Closing Balance                                                                         {close}>

Trademark of Northern Dominion Bank. Member of Canada Deposit Insurance Corporation.
`},
		{name: "ca_quebec", bank: "Caisse populaire du Lac-Bouchette", currency: "CAD",
			shape: trading{texts: quebecTexts}, money: french.ending(" $"), day: "02 MMM", entries: 9, entriesOff: true,
			note: "French of Canada: solde reporté, retraits before dépôts, months in three letters", body: `
Caisse populaire du Lac-Bouchette                        RELEVÉ DE COMPTE
12, rue Principale                                       Période du {from:fr} au {to:fr}
Lac-Bouchette (Québec)  G0W 1V0                          Folio {acct:######}   Page 1

          {holder}
          {street}
          ROBERVAL QC  G8H 2N1

!EOP   Épargne avec opérations
!Date       Description                                       Retrait>          Dépôt>          Solde>
            Solde reporté                                                                       {open}>
@rows {d}       {t}                                               {o}>            {i}>            {b}>
            Solde de fermeture                                                                  {close}>

Total des retraits   {out}
Total des dépôts     {in}
`},
		{name: "ca_business_summary", bank: "Prairie Rock Credit Union", currency: "CAD", business: true,
			shape: trading{texts: businessTexts}, money: american.with("$"), day: "2006-01-02", entries: 12,
			note: "Canadian credit union, deposits and withdrawals with counts in parentheses", body: `
#Prairie Rock Credit Union
{holder}                                                 Statement of Account
{street}                                                 For the period {from:2006-01-02} to {to:2006-01-02}
CALGARY AB  T2P 3G2                                      Account {acct:############}

!Account summary
Balance forward from {before:Jan 2, 2006}                        {open}>
Deposits ({nin})                                                   {in}>
Withdrawals ({nout})                                              {out}>
Closing balance on {to:Jan 2, 2006}                              {close}>

!Date        Details                                     Withdrawals>        Deposits>         Balance>
@rows {d}        {t}                                             {o}>            {i}>            {b}>
`},
		{name: "uk_current", bank: "Severnside Bank plc", currency: "GBP", shape: british, money: american.with("£"),
			day: "02 Jan", entries: 14,
			note: "money out and in, balance brought forward, year only in the period", body: `
Severnside Bank plc                                                Your current account statement
{holder}                                                           {from:2 January} - {to:2 January 2006}
14 LANTERN ROW                                                     Sort code 00-11-22
LITTLE MALVERN                                                     Account number {acct:########}
WR14 4XX                                                           BIC EXMPGB22   IBAN GB00 EXMP 0011 2200 0000 00

!At a glance
Start balance                  {open}>
Money in                         {in}>
Money out                       {out}>
End balance                    {close}>

!Date       Description                                         Money out>        Money in>        Balance>
{from:2 Jan}       Balance brought forward                                                             {open}>
@rows {D}       {t}                                                   {o}>             {i}>             {B}>
{to:2 Jan}      Balance carried forward                                                             {close}>

Severnside Bank plc. Registered in England no. 0012345. Authorised by the Prudential Regulation Authority.
`},
		{name: "uk_overdrawn_od", bank: "Pennine & Dales", currency: "GBP", business: true, sunk: 600_000_00,
			shape: trading{texts: britishTexts, overdraft: true}, money: american.sign(overdrawn), day: "02Jan",
			entries: 12, entriesOff: true,
			holder: func(p party) string { return "THE DIRECTORS " + "FERNWOOD JOINERY LTD" }, note: "balances marked OD, paid out before paid in", body: `
#Pennine & Dales
BUSINESS CURRENT ACCOUNT                                     Statement number 47
{holder}                                                     Statement date {issued:02 January 2006}
{street}                                                     Sort Code 00-22-33
SKIPTON  BD23 1XX                                            Account Number {acct:########}

{from:02 January 2006} to {to:02 January 2006}

Previous Balance        {open}>
Paid Out                 {out}>
Paid In                   {in}>
New Balance            {close}>

!Date     Type   Particulars                                    Paid out>       Paid in>        Balance>
@rows {d}     TRF    {t}                                              {o}>           {i}>            {b}>
`},
		{name: "nz_statement", bank: "Waitomo Bank", currency: "NZD", shape: trading{texts: personalTexts},
			money: american.with("$"), day: "2 Jan", entries: 10,
			note: "New Zealand: number of bank, branch, account and suffix, day first", body: `
#Waitomo Bank
                                                           Statement number 112
{holder}                                                   Statement period {from:2 January 2006} to {to:2 January 2006}
{street}
PONSONBY                                                   Account name   {holder}
AUCKLAND 1011                                              Account number {acct:99-####-#######-00}

!Opening balance        Total withdrawals        Total deposits        Closing balance
{open}                  {out}                    {in}                  {close}

!Date        Transaction                                     Withdrawals>        Deposits>         Balance>
{from:2 Jan}       Opening balance                                                                 {open}>
@rows {d}        {t}                                             {o}>            {i}>            {b}>
`},
		{name: "au_smart_access", bank: "Wattle Bank Limited", currency: "AUD", shape: trading{texts: personalTexts},
			money: american.with("$").sign(drcr), day: "02 Jan", entries: 10, entriesOff: true,
			note: "Australia: BSB, CR behind the balance, opening balance with a year", body: `
Wattle Bank Limited ABN 00 000 000 000                        Statement 31  (Page 1 of 2)
                                                              Account Number  {acct:00 2000 ########}
{holder}                                                      Statement Period  {from:2 Jan 2006} - {to:2 Jan 2006}
{street}                                                      BSB 000-200
FITZROY VIC 3065                                              Closing Balance   {close}

!{kind:Everyday Account}

!Date     Transaction                                           Debit>        Credit>         Balance>
{from:02 Jan}   {from:2006} OPENING BALANCE                                                       {open}>
@rows {d}       {t}                                               {o}>           {i}>            {b}>
{to:02 Jan}   {to:2006} CLOSING BALANCE                                                       {close}>

Opening balance   -   Total debits   +   Total credits   =   Closing balance
{open}            {debits}           {credits}           {close}
`},
		{name: "de_kontoauszug", bank: "Volksbank Musterland eG", currency: "EUR", shape: trading{texts: germanTexts},
			money: german.sign(drcrGerman), day: "02.01.", entries: 11, entriesOff: true,
			holder: party.name, note: "S and H behind the figures, days without a year, alter and neuer Kontostand", body: `
Volksbank Musterland eG                                      Kontoauszug Nr. 4 / Blatt 1
Bahnhofstr. 1, 99999 Musterland                              Kontonummer {acct:########}
                                                             IBAN DE00 0000 0000 0000 0000 00   BIC GENODEF1XXX
{holder}
Musterweg 12
99999 Beispielstadt                                          Auszug vom {from:02.01.2006} bis {to:02.01.2006}

!EUR-Konto Kontokorrent
!Bu-Tag     Wert       Vorgang                                              Betrag>
                       alter Kontostand vom {before:02.01.2006}             {open}>
@rows {d}        {d}        {t}                                                {a}>
                       neuer Kontostand vom {to:02.01.2006}                 {close}>
`},
		{name: "es_extracto", bank: "Caja Rural de Ejemplo", currency: "EUR", shape: trading{texts: spanishTexts},
			money: german.ending(" €"), day: "02/01/2006", entries: 10,
			holder: party.name, note: "saldo anterior, cargos and abonos", body: `
Caja Rural de Ejemplo                                   Extracto de cuenta corriente
Oficina 0042 - Calle Mayor 3, Villamuestra              Periodo: {from:02/01/2006} - {to:02/01/2006}
Titular: {holder}                                       IBAN: {acct:ES00 0000 0000 #### #### ####}
Calle de la Prueba 8
28999 Villamuestra                                      Divisa: EUR

Saldo anterior                                          {open}>
Total abonos                                          {credits}>
Total cargos                                           {debits}>
Saldo final                                             {close}>

!Fecha        Concepto                                         Cargo>          Abono>          Saldo>
@rows {d}         {t}                                               {o}>            {i}>            {b}>
`},
		{name: "mx_estado", bank: "Banco Ejemplo del Golfo", currency: "MXN", shape: trading{texts: spanishTexts},
			money: american.with("$"), day: "02/01", entries: 9, entriesOff: true,
			holder: party.name, note: "estado de cuenta, depósitos and retiros, CLABE", body: `
#Banco Ejemplo del Golfo
Estado de cuenta                                          Periodo del {from:02/01/2006} al {to:02/01/2006}
{holder}                                                  No. de cuenta {acct:##########}
AV. DE LA PRUEBA 8                                        CLABE 000000000000000000
COL. CENTRO, CP 99999                                     Moneda: Pesos (MXN)

!Resumen
Saldo inicial              {open}>
Depósitos (+)                {in}>
Retiros (-)                 {out}>
Saldo final               {close}>

!Fecha      Descripción                                      Retiros>        Depósitos>        Saldo>
@rows {d}       {t}                                               {o}>            {i}>            {b}>
`},
		{name: "nl_afschrift", bank: "Polderbank N.V.", currency: "EUR", shape: trading{texts: dutchTexts},
			money: german, day: "02-01-2006", entries: 9, entriesOff: true,
			holder: party.name, note: "vorig and nieuw saldo, af and bij", body: `
Polderbank N.V.                                           Rekeningafschrift
{holder}                                                  Datum afschrift {issued:02-01-2006}
Voorbeeldlaan 8                                           Periode {from:02-01-2006} t/m {to:02-01-2006}
9999 ZZ Modelstad                                         IBAN {acct:NL00 EXMP #### #### ##}

!Vorig saldo            Totaal af              Totaal bij             Nieuw saldo
EUR {open}              {debits}               {credits}              EUR {close}

!Datum         Omschrijving                                       Af>             Bij>
@rows {d}          {t}                                               {o}>            {i}>
`},
		{name: "in_savings", bank: "Sahyadri Bank Ltd", currency: "INR", shape: trading{texts: indianTexts},
			money: american, day: "02/01/06", entries: 11, entriesOff: true,
			holder: func(p party) string { return "MR. " + p.first + " " + p.last }, note: "IFSC and branch block, narration, withdrawal and deposit columns, counts in a summary at the end", body: `
Sahyadri Bank Ltd                                            Account Branch : ANDHERI EAST
{holder}                                                     Address : 7 Sample Road, Mumbai 400099
FLAT 4 SAMPLE HEIGHTS                                        IFSC : EXMP0000042   MICR : 400000000
MUMBAI 400099                                                Account No : {acct:##############}
MAHARASHTRA INDIA                                            Account Type : {kind:SAVINGS ACCOUNT}

Statement From : {from:02/01/2006}   To : {to:02/01/2006}

!Date        Narration                              Chq./Ref.No.     Withdrawal Amt.>   Deposit Amt.>    Closing Balance>
@rows {d}        {t}                                                             {o}>            {i}>            {b}>

!STATEMENT SUMMARY :-
!Opening Balance       Dr Count       Cr Count       Debits           Credits          Closing Bal
{open}                 {ndebits}      {ncredits}     {debits}         {credits}        {close}
`},
		{name: "fr_releve", bank: "Crédit Modèle de l'Ouest", currency: "EUR", shape: trading{texts: frenchTexts},
			money: french, day: "02.01", entries: 10, entriesOff: true,
			holder: func(p party) string { return "MME " + p.first + " " + p.last }, note: "solde précédent and nouveau solde, débit and crédit, codes of the RIB", body: `
Crédit Modèle de l'Ouest
Agence de Ville-Modèle - 3 place du Marché                   RELEVÉ DE COMPTE N° 7
                                                             du {from:02/01/2006} au {to:02/01/2006}
                                                             {holder}
                                                             8 RUE DE L EXEMPLE
                                                             00999 VILLE MODELE

IBAN {acct:FR00 0000 0000 00## #### #### #00}

!Date       Valeur     Opérations                                    Débit EUR>      Crédit EUR>
                       SOLDE PRÉCÉDENT AU {before:02/01/2006}                           {open}>
@rows {d}       {d}        {t}                                             {o}>            {i}>
                       TOTAL DES MOUVEMENTS                            {debits}>       {credits}>
                       NOUVEAU SOLDE AU {to:02/01/2006}                                {close}>
`},
		{name: "world_card", bank: "Maple Card Bank", doc: dossier.DocCreditCardStatement, currency: "CAD",
			shape: trading{texts: personalTexts}, money: american.with("$"), day: "JAN 02", entries: 8,
			holder: party.name, note: "a Canadian card: total account balance, previous statement balance", body: `
#Maple Card Bank
{holder}                                            Account number {acct:4500 XXXX XXXX ####}
{street}                                            Statement from {from:Jan 02, 2006} to {to:Jan 02, 2006}
TORONTO ON  M4B 1B3

!PREVIOUS STATEMENT BALANCE          {previous}
Payments and credits                 {paid}
Purchases and debits                 {charged}
Cash advances                        $0.00
Interest                             $0.00
Fees                                 $0.00
!NEW BALANCE                         {new}
Minimum payment                      {least}
Payment due date                     {after:JAN 02, 2006}
Credit limit                         {limit}

!TRANSACTION   POSTING
!DATE          DATE          ACTIVITY DESCRIPTION                               AMOUNT ($)>
@ins {d}           {d}           {t}                                                   {v}>
`},
	}
}
