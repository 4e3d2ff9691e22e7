package console

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// fact is a leaf of a part's facts, in the order of the answer.
type fact struct {
	Pointer string
	Label   string
	Group   string // what stands above it: "Accounts 1", "Income statement FY 2025"
	Value   string
	Raw     string // the value, where Value says it in words
	Kind    string // amount, date, bool, number, text, none
	Doubt   bool   // read with little confidence
	Model   bool   // a language model gave it
	State   string // of its correction: applied, confirmed, conflict
	Machine string // what the engine read, when a person corrected it
	By      string // who
	Derived string // formula in words
	Page    int
	Box     string // x0,y0,x1,y1 in the page's unit, or a cell
	Method  string
	Printed string // as the page shows it
	From    string // JSON of the operands that it is derived from
}

// factBlock is facts that are shown alike: pairs of a label and a value under one heading, or the elements of a list
// as the rows of a table.
type factBlock struct {
	Group   string
	Facts   []fact   // pairs
	Columns []string // of a table, in words
	Money   []bool   // which columns hold amounts
	Rows    [][]cellFact
}

// cellFact is a cell of a table: the fact, or none where the element has no such field.
type cellFact struct {
	fact
	There bool
}

// maxFacts are shown of one part: a page is quick, and nobody reads a thousand lines beside a picture.
const maxFacts = 250

// asMoney makes amounts of the whole dollars of tax forms, whose answers have no decimals. What a form numbers
// stays as it is.
func asMoney(facts []fact) {
	for i := range facts {
		f := &facts[i]
		_, name, _ := cutLast(f.Pointer)
		if f.Kind != "text" || strings.Trim(strings.TrimPrefix(f.Value, "-"), "0123456789") != "" || f.Value == "" ||
			slices.Contains(numbered, name) {
			continue
		}
		f.Kind, f.Value = "amount", grouped(f.Value)
	}
}

// numbered are facts of tax forms whose digits count nothing.
var numbered = []string{"form", "taxYear", "ein", "ssn", "number", "accountNumber", "phone", "preparer"}

// blocksOf lays out facts: what belongs to elements of one flat list becomes a table of at least two rows, everything
// else pairs under its heading. A column in which no element has a value is left out. What has no heading stands first:
// below another's it would seem to belong there.
func blocksOf(facts []fact) []factBlock {
	facts = slices.Clone(facts)
	slices.SortStableFunc(facts, func(a, b fact) int { return cmp.Compare(min(len(a.Group), 1), min(len(b.Group), 1)) })
	var blocks []factBlock
	for at := 0; at < len(facts); {
		list, end := listAt(facts, at)
		if list != nil {
			blocks, at = append(blocks, *list), end
			continue
		}
		if n := len(blocks); n == 0 || blocks[n-1].Rows != nil || blocks[n-1].Group != facts[at].Group {
			blocks = append(blocks, factBlock{Group: facts[at].Group})
		}
		last := &blocks[len(blocks)-1]
		last.Facts = append(last.Facts, facts[at])
		at++
	}
	return blocks
}

// element splits the pointer of a field of a list's element: /entries/3/date is /entries, 3 and date.
func element(pointer string) (list, index, field string, ok bool) {
	rest, field, ok := cutLast(pointer)
	if !ok {
		return "", "", "", false
	}
	list, index, ok = cutLast(rest)
	if _, err := strconv.Atoi(index); err != nil {
		return "", "", "", false
	}
	return list, index, field, ok && list != ""
}

func cutLast(pointer string) (before, after string, ok bool) {
	i := strings.LastIndexByte(pointer, '/')
	if i < 0 {
		return "", "", false
	}
	return pointer[:i], pointer[i+1:], true
}

// listAt is the table of the list that begins at a fact, and where the facts go on behind it.
func listAt(facts []fact, at int) (*factBlock, int) {
	list, _, _, ok := element(facts[at].Pointer)
	if !ok {
		return nil, at
	}
	var fields, indexes []string
	cells := map[string]fact{}
	valued, money := map[string]bool{}, map[string]bool{}
	end := at
	for ; end < len(facts); end++ {
		of, index, field, ok := element(facts[end].Pointer)
		if !ok || of != list {
			break
		}
		if !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
		if len(indexes) == 0 || indexes[len(indexes)-1] != index {
			indexes = append(indexes, index)
		}
		cells[index+" "+field] = facts[end]
		valued[field] = valued[field] || facts[end].Kind != "none" || facts[end].State != ""
		money[field] = money[field] || facts[end].Kind == "amount"
	}
	fields = slices.DeleteFunc(fields, func(field string) bool { return !valued[field] })
	if len(indexes) < 2 || len(fields) == 0 || len(fields) > maxColumns {
		return nil, at
	}
	_, name, _ := cutLast(list)
	block := factBlock{Group: nameWords(name)}
	for _, field := range fields {
		block.Columns, block.Money = append(block.Columns, nameWords(field)), append(block.Money, money[field])
	}
	for _, index := range indexes {
		row := make([]cellFact, len(fields))
		for i, field := range fields {
			row[i].fact, row[i].There = cells[index+" "+field]
		}
		block.Rows = append(block.Rows, row)
	}
	return &block, end
}

// maxColumns stand beside each other in the panel; longer elements are pairs.
const maxColumns = 6

// codeName is a value that the contract lists: DRIVERS_LICENSE.
var codeName = regexp.MustCompile(`^[A-Z]{2,}(_[A-Z]+)+$`)

// kindOf says what a person may type for a fact.
func kindOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "none"
	case bool:
		return "bool"
	case json.Number:
		return "number"
	case string:
		if isAmount(v) {
			return "amount"
		}
		if len(v) == 10 && v[4] == '-' && v[7] == '-' {
			return "date"
		}
	}
	return "text"
}

func isAmount(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	whole, cents, has := strings.Cut(digits, ".")
	return whole != "" && strings.Trim(whole, "0123456789") == "" && has && cents != "" && strings.Trim(cents,
		"0123456789") == ""
}

// grouped is a decimal with commas between its thousands.
func grouped(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "−", s[1:]
	}
	whole, cents, has := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if has {
		whole += "." + cents
	}
	return sign + whole
}

// nameWords is a name of the contract in words: closingBalance is "Closing balance".
func nameWords(name string) string {
	if s, ok := stateLabels[name]; ok {
		return s
	}
	var out strings.Builder
	for i, r := range name {
		switch {
		case i == 0:
			out.WriteRune(unicode.ToUpper(r))
		case unicode.IsUpper(r):
			out.WriteRune(' ')
			out.WriteRune(unicode.ToLower(r))
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
