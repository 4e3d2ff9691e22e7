package bank

import (
	"slices"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// wholeIBAN is an IBAN as long as those of its country, which a narrow cell may break over two lines.
func wholeIBAN(lines []text.Line, n text.AccountNumber) (text.AccountNumber, bool) {
	if !text.ShortIBAN(n.Text) || n.Line+1 >= len(lines) {
		return n, true
	}
	first := text.Line{Page: lines[n.Line].Page, Tokens: n.Tokens, Y0: n.Tokens[0].Y0, Y1: n.Tokens[0].Y1,
		X0: n.Tokens[0].X0}
	below, ok := text.AlignedCell(lines[n.Line+1], first)
	if !ok {
		return n, false
	}
	n.Text += " " + below.Text()
	n.Tokens = slices.Concat(n.Tokens, below.Tokens)
	return n, text.IBANPattern.FindString(n.Text) == n.Text && !text.ShortIBAN(n.Text)
}

// The parts of a caption of an account's number that a narrow cell breaks over two lines.
var (
	wrappedCaption = lazyregexp.New(`^(?i:account|no\.? de|n[uú]mero de|acct\.?|a/c|member)$`)
	captionsEnd    = lazyregexp.New(`^(?i:(?:number|no\.?|num\.?|cuenta|compte|conta):?)$`)
)

// besideWrapped is the number beside a caption that is broken over two lines: on the first of them, on the second, or
// between.
func besideWrapped(lines []text.Line, i int) (text.AccountNumber, bool) {
	for _, cell := range lines[i].Cells() {
		first, words := cell.Tokens[0], cell.Text()
		if at := slices.IndexFunc(cell.Tokens[1:], func(t text.Token) bool {
			return numberPart.MatchString(t.Text)
		}); at >= 0 {
			words = text.Join(cell.Tokens[:at+1])
		}
		if !wrappedCaption.MatchString(words) {
			continue
		}
		for j := i + 1; j < len(lines) && j <= i+2; j++ {
			end := slices.IndexFunc(lines[j].Tokens, func(t text.Token) bool {
				return text.Abs(t.X0-first.X0) < 0.3*(first.Y1-first.Y0) && captionsEnd.MatchString(t.Text)
			})
			if end < 0 || lines[j].Page != lines[i].Page || lines[j].Tokens[end].Y0-first.Y1 > first.Y1-first.Y0 {
				continue
			}
			for k := i; k <= j; k++ {
				if n, ok := numberRightOf(lines[k], k, first); ok {
					return n, true
				}
			}
		}
	}
	return text.AccountNumber{}, false
}

// numberRightOf is the number that fills the cell right of a caption's word, or follows the caption in its own.
func numberRightOf(l text.Line, at int, caption text.Token) (text.AccountNumber, bool) {
	for _, cell := range l.Cells() {
		tokens := cell.Tokens
		for len(tokens) > 0 && (tokens[0].X0 <= caption.X1 || !numberPart.MatchString(tokens[0].Text)) {
			tokens = tokens[1:]
		}
		if len(tokens) > 0 {
			return bankNumberOf(tokens, at)
		}
	}
	return text.AccountNumber{}, false
}

// brokenPart is the first part of a number that its cell breaks behind a hyphen.
var brokenPart = lazyregexp.New(`^\d[\d-]*-$`)

// numberBroken is a number behind its caption that goes on in the line below: "6231-" and, below, "4471902".
func numberBroken(lines []text.Line, i, at int) (text.AccountNumber, bool) {
	l := lines[i]
	if s := l.Text(); at >= len(s) || i+1 >= len(lines) {
		return text.AccountNumber{}, false
	}
	first, _ := l.TokenRange(min(at+1, len(l.Text())-1), len(l.Text()))
	part := l.Tokens[first]
	if !brokenPart.MatchString(part.Text) || first+1 < len(l.Tokens) && !text.WideGap(part, l.Tokens[first+1]) {
		return text.AccountNumber{}, false
	}
	for _, cell := range lines[i+1].Cells() {
		next := cell.Tokens[0]
		if cell.X0 > part.X1 || cell.X1 < l.X0 || cell.Page != l.Page || !fewOrMoreDigits.MatchString(next.Text) {
			continue
		}
		return bankNumberOf([]text.Token{{Text: part.Text + next.Text, Page: part.Page, X0: part.X0, X1: part.X1,
			Y0: part.Y0, Y1: part.Y1, Confidence: min(part.Confidence, next.Confidence), Method: part.Method}}, i)
	}
	return text.AccountNumber{}, false
}

var fewOrMoreDigits = lazyregexp.New(`^\d{2,12}(?:-\d+)*$`)

// codedNumber is the number of an account in the cell beside its caption of an export: banks and credit unions put
// letters in it, as in that of a share.
func codedNumber(l text.Line, i int) (text.AccountNumber, bool) {
	last := l.Tokens[len(l.Tokens)-1]
	if last.Method != text.MethodCell || !coded.MatchString(last.Text) ||
		text.Fold(l.Words(0, len(l.Tokens)-1)) != "account number" {
		return text.AccountNumber{}, false
	}
	return text.AccountNumber{Text: last.Text, Tokens: l.Tokens[len(l.Tokens)-1:], Line: i}, true
}

// coded is a number of an account with letters in it.
var coded = lazyregexp.New(`^\d{3,}(?:-?[A-Z]{1,3}-?\d{1,6})+$`)
