package judge

import (
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// A counterfactual is found by asking: the rule is asked again with one fact exchanged, until it is met. So it
// needs no knowledge of rules, says nothing that the rule would not do, and what no single fact changes has none.

// withChange adds what would have to be so for a rule to be met, when one fact of the one document that fails it
// decides.
func (in Judgement) withChange(why dossier.Reason, r rule, parts []dossier.ReadDocument) dossier.Reason {
	failing := -1
	for i, part := range parts {
		if r.judge(&evidence{Judgement: &in, doc: part}).verdict == yes {
			continue
		}
		if failing >= 0 {
			return why
		}
		failing = i
	}
	if failing < 0 {
		return why
	}
	t := trial{in: in, rule: r, doc: parts[failing]}
	t.reason = r.judge(&evidence{Judgement: &in, doc: t.doc}).why
	if t.reason.Code == "balances_differ" {
		t.reason = r.judge(
			&evidence{Judgement: &in, doc: withoutChecks(t.doc)},
		).why // with the sum that a figure may be set to
	}
	for _, c := range t.reason.Citations {
		if change, ok := t.change(c.Pointer); ok {
			return why.With("wouldPass", change)
		}
	}
	if change, ok := t.kind(); ok {
		return why.With("wouldPass", change)
	}
	return why
}

// trial asks one rule about one document with facts exchanged.
type trial struct {
	in     Judgement
	rule   rule
	doc    dossier.ReadDocument
	reason dossier.Reason // why it is not met as it stands
}

func (t trial) passes(pointer string, value any) bool {
	changed, ok := withFact(t.doc, pointer, value)
	return ok && t.asks(changed)
}

func (t trial) asks(d dossier.ReadDocument) bool {
	return t.rule.judge(&evidence{Judgement: &t.in, doc: withoutChecks(d)}).verdict == yes
}

// withoutChecks leaves out the check that the reading made of figures which are exchanged: the rule reckons itself.
func withoutChecks(d dossier.ReadDocument) dossier.ReadDocument {
	d.Checks = slices.DeleteFunc(
		slices.Clone(d.Checks),
		func(c dossier.FactCheck) bool { return c.Name == "reconciles" },
	)
	return d
}

// change looks for a value of one cited fact that lets the rule pass.
func (t trial) change(pointer string) (dossier.Reason, bool) {
	switch value := t.value(pointer).(type) {
	case dossier.Day:
		return t.date(pointer, value)
	case dossier.Amount:
		return t.amount(pointer, value)
	case int:
		return t.oneOf(pointer, "if_fact", "value", wholeNumbers(t.asked()))
	case string:
		if change, ok := t.oneOf(pointer, "if_name", "known", anyOfTexts(t.names())); ok {
			return change, true
		}
		return t.oneOf(pointer, "if_fact", "value", anyOfTexts(t.asked()))
	}
	return dossier.Reason{}, false
}

// value is a fact at the top of the facts: a day, an amount, a whole number or a text.
func (t trial) value(pointer string) any {
	var found any
	for _, facts := range factStructs(t.doc)[:min(1, len(factStructs(t.doc)))] {
		for i := range facts.value.NumField() {
			if "/"+jsonName(facts.value.Type().Field(i)) == pointer {
				found = facts.value.Field(i).Interface()
			}
		}
	}
	if t.doc.Facts.Other != nil && len(pointer) > 1 {
		found = t.doc.Facts.Other[pointer[1:]]
	}
	switch v := found.(type) {
	case *string:
		if v != nil {
			return dayOrText(*v)
		}
	case string:
		return dayOrText(v)
	case *dossier.Amount:
		if v != nil {
			return *v
		}
	case *int:
		if v != nil {
			return *v
		}
	}
	return nil
}

func dayOrText(s string) any {
	if d, ok := dossier.ParseDay(s); ok {
		return d
	}
	if a, err := dossier.ParseAmount(s); err == nil {
		return a
	}
	return s
}

// farthest is how many days from the printed date a better one is looked for: a document is not judged by what is
// ten years away.
const farthest = 3653

// date looks for the nearest day that lets the rule pass: ever farther in both directions, then back to the edge.
func (t trial) date(pointer string, from dossier.Day) (dossier.Reason, bool) {
	pass := func(d dossier.Day) bool { return t.passes(pointer, d.String()) }
	for step := dossier.Day(1); step <= farthest; step *= 2 {
		for _, sign := range []dossier.Day{1, -1} {
			if !pass(from + sign*step) {
				continue
			}
			near, far := from+sign*step/2, from+sign*step
			for near+sign != far {
				if middle := near + (far-near)/2; pass(middle) {
					far = middle
				} else {
					near = middle
				}
			}
			return dateReason(pointer, t.reason, far, sign, pass(far+sign)), true
		}
	}
	return dossier.Reason{}, false
}

// dateReason says the edge of the days that pass; beyond is whether the next day farther away passes too.
func dateReason(pointer string, why dossier.Reason, edge, sign dossier.Day, beyond bool) dossier.Reason {
	caption := captionOf(pointer, why)
	code := map[bool]dossier.ReasonCode{true: "if_date_from", false: "if_date_by"}[sign > 0]
	if caption == "period_end" {
		code = map[bool]dossier.ReasonCode{true: "if_statement_ended_from", false: "if_statement_ended_by"}[sign > 0]
	}
	if !beyond {
		code = "if_date"
	}
	return say(code, "caption", caption, "date", edge.String())
}

// amount looks among the bound of the rule, the next cent to either side, and the figure that its sum would give.
func (t trial) amount(pointer string, from dossier.Amount) (dossier.Reason, bool) {
	cent := decimal.New(1, -2)
	for _, name := range []string{"bound", "total"} {
		text, _ := t.reason.Args[name].(string)
		bound, err := decimal.NewFromString(text)
		if err != nil {
			continue
		}
		pass := func(d decimal.Decimal) bool { return t.passes(pointer, dossier.Amount{Decimal: d}) }
		for _, d := range []decimal.Decimal{bound, bound.Add(cent), bound.Sub(cent)} {
			if !pass(d) {
				continue
			}
			code := dossier.ReasonCode("if_figure")
			switch {
			case pass(d.Add(cent)) && from.LessThan(d):
				code = "if_figure_from"
			case pass(d.Sub(cent)) && from.GreaterThan(d):
				code = "if_figure_to"
			}
			return say(
				code,
				"caption",
				captionOf(pointer, t.reason),
				"value",
				dossier.Amount{Decimal: d}.String(),
			), true
		}
	}
	return dossier.Reason{}, false
}

// oneOf tries values one after the other.
func (t trial) oneOf(pointer string, code dossier.ReasonCode, name string, values []any) (dossier.Reason, bool) {
	for _, v := range values {
		if t.passes(pointer, v) {
			return say(code, "caption", captionOf(pointer, t.reason), name, v), true
		}
	}
	return dossier.Reason{}, false
}

// kind tries the types of documents that the service knows.
func (t trial) kind() (dossier.Reason, bool) {
	if t.reason.Code != "kind_is" && t.reason.Code != "kind_doubted" {
		return dossier.Reason{}, false
	}
	for _, kind := range kindOrder {
		d := t.doc
		d.DocType, d.Confidence = kind, 1
		if t.asks(d) {
			return say("if_kind", "wanted", string(kind)), true
		}
	}
	return dossier.Reason{}, false
}

// asked are the values that the rule itself names.
func (t trial) asked() []string {
	asked, _ := t.reason.Args["asked"].([]string)
	return asked
}

// names are those that somebody is known by.
func (t trial) names() (names []string) {
	for _, k := range knownNames(t.in.Party) {
		names = append(names, k.name)
	}
	return append(names, t.asked()...)
}

func anyOfTexts(list []string) []any {
	values := make([]any, len(list))
	for i, s := range list {
		values[i] = s
	}
	return values
}

func wholeNumbers(list []string) (values []any) {
	for _, s := range list {
		if n, err := strconv.Atoi(s); err == nil {
			values = append(values, n)
		}
	}
	return values
}

// captionOf names a fact in the table of words for reasons.
func captionOf(pointer string, why dossier.Reason) string {
	for _, name := range []string{"figure", "caption"} {
		if s, ok := why.Args[name].(string); ok {
			return s
		}
	}
	if s, ok := factCaptions[pointer]; ok {
		return s
	}
	return string(why.Code)
}

var factCaptions = map[string]string{
	"/periodEnd": "period_end", "/periodStart": "start_of_period", "/expiryDate": "expiry_date",
	"/dateOfBirth": "date_of_birth", "/closingBalance": "closing_balance",
	"/openingBalance": "opening_balance", "/form": "form_number", "/taxYear": "tax_year", "/ein": "ein",
	"/country": "country_of_issue", "/institution": "institution",
	"/totalDeposits": "total_of_deposits", "/totalWithdrawals": "total_of_withdrawals",
}

var kindOrder = []dossier.DocType{
	dossier.DocBankStatement, dossier.DocTaxReturn, dossier.DocDriversLicense, dossier.DocPassport,
	dossier.DocNationalID, dossier.DocResidencePermit,
	dossier.DocFinancialStatement, dossier.DocPayStub, dossier.DocInvoice, dossier.DocReceipt, dossier.DocUtilityBill,
	dossier.DocCreditCardStatement,
	dossier.DocBrokerageStatement, dossier.DocInvestmentStatement, dossier.DocAssetVerification, dossier.DocLease,
	dossier.DocInsurance, dossier.DocCheck,
	dossier.DocRentRoll, dossier.DocRateConfirmation, dossier.DocSocialSecurityCard,
}
