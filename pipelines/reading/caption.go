package reading

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

var lineNumber = lazyregexp.New(`^\d{1,2}[a-z]{0,2}$`)

// vocabulary are patterns of folded captions by the name of the fact they caption. A value beside another fact's
// caption belongs to that fact, whatever a model says; beside an unknown caption the model is believed.
var vocabulary = map[string]*lazyregexp.Regexp{
	"openingBalance": lazyregexp.New(`\b(opening|beginning|starting|previous|prior|initial|brought forward` +
		`|balance forward|old balance)\b`),
	"closingBalance":      lazyregexp.New(`\b(closing|ending|end|final|new balance|current balance|carried forward)\b`),
	"availableBalance":    lazyregexp.New(`\bavailable\b`),
	"minimumDailyBalance": lazyregexp.New(`\b(minimum|lowest)\b`),
	"totalDeposits":       lazyregexp.New(`\b(deposits?|additions?|paid in|money in|received)\b`),
	"totalCredits":        lazyregexp.New(`\bcredits?\b`),
	"totalWithdrawals":    lazyregexp.New(`\b(withdrawals?|subtractions?|paid out|money out)\b`),
	"totalDebits":         lazyregexp.New(`\bdebits?\b`),
	"checks":              lazyregexp.New(`\b(checks?|cheques?)\b`),
	"serviceFees":         lazyregexp.New(`\b(fees?|service charges?)\b`),
	"interest":            lazyregexp.New(`\binterest\b`),
	"totalTax":            lazyregexp.New(`\btotal tax\b`),
	"taxableIncome":       lazyregexp.New(`\btaxable income\b`),
	"totalIncome":         lazyregexp.New(`\btotal income\b`),
	"adjustedGrossIncome": lazyregexp.New(`\badjusted gross\b`),
	"refund":              lazyregexp.New(`\brefund(ed)?\b`),
	"amountOwed":          lazyregexp.New(`\bowed?\b`),
	"overpaid":            lazyregexp.New(`\boverpaid\b`),
	"grossReceipts":       lazyregexp.New(`\bgross receipts\b`),
	"costOfGoodsSold":     lazyregexp.New(`\bcost of (goods|sales)\b`),
	"grossProfit":         lazyregexp.New(`\bgross profit\b`),
	"totalDeductions":     lazyregexp.New(`\btotal deductions\b`),
	"totalExpenses":       lazyregexp.New(`\btotal expenses\b`),
	"totalAssets":         lazyregexp.New(`\btotal assets\b`),
	"totalLiabilities":    lazyregexp.New(`\btotal liabilities\b`),
	"wages":               lazyregexp.New(`\bwages\b`),
	"federalTaxWithheld":  lazyregexp.New(`\bfederal (income )?tax withheld\b`),
	"netPay":              lazyregexp.New(`\bnet pay\b`),
	"totalEarnings":       lazyregexp.New(`\b(gross pay|total earnings)\b`),
	"totalEarningsYtd":    lazyregexp.New(`\b(ytd|year to date)\b`),
	"statementDate":       lazyregexp.New(`\bstatement date\b`),
	"dueDate":             lazyregexp.New(`\bdue\b`),
	"dateOfBirth":         lazyregexp.New(`\b(birth|dob)\b`),
	"issueDate":           lazyregexp.New(`\b(issued?|iss)\b`),
	"expiryDate":          lazyregexp.New(`\b(expir\w*|exp|valid until)\b`),
	"payDate":             lazyregexp.New(`\b(pay|check) date\b`),
	"spouse":              lazyregexp.New(`\bspouse\b`),
	"preparer":            lazyregexp.New(`\bpreparer\b`),
	"employer":            lazyregexp.New(`\bemployer\b`),
	"employee":            lazyregexp.New(`\bemployee\b`),
	"landlord":            lazyregexp.New(`\b(landlord|lessor)\b`),
	"tenant":              lazyregexp.New(`\b(tenant|lessee)\b`),
	"accountNumber":       lazyregexp.New(`\b(account|acct) (number|no)\b`),
	"ein":                 lazyregexp.New(`\b(ein|employer identification)\b`),
}

// related lists for a fact other facts whose captions share words with its own.
var related = map[string]string{
	"totalDeposits": "totalCredits depositCount", "totalCredits": "totalDeposits",
	"totalWithdrawals": "totalDebits withdrawalCount checks",
	"totalDebits":      "totalWithdrawals", "depositCount": "totalDeposits totalCredits",
	"withdrawalCount":  "totalWithdrawals totalDebits",
	"totalEarningsYtd": "totalEarnings", "ein": "employer",
	"currentBalanceDue": "closingBalance dueDate amountOwed",
	"amountDue":         "closingBalance dueDate amountOwed", "portfolioValue": "closingBalance openingBalance",
	"payDate":         "checks",
	"interestExpense": "interest", "salariesWages": "wages", "totalRevenue": "totalIncome",
	"periodEnd":   "closingBalance",
	"periodStart": "openingBalance", "total": "amountOwed dueDate totalTax", "company": "employer",
	"name":       "employee employer accountNumber tenant landlord",
	"entityName": "employer ein", "taxpayer": "employee", "institution": "interest totalCredits",
}

// mislabelled reports whether a caption is that of another fact.
func mislabelled(fact, caption string) bool {
	caption = text.Fold(caption)
	if own := vocabulary[fact]; own != nil && own.MatchString(caption) {
		return false
	}
	allowed := " " + related[fact] + " "
	for other, words := range vocabulary {
		if other != fact && words.MatchString(caption) {
			if strings.Contains(allowed, " "+other+" ") {
				return false
			}
		}
	}
	for other, words := range vocabulary {
		if other != fact && words.MatchString(caption) {
			return true
		}
	}
	return false
}

const (
	nouns = `balances?|totals?|income|amounts?|values?|figures?|revenues?|profit|wages|facts?|fields?|deposits?|` +
		`withdrawals?|sales|assets|holder|owner|institution|employer|number|currency|pay|refund|tax|name|date`
	verbs = `set|change|report|record|return|write|put|use|treat|overwrite|replace|assume|extract|give|answer|` +
		`respond|consider|enter|output|fill|read|take|copy|mark|make`
)

// instructionPattern matches text that tells a reader what to write down. Nothing beside it counts as evidence:
// documents state facts, they do not give instructions.
var instructionPattern = lazyregexp.New(`(?i)(?:^|[.!?:;,]\s*|\b(?:please|must|should|shall|to|and|you|always|then` +
	`|now|just|instead)\s+)` +
	`(?:` + verbs + `)\b[^\n]{0,60}\b(?:` + nouns + `)\b` +
	`|\b(?:` + nouns + `)\b[^\n]{0,40}` +
	`\b(?:is to be|are to be|must be|should be|shall be|has to be|have to be|needs? to be|must read|should read)\b` +
	`|\b(?:reader|parser|extractor|assistant|robot|bot|whoever reads|automated \w+|language model)\b[^\n]{0,20}[:,;]`)

// isInstruction reports whether a line, joined with the one above it, gives an instruction.
func isInstruction(s *sheet, line int) bool {
	if instructionPattern.MatchString(s.lines[line].Text()) {
		return true
	}
	return line > 0 && instructionPattern.MatchString(s.lines[line-1].Text()+" "+s.lines[line].Text())
}

var (
	isoCode = lazyregexp.New(`^[A-Z]{3}$`)
	// expenseRow matches rows that are positive in a spread although statements may print them in brackets.
	expenseRow = lazyregexp.New(`(?i)cost|cogs|expense|depreciation|amortization|wages|salar|rent|tax|fees|advertis` +
		`|insurance|` +
		`utilit|repairs|dividend|distribution`)
)
