package text

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// MethodBarcode is the method of what a code of bars says: its own correction words prove it.
const MethodBarcode = "barcode"

// Coded is one element of a code in the picture of a page: its name by the standard, and its value where the code is.
type Coded struct {
	Name string // "DAQ"; CodedIssuer and CodedKind of what stands before the elements
	Token
}

// What stands before the elements of a card's code: the number of who issued it, and DL or ID.
const (
	CodedIssuer = "IIN"
	CodedKind   = "kind"
)

// cardHead matches the head of the code on a licence or an identity card: the file's type and its issuer.
var cardHead = lazyregexp.New(`(?:ANSI|AAMVA) ?(\d{6})`)

// cardBody matches the begin of the elements: the kind of the card, and the name of the first.
var cardBody = lazyregexp.New(`(DL|ID)(D[A-Z]{2})`)

// cardElements are the elements that facts are made of: the number, names, dates, sex, address and country, and the
// flags of names that are cut short. What else a code says of a person is not kept. Source: AAMVA DL/ID card design
// standard, annex D; 2000 to 2020.
var cardElements = WordSet("DAQ DCS DAB DAC DCT DAD DAA DBB DBA DBD DBC DAG DAH DAI DAJ DAK DAL DAN DAO DAP DCG " +
	"DDE DDF DDG")

// What a code has at most, so that a hostile one costs nothing.
const (
	mostElements = 60
	mostOfValue  = 80
)

// CardElements are the elements of a licence's or an identity card's code, in any order; none of another code. The
// places and lengths that its head names are not used: printers get them wrong.
func CardElements(code string) []Coded {
	head := cardHead.FindStringSubmatchIndex(code)
	if head == nil || head[0] > 12 {
		return nil
	}
	body := cardBody.FindStringSubmatchIndex(code[head[1]:])
	if body == nil {
		return nil
	}
	rest := code[head[1]:]
	named := func(name, value string) Coded { return Coded{Name: name, Token: Token{Text: value}} }
	found := []Coded{named(CodedIssuer, code[head[2]:head[3]]), named(CodedKind, rest[body[2]:body[3]])}
	seen := map[string]bool{}
	for _, line := range strings.FieldsFunc(rest[body[4]:], func(r rune) bool { return r < ' ' }) {
		if len(line) < 4 || !cardElements[line[:3]] || seen[line[:3]] || len(found) == mostElements {
			continue
		}
		value := strings.Join(strings.Fields(line[3:]), " ")
		if value == "" || len(value) > mostOfValue {
			continue
		}
		seen[line[:3]] = true
		found = append(found, named(line[:3], value))
	}
	if len(found) < 4 {
		return nil
	}
	return found
}
