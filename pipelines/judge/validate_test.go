package judge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
)

// judged is a document on an item with a verdict: "valid", "broken", "unsure".
func judged(name, verdict string, part dossier.ReadDocument) JudgedDocument {
	d := JudgedDocument{Document: dossier.DocumentID(name), Filename: name, Parts: []dossier.ReadDocument{part}}
	switch verdict {
	case "valid":
		d.Verdict.OverallValid = true
	case "broken":
		d.Verdict.Results = []dossier.RuleResult{dossier.NewRuleResult("r", false, say("expiry_date", "date", "2020-01-01"))}
	case "unsure":
		d.Verdict.Results = []dossier.RuleResult{dossier.NewRuleResult("r", false, say("rule_not_understood"))}
	}
	return d
}

func overridden(d JudgedDocument, valid bool) JudgedDocument {
	d.Override = &valid
	return d
}

func month(from, to string) dossier.ReadDocument {
	return statement(func(d *dossier.ReadDocument) { d.Facts.Bank.PeriodStart, d.Facts.Bank.PeriodEnd = str(from), str(to) })
}

// list is a transaction list: its period is that of its lines.
func list(from, to string) dossier.ReadDocument {
	d := month(from, to)
	delete(d.Sources, "/periodStart")
	delete(d.Sources, "/periodEnd")
	d.Derived = map[string]string{"/periodStart": "date of the first entry", "/periodEnd": "date of the last entry"}
	return d
}

func returnFor(year int) dossier.ReadDocument {
	return taxReturn(func(d *dossier.ReadDocument) { d.Facts.Tax.TaxYear = &year })
}

func TestJudgeItem(t *testing.T) {
	bank := func(months int, grace ...int) MatchItem {
		item := MatchItem{FieldType: dossier.FieldBankStatement, Config: dossier.ItemConfig{Months: &months}}
		if len(grace) > 0 {
			item.Config.GracePeriodDays = &grace[0]
		}
		return item
	}
	tax := func(years int) MatchItem {
		return MatchItem{FieldType: dossier.FieldTaxReturn, Config: dossier.ItemConfig{Years: &years}}
	}
	file, id := MatchItem{FieldType: dossier.FieldFile}, MatchItem{FieldType: dossier.FieldID, Config: dossier.ItemConfig{IDType: dossier.IDDriversLicense}}
	dec, jan, feb := month("2023-12-01", "2023-12-31"), month("2024-01-01", "2024-01-31"), month("2024-02-01", "2024-02-29")
	unread := statement(func(d *dossier.ReadDocument) { d.Facts.Bank.PeriodStart = nil })
	ocrMissing := JudgedDocument{Filename: "photo.jpg", Failure: "ocr_unavailable"}
	encrypted := JudgedDocument{Filename: "locked.pdf", Failure: "encrypted"}

	for _, c := range []struct {
		name   string
		item   MatchItem
		docs   []JudgedDocument
		want   dossier.ItemStatus
		reason string
	}{
		{"nothing", file, nil, dossier.ItemTodo, ""},
		{"still being read", file, []JudgedDocument{{Filename: "a"}}, dossier.ItemTodo, ""},
		{"one being read beside a good one of two months", bank(2), []JudgedDocument{judged("a", "valid", feb), {Filename: "b", Parts: []dossier.ReadDocument{jan}}}, dossier.ItemTodo, "1 of 2 months"},
		{"one good file", file, []JudgedDocument{judged("a", "valid", feb)}, dossier.ItemCompleted, ""},
		{"a broken rule", file, []JudgedDocument{judged("a.pdf", "broken", feb)}, dossier.ItemInvalid, "a.pdf: The expiry date is 2020-01-01."},
		{"an unsure rule", file, []JudgedDocument{judged("a.pdf", "unsure", feb)}, dossier.ItemNeedsReview, "needs a person: rule not understood"},
		{"broken and unsure", file, []JudgedDocument{judged("a", "unsure", feb), judged("b", "broken", feb)}, dossier.ItemInvalid, "b: "},
		{"a good license beside an expired one", id, []JudgedDocument{judged("old", "broken", license()), judged("new", "valid", license())}, dossier.ItemCompleted, ""},
		{"a person accepts what broke a rule", file, []JudgedDocument{overridden(judged("a", "broken", feb), true)}, dossier.ItemCompleted, ""},
		{"a person refuses what passed", file, []JudgedDocument{overridden(judged("a", "valid", feb), false)}, dossier.ItemInvalid, "a was refused by a person."},
		{"our own failure to read", file, []JudgedDocument{ocrMissing}, dossier.ItemNeedsReview, "needs a person: photo.jpg could not be read"},
		{"a locked file", file, []JudgedDocument{encrypted}, dossier.ItemTodo, "locked.pdf could not be read: it is protected by a password"},
		{"a locked file beside a good one", file, []JudgedDocument{encrypted, judged("a", "valid", feb)}, dossier.ItemCompleted, ""},

		{"one of three months", bank(3), []JudgedDocument{judged("a", "valid", feb)}, dossier.ItemTodo, "1 of 3 months: 2024-02-01 to 2024-02-29"},
		{"two of three months", bank(3), []JudgedDocument{judged("a", "valid", feb), judged("b", "valid", jan)}, dossier.ItemTodo, "2 of 3 months"},
		{"three months in any order", bank(3), []JudgedDocument{judged("a", "valid", feb), judged("b", "valid", dec), judged("c", "valid", jan)}, dossier.ItemCompleted, ""},
		{"a hole in the middle", bank(3), []JudgedDocument{judged("a", "valid", feb), judged("b", "valid", dec), judged("c", "valid", month("2023-11-01", "2023-11-30"))}, dossier.ItemTodo, "1 of 3 months"},
		{"the same month three times", bank(3), []JudgedDocument{judged("a", "valid", feb), judged("b", "valid", feb), judged("c", "valid", feb)}, dossier.ItemTodo, "1 of 3 months"},
		{"one file of a quarter", bank(3), []JudgedDocument{judged("a", "valid", month("2023-12-01", "2024-02-29"))}, dossier.ItemCompleted, ""},
		{"cycles of 28 to 33 days", bank(3), []JudgedDocument{judged("a", "valid", month("2023-12-14", "2024-01-10")), judged("b", "valid", month("2024-01-11", "2024-02-12")), judged("c", "valid", month("2024-02-13", "2024-03-12"))}, dossier.ItemCompleted, ""},
		{"too old", bank(1), []JudgedDocument{judged("a", "valid", dec)}, dossier.ItemTodo, "0 of 1 month: the latest statement ends on 2023-12-31, more than 60 days before 2024-03-20"},
		{"old but within the grace", bank(1, 3650), []JudgedDocument{judged("a", "valid", month("2021-07-14", "2021-08-11"))}, dossier.ItemCompleted, ""},
		{"a list of two weeks stands for its month", bank(1, 3650), []JudgedDocument{judged("a.csv", "valid", list("2022-08-04", "2022-08-17"))}, dossier.ItemCompleted, ""},
		{"a printed period of two weeks does not", bank(1, 3650), []JudgedDocument{judged("a", "valid", month("2022-08-04", "2022-08-17"))}, dossier.ItemTodo, "0 of 1 month: 2022-08-04 to 2022-08-17"},
		{"two lists are not two months of one", bank(2, 3650), []JudgedDocument{judged("a", "valid", list("2022-08-04", "2022-08-17")), judged("b", "valid", list("2022-08-10", "2022-08-29"))}, dossier.ItemTodo, "1 of 2 months"},
		{"lists of two months", bank(2, 3650), []JudgedDocument{judged("a", "valid", list("2022-08-04", "2022-08-17")), judged("b", "valid", list("2022-09-06", "2022-09-22"))}, dossier.ItemCompleted, ""},
		{"the unsure one would be enough", bank(2), []JudgedDocument{judged("a", "valid", feb), judged("b", "unsure", jan)}, dossier.ItemNeedsReview, "rule not understood"},
		{"the unsure one would not be enough", bank(3), []JudgedDocument{judged("a", "valid", feb), judged("b", "unsure", jan)}, dossier.ItemTodo, "2 of 3 months"},
		{"good ones suffice beside an unsure one", bank(1), []JudgedDocument{judged("a", "valid", feb), judged("b", "unsure", jan)}, dossier.ItemCompleted, ""},
		{"a broken one is in the way", bank(2), []JudgedDocument{judged("a", "valid", feb), judged("b", "broken", jan)}, dossier.ItemInvalid, "b: "},
		{"a person accepts an old one", bank(1), []JudgedDocument{overridden(judged("a", "valid", dec), true)}, dossier.ItemCompleted, ""},
		{"a person cannot make one month three", bank(3), []JudgedDocument{overridden(judged("a", "broken", feb), true)}, dossier.ItemTodo, "1 of 3 months"},
		{"a person accepts one without a period", bank(3), []JudgedDocument{overridden(judged("a", "unsure", unread), true)}, dossier.ItemCompleted, ""},
		{"no period on a good one", bank(1), []JudgedDocument{judged("a", "valid", unread)}, dossier.ItemNeedsReview, "a: needs a person: no period was read on the statement."},
		{"a period in the future", bank(1), []JudgedDocument{judged("a", "valid", month("2024-04-01", "2024-04-30"))}, dossier.ItemTodo, "in the future"},
		{"no months asked", MatchItem{FieldType: dossier.FieldBankStatement}, []JudgedDocument{judged("a", "valid", dec)}, dossier.ItemCompleted, ""},

		{"two years", tax(2), []JudgedDocument{judged("a", "valid", returnFor(2023)), judged("b", "valid", returnFor(2022))}, dossier.ItemCompleted, ""},
		{"last year but one is recent enough", tax(1), []JudgedDocument{judged("a", "valid", returnFor(2022))}, dossier.ItemCompleted, ""},
		{"older is not", tax(1), []JudgedDocument{judged("a", "valid", returnFor(2021))}, dossier.ItemTodo, "0 of 1 tax year: the latest return must be for 2022 or later; there is 2021"},
		{"a hole between years", tax(2), []JudgedDocument{judged("a", "valid", returnFor(2023)), judged("b", "valid", returnFor(2021))}, dossier.ItemTodo, "1 of 2 tax years"},
		{"the same year twice", tax(2), []JudgedDocument{judged("a", "valid", returnFor(2023)), judged("b", "valid", returnFor(2023))}, dossier.ItemTodo, "1 of 2 tax years"},
		{"a person accepts an old return", tax(1), []JudgedDocument{overridden(judged("a", "valid", returnFor(2018)), true)}, dossier.ItemCompleted, ""},
	} {
		got, reason := JudgeItem(c.item, c.docs, testDay(t, rulesToday))
		if got != c.want || !strings.Contains(textOf(reason), c.reason) || c.reason == "" && reason != nil {
			t.Errorf("%s: %s %q, want %s %q", c.name, got, textOf(reason), c.want, c.reason)
		}
	}
}

func TestValidate_kind(t *testing.T) {
	card := other(dossier.DocCreditCardStatement, map[string]any{"institution": "First Harbor Bank"})
	claimed := card // a reading that claims the wrong fieldType must not help a look-alike
	claimed.FieldType = dossier.FieldBankStatement
	passport := license(func(d *dossier.ReadDocument) { d.DocType = dossier.DocPassport })
	blank := dossier.ReadDocument{DocType: dossier.DocTaxReturn, FieldType: dossier.FieldTaxReturn, Confidence: 0.99, Facts: dossier.Facts{Tax: &dossier.TaxFacts{Form: str("1040"), TaxYear: integer(2023), Personal: boolean(true)}}}
	faint := statement(func(d *dossier.ReadDocument) { d.Confidence = 0.3 })
	personal := statement(func(d *dossier.ReadDocument) { d.Facts.Bank.Personal = boolean(true) })
	for _, c := range []struct {
		name   string
		field  dossier.FieldType
		config dossier.ItemConfig
		doc    dossier.ReadDocument
		want   string // "", fail, ask
		say    string
	}{
		{"statement", dossier.FieldBankStatement, dossier.ItemConfig{}, statement(), "", ""},
		{"credit card statement", dossier.FieldBankStatement, dossier.ItemConfig{}, card, "fail", "This is a credit card statement, not a bank statement."},
		{"credit card statement with a false claim", dossier.FieldBankStatement, dossier.ItemConfig{}, claimed, "fail", "credit card"},
		{"W-2 for a return", dossier.FieldTaxReturn, dossier.ItemConfig{}, other(dossier.DocTaxFormOther, map[string]any{"form": "W-2"}), "fail", "This is Form W-2, not an income tax return."},
		{"social security card for an ID", dossier.FieldID, dossier.ItemConfig{}, other(dossier.DocSocialSecurityCard, nil), "fail", "social security card"},
		{"any identity document", dossier.FieldID, dossier.ItemConfig{}, passport, "", ""},
		{"passport for a license", dossier.FieldID, dossier.ItemConfig{IDType: dossier.IDDriversLicense}, passport, "fail", "This is a passport, not a driver's license."},
		{"license for a license", dossier.FieldID, dossier.ItemConfig{IDType: dossier.IDDriversLicense}, license(), "", ""},
		{"personal for business", dossier.FieldBankStatement, dossier.ItemConfig{IsPersonal: boolean(false)}, personal, "fail", "a personal document"},
		{"return that is not filled in", dossier.FieldTaxReturn, dossier.ItemConfig{}, blank, "ask", "may not be filled in"},
		{"return", dossier.FieldTaxReturn, dossier.ItemConfig{}, taxReturn(), "", ""},
		{"faint reading", dossier.FieldBankStatement, dossier.ItemConfig{}, faint, "ask", "0.30"},
		{"unrecognised", dossier.FieldBankStatement, dossier.ItemConfig{}, dossier.ReadDocument{DocType: dossier.DocOther, FieldType: dossier.FieldFile, Confidence: 0.2}, "ask", "not recognised"},
		{"anything for a file", dossier.FieldFile, dossier.ItemConfig{}, card, "", ""},
	} {
		got := Validate(Judgement{FieldType: c.field, Config: c.config, Today: testDay(t, rulesToday), Extraction: dossier.Extraction{Documents: []dossier.ReadDocument{c.doc}}})
		if c.want == "" {
			if !got.OverallValid || len(got.Results) != 0 {
				t.Errorf("%s: %+v", c.name, got)
			}
			continue
		}
		if len(got.Results) != 1 || stateOf(got.Results[0]) != c.want || !strings.Contains(got.Results[0].IsValidReason, c.say) || got.OverallValid {
			t.Errorf("%s: %+v, want %s %q", c.name, got, c.want, c.say)
		}
	}
}

// A package meets a rule when each of its documents for the item does, and the reason says which does not.
func TestValidate_package(t *testing.T) {
	second := month("2023-12-01", "2023-12-31")
	second.Pages, second.Checks = [2]int{5, 8}, []dossier.FactCheck{{Name: "reconciles", Detail: "1.00 + 1.00 = 2.00, printed 3.00"}}
	in := Judgement{
		FieldType: dossier.FieldBankStatement, Rules: []string{"The balances reconcile"}, Today: testDay(t, rulesToday),
		Extraction: dossier.Extraction{Documents: []dossier.ReadDocument{statement(), second, license()}},
		Parts:      []int{0, 1},
	}
	got := Validate(in)
	if got.OverallValid || !strings.HasPrefix(got.Results[0].IsValidReason, "Pages 5 to 8: The balances do not reconcile") {
		t.Errorf("%+v", got)
	}
	in.Parts = []int{0}
	if got := Validate(in); !got.OverallValid {
		t.Errorf("the first document alone: %+v", got)
	}
	in.Extraction.Documents, in.Parts = nil, nil
	if got := Validate(in); got.OverallValid || !got.NeedsReview() {
		t.Errorf("nothing read: %+v", got)
	}
}

func TestMatch(t *testing.T) {
	items := []MatchItem{
		{Entry: "bank", Code: "BANK_STATEMENTS", Label: "Last 3 months of business bank statements", FieldType: dossier.FieldBankStatement},
		{Entry: "bank-personal", Code: "PERSONAL_BANK", Label: "Owner's personal bank statements", FieldType: dossier.FieldBankStatement, Config: dossier.ItemConfig{IsPersonal: boolean(true)}},
		{Entry: "tax", Code: "TAX_RETURNS", Label: "Business tax returns, last 2 years", FieldType: dossier.FieldTaxReturn},
		{Entry: "license", Code: "OWNER_ID", Label: "Driver's license of the owner", FieldType: dossier.FieldID, Config: dossier.ItemConfig{IDType: dossier.IDDriversLicense}},
		{Entry: "pnl", Code: "FINANCIALS", Label: "Year-to-date profit and loss and balance sheet", FieldType: dossier.FieldFile},
		{Entry: "agreement", Code: "PARTNER_AGREEMENT", Label: "Operating or partnership agreement", FieldType: dossier.FieldFile},
		{Entry: "w2", Code: "W2", Label: "W-2 of last year", FieldType: dossier.FieldFile},
		{Entry: "address", Code: "PROOF_OF_ADDRESS", Label: "Proof of address", FieldType: dossier.FieldFile, Rules: []string{"The document is a utility bill or a lease agreement"}},
		{Entry: "void", Code: "VOIDED_CHECK", Label: "Voided check", FieldType: dossier.FieldFile},
		{Entry: "ein", Code: "EIN", Label: "EIN", FieldType: dossier.FieldEIN},
	}
	financials := dossier.ReadDocument{DocType: dossier.DocFinancialStatement, FieldType: dossier.FieldFile, Confidence: 0.9, Facts: dossier.Facts{Statement: &dossier.StatementFacts{
		Statements: dossier.Statements{IncomeStatement: []dossier.StatementColumn{{Label: "2023"}}}}}}
	cashFlow := dossier.ReadDocument{DocType: dossier.DocFinancialStatement, FieldType: dossier.FieldFile, Confidence: 0.9, Facts: dossier.Facts{Statement: &dossier.StatementFacts{
		Statements: dossier.Statements{CashFlow: []dossier.StatementColumn{{Label: "2023"}}}}}}
	personal := statement(func(d *dossier.ReadDocument) { d.Facts.Bank.Personal = boolean(true) })
	w2 := other(dossier.DocTaxFormOther, map[string]any{"form": "W-2", "taxYear": 2023.0})
	docs := []MatchDocument{
		{Document: "statement", Read: []dossier.ReadDocument{statement()}},
		{Document: "personal", Read: []dossier.ReadDocument{personal}},
		{Document: "return", Read: []dossier.ReadDocument{taxReturn()}},
		{Document: "license", Read: []dossier.ReadDocument{license()}},
		{Document: "passport", Read: []dossier.ReadDocument{license(func(d *dossier.ReadDocument) { d.DocType = dossier.DocPassport })}},
		{Document: "green card", Read: []dossier.ReadDocument{license(func(d *dossier.ReadDocument) { d.DocType = dossier.DocResidencePermit })}},
		{Document: "credit card", Read: []dossier.ReadDocument{other(dossier.DocCreditCardStatement, nil)}},
		{Document: "brokerage", Read: []dossier.ReadDocument{other(dossier.DocBrokerageStatement, nil)}},
		{Document: "w2", Read: []dossier.ReadDocument{w2}},
		{Document: "w9", Read: []dossier.ReadDocument{other(dossier.DocTaxFormOther, map[string]any{"form": "W-9"})}},
		{Document: "financials", Read: []dossier.ReadDocument{financials}},
		{Document: "cash flow", Read: []dossier.ReadDocument{cashFlow}},
		{Document: "utility", Read: []dossier.ReadDocument{other(dossier.DocUtilityBill, nil)}},
		{Document: "lease", Read: []dossier.ReadDocument{other(dossier.DocLease, nil)}},
		{Document: "agreement by title", Read: []dossier.ReadDocument{other(dossier.DocOther, map[string]any{"title": "Operating Agreement of Juniper Hollow LLC"})}},
		{Document: "agreement by name", Filename: "signed-operating-agreement.pdf", Read: []dossier.ReadDocument{other(dossier.DocOther, nil)}},
		{Document: "article", Filename: "scan0001.pdf", Read: []dossier.ReadDocument{other(dossier.DocOther, map[string]any{"title": "Ten tips for better gardens"})}},
		{Document: "package", Read: []dossier.ReadDocument{license(), statement(), w2, statement()}},
		{Document: "assigned", Assigned: "void", Read: []dossier.ReadDocument{other(dossier.DocOther, nil)}},
		{Document: "wrongly assigned", Assigned: "license", Read: []dossier.ReadDocument{statement()}},
		{Document: "unreadable", Assigned: "bank"},
		{Document: "unreadable, unassigned"},
	}
	want := []string{
		"statement -> bank [0]",
		"personal -> bank-personal [0]",
		"return -> tax [0]",
		"license -> license [0]",
		"w2 -> w2 [0]",
		"financials -> pnl [0]",
		"utility -> address [0]",
		"lease -> address [0]",
		"agreement by title -> agreement [0]",
		"agreement by name -> agreement [0]",
		"package -> bank [1 3]", "package -> license [0]", "package -> w2 [2]",
		"assigned -> void [0]",
		"wrongly assigned -> bank [0]", "wrongly assigned -> license [0]",
		"unreadable -> bank []",
	}
	var got []string
	for _, p := range Match(items, docs, testParty) {
		got = append(got, fmt.Sprintf("%s -> %s %v", p.Document, p.Entry, p.Parts))
		if p.Reason == "" || p.Score < enoughScore || p.Score > 1 {
			t.Errorf("%+v", p)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error("-want +got\n", diff)
	}
}

func TestMatch_labels(t *testing.T) {
	item := func(entry, label string, field dossier.FieldType) MatchItem {
		return MatchItem{Entry: dossier.EntryID(entry), Label: label, FieldType: field}
	}
	for _, c := range []struct {
		name  string
		items []MatchItem
		doc   dossier.ReadDocument
		want  []string
	}{
		{"the year of the label", []MatchItem{item("2021", "2021 tax return", dossier.FieldTaxReturn), item("2022", "2022 tax return", dossier.FieldTaxReturn)}, taxReturn(), []string{"2022"}},
		{"the form of the label", []MatchItem{item("1040", "Form 1040", dossier.FieldTaxReturn), item("1120s", "Form 1120-S", dossier.FieldTaxReturn)}, taxReturn(), []string{"1120s"}},
		{"the name in the label", []MatchItem{item("rosa", "ID of Rosa Maria Delgado", dossier.FieldID), item("owner", "ID of Lee Okafor", dossier.FieldID)}, license(), []string{"rosa"}},
		{"two items for the same thing", []MatchItem{item("a", "Bank statement", dossier.FieldBankStatement), item("b", "Bank statements", dossier.FieldBankStatement)}, statement(), []string{"a", "b"}},
		{"the only item takes a personal one too", []MatchItem{item("a", "Business bank statements", dossier.FieldBankStatement)}, statement(func(d *dossier.ReadDocument) { d.Facts.Bank.Personal = boolean(true) }), []string{"a"}},
		{"a typed and a file item", []MatchItem{item("a", "Bank statement", dossier.FieldBankStatement), item("b", "Bank statement of the escrow account", dossier.FieldFile)}, statement(), []string{"a", "b"}},
	} {
		party := testParty
		party.Owners = []string{"Rosa Maria Delgado", "Lee Okafor"}
		var got []string
		for _, p := range Match(c.items, []MatchDocument{{Document: "d", Read: []dossier.ReadDocument{c.doc}}}, party) {
			got = append(got, string(p.Entry))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.name, diff)
		}
	}
}

// An item of a party takes papers in its name, and papers in the name of such a party serve no item of the lead's.
func TestMatch_items_of_parties(t *testing.T) {
	of := func(name string) *dossier.Party {
		if name == "" {
			return nil
		}
		party := dossier.LeadParty{Name: name, Kind: dossier.PartyPerson}.Compared()
		return &party
	}
	for whose, want := range map[[2]string]string{
		{"", "Rosa Maria Delgado"}: "[b]", {"Lee Okafor", "Rosa Maria Delgado"}: "[b]", {"Rosa Maria Delgado", "Lee Okafor"}: "[a]",
		{"", "Lee Okafor"}: "[a]", {"", ""}: "[a b]",
	} {
		items := []MatchItem{{Entry: "a", Label: "Driver license", FieldType: dossier.FieldID, Whose: of(whose[0])},
			{Entry: "b", Label: "Driver license", FieldType: dossier.FieldID, Whose: of(whose[1])}}
		var got []dossier.EntryID
		lead := dossier.Party{People: []dossier.PersonName{{First: "Ann", Last: "Lee"}}}
		for _, p := range Match(items, []MatchDocument{{Document: "d", Read: []dossier.ReadDocument{license()}}}, lead) {
			got = append(got, p.Entry)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("items of %q: %v, want %s", whose, got, want)
		}
	}
}

// textOf is an item's validationError.
func textOf(reasons []dossier.Reason) string {
	if said := dossier.ReasonsText(dossier.English, reasons); said != nil {
		return *said
	}
	return ""
}
