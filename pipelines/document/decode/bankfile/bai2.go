package bankfile

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/decode/office"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
)

// baiReader is a BAI2 file being read: records of a two-figure code, fields parted by commas, each record ended by a
// slash or its line. Source: BAI Cash Management Balance Reporting Specifications, version 2.
type baiReader struct {
	sheets   []*accountSheet
	now      *accountSheet
	day      string // of the group
	currency string // of the group
}

func readBAI2(text string) ([]*accountSheet, error) {
	var r baiReader
	record, at, n := "", 0, 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if rest, goesOn := strings.CutPrefix(line, "88,"); goesOn {
			if len(record) < 64<<10 {
				record = strings.TrimSuffix(record, "/") + "," + rest
			}
			continue
		}
		r.record(record, at)
		record, at = line, n
	}
	r.record(record, at)
	if len(r.sheets) > office.MaxSheets {
		return nil, refusal.New(refusal.TooManyPages, "The file has more than %d accounts.", office.MaxSheets)
	}
	return r.sheets, nil
}

func (r *baiReader) record(record string, line int) {
	fields := strings.Split(strings.TrimSuffix(record, "/"), ",")
	field := func(i int) string {
		if i < len(fields) {
			return strings.TrimSpace(fields[i])
		}
		return ""
	}
	switch field(0) {
	case "02":
		r.day, r.currency = bankDay(field(4)), field(6)
	case "03":
		r.now = sheetOf(&r.sheets, field(1), "Bank statement")
		if len(r.now.pairs) == 0 {
			r.now.pair("Account number", field(1), atLine(line, "account"))
			r.now.pair("Currency", firstText(field(2), r.currency), atLine(line, "currency"))
		}
		r.balances(fields, line)
	case "16":
		r.entry(fields, line)
	}
}

// balances reads the codes of an account's record: 010 is what the day opened with, 015 what it closed with.
func (r *baiReader) balances(fields []string, line int) {
	for i := 3; i+1 < len(fields); i += 4 {
		code := strings.TrimSpace(fields[i])
		v := r.money(fields[i+1])
		where := atLine(line, code)
		switch {
		case v == "":
		case code == "010" && r.now.said("Opening balance") == "":
			r.now.pair("Opening balance", v, where)
		case code == "015":
			r.now.replace("Closing balance", v, where)
		case code == "045":
			r.now.replace("Available balance", v, where)
		}
		if i+3 < len(fields) { // funds that are available later have more fields
			i += fundFields(fields[i+3:])
		}
	}
}

// fundFields is how many fields follow the type of funds, by that type.
func fundFields(from []string) int {
	switch strings.ToUpper(strings.TrimSpace(from[0])) {
	case "S":
		return 3
	case "V":
		return 2
	case "D":
		if len(from) > 1 && allDigits(from[1]) && len(from[1]) < 3 {
			n := 0
			for _, c := range from[1] {
				n = 10*n + int(c-'0')
			}
			return 1 + 2*n
		}
	}
	return 0
}

// entry reads a transaction: codes 100 to 399 are credits, 400 to 699 debits.
func (r *baiReader) entry(fields []string, line int) {
	if r.now == nil || len(fields) < 4 {
		return
	}
	code := strings.TrimSpace(fields[1])
	if len(code) != 3 || code < "100" || code > "699" || !allDigits(code) {
		return
	}
	text := min(6+fundFields(fields[3:]), len(fields))
	words := strings.Join(strings.Fields(strings.Join(fields[text:], ",")), " ")
	amount := r.money(fields[2])
	if code >= "400" && amount != "" {
		amount = pointed(amount, true)
	}
	r.now.entries = append(r.now.entries, fileEntry{date: r.day, text: words, amount: amount, where: atLine(line, "")})
}

// money is an amount of hundredths (of whole units in yen), signed as it stands.
func (r *baiReader) money(figures string) string {
	figures = strings.TrimSpace(figures)
	digits := strings.TrimLeft(figures, "+-")
	if !allDigits(digits) || len(digits) > 18 {
		return ""
	}
	if r.now != nil && r.now.said("Currency") == "JPY" {
		return pointed(figures, false)
	}
	for len(digits) < 3 {
		digits = "0" + digits
	}
	return pointed(digits[:len(digits)-2]+"."+digits[len(digits)-2:], strings.HasPrefix(figures, "-"))
}
