package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// fact is a leaf of a part's facts, in the order of the answer.
type fact struct {
	Pointer string
	Label   string
	Group   string // what stands above it: "Accounts 1", "Income statement FY 2025"
	First   bool   // of its group
	Value   string
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
}

// maxFacts are shown of one part: a page is quick, and nobody reads a thousand lines beside a picture.
const maxFacts = 250

// leaves lists the facts of a part. Empty lists and objects have none.
func leaves(raw json.RawMessage) ([]fact, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var found []fact
	err := descend(d, "", nil, &found)
	return found, err
}

// descend reads one value. path is what stands above it in words.
func descend(d *json.Decoder, pointer string, path []string, found *[]fact) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	switch t := token.(type) {
	case json.Delim:
		for i := 0; d.More(); i++ {
			name := strconv.Itoa(i)
			if t == '{' {
				key, err := d.Token()
				if err != nil {
					return err
				}
				name = fmt.Sprint(key)
			}
			if err := descend(d, pointer+"/"+escapeName(name), append(path[:len(path):len(path)], name),
				found); err != nil {
				return err
			}
		}
		_, err := d.Token() // the end
		return err
	default:
		*found = append(*found, leaf(pointer, path, t))
	}
	return nil
}

func escapeName(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

func leaf(pointer string, path []string, value any) fact {
	f := fact{Pointer: pointer, Value: plain(value), Kind: kindOf(value)}
	if len(path) > 0 {
		f.Label = nameWords(path[len(path)-1])
	}
	above := []string{}
	for _, name := range path[:max(0, len(path)-1)] {
		if name == "values" || name == "statements" {
			continue
		}
		above = append(above, nameWords(name))
	}
	f.Group = strings.Join(above, " ")
	if n, ok := value.(json.Number); ok {
		f.Value = n.String()
	}
	if f.Kind == "amount" {
		f.Value = grouped(f.Value)
	}
	return f
}

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

// nameWords is a name of the contract in words: closingBalance is "Closing balance", 0 is "1".
func nameWords(name string) string {
	if n, err := strconv.Atoi(name); err == nil {
		return strconv.Itoa(n + 1)
	}
	if s, ok := said[name]; ok {
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
