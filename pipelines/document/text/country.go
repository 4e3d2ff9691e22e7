package text

import (
	"slices"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// countryForms are forms that one country's banks alone print, the surest first: of account numbers, of the tax
// numbers of the bank, of addresses, of phone numbers.
var countryForms = []struct {
	currency, why string
	form          *lazyregexp.Regexp
}{
	{"NZD", "account numbers of bank, branch, account and suffix are of New Zealand",
		lazyregexp.New(`(?i)\b\d{2}[- ]\d{4}[- ]\d{7}[- ]\d{2,3}\b|\bbank \d{2}\b\W{1,3}branch \d{4}\b`)},
	{"AUD", "a BSB or an ABN is printed, which are of Australia",
		lazyregexp.New(`\b(?i:BSB)\b(?i:\s*(?:no|number))?[.:# ]*\d{3}[- ]?\d{3}\b|\b(?:ABN|A\.B\.N\.)[: ]*\d{2} ` +
			`?\d{3} ?\d{3} ?\d{3}\b`)},
	{"NZD", "the bank's GST number has the form of New Zealand",
		lazyregexp.New(`(?i)\bgst\b(?:\s*(?:reg(?:istration)?|no|number))*[.:# ]*\d{2,3}-\d{3}-\d{3}\b`)},
	{"AUD", "the address has a state and postcode of Australia", lazyregexp.New(`\b(?:NSW|VIC|QLD|TAS|ACT)\s+\d{4}\b`)},
	{"CAD", "the address has a province and postal code of Canada",
		lazyregexp.New(`\b(?:AB|BC|MB|NB|NL|NS|NT|NU|ON|PE|QC|SK|YT),?\s+[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d\b`)},
	{"NZD", "the address has a city and postcode of New Zealand",
		lazyregexp.New(`(?i)\b(?:auckland|wellington|christchurch|hamilton|dunedin|tauranga|napier|nelson|rotorua` +
			`|invercargill|palmerston north)(?: city)?,? \d{4}$`)},
	{"EUR", "the IBAN is of Ireland", lazyregexp.New(`\bIBAN\b[: ]*IE\d{2} ?[A-Z]{4}`)},
	{"GBP", "a sort code is printed, which is of the United Kingdom",
		lazyregexp.New(`(?i)\bsort ?code\b(?: ?(?:no|number))?[.:# ]*\d{2}[- ]?\d{2}[- ]?\d{2}\b`)},
	{"INR", "an IFSC is printed, which is of India",
		lazyregexp.New(`(?i)\b(?:RTGS|NEFT|IFSC?)\b(?:[/ ](?:NEFT|IFSC?|code))*[.: -]*[A-Z]{4}0[A-Z0-9]{6}\b`)},
	{"NZD", "the bank's phone number is of New Zealand", lazyregexp.New(`\+64[ -]?\(?\d`)},
	{"AUD", "the bank's phone number is of Australia", lazyregexp.New(`\+61[ -]?\(?\d`)},
}

// britishForm is the row of countryForms that a sort code below its caption speaks for.
const britishForm = 7

var sortCode = lazyregexp.New(`^\d{2}-\d{2}-\d{2}$`)

// american are signs that a statement is of a bank of the United States, folded.
var american = []string{"fdic", "ncua", "routing number", "aba", "regulation e", "united states"}

// CountryCurrency is the currency of the country whose forms a statement prints, and the reason in words; empty
// when there is none, or when the bank is of the United States.
func CountryCurrency(lines []Line) (string, string) {
	best, sorted := len(countryForms), -1
	for n, l := range lines {
		s := l.Text()
		folded := Fold(s)
		for _, sign := range american {
			if HasWords(folded, sign) {
				return "", ""
			}
		}
		for _, cell := range l.Cells() {
			if CityLine.MatchString(cell.Text()) {
				return "", ""
			}
		}
		if HasWords(folded, "sort code") || HasWords(folded, "sortcode") {
			sorted = n
		}
		if sorted >= 0 && n-sorted <= 2 && best > britishForm &&
			slices.ContainsFunc(l.Tokens, func(t Token) bool { return sortCode.MatchString(t.Text) }) {
			best = britishForm
		}
		for i, f := range countryForms[:best] {
			if f.form.MatchString(s) {
				best = i
				break
			}
		}
	}
	if best == len(countryForms) {
		return "", ""
	}
	return countryForms[best].currency, countryForms[best].why
}
