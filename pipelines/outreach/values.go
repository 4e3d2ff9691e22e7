package outreach

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

// notedAt returns the labels of the items whose value an agent took from the message received at that time.
func notedAt(c *dossier.Checklist, at time.Time) []string {
	var labels []string
	for entry := range c.All() {
		if entry.Source == dossier.SourceAgent && entry.Value != nil && entry.UpdatedAt.Equal(at) {
			labels = append(labels, entry.Item.Label)
		}
	}
	return labels
}

// checklist looks for values of its items.
type checklist struct{ *dossier.Checklist }

// How values look in free text.
var (
	einInText   = regexp.MustCompile(`\b\d{2}-\d{7}\b`)
	emailInText = regexp.MustCompile(`[A-Za-z0-9._%+'-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`)
	phoneInText = regexp.MustCompile(`(?:\+\d{1,3}[ .-]?)?(?:\(\d{3}\)|\b\d{3})[ .-]?\d{3}[ .-]?\d{4}\b`)
	moneyInText = regexp.MustCompile(`(?i)\$ ?\d[\d,]*(?:\.\d{1,2})?(?: ?(?:k|m|thousand|million|mil|millones)\b)?` +
		`|\b\d[\d,]*(?:\.\d+)?(?: ?(?:k|thousand|million|mil|millones|dollars|usd|d[oó]lares)\b)?`)
	addressText = regexp.MustCompile(`\b(\d+[A-Za-z]? [^,\n]{2,60}), ([A-Za-z .'-]{2,40}),? ([A-Z]{2}),? ` +
		`(\d{5}(?:-\d{4})?)\b`)
	isoInText   = regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}\b`)
	slashInText = regexp.MustCompile(`\b(\d{1,2})/(\d{1,2})/(\d{4})\b`)
	namedInText = regexp.MustCompile(`(?i)\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? ` +
		`(\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b`)
	sentenceEnd  = regexp.MustCompile(`[!?;\n]+|\.\s+|\.$`)
	labelledForm = `(?i)(?:^|[^\p{L}])%s\s*(?:is|are|was|:|=|-|es|son)\s*:?\s*(.{1,200})$`
)

var yesOrNo = regexp.MustCompile(`(?i)^"(yes|no|s[ií]|none|other)"$`)

// synonyms are words that stand for a word of a label.
var synonyms = map[string][]string{
	"amount":    {"need", "borrow", "looking", "loan", "request", "requesting", "necesito", "monto"},
	"requested": {"need", "borrow", "requesting", "looking"},
	"email":     {"mail", "correo"}, "phone": {"number", "cell", "mobile", "teléfono", "telefono"},
	"birth": {"born", "birthday", "nací"}, "founded": {"started", "opened", "since"},
	"address": {"located", "live", "dirección"}, "employees": {"people", "staff", "empleados"},
	"revenue": {"sales", "ventas"},
}

// plainWords are words of labels that say nothing about which item is meant.
var plainWords = strings.Fields("the your our last year years business company owner owners date number and for " +
	"most recent months with from name of was were are has have had you this that all any who what when")

// sharedWords counts the significant words of an item's label and code that also occur in the text, in singular or
// plural.
func sharedWords(t dossier.ChecklistItem, said string) int {
	have, n := wordForm.FindAllString(strings.ToLower(said), -1), 0
	for i, word := range have {
		have[i] = strings.TrimSuffix(word, "s")
	}
	counted := map[string]bool{}
	for _, word := range wordForm.FindAllString(strings.ToLower(t.Label+" "+strings.ReplaceAll(t.Code, "_", " ")), -1) {
		if len(word) < 3 || slices.Contains(plainWords, word) || counted[strings.TrimSuffix(word, "s")] {
			continue
		}
		counted[strings.TrimSuffix(word, "s")] = true
		if slices.Contains(have, strings.TrimSuffix(word, "s")) ||
			slices.ContainsFunc(synonyms[word],
				func(s string) bool { return slices.Contains(have, strings.TrimSuffix(s, "s")) }) {
			n++
		}
	}
	return n
}

// ValuesIn finds values for open items in free text. They are proposals: whoever takes them checks them as any other
// value and drops those that do not fit. A value is proposed only where it is clear which item it is for: its sentence
// names the item, or nothing else of its kind is open and the value speaks for itself (an EIN; a reply of only it).
func ValuesIn(all *dossier.Checklist, body, region string) []dossier.ItemUpdate {
	c := checklist{all}
	words := dossier.QuestionText(body)
	var updates []dossier.ItemUpdate
	taken := map[string]bool{}
	for sentence := range strings.SplitSeq(sentenceEnd.ReplaceAllString(words, "\x00"), "\x00") {
		sentence = strings.TrimSpace(sentence)
		for entry := range c.All() {
			if sentence == "" || !entry.Visible || entry.Status.Done() || taken[entry.Item.Code] {
				continue
			}
			if value := c.valueIn(entry, sentence, words, region); value != nil {
				updates = append(updates, dossier.ItemUpdate{Code: entry.Item.Code, Value: value})
				taken[entry.Item.Code] = true
			}
		}
	}
	return updates
}

func (c checklist) valueIn(entry *dossier.ChecklistEntry, sentence, words, region string) json.RawMessage {
	if value := valueAfterLabel(entry, sentence); value != nil {
		return value
	}
	found := candidates(entry.Item, sentence, region)
	if len(found) != 1 || c.givesLabelledValue(sentence) {
		return nil // none, nobody can say which, or the sentence is about another item by its name
	}
	alone, named := c.isOnlyOpenOfType(entry), sharedWords(entry.Item, sentence)
	best := c.isBestNamed(entry, sentence, region)
	switch entry.Item.FieldType {
	case dossier.FieldEIN, dossier.FieldSSN, dossier.FieldAddress:
		if alone || named > 0 && best {
			return found[0]
		}
	case dossier.FieldSelect, dossier.FieldMultiSelect:
		if questionStart.MatchString(sentence) || yesOrNo.MatchString(string(found[0])) && named == 0 {
			return nil // "Can an LLC apply" and "No, thanks" choose nothing
		}
		if c.isOnlyChoiceNamed(entry, sentence, region) {
			return found[0]
		}
	default:
		if named > 0 && best || alone && isBareValue(words) {
			return found[0]
		}
	}
	return nil
}

// givesLabelledValue reports whether a sentence gives the value of some item after its label.
func (c checklist) givesLabelledValue(sentence string) bool {
	for entry := range c.All() {
		if entry.Visible && valueAfterLabel(entry, sentence) != nil {
			return true
		}
	}
	return false
}

// isBareValue reports whether a message consists of a value alone.
func isBareValue(words string) bool {
	rest := words
	for _, form := range []*regexp.Regexp{namedInText, emailInText, isoInText, slashInText, phoneInText, moneyInText} {
		rest = form.ReplaceAllString(rest, "")
	}
	return strings.Trim(rest, " \t\n.,!") == ""
}

// isOnlyOpenOfType reports whether no other open item takes values of this type.
func (c checklist) isOnlyOpenOfType(entry *dossier.ChecklistEntry) bool {
	for other := range c.All() {
		if other != entry && other.Visible && !other.Status.Done() && other.Item.FieldType == entry.Item.FieldType {
			return false
		}
	}
	return true
}

// isBestNamed reports whether no other open item that would take the value is named as well or better.
func (c checklist) isBestNamed(entry *dossier.ChecklistEntry, sentence, region string) bool {
	mine := sharedWords(entry.Item, sentence)
	for other := range c.All() {
		if other != entry && other.Visible && !other.Status.Done() && other.Item.FieldType == entry.Item.FieldType &&
			sharedWords(other.Item, sentence) >= mine && len(candidates(other.Item, sentence, region)) > 0 {
			return false
		}
	}
	return true
}

// isOnlyChoiceNamed reports whether no other open choice has an option in the sentence, unless only this item is named.
func (c checklist) isOnlyChoiceNamed(entry *dossier.ChecklistEntry, sentence, region string) bool {
	for other := range c.All() {
		if other != entry && other.Visible && !other.Status.Done() && other.Item.FieldType == entry.Item.FieldType &&
			len(candidates(other.Item, sentence, region)) > 0 &&
			sharedWords(other.Item, sentence) >= sharedWords(entry.Item, sentence) {
			return false
		}
	}
	return true
}

// valueAfterLabel takes a value that follows the item's own label: "Legal business name: Ann's Bakery LLC".
func valueAfterLabel(entry *dossier.ChecklistEntry, sentence string) json.RawMessage {
	if entry.Item.FieldType != dossier.FieldText {
		return nil
	}
	form, err := regexp.Compile(strings.Replace(labelledForm, "%s",
		regexp.QuoteMeta(strings.TrimRight(entry.Item.Label, ". :")), 1))
	if err != nil {
		return nil
	}
	found := form.FindStringSubmatch(sentence)
	if found == nil {
		return nil
	}
	return encoded(strings.Trim(found[1], ` "'.,`))
}

// candidates returns the distinct values of an item's type in a sentence.
func candidates(item dossier.ChecklistItem, sentence, region string) []json.RawMessage {
	var list []json.RawMessage
	add := func(value any) {
		text := encoded(value)
		if !slices.ContainsFunc(list, func(have json.RawMessage) bool { return string(have) == string(text) }) {
			list = append(list, text)
		}
	}
	switch item.FieldType {
	case dossier.FieldEIN:
		addAll(add, einInText.FindAllString(sentence, -1))
	case dossier.FieldSSN:
		addAll(add, dossier.SSNInText.FindAllString(sentence, -1))
	case dossier.FieldEmail:
		addAll(add, emailInText.FindAllString(sentence, -1))
	case dossier.FieldPhone:
		addAll(add, phoneInText.FindAllString(dossier.SSNInText.ReplaceAllString(einInText.ReplaceAllString(sentence,
			""), ""), -1))
	case dossier.FieldDate:
		addAll(add, datesIn(sentence, region))
	case dossier.FieldNumber:
		addAll(add, amountsIn(sentence))
	case dossier.FieldAddress:
		for _, m := range addressText.FindAllStringSubmatch(sentence, -1) {
			add(map[string]string{"street": strings.TrimSpace(m[1]), "city": strings.TrimSpace(m[2]), "state": m[3],
				"postalCode": m[4]})
		}
	case dossier.FieldSelect:
		addAll(add, optionsIn(item.Config.Options, sentence))
	case dossier.FieldMultiSelect:
		if chosen := optionsIn(item.Config.Options, sentence); len(chosen) > 0 {
			add(chosen)
		}
	}
	return list
}

// encoded is a value as JSON; texts and lists of them cannot fail.
func encoded(value any) json.RawMessage {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil
	}
	return bytes.TrimSpace(out.Bytes())
}

func addAll(add func(any), values []string) {
	for _, value := range values {
		add(value)
	}
}

var monthNames = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

// datesIn reads dates; 3/4/1980 is the 4th of March in the US only, elsewhere nobody can tell.
func datesIn(sentence, region string) []string {
	dates := isoInText.FindAllString(sentence, -1)
	for _, m := range namedInText.FindAllStringSubmatch(sentence, -1) {
		month := slices.Index(monthNames, strings.ToLower(m[1])) + 1
		dates = append(dates, isoOf(m[3], month, m[2]))
	}
	for _, m := range slashInText.FindAllStringSubmatch(sentence, -1) {
		if region == "US" {
			dates = append(dates, isoOf(m[3], int(digits(m[1])), m[2]))
		}
	}
	return slices.DeleteFunc(dates, func(d string) bool { _, ok := dossier.ParseDay(d); return !ok })
}

func isoOf(year string, month int, day string) string {
	return fmt.Sprintf("%s-%02d-%02d", year, month, digits(day))
}

func digits(s string) (n int64) {
	for _, r := range s {
		n = n*10 + int64(r-'0')
	}
	return n
}

// amountsIn reads amounts as plain numbers: "$250k" is 250000. Parts of dates, phones and ids are no amounts.
func amountsIn(sentence string) []string {
	for _, form := range []*regexp.Regexp{einInText, dossier.SSNInText, emailInText, isoInText, slashInText,
		namedInText, phoneInText} {
		sentence = form.ReplaceAllString(sentence, " ")
	}
	var list []string
	for _, found := range moneyInText.FindAllString(sentence, -1) {
		if amount, ok := readAmount(found); ok {
			list = append(list, amount)
		}
	}
	return list
}

func readAmount(text string) (string, bool) {
	number := strings.TrimSpace(strings.TrimLeft(text, "$ "))
	unit := strings.ToLower(strings.TrimLeft(number, "0123456789,. "))
	number = strings.TrimSpace(number[:len(number)-len(unit)])
	value, ok := dossier.OrdinaryNumber(strings.ReplaceAll(number, ",", ""))
	if !ok {
		return "", false
	}
	switch unit {
	case "k", "thousand", "mil":
		value = value.Shift(3)
	case "m", "million", "millones":
		value = value.Shift(6)
	}
	return value.String(), true
}

// optionsIn are the options that a sentence has as whole words, not those inside a longer one that it has too.
func optionsIn(options []string, sentence string) []string {
	var found []string
	for _, option := range options {
		form, err := regexp.Compile(`(?i)(?:^|[^\p{L}\p{N}])` + regexp.QuoteMeta(option) + `(?:[^\p{L}\p{N}]|$)`)
		if err == nil && form.MatchString(sentence) {
			found = append(found, option)
		}
	}
	return slices.DeleteFunc(slices.Clone(found), func(option string) bool {
		return slices.ContainsFunc(found, func(longer string) bool {
			return len(longer) > len(option) && strings.Contains(strings.ToLower(longer), strings.ToLower(option))
		})
	})
}
