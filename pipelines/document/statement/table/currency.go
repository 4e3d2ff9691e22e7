package table

import (
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// codeAlone stands before codes that are words too: what a heading prints in brackets or after "in".
const codeAlone = `(?-i:(?:\bin\s+|\()`

// currencyNames are the ways a heading or a remark names the currency of the figures.
var currencyNames = []struct {
	words *lazyregexp.Regexp
	code  string
}{
	{lazyregexp.New(`(?i)\bCanadian\s+(?:dollars|\$)|\bCAD\b|\bCDN\b|\bCA?\$`), "CAD"},
	{lazyregexp.New(`(?i)\bAustralian\s+dollars\b|\bAUD\b|\bAU?\$`), "AUD"},
	{lazyregexp.New(`(?i)\bNew\s+Zealand\s+dollars\b|\bNZD\b|\bNZ\$`), "NZD"},
	{lazyregexp.New(`(?i)\bHong\s+Kong\s+dollars\b|\bHKD\b|\bHK\$`), "HKD"},
	{lazyregexp.New(`(?i)\bSingapore\s+dollars\b|\bSGD\b|\bS\$`), "SGD"},
	{lazyregexp.New(`(?i)\bNew\s+Taiwan\s+dollars\b|\bTWD\b|\bNT\$`), "TWD"},
	{lazyregexp.New(`(?i)\bRMB\b|\brenminbi\b|\bCNY\b|\byuan\b`), "CNY"},
	{lazyregexp.New(`(?i)\bpounds?\s+sterling\b|\bGBP\b|£`), "GBP"},
	{lazyregexp.New(`(?i)\b[TKM]?EUR\b|\beuros?\b|[TKM]?\s?€`), "EUR"},
	{lazyregexp.New(`(?i)\bSwiss\s+francs?\b|\bT?CHF\b`), "CHF"},
	{lazyregexp.New(`(?i)₹|\bINR\b|\bIndian\s+rupees\b|\b(?:rs\.?|rupees)\s*\.?\s*(?:in\s+)?(?:lakhs?|lacs?|crores?` +
		`|cr\b)`), "INR"},
	{lazyregexp.New(`(?i)\bpesos\s+mexicanos\b|\bMexican\s+pesos\b|\bMXN\b|\bMX\$`), "MXN"},
	{lazyregexp.New(`(?i)\bBrazilian\s+reais\b|\breais\b|\bBRL\b|R\$`), "BRL"},
	{lazyregexp.New(`(?i)\b(?:Japanese\s+)?yen\b|\bJPY\b`), "JPY"},
	{lazyregexp.New(`(?i)\bSwedish\s+kron(?:a|or)\b|\bsvenska\s+kronor\b|\bkronor\b|\b[TM]?SEK(?:m|k)?\b`), "SEK"},
	{lazyregexp.New(`(?i)\bDanish\s+kroner\b|\b[TM]?DKK(?:m|k)?\b`), "DKK"},
	{lazyregexp.New(`(?i)\bNorwegian\s+kroner\b|\b[TM]?NOK(?:m|k)?\b`), "NOK"},
	{lazyregexp.New(`(?i)\bSouth\s+African\s+rand\b|\bZAR\b|\bR\s?['’]000\b|(?-i:\bRm\b)`), "ZAR"},
	{lazyregexp.New(`(?i)\bPhilippine\s+pesos?\b|\bPHP\b`), "PHP"},
	{lazyregexp.New(`(?i)\bdirhams?\b|\bAED\b`), "AED"},
	{lazyregexp.New(`(?i)\bSaudi\s+(?:Arabian\s+)?riyals?\b|(?-i:\bSAR\b)`), "SAR"},
	{lazyregexp.New(`(?i)\bQatari?\s+riyals?\b|(?-i:\bQAR\b)|\bQR\s?['’]000\b`), "QAR"},
	{lazyregexp.New(`(?i)\bKuwaiti?\s+dinars?\b|(?-i:\bKWD\b)`), "KWD"},
	{lazyregexp.New(`(?i)\bEgyptian\s+pounds?\b|(?-i:\bEGP\b)`), "EGP"},
	{lazyregexp.New(`(?i)₪|(?-i:\bNIS\s?(?:000|thousands|millions|in)\b|\bin\s+NIS\b|\bILS\b)` +
		`|\bIsraeli\s+(?:new\s+)?shekels?\b`), "ILS"},
	{lazyregexp.New(`(?i)₺|\bTurkish\s+liras?\b|\bT[uü]rk\s+liras[ıi]|` + codeAlone + `(?:TRY|TL)\b)`), "TRY"},
	{lazyregexp.New(`(?i)₦|\bnaira\b|(?-i:\bNGN\b)|\bN\s?['’]000\b`), "NGN"},
	{lazyregexp.New(`(?i)\bKenya\s+shillings?\b|(?-i:\bKES\b)|\bK(?:E)?Shs?\b`), "KES"},
	{lazyregexp.New(`(?i)\bcedis?\b|(?-i:\bGHS\b)|\bGH[¢₵]`), "GHS"},
	{lazyregexp.New(`(?i)\bPakistani?\s+rupees?\b|(?-i:\bPKR\b)`), "PKR"},
	{lazyregexp.New(`(?i)\bSri\s+Lankan?\s+rupees?\b|(?-i:\bLKR\b)`), "LKR"},
	{lazyregexp.New(`(?i)\b(?:Bangladesh\w*\s+)?taka\b|(?-i:\bBDT\b)`), "BDT"},
	{lazyregexp.New(`(?i)\bringgit\b|(?-i:\bMYR\b)|\bRM\s?['’]000\b`), "MYR"},
	{lazyregexp.New(`(?i)\brupiah\b|(?-i:\bIDR\b)`), "IDR"},
	{lazyregexp.New(`(?i)\bbaht\b|(?-i:\bTHB\b)`), "THB"},
	{lazyregexp.New(`(?i)₩|\bKorean\s+won\b|(?-i:\bKRW\b)`), "KRW"},
	{lazyregexp.New(`(?i)₫|\bVietnam(?:ese)?\s+dong\b|(?-i:\bVND\b)`), "VND"},
	{lazyregexp.New(`(?i)(?-i:\bPLN\b)|zł|\bzlot(?:y|ys|ych)\b`), "PLN"},
	{lazyregexp.New(`(?i)(?-i:\bCZK\b)|\bKč|\bCzech\s+(?:koruny?|crowns?)\b`), "CZK"},
	{lazyregexp.New(`(?i)\bT?HUF\b|\bforints?\b`), "HUF"},
	{lazyregexp.New(`(?i)\bRomanian\s+le[iu]\b|` + codeAlone + `RON\b)`), "RON"},
	{lazyregexp.New(`(?i)\bpesos\s+colombianos\b|\bColombian\s+pesos\b|` + codeAlone + `COP\b)`), "COP"},
	{lazyregexp.New(`(?i)\bpesos\s+chilenos\b|\bChilean\s+pesos\b|\bM?CLP\b`), "CLP"},
	{lazyregexp.New(`(?i)\bpesos\s+argentinos\b|\bArgentine\s+pesos\b|` + codeAlone + `ARS\b)`), "ARS"},
	{lazyregexp.New(`(?i)\bnuevos\s+soles\b|\ben\s+soles\b|\bPeruvian\s+soles\b|` +
		codeAlone + `PEN\b)|\bS/\.?\s?000\b`), "PEN"},
	{lazyregexp.New(`(?i)\b(?:U\.?\s?S\.?|United\s+States)\s+dollars?\b|\bUSD\b|\bUS\s?\$|\bU\.S\.\s?\$`), "USD"},
}

// CurrencyIn is the first currency that a line names.
func CurrencyIn(l text.Line) (string, []text.Token) {
	text := l.Text()
	code, at, end := "", -1, 0
	for _, c := range currencyNames {
		if m := c.words.FindStringIndex(text); m != nil && (at < 0 || m[0] < at || m[0] == at && m[1] > end) {
			code, at, end = c.code, m[0], m[1]
		}
	}
	if at < 0 {
		return "", nil
	}
	return code, l.TokensOf(at, end)
}

// MonthWord is an English month, whole or short.
const MonthWord = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?` +
	`|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`

// MonthDay is a day as Americans write it, without its year.
var MonthDay = lazyregexp.New(`(?i)\b` + MonthWord + `\.?\s+\d{1,2}\b`)
