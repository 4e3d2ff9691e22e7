package bank

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Whose account an export is of, at which bank and in which currency.

// ledgerHead reads what stands around the tables: whose accounts, of which bank, in which currency.
func (b *bankReader) ledgerHead(groups []*ledgerGroup) {
	g := groups[0]
	if len(b.lines) > 0 {
		b.head()
	}
	b.found.Warnings = nil
	if len(groups) == 1 && isAccountNumber(g.account) &&
		(b.facts.AccountNumber == nil || len(g.t.above(g.sheet)) == 0) {
		b.facts.AccountNumber = &g.account
		b.found.From("/accountNumber", g.accountAt, "")
	}
	b.captionedBank(g)
	if len(groups) == 1 {
		b.maskedNumber(g)
		b.codedBank()
	}
	currency, at, why := b.ledgerCurrency(groups)
	b.facts.Currency = nil
	delete(b.found.Sources, "/currency")
	delete(b.found.Derived, "/currency")
	switch {
	case currency == "":
		b.found.Warn("currency_unknown", "No currency is printed and none follows from the country.")
	case len(at) > 0:
		b.found.From("/currency", at, "")
		b.facts.Currency = &currency
	default:
		b.facts.Currency = &currency
		b.found.Derive("/currency", why)
	}
	if b.facts.Personal == nil {
		b.personal("", "")
	}
}

// ledgerCurrency is the currency of all accounts of an export, where it is printed, and, where it is not, why it is: of
// the country whose terms it prints, of the IBAN's or of the bank's. Accounts in several have none together.
func (b *bankReader) ledgerCurrency(groups []*ledgerGroup) (currency string, at []text.Token, why string) {
	g := groups[0]
	if slices.ContainsFunc(groups, func(o *ledgerGroup) bool { return o.currency != g.currency }) {
		return "", nil, ""
	}
	if g.currency != "" {
		return g.currency, g.currencyAt, ""
	}
	if currency, at = printedCurrency(g.printed); currency == "" {
		currency, at = text.CurrencyOf(append(slices.Clone(b.lines),
			append(cellsAsWords(g.head), text.Line{Tokens: g.printed})...), b.Order)
		why = "the currency of the country whose banking terms the export prints"
		if formed, reason := text.CountryCurrency(b.lines); formed != "" &&
			(currency == "" || len(at) == 0 || bareDollar(at)) {
			currency, at, why = formed, nil, reason
		}
	}
	if own := b.ibanCurrency(); own != "" && currency == "" {
		currency, why = own, "the currency of the country of the account's IBAN"
	}
	if b.facts.Institution == nil {
		return currency, at, why
	}
	own := text.BankCurrency(*b.facts.Institution)
	if own != "" && (currency == "" || bareDollar(at) && strings.HasSuffix(own, "D")) {
		currency, why = own, "the currency of the country of "+*b.facts.Institution
	}
	return currency, at, why
}

// captionedBank takes the institution from a pair of caption and name, whatever the name.
func (b *bankReader) captionedBank(g *ledgerGroup) {
	for _, l := range g.lines {
		cells := l.Cells()
		if len(cells) == 2 && bankNameCaption.MatchString(text.Fold(cells[0].Text())) && cells[1].X0 < 20 {
			name := cells[1].Text()
			if known, ok := text.KnownInstitution(name); ok {
				name = known
			}
			b.facts.Institution = &name
			b.found.From("/institution", cells[1].Tokens, cells[0].Text())
			return
		}
	}
}

// codedBank takes the institution from the account's IBAN.
func (b *bankReader) codedBank() {
	if b.facts.Institution != nil || b.facts.AccountNumber == nil {
		return
	}
	if name := text.BankOfIBAN(*b.facts.AccountNumber); name != "" {
		b.facts.Institution = &name
		b.found.Derive("/institution", "the bank's code in the account's IBAN")
	}
}

// ibanCurrency is the currency of the country of the account's IBAN; empty when it has none.
func (b *bankReader) ibanCurrency() string {
	if n := b.facts.AccountNumber; n != nil && text.IBANPattern.FindString(*n) == *n {
		return text.IBANCurrency(*n)
	}
	return ""
}

// isAccountNumber reports whether what the column of accounts says is a number, and no name.
func isAccountNumber(s string) bool {
	bare := strings.ReplaceAll(s, " ", "")
	return accountNumber.MatchString(bare) || longNumber.MatchString(bare) ||
		s != "" && text.IBANPattern.FindString(s) == s
}

// maskedNumber takes the account's number from a word above the table that is nothing but a masked number.
func (b *bankReader) maskedNumber(g *ledgerGroup) {
	if b.facts.AccountNumber != nil {
		return
	}
	for _, l := range cellsAsWords(g.t.above(g.sheet)) {
		for _, t := range l.Tokens {
			if maskedNumber.MatchString(t.Text) {
				b.facts.AccountNumber = &t.Text
				b.found.From("/accountNumber", []text.Token{t}, "")
				return
			}
		}
	}
}

var maskedNumber = lazyregexp.New(`^[Xx*•]{2,}[- ]?\d{3,6}$`)

var bankNameCaption = lazyregexp.New(`^(?:bank|bank name|name of (?:the )?bank|institution|financial institution` +
	`|kreditinstitut|geldinstitut|banque|banco)$`)

// printedCurrency is the currency that the amounts or the heads of their columns carry: "Amount (EUR)", "£12.50".
func printedCurrency(tokens []text.Token) (string, []text.Token) {
	for _, t := range tokens {
		for _, word := range strings.FieldsFunc(t.Text,
			func(r rune) bool { return strings.ContainsRune(" ()[]/", r) }) {
			if code := text.SymbolCode(word); len(code) == 3 {
				return code, []text.Token{t}
			}
		}
	}
	return "", nil
}
