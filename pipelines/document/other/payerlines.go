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

// payerOthers are the other boxes of these forms, at which a box ends: an amount may stand at the right edge of its
// box, far from the caption.
var payerOthers = map[string]map[string]string{
	"1099-NEC": {"2": "payer made direct sales", "3": "excess golden", "5": "state tax withheld",
		"6": "state payers state", "7": "state income"},
	"1099-INT": {"7": "foreign country", "9": "specified private activity", "10": "market discount",
		"11": "bond premium", "12": "bond premium on", "13": "bond premium on", "14": "tax exempt and tax credit",
		"15": "state", "16": "state identification", "17": "state tax withheld"},
	"1099-DIV": {"2b": "unrecap", "2c": "section 1202", "2d": "collectibles", "2e": "section 897", "2f": "section 897",
		"5": "section 199a", "6": "investment expenses", "8": "foreign country", "9": "cash liquidation",
		"10": "noncash liquidation", "11": "fatca", "12": "exempt interest dividends",
		"13": "specified private activity"},
	"1099-R": {"2b": "taxable amount not", "6": "net unrealized", "7": "distribution", "8": "other",
		"9a": "your percentage", "10": "amount allocable", "11": "1st year", "12": "fatca", "13": "date of",
		"14": "state tax withheld", "15": "state payers state", "16": "state distribution", "17": "local tax"},
	"1099-MISC": {"5": "fishing boat proceeds", "7": "payer made direct sales", "8": "substitute payments",
		"9": "crop insurance proceeds", "10": "gross proceeds", "11": "fish purchased", "12": "section 409a",
		"13": "fatca", "14": "excess golden", "15": "nonqualified deferred", "16": "state tax withheld",
		"17": "state payers state", "18": "state income"},
	"1099-G": {"3": "box 2 amount", "5": "rtaa payments", "6": "taxable grants", "7": "agriculture payments",
		"8": "check if", "9": "market gain", "10a": "state", "11": "state income tax withheld"},
	"1099-K": {"2": "merchant category", "3": "number of payment", "5a": "january", "5b": "february", "5c": "march",
		"5d": "april", "5e": "may", "5f": "june", "5g": "july", "5h": "august", "5i": "september"},
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
	if boxes != nil {
		amountsInBoxes(s, boxes, lines, found)
	}
	if len(lines) > 0 && values["lines"] == nil {
		values["lines"] = lines
	}
}

// amountsInBoxes reads the boxes of a form that hold one amount, wherever in its box it stands.
func amountsInBoxes(s text.Segment, boxes map[string]string, lines map[string]any, found *text.Findings) {
	all := maps.Clone(boxes)
	maps.Copy(all, payerOthers[s.Form])
	for _, p := range s.Pages {
		for number, m := range readShareBoxes(p, all) {
			if boxes[number] == "" || lines[number] != nil || m.value.IsInteger() && len(m.tokens[0].Text) < 3 {
				continue
			}
			lines[number] = m.value.String()
			found.From(text.Pointer("lines", number), m.tokens, boxes[number])
		}
	}
}
