package score

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/spread"
)

// filingScore counts the figures of described statements by class of fault.
type filingScore struct {
	right, missing, wrong, scale, heads, headsRight int
	lines, unexplained                              int
	notes                                           []string
}

func (s *filingScore) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// share is how many of a hundred figures are right; one of a wrong scale, sign or column takes one away.
func (s filingScore) share() float64 {
	return 100 * float64(s.right-s.scale) / float64(max(1, s.right+s.missing+s.wrong+s.scale))
}

// scoreFiling compares a reading with a specimen's truth.
func scoreFiling(s *filingScore, truth, got *dossier.StatementFacts) {
	head := func(name, want, have string) {
		s.heads++
		if want == have {
			s.headsRight++
		} else {
			s.note("%s: want %q, got %q", name, want, have)
		}
	}
	of := func(p *string) string {
		if p == nil {
			return ""
		}
		return *p
	}
	head("entity", text.Fold(of(truth.EntityName)), strings.TrimSuffix(text.Fold(of(got.EntityName)), " and subsidiaries"))
	head("currency", of(truth.Currency), of(got.Currency))
	head("unit", fmt.Sprint(truth.Unit), fmt.Sprint(got.Unit))
	kinds := []struct {
		name        string
		truth, have []dossier.StatementColumn
	}{
		{"is", truth.Statements.IncomeStatement, got.Statements.IncomeStatement},
		{"bs", truth.Statements.BalanceSheet, got.Statements.BalanceSheet},
		{"cf", truth.Statements.CashFlow, got.Statements.CashFlow},
	}
	for _, k := range kinds {
		for _, want := range k.truth {
			at := slices.IndexFunc(k.have, func(c dossier.StatementColumn) bool { return sameColumn(want, c) })
			if at < 0 {
				s.missing += len(want.Values)
				s.note("%s %s %s: no such column of %d", k.name, of(want.Start), *want.End, len(k.have))
				continue
			}
			for key, v := range want.Values {
				s.figure(k.name+" "+*want.End+" "+key, key, v, k.have[at], k.truth)
			}
		}
		for _, have := range k.have {
			if c := have.Coverage; c != nil {
				s.lines, s.unexplained = s.lines+c.PrintedLines, s.unexplained+c.Unexplained
				if c.Unexplained < 0 {
					s.note("%s %s: lines counted twice: %+v", k.name, have.Label, *c)
				}
			}
			if !slices.ContainsFunc(k.truth, func(c dossier.StatementColumn) bool { return sameColumn(c, have) }) {
				s.note("%s: a column %q that is none", k.name, have.Label)
			}
		}
	}
}

func sameColumn(want, got dossier.StatementColumn) bool {
	if got.End == nil || *got.End != *want.End {
		return false
	}
	if want.Start == nil {
		return true
	}
	if got.Start == nil {
		return false
	}
	a, _ := time.Parse(time.DateOnly, *want.Start)
	b, _ := time.Parse(time.DateOnly, *got.Start)
	return a.Sub(b).Abs() <= 8*24*time.Hour
}

// figure classes one figure; of rows that the template adds up from others the lines will do.
func (s *filingScore) figure(at, key string, want dossier.Amount, got dossier.StatementColumn, all []dossier.StatementColumn) {
	have, ok := got.Values[key]
	if ok && have.Equal(want.Decimal) {
		s.right++
		return
	}
	if !ok {
		if !want.IsZero() {
			s.missing++
			s.note("%s: want %s, missing", at, want)
		}
		return
	}
	s.note("%s: want %s, got %s", at, want, have)
	if sameDigits(want.Decimal, have.Decimal) || slices.ContainsFunc(all, func(c dossier.StatementColumn) bool {
		other, is := c.Values[key]
		return is && other.Equal(have.Decimal)
	}) {
		s.scale++
		return
	}
	s.wrong++
}

// sameDigits reports whether two amounts differ in sign or scale only.
func sameDigits(a, b decimal.Decimal) bool {
	for _, factor := range []int64{1, 100, 1000, 100_000, 1_000_000, 10_000_000, 1_000_000_000} {
		f := decimal.NewFromInt(factor)
		if a.Abs().Equal(b.Abs().Mul(f)) || b.Abs().Equal(a.Abs().Mul(f)) {
			return true
		}
	}
	return false
}

// TestStatement_filings reads every described layout, each with figures of several seeds.
func TestStatement_filings(t *testing.T) {
	t.Parallel()
	all := filingScore{}
	for _, layout := range specimen.FilingLayouts() {
		one := filingScore{}
		for seed := range uint64(statementSeeds()) {
			s, doc := readFiling(t, layout, 200+seed)
			if doc.Facts.Statement == nil {
				doc.Facts.Statement = &dossier.StatementFacts{}
			}
			scoreFiling(&one, s.Truth.Facts.Statement, doc.Facts.Statement)
		}
		t.Logf("%-16s %5.1f %% of figures: %d right, %d missing, %d wrong, %d of wrong scale, sign or column; heads %d of %d; %d of %d lines unexplained",
			layout, one.share(), one.right, one.missing, one.wrong, one.scale, one.headsRight, one.heads, one.unexplained, one.lines)
		for _, n := range slices.Compact(one.notes) {
			t.Logf("    %s", n)
		}
		all.right, all.missing, all.wrong, all.scale = all.right+one.right, all.missing+one.missing, all.wrong+one.wrong, all.scale+one.scale
		all.heads, all.headsRight = all.heads+one.heads, all.headsRight+one.headsRight
		all.lines, all.unexplained = all.lines+one.lines, all.unexplained+one.unexplained
	}
	t.Logf("ALL %.1f %% of figures: %d right, %d missing, %d wrong, %d of wrong scale, sign or column; heads %d of %d; %d of %d lines unexplained",
		all.share(), all.right, all.missing, all.wrong, all.scale, all.headsRight, all.heads, all.unexplained, all.lines)
	if all.share() < 97 || all.scale > 0 || all.wrong > 0 || all.unexplained > 0 {
		t.Errorf("want 97 %% of the figures, none wrong, and no line that is lost")
	}
}

// filings are readings that tests share.
var filings sync.Map // by layout and seed: func() dossier.ReadDocument

// readFiling makes a described layout with figures of a seed, and reads it unless another test has.
func readFiling(t *testing.T, layout string, seed uint64) (specimen.Specimen, dossier.ReadDocument) {
	t.Helper()
	s := specimen.Filing(seed, layout)
	read, _ := filings.LoadOrStore(fmt.Sprint(layout, seed), sync.OnceValue(func() dossier.ReadDocument {
		return filingDocument(t, s)
	}))
	return s, read.(func() dossier.ReadDocument)()
}

// filingDocument is the one financial statement that a file must be.
func filingDocument(t *testing.T, s specimen.Specimen) dossier.ReadDocument {
	got := readtest.Must(t, s.Data)
	if got.Refusal != nil {
		t.Errorf("%s: refused: %v", s.Name, got.Refusal)
		return dossier.ReadDocument{}
	}
	var types []string
	best := dossier.ReadDocument{}
	for _, d := range got.Extraction.Documents {
		types = append(types, string(d.DocType))
		if d.DocType == dossier.DocFinancialStatement && best.DocType == "" {
			best = d
		}
	}
	if len(types) > 1 || best.DocType == "" {
		t.Logf("    %s is cut into %s", s.Name, strings.Join(types, ", "))
	}
	return best
}

// TestSpread_filings spreads every described layout and counts the figures that are wrong without a word of it: of a
// calculated row neither not reliable nor beside its printed total, of a line in a period that says it is reconciled.
func TestSpread_filings(t *testing.T) {
	t.Parallel()
	right, wrong, silent := 0, 0, 0
	for _, layout := range specimen.FilingLayouts() {
		s, doc := readFiling(t, layout, 200)
		if doc.Facts.Statement == nil {
			continue
		}
		got, _, err := spread.Consolidate(spread.Input{DefaultCurrency: "USD", FiscalYearEndMonth: 12,
			Documents: []spread.Document{{ID: "d", Filename: s.Name, Parts: []dossier.ReadDocument{doc}}}})
		if err != nil {
			t.Errorf("%s: %v", layout, err)
			continue
		}
		of := s.Truth.Facts.Statement.Statements
		for name, columns := range map[string][]dossier.StatementColumn{"incomeStatement": of.IncomeStatement,
			"balanceSheet": of.BalanceSheet, "cashFlow": of.CashFlow} {
			for _, want := range columns {
				p := spreadColumnOf(got.Statements.Named(name), want)
				if p == nil {
					continue
				}
				for key, figure := range want.Values {
					v := valueOf(p, key)
					switch {
					case v == nil:
					case v.Value.Equal(figure.Decimal):
						right++
					case v.Computed && !v.Doubtful() && v.Reported == nil,
						!v.Computed && p.Integrity == dossier.IntegrityReconciled && !severalLines(v):
						silent++
						t.Errorf("%s %s %s %s is %s, printed is %s", layout, name, p.ID, key, v.Value, figure)
					default:
						wrong++
					}
				}
			}
		}
	}
	t.Logf("%d figures as printed, %d others that say so, %d silent", right, wrong, silent)
	if right < 2000 {
		t.Errorf("%d figures of the spreads are as printed", right)
	}
}

// severalLines reports whether a row holds several printed lines: then it is more than the one of its name.
func severalLines(v *dossier.SpreadValue) bool { return len(v.Sources) > 1 }

func valueOf(p *dossier.SpreadPeriod, key string) *dossier.SpreadValue {
	for i := range p.Values {
		if p.Values[i].Key == key {
			return &p.Values[i]
		}
	}
	return nil
}

// spreadColumnOf is the period of the results that a column of the truth is.
func spreadColumnOf(s *dossier.SpreadStatement, want dossier.StatementColumn) *dossier.SpreadPeriod {
	for i := range s.Periods {
		p := &s.Periods[i]
		have := dossier.StatementColumn{Start: &p.Start, End: &p.End}
		if !p.Annualized && sameColumn(want, have) {
			return p
		}
	}
	return nil
}
