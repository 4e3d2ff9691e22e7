package statement

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"

	"github.com/dossierhq/dossier/pipelines/document/statement/table"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

var (
	currencyRemark = lazyregexp.New(`(?i)\bcurrency\b|\bamounts?\b|\bfigures\b|\bexpressed\b|\bpresented\b` +
		`|\bstated\b|\bexpresad|\bexprim`)
	dollarWords = lazyregexp.New(`(?i)\bdollars\b|\$`)
	otherDate   = lazyregexp.New(`(?i)\b\d{1,2}\s+(?:january|february|march|april|may|june|july|august|september` +
		`|october|november|december)\b|\b(?:1[3-9]|2\d|3[01])/(?:0?[1-9]|1[0-2])/\d{2,4}\b`)

	// what is written as in America
	americanWords = lazyregexp.New(`(?i)\b(?:inc|llc|l\.l\.c|corp|corporation|incorporated|gaap|c\.?p\.?a|irs)\b` +
		`|\b` + table.MonthWord + `\.?\s+\d{1,2}\b` +
		`|\b` + table.MonthWord + `\.?\s*(?:-|–|through|thru|to)\s*` + table.MonthWord + `\b` +
		`|\b(?:0?[1-9]|1[0-2])/(?:[0-2]?\d|3[01])/(?:(?:19|20)\d{2}|\d{2})\b`)
	secFiling = lazyregexp.New(`(?i)securities\s+and\s+exchange\s+commission|\bform\s+10-[kq]\b`)
)

// dollarCountries are words of the countries whose dollars are not the American ones.
var dollarCountries = map[string][]string{
	"CAD": {"canada", "canadian", "ontario", "quebec", "alberta", "british columbia", "manitoba", "saskatchewan",
		"nova scotia", "bilan", "etat des resultats", "capitaux propres"},
	"AUD": {"australia", "australian", "pty", "abn"}, "NZD": {"new zealand", "nzbn"}, "SGD": {"singapore"},
	"HKD": {"hong kong"},
}

// currency is the one that the headings of the statements name, else the signs beside their figures, else a remark. The
// dollar without a country is the American one where a form of company or a date is written as there; what a
// caption says of a currency or a country says nothing of the statement's.
func (r *statementReader) currency(lines []text.Line) {
	for _, find := range []func([]text.Line) (string, []text.Token){r.headedCurrency, r.signedCurrency,
		r.remarkedCurrency, r.currencyOfCrowns, r.currencyOfPesos, r.currencyOfDollars} {
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
			if code, where := table.CurrencyIn(text.Line{Tokens: head}); code != "" {
				return code, where
			}
		}
	}
	for _, b := range r.blocks {
		for i := max(0, len(b.head)-9); i < len(b.head); i++ {
			if l := b.head[i]; len(l.Tokens) <= 45 {
				if code, where := table.CurrencyIn(l); code != "" {
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
		if code, where := table.CurrencyIn(l); code != "" {
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

// currencyOfCrowns decides which currency "kr" above the figures means: Swedish, Danish or Norwegian.
func (r *statementReader) currencyOfCrowns([]text.Line) (string, []text.Token) {
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

// Pesos above the figures of a company whose form only Mexican law knows are those of Mexico.
var (
	pesoWords    = lazyregexp.New(`(?i)\bpesos\b`)
	mexicanForms = lazyregexp.New(`(?i)\b(?:S\.?\s?A\.?(?:\s?[BP]\.?)?(?:\s?I\.?)?|S\.?\s?(?:de\s)?R\.?\s?L\.?)` +
		`(?:\s?B\.?)?\s+de\s+C\.?\s?V\b`)
)

// currencyOfPesos decides which country's peso is named above the figures.
func (r *statementReader) currencyOfPesos(lines []text.Line) (string, []text.Token) {
	mexican := slices.ContainsFunc(lines, func(l text.Line) bool { return mexicanForms.MatchString(l.Text()) })
	for _, b := range r.blocks {
		for _, l := range b.head {
			if at := pesoWords.FindStringIndex(l.Text()); at != nil && mexican && len(l.Tokens) <= 24 {
				return "MXN", l.TokensOf(at[0], at[1])
			}
		}
	}
	return "", nil
}

// currencyOfDollars decides which country's dollar a bare "$" means.
func (r *statementReader) currencyOfDollars(lines []text.Line) (string, []text.Token) {
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
		other = other || otherDate.MatchString(table.MonthDay.ReplaceAllString(l.Text(), ""))
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
