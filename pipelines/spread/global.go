package spread

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// GlobalInput is what the cash flow of all parties of a lead is made from.
type GlobalInput struct {
	SpreadID        dossier.SpreadID
	LeadID          dossier.LeadID
	Distributions   dossier.SpreadDistributions
	LivingExpenses  *decimal.Decimal // a year and household; nil: not set
	DefaultCurrency string           // where no business says one
	GeneratedAt     time.Time
	Parties         []dossier.LeadParty // the primary one first
	Edges           []dossier.OwnershipEdge
	Debts           []dossier.Debt
	Spreads         map[dossier.PartyID]dossier.SpreadResults // of businesses
	Papers          []Paper                                   // tax papers, the newest first
}

// Paper is one document found in a file, with whose it is.
type Paper struct {
	DocumentID dossier.DocumentID
	Of         dossier.PartyID // "": nobody's
	Spouse     dossier.PartyID // of a joint return: the other one, when a party
	Owned      dossier.PartyID // of a K-1: who paid, when a party
	Read       dossier.ReadDocument
}

// sum is a figure on its way; not known until something adds to it.
type sum struct {
	value   decimal.Decimal
	known   bool
	doubt   bool // rests on what no printed total confirms
	sources []dossier.GlobalSource
}

func (s *sum) add(value decimal.Decimal, sources ...dossier.GlobalSource) {
	s.value, s.known = s.value.Add(value), true
	s.sources = append(s.sources, sources...)
}

// plus adds what another figure is, if it is known.
func (s *sum) plus(other sum) {
	if other.known {
		s.value, s.known = s.value.Add(other.value), true
	}
	s.doubt = s.doubt || other.doubt
}

func (s *sum) minus(other sum) {
	other.value = other.value.Neg()
	s.plus(other)
}

// cashAfterDebt is cash less debt service; unknown where the cash is unknown, which is not zero.
func cashAfterDebt(cash, debt sum) sum {
	if !cash.known {
		return sum{}
	}
	cash.sources = nil
	cash.minus(debt)
	return cash
}

// payment is what one party got from a business.
type payment struct {
	to, from dossier.PartyID // from "": a business that is no party
	name     string          // of the business
	amount   sum
}

// global is one computation under way.
type global struct {
	in    GlobalInput
	names map[dossier.PartyID]string
	kinds map[dossier.PartyID]dossier.PartyKind
}

// Global reckons the cash flow of all parties of a lead together, year by year. What a business pays to another party
// is counted with who gets it and with who earned it, and taken off once, on a line of its own; so in all it is
// counted exactly once, whichever way distributions are counted. Only what a business that has figures of its own paid
// is taken off: else its payment would be counted nowhere. A year in which a party pays debts and nothing is known of
// its cash has no coverage.
//
// Amounts have 2 places, rounded half away from zero. Costs are positive and subtracted. Errors: Invalid, when no
// party has figures, or businesses have theirs in several currencies.
func Global(in GlobalInput) (dossier.GlobalResults, error) {
	g := &global{in: in, names: map[dossier.PartyID]string{}, kinds: map[dossier.PartyID]dossier.PartyKind{}}
	results := dossier.GlobalResults{SchemaVersion: dossier.GlobalSchemaVersion, SpreadID: in.SpreadID,
		LeadID: in.LeadID,
		Scope:  dossier.SpreadGlobal, GeneratedAt: in.GeneratedAt.UTC().Format("2006-01-02T15:04:05.000Z"),
		Parties: []dossier.GlobalParty{}, Periods: []dossier.GlobalPeriod{}}
	for _, p := range in.Parties {
		g.names[p.ID], g.kinds[p.ID] = p.Name, p.Kind
		shown := dossier.GlobalParty{PartyID: p.ID, Name: p.Name}
		if r, ok := in.Spreads[p.ID]; ok && p.Kind == dossier.PartyBusiness {
			shown.SpreadID = &r.SpreadID
			if results.Currency != "" && results.Currency != r.Currency {
				return results, dossier.Errorf(dossier.Invalid,
					"The parties' figures are in %s and %s; a global cash flow needs all of them in one currency",
					results.Currency, r.Currency)
			}
			results.Currency = r.Currency
		}
		results.Parties = append(results.Parties, shown)
	}
	if results.Currency == "" {
		results.Currency = in.DefaultCurrency
	}
	for _, year := range g.years() {
		results.Periods = append(results.Periods, dossier.GlobalPeriod{ID: strconv.Itoa(year),
			Label: strconv.Itoa(year),
			Start: fmt.Sprintf("%04d-01-01", year), End: fmt.Sprintf("%04d-12-31", year), Rows: g.year(year)})
	}
	if len(results.Periods) == 0 {
		return results, dossier.ErrNoFinancialDocuments()
	}
	return results, nil
}

// years are those in which any party has figures.
func (g *global) years() []int {
	found := map[int]bool{}
	for _, p := range g.in.Parties {
		if r, ok := g.in.Spreads[p.ID]; ok && p.Kind == dossier.PartyBusiness {
			for _, period := range r.Statements.IncomeStatement.Periods {
				if year, ok := fullYear(period); ok {
					found[year] = true
				}
			}
		}
	}
	for _, paper := range g.in.Papers {
		if year := paper.year(); year != 0 && paper.counts() && g.kinds[paper.Of] != "" {
			found[year] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// fullYear is the calendar year that a column of about a year ends in.
func fullYear(p dossier.SpreadPeriod) (int, bool) {
	start, ok := dossier.ParseDay(p.Start)
	end, ended := dossier.ParseDay(p.End)
	if !ok || !ended || p.Annualized || end-start+1 < 358 || end-start+1 > 378 {
		return 0, false
	}
	year, _, _ := end.Date()
	return year, true
}

// year makes the rows of one year: per business, per person, eliminations, all together.
func (g *global) year(year int) []dossier.GlobalRow {
	own := map[dossier.PartyID]sum{}
	for _, p := range g.in.Parties {
		if p.Kind == dossier.PartyBusiness {
			own[p.ID] = g.ownCash(p.ID, year)
		}
	}
	cash, payments := g.distribute(own, year)
	t := &table{}
	var available, service sum
	for _, p := range g.in.Parties {
		if p.Kind != dossier.PartyBusiness {
			continue
		}
		debt := g.businessDebt(p.ID, year)
		remaining := cashAfterDebt(cash[p.ID], debt)
		t.row("cashAvailable", p.Name+": cash available for debt service", p.ID, cash[p.ID], "line", true)
		t.row("debtService", p.Name+": existing debt service", p.ID, debt, "line", true)
		t.row("remaining", p.Name+": remaining", p.ID, remaining, "subtotal", true)
		available.plus(cash[p.ID])
		available.doubt = available.doubt || debt.known && !cash[p.ID].known
		service.plus(debt)
	}
	spouses := g.spouses(year)
	for _, p := range g.in.Parties {
		if p.Kind == dossier.PartyPerson {
			before, debt := g.person(t, p, year, payments, spouses[p.ID])
			available.plus(before)
			service.plus(debt)
		}
	}
	for _, pay := range payments {
		if pay.from == "" || !cash[pay.from].known {
			continue
		}
		row := t.row("elimination", fmt.Sprintf("Elimination: from %s to %s", g.names[pay.from], g.names[pay.to]),
			pay.to, pay.amount, "line", true)
		row.CounterpartyID = &pay.from
		available.minus(pay.amount)
	}
	t.row("globalCashAvailable", "Global cash available", "", available, "total", true)
	t.row("globalDebtService", "Global debt service", "", service, "total", true)
	t.ratio(available, service)
	return t.rows
}

// ownCash is what a business itself earned in a year: the EBITDA of its spread.
func (g *global) ownCash(party dossier.PartyID, year int) sum {
	var s sum
	r, period := g.column(party, year)
	if period == nil {
		return s
	}
	for _, v := range period.Values {
		if v.Key == "ebitda" {
			s.add(v.Value.Decimal, fromSpread(r, v.Label+", "+period.Label, v.Value.Decimal))
			s.doubt = v.Doubtful()
		}
	}
	return s
}

// column is the income statement of a business for a year: the last that ends in it.
func (g *global) column(party dossier.PartyID, year int) (dossier.SpreadResults, *dossier.SpreadPeriod) {
	r, ok := g.in.Spreads[party]
	if !ok {
		return r, nil
	}
	var found *dossier.SpreadPeriod
	for i := range r.Statements.IncomeStatement.Periods {
		p := &r.Statements.IncomeStatement.Periods[i]
		if y, full := fullYear(*p); full && y == year && (found == nil || p.End > found.End) {
			found = p
		}
	}
	return r, found
}

func fromSpread(r dossier.SpreadResults, caption string, value decimal.Decimal) dossier.GlobalSource {
	id := r.SpreadID
	return dossier.GlobalSource{SpreadID: &id, Caption: caption, Text: value.StringFixed(2)}
}

// distribute says what each business has with what it gets from others, and every payment of a business to a party. A
// business that is owned comes before its owners: nobody owns itself.
func (g *global) distribute(own map[dossier.PartyID]sum, year int) (map[dossier.PartyID]sum, []payment) {
	cash := map[dossier.PartyID]sum{}
	printed := g.printed(year)
	var payments []payment
	for _, id := range g.ownedFirst() {
		have := own[id]
		have.sources = slices.Clone(have.sources)
		for _, pay := range payments {
			if pay.to == id {
				have.plus(pay.amount)
				have.sources = append(have.sources, pay.amount.sources...)
			}
		}
		for _, pay := range printed {
			if pay.to == id && pay.from == "" {
				have.plus(pay.amount)
				have.sources = append(have.sources, pay.amount.sources...)
			}
		}
		cash[id] = have
		payments = append(payments, g.paidBy(id, have, printed)...)
	}
	for _, pay := range printed {
		if pay.from == "" {
			payments = append(payments, pay)
		}
	}
	return cash, payments
}

// paidBy is what a business paid to parties, in the way that is asked for.
func (g *global) paidBy(id dossier.PartyID, have sum, printed []payment) []payment {
	var paid []payment
	byShare := g.in.Distributions == dossier.DistributionsEntity && have.known
	for _, pay := range printed {
		if pay.from == id && !(byShare && g.owns(pay.to, id)) {
			paid = append(paid, pay)
		}
	}
	if !byShare {
		return paid
	}
	for _, e := range g.in.Edges {
		if e.OwnedID != id || g.kinds[e.OwnerID] == "" {
			continue
		}
		share := have.value.Mul(e.Percent).Div(decimal.NewFromInt(100)).Round(2)
		pay := payment{to: e.OwnerID, from: id, name: g.names[id]}
		pay.amount.doubt = have.doubt
		pay.amount.add(share, dossier.GlobalSource{DocumentID: e.DocumentID,
			Caption: fmt.Sprintf("%s percent of cash available of %s", e.Percent, g.names[id]),
			Text:    have.value.StringFixed(2)})
		paid = append(paid, pay)
	}
	return paid
}

// owns reports whether the share of an owner is known.
func (g *global) owns(owner, owned dossier.PartyID) bool {
	return slices.ContainsFunc(g.in.Edges, func(e dossier.OwnershipEdge) bool {
		return e.OwnerID == owner &&
			e.OwnedID == owned
	})
}

// ownedFirst are the businesses, each after those that it owns.
func (g *global) ownedFirst() []dossier.PartyID {
	var order []dossier.PartyID
	done := map[dossier.PartyID]bool{}
	var visit func(id dossier.PartyID)
	visit = func(id dossier.PartyID) {
		if done[id] {
			return
		}
		done[id] = true
		for _, e := range g.in.Edges {
			if e.OwnerID == id {
				visit(e.OwnedID)
			}
		}
		for _, p := range g.in.Papers { // a K-1 without a percentage says who paid whom, too
			if p.isShare() && p.Of == id && p.Owned != "" {
				visit(p.Owned)
			}
		}
		if g.kinds[id] == dossier.PartyBusiness {
			order = append(order, id)
		}
	}
	for _, p := range g.in.Parties {
		visit(p.ID)
	}
	return order
}

// businessDebt is what a business pays on its debts in a year: on those that are known, else what its statements say.
func (g *global) businessDebt(party dossier.PartyID, year int) sum {
	s := g.debts(party)
	if s.known {
		return s
	}
	r, period := g.column(party, year)
	if period == nil {
		return s
	}
	for _, ratios := range r.Ratios {
		for _, ratio := range ratios.Values {
			if ratios.PeriodID != period.ID || ratio.Key != "debtService" || ratio.Value == nil {
				continue
			}
			if value, err := decimal.NewFromString(ratio.Value.String()); err == nil {
				s.add(value, fromSpread(r, ratio.Label+", "+period.Label, value))
				return s
			}
		}
	}
	if interest, ok := period.Values.Get("interestExpense"); ok {
		s.add(interest, fromSpread(r, "Interest expense, "+period.Label, interest))
	}
	return s
}

// debts are the yearly payments on a party's debts.
func (g *global) debts(party dossier.PartyID) sum {
	var s sum
	for _, d := range g.in.Debts {
		if d.PartyID == party {
			id := d.ID
			s.add(d.Annual().Round(2), dossier.GlobalSource{DocumentID: d.DocumentID, DebtID: &id,
				Caption: fmt.Sprintf("%s, paid %s", d.Lender, d.Frequency),
				Text:    d.Payment.StringFixed(2)})
		}
	}
	return s
}

// table collects the rows of a year.
type table struct{ rows []dossier.GlobalRow }

func (t *table) row(key, label string, party dossier.PartyID, s sum, kind string, computed bool) *dossier.GlobalRow {
	r := dossier.GlobalRow{Key: key, Label: label, Kind: kind, Computed: computed, Sources: []dossier.GlobalSource{}}
	if party != "" {
		r.PartyID = &party
	}
	if s.known {
		value := json.Number(s.value.StringFixed(2))
		r.Value, r.Sources = &value, append(r.Sources, s.sources...)
		if s.doubt {
			r.Reliable = new(bool)
		}
	}
	t.rows = append(t.rows, r)
	return &t.rows[len(t.rows)-1]
}

// ratio is what is available for each unit of what is to be paid; none where nothing is to be paid, or where what is
// available is in doubt.
func (t *table) ratio(available, service sum) {
	r := t.row("globalDscr", "Global debt service coverage", "", sum{}, "total", true)
	switch {
	case !available.known || !service.known || !service.value.IsPositive():
	case available.doubt || service.doubt:
		r.Reliable = new(bool)
	default:
		value := json.Number(available.value.DivRound(service.value, 4).StringFixed(4))
		r.Value = &value
	}
}
