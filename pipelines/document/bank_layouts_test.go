package document

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
)

// monospaced is a page of lines set in letters of one width.
func monospaced(lines []string) Page {
	p := Page{Number: 1, Width: 700, Height: 900, Layer: LayerText}
	for i, line := range lines {
		y := 20 + float64(i)*12
		for at, word := range wordsAt(line) {
			p.Tokens = append(p.Tokens, Token{Page: 1, X0: float64(at) * 6, X1: float64(at+len(word)) * 6, Y0: y, Y1: y + 9, Text: word, Confidence: 1, Method: MethodText})
		}
	}
	return p
}

// wordsAt are the words of a line with the columns they begin in.
func wordsAt(line string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for at := 0; at < len(line); {
			word, _, _ := strings.Cut(line[at:], " ")
			if word != "" && !yield(at, word) {
				return
			}
			at += len(word) + 1
		}
	}
}

// The ways in which banks print what moved: by kind, by date, side by side, with and without signs. Each fixture is a
// statement of an invented bank, followed by what it says.
func TestBankStatement_layouts(t *testing.T) {
	raw, err := os.ReadFile("testdata/bank_layouts.txt")
	if err != nil {
		t.Fatal(err)
	}
	for fixture := range strings.SplitSeq(string(raw), "\n=====\n") {
		name, rest, _ := strings.Cut(fixture, "\n")
		text, want, _ := strings.Cut(rest, "\n---\n")
		t.Run(name, func(t *testing.T) {
			d := Extract(Decoded{PageCount: 1, Layer: LayerText, Pages: []Page{monospaced(strings.Split(text, "\n"))}}).Documents[0]
			if d.Facts.Bank == nil {
				t.Fatalf("read as %s", d.DocType)
			}
			if diff := cmp.Diff(strings.TrimSpace(want), said(d)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// said is what a statement says, in lines.
func said(d dossier.ReadDocument) string {
	f := d.Facts.Bank
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s, %s to %s, ", show(f.AccountHolder), show(f.AccountNumber), show(f.PeriodStart), show(f.PeriodEnd))
	switch {
	case f.Reconciles == nil:
		b.WriteString("unknown\n")
	case *f.Reconciles:
		b.WriteString("foots\n")
	default:
		b.WriteString("does not foot\n")
	}
	for _, a := range f.Accounts {
		fmt.Fprintf(&b, "%s, %s\n", show(a.Name), show(a.AccountNumber))
	}
	for _, e := range f.Entries {
		fmt.Fprintf(&b, "%s %s %s\n", e.Date, e.Amount.String(), e.Description)
	}
	return strings.TrimSpace(b.String())
}
