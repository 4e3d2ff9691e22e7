package statement

import (
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

var (
	sharesOnly = lazyregexp.New(`(?i)^[^a-z]*(?:weighted|average|shares|number of shares)|shares\s+(?:used` +
		`|in\s+(?:thousands|millions))`)
	accrualWords = lazyregexp.New(`(?i)\baccruals?\s+(?:basis|method)\b` +
		`|\bbasis\s*(?:of\s+accounting)?\s*:?\s*accrual\b|\(accrual\)|\breport\s+type\s*:\s*accrual\b`)
	cashWords = lazyregexp.New(`(?i)\b(?:modified\s+)?cash\s+(?:basis|method)\b` +
		`|\bbasis\s*(?:of\s+accounting)?\s*:?\s*cash\b|\(cash basis\)|\breport\s+type\s*:\s*cash\b|\bcash receipts ` +
		`and disbursements basis\b`)
	taxBasisWords  = lazyregexp.New(`(?i)\b(?:income[\s-]+)?tax\s+basis\b`)
	unauditedWords = lazyregexp.New(`(?i)\bunaudited\b|\bnot\s+(?:been\s+)?audited\b|\bwithout\s+audit\b` +
		`|\bhave\s+not\s+audited\b|\bdid\s+not\s+audit\b`)
	compiledWords = lazyregexp.New(`(?i)\bcompilation\s+(?:report|engagement)|\bhave\s+compiled\b` +
		`|\bcompiled\s+(?:financial|by)\b|\bsee\s+(?:independent\s+)?accountants?['’]?s?['’]?\s+compilation` +
		`|\baccountants?['’]?s?['’]?\s+compilation`)
	reviewedWords = lazyregexp.New(`(?i)\baccountants?['’]?s?['’]?\s+review\s+report` +
		`|\bhave\s+reviewed\s+the\s+accompanying|\breviewed\s+financial|\breview\s+engagement`)
	auditedWords = lazyregexp.New(`(?i)\bindependent\s+auditors?['’]?s?['’]?\s+report` +
		`|\breport\s+of\s+independent\s+registered\s+public\s+accounting|\bhave\s+audited\s+the\s+(?:accompanying` +
		`|financial|consolidated)|^\W*audited\W*$|\(audited\)|\baudited\s+(?:consolidated\s+)?financial\s+statements\b`)
	acceptedWords = lazyregexp.New(`(?i)\baccounting\s+principles\s+generally\s+accepted\b` +
		`|\bgenerally\s+accepted\s+accounting\s+principles\b|\bGAAP\s+basis\b`)
	otherThanWords = lazyregexp.New(`(?i)\bother\s+than\b|\bnon-?GAAP\b|\bdepart`)
)

// head reads what the statements say of themselves: scale, currency, basis, assurance and whose they are.
func (r *statementReader) head() {
	lines := r.segment.Lines()
	r.scales(lines)
	r.currency(lines)
	r.basis(lines)
	r.assurance(lines)
	r.entity(lines)
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
		{unauditedWords, false, ""}, {compiledWords, false, "compiled by an accountant"},
		{reviewedWords, false, "reviewed by an accountant"}, {auditedWords, true, "auditor's report"},
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
		for _, i := range b.chosen.rowOf {
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
			if m != nil && !r.dropped && (m.Places() > 0 || m.Symbol != "") {
				return false
			}
		}
	}
	return true
}
