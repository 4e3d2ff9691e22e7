package statement

import (
	"github.com/dossierhq/dossier/pipelines/document/text"
	"strings"

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
	{lazyregexp.New(`(?i)₺|\bTurkish\s+liras?\b|` + codeAlone + `TRY\b)`), "TRY"},
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

// currencyIn is the first currency that a line names.
func currencyIn(l text.Line) (string, []text.Token) {
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

// monthWord is an English month, whole or short.
const monthWord = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?` +
	`|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`

var (
	currencyRemark = lazyregexp.New(`(?i)\bcurrency\b|\bamounts?\b|\bfigures\b|\bexpressed\b|\bpresented\b` +
		`|\bstated\b|\bexpresad|\bexprim`)
	dollarWords = lazyregexp.New(`(?i)\bdollars\b|\$`)
	otherDate   = lazyregexp.New(`(?i)\b\d{1,2}\s+(?:january|february|march|april|may|june|july|august|september` +
		`|october|november|december)\b|\b(?:1[3-9]|2\d|3[01])/(?:0?[1-9]|1[0-2])/\d{2,4}\b`)
	monthDay = lazyregexp.New(`(?i)\b` + monthWord + `\.?\s+\d{1,2}\b`)
	// what is written as in America
	americanWords = lazyregexp.New(`(?i)\b(?:inc|llc|l\.l\.c|corp|corporation|incorporated|gaap|c\.?p\.?a|irs)\b` +
		`|\b` + monthWord + `\.?\s+\d{1,2}\b` +
		`|\b` + monthWord + `\.?\s*(?:-|–|through|thru|to)\s*` + monthWord + `\b` +
		`|\b(?:0?[1-9]|1[0-2])/(?:[0-2]?\d|3[01])/(?:(?:19|20)\d{2}|\d{2})\b`)
	secFiling = lazyregexp.New(`(?i)securities\s+and\s+exchange\s+commission|\bform\s+10-[kq]\b`)
)

// dollarCountries are words of the countries whose dollars are not the American ones.
var dollarCountries = map[string][]string{
	"CAD": {"canada", "canadian", "ontario", "quebec", "alberta", "british columbia", "manitoba", "saskatchewan",
		"nova scotia"},
	"AUD": {"australia", "australian", "pty", "abn"}, "NZD": {"new zealand", "nzbn"}, "SGD": {"singapore"},
	"HKD": {"hong kong"},
}

// currency is the one that the headings of the statements name, else the signs beside their figures, else a remark. The
// dollar without a country is the American one where a form of company or a date is written as there; what a
// caption says of a currency or a country says nothing of the statement's.
func (r *statementReader) currency(lines []text.Line) {
	for _, find := range []func([]text.Line) (string, []text.Token){r.headedCurrency, r.signedCurrency,
		r.remarkedCurrency, r.crowns, r.dollars} {
		if code, where := find(lines); code != "" {
			r.facts.Currency = &code
			r.found.From("/currency", where, "")
			return
		}
	}
}

func (r *statementReader) headedCurrency([]text.Line) (string, []text.Token) {
	for _, b := range r.blocks {
		for _, head := range b.heads { // of the columns that are read: beside them may stand those in another
			if code, where := currencyIn(text.Line{Tokens: head}); code != "" {
				return code, where
			}
		}
	}
	for _, b := range r.blocks {
		for i := max(0, len(b.head)-9); i < len(b.head); i++ {
			if l := b.head[i]; len(l.Tokens) <= 45 {
				if code, where := currencyIn(l); code != "" {
					return code, where
				}
			}
		}
	}
	return "", nil
}

// signedCurrency is the currency whose sign most figures bear.
func (r *statementReader) signedCurrency([]text.Line) (string, []text.Token) {
	counts, first := map[string]int{}, map[string][]text.Token{}
	for _, b := range r.blocks {
		for _, row := range b.chosen.rows {
			for column, m := range row.figures {
				if m == nil || m.Symbol == "" {
					continue
				}
				if code := text.SymbolCode(m.Symbol); code != "" && code != "$" {
					if counts[code]++; first[code] == nil {
						first[code] = row.tokensOf(column)
					}
				}
			}
		}
	}
	best := ""
	for code, n := range counts {
		if best == "" || n > counts[best] || n == counts[best] && code < best {
			best = code
		}
	}
	return best, first[best]
}

// remarkedCurrency is the currency of a short line that speaks of the amounts, below or beside the statements.
func (r *statementReader) remarkedCurrency(lines []text.Line) (string, []text.Token) {
	for _, l := range lines {
		if len(l.Tokens) > 16 || !currencyRemark.MatchString(l.Text()) || len(l.Amounts(r.segment.Style)) > 0 {
			continue
		}
		if code, where := currencyIn(l); code != "" {
			return code, where
		}
	}
	return "", nil
}

// crownWords is the currency of three countries; the name of the statement says whose language it is in.
var (
	crownWords  = lazyregexp.New(`(?i)(?:^|[\s(])(?:[tm]|t\.|mio\.?\s|1\.000\s)?kr\b`)
	crownTitles = map[string]string{"resultatrakning": "SEK", "balansrakning": "SEK", "resultatopgørelse": "DKK",
		"resultatregnskap": "NOK"}
)

// crowns decides whose crowns "kr" above the figures means.
func (r *statementReader) crowns([]text.Line) (string, []text.Token) {
	code, where := "", []text.Token(nil)
	for _, b := range r.blocks {
		for _, l := range b.head {
			if at := crownWords.FindStringIndex(l.Text()); at != nil && where == nil && len(l.Tokens) <= 16 {
				where = l.TokensOf(at[0], at[1])
			}
			for word, of := range crownTitles {
				if text.HasWords(text.Fold(l.Text()), word) {
					code = of
				}
			}
		}
	}
	if code == "" || where == nil {
		return "", nil
	}
	return code, where
}

// dollars decides whose dollars a bare sign means.
func (r *statementReader) dollars(lines []text.Line) (string, []text.Token) {
	sign := r.dollarSign()
	if sign == nil {
		return "", nil
	}
	var head []text.Line
	other, american := false, false // dates that are not written as in America, and words and dates that are
	for _, b := range r.blocks {
		head = append(head, b.head...)
	}
	for _, l := range head {
		other = other || otherDate.MatchString(monthDay.ReplaceAllString(l.Text(), ""))
		american = american || americanWords.MatchString(l.Text())
	}
	for _, l := range lines {
		if secFiling.MatchString(l.Text()) {
			return "USD", sign
		}
		if len(l.Tokens) <= 8 && len(l.Amounts(r.segment.Style)) == 0 {
			head = append(head, l)
		}
		american = american || len(l.Tokens) <= 16 && americanWords.MatchString(l.Text())
	}
	code, most := "", 0
	for _, c := range []string{"CAD", "AUD", "NZD", "SGD", "HKD"} {
		n := 0
		for _, l := range head {
			folded := text.Fold(l.Text())
			for _, w := range dollarCountries[c] {
				if text.HasWords(folded, w) {
					n++
				}
			}
		}
		if n > most {
			code, most = c, n
		}
	}
	switch {
	case code != "":
		return "", nil // of a country with dollars of its own, but nothing says that they are meant
	case !other && american:
		return "USD", sign
	}
	return "", nil
}

// dollarSign is where a statement prints a dollar sign with its figures or above them.
func (r *statementReader) dollarSign() []text.Token {
	for _, b := range r.blocks {
		for _, row := range b.chosen.rows {
			for column, m := range row.figures {
				if m != nil && strings.Contains(m.Symbol, "$") {
					return row.tokensOf(column)
				}
			}
			for _, l := range row.lines {
				for i, t := range l.Tokens {
					if i >= len(row.tokens) && t.Text == "$" {
						return l.Tokens[i : i+1]
					}
				}
			}
		}
		for _, l := range b.head {
			if at := dollarWords.FindStringIndex(l.Text()); at != nil && len(l.Tokens) <= 45 {
				return l.TokensOf(at[0], at[1])
			}
		}
	}
	return nil
}
