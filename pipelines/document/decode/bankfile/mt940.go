package bankfile

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/decode/office"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// MT940 is fields of the form :61:, whose text may go on in the next lines. Source: SWIFT, Category 9, MT 940 (and 942,
// which has no balances).
var (
	mtField   = lazyregexp.New(`^:(\d{2}[A-Z]?):(.*)$`)
	mtBalance = lazyregexp.New(`^([CD])(\d{6})([A-Z]{3})([\d,. ]+)`)
	mtEntry   = lazyregexp.New(`^(\d{6})(\d{4})?(R?[CD])([A-Z])?(\d[\d,.]*)`)
	mtSubs    = lazyregexp.New(`\?(\d{2})`)
	mtWords   = lazyregexp.New(`/(?:TRTP|EREF|MARF|CSID|IBAN|BIC|NAME|REMI|BENM|ORDP|RREF|PREF|ISDT|CNTP|SVCL|ADDR` +
		`|ID|NRTX|PURP|RTRN|ULTB|ULTD)/`)
	mtAccount = lazyregexp.New(`^([A-Z]{2}\d{2}[A-Z0-9]{10,30})[A-Z]{3}$`)
)

// mtReader is an MT940 file being read.
type mtReader struct {
	sheets []*accountSheet
	now    *accountSheet
}

func readMT940(text string) ([]*accountSheet, error) {
	var r mtReader
	tag, value, at, n := "", "", 0, 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n ")
		if i := strings.Index(line, "{4:"); i >= 0 {
			line = line[i+3:]
		}
		if g := mtField.FindStringSubmatch(line); g != nil {
			r.field(tag, value, at)
			tag, value, at = g[1], g[2], n
			continue
		}
		if line == "-" || strings.HasPrefix(line, "-}") {
			r.field(tag, value, at)
			tag, value = "", ""
			continue
		}
		if tag != "" && len(value) < 4000 {
			value += "\n" + line
		}
	}
	r.field(tag, value, at)
	if len(r.sheets) > office.MaxSheets {
		return nil, refusal.New(refusal.TooManyPages, "The file has more than %d accounts.", office.MaxSheets)
	}
	return r.sheets, nil
}

func (r *mtReader) field(tag, value string, line int) {
	where := atLine(line, ":"+tag+":")
	switch {
	case tag == "25" || tag == "25P":
		number, _, _ := strings.Cut(value, "\n")
		if g := mtAccount.FindStringSubmatch(number); g != nil {
			number = g[1]
		}
		if number = strings.TrimSpace(number); number == "" {
			number = "unnamed"
		}
		r.now = sheetOf(&r.sheets, number, "Bank statement")
		if len(r.now.pairs) == 0 {
			_, account, split := strings.Cut(number, "/")
			if !split {
				account = number
			}
			r.now.pair("Account number", account, where)
		}
	case r.now == nil:
	case tag == "60F" || tag == "60M":
		r.balance("Opening balance", value, where, r.now.said("Opening balance") == "")
	case tag == "62F" || tag == "62M":
		r.balance("Closing balance", value, where, true)
	case tag == "64":
		r.balance("Available balance", value, where, true)
	case tag == "61":
		r.entry(value, line)
	case tag == "86" && len(r.now.entries) > 0:
		if e := &r.now.entries[len(r.now.entries)-1]; e.text == "" {
			e.text = mtText(value)
		}
	}
}

// balance reads "C240630EUR1234,56".
func (r *mtReader) balance(caption, value, where string, wanted bool) {
	g := mtBalance.FindStringSubmatch(value)
	if g == nil || !wanted {
		return
	}
	r.now.replace(caption, pointed(g[4], g[1] == "D"), where)
	r.now.replace("Currency", g[3], where+" currency")
	switch caption {
	case "Opening balance":
		r.now.replace("From", bankDay(g[2]), where+" date")
	case "Closing balance":
		r.now.replace("To", bankDay(g[2]), where+" date")
	}
}

// entry reads a :61: line. The booking day, without a year, may stand behind the value day; RC and RD take an entry
// back.
func (r *mtReader) entry(value string, line int) {
	g := mtEntry.FindStringSubmatch(value)
	if g == nil {
		return
	}
	day := bankDay(g[1])
	if booked := bankDay(g[1][:2] + g[2]); g[2] != "" && booked != "" {
		if strings.HasPrefix(g[2], "01") && strings.HasPrefix(g[1][2:], "12") { // booked in the new year
			booked = bankDay(nextYear(g[1][:2]) + g[2])
		}
		day = booked
	}
	out := g[3] == "D" || g[3] == "RC"
	r.now.entries = append(r.now.entries, fileEntry{date: day, amount: pointed(g[5], out), where: atLine(line, ":61:")})
}

func nextYear(two string) string {
	n := (int(two[0]-'0')*10 + int(two[1]-'0') + 1) % 100
	return string([]byte{byte('0' + n/10), byte('0' + n%10)})
}

// mtText is the words of a :86: field: the subfields of purpose and name where it has such, else all of it.
func mtText(value string) string {
	value = strings.ReplaceAll(value, "\n", "")
	marks := mtSubs.FindAllStringSubmatchIndex(value, -1)
	if len(marks) == 0 {
		return strings.Join(strings.Fields(mtWords.ReplaceAllString(value, " ")), " ")
	}
	words, lastChunk := "", 0
	for i, m := range marks {
		end := len(value)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		code := value[m[2]:m[3]]
		switch {
		case code >= "20" && code <= "29", code >= "60" && code <= "63", code == "32", code == "33":
			if m[0]-lastChunk < 27 { // a chunk that is full goes on in the next
				words += " "
			}
			words += value[m[1]:end]
			lastChunk = m[1]
		}
	}
	return strings.Join(strings.Fields(words), " ")
}
