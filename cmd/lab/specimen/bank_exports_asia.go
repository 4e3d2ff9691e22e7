package specimen

import "fmt"

// pacificExports are those of India, Singapore, Australia and New Zealand.
func pacificExports() []exportLayout {
	return []exportLayout{
		{name: "in_star_rules", currency: "INR", silent: true, money: plain, date: "02/01/06", balances: true,
			loose: true,
			traps: []string{"lines of stars around the header",
				"a summary with captions above its figures below the entries"},
			body: func(b exportPaper) [][]string {
				stars := []string{"********", "********", "********", "********", "********", "********", "********"}
				in, ins := b.l.total(deposit)
				out, outs := b.l.total(withdrawal)
				rows := [][]string{{"Date", "Narration", "Chq./Ref.No.", "Value Dt", "Withdrawal Amt.",
					"Deposit Amt.", "Closing Balance"}, stars}
				rows = append(rows, b.table(nil, func(p posting) []string {
					return []string{b.day(p.date), p.text, fmt.Sprintf("%016d", int(p.balance)), b.day(p.date),
						b.out(p), b.in(p), b.money.print(p.balance)}
				})...)
				return append(rows, stars, []string{"STATEMENT SUMMARY :-"}, []string{"Opening Balance", "", "",
					"Dr Count", "Cr Count", "Debits", "Credits", "Closing Bal"},
					[]string{b.money.print(b.l.opening), "", "", fmt.Sprint(outs), fmt.Sprint(ins),
						b.money.print(out), b.money.print(in), b.money.print(b.l.closing())})
			}},
		{name: "in_workbook", ext: "xlsx", currency: "INR", money: american, date: "02-01-2006", balances: true,
			holder: true, period: true, loose: true,
			traps: []string{"preamble of pairs in two columns", "text dates, day first"},
			body: func(b exportPaper) [][]string {
				rows := [][]string{{"Account Name", b.holder.name()}, {"Address", "12 Example Nagar, Mumbai"},
					{"Account Description", "REGULAR SB CHQ-INDIVIDUALS"}, {"Branch", "EXAMPLE BRANCH"}, {"Currency",
						"INR"},
					{"IFS Code", "SBIN0000001"}, {"Start Date", b.start.Format("2 Jan 2006")}, {"End Date",
						b.end.Format("2 Jan 2006")}, {},
					{"Txn Date", "Value Date", "Description", "Ref No./Cheque No.", "        Debit", "Credit",
						"Balance"}}
				return append(rows, b.table(nil, func(p posting) []string {
					return []string{b.day(p.date), b.day(p.date), p.text, "TRANSFER", b.out(p), b.in(p),
						b.money.print(p.balance)}
				})...)
			}},
		{name: "sg_preamble", currency: "SGD", silent: true, money: plain, date: "02 Jan 2006", newest: true,
			closing: true, loose: true,
			traps: []string{"blank lines first", "a blank for an empty amount", "ragged rows"},
			body: func(b exportPaper) [][]string {
				head := [][]string{{}, {}, {"Account Details For:", "Example Savings Account XXX"},
					{"Statement as at:", b.day(b.end)}, {}, {"Available Balance:",
						b.money.print(b.l.closing() - 4_100)}, {"Ledger Balance:", b.money.print(b.l.closing())}, {}}
				return append(head, b.table([]string{"Transaction Date", "Reference", "Debit Amount", "Credit Amount",
					"Transaction Ref1", "Transaction Ref2", "Transaction Ref3"}, func(p posting) []string {
					return []string{b.day(p.date), "ICT", " " + b.out(p), " " + b.in(p), p.text, "", "", ""}
				})...)
			}},
		{name: "au_headless_plus", currency: "AUD", silent: true, money: plain, date: "02/01/2006", newest: true,
			balances: true,
			traps:    []string{"no header, a plus before what came in and before balances"},
			body: func(b exportPaper) [][]string {
				plus := func(c cents) string {
					if c < 0 {
						return b.money.print(c)
					}
					return "+" + b.money.print(c)
				}
				return b.table(nil, func(p posting) []string {
					return []string{b.day(p.date), plus(p.amount), p.text,
						plus(p.balance)}
				})
			}},
		{name: "au_blank_column", currency: "AUD", silent: true, money: plain, date: "02 Jan 06", newest: true,
			balances: true, number: true, loose: true,
			traps: []string{"a column without a name", "category and merchant behind"},
			body: func(b exportPaper) [][]string {
				return b.table([]string{"Date", "Amount", "Account Number", "", "Transaction Type",
					"Transaction Details", "Balance", "Category", "Merchant Name"}, func(p posting) []string {
					return []string{b.day(p.date), b.money.print(p.amount), b.number, "", either(p,
						"MISCELLANEOUS DEBIT", "TRANSFER CREDIT"), p.text, b.money.print(p.balance), "General", ""}
				})
			}},
		{name: "nz_sentences", account: "0123456-50", currency: "NZD", money: plain, date: "2006/01/02", newest: true,
			closing: true, period: true, loose: true,
			traps: []string{"preamble of sentences", "dates without separators in the preamble"},
			body: func(b exportPaper) [][]string {
				head := [][]string{{"Created date / time : " + b.end.Format("02 January 2006") + " / 10:21:33"},
					{"Bank 12; Branch 3053; Account 0123456-50 (Streamline)"}, {"From date " +
						b.start.Format("20060102")}, {"To date " + b.end.Format("20060102")},
					{"Avail Bal : " + b.money.print(b.l.closing()+20_000) + " as of " + b.end.Format("20060102")},
					{"Ledger Balance : " + b.money.print(b.l.closing()) + " as of " + b.end.Format("20060102")}}
				return append(head, b.table([]string{"Date", "Unique Id", "Tran Type", "Cheque Number", "Payee",
					"Memo", "Amount"}, func(p posting) []string {
					return []string{b.day(p.date), p.date.Format("20060102") + "01", either(p, "D/D", "D/C"), "",
						p.text, "", b.money.print(p.amount)}
				})...)
			}},
		{name: "au_balance_before", currency: "AUD", silent: true, money: plain, date: "02/01/2006", balances: true,
			traps: []string{"the balance before each entry"},
			body: func(b exportPaper) [][]string {
				return b.table([]string{"Date", "Narrative", "Debit Amount", "Credit Amount", "Balance"},
					func(p posting) []string {
						return []string{b.day(p.date), p.text, b.out(p), b.in(p), b.money.print(p.balance - p.amount)}
					})
			}},
	}
}
