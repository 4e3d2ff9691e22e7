package specimen

// tiledSheets are statements whose summaries have forms of their own: figures above what they are, counts under heads of
// their own, one caption of two totals, charges that gather beside the balance.
func tiledSheets() []bankSheet {
	british := trading{texts: britishTexts}
	return []bankSheet{
		{name: "uk_tiles", bank: "Harebell Bank Limited", currency: "GBP", shape: british, money: american.with("£"),
			day: "02/01/2006", entries: 9,
			note: "figures above their captions, one tile below the other", body: `
Harebell Bank Limited
Current account statement                                    {close}
{from:02/01/2006} - {to:02/01/2006}                          Personal account balance

{holder}                                                     -{out}
14 LANTERN ROW                                               Total outgoings
LITTLE MALVERN                                               +{in}
WR14 4XX                                                     Total deposits
Sort code: 00-11-22
Account number: {acct:########}

!Date         Description                                        Amount>         Balance>
@rows {d}         {t}                                               {a}>             {b}>

Harebell Bank Limited is authorised by the Prudential Regulation Authority
`},
		{name: "za_tax_invoice", bank: "Protea Bank", currency: "ZAR", business: true, shape: trading{texts: businessTexts},
			money: american.sign(drcr), day: "02 Jan", entries: 12, entriesOff: true,
			note: "a statement that is a tax invoice too: CR and DR behind amounts, charges beside the balance", body: `
#Protea Bank
{holder}                                                     Business Account : {acct:###########}
{street}                                                     Tax Invoice/Statement Number : 41
DURBAN                                                       Statement Period : {from:2 January 2006} to {to:2 January 2006}
4001                                                         Statement Date : {issued:2 January 2006}

Opening Balance        {open}>
Closing Balance        {close}>

!Transactions in RAND (ZAR)
!Date      Description                                   Amount>          Balance>    Accrued Bank Charges>
@rows {d}       {t}                                         {a}>              {b}>                    3.68>

Protea Bank, an Authorised Financial Services and Credit Provider
`},
		{name: "in_dr_cr_counts", bank: "Kaveri Delta Bank Limited", currency: "INR", shape: trading{texts: indianTexts},
			money: american, day: "02/01/06", entries: 11, entriesOff: true,
			note: "a summary below the list, its counts under heads of their own", body: `
Kaveri Delta Bank Limited                                    Account Branch : BANER PUNE
{holder}                                                     Account No : {acct:##############}
FLAT 12 SAI KRUPA                                            Currency : INR
PUNE 411045                                                  IFSC : KVDB0000417
Statement From : {from:02/01/2006} To : {to:02/01/2006}

!Date        Narration                                Withdrawal Amt.>    Deposit Amt.>     Closing Balance>
@rows {d}         {t}                                            {o}>            {i}>                 {b}>

!STATEMENT SUMMARY :-
!Opening Balance>      Dr Count>      Cr Count>          Debits>         Credits>      Closing Bal>
          {open}>        {nout}>         {nin}>        {debits}>       {credits}>          {close}>
`},
		{name: "sg_paired_totals", bank: "Orchid Straits Banking Corporation", currency: "SGD", shape: british,
			money: american, day: "02 Jan", entries: 9,
			note: "one caption of two totals below the list, balances brought and carried forward", body: `
Orchid Straits Banking Corporation                           STATEMENT OF ACCOUNT
12 Marina Boulevard, Singapore 018982                        {from:2 Jan 2006} TO {to:2 Jan 2006}

{holder}
BLK 418 ANG MO KIO AVE 10
SINGAPORE 560418
                                                             Account No. {acct:###-######-###}

!Date       Description                                   Withdrawal>       Deposit>          Balance>
            BALANCE B/F                                                                        {open}>
@rows {d}        {t}                                              {o}>           {i}>              {b}>
            BALANCE C/F                                                                       {close}>
            Total Withdrawals/Deposits                          {out}>          {in}>
`},
	}
}
