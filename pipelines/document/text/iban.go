package text

import (
	"slices"
	"strings"
)

// ibanCurrencies are the currencies of the countries outside the euro, by the letters of their IBANs.
var ibanCurrencies = map[string]string{"AE": "AED", "BR": "BRL", "CH": "CHF", "CZ": "CZK", "DK": "DKK", "EG": "EGP",
	"GB": "GBP", "HU": "HUF", "IL": "ILS", "IS": "ISK", "LI": "CHF", "NO": "NOK", "PK": "PKR", "PL": "PLN", "QA": "QAR",
	"RO": "RON", "RS": "RSD", "SA": "SAR", "SE": "SEK", "TR": "TRY", "UA": "UAH"}

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
