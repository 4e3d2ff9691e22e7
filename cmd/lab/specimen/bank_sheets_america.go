package specimen

import "github.com/dossierhq/dossier"

// americanSheets are statements as banks and credit unions of the United States lay them out; the banks are invented.
func americanSheets() []bankSheet {
	busy := trading{checks: true, fees: true, interest: true, texts: personalTexts}
	return []bankSheet{
		{name: "us_window_envelope", bank: "Tidewater Commerce Bank", currency: "USD",
			shape: trading{texts: personalTexts}, money: american.with("$"), day: "01/02", entries: 12,
			note: "the bank's return address above, the holder in the window, counts before the amounts", body: `
#Tidewater Commerce Bank
P.O. Box 4410
Harrowgate, PA 19699-4410
                                                             Statement Period: {from:01/02/2006} - {to:01/02/2006}
RETURN SERVICE REQUESTED                                     Account Number: {acct:##########}
                                                             Page 1 of 2
00004411 01 AB 0.531 **AUTO T3 0 1234
{holder}
{street}
{city}

                                                             Questions? Call 1-800-555-0142
                                                             www.tidewatercommerce.example
!Account Summary
Beginning Balance on {from:January 2, 2006}                     {open}>
{nin} Deposits and Other Credits                                {in}>
{nout} Withdrawals and Other Debits                             {out}>
Ending Balance on {to:January 2, 2006}                          {close}>

!Transactions
!Date     Description                                    Withdrawals>      Deposits>      Balance>
@rows     {d}   {t}                                             {o}>           {i}>           {b}>

Member FDIC   Equal Housing Lender
`},
		{name: "us_counts_stacked", bank: "First Granite Bank", currency: "USD", business: true,
			shape: trading{texts: businessTexts, checks: true, fees: true}, money: american, day: "01/02/06",
			entries: 18,
			note:    "counts in a column of their own between caption and amount", body: `
FIRST GRANITE BANK, N.A.                                                STATEMENT OF ACCOUNT
200 Main Street                                                         Account No.  {acct:####-####-##}
Granite Bay Junction, NH 03099                                          Statement Dates  {from:01/02/06} thru {to:01/02/06}

     {holder}
     ATTN ACCOUNTS PAYABLE
     {street}
     {city}

!SUMMARY OF ACTIVITY                                Number>             Amount>
Previous Balance                                                          {open}>
Deposits                                              {nin}>              {in}>
Checks Paid                                       {nchecks}>          {checks}>
Other Withdrawals                                    {nout}>             {out}>
Service Charges                                                         {fees}>
Current Balance                                                          {close}>

!DEPOSITS
!DATE      DESCRIPTION                                             AMOUNT>
@ins  {d}       {t}                                                     {i}>

!WITHDRAWALS, CHECKS AND CHARGES
!DATE      DESCRIPTION                                             AMOUNT>
@outs {d}       {t}                                                     {o}>

FDIC INSURED - Backed by the full faith and credit of the U.S. Government
`, entriesOff: true},
		{name: "us_list_without_columns", bank: "Copperline Bank", currency: "USD",
			shape: trading{texts: personalTexts}, money: american.with("$"), day: "Jan 2", entries: 10,
			note: "no ruled columns, signed amounts, institution only at the foot", body: `
Account statement                                              {from:January 2, 2006} to {to:January 2, 2006}
{holder}
{street}
{city}
Checking account ending in {acct:####}

Starting balance  {open}
Money in  {in}
Money out  {-out}
Ending balance  {close}

@rows {d}          {t}                                                {a}>              {b}>

Deposits are held at Copperline Bank, Member FDIC, and are insured up to the limits that the law sets for each depositor and bank.
`},
		{name: "us_combined_two", bank: "Lakehouse Savings Bank", currency: "USD", accounts: 2,
			shape: trading{texts: personalTexts, interest: true}, money: american.with("$"), day: "01-02", entries: 7,
			entriesOff: true, note: "two accounts, an overview and a section for each", body: `
#Lakehouse Savings Bank
1 Harbor Plaza, Larkfield, CO 80699
{holder}                                                             Combined Statement
{street}                                                             Statement Period
{city}                                                               {from:01/02/2006} through {to:01/02/2006}

!Deposit Account Summary
!Account                        Account Number        Beginning Balance>        Ending Balance>
{1.kind:Everyday Checking}      {1.acct:########}          {1.open}>                {1.close}>
{2.kind:Harbor Savings}         {2.acct:########}          {2.open}>                {2.close}>
Total                                                   {all.open}>               {all.close}>

!Everyday Checking   {1.acct:########}
Beginning balance {from:01/02/2006}                                      {1.open}>
Deposits and credits                                                  {1.credits}>
Withdrawals and debits                                                 {1.debits}>
Ending balance {to:01/02/2006}                                          {1.close}>
!Date     Description                                                Amount>       Balance>
@rows     {d}   {t}                                                       {a}>           {b}>

!Harbor Savings   {2.acct:########}
@account 2
Beginning balance {from:01/02/2006}                                      {2.open}>
Deposits and credits                                                  {2.credits}>
Withdrawals and debits                                                 {2.debits}>
Ending balance {to:01/02/2006}                                          {2.close}>
!Date     Description                                                Amount>       Balance>
@rows     {d}   {t}                                                       {a}>           {b}>

Member FDIC
`},
		{name: "us_credit_union_shares", bank: "Millstone Federal Credit Union", currency: "USD", accounts: 2,
			shape: trading{texts: personalTexts, interest: true}, money: american, day: "01/02", entries: 5,
			entriesOff: true, note: "one member number and a suffix for each share, each with its balances, dividends, no overview", body: `
MILLSTONE FEDERAL CREDIT UNION                                      Member Number: XXXX4417
PO Box 77, Millstone Falls, NC 27899                                Statement Period {from:01/02/06} to {to:01/02/06}

        {holder}
        {street}
        {city}

!ACCOUNT {1.acct:0044170-S00##}  {1.kind:REGULAR SHARE SAVINGS}
!Post   Eff    Transaction Description                            Amount>      New Balance>
{from:01/02}          Beginning Balance                                             {1.open}>
@rows   {d}    {d}    {t}                                               {a}>           {b}>
{to:01/02}          Ending Balance                                                {1.close}>

@account 2
!ACCOUNT {2.acct:0044170-S00##}  {2.kind:SHARE DRAFT CHECKING}
!Post   Eff    Transaction Description                            Amount>      New Balance>
{from:01/02}          Beginning Balance                                             {2.open}>
@rows   {d}    {d}    {t}                                               {a}>           {b}>
{to:01/02}          Ending Balance                                                {2.close}>

Federally insured by NCUA
`},
		{name: "us_overdrawn_minus", bank: "Quarry Hill National Bank", currency: "USD", sunk: 15_000_00,
			shape: trading{texts: personalTexts, overdraft: true, fees: true}, money: american.sign(minusLast),
			day: "01/02", entries: 11,
			note: "overdrawn from the first day to the last, minus behind", body: `
Quarry Hill National Bank
Date {to:01/02/06}      Page 1
Account Number {acct:#######}

{holder}
{street}
{city}

!CHECKING ACCOUNTS
{kind:REGULAR CHECKING}                              Number of Enclosures                   0
Account Number  {acct:#######}                       Statement Dates   {from:1/02/06} thru  {to:1/02/06}
Previous Balance              {open}>                Days in the statement period          30
{nin} Deposits/Credits        {in}>                  Average Ledger           100.00-
{nout} Checks/Debits          {out}>                 Average Collected        100.00-
Service Charge                {fees}>
Interest Paid                    .00>
Ending Balance               {close}>

!Activity in Date Order
!Date     Description                                       Amount>         Balance>
@rows     {d}   {t}                                             {a}>             {b}>
`},
		{name: "us_overdrawn_parens", bank: "Bellweather Bank", currency: "USD", business: true, sunk: 900_000_00,
			shape: trading{texts: businessTexts, overdraft: true}, money: american.with("$").sign(parens),
			day: "2006-01-02", entries: 13,
			note: "an overdrawn account in parentheses, tiles of captions over amounts", body: `
#bellweather
{holder}                                                    Business checking statement
{street}                                                    Account {acct:••••####}
{city}

!Opening balance          Total credits            Total debits             Closing balance
{open}                    {credits}                {-debits}                {close}
{from:Jan 2, 2006}                                                          {to:Jan 2, 2006}

!Posted         Details                                             Debit>         Credit>        Balance>
@rows {d}       {t}                                                   {o}>            {i}>            {b}>

Bellweather Bank, Member FDIC. help@bellweather.example
`},
		{name: "us_care_of_two_holders", bank: "Stonehollow Trust Company", currency: "USD", shape: busy,
			money: american, day: "01/02", entries: 9,
			holder: func(p party) string { return p.first + " " + p.last }, note: "a care-of line and a joint holder under the first", entriesOff: true, body: `
Stonehollow Trust Company
Stonehollow Branch
18 Elmhurst Avenue
Stonehollow, MI 48099

                                              {holder}
                                              WENDELL P YARROW
                                              C/O PEMBERLY AND SONS
                                              {street}
                                              {city}

Statement of account for {from:01/02/2006} - {to:01/02/2006}            Account: {acct:##-######-#}

BALANCE LAST STATEMENT        {open}>
{ncredits} CREDITS            {credits}>
{ndebits} DEBITS              {debits}>
BALANCE THIS STATEMENT        {close}>

!DATE     TRANSACTION                                      CREDITS>         DEBITS>        BALANCE>
@rows {d}      {t}                                             {i}>            {o}>            {b}>
`},
		{name: "us_credit_card", bank: "Lantern Card Services", doc: dossier.DocCreditCardStatement, currency: "USD",
			shape: trading{texts: personalTexts}, money: american.with("$"), day: "01/02", entries: 9,
			holder: party.name, note: "a card: previous and new balance, payments, purchases, credit limit", body: `
#Lantern Card Services
{holder}                                             Account number {acct:XXXX XXXX XXXX ####}
                                                     Opening/Closing Date {from:01/02/06} - {to:01/02/06}
New Balance                         {new}
Minimum Payment Due                 {least}
Payment Due Date                    {after:01/02/06}

!ACCOUNT SUMMARY
Previous Balance                                   {previous}>
Payment, Credits                                   {paid}>
Purchases                                          +{charged}>
Cash Advances                                         $0.00>
Fees Charged                                          $0.00>
Interest Charged                                      $0.00>
New Balance                                        {new}>
Credit Access Line                                 {limit}>

Late Payment Warning: If we do not receive your minimum payment by the date listed above, you may have to pay a late fee.

!Date of Transaction    Merchant Name or Transaction Description       $ Amount>
@ins {d}                {t}                                                 {v}>

2024 Totals Year-to-Date       Total fees charged  $0.00
`},
		{name: "us_credit_card_statement_balance", bank: "Harborlight Bank", doc: dossier.DocCreditCardStatement,
			currency: "USD", shape: trading{texts: personalTexts}, money: american.with("$"), day: "Jan 2", entries: 7,
			holder: party.name, note: "a card's statement balance, captions over amounts, bank only in the foot", body: `
Credit Card Statement                                         Page 1 of 2
{holder}                                                      Card number: {acct:XXXX XXXX XXXX ####}
{street}                                                      Billing period: {from:Jan 2, 2006} to {to:Jan 2, 2006}
{city}

!Statement balance          Minimum payment due        Payment due date
{new}                       {least}                    {after:Jan 2, 2006}

!Summary of account activity
Previous statement balance      {previous}>
Payments and other credits      {paid}>
Purchases and adjustments       {charged}>
Fees                                $0.00>
Interest charges                    $0.00>
Statement balance               {new}>
Credit limit                    {limit}>

!Transactions
@ins  {d}    {d}    {t}                                        {v}>

Cards are issued by Harborlight Bank, Member FDIC, under a licence.
`},
		{name: "us_quarterly_letter", doc: dossier.DocOther, bank: "", shape: trading{texts: personalTexts}, money: american, note: "a guide to statements: figures explained", body: `
#How to read your bank statement
A sample statement is shown below. Yours may look different.
1  Your name and address                2  Statement period
{holder}                                Statement period {from:01/02/2006} - {to:01/02/2006}
{street}                                Account number {acct:XXXX####}
3  Account summary: where your money went this month
Beginning balance       {open}
Deposits and credits    {in}
Withdrawals             {out}
Ending balance          {close}
4  Check the ending balance against your own records. Tip: keep statements for at least seven years.
For illustrative purposes only. SAMPLE
`},
	}
}
