package judge

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/dossierhq/dossier"
)

// rulesToday is the day of judging of the tests.
const rulesToday = "2024-03-20"

func testDay(t testing.TB, s string) dossier.Day {
	t.Helper()
	d, ok := dossier.ParseDay(s)
	if !ok {
		t.Fatalf("%q is no date", s)
	}
	return d
}

func str(s string) *string { return &s }

func amount(s string) *dossier.Amount {
	a, err := dossier.ParseAmount(s)
	if err != nil {
		panic(err)
	}
	return &a
}

func boolean(b bool) *bool { return &b }

func integer(n int) *int { return &n }

// statement is a bank statement in the tests' world: Juniper Hollow LLC, February 2024.
func statement(change ...func(*dossier.ReadDocument)) dossier.ReadDocument {
	printed := dossier.Source{Page: 1, Text: "printed", Confidence: 0.99, Method: "text"}
	d := dossier.ReadDocument{
		DocType: dossier.DocBankStatement, FieldType: dossier.FieldBankStatement, Pages: [2]int{1, 4}, Confidence: 0.97,
		Facts: dossier.Facts{Bank: &dossier.BankFacts{
			Institution: str("First Harbor Bank"), AccountHolder: str("JUNIPER HOLLOW LLC"), AccountNumber: str("xxxx1187"), AccountType: str("Business Checking"),
			Personal: boolean(false), Currency: str("USD"), StatementDate: str("2024-02-29"), PeriodStart: str("2024-02-01"), PeriodEnd: str("2024-02-29"),
			OpeningBalance: amount("2967.65"), TotalDeposits: amount("6411.44"), TotalWithdrawals: amount("6376.68"), ClosingBalance: amount("3002.41"),
			DepositCount: integer(3), NegativeDays: integer(0),
		}},
		Sources: map[string]dossier.Source{},
		Checks: []dossier.FactCheck{
			{Name: "reconciles", Passed: true, Detail: "2,967.65 + 6,411.44 - 6,376.68 = 3,002.41"},
			{Name: "all_pages_present", Passed: true, Detail: "page 1 of 4 to page 4 of 4"},
		},
	}
	for _, pointer := range []string{"/institution", "/accountHolder", "/periodStart", "/periodEnd", "/openingBalance", "/closingBalance"} {
		d.Sources[pointer] = printed
	}
	for _, c := range change {
		c(&d)
	}
	return d
}

// license is a driver's license of Rosa Delgado that expires in 2026.
func license(change ...func(*dossier.ReadDocument)) dossier.ReadDocument {
	d := dossier.ReadDocument{
		DocType: dossier.DocDriversLicense, FieldType: dossier.FieldID, Pages: [2]int{1, 1}, Confidence: 0.9,
		Facts: dossier.Facts{Identity: &dossier.IdentityFacts{
			IDType: str("DRIVERS_LICENSE"), Country: str("USA"), State: str("OR"), Number: str("A1234567"), FirstName: str("ROSA M"), LastName: str("DELGADO"),
			DateOfBirth: str("1986-07-09"), IssueDate: str("2022-05-01"), ExpiryDate: str("2026-07-09"), Address: str("418 ALDER ST, SALEM OR 97301"),
		}},
	}
	for _, c := range change {
		c(&d)
	}
	return d
}

// taxReturn is Juniper Hollow's 1120-S for 2022.
func taxReturn(change ...func(*dossier.ReadDocument)) dossier.ReadDocument {
	d := dossier.ReadDocument{
		DocType: dossier.DocTaxReturn, FieldType: dossier.FieldTaxReturn, Pages: [2]int{1, 5}, Confidence: 0.95,
		Facts: dossier.Facts{Tax: &dossier.TaxFacts{
			Form: str("1120-S"), TaxYear: integer(2022), EntityName: str("Juniper Hollow LLC"), EIN: str("98-7654321"), Personal: boolean(false),
			GrossReceipts: amount("412900"), OrdinaryBusinessIncome: amount("38211"),
		}},
	}
	for _, c := range change {
		c(&d)
	}
	return d
}

// other is a document of another type with the given facts.
func other(t dossier.DocType, facts map[string]any) dossier.ReadDocument {
	return dossier.ReadDocument{DocType: t, FieldType: dossier.FieldFile, Pages: [2]int{1, 1}, Confidence: 0.9, Facts: dossier.Facts{Other: facts}}
}

var testParty = dossier.Party{
	People:     []dossier.PersonName{{First: "Rosa", Middle: "Maria", Last: "Delgado"}},
	Businesses: []string{"Juniper Hollow LLC"},
	Addresses:  []dossier.Address{{Street: "418 Alder Street", City: "Salem", State: "OR", PostalCode: "97301"}},
	EINs:       []string{"98-7654321"},
}

// ruleCase is a rule on a document: pass, fail or ask, and words that the reason must contain.
type ruleCase struct {
	rule string
	doc  dossier.ReadDocument
	want string // pass, fail, ask, unknown
	say  string
}

func checkRules(t *testing.T, cases []ruleCase) {
	t.Helper()
	for _, c := range cases {
		in := Judgement{
			FieldType: dossier.FieldFile, Rules: []string{c.rule}, Party: testParty, Today: testDay(t, rulesToday),
			Extraction: dossier.Extraction{Layer: "text", MimeType: "application/pdf", PageCount: 4, Documents: []dossier.ReadDocument{c.doc}},
		}
		got := Validate(in)
		r := got.Results[0]
		if state := stateOf(r); state != c.want || !strings.Contains(r.IsValidReason, c.say) {
			reading, _ := ExplainRule(c.rule)
			t.Errorf("%q: %s, want %s with %q\n  reason: %s\n  read as: %s", c.rule, state, c.want, c.say, r.IsValidReason, reading)
		}
		if got.OverallValid != r.IsValid {
			t.Errorf("%q: overallValid %v", c.rule, got.OverallValid)
		}
	}
}

func stateOf(r dossier.RuleResult) string {
	switch {
	case r.IsValid:
		return "pass"
	case r.Code == "rule_not_understood":
		return "unknown"
	case r.Unsure():
		return "ask"
	}
	return "fail"
}

func TestRules_names(t *testing.T) {
	holder := func(name string) dossier.ReadDocument {
		return statement(func(d *dossier.ReadDocument) { d.Facts.Bank.AccountHolder = str(name) })
	}
	unnamed := statement(func(d *dossier.ReadDocument) { d.Facts.Bank.AccountHolder = nil })
	checkRules(t, []ruleCase{
		{"The account holder is the business or its owner", statement(), "pass", `"JUNIPER HOLLOW LLC"`},
		{"The account holder is the business or its owner", holder("ROSA DELGADO"), "pass", `"ROSA DELGADO" is "Rosa Maria Delgado"`},
		{"The account holder is the business or its owner", holder("DOMINIC BOGDAN"), "fail", `"DOMINIC BOGDAN", not "Juniper Hollow LLC" or "Rosa Maria Delgado"`},
		{"The account holder is the business or its owner", holder("JUNIPER HOLLOW INC"), "ask", "like"},
		{"The account holder is the business or its owner", unnamed, "ask", "no account holder is printed"},
		{"Account holder must be the business", holder("ROSA DELGADO"), "fail", "ROSA DELGADO"},
		{"The account holder must match the legal business name.", statement(), "pass", "JUNIPER HOLLOW"},
		{"The account must be in the name of the business", statement(), "pass", ""},
		{"The statement must be in the business's name", statement(), "pass", ""},
		{"The statement belongs to the applicant", statement(), "pass", ""},
		{"Statement must be addressed to the business", statement(), "pass", ""},
		{"Name on the account must match the borrower", statement(), "pass", ""},
		{"The name on the statement matches the applicant or the business", statement(), "pass", ""},
		{"The business name appears on the statement", statement(), "pass", ""},
		{"Make sure that the account holder's name matches the company name", statement(), "pass", ""},
		{"The account holder should not be the owner", statement(), "pass", ""},
		{"The account holder is not the business", statement(), "fail", ""},
		{"The name on the license matches the owner", license(), "pass", `"ROSA M DELGADO"`},
		{"License name must match the lead's name", license(), "pass", ""},
		{"The ID belongs to the applicant", license(), "pass", ""},
		{"The taxpayer is the business", taxReturn(), "pass", "Juniper Hollow LLC"},
		{"The employee is the applicant", other(dossier.DocPayStub, map[string]any{"employee": "Delgado, Rosa", "company": "Cobalt Freight"}), "pass", ""},
		{"The bill is in the name of the lead", other(dossier.DocUtilityBill, map[string]any{"name": "Pat Quill"}), "fail", "Pat Quill"},
		{"The account holder is the guarantor's spouse", statement(), "unknown", ""},
	})
}

func TestRules_periods(t *testing.T) {
	between := func(from, to string) dossier.ReadDocument {
		return statement(func(d *dossier.ReadDocument) {
			d.Facts.Bank.PeriodStart, d.Facts.Bank.PeriodEnd, d.Facts.Bank.StatementDate = str(from), str(to), str(to)
		})
	}
	undated := statement(func(d *dossier.ReadDocument) {
		d.Facts.Bank.PeriodStart, d.Facts.Bank.PeriodEnd, d.Facts.Bank.StatementDate = nil, nil, nil
	})
	checkRules(t, []ruleCase{
		{"The statement is dated within the last 60 days", statement(), "pass", "2024-02-29, 20 days before 2024-03-20"},
		{"Statement must be dated within 60 days", between("2023-12-01", "2023-12-31"), "fail", "2023-12-31"},
		{"Must be dated within sixty (60) days of today", statement(), "pass", ""},
		{"The document must not be older than 90 days", statement(), "pass", ""},
		{"No older than 3 months", between("2023-10-01", "2023-10-31"), "fail", ""},
		{"The statement cannot be more than 45 days old", statement(), "pass", ""},
		{"Statement is less than 30 days old", statement(), "pass", ""},
		{"The statement is from the last 2 months", statement(), "pass", ""},
		{"Issued within the past 3 months", undated, "ask", "no date"},
		{"The statement is dated on or after January 1, 2024", statement(), "pass", ""},
		{"The statement is dated after 2024-03-01", statement(), "fail", "2024-02-29"},
		{"The statement must be dated in February 2024", statement(), "pass", ""},
		{"The statement is not dated in the future", statement(), "pass", ""},
		{"The period covers the last 3 months", between("2023-12-01", "2024-02-29"), "pass", "2023-12-01 to 2024-02-29"},
		{"Covers the last 3 months", statement(), "fail", "2024-02-01 to 2024-02-29"},
		{"Must cover at least the last 90 days", between("2023-12-01", "2024-02-29"), "pass", ""},
		{"Statement covers the most recent month", statement(), "pass", ""},
		{"The statement should cover a full month", statement(), "pass", "29 days"},
		{"Must cover at least 30 days of transactions", between("2024-02-01", "2024-02-14"), "fail", "14 days"},
		{"The statement covers January 2024", statement(), "fail", "2024-02-01"},
		{"The statement covers February 2024", statement(), "pass", ""},
		{"The statement covers January 1, 2024 through March 31, 2024", between("2024-01-01", "2024-03-31"), "pass", ""},
		{"Covers calendar year 2022", taxReturn(), "pass", ""},
		{"Shows at least three months of transaction history", between("2023-12-01", "2024-02-29"), "pass", ""},
		{"Covers the last 3 months", undated, "ask", "no period"},
		{"The license is not expired", license(), "pass", "2026-07-09"},
		{"The license is not expired", license(func(d *dossier.ReadDocument) { d.Facts.Identity.ExpiryDate = str("2023-01-31") }), "fail", "2023-01-31"},
		{"License must not be expired", license(func(d *dossier.ReadDocument) { d.Facts.Identity.ExpiryDate = nil }), "ask", "no expiry date"},
		{"Must be unexpired", license(), "pass", ""},
		{"The ID must be valid", license(), "pass", ""},
		{"Driver's license hasn't expired", license(), "pass", ""},
		{"The ID is current and not expired", license(), "pass", ""},
		{"The license is valid for at least 6 months", license(), "pass", ""},
		{"The license must not expire within the next 30 days", license(func(d *dossier.ReadDocument) { d.Facts.Identity.ExpiryDate = str("2024-04-01") }), "fail", "2024-04-01"},
		{"The passport expires on or after 2027-01-01", license(), "fail", "2026-07-09"},
		{"The license is not expired", statement(), "ask", "no expiry date"},
	})
}

// Other documents of the item count for the period of a rule, as they do for its config.
func TestRules_period_with_others(t *testing.T) {
	month := func(from, to string) dossier.ReadDocument {
		return statement(func(d *dossier.ReadDocument) { d.Facts.Bank.PeriodStart, d.Facts.Bank.PeriodEnd = str(from), str(to) })
	}
	in := Judgement{
		FieldType: dossier.FieldBankStatement, Rules: []string{"Covers the last 3 months"}, Today: testDay(t, rulesToday),
		Extraction: dossier.Extraction{Documents: []dossier.ReadDocument{statement()}},
		Others:     []dossier.ReadDocument{month("2023-12-01", "2023-12-31"), month("2024-01-01", "2024-01-31")},
	}
	if got := Validate(in); !got.OverallValid {
		t.Errorf("three statements in a row: %+v", got)
	}
	in.Others = in.Others[:1]
	if got := Validate(in); got.OverallValid {
		t.Errorf("a month is missing: %+v", got)
	}
}

func TestRules_reconcile(t *testing.T) {
	broken := statement(func(d *dossier.ReadDocument) {
		d.Checks = []dossier.FactCheck{{Name: "reconciles", Passed: false, Detail: "100.00 + 50.00 - 20.00 = 130.00, printed 140.00"}}
	})
	unchecked := statement(func(d *dossier.ReadDocument) { d.Checks = nil })
	bare := statement(func(d *dossier.ReadDocument) { d.Checks, d.Facts.Bank.OpeningBalance = nil, nil })
	fees := statement(func(d *dossier.ReadDocument) {
		d.Checks, d.Facts.Bank.ServiceFees, d.Facts.Bank.ClosingBalance = nil, amount("28.00"), amount("2974.41")
	})
	checkRules(t, []ruleCase{
		{"The statement balances reconcile", statement(), "pass", "2,967.65 + 6,411.44 - 6,376.68 = 3,002.41"},
		{"The statement balances reconcile", unchecked, "pass", "2,967.65 + 6,411.44 - 6,376.68 = 3,002.41"},
		{"The statement balances reconcile", broken, "fail", "140.00"},
		{"The statement balances reconcile", bare, "ask", "no opening and closing balance"},
		{"The statement balances reconcile", fees, "pass", "28.00"},
		{"Opening and closing balances must reconcile", statement(), "pass", ""},
		{"Balances should add up", statement(), "pass", ""},
		{"Opening balance plus deposits minus withdrawals equals the closing balance", statement(), "pass", ""},
		{"The math on the statement is correct", statement(), "pass", ""},
		{"The statement reconciles and is dated within 60 days", statement(), "pass", "2024-02-29"},
		{"The statement balances reconcile to the general ledger", statement(), "unknown", ""},
		{"The statement is accurate", statement(), "unknown", ""},
	})
}

func TestRules_compound(t *testing.T) {
	expired := license(func(d *dossier.ReadDocument) { d.Facts.Identity.ExpiryDate = str("2023-01-31") })
	checkRules(t, []ruleCase{
		{"The license is not expired and the name matches the owner", license(), "pass", "DELGADO"},
		{"The license is not expired and the name matches the owner", expired, "fail", "2023-01-31"},
		{"The license is not expired and shows a hologram", license(), "unknown", ""},
		{"Dated within 60 days; balances reconcile", statement(), "pass", ""},
		{"The account holder is the business or its owner and the balances reconcile.", statement(), "pass", ""},
		{"Dated within 5 days or the balances reconcile", statement(), "pass", "reconcile"},
		{"If the statement is older than 60 days, reject it", statement(), "unknown", ""},
		{"The statement is dated within 60 days unless the lead is new", statement(), "unknown", ""},
		{"Please check vibes", statement(), "unknown", ""},
		{"", statement(), "unknown", ""},
		{"and or , ; not", statement(), "unknown", ""},
	})
}

func FuzzReadRule(f *testing.F) {
	for _, s := range []string{
		"The account holder is the business or its owner", "not not and or ; , the", "Dated within 999999999999 days", "covers 2024-01-01 to 2023-01-01",
		`The name is "Acme" and or "B"`, "balance is at least $1e99", "expires on date7", "İs not expired", "three (3) months", "\xff\xfe and \x00",
	} {
		f.Add(s)
	}
	docs := []dossier.ReadDocument{statement(), license(), taxReturn(), other(dossier.DocOther, nil)}
	f.Fuzz(func(t *testing.T, text string) {
		reading, understood := ExplainRule(text)
		if reading == "" {
			t.Fatalf("%q: no reading", text)
		}
		for _, d := range docs {
			got := Validate(Judgement{Rules: []string{text}, Party: testParty, Today: testDay(t, rulesToday), Extraction: dossier.Extraction{Documents: []dossier.ReadDocument{d}}})
			r := got.Results[0]
			if r.RuleName != text || r.IsValidReason == "" || utf8.ValidString(text) && !utf8.ValidString(r.IsValidReason) {
				t.Fatalf("%q: %+v", text, r)
			}
			if !understood && (r.IsValid || !r.Unsure()) {
				t.Fatalf("%q was not understood, but: %+v", text, r)
			}
		}
	})
}

func TestRules_amounts(t *testing.T) {
	accounts := statement(func(d *dossier.ReadDocument) {
		b := d.Facts.Bank
		b.ClosingBalance, b.OpeningBalance = nil, nil
		b.Accounts = []dossier.BankAccount{{ClosingBalance: amount("3002.41")}, {ClosingBalance: amount("52003.24")}}
	})
	dipped := statement(func(d *dossier.ReadDocument) {
		b := d.Facts.Bank
		b.OpeningBalance, b.ClosingBalance, b.NegativeDays = amount("100.00"), amount("50.00"), nil
		b.Entries = []dossier.BankEntry{
			{Date: "2024-02-10", Description: "Rent", Amount: *amount("-150.00")},
			{Date: "2024-02-12", Description: "NSF FEE", Amount: *amount("-35.00")},
			{Date: "2024-02-15", Description: "Deposit", Amount: *amount("135.00")},
		}
	})
	bare := statement(func(d *dossier.ReadDocument) { d.Facts.Bank.ClosingBalance = nil })
	profit := dossier.ReadDocument{DocType: dossier.DocFinancialStatement, FieldType: dossier.FieldFile, Confidence: 0.9, Facts: dossier.Facts{Statement: &dossier.StatementFacts{
		Currency: str("USD"), Statements: dossier.Statements{IncomeStatement: []dossier.StatementColumn{
			{Label: "2022", End: str("2022-12-31"), Values: map[string]dossier.Amount{"netIncome": *amount("-400.00"), "netRevenues": *amount("90000")}},
			{Label: "2023", End: str("2023-12-31"), Values: map[string]dossier.Amount{"netIncome": *amount("1250.00"), "netRevenues": *amount("150000")}},
		}}}}}
	checkRules(t, []ruleCase{
		{"The closing balance is at least $3,000", statement(), "pass", "closing balance is 3,002.41, at least 3,000"},
		{"The ending balance must be at least $5,000.00", statement(), "fail", "3,002.41"},
		{"Ending balance above 3k", statement(), "pass", ""},
		{"The balance should be $2,500 or more", statement(), "pass", ""},
		{"The closing balance is at least $10,000", accounts, "pass", "3,002.41 + 52,003.24"},
		{"The closing balance is at least $10,000", bare, "ask", "no closing balance"},
		{"Total deposits must be at least 6,000 USD", statement(), "pass", "6,411.44"},
		{"At least $7,000 in total deposits", statement(), "fail", "6,411.44"},
		{"The total of deposits does not exceed $1 million", statement(), "pass", "6,411.44, at most 1,000,000"},
		{"Deposits are at least $5,000", statement(), "pass", "total of deposits is 6,411.44"},
		{"Total deposits must not exceed $1 million", statement(), "pass", ""},
		{"At least 3 deposits", statement(), "pass", "number of deposits is 3"},
		{"There must be at least 5 deposits", statement(), "fail", ""},
		{"The closing balance is between $1,000 and $5,000", statement(), "pass", ""},
		{"The average daily balance is at least $40", dipped, "pass", "computed over 29 days"},
		{"The average daily balance is at least $1", statement(), "ask", ""},
		{"The account balance is never negative", dipped, "fail", "-85.00 (on 2024-02-12)"},
		{"No negative balances", dipped, "fail", "-85.00"},
		{"No negative days", statement(), "pass", "number of negative days is 0"},
		{"No NSF fees", dipped, "fail", `"NSF FEE"`},
		{"There are no overdrafts", statement(), "ask", ""},
		{"The ending balance must be positive", statement(), "pass", ""},
		{"Gross receipts are at least $250,000", taxReturn(), "pass", "412,900"},
		{"Gross receipts of more than 500k", taxReturn(), "fail", ""},
		{"Revenue is at least $100,000", profit, "pass", "150,000 (2023)"},
		{"Net income must be positive", profit, "pass", "1,250.00"},
		{"The business is profitable", profit, "pass", ""},
		{"The net pay is at least $1,000", other(dossier.DocPayStub, map[string]any{"netPay": "1432.10"}), "pass", "1,432.10"},
		{"The total is under $100", other(dossier.DocInvoice, map[string]any{"total": "88.10"}), "pass", "88.10"},
		{"Monthly deposits average at least $10,000", statement(), "unknown", ""},
	})
}

func TestRules_kinds(t *testing.T) {
	passport := license(func(d *dossier.ReadDocument) { d.DocType = dossier.DocPassport })
	checkRules(t, []ruleCase{
		{"The document is a bank statement", statement(), "pass", "a bank statement"},
		{"Must be a bank statement, not a credit card statement", statement(), "pass", ""},
		{"The document must be a passport or driver's license", passport, "pass", "a passport"},
		{"The document must be a driver's license", passport, "fail", "a passport"},
		{"The document is not a credit card statement", statement(), "pass", ""},
		{"Must be a government-issued photo ID", license(), "pass", ""},
		{"The document is a utility bill or a lease agreement", other(dossier.DocLease, nil), "pass", ""},
		{"The statement is an official bank statement", statement(), "pass", ""},
		{"The form is 1120-S", taxReturn(), "pass", "1120-S"},
		{"Form must be 1065 or 1120-S", taxReturn(), "pass", ""},
		{"Must be Form 1040", taxReturn(), "fail", "1120-S"},
		{"Form 1120", taxReturn(), "fail", "1120-S"},
		{"The tax year is 2022", taxReturn(), "pass", "2022"},
		{"Tax year must be 2022 or later", taxReturn(), "pass", ""},
		{"Is for tax year 2023", taxReturn(), "fail", "2022"},
		{"The return is for 2022 or 2023", taxReturn(), "pass", ""},
		{"The return is for the most recent tax year", taxReturn(), "pass", "2022"},
		{"Must be the 2022 Form 1120-S", taxReturn(), "pass", ""},
		{"The document is a W-2", other(dossier.DocTaxFormOther, map[string]any{"form": "W-2", "taxYear": 2023.0}), "pass", "W-2"},
		{"The statement is for a business account", statement(), "pass", "a business one"},
		{"The account is not a personal account", statement(), "pass", ""},
		{"Must be a checking account", statement(), "pass", "Business Checking"},
		{"The statement must not be a screenshot", statement(), "pass", ""},
		{"Not a screenshot or a transaction list", statement(), "pass", "2024-02-01"},
		{"The document is not a screenshot, a photo or a transaction history", statement(), "pass", ""},
		{"Must be a PDF", statement(), "pass", "application/pdf"},
		{"Transaction list is not accepted", statement(), "pass", "prints its period"},
		{"The document is not a forgery by aliens", statement(), "unknown", ""},
	})
}

// A transaction list and an image are told from a statement by how the file was read.
func TestRules_pictures(t *testing.T) {
	judge := func(layer, mime string, d dossier.ReadDocument, rule string) string {
		got := Validate(Judgement{Rules: []string{rule}, Today: testDay(t, rulesToday), Extraction: dossier.Extraction{Layer: layer, MimeType: mime, Documents: []dossier.ReadDocument{d}}})
		return stateOf(got.Results[0])
	}
	for _, c := range []struct{ layer, mime, rule, want string }{
		{"native", "text/csv", "Not a transaction list", "fail"},
		{"native", "text/csv", "Not a screenshot", "pass"},
		{"image", "image/png", "Not a screenshot", "ask"},
		{"scanned", "application/pdf", "Not a screenshot", "pass"},
		{"native", "text/csv", "Must be a PDF", "fail"},
		{"native", "text/csv", "Must not be a spreadsheet or a screenshot", "fail"},
		{"image", "image/png", "The document has not been altered", "ask"},
	} {
		if got := judge(c.layer, c.mime, statement(), c.rule); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.rule, c.layer, got, c.want)
		}
	}
	if got := judge("text", "application/pdf", list("2024-02-04", "2024-02-17"), "Not a transaction list"); got != "fail" {
		t.Errorf("a list in a PDF: %s", got)
	}
}

func TestRules_quality(t *testing.T) {
	missing := statement(func(d *dossier.ReadDocument) {
		d.Checks = []dossier.FactCheck{{Name: "all_pages_present", Detail: "page 2 of 4 is not there"}}
	})
	uncounted := statement(func(d *dossier.ReadDocument) { d.Checks = nil })
	faint := statement(func(d *dossier.ReadDocument) {
		for pointer, s := range d.Sources {
			s.Confidence = 0.4
			d.Sources[pointer] = s
		}
	})
	edited := statement(func(d *dossier.ReadDocument) {
		d.Warnings = []dossier.FactWarning{{Code: "possible_tampering", Detail: "two fonts inside one amount on page 2"}}
	})
	checkRules(t, []ruleCase{
		{"All pages are present", statement(), "pass", "page 1 of 4"},
		{"All pages must be included", missing, "fail", "page 2 of 4"},
		{"No missing pages", statement(), "pass", ""},
		{"No pages are missing", missing, "fail", ""},
		{"The statement includes all pages", uncounted, "ask", "no page numbers"},
		{"The statement is complete", statement(), "pass", ""},
		{"The document is signed", statement(), "ask", "signed"},
		{"Must be signed and dated within 60 days", statement(), "ask", "signed"},
		{"The document is legible", statement(), "pass", "0.99"},
		{"The text must be readable", faint, "fail", "0.40"},
		{"Not blurry", statement(), "pass", ""},
		{"Amounts are in US dollars", statement(), "pass", "USD"},
		{"The currency is EUR", statement(), "fail", "USD"},
		{"The statement is in USD", statement(), "pass", ""},
		{"The document has not been altered", statement(), "pass", ""},
		{"Shows no signs of tampering", edited, "ask", "two fonts"},
		{"Shows the account number and the account holder's name", statement(), "pass", "xxxx1187"},
		{"The account holder name is visible", statement(), "pass", "JUNIPER"},
		{"Shows the date of birth", license(), "pass", "1986-07-09"},
		{"The statement shows the account number, statement period and ending balance", statement(), "pass", "3,002.41"},
	})
}

func TestRules_identity(t *testing.T) {
	checkRules(t, []ruleCase{
		{"The address on the license matches the applicant's address", license(), "pass", "418 ALDER ST"},
		{"The address matches the business address", license(func(d *dossier.ReadDocument) { d.Facts.Identity.Address = str("77 OAK AVE, SALEM OR 97301") }), "fail", "77 OAK"},
		{"Address matches the lead", license(func(d *dossier.ReadDocument) { d.Facts.Identity.Address = str("418 ADLER ST, SALEM OR 97301") }), "ask", "like"},
		{"Address matches the lead", statement(), "ask", "no address"},
		{"The holder is at least 18 years old", license(), "pass", "1986-07-09"},
		{"Applicant must be 65 or older", license(), "fail", "1986-07-09"},
		{"The EIN matches the business", taxReturn(), "pass", "98-7654321"},
		{`The account holder is "Juniper Hollow LLC"`, statement(), "pass", "JUNIPER"},
		{"The account holder is Juniper Hollow LLC", statement(), "pass", "JUNIPER"},
		{"The account holder is Cobalt Freight Inc", statement(), "fail", "JUNIPER"},
		{"The bank is First Harbor", statement(), "pass", "First Harbor Bank"},
		{"The account holder is somebody nice", statement(), "unknown", ""},
		{"The name and address match the lead", license(), "pass", ""},
	})
}

func TestRules_phrasings(t *testing.T) {
	audited := dossier.ReadDocument{DocType: dossier.DocFinancialStatement, FieldType: dossier.FieldFile, Confidence: 0.9, Facts: dossier.Facts{Statement: &dossier.StatementFacts{
		Basis: str("accrual"), Audited: boolean(false), Statements: dossier.Statements{IncomeStatement: []dossier.StatementColumn{{Label: "2023"}}, BalanceSheet: []dossier.StatementColumn{{Label: "2023"}}}}}}
	bill := other(dossier.DocUtilityBill, map[string]any{"name": "Rosa Delgado", "date": "2024-03-01", "address": "418 Alder St, Salem, OR 97301"})
	w2 := other(dossier.DocTaxFormOther, map[string]any{"form": "W-2", "taxYear": 2023.0, "employee": "Rosa Delgado"})
	checkRules(t, []ruleCase{
		{"The statement does not reconcile", statement(), "fail", ""},
		{"The statement must not fail to be nice", statement(), "unknown", ""},
		{"All pages of the statement must be included", statement(), "pass", ""},
		{"Must show the full account number", statement(), "pass", "xxxx1187"},
		{"Business name must appear on the statement", statement(), "pass", ""},
		{"ID must be government-issued", license(), "pass", ""},
		{"The utility bill must be dated within the last 60 days and show the business address", bill, "pass", "418 Alder"},
		{"Must show name and address", bill, "pass", ""},
		{"The name and address match the lead", bill, "pass", ""},
		{"W-2 must be for 2023", w2, "pass", ""},
		{"The W-2 must be for the last tax year", w2, "pass", "2023"},
		{"The employee name on the W-2 matches the applicant", w2, "pass", ""},
		{"Includes both a profit and loss statement and a balance sheet", audited, "pass", ""},
		{"Includes a balance sheet and a cash flow statement", audited, "fail", "cash flow"},
		{"The financial statements are audited", audited, "fail", "not audited"},
		{"Prepared on an accrual basis", audited, "pass", ""},
		{"Must be a 2022 or 2023 tax return", taxReturn(), "pass", ""},
		{"Form 1120 or 1120S", taxReturn(), "pass", ""},
		{"3 months of bank statements", statement(), "fail", ""},
		{"The statement is for February 2024", statement(), "pass", ""},
		{"The account holder is the business and not the owner", statement(), "pass", ""},
		{"The document is unaltered", statement(), "pass", ""},
	})
}

// A rule that says more than a predicate knows must not pass as what it resembles.
func TestRules_half_understood(t *testing.T) {
	for _, rule := range []string{
		"The statement balances reconcile within $1", "The balances reconcile except for the last page", "The statement is signed in blue ink by a notary",
		"The opening balance equals the previous month's closing balance", "Deposits are at least $20,000 per month", "Monthly revenue is at least $10,000",
		"Must be recent", "The address is current", "The return is complete with all schedules", "Reject if expired", "The account holder matches",
		"The license is not expired unless renewed by mail", "Only the business is the account holder of record at two banks", "The statement covers the last 3 months of payroll",
		"The statement can be a screenshot", "The ID may be expired", "The statement does not have to be signed", "A signature is not required", "Signature is optional", "Business tax return for the last two years",
		"No gambling transactions", "The document is authentic", "The business is incorporated in Delaware", "All pages are present and initialed",
		"The account holder is the business or a subsidiary", "Dated within 60 days of closing", "The balance is at least twice the rent",
	} {
		if reading, ok := ExplainRule(rule); ok {
			t.Errorf("%q is read as %q", rule, reading)
		}
	}
}
