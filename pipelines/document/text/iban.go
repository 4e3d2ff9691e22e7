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

// BankOfIBAN is the bank whose code an IBAN holds: the letters that a BIC begins with (Netherlands, United Kingdom,
// Ireland), or figures that banks.txt lists as "country, figures". Empty when it is unknown.
func BankOfIBAN(iban string) string {
	iban = strings.ToUpper(strings.ReplaceAll(iban, " ", ""))
	if len(iban) < 12 || !IBANPattern.MatchString(iban) {
		return ""
	}
	country, rest := iban[:2], iban[4:]
	for _, b := range banks() {
		if b.country == country && slices.Contains(b.bics, rest[:4]) {
			return b.name
		}
		for _, code := range b.routing {
			figures, ok := strings.CutPrefix(code, country)
			if ok && strings.HasPrefix(rest[ibanCheck[country]:], figures) {
				return b.name
			}
		}
	}
	return ""
}

// ibanCheck is how many characters stand between an IBAN's check digits and the bank's code.
var ibanCheck = map[string]int{"IT": 1, "SM": 1}
