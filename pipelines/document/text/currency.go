package text

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// CurrencyOf is the currency that a statement is in: a code or symbol that only one currency has, else the
// dollar of the country that the statement's own words show. Empty when nothing is certain.
func CurrencyOf(lines []Line, order DateOrder) (string, []Token) {
	seen := moneySigns{counts: map[string]int{}, where: map[string][]Token{}, country: map[string]int{}}
	for i, l := range lines {
		seen.place(l, i)
		seen.signs(l)
	}
	best, most := mostOf(countedCurrencies, seen.counts)
	if best != "" && most >= seen.counts["$"] || withDollarSign[best] {
		return best, seen.where[best]
	}
	return seen.byCountry(order)
}

// moneySigns are what the lines of a statement show of its currency.
type moneySigns struct {
	counts  map[string]int     // of codes and signs
	where   map[string][]Token // the first of each
	country map[string]int     // how surely a currency's country is that of the paper
	foreign bool               // words of a language whose dollars need not be those of the United States
}

// place counts what a line says of the country: words, an IBAN, a city before its postcode.
func (m *moneySigns) place(l Line, i int) {
	folded := Fold(l.Text())
	m.foreign = m.foreign || spanishOrFrench.MatchString(folded)
	if n, ok := IBANOn(l, i); ok {
		code := IBANCurrency(n.Text)
		if code == "EUR" || code != "" && (HasWords(folded, "iban") || len(n.Tokens) == len(l.Tokens)) {
			m.country[code] += 2
		}
	}
	for code, words := range countryWords {
		for _, w := range words {
			if HasWords(folded, w) {
				m.country[code]++
			}
		}
	}
	for _, cell := range l.Cells() {
		switch text := strings.Trim(cell.Text(), " .,"); {
		case CityLine.MatchString(text):
			m.country["USD"] += 2
		case canadianCity.MatchString(text):
			m.country["CAD"] += 2
		}
	}
}

// signs counts the codes and the signs of currencies on a line.
func (m *moneySigns) signs(l Line) {
	for _, t := range l.Tokens {
		code := SymbolCode(t.Text)
		if code == "" {
			continue
		}
		m.counts[code]++
		if m.where[code] == nil {
			m.where[code] = []Token{t}
		}
	}
}

// byCountry is the currency of the country that the words show, where no code or sign says it.
func (m *moneySigns) byCountry(order DateOrder) (string, []Token) {
	code, score := mostOf(currenciesOfCountries, m.country)
	dollars, dollar := m.counts["$"], m.where["$"]
	switch {
	case code != "" && dollars > 0 && strings.HasSuffix(code, "D"), pesos[code] && score >= 2:
		return code, dollar
	case dollars > 0 && score == 0 && order == MonthFirst && !m.foreign:
		return "USD", dollar // dollars with the month first are American
	case dollars == 0 && code != "" && score >= 2:
		return code, nil
	}
	return "", nil
}

// mostOf is the code that counts most, the first of several, and how much.
func mostOf(codes []string, counts map[string]int) (string, int) {
	best, most := "", 0
	for _, code := range codes {
		if counts[code] > most {
			best, most = code, counts[code]
		}
	}
	return best, most
}

// currenciesOfCountries are those whose country a statement's words may show.
var currenciesOfCountries = []string{"USD", "CAD", "AUD", "NZD", "SGD", "HKD", "GBP", "EUR", "MXN", "COP", "CLP", "ARS",
	"BRL", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "TRY", "ILS", "AED", "SAR", "QAR", "UAH", "IDR",
	"NGN", "KES", "PHP"}

// countedCurrencies are those that a statement's amounts may carry, the commoner first.
var countedCurrencies = []string{"USD", "GBP", "EUR", "CAD", "AUD", "NZD", "CHF", "INR", "MXN", "JPY", "SGD", "HKD",
	"BRL", "SEK", "NOK", "DKK", "PLN", "CZK",
	"HUF", "ZAR", "AED", "MYR", "COP", "CLP", "PEN", "ARS", "TRY", "ILS", "PHP", "THB", "KES", "NGN", "PKR", "LKR",
	"SAR", "QAR", "RON", "RUB", "UAH", "IDR", "KRW", "TWD", "CNY", "VND", "EGP", "MAD", "ISK", "GHS", "UGX", "TZS",
	"BGN", "RSD", "KZT", "GEL", "BHD", "KWD", "OMR", "JOD", "BDT", "NPR", "DOP", "CRC", "GTQ", "UYU", "BOB", "PYG",
	"XOF", "XAF", "CDF", "ZMW", "TND", "DZD", "BWP", "MUR", "RWF", "ETB", "JMD", "TTD"}

// pesos are the currencies of Latin America that carry a dollar sign.
var pesos = map[string]bool{"MXN": true, "COP": true, "CLP": true, "ARS": true}

// spanishOrFrench are words of statements whose dollars need not be those of the United States, folded.
var spanishOrFrench = lazyregexp.New(`\b(?:saldo|cuenta|solde|releve|compte)\b`)

// withDollarSign are the currencies other than that of the United States whose amounts carry a dollar sign: their code,
// printed once, says whose it is.
var withDollarSign = map[string]bool{"CAD": true, "AUD": true, "NZD": true, "MXN": true, "COP": true, "CLP": true,
	"ARS": true, "SGD": true, "HKD": true}

// euroArea are the countries, by the letters of their IBANs, whose accounts are in euros unless they say otherwise.
var euroArea = map[string]bool{"AT": true, "BE": true, "DE": true, "EE": true, "ES": true, "FI": true, "FR": true,
	"GR": true, "HR": true, "IE": true, "IT": true, "LT": true, "LU": true, "LV": true, "MT": true, "NL": true,
	"PT": true, "SI": true, "SK": true}

// countryWords are words of one country's banking, folded.
var countryWords = map[string][]string{
	"USD": {"fdic", "ncua", "n a", "aba", "regulation e", "routing number", "irs", "usd", "u s dollars",
		"united states"},
	"CAD": {"canada", "cdic", "transit number", "institution number", "interac", "toronto", "gst", "canadian"},
	"AUD": {"australia", "bsb", "abn", "afsl", "bpay", "acn", "sydney", "melbourne"},
	"NZD": {"new zealand", "auckland", "wellington"},
	"GBP": {"sort code", "sortcode", "hsbc uk", "bank uk", "fscs", "prudential regulation authority", "united kingdom",
		"financial conduct authority"},
	"EUR": nil, // by the IBAN
	"SGD": {"singapore"},
	"HKD": {"hong kong"},
	"COP": {"colombia", "bogota", "medellin", "superintendencia financiera", "pesos colombianos"},
	"CLP": {"chile", "santiago de chile", "pesos chilenos"},
	"ARS": {"argentina", "buenos aires", "cbu", "pesos argentinos"},
	"BRL": {"brasil", "cnpj", "cpf", "reais"},
	"NGN": {"nigeria", "naira", "lagos"},
	"KES": {"kenya", "nairobi", "safaricom", "m pesa"},
	"IDR": {"indonesia", "rupiah", "jakarta"},
	"PHP": {"philippines", "pilipinas", "philippine peso", "pdic", "bangko sentral"},
	"MXN": {"moneda nacional", "clabe", "r f c", "banco de mexico", "condusef", "pesos mexicanos"},
}

// SymbolCode is the ISO code of the currency a token carries, "$" when it carries a bare dollar sign.
func SymbolCode(text string) string {
	if code, cut := strings.CutSuffix(text, "$"); cut && len(code) == 3 {
		return SymbolCode(code) // CAD$
	}
	for _, s := range []struct{ symbol, code string }{
		{"US$", "USD"}, {"CA$", "CAD"}, {"C$", "CAD"}, {"AU$", "AUD"}, {"A$", "AUD"}, {"NZ$", "NZD"}, {"HK$", "HKD"},
		{"S$", "SGD"}, {"MX$", "MXN"}, {"R$", "BRL"}, {"£", "GBP"}, {"€", "EUR"}, {"¥", "JPY"}, {"₹", "INR"},
		{"₪", "ILS"}, {"₦", "NGN"}, {"₺", "TRY"}, {"₽", "RUB"}, {"₴", "UAH"}, {"₩", "KRW"}, {"₱", "PHP"}, {"₫", "VND"},
		{"zł", "PLN"}, {"Kč", "CZK"}, {`ש"ח`, "ILS"}, {"(円)", "JPY"},
	} {
		if strings.Contains(text, s.symbol) {
			return s.code
		}
	}
	if strings.Contains(text, "$") {
		return "$"
	}
	switch strings.Trim(text, "():,.") {
	case "EURO", "EUROS", "Euro", "Euros", "euros", "EUROA":
		return "EUR"
	case "円":
		return "JPY"
	case "TL":
		return "TRY"
	case "RUR", "руб":
		return "RUB"
	case "Rp":
		return "IDR"
	case "Naira", "NAIRA":
		return "NGN"
	case "원":
		return "KRW"
	case "USD", "GBP", "EUR", "CAD", "AUD", "NZD", "CHF", "INR", "MXN", "JPY", "SGD", "HKD", "COP", "CLP", "PEN", "ARS",
		"TRY", "ILS", "PHP", "THB", "KES", "NGN", "PKR", "LKR", "SAR", "QAR", "RON", "SEK", "NOK", "DKK", "PLN", "CZK",
		"HUF", "ZAR", "AED", "MYR", "BRL", "RUB", "UAH", "IDR", "KRW", "TWD", "CNY", "VND", "EGP", "MAD", "ISK", "GHS",
		"UGX", "TZS", "BGN", "RSD", "KZT", "GEL", "BHD", "KWD", "OMR", "JOD", "BDT", "NPR", "DOP", "CRC", "GTQ", "UYU",
		"BOB", "PYG", "XOF", "XAF", "CDF", "ZMW", "TND", "DZD", "BWP", "MUR", "RWF", "ETB", "JMD", "TTD":
		return strings.Trim(text, "():,.")
	}
	return ""
}
