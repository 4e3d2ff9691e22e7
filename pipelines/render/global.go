package render

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/johnfercher/maroto/v2/pkg/components/col"
	"github.com/johnfercher/maroto/v2/pkg/components/row"
	"github.com/johnfercher/maroto/v2/pkg/components/text"
	"github.com/johnfercher/maroto/v2/pkg/consts/fontstyle"
	"github.com/johnfercher/maroto/v2/pkg/props"
	"github.com/xuri/excelize/v2"

	"github.com/dossierhq/dossier"
)

const globalTitle = "Global Cash Flow"

// GlobalReport writes the PDF of a global spread: cover with the parties, a table of years and parties, sources and
// notes.
func GlobalReport(r dossier.GlobalResults) ([]byte, error) {
	ruler, err := newRuler()
	if err != nil {
		return nil, err
	}
	p := &report{r: dossier.SpreadResults{SpreadID: r.SpreadID, LeadID: r.LeadID, GeneratedAt: r.GeneratedAt,
		EntityName: globalName(r), Currency: r.Currency}, paper: paperOf(r.Currency), ruler: ruler,
		kind: globalTitle + " Report", padding: loosePadding}
	p.globalCover(r)
	for _, years := range groups(len(r.Periods)) {
		p.globalTable(r, r.Periods[years[0]:years[1]])
	}
	p.globalSources(r)
	p.globalNotes()
	return p.bytes()
}

// globalName is the primary party's.
func globalName(r dossier.GlobalResults) string {
	if len(r.Parties) == 0 {
		return ""
	}
	return r.Parties[0].Name
}

func (p *report) globalCover(r dossier.GlobalResults) {
	p.section = globalTitle
	p.marks = append(p.marks, bookmark{"Cover", 0})
	p.rows = append(p.rows, row.New(34+roundingSlack), row.New(16).Add(col.New(grid).Add(text.New(globalTitle,
		props.Text{Size: 26, Style: fontstyle.Bold, Color: dark}))))
	p.coverName()
	p.add(8, row.New(8))
	for _, pair := range [][2]string{{"Currency", r.Currency}, {"Generated", dayText(r.GeneratedAt)},
		{"Spread", string(r.SpreadID)}, {"Lead", string(r.LeadID)}} {
		p.line(look{}, left(pair[0], 15), left(pair[1], 85))
	}
	p.add(6, row.New(6))
	p.head(left("Party", 50), left("Figures from", 50))
	for _, party := range r.Parties {
		from := "tax returns and K-1s of the file"
		if party.SpreadID != nil {
			from = "spread " + string(*party.SpreadID)
		}
		p.line(look{line: true}, left(party.Name, 50), left(from, 50))
	}
}

func (p *report) globalTable(r dossier.GlobalResults, years []dossier.GlobalPeriod) {
	const label, value = 52, 12
	p.begin(globalTitle)
	heads := []cellText{left("All amounts in "+r.Currency, label)}
	for _, y := range years {
		heads = append(heads, right(y.Label, value))
	}
	p.head(heads...)
	for _, shown := range globalRows(years) {
		cells := []cellText{left(shown.label, label)}
		for _, row := range shown.cells {
			cells = append(cells, right(globalText(row), value))
		}
		p.line(look{bold: shown.kind != "line", line: shown.kind == "subtotal", band: shown.kind == "total"}, cells...)
	}
}

// globalLine is a row of the table over several years; a cell is nil in a year without it.
type globalLine struct {
	label, kind string
	cells       []*dossier.GlobalRow
}

// globalRows puts the rows of several years beside each other: those of one party, key and counterparty are one.
func globalRows(years []dossier.GlobalPeriod) []globalLine {
	var lines []globalLine
	at := map[string]int{}
	for pass, key := range []string{"party", "elimination", "global"} {
		for n := range years {
			for i := range years[n].Rows {
				r := &years[n].Rows[i]
				if globalPass(r.Key) != pass {
					continue
				}
				name := fmt.Sprint(key, " ", r.Key, " ", dossier.Text(r.PartyID), " ", dossier.Text(r.CounterpartyID))
				if r.Key == "elimination" {
					name += fmt.Sprint(" ", countBefore(years[n].Rows, i))
				}
				if _, known := at[name]; !known {
					at[name] = len(lines)
					lines = append(lines, globalLine{r.Label, r.Kind, make([]*dossier.GlobalRow, len(years))})
				}
				lines[at[name]].cells[n] = r
			}
		}
	}
	return lines
}

func globalPass(key string) int {
	switch {
	case key == "elimination":
		return 1
	case strings.HasPrefix(key, "global"):
		return 2
	}
	return 0
}

// countBefore tells apart several payments between the same two parties.
func countBefore(rows []dossier.GlobalRow, i int) int {
	n := 0
	for _, r := range rows[:i] {
		if r.Key == rows[i].Key && dossier.Text(r.PartyID) == dossier.Text(rows[i].PartyID) &&
			dossier.Text(r.CounterpartyID) == dossier.Text(rows[i].CounterpartyID) {
			n++
		}
	}
	return n
}

// globalText is what stands in the place of a figure.
func globalText(r *dossier.GlobalRow) string {
	if r == nil {
		return ""
	}
	if r.Value == nil {
		if r.Reliable != nil {
			return notReliable
		}
		return "-"
	}
	if r.Key == "globalDscr" {
		return formatted(dossier.SpreadRatio{Value: r.Value})
	}
	var f dossier.Figure
	if err := f.UnmarshalJSON([]byte(*r.Value)); err != nil {
		return "-"
	}
	if r.Reliable != nil {
		return money(f) + " *"
	}
	return money(f)
}

func (p *report) globalSources(r dossier.GlobalResults) {
	begun := false
	for _, year := range r.Periods {
		for _, row := range year.Rows {
			for _, s := range row.Sources {
				if !begun {
					begun = true
					p.begin("Sources")
					p.head(left("Year", 6), left("Row", 38), left("From", 38), right("As printed", 12), right("Page",
						6))
				}
				page := ""
				if s.Page > 0 {
					page = fmt.Sprint(s.Page)
				}
				p.line(look{line: true, small: true}, left(year.Label, 6), left(row.Label, 38), left(s.Caption, 38),
					right(amountText(s.Text), 12), right(page, 6))
			}
		}
	}
}

var plainAmount = regexp.MustCompile(`^-?\d+(\.\d+)?$`)

// amountText is the text of a source: an amount with its thousands apart, anything else as it is.
func amountText(s string) string {
	var f dossier.Figure
	if !plainAmount.MatchString(s) || f.UnmarshalJSON([]byte(s)) != nil {
		return s
	}
	return money(f)
}

func (p *report) globalNotes() {
	p.begin("Notes")
	for _, note := range globalNotes {
		p.line(look{}, left(note, 100))
		p.add(1.5, row.New(1.5))
	}
}

var globalNotes = []string{
	"Cash available for debt service of a business is the EBITDA of its own spread, with what other businesses paid " +
		"to it. A fiscal year belongs to the calendar year it ends in.",
	"Debt service is the payments of a year on the debts that are known; without any, interest and " +
		"current maturities " +
		"of the statements.",
	"Wages, other income and taxes are those of the person's income tax return, else of its forms W-2. Other income " +
		"is taxable interest, dividends, pensions and social security. A joint return is one household.",
	"What a business of the file paid to another party is counted with both and taken off once, on a line that names " +
		"both: in the global figures it is counted exactly once.",
	globalMarks,
}

// globalMarks says what stands in the place of figures, and beside them.
const globalMarks = "A dash says that nothing in the file gives the figure; it counts as nothing. An asterisk marks " +
	"what rests on figures that no printed total confirms, or on a party that pays debts and of whose cash nothing " +
	"is known; there is no coverage of it."

// GlobalSheet writes the workbook of a global spread. Subtotals and totals are formulas.
func GlobalSheet(r dossier.GlobalResults) ([]byte, error) {
	w := &workbook{f: excelize.NewFile(), r: dossier.SpreadResults{GeneratedAt: r.GeneratedAt,
		EntityName: globalName(r), Currency: r.Currency},
		styles: map[string]int{}, extents: map[string]extent{}, outcomes: map[string]string{}}
	defer func() { _ = w.f.Close() }()
	w.keepError(w.f.SetSheetName("Sheet1", globalTitle))
	_, err := w.f.NewSheet(sourcesSheet)
	w.keepError(err)
	w.keepError(w.f.SetDocProps(&excelize.DocProperties{Creator: "Dossier", Title: globalTitle + " - " + globalName(r),
		Created: r.GeneratedAt, Modified: r.GeneratedAt}))
	auto := true
	w.keepError(w.f.SetCalcProps(&excelize.CalcPropsOptions{FullCalcOnLoad: &auto}))
	w.globalTable(r)
	w.globalSources(r)
	w.printAreas()
	return w.bytes()
}
