package dossier

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// reasonVoice is how a reason is said.
type reasonVoice struct {
	language Language
	sentence bool                                       // it stands alone: the first letter is a capital
	day      func(language Language, day string) string // nil: dates stay as they are stored
}

// reasonPlace is a place for a value in the words of a reason: {name} or {name:form}.
var reasonPlace = regexp.MustCompile(`\{([a-zA-Z]*)(?::([^}]+))?\}`)

// englishPlace is a place for a value that is an English sentence: of a model, of a check, of a verdict before there
// were codes.
var englishPlace = regexp.MustCompile(`\{(?:text|reason|detail)\}`)

// sentence composes what stands before the reason's own words (the file, that a person is asked, the pages) and the
// words.
func (r Reason) sentence(v reasonVoice) string {
	w := reasonWords[r.Code]
	words := w.in(v.language)
	said := reasonPlace.ReplaceAllStringFunc(words, func(place string) string {
		name, form, _ := strings.Cut(strings.Trim(place, "{}"), ":")
		return v.fill(r.Args, name, form)
	})
	if pages := pagesWords(v.language, r.Args["pages"]); pages != "" {
		said = pages + ": " + said
	}
	for _, also := range nestedReasons(r.Args["also"]) {
		said += " " + also.sentence(reasonVoice{v.language, true, v.day})
	}
	if r.Asks() {
		if !strings.HasPrefix(words, "{") {
			said = lowerFirst(said)
		}
		said = map[bool]string{true: "hace falta una persona: ", false: "needs a person: "}[v.language == Spanish] +
			said
	}
	if file, ok := r.Args["file"].(string); ok {
		return file + ": " + said
	}
	if v.sentence && v.language == Spanish && !strings.HasPrefix(words, "{document") &&
		!strings.HasPrefix(words, "{text") {
		said = upperFirst(said)
	}
	return said
}

func (w reasonWording) in(language Language) string {
	if language == Spanish {
		return w.es
	}
	return w.en
}

// lowerFirst continues a sentence, unless it begins with a name or an abbreviation.
func lowerFirst(s string) string {
	if len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'a' && s[1] <= 'z' {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

func upperFirst(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// fill says one value in the form that the words ask for.
func (v reasonVoice) fill(args ReasonArgs, name, form string) string {
	value := args[name]
	if unit, ok := strings.CutPrefix(form, "#"); ok {
		return v.count(whole(value), unit)
	}
	switch form {
	case "":
		return plainText(value)
	case "date":
		return v.date(plainText(value))
	case "q":
		return fmt.Sprintf("%q", strings.Join(texts(value), ", "))
	case "list":
		return strings.Join(texts(value), ", ")
	case "or":
		return v.either(quoted(texts(value)))
	case "money":
		return moneyText(plainText(value))
	case "share":
		return fmt.Sprintf("%.2f", fraction(value))
	}
	switch form, table, _ := strings.Cut(form, "."); form {
	case "word":
		return strings.Join(v.words(table, value), "")
	case "words":
		return strings.Join(v.words(table, value), ", ")
	case "orwords":
		return v.either(v.words(table, value))
	case "tail":
		if value == nil {
			return ""
		}
		return "; " + strings.Join(v.words(table, value), "")
	}
	return v.special(args, name, form)
}

// words says each of a list by a table of nouns ("": the table of facts and figures).
func (v reasonVoice) words(table string, value any) []string {
	list := texts(value)
	for i, s := range list {
		if table != "" {
			s = table + "." + s
		}
		list[i] = v.word(s)
	}
	return list
}

// special says what several values make together, or nothing when they are missing.
func (v reasonVoice) special(args ReasonArgs, name, form string) string {
	switch form {
	case "ago":
		return v.ago(plainText(args[name]), args["today"])
	case "kind":
		return v.kind(args)
	case "document":
		if s := plainText(args[name]); s != "" {
			return s
		}
		return v.word("the_document")
	case "account":
		return v.account(args[name])
	case "run":
		if args["runFrom"] == nil {
			return ""
		}
		return v.pick(", with the item's other documents ", ", con los demás documentos ") +
			v.span(args["runFrom"], args["runTo"])
	case "ending":
		if said := v.ago(plainText(args[name]), args["today"]); said != "" {
			return v.pick(", ending ", ", termina ") + strings.TrimPrefix(said, ", ")
		}
		return ""
	case "length":
		if args[name] == nil {
			return ""
		}
		return ", " + v.count(whole(args[name]), "day")
	case "how":
		if how := v.how(args); how != "" {
			return " (" + how + ")"
		}
	}
	return ""
}

func (v reasonVoice) pick(english, spanish string) string {
	if v.language == Spanish {
		return spanish
	}
	return english
}

func (v reasonVoice) date(day string) string {
	if v.day != nil {
		return v.day(v.language, day)
	}
	return day
}

func (v reasonVoice) span(from, to any) string {
	return v.date(plainText(from)) + v.pick(" to ", " al ") + v.date(plainText(to))
}

func (v reasonVoice) either(list []string) string { return strings.Join(list, v.pick(" or ", " o ")) }

// count writes "1 month", "3 months".
func (v reasonVoice) count(n int, unit string) string {
	words := map[string][2]string{"day": {"día", "días"}, "month": {"mes", "meses"},
		"tax year": {"año fiscal", "años fiscales"},
		"fact":     {"dato", "datos"}, "page": {"página", "páginas"}}[unit]
	if v.language != Spanish {
		words = [2]string{unit, unit + "s"}
	}
	if n == 1 {
		return "1 " + words[0]
	}
	return fmt.Sprintf("%d %s", n, words[1])
}

// ago says how far a day lies from the day of judging, with a comma before it; "" when that day is not told.
func (v reasonVoice) ago(day string, today any) string {
	d, ok1 := ParseDay(day)
	t, ok2 := ParseDay(plainText(today))
	if !ok1 || !ok2 {
		return ""
	}
	switch n := int(t - d); {
	case n == 0:
		return v.pick(", the day of judging", ", el día en que se revisó")
	case n < 0:
		return fmt.Sprintf(v.pick(", %s after %s", ", %s después del %s"), v.count(-n, "day"), v.date(t.String()))
	default:
		return fmt.Sprintf(v.pick(", %s before %s", ", %s antes del %s"), v.count(n, "day"), v.date(t.String()))
	}
}

// kind says what a document is: "Form 1120-S for 2023", "a driver's license".
func (v reasonVoice) kind(args ReasonArgs) string {
	form, year := plainText(args["form"]), plainText(args["taxYear"])
	switch {
	case form != "" && year != "":
		return fmt.Sprintf(v.pick("Form %s for %s", "el formulario %s de %s"), form, year)
	case form != "":
		return v.pick("Form ", "el formulario ") + form
	}
	return v.word("kind." + plainText(args["docType"]))
}

// account names the account whose figures do not add up: null is the statement, "" an account without a name.
func (v reasonVoice) account(name any) string {
	switch s, named := name.(string); {
	case !named:
		return v.pick("The statement", "El estado de cuenta")
	case s == "":
		return v.pick("The account", "La cuenta")
	default:
		return s
	}
}

// how says how a figure comes about when it is not printed as it is.
func (v reasonVoice) how(args ReasonArgs) string {
	days, entries := args["days"], args["entries"]
	switch {
	case args["on"] != nil:
		return v.pick("on ", "el ") + v.date(plainText(args["on"]))
	case args["terms"] != nil:
		terms := texts(args["terms"])
		for i, t := range terms {
			terms[i] = moneyText(t)
		}
		return strings.Join(terms, " + ")
	case args["column"] != nil:
		return plainText(args["column"])
	case days != nil && entries != nil:
		return fmt.Sprintf(
			v.pick("computed over %s from %d entries", "calculado sobre %s con %d movimientos"),
			v.count(whole(days), "day"),
			whole(entries),
		)
	case days != nil:
		return v.pick("of ", "de ") + v.count(whole(days), "day")
	case entries == nil:
		return ""
	}
	how := fmt.Sprintf(v.pick("of %d entries", "de %d movimientos"), whole(entries))
	if args["first"] != nil {
		how += v.pick(", the first ", ", el primero ") + v.date(plainText(args["firstOn"])) +
			fmt.Sprintf(" %q", plainText(args["first"]))
	}
	return how
}

// word says a word of the table; what is not in it is said as it is written, without underscores.
func (v reasonVoice) word(key string) string {
	w, ok := reasonNouns[key]
	switch {
	case !ok:
		_, name, dotted := strings.Cut(key, ".")
		if !dotted {
			name = key
		}
		return strings.ReplaceAll(name, "_", " ")
	case v.language == Spanish:
		return w[1]
	}
	return w[0]
}

func pagesWords(language Language, pages any) string {
	list := texts(pages)
	v := reasonVoice{language: language}
	switch {
	case len(list) != 2:
		return ""
	case list[0] == list[1]:
		return v.pick("Page ", "Página ") + list[0]
	}
	return v.pick("Pages ", "Páginas ") + list[0] + v.pick(" to ", " a ") + list[1]
}

// plainText writes a value of args, which may have been through JSON.
func plainText(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(value)
}

func texts(value any) []string {
	switch v := value.(type) {
	case nil:
		return nil
	case []string:
		return append([]string{}, v...)
	case []int:
		list := make([]string, len(v))
		for i, n := range v {
			list[i] = strconv.Itoa(n)
		}
		return list
	case []any:
		list := make([]string, len(v))
		for i, e := range v {
			list[i] = plainText(e)
		}
		return list
	}
	return []string{plainText(value)}
}

func whole(value any) int {
	switch v := value.(type) {
	case int:
		return v
	case float64:
		return int(v)
	}
	return 0
}

func fraction(value any) float64 {
	f, _ := value.(float64)
	return f
}

func quoted(list []string) []string {
	for i, s := range list {
		list[i] = fmt.Sprintf("%q", s)
	}
	return list
}

// nestedReason reads a reason that stands in the args of another, as it was put there or as JSON made of it.
func nestedReason(value any) (r Reason, ok bool) {
	switch v := value.(type) {
	case Reason:
		return v, true
	case nil:
		return r, false
	}
	data, err := json.Marshal(value)
	return r, err == nil && json.Unmarshal(data, &r) == nil && r.Code != ""
}

func nestedReasons(value any) (list []Reason) {
	switch v := value.(type) {
	case []Reason:
		return v
	case []any:
		for _, e := range v {
			if r, ok := nestedReason(e); ok {
				list = append(list, r)
			}
		}
	}
	return list
}

var reasonMonths = [...]string{
	"enero",
	"febrero",
	"marzo",
	"abril",
	"mayo",
	"junio",
	"julio",
	"agosto",
	"septiembre",
	"octubre",
	"noviembre",
	"diciembre",
}

// FormatDay says a date YYYY-MM-DD as people write it. What is no date stays as it is.
func FormatDay(language Language, day string) string {
	date, err := time.Parse(time.DateOnly, day)
	switch {
	case err != nil:
		return day
	case language == Spanish:
		return fmt.Sprintf("%d de %s de %d", date.Day(), reasonMonths[date.Month()-1], date.Year())
	}
	return date.Format("Jan 2, 2006")
}
