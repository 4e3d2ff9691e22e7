package classify

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/bank"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
	"github.com/shopspring/decimal"
)

// What the lines of a deposit account's summary are about. Credits add to its balance, where those of a card or a loan
// take from what is owed: so an equation that foots tells them apart.
var (
	openingCaption = lazyregexp.New(`\b(?:beginning|previous|opening|starting|start|prior|last` +
		`|brought)\b.*\bbalance\b|\bbalance\b.*\b(?:last statement|forward|brought|as of)\b|^(?:previous|prior` +
		`|last) statement\b|^brought forward\b`)
	closingCaption = lazyregexp.New(`\b(?:ending|end|closing|new|current|present|final)\b.*\bbalance\b` +
		`|\bbalance\b.*\b(?:this statement|carried)\b|^(?:current|this) statement\b`)
	creditCaption = lazyregexp.New(`\b(?:deposits?|deposited|added|credits?|additions?|interest|paid in|money in` +
		`|incoming)\b`)
	debitCaption = lazyregexp.New(`\b(?:withdrawals?|withdrawn|deducted|debits?|checks?|drafts?|subtractions?` +
		`|deductions?|charges?|charged|fees?|payments?|purchases?|paid out|money out|outgoing|less)\b`)
	depositWord = lazyregexp.New(`\b(?:deposits?|additions?|withdrawals?|checks|drafts?|shares?)\b`)
)

// notDeposits matches what only the books of a company, wallets, card processors, brokers, plans and lenders print,
// whose own balances may foot as well.
var notDeposits = lazyregexp.New(`\b(?:` + strings.Join([]string{
	`vested`, `participant(?:s)?`, `employer contributions?`, `account value`, `investment (?:report|value)`,
	`market (?:value|appreciation)`, `change in (?:investment|market) value`, `unrealized`, `units`, `unit price`,
	`surrender value`,
	`reconciliation (?:report|detail|summary)`, `cleared (?:transactions|balance)`, `type date num name`,
	`register balance`, `reconciled (?:by|on)`, `uncleared`, `general ledger`, `trial balance`, `quickreport`,
	`opening balance equity`, `transaction type num`,
	`total payouts`, `net payouts?`, `chargebacks`, `net balance change`, `merchant account id`, `paypal id`,
	`venmo (?:balance|fees)`, `processing fees`, `interchange`,
	`how to read (?:your|a|the) (?:[a-z]+ ){0,2}statement`, `(?:for )?illustrative purposes(?: only)?`,
	`owner (?:statement|distributions?)`, `payoff amount`, `escrow`, `loan number`, `unpaid principal`,
	`outstanding principal`, `days past due`, `past due days`,
	`market gain(?: loss)?`, `loan (?:transaction )?(?:history|activity|statement)`, `borrowers?`,
}, "|") + `)\b`)

// aboutStatements matches the titles of pages that explain a statement and picture one.
var aboutStatements = lazyregexp.New(`\b(?:sample (?:bank |account )?statement|(?:understanding|reading) your ` +
	`(?:[a-z]+ ){0,3}statement|(?:guide to|walks? you through|tour of) (?:your|the|a) (?:[a-z]+ ){0,3}statement|` +
	`your (?:[a-z]+ ){0,3}statement explained|statement guide|guide pour lire|guia para leer)\b`)

// nonBankTitle is what the title of a page, or two of its captions, print that a bank does not; else empty. The words
// of an entry, and those below it, are what a payment was for.
func nonBankTitle(lines []text.Line, head int, style text.DecimalStyle) string {
	found, entry := "", false
	for i, l := range lines {
		if d := l.Dates(text.MonthFirst); len(d) > 0 && d[0].First <= 1 {
			entry = true
			continue
		}
		if entry = entry && len(figuresOn(l, style)) == 0; entry {
			continue
		}
		if g := notDeposits.FindString(text.Fold(l.Text())); g != "" {
			if i < head || found != "" && found != g {
				return g
			}
			found = g
		}
	}
	return ""
}

// walletIssuer matches the line at the top of a page that names the keeper of a wallet, or a card processor.
var walletIssuer = lazyregexp.New(`^(?:paypal|venmo|cash ?app|stripe|square|apple cash|google pay|toast|clover` +
	`|shopify|coinbase|robinhood|zelle|skrill|payoneer|amazon pay)(?: (?:inc|llc|account|business|statement` +
	`|activity|history|monthly|payments|capital|report|com|balance)){0,4}$`)

// weighDeposits adds what the summary of a deposit account says, or of what is none.
func weighDeposits(p text.Page, lines []text.Line, folded string, scores map[dossier.DocType]float64,
	add func(dossier.DocType, float64, string, ...any)) {
	if strings.Count(folded, "balance") < 2 && !text.HasWords(folded, "account value") {
		weighAbroad(p, lines, folded, unknown(scores), add)
		return
	}
	style := text.StyleOf([]text.Page{p})
	other := nonBankTitle(lines, headLines(lines, p), style)
	if other == "" && comparesYears(lines, style) {
		other = "a comparison of years"
	}
	if title := aboutStatements.FindString(foldedLines(lines[:headLines(lines, p)])); title != "" {
		add(dossier.DocBankStatement, -15-max(0, scores[dossier.DocBankStatement]), "%q explains a statement", title)
		return
	}
	for _, l := range lines[:min(5, len(lines))] {
		for _, head := range []string{l.Text(), l.Cells()[0].Text()} {
			if issuer := text.Fold(head); walletIssuer.MatchString(issuer) {
				other = issuer
			}
		}
	}
	switch foots := summaryFoots(lines, style) || columnsFoot(lines, style) || runsToClosing(lines, style); {
	case foots && other == "":
		// An overdraft line of credit prints what a card prints: the equation says that it is beside the account.
		add(dossier.DocBankStatement, 9+max(0, -scores[dossier.DocBankStatement]),
			"summary of a deposit account that foots p%d", p.Number)
		add(dossier.DocCreditCardStatement, -9, "summary of a deposit account")
	case other == "" && unknown(scores) && numberedAccount.MatchString(folded) && balancesRun(p, style):
		add(dossier.DocBankStatement, 6, "listed entries of an account lead from balance to balance p%d", p.Number)
	case other == "" && runsWithEntries(lines, style) && numberedAccount.MatchString(folded):
		add(dossier.DocBankStatement, 3, "running balance of a deposit account p%d", p.Number)
	case other != "":
		add(dossier.DocBankStatement, -15, "%q is no bank's", other)
	}
}

// comparesYears reports whether a balance is carried forward below a head of years alone, a column for each: a
// company's report does so with what its customers deposited, and no statement of an account.
func comparesYears(lines []text.Line, style text.DecimalStyle) bool {
	for i, l := range lines {
		if len(l.Tokens) < 2 || slices.ContainsFunc(l.Tokens, notYear) {
			continue
		}
		for _, below := range lines[i+1 : min(len(lines), i+9)] {
			if len(figuresOn(below, style)) >= len(l.Tokens) && openingCaption.MatchString(text.Fold(below.Text())) {
				return true
			}
		}
	}
	return false
}

func notYear(t text.Token) bool { return !bareYear.MatchString(t.Text) }

var bareYear = lazyregexp.New(`^(?:19|20)\d{2}$`)

// unknown reports whether no kind of document is likely yet.
func unknown(scores map[dossier.DocType]float64) bool {
	for _, s := range scores {
		if s >= sureness {
			return false
		}
	}
	return true
}

// balancesRun reports whether the entries of a page lead from one balance to the next.
func balancesRun(p text.Page, style text.DecimalStyle) bool {
	pages := []text.Page{p}
	whole, running := bank.ListFoots(text.Segment{Pages: pages, Style: style, Order: text.OrderOf(pages)})
	return whole || running
}

// balanceAbroad are words for a balance in the languages whose captions the reader of statements knows.
var balanceAbroad = lazyregexp.New(`\b(?:saldo|solde|kontostand|balance|bakiye|egyenleg|zustatek)\b`)

// weighAbroad reads a page as a statement whose words are of another language, or that has one head for its balances
// and no summary: what it lists leads from one balance to the other, and a number of an account is printed.
func weighAbroad(p text.Page, lines []text.Line, folded string, open bool,
	add func(dossier.DocType, float64, string, ...any)) {
	if p.Layer == text.LayerNative || !balanceAbroad.MatchString(folded) {
		return
	}
	pages := []text.Page{p}
	style, order := text.StyleOf(pages), text.OrderOf(pages)
	if nonBankTitle(lines, headLines(lines, p), style) != "" || len(bank.AccountNumbers(lines)) == 0 {
		return
	}
	switch whole, running := bank.ListFoots(text.Segment{Pages: pages, Style: style, Order: order}); {
	case whole && !text.HasWords(folded, "balance"):
		add(dossier.DocBankStatement, 9, "listed entries lead from one balance to the other p%d", p.Number)
		add(dossier.DocInvoice, -9, "entries of an account")
	case (whole || running) && open:
		add(dossier.DocBankStatement, 6, "entries of a numbered account lead from balance to balance p%d", p.Number)
	case whole, running:
		add(dossier.DocBankStatement, 3, "running balance of an account p%d", p.Number)
	}
}

// statementKey is the period of a page that says what the balance was before it: the next statement of the same account
// begins where another is printed. Empty for other pages.
func statementKey(lines []text.Line) string {
	style := text.StyleOf([]text.Page{{Tokens: bank.TokensOf(lines)}})
	opens := slices.ContainsFunc(lines, func(l text.Line) bool {
		_, ok := lastMoney(l, style)
		s := text.Fold(l.Text())
		return ok && (openingCaption.MatchString(s) || openingAbroad.MatchString(s))
	})
	if !opens {
		return ""
	}
	for _, l := range lines[:min(len(lines), 15)] {
		s := l.Text()
		if p := text.FindPeriods(s, text.MonthFirst); len(p) == 1 && periodNamed.MatchString(s) {
			return p[0].Start.String() + "/" + p[0].End.String()
		}
	}
	return ""
}

var (
	periodNamed = lazyregexp.New(`(?i)\bstatement (?:period|dates?|from)\b|\bfor the period\b|\bperiod covered\b` +
		`|\b(?:zeitraum|p[eé]riode|per[ií]odo|za okres|obdob[ií]|desde|periode)\b`)
	openingAbroad = lazyregexp.New(`\bsaldo (?:anterior|inicial|iniziale|poczatkowe|awal)\b` +
		`|\b(?:ancien|vorig|alter|oud) (?:solde|saldo)\b|\bsolde (?:precedent|initial|anterieur)\b` +
		`|\b(?:anfangssaldo|beginsaldo|startsaldo|ingaende saldo|pocatecni zustatek|devreden bakiye)\b`)
)

// headingBank is the bank whose name heads a page that also numbers an account, folded: two of them send no statement
// together. What OCR made of a name that is not known may be another's.
func headingBank(lines []text.Line) string {
	head := lines[:min(len(lines), 12)]
	style := text.StyleOf([]text.Page{{Tokens: bank.TokensOf(lines)}})
	if at := slices.IndexFunc(head, func(l text.Line) bool { return len(text.MoneyOn(l, style)) > 0 }); at >= 0 {
		head = head[:at]
	}
	numbers := bank.AccountNumbers(lines)
	if len(numbers) == 0 {
		return ""
	}
	name, tokens := "", []text.Token(nil)
	if len(head) > 0 {
		name, tokens = text.InstitutionOf(head, style)
	}
	if name == "" {
		name = text.BankOfIBAN(numbers[0].Text)
	}
	if name == "" {
		name, tokens = text.InstitutionOf(lines[max(0, len(lines)-6):], style)
	}
	if _, known := text.KnownInstitution(name); !known && len(tokens) > 0 && tokens[0].Method == text.MethodOCR {
		return ""
	}
	return text.Fold(name)
}

// isOtherBank reports whether two pages are headed by different banks.
func isOtherBank(a, b string) bool {
	return a != "" && b != "" && !strings.Contains(a, b) && !strings.Contains(b, a)
}

// lastMoney is the last figure of a line that looks like money.
func lastMoney(l text.Line, style text.DecimalStyle) (decimal.Decimal, bool) {
	amounts := figuresOn(l, style)
	if len(amounts) == 0 {
		return decimal.Decimal{}, false
	}
	return amounts[len(amounts)-1], true
}

// figuresOn are the figures of a line that look like money.
func figuresOn(l text.Line, style text.DecimalStyle) []decimal.Decimal {
	var found []decimal.Decimal
	row := text.Line{Tokens: slices.Clone(l.Tokens)}
	for i, t := range row.Tokens {
		if strings.HasPrefix(t.Text, "..") { // leader dots that touch the figure
			row.Tokens[i].Text = strings.TrimLeft(t.Text[:len(t.Text)-1], ".") + t.Text[len(t.Text)-1:]
		}
	}
	for _, m := range row.Amounts(style) {
		if m.Looks() && !m.Percent && !m.Dash {
			found = append(found, m.Value.Decimal)
		}
	}
	return found
}

// summaryFoots reports whether an opening balance, credits, debits and a closing balance stand below each other and
// make an equation.
func summaryFoots(lines []text.Line, style text.DecimalStyle) bool {
	for i, l := range lines {
		balance, ok := lastMoney(l, style)
		if !ok || !openingCaption.MatchString(text.Fold(l.Text())) {
			continue
		}
		credits, moved := false, false
		for _, below := range lines[i+1 : min(len(lines), i+15)] {
			v, ok := lastMoney(below, style)
			text := text.Fold(below.Text())
			switch {
			case !ok:
			case closingCaption.MatchString(text):
				if credits && moved && v.Equal(balance) {
					return true
				}
			case debitCaption.MatchString(text) && !strings.HasPrefix(text, "interest paid"):
				balance, moved = balance.Sub(v.Abs()), moved || !v.IsZero()
			case creditCaption.MatchString(text):
				balance, moved, credits = balance.Add(v.Abs()), moved || !v.IsZero(), true
			}
		}
	}
	return false
}

// columnsFoot is summaryFoots of a summary in one row below its captions.
func columnsFoot(lines []text.Line, style text.DecimalStyle) bool {
	for i, l := range lines {
		v := figuresOn(l, style)
		if len(v) < 4 || len(v) > 7 {
			continue
		}
		captions := foldedLines(lines[max(0, i-4):i])
		if strings.Count(captions, "balance") < 2 || text.HasWords(captions, "purchases") ||
			!depositWord.MatchString(captions) && !depositWays.MatchString(captions) {
			continue
		}
		if len(v) == 4 && !v[2].IsZero() && v[0].Sub(v[1].Abs()).Add(v[2].Abs()).Equal(v[3]) {
			return true // money out stands before money in
		}
		sum, credit := v[0].Add(v[1].Abs()), !v[1].IsZero()
		for _, debit := range v[2 : len(v)-1] {
			sum = sum.Sub(debit.Abs())
		}
		if credit && sum.Equal(v[len(v)-1]) {
			return true
		}
	}
	return false
}

// numberedAccount matches how banks number accounts; depositWays, what heads their columns of money in and out.
var (
	numberedAccount = lazyregexp.New(`\b(?:sort ?code|bsb|iban|bic|routing (?:number|no)|transit (?:number|no)` +
		`|account (?:number|no)|ifsc)\b`)
	depositWays = lazyregexp.New(`\b(?:deposits?|deposited|paid in|money in)\b.*\b(?:withdrawals?|withdrawn|paid ` +
		`out|money out)\b|\b(?:withdrawals?|withdrawn|paid out|money out)\b.*\b(?:deposits?|deposited|paid in|money ` +
		`in)\b`)
)

// runsWithEntries reports whether a running balance goes up or down with the amounts beside it, below heads of what was
// paid in and out of an account.
func runsWithEntries(lines []text.Line, style text.DecimalStyle) bool {
	headed, up, down := false, 0, 0
	var before *decimal.Decimal
	for _, l := range lines {
		v := figuresOn(l, style)
		if len(v) == 0 {
			headed = headed || depositWays.MatchString(text.Fold(l.Text()))
			continue
		}
		now := v[len(v)-1]
		if before != nil && len(v) >= 2 && headed {
			switch moved := v[len(v)-2].Abs(); {
			case before.Add(moved).Equal(now):
				up++
			case before.Sub(moved).Equal(now):
				down++
			}
		}
		before = &now
	}
	return up+down >= 2
}

// runsToClosing reports whether entries with a running balance lead from an opening balance to a closing one, on a page
// that speaks of deposits.
func runsToClosing(lines []text.Line, style text.DecimalStyle) bool {
	opened, steps := false, 0
	var balance decimal.Decimal
	for _, l := range lines {
		v := figuresOn(l, style)
		text := text.Fold(l.Text())
		if len(v) == 0 {
			continue
		}
		last := v[len(v)-1]
		switch {
		case openingCaption.MatchString(text):
			opened, steps, balance = true, 0, last
		case opened && closingCaption.MatchString(text):
			if steps >= 2 && last.Equal(balance) {
				return depositWord.MatchString(foldedLines(lines))
			}
		case opened && len(v) >= 2:
			moved := v[len(v)-2].Abs()
			if !balance.Add(moved).Equal(last) && !balance.Sub(moved).Equal(last) {
				opened = false
				continue
			}
			balance, steps = last, steps+1
		}
	}
	return false
}
