package specimen

var portugueseTexts = phrases{
	in:  []string{"Transferência recebida %n", "Ordenado Empresa Exemplo", "Depósito numerário"},
	out: []string{"Compra Supermercado %4", "Renda de casa", "Levantamento %4", "Débito direto Energia %s"},
}

// pagedSheets are statements whose lists run over pages, or that say of their balances only where they stand.
func pagedSheets() []bankSheet {
	return []bankSheet{
		{name: "uk_carried_pages", bank: "Solway & Border Bank plc", currency: "GBP", entries: 80,
			shape: trading{texts: britishTexts}, money: american, day: "02 Jan 06",
			carried: "            BALANCE CARRIED FORWARD                                                               {b}>",
			brought: "            BALANCE BROUGHT FORWARD                                                               {b}>",
			note:    "a list over three pages, each of which carries its balance to the next", body: `
#Solway & Border Bank plc
{holder}                                                           Your statement
14 LANTERN ROW                                                     {from:2 January 2006} to {to:2 January 2006}
LITTLE MALVERN                                                     Sort code 00-11-22
WR14 4XX                                                           Account number {acct:########}

!Account summary
Opening balance                {open}>
Payments in                      {in}>
Payments out                    {out}>
Closing balance               {close}>

!Date        Payment type and details                            Paid out>        Paid in>        Balance>
{from:02 Jan 06}   BALANCE BROUGHT FORWARD                                                        {open}>
@rows {D}         {t}                                                  {o}>             {i}>            {B}>
{to:02 Jan 06}   BALANCE CARRIED FORWARD                                                        {close}>
`},
		{name: "fr_solde_debiteur", bank: "Banque de la Vallée", currency: "EUR", entries: 9, sunk: 600_000_00,
			shape: trading{texts: frenchTexts, overdraft: true}, money: french, day: "02.01", entriesOff: true,
			holder: func(p party) string { return "M. " + p.first + " " + p.last },
			note:   "an overdrawn account without signs: its balances stand in the column of money out", body: `
Banque de la Vallée                                          RELEVÉ DE COMPTE COURANT
12 place du Pont, 00999 VALLÉE                               du {from:02.01.2006} au {to:02.01.2006}

                                                             {holder}
                                                             4 RUE DE L EXEMPLE
                                                             00999 VALLÉE

IBAN {acct:FR00 0000 0000 00## #### #### #00}

!Date       Libellé                                         Débit EUR>      Crédit EUR>
            ANCIEN SOLDE                                   {size.open}>
@rows {d}       {t}                                             {o}>            {i}>
            TOTAUX                                             {debits}>       {credits}>
            NOUVEAU SOLDE                                 {size.close}>
`},
		{name: "us_sections_only", bank: "First Juniper Bank", currency: "USD", entries: 14,
			shape: trading{texts: personalTexts}, money: american.with("$"), day: "01/02",
			note: "deposits and withdrawals in sections with their totals, no balance anywhere", body: `
#First Juniper Bank
PO Box 4100, Juniper Flats, NE 68899                         Statement Period
                                                             {from:January 2, 2006} through {to:January 2, 2006}
{holder}                                                     Account Number: {acct:############}
{street}
{city}

!DEPOSITS AND ADDITIONS
!DATE      DESCRIPTION                                            AMOUNT>
@ins {d}        {t}                                                    {v}>
!Total Deposits and Additions                                       {in}>

!ELECTRONIC WITHDRAWALS
!DATE      DESCRIPTION                                            AMOUNT>
@outs {d}       {t}                                                    {v}>
!Total Electronic Withdrawals                                      {out}>

Member FDIC
`},
		{name: "us_overview_total_deposits", bank: "Millrace Community Credit Union", currency: "USD", accounts: 2,
			shape: trading{texts: personalTexts, interest: true}, money: american, day: "01/02", entries: 6,
			entriesOff: true, note: "an overview whose last line is called after deposits and sums balances", body: `
MILLRACE COMMUNITY CREDIT UNION                                     Member Number: XXXX5210
PO Box 8, Millrace, PA 16599                                        Statement Period {from:01/02/06} to {to:01/02/06}

        {holder}
        {street}
        {city}

!SUMMARY OF ACCOUNTS
!Account                                 Beginning Balance>     Ending Balance>
{1.kind:Share Savings}                            {1.open}>           {1.close}>
{2.kind:Share Draft Checking}                     {2.open}>           {2.close}>
Total Deposits                                  {all.open}>         {all.close}>

!Share Savings   {1.acct:########}
!Date     Description                                            Amount>         Balance>
{from:01/02}     Beginning Balance                                              {1.open}>
@rows {d}     {t}                                                    {a}>             {b}>
{to:01/02}     Ending Balance                                                 {1.close}>

@account 2
!Share Draft Checking   {2.acct:########}
!Date     Description                                            Amount>         Balance>
{from:01/02}     Beginning Balance                                              {2.open}>
@rows {d}     {t}                                                    {a}>             {b}>
{to:01/02}     Ending Balance                                                 {2.close}>

Federally insured by NCUA
`},
		{name: "pt_extrato", bank: "Banco Modelo do Tejo", currency: "EUR", entries: 9,
			shape: trading{texts: portugueseTexts}, money: german, day: "02-01", entriesOff: true,
			holder: party.name, note: "Portuguese: saldo inicial and saldo final among the entries, no summary", body: `
#Banco Modelo do Tejo
                                                           EXTRATO DE CONTA À ORDEM
{holder}                                                   Período {from:2006-01-02} a {to:2006-01-02}
Rua do Exemplo 8                                           Moeda EUR
9999-999 MODELO                                            IBAN {acct:PT50 9999 0000 #### #### #### 0}

!Data mov.   Data valor   Descrição                          Débito>        Crédito>          Saldo>
                          SALDO INICIAL                                                    {open}>
@rows {d}         {d}          {t}                              {o}>            {i}>            {b}>
                          SALDO FINAL                                                     {close}>
`},
	}
}
