package judge

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// quantity is a figure that rules set limits to. value returns the figure of a document, and false when the document
// does not show it.
type quantity struct {
	words   string // a pattern of the clause
	caption string
	value   func(dossier.ReadDocument) (derivedFigure, bool)
}

// quantities are tried in order: "total deposits" before "deposits", which counts them.
var quantities = []quantity{
	{`average (?:daily |ledger |account |monthly )*balance`, "average daily balance", averageBalance},
	{`(?:lowest|minimum|min)(?: daily| account)* balance`, "lowest balance", lowestBalance},
	{
		`(?:closing|ending|final|end|current|month end)(?: account| ledger| statement)* balance`,
		"closing balance",
		bankSum(
			func(b *dossier.BankFacts) *dossier.Amount { return b.ClosingBalance },
			func(a dossier.BankAccount) *dossier.Amount { return a.ClosingBalance },
		),
	},
	{
		`(?:opening|beginning|starting)(?: account| statement)* balance`,
		"opening balance",
		bankSum(
			func(b *dossier.BankFacts) *dossier.Amount { return b.OpeningBalance },
			func(a dossier.BankAccount) *dossier.Amount { return a.OpeningBalance },
		),
	},
	{
		`available balance`,
		"available balance",
		bankFact(func(b *dossier.BankFacts) *dossier.Amount { return b.AvailableBalance }),
	},
	{
		`(?:(?:total(?: amount)?(?: of)?|sum of|amount of|combined) (?:all )?(?:deposits|credits)(?: and (?:credits` +
			`|additions))?|deposits total|total incoming)`,
		"total of deposits",
		bankSum(
			func(b *dossier.BankFacts) *dossier.Amount { return orAmount(b.TotalDeposits, b.TotalCredits) },
			func(a dossier.BankAccount) *dossier.Amount { return a.Deposits },
		),
	},
	{
		`(?:(?:total(?: amount)?(?: of)?|sum of|amount of|combined) (?:all )?(?:withdrawals|debits)(?: and ` +
			`(?:debits|subtractions))?|withdrawals total)`,
		"total of withdrawals",
		bankSum(
			func(b *dossier.BankFacts) *dossier.Amount { return orAmount(b.TotalWithdrawals, b.TotalDebits) },
			func(a dossier.BankAccount) *dossier.Amount { return a.Withdrawals },
		),
	},
	{
		`(?:total )?(?:service |bank |monthly )?fees`,
		"service fees",
		bankFact(func(b *dossier.BankFacts) *dossier.Amount { return b.ServiceFees }),
	},
	{
		`(?:days with )?negative (?:balance )?days|days (?:with negative balance|overdrawn|negative)|overdrawn days`,
		"number of negative days",
		negativeDays,
	},
	{
		`nsfs?(?: (?:fees|items|charges|transactions|events))?|(?:overdraft|returned item|insufficient funds)(?: ` +
			`(?:fees|items|charges|events))?s?|overdrafts|(?:returned|bounced) (?:items|checks|payments)`,
		"number of NSF and overdraft entries",
		countNSF,
	},
	{
		`(?:number of )?deposits`,
		"number of deposits",
		bankCount(func(b *dossier.BankFacts) *int { return b.DepositCount }),
	},
	{
		`(?:number of )?withdrawals`,
		"number of withdrawals",
		bankCount(func(b *dossier.BankFacts) *int { return b.WithdrawalCount }),
	},
	{
		`(?:number of )?transactions`,
		"number of transactions",
		bankCount(func(b *dossier.BankFacts) *int { return b.Transactions }),
	},
	{
		`account balance|balance`,
		"closing balance",
		bankSum(
			func(b *dossier.BankFacts) *dossier.Amount { return b.ClosingBalance },
			func(a dossier.BankAccount) *dossier.Amount { return a.ClosingBalance },
		),
	},

	{
		`adjusted gross income|agi`,
		"adjusted gross income",
		taxFact(func(t *dossier.TaxFacts) *dossier.Amount { return t.AdjustedGrossIncome }),
	},
	{
		`gross (?:receipts(?: or sales)?|sales)`,
		"gross receipts",
		taxFact(func(t *dossier.TaxFacts) *dossier.Amount { return t.GrossReceipts }),
	},
	{`taxable income`, "taxable income", taxFact(func(t *dossier.TaxFacts) *dossier.Amount { return t.TaxableIncome })},
	{`total income`, "total income", taxFact(func(t *dossier.TaxFacts) *dossier.Amount { return t.TotalIncome })},
	{
		`ordinary business income`,
		"ordinary business income",
		taxFact(func(t *dossier.TaxFacts) *dossier.Amount { return t.OrdinaryBusinessIncome }),
	},
	{`total tax`, "total tax", taxFact(func(t *dossier.TaxFacts) *dossier.Amount { return t.TotalTax })},
	{
		`(?:total |net |annual |gross )*(?:revenues?|sales)`,
		"revenue",
		statementOrTax(
			"incomeStatement",
			[]string{"netRevenues", "grossRevenues"},
			func(t *dossier.TaxFacts) *dossier.Amount {
				return orAmount(t.NetRevenues, orAmount(t.GrossReceipts, t.TotalRevenue))
			},
		),
	},
	{
		`gross profit`,
		"gross profit",
		statementOrTax(
			"incomeStatement",
			[]string{"grossProfit"},
			func(t *dossier.TaxFacts) *dossier.Amount { return t.GrossProfit },
		),
	},
	{
		`net (?:income|profit|earnings)`,
		"net income",
		statementOrTax(
			"incomeStatement",
			[]string{"netIncome"},
			func(t *dossier.TaxFacts) *dossier.Amount { return orAmount(t.NetProfit, t.OrdinaryBusinessIncome) },
		),
	},
	{
		`total assets`,
		"total assets",
		statementOrTax(
			"balanceSheet",
			[]string{"totalAssets"},
			func(t *dossier.TaxFacts) *dossier.Amount { return t.TotalAssets },
		),
	},
	{
		`total liabilities`,
		"total liabilities",
		statementOrTax(
			"balanceSheet",
			[]string{"totalLiabilities"},
			func(t *dossier.TaxFacts) *dossier.Amount { return t.TotalLiabilities },
		),
	},
	{
		`(?:total )?(?:owners |shareholders |stockholders )?equity|net worth`,
		"total equity",
		statementOrTax("balanceSheet", []string{"totalEquity"}, func(*dossier.TaxFacts) *dossier.Amount { return nil }),
	},
	{
		`cash(?: and cash equivalents)?`,
		"cash",
		statementOrTax("balanceSheet", []string{"cash"}, func(*dossier.TaxFacts) *dossier.Amount { return nil }),
	},

	{`net pay`, "net pay", otherFact("netPay")},
	{`(?:gross pay|gross earnings|total earnings)`, "total earnings", otherFact("totalEarnings")},
	{`wages`, "wages", otherFact("wages")},
	{`(?:portfolio|account) value`, "portfolio value", otherFact("portfolioValue")},
	{
		`(?:invoice |bill |receipt )?(?:total(?: amount)?|amount(?: due)?|balance due)`,
		"total",
		otherFact("total", "amountDue", "currentBalanceDue"),
	},
}

const figure = `(?:usd |\$ ?)?(?P<%s>\d+(?:\.\d+)?)(?P<%sscale>k|m| ?thousand| ?million)?(?: (?:usd|us dollars` +
	`|dollars|percent of))?`

var (
	anyQuantity = allQuantities()
	quantityIs  = anchored(len(quantities), func(i int) string { return quantities[i].words })
	upperSuffix = lazyregexp.New(`less|lower|below|fewer|under`)
	operators   = []struct {
		pattern *lazyregexp.Regexp
		op      string
	}{
		{lazyregexp.New(`^(?:` + atLeast + `)$`), ">="}, {lazyregexp.New(`^(?:` + atMost + `)$`), "<="},
		{lazyregexp.New(`^(?:` + above + `)$`), ">"}, {lazyregexp.New(`^(?:` + below + `)$`), "<"},
	}
	atLeast = `at least|no less than|not less than|not below|not under|not lower than|minimum of|minimum|min` +
		`|greater than or equal to|>=|(?:not|never) (?:falls?|drops?|goes?|dips?|is) (?:below|under)|stays above or at`
	above  = `more than|over|above|exceeds?|in excess of|greater than|higher than|larger than|>`
	atMost = `at most|no more than|not more than|not above|not over|not exceeds?|not higher than|maximum of` +
		`|maximum|max|less than or equal to|<=|up to`
	below      = `less than|under|below|lower than|smaller than|fewer than|<`
	compare    = `(?P<cmp>` + atLeast + `|` + atMost + `|` + above + `|` + below + `|exactly|equal to|equals)`
	figureA    = fmt.Sprintf(figure, "a", "a")
	figureB    = fmt.Sprintf(figure, "b", "b")
	orMore     = `(?P<suffix> (?:or|and) (?:more|higher|greater|above|up|less|lower|below|fewer|under))?`
	limitAfter = lazyregexp.New(
		`\b(?P<q>` + anyQuantity + `)(?: (?:is|of|has|shows|for period|stays|remains|at|total|totals|amount))* ` +
			compare + ` ` + figureA + orMore,
	)
	limitPlain  = lazyregexp.New(`\b(?P<q>` + anyQuantity + `)(?: (?:is|of))+ ` + figureA + orMore)
	limitBefore = lazyregexp.New(
		`\b` + compare + ` ` + figureA + orMore + `(?: (?:in|of|for|as))? (?P<q>` + anyQuantity + `)`,
	)
	limitRange = lazyregexp.New(
		`\b(?P<q>` + anyQuantity + `)(?: (?:is|of))* (?:between|from) ` + figureA + ` (?:and|to) ` + figureB,
	)
	signOf = lazyregexp.New(
		`\b(?P<q>` + anyQuantity + `)(?: (?:is|not|never|stays|remains|goes|go|falls|fall|drops|drop|has|ever|at ` +
			`all times|always))* (?P<sign>positive|negative|below (?:zero|0)|above (?:zero|0)|overdrawn)`,
	)
	noneOf = lazyregexp.New(
		`\b(?P<no>no|not|without|free of|0|zero) (?:has |shows |contains |includes |any )*(?P<q>` + anyQuantity + `)`,
	)
	noNegatives = lazyregexp.New(
		`\b(?:negative (?:account |daily |running )*balances?|overdrawn(?: balances?)?|goes? (?:negative|overdrawn)` +
			`|in overdraft)`,
	)
	profitable = lazyregexp.New(`\b(?:profitable|(?:shows |has )?(?:a )?profit)$`)
	hasLoss    = lazyregexp.New(`\b(?:shows |has )?(?:net )?loss$`)
)

func allQuantities() string {
	words := make([]string, len(quantities))
	for i, q := range quantities {
		words[i] = q.words
	}
	return strings.Join(words, "|")
}

// quantityOf finds the quantity that a matched text names.
func quantityOf(text string) (quantity, bool) {
	for i, q := range quantities {
		if quantityIs[i].MatchString(text) {
			return q, true
		}
	}
	return quantity{}, false
}

// quantityOf is like the function quantityOf, but looks at the rest of the clause too: "deposits of $5,000" is an
// amount, not a number of deposits.
func (c clause) quantityOf(text string) (quantity, bool) {
	q, ok := quantityOf(text)
	if !ok || !strings.HasPrefix(q.caption, "number of") || !aboutMoney.MatchString(c.text()) {
		return q, ok
	}
	return quantityOf("total " + strings.TrimPrefix(q.caption, "number of "))
}

var aboutMoney = lazyregexp.New(`\$|\b(?:usd|dollars)\b`)

// everyDay matches what makes a rule on "the balance" one on all days; singleEntry one on each deposit or withdrawal.
var (
	everyDay    = lazyregexp.New(`\b(?:falls?|drops?|dips?|goes?|stays?|remains?|always|never|times)\b`)
	singleEntry = lazyregexp.New(
		`\b(?:no|without|single|individual|largest|biggest) (?:single |individual |cash |wire )*(?:deposits?` +
			`|withdrawals?|debits?|credits?)\b`,
	)
)

const amountNoise = "shows contains includes business account during period month statement at all times year end " +
	"day any"

// readAmount reads limits: "the closing balance is at least $5,000", "at least 10 deposits".
func readAmount(c clause) (rule, bool) {
	if g, negated, ok := c.matchWhole(limitRange, amountNoise); ok {
		low, ok1 := figureOf(g, "a")
		high, ok2 := figureOf(g, "b")
		q, ok3 := c.quantityOf(g["q"])
		return negateIf(bothOf(limit(q, ">=", low), limit(q, "<=", high)), negated), ok1 && ok2 && ok3
	}
	for _, pattern := range []*lazyregexp.Regexp{limitAfter, limitBefore, limitPlain} {
		g, negated, ok := c.matchWhole(pattern, amountNoise)
		if !ok {
			continue
		}
		bound, ok1 := figureOf(g, "a")
		q, ok2 := c.quantityOf(g["q"])
		if q.caption == "closing balance" && everyDay.MatchString(c.text()) && !strings.Contains(g["q"], "ing") {
			q, _ = quantityOf("lowest balance")
		}
		if ok2 && singleEntry.MatchString(c.text()) {
			return rule{}, false // a limit of each entry, not of their sum
		}
		if ok1 && ok2 {
			return negateIf(limit(q, operator(g["cmp"], g["suffix"]), bound), negated), true
		}
	}
	return rule{}, false
}

// readSign reads "the balance is never negative", "no NSF fees", "the business is profitable".
func readSign(c clause) (rule, bool) {
	zero := decimal.Zero
	if g, _, ok := c.matchWhole(signOf, amountNoise); ok {
		negated := c.oddNegations()
		if q, found := quantityOf(g["q"]); found {
			if q.caption == "closing balance" &&
				(negated || strings.Contains(c.text(), "always") || strings.Contains(c.text(), "times")) &&
				!strings.Contains(g["q"], "ing") {
				q, _ = quantityOf("lowest balance") // "the balance is never negative" is about every day
			}
			if strings.HasPrefix(g["sign"], "positive") || strings.HasPrefix(g["sign"], "above") {
				return negateIf(limit(q, ">", zero), negated), true
			}
			return negateIf(limit(q, "<", zero), negated), true
		}
	}
	if _, negated, ok := c.matchWhole(noNegatives, amountNoise); ok {
		q, _ := quantityOf("lowest balance")
		return negateIf(limit(q, "<", zero), negated), true
	}
	if g, negated, ok := c.matchWhole(noneOf, amountNoise+" fees fee"); ok {
		if q, found := quantityOf(g["q"]); found && strings.HasPrefix(q.caption, "number of") {
			return negateIf(limit(q, "<=", zero), negated), true
		}
	}
	q, _ := quantityOf("net income")
	if _, negated, ok := c.matchWhole(profitable, amountNoise+" company"); ok {
		return negateIf(limit(q, ">", zero), negated), true
	}
	if _, negated, ok := c.matchWhole(hasLoss, amountNoise+" company"); ok {
		return negateIf(limit(q, "<", zero), negated), true
	}
	return rule{}, false
}

func figureOf(g map[string]string, name string) (decimal.Decimal, bool) {
	d, err := decimal.NewFromString(g[name])
	if err != nil || len(g[name]) > 24 {
		return d, false
	}
	switch strings.TrimSpace(g[name+"scale"]) {
	case "k", "thousand":
		return d.Shift(3), true
	case "m", "million":
		return d.Shift(6), true
	}
	return d, true
}

func operator(cmp, suffix string) string {
	for _, o := range operators {
		if cmp != "" && o.pattern.MatchString(cmp) {
			return o.op
		}
	}
	switch {
	case suffix == "":
		return "="
	case upperSuffix.MatchString(suffix):
		return "<="
	}
	return ">="
}

var operatorWords = map[string]string{
	">=": "at least",
	"<=": "at most",
	">":  "more than",
	"<":  "less than",
	"=":  "exactly",
}

func limit(q quantity, op string, bound decimal.Decimal) rule {
	asked := operatorWords[op] + " " + dossier.Amount{Decimal: bound}.Grouped()
	return rule{
		reading: fmt.Sprintf("the %s is %s", q.caption, asked),
		judge: func(e *evidence) answer {
			if q.value == nil {
				return missing(q.slug())
			}
			a, ok := q.value(e.doc)
			if !ok {
				return missing(q.slug())
			}
			why := say(
				"figure_is",
				append(
					[]any{"figure", q.slug(), "value", plainAmount(a.value), "op", op, "bound", plainAmount(bound)},
					a.derivation...)...)
			return met(holdsLimit(a.value, op, bound), why).at(e.doc, a.pointers...)
		},
	}
}

// slug names the quantity in the table of words for reasons.
func (q quantity) slug() string { return strings.ReplaceAll(q.caption, " ", "_") }

func plainAmount(d decimal.Decimal) string { return dossier.Amount{Decimal: d}.String() }

func holdsLimit(value decimal.Decimal, op string, bound decimal.Decimal) bool {
	switch c := value.Cmp(bound); op {
	case ">=":
		return c >= 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	case "<":
		return c < 0
	default:
		return c == 0
	}
}
