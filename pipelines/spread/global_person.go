package spread

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// Lines of individual returns. Source: Form 1040 of the Internal Revenue Service, 2015 to 2025. Other income is
// interest, dividends, pensions and social security as far as they are taxable; capital gains do not come again, and
// shares of businesses are counted by what they pay.
var (
	wageLines  = []string{"1z", "1a", "1", "7"}
	otherLines = []struct {
		from, to int
		lines    []string
	}{
		{2015, 2017, []string{"8a", "9a", "15b", "16b", "20b"}},
		{2018, 2018, []string{"2b", "3b", "4b", "5b"}},
		{2019, 2019, []string{"2b", "3b", "4b", "4d", "5b"}},
		{2020, 9999, []string{"2b", "3b", "4b", "5b", "6b"}},
	}
)

func (p Paper) form() string {
	if p.Read.Facts.Tax != nil {
		return dossier.Text(p.Read.Facts.Tax.Form)
	}
	form, _ := p.Read.Facts.Other["form"].(string)
	return form
}

// isReturn reports whether a paper is a person's income tax return.
func (p Paper) isReturn() bool {
	return p.Read.Facts.Tax != nil && strings.HasPrefix(p.form(), "1040") && !strings.Contains(p.form(), "Schedule")
}

func (p Paper) isShare() bool { return strings.HasSuffix(p.form(), "Schedule K-1") }

func (p Paper) isWages() bool { return strings.HasPrefix(p.form(), "W-2") }

func (p Paper) counts() bool { return p.isReturn() || p.isShare() || p.isWages() }

// year is the tax year of a paper, 0 when it prints none.
func (p Paper) year() int {
	if t := p.Read.Facts.Tax; t != nil {
		if t.TaxYear != nil {
			return *t.TaxYear
		}
		return 0
	}
	switch year := p.Read.Facts.Other["taxYear"].(type) {
	case int:
		return year
	case float64:
		return int(year)
	}
	return 0
}

// source is where a fact of a paper is printed.
func (p Paper) source(pointer, caption string, value decimal.Decimal) dossier.GlobalSource {
	id := p.DocumentID
	s := dossier.GlobalSource{DocumentID: &id, Caption: caption, Text: value.StringFixed(2)}
	if at, ok := p.Read.Sources[pointer]; ok {
		s.Page, s.Text = at.Page, at.Text
	}
	return s
}

// fact is an amount of a paper that has no shape of its own.
func (p Paper) fact(name string) (decimal.Decimal, bool) {
	switch v := p.Read.Facts.Other[name].(type) {
	case string:
		d, err := decimal.NewFromString(v)
		return d, err == nil
	case float64:
		return decimal.NewFromFloat(v), true
	}
	return decimal.Zero, false
}

// printed are the distributions that the K-1s of a year say, each business and holder once.
func (g *global) printed(year int) []payment {
	var all []payment
	seen := map[string]bool{}
	for _, paper := range g.in.Papers {
		if !paper.isShare() || paper.year() != year || g.kinds[paper.Of] == "" || paper.Of == paper.Owned {
			continue
		}
		entity, _ := paper.Read.Facts.Other["entityName"].(string)
		key := string(paper.Of) + " " + string(paper.Owned)
		if paper.Owned == "" {
			key += entityKey(entity)
		}
		amount, ok := paper.fact("distributions")
		if !ok || seen[key] {
			continue
		}
		seen[key] = true
		pay := payment{to: paper.Of, from: paper.Owned, name: entity}
		pay.amount.add(amount.Round(2), paper.source("/distributions", "Distributions, Schedule K-1 of "+entity,
			amount))
		all = append(all, pay)
	}
	return all
}

// spouses are those whose income a joint return of the other one has, by who filed it.
func (g *global) spouses(year int) map[dossier.PartyID]dossier.PartyID {
	of := map[dossier.PartyID]dossier.PartyID{}
	for _, paper := range g.in.Papers {
		if paper.isReturn() && paper.year() == year && g.kinds[paper.Of] != "" && paper.Spouse != "" &&
			paper.Spouse != paper.Of && of[paper.Of] == "" {
			of[paper.Spouse] = paper.Of
		}
	}
	return of
}

// person adds the rows of a person, and returns what it has before its debts, and those. A person whose spouse filed
// for both is in the rows of the spouse, but for its own shares and debts.
func (g *global) person(t *table, p dossier.LeadParty, year int, payments []payment, filer dossier.PartyID) (available,
	debt sum) {
	var wages, received, other, taxes, living sum
	if filer == "" {
		wages, other, taxes = g.income(p.ID, year)
	}
	for _, pay := range payments {
		if pay.to == p.ID {
			received.plus(pay.amount)
			received.sources = append(received.sources, pay.amount.sources...)
		}
	}
	if g.in.LivingExpenses != nil && filer == "" && (wages.known || received.known || other.known || taxes.known) {
		living.add(g.in.LivingExpenses.Round(2),
			dossier.GlobalSource{Caption: "Setting of the workspace, a year and household",
				Text: g.in.LivingExpenses.StringFixed(2)})
	}
	debt = g.debts(p.ID)
	for _, s := range []sum{wages, received, other} {
		available.plus(s)
	}
	available.minus(taxes)
	available.minus(living)
	remaining := cashAfterDebt(available, debt)
	available.doubt = available.doubt || filer == "" && debt.known && !available.known
	t.row("wages", p.Name+": wages", p.ID, wages, "line", false)
	t.row("businessDistributions", p.Name+": business distributions", p.ID, received, "line", true)
	t.row("otherIncome", p.Name+": other income", p.ID, other, "line", true)
	t.row("taxes", p.Name+": taxes", p.ID, taxes, "line", false)
	t.row("livingExpenses", p.Name+": living expenses", p.ID, living, "line", false)
	t.row("personalDebtService", p.Name+": personal debt service", p.ID, debt, "line", true)
	t.row("personalRemaining", p.Name+": remaining", p.ID, remaining, "subtotal", true)
	return available, debt
}

// income is what a person's return of a year says, the newest of several; without one, what its W-2s say.
func (g *global) income(party dossier.PartyID, year int) (wages, other, taxes sum) {
	for _, paper := range g.in.Papers {
		if paper.isReturn() && paper.Of == party && paper.year() == year {
			return paper.incomeOfReturn(year)
		}
	}
	return g.wagesPaid(party, year)
}

// incomeOfReturn is what a tax return says of the year: wages, other income and taxes.
func (p Paper) incomeOfReturn(year int) (wages, other, taxes sum) {
	lines := p.Read.Facts.Tax.Lines
	take := func(to *sum, line, caption string) bool {
		amount, ok := lines[line]
		if ok {
			to.add(amount.Decimal, p.source("/lines/"+line, caption+" of Form "+p.form(), amount.Decimal))
		}
		return ok
	}
	for _, line := range wageLines {
		if (line != "7" || year <= 2017) && take(&wages, line, "Wages, line "+line) {
			break
		}
	}
	for _, years := range otherLines {
		if year >= years.from && year <= years.to {
			for _, line := range years.lines {
				take(&other, line, "Line "+line)
			}
		}
	}
	if total := p.Read.Facts.Tax.TotalTax; total != nil {
		taxes.add(total.Decimal, p.source("/totalTax", "Total tax, Form "+p.form(), total.Decimal))
	}
	return wages, other, taxes
}

// wagesPaid is what the W-2s of a year say; a copy of one counts once.
func (g *global) wagesPaid(party dossier.PartyID, year int) (wages, other, taxes sum) {
	seen := map[string]bool{}
	for _, paper := range g.in.Papers {
		if !paper.isWages() || paper.Of != party || paper.year() != year {
			continue
		}
		employer, _ := paper.Read.Facts.Other["employer"].(string)
		paid, ok := paper.fact("wages")
		key := fmt.Sprintf("%s %s", entityKey(employer), paid)
		if !ok || seen[key] {
			continue // a copy of it
		}
		seen[key] = true
		wages.add(paid, paper.source("/wages", "Wages, W-2 of "+employer, paid))
		if withheld, ok := paper.fact("federalTaxWithheld"); ok {
			taxes.add(withheld, paper.source("/federalTaxWithheld", "Federal tax withheld, W-2 of "+employer,
				withheld))
		}
	}
	return wages, other, taxes
}
