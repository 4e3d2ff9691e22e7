package bank_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// monospaced is a page of lines set in letters of one width.
func monospaced(lines []string) text.Page {
	p := text.Page{Number: 1, Width: 700, Height: 900, Layer: text.LayerText}
	for i, line := range lines {
		y := 20 + float64(i)*12
		for at, word := range wordsAt(line) {
			p.Tokens = append(p.Tokens, text.Token{Page: 1, X0: float64(at) * 6, X1: float64(at+len(word)) * 6, Y0: y, Y1: y + 9, Text: word, Confidence: 1, Method: text.MethodText})
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
	raw, err := os.ReadFile("testdata/layouts.txt")
	if err != nil {
		t.Fatal(err)
	}
	for fixture := range strings.SplitSeq(string(raw), "\n=====\n") {
		name, rest, _ := strings.Cut(fixture, "\n")
		s, want, _ := strings.Cut(rest, "\n---\n")
		t.Run(name, func(t *testing.T) {
			d := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerText, Pages: []text.Page{monospaced(strings.Split(s, "\n"))}}).Documents[0]
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
	fmt.Fprintf(&b, "%s, %s, %s to %s, ", documenttest.Shown(f.AccountHolder), documenttest.Shown(f.AccountNumber), documenttest.Shown(f.PeriodStart), documenttest.Shown(f.PeriodEnd))
	switch {
	case f.Reconciles == nil:
		b.WriteString("unknown\n")
	case *f.Reconciles:
		b.WriteString("foots\n")
	default:
		b.WriteString("does not foot\n")
	}
	for _, a := range f.Accounts {
		fmt.Fprintf(&b, "%s, %s\n", documenttest.Shown(a.Name), documenttest.Shown(a.AccountNumber))
	}
	for _, e := range f.Entries {
		fmt.Fprintf(&b, "%s %s %s\n", e.Date, e.Amount.String(), e.Description)
	}
	return strings.TrimSpace(b.String())
}

// A summary in columns says how many movements its amounts are of, in columns of their own; a number in another column
// is no count.
func TestBankStatement_countsInColumns(t *testing.T) {
	const under = "\n\nDATE      TRANSACTION                  AMOUNT\n11-01     TELLER DEPOSIT              1,200.00\n"
	for name, c := range map[string]struct {
		summary string
		in, out string
	}{
		"No.": {`BALANCE LAST STATEMENT   NO.  DEPOSITS AMOUNT   NO.  WITHDRAWALS AMOUNT  BALANCE THIS STATEMENT
            210.50         2        4,700.00      3             1,320.15              3,590.35`, "2", "3"},
		"days": {`BALANCE LAST STATEMENT  DAYS   DEPOSITS AMOUNT  WITHDRAWALS AMOUNT  BALANCE THIS STATEMENT
            210.50         30       4,700.00             1,320.15              3,590.35`, "", ""},
	} {
		s := "ALDER VALLEY BANK\nBUSINESS CHECKING : ACCOUNT NO. 004411702\n\n" + c.summary + under
		d := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerText, Pages: []text.Page{monospaced(strings.Split(s, "\n"))}}).Documents[0]
		if d.Facts.Bank == nil {
			t.Fatalf("%s: read as %s", name, d.DocType)
		}
		shown := func(n *int) string {
			if n == nil {
				return ""
			}
			return fmt.Sprint(*n)
		}
		if in, out := shown(d.Facts.Bank.DepositCount), shown(d.Facts.Bank.WithdrawalCount); in != c.in || out != c.out {
			t.Errorf("%s: counts %q and %q, want %q and %q", name, in, out, c.in, c.out)
		}
		if f := d.Facts.Bank; f.Reconciles == nil || !*f.Reconciles {
			t.Errorf("%s: does not reconcile: deposits %v", name, f.TotalDeposits)
		}
	}
}
