package specimen

import (
	"fmt"

	"github.com/dossierhq/dossier"
)

// americanExports are what banks and credit unions of the United States and Canada let people download.
func americanExports() []exportLayout {
	return []exportLayout{
		{name: "us_details_first", currency: "USD", silent: true, money: plain, date: "01/02/2006", newest: true,
			balances: true, loose: true,
			traps: []string{"rows end with one more comma than the header", "two columns say which way an entry goes"},
			body: func(b exportPaper) [][]string {
				return b.table([]string{"Details", "Posting Date", "Description", "Amount", "Type", "Balance",
					"Check or Slip #"}, func(p posting) []string {
					return []string{either(p, "DEBIT", "CREDIT"), b.day(p.date), p.text, b.money.print(p.amount),
						either(p, "ACH_DEBIT", "ACH_CREDIT"), b.money.print(p.balance), "", ""}
				})
			}},
		{name: "us_summary_above", currency: "USD", silent: true, money: american, date: "01/02/2006", balances: true,
			period: true,
			traps: []string{"a summary with a header of its own above the entries",
				"the first entry states the opening balance and has no amount"},
			body: func(b exportPaper) [][]string {
				in, _ := b.l.total(deposit)
				out, _ := b.l.total(withdrawal)
				from, to := b.day(b.start), b.day(b.end)
				head := [][]string{{"Description", "", "Summary Amt."}, {"Beginning balance as of " + from, "",
					b.money.print(b.l.opening)},
					{"Total credits", "", b.money.print(in)}, {"Total debits", "", b.money.print(-out)},
					{"Ending balance as of " + to, "", b.money.print(b.l.closing())}, {},
					{"Date", "Description", "Amount", "Running Bal."}, {from, "Beginning balance as of " + from, "",
						b.money.print(b.l.opening)}}
				return append(head, b.table(nil, func(p posting) []string {
					return []string{b.day(p.date), p.text, b.money.print(p.amount), b.money.print(p.balance)}
				})...)
			}},
		{name: "us_headless_star", currency: "USD", silent: true, money: plain, date: "01/02/2006", newest: true,
			traps: []string{"no header, a star in a column of its own"},
			body: func(b exportPaper) [][]string {
				return b.table(nil, func(p posting) []string {
					return []string{b.day(p.date), b.money.print(p.amount),
						"*", "", p.text}
				})
			}},
		{name: "us_credit_union", currency: "USD", silent: true, money: plain, date: "1/2/2006", newest: true,
			balances: true, number: true, loose: true, period: true,
			traps: []string{"preamble of single cells with a colon inside", "period in the preamble",
				"debits negative in a column of their own"},
			body: func(b exportPaper) [][]string {
				head := [][]string{{"Account Name : Regular Checking"}, {"Account Number : " + b.number},
					{"Date Range : " + b.start.Format("01/02/2006") + "-" + b.end.Format("01/02/2006")}}
				return append(head, b.table([]string{"Transaction Number", "Date", "Description", "Memo",
					"Amount Debit", "Amount Credit", "Balance", "Check Number", "Fees"}, func(p posting) []string {
					debit := ""
					if p.amount < 0 {
						debit = b.money.print(p.amount)
					}
					return []string{fmt.Sprintf("%s%07d", p.date.Format("20060102"), int(p.balance)%10_000_000),
						b.day(p.date), p.text, "", debit, b.in(p), b.money.print(p.balance), "", ""}
				})...)
			}},
		{name: "us_unsigned_type", currency: "USD", silent: true, money: plain, date: "01/02/06", newest: true,
			balances: true, number: true,
			traps: []string{"amounts without sign, the way in a column"},
			body: func(b exportPaper) [][]string {
				return b.table([]string{"Account Number", "Transaction Description", "Transaction Date",
					"Transaction Type", "Transaction Amount", "Balance"}, func(p posting) []string {
					return []string{b.number, p.text, b.day(p.date), either(p, "Debit", "Credit"), b.size(p),
						b.money.print(p.balance)}
				})
			}},
		{name: "us_headless_pipe", currency: "USD", silent: true, comma: '|', money: plain, date: "2006-01-02",
			balances: true, loose: true,
			traps: []string{"no header, DR and CR, pipes"},
			body: func(b exportPaper) [][]string {
				return b.table(nil, func(p posting) []string {
					return []string{b.day(p.date), p.text, either(p, "DR", "CR"), b.size(p), b.money.print(p.balance)}
				})
			}},
		{name: "us_footer_totals", currency: "USD", money: american.with("$").sign(parens), date: "Jan 2, 2006",
			balances: true, bank: "Tidewater Valley Bank", number: true,
			traps: []string{"totals below the entries", "withdrawals in parentheses", "title lines above"},
			body: func(b exportPaper) [][]string {
				in, _ := b.l.total(deposit)
				out, _ := b.l.total(withdrawal)
				rows := append([][]string{{"Tidewater Valley Bank"}, {"Account Activity"}, {"Account", b.number}, {}},
					b.table([]string{"Date", "Description", "Amount", "Balance"}, func(p posting) []string {
						return []string{b.day(p.date), p.text, b.money.print(p.amount), b.money.print(p.balance)}
					})...)
				return append(rows, []string{}, []string{"Total deposits", "", b.money.print(in)},
					[]string{"Total withdrawals", "", b.money.print(-out)})
			}},
		{name: "ca_headless", currency: "CAD", silent: true, money: plain, date: "01/02/2006", newest: true,
			balances: true,
			traps:    []string{"no header, debit, credit and balance in three columns"},
			body: func(b exportPaper) [][]string {
				return b.table(nil, func(p posting) []string {
					return []string{b.day(p.date), p.text, b.out(p), b.in(p), b.money.print(p.balance)}
				})
			}},
		{name: "ca_two_currencies", currency: "CAD", money: plain, date: "1/2/2006", number: true, loose: true,
			traps: []string{"a column for each currency", "the account's number beside a check number"},
			body: func(b exportPaper) [][]string {
				return b.table([]string{"Account Type", "Account Number", "Transaction Date", "Cheque Number",
					"Description 1", "Description 2", "CAD$", "USD$"}, func(p posting) []string {
					return []string{"Chequing", b.number, b.day(p.date), "", p.text, "", b.money.print(p.amount), ""}
				})
			}},
		{name: "us_card", docType: dossier.DocCreditCardStatement, currency: "USD", money: plain, date: "01/02/2006",
			traps: []string{"a card's export is no bank statement"},
			body: func(b exportPaper) [][]string {
				return b.table([]string{"Transaction Date", "Post Date", "Description", "Category", "Type", "Amount",
					"Memo"}, func(p posting) []string {
					return []string{b.day(p.date), b.day(p.date.AddDate(0, 0, 1)), p.text, "Shopping", either(p,
						"Sale", "Payment"), b.money.print(p.amount), ""}
				})
			}},
		{name: "us_broker", docType: dossier.DocBrokerageStatement, currency: "USD", money: plain, date: "01/02/2006",
			traps: []string{"a broker's export is no bank statement"},
			body: func(b exportPaper) [][]string {
				return b.table([]string{"Run Date", "Action", "Symbol", "Security Description", "Quantity",
					"Price ($)", "Commission ($)", "Fees ($)", "Amount ($)", "Settlement Date"},
					func(p posting) []string {
						return []string{b.day(p.date), either(p, "YOU BOUGHT", "YOU SOLD"), "XMPL",
							"EXAMPLE INDUSTRIES INC", "12", "41.17", "", "", b.money.print(p.amount),
							b.day(p.date.AddDate(0, 0, 2))}
					})
			}},
	}
}

// britishExports are those of the United Kingdom and Ireland.
func britishExports() []exportLayout {
	return []exportLayout{
		{name: "uk_sort_code", currency: "GBP", money: plain, date: "02/01/2006", newest: true, balances: true,
			number: true, digits: 8, texts: britishTexts,
			traps: []string{"day first", "sort code and number in every row", "an apostrophe before the sort code"},
			body: func(b exportPaper) [][]string {
				return b.table([]string{"Transaction Date", "Transaction Type", "Sort Code", "Account Number",
					"Transaction Description", "Debit Amount", "Credit Amount", "Balance"}, func(p posting) []string {
					return []string{b.day(p.date), either(p, "DEB", "FPI"), "'30-99-50", b.number, p.text, b.out(p),
						b.in(p), b.money.print(p.balance)}
				})
			}},
		{name: "uk_headless", currency: "GBP", silent: true, money: american, date: "02/01/2006", newest: true,
			texts: britishTexts,
			traps: []string{"no header and three columns, day first"},
			body: func(b exportPaper) [][]string {
				return b.table(nil, func(p posting) []string {
					return []string{b.day(p.date), p.text,
						b.money.print(p.amount)}
				})
			}},
		{name: "uk_society", account: "****12345", currency: "GBP", money: plain.with("£"), date: "02 Jan 2006",
			newest: true, balances: true, charset: "latin1", texts: britishTexts, loose: true,
			traps: []string{"key,value preamble with the balance of today", "pounds in Latin-1"},
			body: func(b exportPaper) [][]string {
				head := [][]string{{"Account Name:", "Current Account ****12345"}, {"Account Balance: ",
					b.money.print(b.l.closing())}, {"Available Balance: ", b.money.print(b.l.closing() + 50_000)}, {}}
				return append(head, b.table([]string{"Date", "Transaction type", "Description", "Paid out", "Paid in",
					"Balance"}, func(p posting) []string {
					return []string{b.day(p.date), either(p, "Direct debit", "Bank credit"), p.text, b.out(p),
						b.in(p), b.money.print(p.balance)}
				})...)
			}},
		{name: "uk_app", currency: "GBP", money: plain, date: "02/01/2006", texts: britishTexts, loose: true,
			traps: []string{"amount, local amount and money in and out side by side", "no balance"},
			body: func(b exportPaper) [][]string {
				header := []string{"Transaction ID", "Date", "Time", "Type", "Name", "Emoji", "Category", "Amount",
					"Currency", "Local amount", "Local currency", "Notes and #tags", "Address", "Receipt",
					"Description", "Category split", "Money Out", "Money In"}
				return b.table(header, func(p posting) []string {
					out := ""
					if p.amount < 0 {
						out = b.money.print(p.amount)
					}
					return []string{fmt.Sprintf("tx_0000A%d", int(p.balance)), b.day(p.date), "11:42:07", either(p,
						"Card payment", "Faster payment"), p.text, "", "General", b.money.print(p.amount), "GBP",
						b.money.print(p.amount), "GBP", "", "", "", p.text, "", out, b.in(p)}
				})
			}},
		{name: "uk_balance_only_last", currency: "GBP", money: plain, date: "02/01/2006", texts: britishTexts,
			balances: true, loose: true,
			traps: []string{"currency in the captions", "several entries a day, the balance once a day"},
			body: func(b exportPaper) [][]string {
				last := map[string]int{}
				for i, p := range b.postings {
					last[iso(p.date)] = i
				}
				n := -1
				return b.table([]string{"Date", "Counter Party", "Reference", "Type", "Amount (GBP)", "Balance (GBP)",
					"Spending Category", "Notes"}, func(p posting) []string {
					n++
					balance := ""
					if last[iso(p.date)] == n {
						balance = b.money.print(p.balance)
					}
					return []string{b.day(p.date), p.text, "REF", either(p, "DIRECT DEBIT", "FASTER PAYMENT"),
						b.money.print(p.amount), balance, "GENERAL", ""}
				})
			}},
	}
}
