package statement

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

var (
	thousandsWords = lazyregexp.New(`(?i)\bin\s+(?:us\s*|u\.s\.\s*)?(?:\$|£|€|dollars|usd)?\s*thousands\b|\bthousands\s+of\b|\(\s*(?:[$£€]\s*)?(?:us\$?\s*)?['’]?000['’]?s?\s*(?:omitted)?\s*\)|['’]000s?\b|\b000['’]?s\b(?:\s+omitted)?|\bthousands\s+except\b|^\s*\(?(?:\$|£|€)?\s*thousands\)?\s*$|\$000\b|\(\s*000\s+omitted|\bexpressed\s+in\s+thousands|\bamounts?\s+in\s+000|\bin\s+000`)
	millionsWords  = lazyregexp.New(`(?i)\bin\s+(?:us\s*|u\.s\.\s*)?(?:\$|£|€|dollars|usd)?\s*millions\b|\bmillions\s+of\b|\bmillions\s+except\b|^\s*\(?(?:\$|£|€)?\s*millions\)?\s*$|\(\s*[$£€]\s?mm?\s*\)|[£$€]m\b|\bin\s+[$£€]?\s*mm\b`)
	lakhsWords     = lazyregexp.New(`(?i)(?:₹|\brs\.?|\binr|\brupees|\bin)\s*\.?\s*(?:lakhs?|lacs?)\b`)
	croresWords    = lazyregexp.New(`(?i)(?:₹|\brs\.?|\binr|\brupees|\bin)\s*\.?\s*crores?\b`)
	sharesOnly     = lazyregexp.New(`(?i)^[^a-z]*(?:weighted|average|shares|number of shares)|shares\s+(?:used|in\s+(?:thousands|millions))`)
	accrualWords   = lazyregexp.New(`(?i)\baccruals?\s+(?:basis|method)\b|\bbasis\s*(?:of\s+accounting)?\s*:?\s*accrual\b|\(accrual\)|\breport\s+type\s*:\s*accrual\b`)
	cashWords      = lazyregexp.New(`(?i)\b(?:modified\s+)?cash\s+(?:basis|method)\b|\bbasis\s*(?:of\s+accounting)?\s*:?\s*cash\b|\(cash basis\)|\breport\s+type\s*:\s*cash\b|\bcash receipts and disbursements basis\b`)
	taxBasisWords  = lazyregexp.New(`(?i)\b(?:income[\s-]+)?tax\s+basis\b`)
	unauditedWords = lazyregexp.New(`(?i)\bunaudited\b|\bnot\s+(?:been\s+)?audited\b|\bwithout\s+audit\b|\bhave\s+not\s+audited\b|\bdid\s+not\s+audit\b`)
	compiledWords  = lazyregexp.New(`(?i)\bcompilation\s+(?:report|engagement)|\bhave\s+compiled\b|\bcompiled\s+(?:financial|by)\b|\bsee\s+(?:independent\s+)?accountants?['’]?s?['’]?\s+compilation|\baccountants?['’]?s?['’]?\s+compilation`)
	reviewedWords  = lazyregexp.New(`(?i)\baccountants?['’]?s?['’]?\s+review\s+report|\bhave\s+reviewed\s+the\s+accompanying|\breviewed\s+financial|\breview\s+engagement`)
	auditedWords   = lazyregexp.New(`(?i)\bindependent\s+auditors?['’]?s?['’]?\s+report|\breport\s+of\s+independent\s+registered\s+public\s+accounting|\bhave\s+audited\s+the\s+(?:accompanying|financial|consolidated)|^\W*audited\W*$|\(audited\)|\baudited\s+(?:consolidated\s+)?financial\s+statements\b`)
	acceptedWords  = lazyregexp.New(`(?i)\baccounting\s+principles\s+generally\s+accepted\b|\bgenerally\s+accepted\s+accounting\s+principles\b|\bGAAP\s+basis\b`)
	otherThanWords = lazyregexp.New(`(?i)\bother\s+than\b|\bnon-?GAAP\b|\bdepart`)
	moneyWords     = lazyregexp.New(`(?i)\b(?:in|of)\s+(us|u\.s\.|canadian|australian|new zealand|hong kong|singapore)?\s*dollars\b|\b(pounds sterling|euros)\b`)
)

// head reads what the statements say of themselves: scale, currency, basis, assurance and whose they are.
func (r *statementReader) head() {
	lines := r.segment.Lines()
	r.scales(lines)
	r.currency(r.ownLines(lines))
	r.basis(lines)
	r.assurance(lines)
	r.entity(lines)
}

// ownLines are the lines of the statements themselves, and short ones elsewhere: what a report says of the
// world speaks for no currency.
func (r *statementReader) ownLines(lines []text.Line) []text.Line {
	var own []text.Line
	for _, b := range r.blocks {
		own = append(own, b.head...)
		for _, row := range b.chosen.rows {
			own = append(own, row.lines...)
		}
	}
	for _, l := range lines {
		if len(l.Tokens) <= 7 && len(l.Amounts(r.segment.Style)) == 0 {
			own = append(own, l)
		}
	}
	return own
}

// scales reads the scale of each statement from its own heading, else the document's.
func (r *statementReader) scales(lines []text.Line) {
	unit, where, printed := int64(1), []text.Token(nil), false
	for _, b := range r.blocks {
		b.unit, b.scale, b.printed = scaleOf(b.head)
		if b.printed && !printed {
			unit, where, printed = b.unit, b.scale, true
		}
	}
	if !printed {
		for _, l := range lines {
			if strings.Contains(strings.ToLower(l.Text()), "thousands") || strings.Contains(strings.ToLower(l.Text()), "millions") {
				if u, t, ok := scaleOf([]text.Line{l}); ok && strings.Contains(strings.ToLower(l.Text()), "statement") {
					unit, where, printed = u, t, true
					break
				}
			}
		}
	}
	for _, b := range r.blocks {
		if !b.printed {
			b.unit, b.scale, b.printed = unit, where, printed
		}
	}
	r.facts.Unit = unit
	if printed {
		r.found.From("/unit", where, "")
		return
	}
	r.found.Derive("/unit", "no scale is printed: figures as they stand")
}

// scaleOf is the scale that lines above the figures print.
func scaleOf(lines []text.Line) (int64, []text.Token, bool) {
	for _, l := range lines {
		text := l.Text()
		if sharesOnly.MatchString(text) {
			continue
		}
		first, unit := []int(nil), int64(1)
		for _, s := range scales {
			if at := s.words.FindStringIndex(text); at != nil && (first == nil || at[0] < first[0]) {
				first, unit = at, s.unit
			}
		}
		if first != nil {
			return unit, l.TokensOf(first[0], first[1]), true
		}
	}
	return 1, nil, false
}

// scales are the units that statements print their figures in.
var scales = []struct {
	words *lazyregexp.Regexp
	unit  int64
}{{thousandsWords, 1000}, {millionsWords, 1_000_000}, {lakhsWords, 100_000}, {croresWords, 10_000_000}}

// currency is the printed one: in words, else by symbol and country.
func (r *statementReader) currency(lines []text.Line) {
	codes := map[string]string{"us": "USD", "u.s.": "USD", "canadian": "CAD", "australian": "AUD", "new zealand": "NZD", "hong kong": "HKD", "singapore": "SGD", "pounds sterling": "GBP", "euros": "EUR"}
	var dollars []text.Token
	for _, l := range lines {
		g := moneyWords.FindStringSubmatchIndex(l.Text())
		if g == nil {
			continue
		}
		text := strings.ToLower(l.Text())
		for _, k := range []int{2, 4} {
			if g[k] >= 0 {
				code := codes[strings.Join(strings.Fields(text[g[k]:g[k+1]]), " ")]
				r.facts.Currency = &code
				r.found.From("/currency", l.TokensOf(g[0], g[1]), "")
				return
			}
		}
		if dollars == nil {
			dollars = l.TokensOf(g[0], g[1])
		}
	}
	code, tokens := text.CurrencyOf(lines, r.segment.Order)
	if code == "" && dollars != nil && r.segment.Order == text.MonthFirst {
		code, tokens = "USD", dollars // dollars with the month first are American
	}
	if code == "" {
		return
	}
	r.facts.Currency = &code
	if len(tokens) == 0 {
		r.found.Derive("/currency", "words of one country only")
		return
	}
	r.found.From("/currency", tokens, "")
}

// basis is the basis of accounting that the heading or a footer prints. Generally accepted principles are
// accrual.
func (r *statementReader) basis(lines []text.Line) {
	var accepted []text.Token
	other := false
	for _, l := range lines {
		text := l.Text()
		if len(l.Tokens) > 30 {
			continue
		}
		if at := acceptedWords.FindStringIndex(text); at != nil && accepted == nil {
			accepted = l.TokensOf(at[0], at[1])
		}
		other = other || otherThanWords.MatchString(text)
		basis := ""
		switch {
		case accrualWords.MatchString(text) && !cashWords.MatchString(text):
			basis = "accrual"
		case taxBasisWords.MatchString(text):
			basis = "tax"
		case cashWords.MatchString(text) && !accrualWords.MatchString(text):
			basis = "cash"
		}
		if basis != "" {
			r.facts.Basis = &basis
			r.found.From("/basis", l.Tokens, "")
			return
		}
	}
	if accepted != nil && !other {
		accrual := "accrual"
		r.facts.Basis = &accrual
		r.found.From("/basis", accepted, "")
	}
}

// assurance says whether the statements are audited, and by its evidence which lesser service they had.
func (r *statementReader) assurance(lines []text.Line) {
	set := func(audited bool, l text.Line, evidence string) {
		if r.facts.Audited == nil {
			r.facts.Audited = &audited
			r.found.From("/audited", l.Tokens, "")
		}
		if evidence != "" {
			r.found.Evidence = append(r.found.Evidence, evidence)
		}
	}
	levels := []struct {
		words    *lazyregexp.Regexp
		audited  bool
		evidence string
	}{
		{unauditedWords, false, ""}, {compiledWords, false, "compiled by an accountant"}, {reviewedWords, false, "reviewed by an accountant"}, {auditedWords, true, "auditor's report"},
	}
	for _, level := range levels {
		for _, l := range lines {
			if level.words.MatchString(l.Text()) && !(level.audited && r.facts.Audited != nil) {
				set(level.audited, l, level.evidence)
				break
			}
		}
	}
}

// warn says what a person should know: no scale, no currency, figures read from poor print.
func (r *statementReader) warn() {
	if len(r.blocks) == 0 {
		return
	}
	if r.facts.Currency == nil {
		r.found.Warn("currency_unknown", "No currency is printed.")
	}
	scaled, doubtful := false, 0
	for _, b := range r.blocks {
		scaled = scaled || !b.printed && b.looksScaled()
		for _, i := range b.chosen.of {
			for _, t := range b.chosen.rows[i].tokens {
				if t.Confidence < 0.6 {
					doubtful++
					break
				}
			}
		}
	}
	if scaled {
		r.found.Warn("scale_unknown", "The figures look like thousands or millions, but no scale is printed.")
	}
	if doubtful > 0 {
		r.found.Warn("low_confidence", "%d captions are printed poorly.", doubtful)
	}
}

// looksScaled reports whether figures without cents and without a currency symbol may be thousands.
func (b *readStatement) looksScaled() bool {
	for _, r := range b.chosen.rows {
		for _, m := range r.figures {
			if m != nil && !r.gone && (m.Places() > 0 || m.Symbol != "") {
				return false
			}
		}
	}
	return true
}
