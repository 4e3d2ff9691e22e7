package bankfile

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/decode/office"
)

// readQIF reads a Quicken interchange file: one field a line, named by its first letter, entries parted by "^".
// Accounts are named by blocks "!Account"; "!Type:" says what kind of account its entries are of.
func readQIF(text string) []*accountSheet {
	var sheets []*accountSheet
	var e fileEntry
	var now *accountSheet
	account, kind, block := "", "", ""
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if strings.HasPrefix(line, "!") {
			block = strings.ToLower(line)
			if k, ok := strings.CutPrefix(block, "!type:"); ok {
				kind, now = strings.TrimSpace(k), nil
			}
			continue
		}
		value := strings.TrimSpace(line[1:])
		switch {
		case strings.HasPrefix(block, "!account"):
			if line[0] == 'N' {
				account, now = value, nil
			}
		case !strings.HasPrefix(block, "!type:"):
		case line[0] == '^':
			if now == nil {
				now = qifSheet(&sheets, account, kind)
			}
			if now != nil && e.amount != "" && len(sheets) <= office.MaxSheets {
				now.entries = append(now.entries, e)
			}
			e = fileEntry{}
		default:
			e.qifField(line[0], value, n)
		}
	}
	return sheets
}

// qifField reads a field of an entry.
func (e *fileEntry) qifField(name byte, value string, line int) {
	switch name {
	case 'D': // 6/ 1'24
		e.date = strings.ReplaceAll(value, " ", "")
		if day, year, short := strings.Cut(e.date, "'"); short && len(year) == 2 {
			e.date = day + "/20" + year
		}
	case 'T', 'U':
		e.amount, e.where = pointed(ungrouped(value), false), atLine(line, "")
	case 'P':
		e.text = strings.TrimSpace(value + " " + e.text)
	case 'M':
		if value != e.text {
			e.text = strings.TrimSpace(e.text + " " + value)
		}
	}
}

// qifSheet is the sheet for entries of a kind of account; nil for lists that are no entries (categories, memorized).
func qifSheet(sheets *[]*accountSheet, account, kind string) *accountSheet {
	var s *accountSheet
	switch kind {
	case "bank", "cash", "oth a":
		s = sheetOf(sheets, account+"/"+kind, "Bank statement")
	case "ccard":
		s = sheetOf(sheets, account+"/"+kind, "Credit card statement")
		s.extra, s.value = "Card number", "card"
	case "invst", "port":
		s = sheetOf(sheets, account+"/"+kind, "Brokerage statement")
		s.extra, s.value = "Symbol", "security"
	default:
		return nil
	}
	if account != "" && s.said("Account") == "" {
		s.pair("Account", account, "")
	}
	return s
}
