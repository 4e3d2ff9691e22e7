package text

import (
	"slices"
	"strings"
)

// ibanCurrencies are the currencies of the countries outside the euro, by the letters of their IBANs.
var ibanCurrencies = map[string]string{"AE": "AED", "BR": "BRL", "CH": "CHF", "CZ": "CZK", "DK": "DKK", "EG": "EGP",
	"GB": "GBP", "HU": "HUF", "IL": "ILS", "IS": "ISK", "LI": "CHF", "NO": "NOK", "PK": "PKR", "PL": "PLN", "QA": "QAR",
	"RO": "RON", "RS": "RSD", "SA": "SAR", "SE": "SEK", "TR": "TRY", "UA": "UAH"}

// ibanLengths are how long the IBANs of countries are. Source: SWIFT, IBAN registry.
var ibanLengths = map[string]int{"AD": 24, "AE": 23, "AT": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "CH": 21,
	"CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FR": 27,
	"GB": 22, "GR": 27, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "LI": 21,
	"LT": 20, "LU": 20, "LV": 21, "MC": 27, "MT": 31, "NL": 18, "NO": 15, "PK": 24, "PL": 28, "PT": 25, "QA": 29,
	"RO": 24, "RS": 22, "SA": 24, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "TR": 26, "UA": 29}

// ShortIBAN reports whether an IBAN has fewer characters than those of its country.
func ShortIBAN(iban string) bool {
	bare := strings.ReplaceAll(iban, " ", "")
	return len(bare) > 2 && len(bare) < ibanLengths[bare[:2]]
}

// IBANCurrency is the currency of the country of an IBAN; empty when it is unknown.
func IBANCurrency(iban string) string {
	if len(iban) < 2 {
		return ""
	}
	if euroArea[iban[:2]] {
		return "EUR"
	}
	return ibanCurrencies[iban[:2]]
}

// BankOfIBAN is the bank whose letters an IBAN prints, those that its BIC begins with, as in the Netherlands, the
// United Kingdom and Ireland; empty when it is unknown.
func BankOfIBAN(iban string) string {
	iban = strings.ReplaceAll(iban, " ", "")
	if len(iban) < 12 || !IBANPattern.MatchString(iban) {
		return ""
	}
	for _, b := range banks() {
		if b.country == iban[:2] && slices.Contains(b.bics, iban[4:8]) {
			return b.name
		}
	}
	return ""
}
