package other

import (
	"maps"
	"slices"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// payerLines are the boxes of amounts of the information returns, by form and number. Source: forms 1099 of the
// Internal Revenue Service, 2020 to 2025.
var payerLines = map[string]map[string]string{
	"1099-NEC": {"1": "nonemployee compensation", "4": "federal income tax withheld"},
	"1099-INT": {"1": "interest income", "2": "early withdrawal penalty", "3": "interest on u s savings bonds",
		"4": "federal income tax withheld", "5": "investment expenses", "6": "foreign tax paid",
		"8": "tax exempt interest"},
	"1099-DIV": {"1a": "total ordinary dividends", "1b": "qualified dividends", "2a": "total capital gain distr",
		"3": "nondividend distributions", "4": "federal income tax withheld", "7": "foreign tax paid"},
	"1099-R": {"1": "gross distribution", "2a": "taxable amount", "3": "capital gain",
		"4": "federal income tax withheld", "5": "employee contributions", "9b": "total employee contributions"},
	"1099-MISC": {"1": "rents", "2": "royalties", "3": "other income", "4": "federal income tax withheld",
		"6": "medical and health care payments"},
	"1099-G": {"1": "unemployment compensation", "2": "state or local income tax refunds",
		"4": "federal income tax withheld"},
	"1099-K": {"1a": "gross amount of payment card", "1b": "card not present transactions",
		"4": "federal income tax withheld"},
}

// findPayerLines reads the amounts of an information return, each below the number and the caption of its box.
func findPayerLines(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	boxes := payerLines[s.Form]
	lines := map[string]any{}
	for _, number := range slices.Sorted(maps.Keys(boxes)) {
		v, used, ok := f.Find(text.Field{Captions: []string{number + " " + boxes[number]},
			Accept: acceptFormMoney(s.Style), Below: true})
		if !ok {
			continue
		}
		lines[number] = v
		found.From(text.Pointer("lines", number), used, boxes[number])
	}
	if len(lines) > 0 && values["lines"] == nil {
		values["lines"] = lines
	}
}
