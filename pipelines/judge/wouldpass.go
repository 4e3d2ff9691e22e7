package judge

import (
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// A counterfactual is found by asking: the rule is asked again with one fact exchanged, until it is met. So it
// needs no knowledge of rules, says nothing that the rule would not do, and what no single fact changes has none.

// withCounterfactual adds to a reason which single fact would have to change, and how, for the rule to hold. It adds
// nothing when several documents fail the rule.
func (in Judgement) withCounterfactual(why dossier.Reason, r rule, parts []dossier.ReadDocument) dossier.Reason {
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
	t := counterfactual{in: in, rule: r, doc: parts[failing]}
	t.reason = r.judge(&evidence{Judgement: &in, doc: t.doc}).why
	if t.reason.Code == "balances_differ" {
		t.reason = r.judge(
			&evidence{Judgement: &in, doc: withoutChecks(t.doc)},
		).why // with the sum that a figure may be set to
	}
	for _, c := range t.reason.Citations {
		if change, ok := t.findChange(c.Pointer); ok {
			return why.With("wouldPass", change)
		}
	}
	if change, ok := t.findType(); ok {
		return why.With("wouldPass", change)
	}
	return why
}

// counterfactual judges one rule on one document with a fact replaced.
type counterfactual struct {
	in     Judgement
	rule   rule
	doc    dossier.ReadDocument
	reason dossier.Reason // why it is not met as it stands
}

func (t counterfactual) isMetWith(pointer string, value any) bool {
	changed, ok := withFact(t.doc, pointer, value)
	return ok && t.isMetBy(changed)
}

func (t counterfactual) isMetBy(d dossier.ReadDocument) bool {
	return t.rule.judge(&evidence{Judgement: &t.in, doc: withoutChecks(d)}).verdict == yes
}

// withoutChecks removes the reconciliation check of the reading, so that the rule computes with the replaced figures.
func withoutChecks(d dossier.ReadDocument) dossier.ReadDocument {
	d.Checks = slices.DeleteFunc(
		slices.Clone(d.Checks),
		func(c dossier.FactCheck) bool { return c.Name == "reconciles" },
	)
	return d
}

// findChange looks for a value of the fact at pointer with which the rule holds.
func (t counterfactual) findChange(pointer string) (dossier.Reason, bool) {
	switch value := t.factValue(pointer).(type) {
	case dossier.Day:
		return t.findDate(pointer, value)
	case dossier.Amount:
		return t.findAmount(pointer, value)
	case int:
		return t.findAmong(pointer, "if_fact", "value", wholeNumbers(t.namedInRule()))
	case string:
		if change, ok := t.findAmong(pointer, "if_name", "known", anyOfTexts(t.knownPartyNames())); ok {
			return change, true
		}
		return t.findAmong(pointer, "if_fact", "value", anyOfTexts(t.namedInRule()))
	}
	return dossier.Reason{}, false
}

// factValue returns the fact at pointer as a day, an amount, a whole number or a text.
func (t counterfactual) factValue(pointer string) any {
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

// maxDateShift is how many days from the printed date another one is tried: ten years.
const maxDateShift = 3653

// findDate looks for the nearest day with which the rule holds: it doubles the distance in both directions, then
// bisects.
func (t counterfactual) findDate(pointer string, from dossier.Day) (dossier.Reason, bool) {
	pass := func(d dossier.Day) bool { return t.isMetWith(pointer, d.String()) }
	for step := dossier.Day(1); step <= maxDateShift; step *= 2 {
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

// dateReason names the first day with which the rule holds; beyond tells whether it holds on the next day too.
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

// findAmount tries the bound of the rule, a cent more and a cent less, and the computed total.
func (t counterfactual) findAmount(pointer string, from dossier.Amount) (dossier.Reason, bool) {
	cent := decimal.New(1, -2)
	for _, name := range []string{"bound", "total"} {
		text, _ := t.reason.Args[name].(string)
		bound, err := decimal.NewFromString(text)
		if err != nil {
			continue
		}
		pass := func(d decimal.Decimal) bool { return t.isMetWith(pointer, dossier.Amount{Decimal: d}) }
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

// findAmong tries the values one after the other.
func (t counterfactual) findAmong(pointer string, code dossier.ReasonCode, name string,
	values []any) (dossier.Reason, bool) {
	for _, v := range values {
		if t.isMetWith(pointer, v) {
			return say(code, "caption", captionOf(pointer, t.reason), name, v), true
		}
	}
	return dossier.Reason{}, false
}

// findType tries the other types of documents.
func (t counterfactual) findType() (dossier.Reason, bool) {
	if t.reason.Code != "kind_is" && t.reason.Code != "kind_doubted" {
		return dossier.Reason{}, false
	}
	for _, kind := range kindOrder {
		d := t.doc
		d.DocType, d.Confidence = kind, 1
		if t.isMetBy(d) {
			return say("if_kind", "wanted", string(kind)), true
		}
	}
	return dossier.Reason{}, false
}

// namedInRule returns the values that the rule itself names.
func (t counterfactual) namedInRule() []string {
	asked, _ := t.reason.Args["asked"].([]string)
	return asked
}

// knownPartyNames returns the names that the lead is known by.
func (t counterfactual) knownPartyNames() (names []string) {
	for _, k := range knownNames(t.in.Party) {
		names = append(names, k.name)
	}
	return append(names, t.namedInRule()...)
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

// captionOf returns the name of a fact in the table of words for reasons.
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
