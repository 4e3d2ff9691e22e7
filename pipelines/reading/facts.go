package reading

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
)

// kind says by which parser the text of a fact is read.
type kind int

const (
	words           kind = iota // as printed
	name                        // of a person, a business or an institution
	number                      // of an account, a licence, an employer: letters and figures
	day                         // YYYY-MM-DD
	amount                      // signed as printed
	total                       // an amount that is positive, however it is printed
	count                       // a whole number
	year                        // of tax: four figures
	currencyCode                // an ISO 4217 code
	row                         // a figure of a financial statement, in its unit
	numbered                    // an amount on a line of a form that is called by its number
	accountingBasis             // accrual, cash, tax
)

// fact is something a model may be asked for.
type fact struct {
	name string
	kind kind
}

func facts(k kind, names string) []fact {
	var list []fact
	for n := range strings.FieldsSeq(names) {
		list = append(list, fact{n, k})
	}
	return list
}

// askableFacts are, by type of document, the facts that a model may be asked for: those that a document prints as they
// are (facts.md). Computed facts (checks, booleans, counts of entries) are never asked for, and social security numbers
// are never shown.
var askableFacts = map[dossier.DocType][]fact{
	dossier.DocBankStatement: slices.Concat(facts(name, "institution accountHolder"), facts(number, "accountNumber"),
		facts(words, "accountType"), facts(currencyCode, "currency"), facts(day, "statementDate periodStart periodEnd"),
		facts(amount, "openingBalance closingBalance availableBalance minimumDailyBalance"),
		facts(total, "totalDeposits totalWithdrawals totalCredits totalDebits checks serviceFees interest"),
		facts(count, "depositCount withdrawalCount negativeDays")),
	dossier.DocTaxReturn: slices.Concat(facts(words, "form filingStatus accountingMethod"), facts(year, "taxYear"),
		facts(day, "periodStart periodEnd"), facts(name, "taxpayer spouse entityName businessName preparer"),
		facts(number, "ein"), facts(count, "dependents"),
		facts(amount, `totalIncome adjustedGrossIncome taxableIncome grossProfit netProfit ordinaryBusinessIncome
			netAssets totalAssets totalLiabilities`),
		facts(total, `totalTax amountOwed overpaid refund grossReceipts netRevenues costOfGoodsSold
			officerCompensation salariesWages rent interestExpense totalDeductions totalExpenses totalRevenue`)),
	dossier.DocDriversLicense:  identity,
	dossier.DocPassport:        identity,
	dossier.DocNationalID:      identity,
	dossier.DocResidencePermit: identity,
	dossier.DocFinancialStatement: slices.Concat(facts(name, "entityName"), facts(currencyCode, "currency"),
		facts(accountingBasis, "basis")),
	dossier.DocTaxFormOther: slices.Concat(facts(words, "form"), facts(year, "taxYear"),
		facts(count, "quarter employees"),
		facts(name, "entityName taxpayer name employer employee"), facts(number, "ein"),
		facts(total, "wages federalTaxWithheld")),
	dossier.DocPayStub: slices.Concat(facts(name, "company employee"), facts(words, "title"),
		facts(day, "periodStart periodEnd payDate"), facts(total, "totalEarnings totalEarningsYtd netPay")),
	dossier.DocInvoice:             bill,
	dossier.DocReceipt:             bill,
	dossier.DocUtilityBill:         bill,
	dossier.DocCreditCardStatement: holdings,
	dossier.DocBrokerageStatement:  holdings,
	dossier.DocInvestmentStatement: holdings,
	dossier.DocAssetVerification:   holdings,
	dossier.DocLease:               paperwork,
	dossier.DocInsurance:           paperwork,
	dossier.DocCheck:               paperwork,
	dossier.DocBenefitPlanReport:   paperwork,
	dossier.DocRentRoll:            paperwork,
	dossier.DocRateConfirmation:    paperwork,
	dossier.DocSocialSecurityCard:  facts(name, "name"),
	dossier.DocOther:               slices.Concat(facts(words, "title"), facts(day, "reportDate")),
}

// accountFacts are the facts of each account of a statement with several accounts.
var accountFacts = slices.Concat(facts(words, "name"), facts(number, "accountNumber"),
	facts(amount, "openingBalance closingBalance"), facts(total, "deposits withdrawals checks interest fees"),
	facts(count, "transactions"))

var (
	identity = slices.Concat(facts(words, "state sex address"), facts(name, "lastName firstName"),
		facts(number, "number"),
		facts(day, "dateOfBirth issueDate expiryDate"))
	bill = slices.Concat(facts(name, "issuer merchant institution name"), facts(number, "number"),
		facts(day, "date dueDate statementDate"), facts(amount, "total amountDue currentBalanceDue"))
	holdings = slices.Concat(facts(name, "institution accountHolder name"), facts(number, "accountNumber"),
		facts(day, "periodStart periodEnd requestedOn"),
		facts(amount, "openingBalance closingBalance portfolioValue totalAssets"),
		facts(count, "daysRequested accounts"))
	paperwork = slices.Concat(facts(name, "landlord tenant name"), facts(day, "date asOf planYearBegin"),
		facts(number, "number"), facts(words, "form"), facts(amount, "total"))
)

// factAt returns the fact of a type that a pointer names, including figures of statements and lines of returns.
func factAt(t dossier.DocType, pointer string) (fact, bool) {
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	if !strings.HasPrefix(pointer, "/") {
		return fact{}, false
	}
	if len(parts) == 1 {
		for _, f := range askableFacts[t] {
			if f.name == parts[0] {
				return f, true
			}
		}
		return fact{}, false
	}
	switch {
	case t == dossier.DocBankStatement && len(parts) == 3 && parts[0] == "accounts":
		for _, f := range accountFacts {
			if f.name == parts[2] {
				return f, true
			}
		}
	case t == dossier.DocFinancialStatement && len(parts) == 5 && parts[0] == "statements" && parts[3] == "values":
		return fact{parts[4], row}, true
	case hasLines(t) && len(parts) == 2 && parts[0] == "lines" && lineNumber.MatchString(parts[1]):
		return fact{parts[1], numbered}, true
	}
	return fact{}, false
}

// hasLines reports whether a type of document is a form with numbered lines.
func hasLines(t dossier.DocType) bool {
	return t == dossier.DocTaxReturn || t == dossier.DocTaxFormOther
}
