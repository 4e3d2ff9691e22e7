package spread_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread"
)

func dec(s string) decimal.Decimal { return decimal.RequireFromString(s) }

// business is the spread of one with an EBITDA and, when given, a debt service of a year.
func business(id, ebitda, service string, year int) dossier.SpreadResults {
	period := dossier.SpreadPeriod{ID: fmt.Sprintf("%d-01-01_%d-12-31", year, year), Label: fmt.Sprint("FY ", year), Start: fmt.Sprintf("%d-01-01", year), End: fmt.Sprintf("%d-12-31", year),
		Values: dossier.SpreadValues{{Key: "ebitda", Label: "EBITDA", Value: dossier.Figure{Decimal: dec(ebitda)}}}}
	r := dossier.SpreadResults{SpreadID: dossier.SpreadID("spread-" + id), Currency: "USD"}
	r.Statements.IncomeStatement.Periods = []dossier.SpreadPeriod{period}
	if service != "" {
		value := json.Number(service)
		r.Ratios = []dossier.SpreadRatios{{PeriodID: period.ID, Values: []dossier.SpreadRatio{{Key: "debtService", Label: "Debt service", Value: &value}}}}
	}
	return r
}

// k1 is a schedule that says what was paid to its holder.
func k1(document, holder, owned, name, amount string, year int) spread.Paper {
	return spread.Paper{DocumentID: dossier.DocumentID(document), Of: dossier.PartyID(holder), Owned: dossier.PartyID(owned), Read: dossier.ReadDocument{DocType: dossier.DocTaxFormOther,
		Facts: dossier.Facts{Other: map[string]any{"form": "1065 Schedule K-1", "taxYear": float64(year), "entityName": name, "distributions": amount}}}}
}

func amounts(lines map[string]string) map[string]dossier.Amount {
	out := map[string]dossier.Amount{}
	for line, amount := range lines {
		out[line] = dossier.Amount{Decimal: dec(amount)}
	}
	return out
}

// family is two businesses and two owners. B1 has 500,000 and owns half of B2, which has 200,000; Ann has 60 percent of B1
// and half of B2, Bo 40 percent of B1. One K-1 of B1 is in the file twice, as it is in the business's return and in Ann's.
func family() spread.GlobalInput {
	year, total := 2024, dossier.Amount{Decimal: dec("20000")}
	form := "1040"
	living := dec("48000")
	edge := func(owner, owned, percent string) dossier.OwnershipEdge {
		return dossier.OwnershipEdge{OwnerID: dossier.PartyID(owner), OwnedID: dossier.PartyID(owned), Percent: dec(percent), Source: dossier.EdgeK1}
	}
	return spread.GlobalInput{SpreadID: "global", LeadID: "lead", Distributions: dossier.DistributionsK1, LivingExpenses: &living, DefaultCurrency: "USD", GeneratedAt: time.Unix(0, 0),
		Parties: []dossier.LeadParty{{ID: "B1", Name: "Boats LLC", Kind: dossier.PartyBusiness, IsPrimary: true}, {ID: "B2", Name: "Yard LP", Kind: dossier.PartyBusiness},
			{ID: "Ann", Name: "Ann Lee", Kind: dossier.PartyPerson}, {ID: "Bo", Name: "Bo Ray", Kind: dossier.PartyPerson}},
		Edges: []dossier.OwnershipEdge{edge("Ann", "B1", "60"), edge("Bo", "B1", "40"), edge("Ann", "B2", "50"), edge("B1", "B2", "50")},
		Debts: []dossier.Debt{{ID: "d1", PartyID: "B1", Lender: "Bank", Payment: dec("2500"), Frequency: dossier.DebtMonthly},
			{ID: "d2", PartyID: "Ann", Lender: "Home Bank", Payment: dec("2000"), Frequency: dossier.DebtMonthly}},
		Spreads: map[dossier.PartyID]dossier.SpreadResults{"B1": business("B1", "500000", "", year), "B2": business("B2", "200000", "45000", year)},
		Papers: []spread.Paper{
			{DocumentID: "return", Of: "Ann", Read: dossier.ReadDocument{DocType: dossier.DocTaxReturn, Facts: dossier.Facts{Tax: &dossier.TaxFacts{Form: &form, TaxYear: &year, TotalTax: &total,
				Lines: amounts(map[string]string{"1z": "80000", "2b": "1000", "3b": "500"})}}}},
			{DocumentID: "w2", Of: "Bo", Read: dossier.ReadDocument{DocType: dossier.DocTaxFormOther, Facts: dossier.Facts{Other: map[string]any{"form": "W-2", "taxYear": 2024.0, "employer": "Dock Co",
				"wages": "50000", "federalTaxWithheld": "6000"}}}},
			k1("a", "Ann", "B1", "Boats LLC", "90000", year), k1("again", "Ann", "B1", "BOATS LLC", "90000", year), k1("b", "Bo", "B1", "Boats LLC", "60000", year),
			k1("c", "Ann", "B2", "Yard LP", "30000", year), k1("d", "B1", "B2", "Yard LP", "30000", year),
		}}
}

// rowsOf writes the rows of a year as text.
func rowsOf(p dossier.GlobalPeriod) string {
	var lines []string
	for _, r := range p.Rows {
		line := r.Key
		if r.PartyID != nil {
			line += " " + string(*r.PartyID)
		}
		if r.CounterpartyID != nil {
			line += "<" + string(*r.CounterpartyID)
		}
		if r.Value == nil {
			line += " -"
		} else {
			line += " " + r.Value.String()
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// A family reckoned by hand, in both ways of counting: what is paid within it is counted once.
func TestGlobal_family(t *testing.T) {
	t.Parallel()
	const total = `
globalCashAvailable 709500.00
globalDebtService 99000.00
globalDscr 7.1667`
	for way, want := range map[dossier.SpreadDistributions]string{
		dossier.DistributionsK1: `cashAvailable B1 530000.00
debtService B1 30000.00
remaining B1 500000.00
cashAvailable B2 200000.00
debtService B2 45000.00
remaining B2 155000.00
wages Ann 80000.00
businessDistributions Ann 120000.00
otherIncome Ann 1500.00
taxes Ann 20000.00
livingExpenses Ann 48000.00
personalDebtService Ann 24000.00
personalRemaining Ann 109500.00
wages Bo 50000.00
businessDistributions Bo 60000.00
otherIncome Bo -
taxes Bo 6000.00
livingExpenses Bo 48000.00
personalDebtService Bo -
personalRemaining Bo 56000.00
elimination Ann<B2 30000.00
elimination B1<B2 30000.00
elimination Ann<B1 90000.00
elimination Bo<B1 60000.00` + total,
		dossier.DistributionsEntity: `cashAvailable B1 600000.00
debtService B1 30000.00
remaining B1 570000.00
cashAvailable B2 200000.00
debtService B2 45000.00
remaining B2 155000.00
wages Ann 80000.00
businessDistributions Ann 460000.00
otherIncome Ann 1500.00
taxes Ann 20000.00
livingExpenses Ann 48000.00
personalDebtService Ann 24000.00
personalRemaining Ann 449500.00
wages Bo 50000.00
businessDistributions Bo 240000.00
otherIncome Bo -
taxes Bo 6000.00
livingExpenses Bo 48000.00
personalDebtService Bo -
personalRemaining Bo 236000.00
elimination Ann<B2 100000.00
elimination B1<B2 100000.00
elimination Ann<B1 360000.00
elimination Bo<B1 240000.00` + total,
	} {
		in := family()
		in.Distributions = way
		r, err := spread.Global(in)
		if err != nil || len(r.Periods) != 1 || r.Periods[0].ID != "2024" {
			t.Fatalf("%+v %v", r.Periods, err)
		}
		if got := rowsOf(r.Periods[0]); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", way, got, want)
		}
		for _, row := range r.Periods[0].Rows {
			if line := row.Value != nil && row.Kind == "line"; line && len(row.Sources) == 0 {
				t.Errorf("%s of %v has no source", row.Key, row.PartyID)
			}
		}
		if p := r.Parties; len(p) != 4 || p[0].SpreadID == nil || *p[0].SpreadID != "spread-B1" || p[2].SpreadID != nil {
			t.Errorf("%+v", p)
		}
	}
}

// What a stranger's business paid is counted and not taken off, nor is what one paid whose own figures nobody has: else it
// would be counted nowhere. A joint return is one household. What no printed total confirms gives no coverage.
func TestGlobal_edges(t *testing.T) {
	t.Parallel()
	global := func(change func(*spread.GlobalInput)) *dossier.GlobalPeriod {
		t.Helper()
		in := family()
		change(&in)
		r, err := spread.Global(in)
		if err != nil {
			t.Fatal(err)
		}
		return &r.Periods[len(r.Periods)-1]
	}
	value := func(p *dossier.GlobalPeriod, key string, party dossier.PartyID, want string) {
		t.Helper()
		got := "-"
		if r := p.Row(key, party); r != nil && r.Value != nil {
			got = r.Value.String()
		}
		if got != want {
			t.Errorf("%s of %q is %s, want %s", key, party, got, want)
		}
	}
	stranger := global(func(in *spread.GlobalInput) {
		in.Papers = append(in.Papers, k1("s", "Bo", "", "Quay Inc", "7000", 2024))
	})
	value(stranger, "globalCashAvailable", "", "716500.00")
	unknown := global(func(in *spread.GlobalInput) { delete(in.Spreads, "B2") })
	value(unknown, "cashAvailable", "B2", "-")
	value(unknown, "globalCashAvailable", "", "569500.00") // 500,000 and 60,000 of B2's, Ann's 13,500, Bo's -4,000
	joint := global(func(in *spread.GlobalInput) { in.Papers[0].Spouse = "Bo" })
	value(joint, "wages", "Bo", "-")
	value(joint, "livingExpenses", "Bo", "-")
	value(joint, "businessDistributions", "Bo", "60000.00")
	doubtful := global(func(in *spread.GlobalInput) {
		in.Spreads["B2"].Statements.IncomeStatement.Periods[0].Values[0].Reliable = new(bool)
	})
	value(doubtful, "globalDscr", "", "-")
	if r := doubtful.Row("globalCashAvailable", ""); r.Reliable == nil || *r.Reliable {
		t.Error("what rests on doubtful figures is not marked")
	}
	fiscal := global(func(in *spread.GlobalInput) {
		p := &in.Spreads["B2"].Statements.IncomeStatement.Periods[0]
		p.Start, p.End = "2023-07-01", "2024-06-30"
	})
	value(fiscal, "cashAvailable", "B2", "200000.00")
	interim := global(func(in *spread.GlobalInput) {
		p := &in.Spreads["B2"].Statements.IncomeStatement.Periods[0]
		p.Start, p.End = "2024-01-01", "2024-06-30"
	})
	value(interim, "cashAvailable", "B2", "-")
	for name, lacking := range map[dossier.PartyID]func(in *spread.GlobalInput){ // what is owed is known, of its cash nothing: that is not none
		"B1": func(in *spread.GlobalInput) {
			delete(in.Spreads, "B1")
			in.Distributions = dossier.DistributionsEntity
			in.Edges, in.Papers = nil, in.Papers[:2]
		},
		"Ann": func(in *spread.GlobalInput) { in.Edges, in.Papers = nil, in.Papers[1:2] },
	} {
		p := global(lacking)
		remaining := map[dossier.PartyID]string{"B1": "remaining", "Ann": "personalRemaining"}[name]
		value(p, remaining, name, "-")
		value(p, "globalDscr", "", "-")
		if r := p.Row("globalDscr", ""); r.Reliable == nil || *r.Reliable {
			t.Errorf("without figures of %s the coverage is not marked", name)
		}
	}
	in := family()
	other := in.Spreads["B2"]
	other.Currency = "CAD"
	in.Spreads["B2"] = other
	if _, err := spread.Global(in); dossier.KindOf(err) != dossier.Invalid {
		t.Errorf("two currencies: %v", err)
	}
	if _, err := spread.Global(spread.GlobalInput{Parties: in.Parties}); dossier.KindOf(err) != dossier.Invalid {
		t.Errorf("nothing: %v", err)
	}
}

// Of any owners and businesses, up to twelve in four levels, all together have what each earned itself, to the cent, in
// both ways of counting.
func TestGlobal_graphs(t *testing.T) {
	t.Parallel()
	graphs := uint64(300)
	if os.Getenv("DOSSIER_LONG") != "" {
		graphs = 100_000
	}
	eliminated := 0
	for seed := range graphs {
		random := rand.New(rand.NewPCG(seed, 28))
		in := spread.GlobalInput{Spreads: map[dossier.PartyID]dossier.SpreadResults{}, GeneratedAt: time.Unix(0, 0)}
		truth, levels := decimal.Zero, [4][]dossier.PartyID{}
		cents := func(most int64) decimal.Decimal { return decimal.New(random.Int64N(most), -2) }
		for i := range 2 + random.IntN(11) {
			id := dossier.PartyID(fmt.Sprint("P", i))
			level := random.IntN(4)
			levels[level] = append(levels[level], id)
			own := cents(100_000_000)
			truth = truth.Add(own)
			p := dossier.LeadParty{ID: id, Name: string(id), Kind: dossier.PartyBusiness}
			if level == 0 {
				p.Kind = dossier.PartyPerson
				in.Papers = append(in.Papers, spread.Paper{Of: id, Read: dossier.ReadDocument{DocType: dossier.DocTaxFormOther, Facts: dossier.Facts{Other: map[string]any{"form": "W-2",
					"taxYear": 2024.0, "employer": string(id), "wages": own.String()}}}})
			} else {
				in.Spreads[id] = business(string(id), own.Sub(decimal.New(3, 5)).String(), "", 2024)
				truth = truth.Sub(decimal.New(3, 5))
			}
			in.Parties = append(in.Parties, p)
		}
		for level := 1; level < 4; level++ {
			for _, owned := range levels[level] {
				left := int64(100_0000)
				for _, owner := range slices.Concat(levels[:level]...) {
					if random.IntN(2) == 0 || left < 2 {
						continue
					}
					part := 1 + random.Int64N(left-1)
					left -= part
					in.Edges = append(in.Edges, dossier.OwnershipEdge{OwnerID: owner, OwnedID: owned, Percent: decimal.New(part, -4)})
					in.Papers = append(in.Papers, k1(fmt.Sprint(owner, owned), string(owner), string(owned), string(owned), cents(10_000_000).String(), 2024))
				}
			}
		}
		for _, way := range []dossier.SpreadDistributions{dossier.DistributionsK1, dossier.DistributionsEntity} {
			in.Distributions = way
			r, err := spread.Global(in)
			if err != nil {
				t.Fatal(seed, err)
			}
			if got := r.Periods[0].Row("globalCashAvailable", "").Value.String(); got != truth.StringFixed(2) {
				t.Errorf("graph %d, %s: %s, want %s", seed, way, got, truth.StringFixed(2))
			}
			left, lines := takenOff(r.Periods[0])
			if eliminated += lines; !left.Equal(truth) || lines != len(in.Edges) {
				t.Errorf("graph %d, %s: the parties less %d eliminations have %s, want %s less %d", seed, way, lines, left, truth, len(in.Edges))
			}
		}
	}
	t.Logf("%d graphs, %d lines of elimination", graphs, eliminated)
}

// takenOff is what all parties have in the rows of a year, without the eliminations, and how many of those there are.
func takenOff(p dossier.GlobalPeriod) (left decimal.Decimal, lines int) {
	for _, row := range p.Rows {
		switch {
		case row.Value == nil:
		case row.Key == "elimination":
			left, lines = left.Sub(dec(row.Value.String())), lines+1
		case row.Key == "cashAvailable" || row.Key == "wages" || row.Key == "businessDistributions" || row.Key == "otherIncome":
			left = left.Add(dec(row.Value.String()))
		}
	}
	return left, lines
}

// Rows are told apart by their key and both parties; a row that is new, gone or has another figure is a change, one that
// says nothing in both is none.
func TestGlobalChanges(t *testing.T) {
	results := func(year string, rows ...dossier.GlobalRow) dossier.GlobalResults {
		return dossier.GlobalResults{Periods: []dossier.GlobalPeriod{{ID: year, Rows: rows}}}
	}
	row := func(key string, party, from dossier.PartyID, value string) dossier.GlobalRow {
		r := dossier.GlobalRow{Key: key}
		if party != "" {
			r.PartyID = &party
		}
		if from != "" {
			r.CounterpartyID = &from
		}
		if value != "" {
			number := json.Number(value)
			r.Value = &number
		}
		return r
	}
	before := results("2023", row("wages", "ann", "", "10.00"), row("wages", "bob", "", "20.00"), row("elimination", "ann", "quay", "5.00"),
		row("taxes", "ann", "", ""), row("globalDscr", "", "", "1.2000"))
	after := results("2023", row("wages", "ann", "", "10"), row("wages", "bob", "", "25.00"), row("elimination", "ann", "pier", "5.00"),
		row("taxes", "ann", "", ""), row("globalDscr", "", "", ""))
	said := []string{}
	for _, c := range spread.GlobalChanges(before, after) {
		text, _ := json.Marshal([]any{c.Statement, c.PeriodID, c.Row, c.PartyID, c.CounterpartyID, c.Before, c.After})
		said = append(said, string(text))
	}
	want := []string{`["global","2023","wages","bob",null,20.00,25.00]`, `["global","2023","elimination","ann","quay",5.00,null]`,
		`["global","2023","globalDscr",null,null,1.2000,null]`, `["global","2023","elimination","ann","pier",null,5.00]`}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if c := spread.GlobalChanges(before, before); len(c) > 0 {
		t.Errorf("the same has changes: %+v", c)
	}
	if c := spread.GlobalChanges(before, results("2024")); len(c) != 4 {
		t.Errorf("%d rows of a year that is gone", len(c))
	}
}
