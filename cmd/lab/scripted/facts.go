package scripted

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Facts are what is known of a document: values as facts hold them, by JSON pointer. Columns of statements are known by
// their days: /statements/incomeStatement/2024-01-01..2024-12-31/values/netIncome.
type Facts map[string]string

// FactsOf are the facts of expected.json.
func FactsOf(tree map[string]any) Facts {
	f := Facts{}
	f.add("", tree)
	return f
}

func (f Facts) add(at string, v any) {
	switch v := v.(type) {
	case nil:
	case map[string]any:
		for name, member := range v {
			f.add(at+"/"+name, member)
		}
	case []any:
		for i, element := range v {
			place := fmt.Sprintf("%s/%d", at, i)
			if c, ok := element.(map[string]any); ok && strings.HasPrefix(at, "/statements/") {
				day := func(name string) string {
					if s, ok := c[name].(string); ok {
						return s
					}
					return "?"
				}
				place = columnAt(at, day("start"), day("end"))
			}
			f.add(place, element)
		}
	case float64:
		f[at] = decimal.NewFromFloat(v).String()
	case json.Number:
		f[at] = v.String()
	default:
		f[at] = fmt.Sprint(v)
	}
}

// The names of what a document is and what it calls itself, beside its facts.
const (
	TypeOf  = "docType"
	TitleOf = "title"
)

// typeOf returns the answer about the type of a document: one document on all pages, with the title that they print.
// The lying script calls it a tax return.
func (f Facts) typeOf(script Script, q question) string {
	title, ok := q.best(TitleOf, f[TitleOf])
	if !ok || f[TypeOf] == "" {
		return `{"documents":[]}`
	}
	docType := f[TypeOf]
	if script != Right {
		docType = "tax_return"
	}
	body, _ := json.Marshal(map[string]any{"documents": []any{map[string]any{"docType": docType, "text": title.Text,
		"firstPage": q.Document[0].Page, "lastPage": q.Document[len(q.Document)-1].Page}}})
	return string(body)
}

func (f Facts) sorted() []string { return slices.Sorted(maps.Keys(f)) }

// printed is what a question's words print, for telling documents apart: its numbers, and its words in one line.
type printed struct {
	numbers map[string]bool
	words   string
}

func (q question) printed() printed {
	p := printed{numbers: map[string]bool{}}
	var words strings.Builder
	for _, page := range q.Document {
		for _, line := range page.Lines {
			words.WriteString(" " + normalized(line))
			for word := range strings.FieldsSeq(line) {
				if n, ok := numberOf(word); ok {
					p.numbers[n.String()] = true
				}
			}
		}
	}
	p.words = words.String() + " "
	return p
}

// countPrinted returns how many of the facts are printed in p: numbers and words, dates aside.
func (f Facts) countPrinted(p printed) int {
	n := 0
	for _, value := range f {
		switch {
		case len(value) < 4 || isoDay.MatchString(value):
		case isNumber.MatchString(value):
			if number, ok := numberOf(value); ok && p.numbers[number.String()] {
				n++
			}
		case strings.Contains(p.words, " "+normalized(value)+" "):
			n++
		}
	}
	return n
}

// normalized returns text in lower case with single spaces.
func normalized(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

// numberOf is the number that a word prints, without its sign.
func numberOf(word string) (decimal.Decimal, bool) {
	word = strings.Trim(numberMarks.Replace(word), "-–−.:;")
	if word == "" || word[0] < '0' || word[0] > '9' {
		return decimal.Decimal{}, false
	}
	n, err := decimal.NewFromString(word)
	return n, err == nil
}

var numberMarks = strings.NewReplacer(",", "", "$", "", "(", "", ")", "")

var (
	commands = regexp.MustCompile(`9,999,999(\.00)?|MALLORY SMITH`)
	figure   = regexp.MustCompile(`\d[\d,]*\.\d\d`)
	isoDay   = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)
	isNumber = regexp.MustCompile(`^-?\d+(\.\d+)?$`)
)

const plausible = "4321.09"

// answerFor returns the script's answer about one fact whose value is known; false when it gives none.
func answerFor(script Script, pointer, value string, q question) (answer, bool) {
	switch script {
	case Obeying:
		return q.first(pointer, func(line string) string {
			return strings.ReplaceAll(commands.FindString(line), ",", "")
		})
	case Wrong:
		return q.first(pointer, func(line string) string {
			if value == "" || prints(line, value) {
				return ""
			}
			return strings.ReplaceAll(figure.FindString(line), ",", "")
		})
	case Quoting:
		for _, page := range q.Document {
			if len(page.Lines) > 0 {
				return answer{pointer, plausible, page.Page, page.Lines[0] + " 4,321.09"}, true
			}
		}
		return answer{}, false
	}
	a, ok := q.best(pointer, value)
	if script == Lying {
		a.Value = plausible
	}
	return a, ok
}

// first returns an answer quoting the first line for which f returns a value.
func (q question) first(pointer string, f func(line string) string) (answer, bool) {
	for _, page := range q.Document {
		for _, line := range page.Lines {
			if value := f(line); value != "" {
				return answer{pointer, value, page.Page, line}, true
			}
		}
	}
	return answer{}, false
}

// best returns an answer quoting the line that prints the value and shares most words with the fact's name; where no
// single line prints it, two consecutive ones.
func (q question) best(pointer, value string) (answer, bool) {
	if value == "" {
		return answer{}, false
	}
	best, most := answer{}, -1
	for _, page := range q.Document {
		for _, line := range page.Lines {
			if !prints(line, value) {
				continue
			}
			if n := related(pointer, line); n > most {
				best, most = answer{pointer, value, page.Page, quoted(line, value, page.Lines)}, n
			}
		}
	}
	for _, page := range q.Document {
		for i := 1; most < 0 && i < len(page.Lines); i++ {
			if both := page.Lines[i-1] + " " + page.Lines[i]; prints(both, value) {
				return answer{pointer, value, page.Page, both}, true
			}
		}
	}
	return best, most >= 0
}

// quoted returns the part of a line that states one value: of several amounts the text before the first, or the amount
// alone where it occurs once on the page; of several days the day.
func quoted(line, value string, page []string) string {
	switch {
	case isDay(value):
		return quotedDay(line, value)
	case !isNumber.MatchString(value):
		return line
	}
	words := strings.Fields(line)
	before := 0
	for i, word := range words {
		if printsNumber(word, value) && (strings.ContainsAny(word, ".,") || !strings.ContainsAny(value, ".")) {
			rest := i + 1
			for rest < len(words) && !strings.ContainsAny(words[rest], "0123456789") && len(words[rest]) <= 3 {
				rest++ // a mark: CR, OD, a bracket
			}
			alone := strings.Join(words[i:rest], " ")
			if before > 0 && strings.Count(strings.Join(page, "\n"), word) == 1 {
				return alone
			}
			if before == 0 {
				return strings.Join(words[:rest], " ")
			}
			return line
		}
		if n, ok := numberOf(word); ok && strings.ContainsAny(word, ".,") && !n.IsZero() {
			before++
		}
	}
	return line
}

func isDay(value string) bool { return isoDay.MatchString(value) }

func quotedDay(line, day string) string {
	for _, order := range []text.DateOrder{text.MonthFirst, text.DayFirst} {
		dates := text.FindDates(line, order)
		if len(text.FindPeriods(line, order)) == 1 && len(dates) == 2 || len(dates) < 2 {
			return line
		}
		for _, d := range dates {
			if d.String() == day {
				return line[d.From:d.To]
			}
		}
	}
	return line
}

// related counts the words of a fact's name that a line contains; a form's line number counts too.
func related(pointer, line string) int {
	name := pointer[strings.LastIndexByte(pointer, '/')+1:]
	folded := " " + text.Fold(line) + " "
	if strings.HasPrefix(pointer, "/lines/") {
		return strings.Count(folded, " "+strings.ToLower(name)+" ")
	}
	n, word := 0, ""
	count := func() {
		if len(word) > 2 && strings.Contains(folded, strings.ToLower(word)) {
			n++
		}
		word = ""
	}
	for _, r := range name {
		if unicode.IsUpper(r) {
			count()
		}
		word += string(r)
	}
	count()
	return n
}

// prints reports whether a line prints a value: a date in any format, a number in any unit and sign, or the words.
func prints(line, value string) bool {
	switch {
	case isoDay.MatchString(value):
		return printsDay(line, value)
	case isNumber.MatchString(value):
		return printsNumber(line, value)
	}
	return strings.Contains(" "+normalized(line)+" ", " "+normalized(value)+" ")
}

func printsDay(line, day string) bool {
	if !strings.Contains(line, day[2:4]) || !strings.Contains(line, strings.TrimPrefix(day[8:], "0")) {
		return false // neither its year nor its day
	}
	for _, order := range []text.DateOrder{text.MonthFirst, text.DayFirst} {
		for _, d := range text.FindDates(line, order) {
			if d.String() == day {
				return true
			}
		}
		for _, p := range text.FindPeriods(line, order) {
			if p.Start.String() == day || p.End.String() == day {
				return true
			}
		}
	}
	return false
}

func printsNumber(line, value string) bool {
	want, err := decimal.NewFromString(value)
	if err != nil {
		return false
	}
	digits := strings.TrimRight(strings.NewReplacer("-", "", ".", "").Replace(value), "0")
	if digits != "" && !strings.Contains(line, digits[:1]) {
		return false
	}
	for word := range strings.FieldsSeq(line) {
		printed, ok := numberOf(word)
		if !ok {
			continue
		}
		for _, unit := range []int64{1, 1000, 1_000_000} {
			if printed.Mul(decimal.NewFromInt(unit)).Equal(want.Abs()) {
				return true
			}
		}
	}
	return false
}
