package dossier

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// otherFacts are the facts of the types that have no struct of their own (facts.md): text unless named in a table
// below.
var otherFacts = func() map[DocType][]string {
	bill := "issuer merchant institution name number date dueDate statementDate total amountDue currentBalanceDue"
	account := "institution accountHolder name accountNumber periodStart periodEnd openingBalance closingBalance " +
		"portfolioValue accounts " +
		"daysRequested requestedOn totalAssets"
	rest := "landlord tenant insured date asOf number name ssn form planYearBegin total address"
	facts := map[DocType][]string{}
	for t, names := range map[DocType]string{
		DocTaxFormOther: "form taxYear quarter entityName taxpayer name ein ssn employer employee employees wages " +
			"federalTaxWithheld lines",
		DocPayStub: "company employee title periodStart periodEnd payDate totalEarnings totalEarningsYtd netPay",
		DocInvoice: bill, DocReceipt: bill, DocUtilityBill: bill,
		DocCreditCardStatement: account, DocBrokerageStatement: account, DocInvestmentStatement: account,
		DocAssetVerification: account,
		DocLease:             rest, DocInsurance: rest, DocCheck: rest, DocBenefitPlanReport: rest, DocRentRoll: rest,
		DocRateConfirmation:   rest,
		DocSocialSecurityCard: rest, DocOther: "title reportDate",
	} {
		facts[t] = strings.Fields(names)
	}
	return facts
}()

// Other facts that are amounts, and whole numbers.
var (
	otherAmounts = wordSet(
		"total amountDue currentBalanceDue openingBalance closingBalance portfolioValue totalAssets wages " +
			"federalTaxWithheld totalEarnings totalEarningsYtd netPay",
	)
	otherCounts = wordSet("taxYear employees accounts daysRequested")
	dateFacts   = wordSet(
		"statementDate periodStart periodEnd dateOfBirth issueDate expiryDate start end date dueDate payDate " +
			"requestedOn asOf planYearBegin reportDate",
	)
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

var (
	amountType = reflect.TypeFor[Amount]()
)

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

// PointerStep writes a name as a step of a JSON pointer, without the slash before it. Source: RFC 6901 section 3.
func PointerStep(name string) string { return pointerEscapes.Replace(name) }

// pointerSteps are the members that a JSON pointer names, in order.
func pointerSteps(pointer string) ([]string, bool) {
	if !strings.HasPrefix(pointer, "/") {
		return nil, false
	}
	steps := strings.Split(pointer[1:], "/")
	for i, s := range steps {
		steps[i] = strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
	}
	return steps, true
}

// factPlace is where a fact stands: get and set work on the facts it was found in.
type factPlace struct {
	kind     reflect.Type // string, bool, int, int64, Amount
	nullable bool
	name     string
	get      func() (any, bool)
	set      func(reflect.Value) // the zero Value: it is not there
}

// find walks a pointer into the facts of a type. grow makes what is missing on the way: one element behind the last
// of a list, and what is nil. Not ok: no such fact.
func (f *Facts) find(t DocType, pointer string, grow bool) (factPlace, bool) {
	steps, ok := pointerSteps(pointer)
	if !ok {
		return factPlace{}, false
	}
	switch {
	case f.Bank != nil:
		return findIn(reflect.ValueOf(f.Bank).Elem(), steps, grow)
	case f.Tax != nil:
		return findIn(reflect.ValueOf(f.Tax).Elem(), steps, grow)
	case f.Identity != nil:
		return findIn(reflect.ValueOf(f.Identity).Elem(), steps, grow)
	case f.Statement != nil:
		return findIn(reflect.ValueOf(f.Statement).Elem(), steps, grow)
	}
	return f.findOther(t, steps)
}

func findIn(v reflect.Value, steps []string, grow bool) (factPlace, bool) {
	for i, step := range steps {
		last := i == len(steps)-1
		switch v.Kind() {
		case reflect.Struct:
			field, ok := fieldNamed(v, step)
			if !ok {
				return factPlace{}, false
			}
			if last {
				return placeOf(field, step)
			}
			if field.Kind() == reflect.Pointer {
				if field.IsNil() {
					if !grow {
						return placeBelow(field.Type().Elem(), steps[i+1:])
					}
					field.Set(reflect.New(field.Type().Elem()))
				}
				field = field.Elem()
			}
			v = field
		case reflect.Slice:
			n, err := strconv.Atoi(step)
			if err != nil || n < 0 || n > v.Len() || strconv.Itoa(n) != step {
				return factPlace{}, false
			}
			if n == v.Len() {
				if !grow {
					return placeBelow(v.Type().Elem(), steps[i+1:])
				}
				v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
			}
			v = v.Index(n)
			if last {
				return placeOf(v, step)
			}
		case reflect.Map:
			return placeInMap(v, step, last, grow)
		default:
			return factPlace{}, false
		}
	}
	return factPlace{}, false
}

// placeBelow is a fact of something that is not there yet: nothing is read.
func placeBelow(t reflect.Type, steps []string) (factPlace, bool) {
	fresh := reflect.New(t).Elem()
	if len(steps) == 0 {
		return placeOf(fresh, "")
	}
	return findIn(fresh, steps, false)
}

func fieldNamed(v reflect.Value, name string) (reflect.Value, bool) {
	for i := range v.NumField() {
		if tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); tag == name {
			return v.Field(i), true
		}
	}
	return reflect.Value{}, false
}

// placeOf is a fact that is one value; lists and objects are corrected by their members.
func placeOf(v reflect.Value, name string) (factPlace, bool) {
	p := factPlace{kind: v.Type(), name: name}
	if v.Kind() == reflect.Pointer {
		p.kind, p.nullable = v.Type().Elem(), true
	}
	if p.kind != amountType &&
		(p.kind.Kind() == reflect.Struct || p.kind.Kind() == reflect.Slice || p.kind.Kind() == reflect.Map) {
		return p, false
	}
	p.get = func() (any, bool) {
		if p.nullable {
			if v.IsNil() {
				return nil, false
			}
			return v.Elem().Interface(), true
		}
		return v.Interface(), true
	}
	p.set = func(value reflect.Value) {
		switch {
		case !value.IsValid():
			v.SetZero()
		case p.nullable:
			held := reflect.New(p.kind)
			held.Elem().Set(value)
			v.Set(held)
		default:
			v.Set(value)
		}
	}
	return p, true
}

// placeInMap is a figure by its row or line, which may be a new one.
func placeInMap(m reflect.Value, key string, last, grow bool) (factPlace, bool) {
	if !last || key == "" || m.Type().Elem() != amountType {
		return factPlace{}, false
	}
	if m.IsNil() && grow {
		m.Set(reflect.MakeMap(m.Type()))
	}
	at := reflect.ValueOf(key)
	return factPlace{kind: amountType, nullable: true, name: key,
		get: func() (any, bool) {
			if v := m.MapIndex(at); v.IsValid() {
				return v.Interface(), true
			}
			return nil, false
		},
		set: func(value reflect.Value) { m.SetMapIndex(at, value) }}, true
}

// findOther is a fact of a type without a struct: a text, or an amount or number by its name.
func (f *Facts) findOther(t DocType, steps []string) (factPlace, bool) {
	held, name := f.Other, steps[0]
	known := len(steps) == 1 && name != "lines" && slices.Contains(otherFacts[t], name)
	if _, there := held[name].([]any); there {
		return factPlace{}, false
	}
	if _, there := held[name].(map[string]any); len(steps) == 2 && name == "lines" && (there || held[name] == nil) &&
		slices.Contains(otherFacts[t], name) {
		lines, _ := held[name].(map[string]any)
		return otherPlace(amountType, steps[1], func() map[string]any { return lines }, func() map[string]any {
			if lines == nil {
				lines = map[string]any{}
				f.other()[name] = lines
			}
			return lines
		}), true
	}
	if _, there := held[name]; len(steps) != 1 || !known && !there {
		return factPlace{}, false
	}
	kind := reflect.TypeFor[string]()
	switch _, isBool := held[name].(bool); {
	case isBool:
		kind = reflect.TypeFor[bool]()
	case otherAmounts[name]:
		kind = amountType
	case otherCounts[name]:
		kind = reflect.TypeFor[int]()
	}
	return otherPlace(kind, name, func() map[string]any { return f.Other }, f.other), true
}

func (f *Facts) other() map[string]any {
	if f.Other == nil {
		f.Other = map[string]any{}
	}
	return f.Other
}

func otherPlace(kind reflect.Type, name string, read, write func() map[string]any) factPlace {
	return factPlace{kind: kind, nullable: true, name: name,
		get: func() (any, bool) { v, ok := read()[name]; return v, ok && v != nil },
		set: func(value reflect.Value) {
			switch {
			case !value.IsValid():
				delete(write(), name)
			case kind == amountType:
				write()[name] = value.Interface().(Amount).String()
			case kind.Kind() == reflect.Int:
				write()[name] = float64(value.Int()) // as JSON has it
			default:
				write()[name] = value.Interface()
			}
		}}
}

// read is what the facts say at a pointer, as JSON; null when they say nothing. Not ok: there is no such fact.
func (f *Facts) read(t DocType, pointer string) (json.RawMessage, bool) {
	p, ok := f.find(t, pointer, false)
	if !ok {
		return nil, false
	}
	if v, there := p.get(); there {
		return jsonOf(v), true
	}
	return json.RawMessage("null"), true
}

// write puts a value that checkFact passed at a pointer.
func (f *Facts) write(t DocType, pointer string, value json.RawMessage) error {
	p, ok := f.find(t, pointer, true)
	if !ok {
		return Errorf(Invalid, "no fact %s", pointer)
	}
	typed, problem := p.parse(value)
	if problem != "" {
		return Errorf(Invalid, "%s", problem)
	}
	p.set(typed)
	return nil
}

// checkFact says whether a value can be that of a fact, and gives it in its canonical form.
func (d *ReadDocument) checkFact(
	pointer string,
	value json.RawMessage,
) (canonical json.RawMessage, field, problem string) {
	p, ok := d.Facts.find(d.DocType, pointer, false)
	if !ok {
		return nil, "pointer", fmt.Sprintf("a %s has no fact %s", d.DocType, pointer)
	}
	typed, problem := p.parse(value)
	if problem != "" {
		return nil, "value", problem
	}
	if !typed.IsValid() {
		return json.RawMessage("null"), "", ""
	}
	if s, ok := typed.Interface().(string); ok {
		if p.name == "ssn" && !strings.HasPrefix(s, "***-**-") {
			s = MaskSSN(s)
		}
		return jsonOf(MaskSecrets(s)), "", ""
	}
	return jsonOf(typed.Interface()), "", ""
}

var amountForm = regexp.MustCompile(`^-?\d{1,18}(\.\d{1,6})?$`)

// parse reads a value of the fact's type; the zero Value for null.
func (p factPlace) parse(value json.RawMessage) (typed reflect.Value, problem string) {
	if string(value) == "null" || len(value) == 0 {
		if !p.nullable {
			return typed, "this fact cannot be null"
		}
		return typed, ""
	}
	if p.kind == amountType {
		var s string
		if json.Unmarshal(value, &s) != nil || !amountForm.MatchString(s) {
			return typed, "must be an amount as a decimal string, such as \"1234.50\""
		}
		var a Amount
		if err := json.Unmarshal(value, &a); err != nil {
			return typed, "must be an amount as a decimal string, such as \"1234.50\""
		}
		return reflect.ValueOf(a), ""
	}
	held := reflect.New(p.kind)
	if err := json.Unmarshal(value, held.Interface()); err != nil {
		return typed, "must be " + kindWords[p.kind.Kind()]
	}
	typed = held.Elem()
	if s, ok := typed.Interface().(string); ok {
		_, isDay := ParseDay(s)
		switch {
		case dateFacts[p.name] && !isDay:
			return typed, "must be a date in the form YYYY-MM-DD"
		case strings.TrimSpace(s) == "" || len(s) > 2000:
			return typed, "must be a text of 1 to 2000 bytes, or null"
		}
	}
	return typed, ""
}

var kindWords = map[reflect.Kind]string{
	reflect.String: "a text",
	reflect.Bool:   "true or false",
	reflect.Int:    "a whole number",
	reflect.Int64:  "a whole number",
}

// sameFact reports whether two values say the same: amounts by their value.
func sameFact(a, b json.RawMessage) bool {
	if string(a) == string(b) {
		return true
	}
	var x, y string
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil || !amountForm.MatchString(x) ||
		!amountForm.MatchString(y) {
		return false
	}
	var p, q Amount
	return json.Unmarshal(a, &p) == nil && json.Unmarshal(b, &q) == nil && p.Equal(q.Decimal)
}
