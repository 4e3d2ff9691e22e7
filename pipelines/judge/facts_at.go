package judge

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/dossierhq/dossier"
)

// factPointers returns the JSON pointers of amounts among the facts of d. An amount is found by its address; one that
// is nil, or neither at the top of the facts nor in an account, has no pointer.
func factPointers(d dossier.ReadDocument, amounts ...*dossier.Amount) (pointers []string) {
	for _, a := range amounts {
		if a == nil {
			continue
		}
		for _, facts := range factStructs(d) {
			if name := fieldHolding(facts.value, a); name != "" {
				pointers = append(pointers, facts.prefix+"/"+name)
				break
			}
		}
	}
	return pointers
}

func countPointers(d dossier.ReadDocument, n *int) []string {
	for _, facts := range factStructs(d) {
		if name := fieldHolding(facts.value, n); name != "" {
			return []string{facts.prefix + "/" + name}
		}
	}
	return nil
}

type factStruct struct {
	prefix string
	value  reflect.Value
}

func factStructs(d dossier.ReadDocument) (list []factStruct) {
	switch f := d.Facts; {
	case f.Bank != nil:
		list = append(list, factStruct{"", reflect.ValueOf(f.Bank).Elem()})
		for i := range f.Bank.Accounts {
			list = append(list, factStruct{fmt.Sprintf("/accounts/%d", i), reflect.ValueOf(&f.Bank.Accounts[i]).Elem()})
		}
	case f.Tax != nil:
		list = append(list, factStruct{"", reflect.ValueOf(f.Tax).Elem()})
	case f.Identity != nil:
		list = append(list, factStruct{"", reflect.ValueOf(f.Identity).Elem()})
	case f.Statement != nil:
		list = append(list, factStruct{"", reflect.ValueOf(f.Statement).Elem()})
	}
	return list
}

// fieldHolding returns the JSON name of the field whose address is pointer.
func fieldHolding[T any](facts reflect.Value, pointer *T) string {
	for i := range facts.NumField() {
		if held, ok := facts.Field(i).Interface().(*T); ok && held == pointer {
			return jsonName(facts.Type().Field(i))
		}
	}
	return ""
}

func jsonName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name
}

// withFact returns d with one fact at the top of its facts replaced, and whether it has such a fact. The value is a
// text, a whole number or an amount, as the fact is.
func withFact(d dossier.ReadDocument, pointer string, value any) (dossier.ReadDocument, bool) {
	name := strings.TrimPrefix(pointer, "/")
	if strings.Contains(name, "/") {
		return d, false
	}
	switch f := d.Facts; {
	case f.Bank != nil:
		d.Facts.Bank = withField(f.Bank, name, value)
		return d, d.Facts.Bank != nil
	case f.Tax != nil:
		d.Facts.Tax = withField(f.Tax, name, value)
		return d, d.Facts.Tax != nil
	case f.Identity != nil:
		d.Facts.Identity = withField(f.Identity, name, value)
		return d, d.Facts.Identity != nil
	case f.Statement != nil:
		d.Facts.Statement = withField(f.Statement, name, value)
		return d, d.Facts.Statement != nil
	}
	if _, ok := d.Facts.Other[name]; !ok {
		return d, false
	}
	facts := map[string]any{}
	for k, v := range d.Facts.Other {
		facts[k] = v
	}
	if a, ok := value.(dossier.Amount); ok {
		value = a.String()
	}
	facts[name] = value
	d.Facts.Other = facts
	return d, true
}

// withField returns a copy of facts with one field set, or nil when no field has that name and type.
func withField[T any](facts *T, name string, value any) *T {
	changed := *facts
	fields := reflect.ValueOf(&changed).Elem()
	for i := range fields.NumField() {
		if jsonName(fields.Type().Field(i)) != name {
			continue
		}
		v := reflect.ValueOf(value)
		if fields.Field(i).Type() != reflect.PointerTo(v.Type()) {
			return nil
		}
		holder := reflect.New(v.Type())
		holder.Elem().Set(v)
		fields.Field(i).Set(holder)
		return &changed
	}
	return nil
}
