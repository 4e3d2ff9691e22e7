package specimen

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// Spread is what a spread of a borrower's documents should hold. It is computed here from the invented books by the
// formulas of spread-template.yaml, apart from the code under test.
type Spread struct {
	Currency string
	Income   []SpreadPeriod // base periods and, after each interim one, its annualized column
	Balance  []SpreadPeriod
	CashFlow []SpreadPeriod
	Untested map[string]bool // "balanceSheet.capitalStock": rows with more than one right answer
}

// SpreadPeriod is one column: its rows by key. A row whose figure is zero may be absent or zero, and is not listed.
type SpreadPeriod struct {
	ID          string // "<start>_<end>", "<start>_<end>_annualized"
	Start, End  string
	Basis       string // accrual, cash, or empty: not tested
	Annualized  bool
	DerivedFrom string
	Optional    bool // an opening balance sheet known only from the next year's return: may be absent
	Values      map[string]dossier.Amount
}

// Tested reports whether the row of a statement (incomeStatement, balanceSheet, cashFlow) has one right answer.
func (s Spread) Tested(statement, row string) bool { return !s.Untested[statement+"."+row] }

// column is a statement of a spread while it is computed: lines first, then the calculated rows.
type spreadColumn map[string]decimal.Decimal

func lines(f figures, keys ...string) spreadColumn {
	c := spreadColumn{}
	for _, k := range keys {
		if f[k] != 0 {
			c[k] = decimal.New(int64(f[k]), -2)
		}
	}
	return c
}

// plus adds rows up; absent rows count as zero.
func (c spreadColumn) plus(keys ...string) decimal.Decimal {
	sum := decimal.Zero
	for _, k := range keys {
		sum = sum.Add(c[k])
	}
	return sum
}

// values rounds to 2 places and drops zeroes.
func (c spreadColumn) values() map[string]dossier.Amount {
	out := map[string]dossier.Amount{}
	for k, v := range c {
		if v = v.Round(2); !v.IsZero() {
			out[k] = dossier.Amount{Decimal: v}
		}
	}
	return out
}

var incomeLineKeys = append(append([]string{"grossRevenues", "returnsAllowances", "interestIncome", "otherIncome",
	"gainLossOnAssetSales", "interestExpense",
	"otherExpenses", "incomeTaxes", "reportedNetIncome"}, costKeys...), expenseKeys...)

// incomeStatement calculates the rows below the lines. Source: spread-template.yaml, rows.incomeStatement.
func (c spreadColumn) incomeStatement() spreadColumn {
	c["netRevenues"] = c["grossRevenues"].Sub(c["returnsAllowances"])
	c["totalCostOfRevenues"] = c.plus(costKeys...)
	c["grossProfit"] = c["netRevenues"].Sub(c["totalCostOfRevenues"])
	c["totalOperatingExpenses"] = c.plus(expenseKeys...)
	c["operatingIncome"] = c["grossProfit"].Sub(c["totalOperatingExpenses"])
	c["totalOtherIncomeExpense"] = c.plus("interestIncome", "otherIncome",
		"gainLossOnAssetSales").Sub(c.plus("interestExpense", "otherExpenses"))
	c["incomeBeforeTaxes"] = c["operatingIncome"].Add(c["totalOtherIncomeExpense"])
	c["netIncome"] = c["incomeBeforeTaxes"].Sub(c["incomeTaxes"])
	c["incomeStatementVariance"] = c["netIncome"].Sub(c["reportedNetIncome"])
	c["ebitda"] = c.plus("netIncome", "interestExpense", "incomeTaxes", "depreciation", "amortization")
	return c
}

// balanceSheet calculates the rows below the lines. Source: spread-template.yaml, rows.balanceSheet.
func (c spreadColumn) balanceSheet() spreadColumn {
	c["totalCurrentAssets"] = c.plus(currentAssetKeys...)
	c["netFixedAssets"] = c.plus(fixedAssetKeys...)
	c["totalNonCurrentAssets"] = c.plus("netFixedAssets", "dueFromOwnersAffiliates", "otherNonCurrentAssets")
	c["totalAssets"] = c.plus("totalCurrentAssets", "totalNonCurrentAssets")
	c["totalCurrentLiabilities"] = c.plus(append([]string{"otherCurrentLiabilities"}, currentDebtKeys...)...)
	c["totalLongTermLiabilities"] = c.plus(longDebtKeys...)
	c["totalLiabilities"] = c.plus("totalCurrentLiabilities", "totalLongTermLiabilities")
	c["totalEquity"] = c.plus(equityKeys...)
	c["totalLiabilitiesAndEquity"] = c.plus("totalLiabilities", "totalEquity")
	c["balanceSheetVariance"] = c["totalAssets"].Sub(c["totalLiabilitiesAndEquity"])
	return c
}

// cashFlow derives the cash flow of a period from its statements and the opening balance sheet. distributions is
// negative, or zero when no document states them. Source: spread-template.yaml, rows.cashFlow.
func cashFlow(is, opening, closing spreadColumn, distributions decimal.Decimal) spreadColumn {
	delta := func(keys ...string) decimal.Decimal { return closing.plus(keys...).Sub(opening.plus(keys...)) }
	c := spreadColumn{
		"netIncome": is["netIncome"], "depreciation": is["depreciation"],
		"changeInAccountsReceivable": delta("accountsReceivable", "allowanceForDoubtfulAccounts").Neg(),
		"changeInInventory":          delta("inventory").Neg(),
		"changeInOtherCurrentAssets": delta("prepaidExpenses", "otherCurrentAssets").Neg(),
		"changeInAccountsPayable":    delta("accountsPayable"),
		"changeInAccruedLiabilities": delta("accruedExpenses", "deferredRevenue", "otherCurrentLiabilities"),
		"otherInvesting":             delta("dueFromOwnersAffiliates", "otherNonCurrentAssets").Neg(),
		"changeInShortTermDebt":      delta("linesOfCredit", "creditCardsPayable"),
		"changeInLongTermDebt":       delta("currentPortionLongTermDebt", "longTermDebt"),
		"changeInOwnerLoans":         delta("dueToOwnersAffiliates"), "capitalContributions": delta("capitalStock",
			"additionalPaidInCapital"),
		"distributionsPaid": distributions, "beginningCash": opening["cash"], "endingCash": closing["cash"],
	}
	c["capitalExpenditures"] = delta("netFixedAssets").Add(c["depreciation"]).Neg()
	c["netCashFromOperating"] = c.plus("netIncome", "depreciation", "changeInAccountsReceivable", "changeInInventory",
		"changeInOtherCurrentAssets", "changeInAccountsPayable", "changeInAccruedLiabilities")
	c["netCashFromInvesting"] = c.plus("capitalExpenditures", "otherInvesting")
	c["netCashFromFinancing"] = c.plus("changeInShortTermDebt", "changeInLongTermDebt", "changeInOwnerLoans",
		"capitalContributions", "distributionsPaid")
	c["netChangeInCash"] = c.plus("netCashFromOperating", "netCashFromInvesting", "netCashFromFinancing")
	c["cashFlowVariance"] = c["netChangeInCash"].Sub(c["endingCash"].Sub(c["beginningCash"]))
	return c
}

// annualized scales the lines by 12/months and calculates the rest again.
func annualized(base spreadColumn, months int) spreadColumn {
	c := spreadColumn{}
	for _, k := range incomeLineKeys {
		if v, ok := base[k]; ok {
			c[k] = v.Mul(decimal.NewFromInt(12)).DivRound(decimal.NewFromInt(int64(months)), 2)
		}
	}
	return c.incomeStatement()
}

func periodID(start, end time.Time) string { return iso(start) + "_" + iso(end) }

func spreadPeriod(start, end time.Time, basis string, c spreadColumn) SpreadPeriod {
	return SpreadPeriod{ID: periodID(start, end), Start: iso(start), End: iso(end), Basis: basis, Values: c.values()}
}
