package console

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
)

type spread struct {
	ID, Status, LeadID, Currency string
	Error, EntityName            *string
	Scope                        string
	FiscalYearEndMonth           int
	Documents                    []struct {
		ID, Filename, Status string
		Error                *string
	}
	Artifacts []struct{ ID, Type, Title string }
	Approval  struct {
		State    string
		By, Note *string
		At       *time.Time
	}
	CreatedAt, UpdatedAt time.Time
}

// Working says that the figures are being made.
func (s spread) Working() bool { return s.Status != "COMPLETE" && s.Status != "FAILED" }

// spreadPage is the statements of a lead as a grid.
type spreadPage struct {
	Spread      spread
	Lead        lead
	Tables      []statementTable
	Checks      []spreadCheck
	Warnings    []spreadWarning
	Unmapped    []unmapped
	Ratios      *ratioGrid
	Adjustments []adjustment
	Captions    []captionMapping
	Standing    string // JSON of the adjustments, as they are sent again
	Mapped      string // JSON of the caption mappings, likewise
	Rows        []Row  // lines that a caption may be mapped to
	Names       []Row  // all rows of the template
	Global      *globalTable
	Review      *review
}

// statementTable is one statement: rows down, periods across.
type statementTable struct {
	Key     string
	Periods []spreadPeriod
	Rows    []tableRow
}

type tableRow struct {
	Key, Label, Kind string
	Computed, Memo   bool
	Cells            []cell
}

type cell struct{ Value *spreadValue }

type spreadPeriod struct {
	ID, Label, Start, End string
	Basis, DerivedFrom    *string
	Annualized            bool
	Integrity             string
	Values                orderedValues
	Absent                bool `json:"-"` // the statement has no such column: others have
}

type spreadValue struct {
	Key            string `json:"-"`
	Label          string
	Value          json.Number
	Kind           string
	Computed, Memo bool
	Reliable       *bool
	Reported       *json.Number
	Adjusted       *struct {
		MachineValue *json.Number
		Reason       string
		Actor        *string
	}
}

// Shown is the figure as accountants write it: thousands apart, what is negative in parentheses.
func (v spreadValue) Shown() string { return accountant(v.Value.String()) }

// Was is what the documents give, where a person changed it.
func (v spreadValue) Was() string {
	if v.Adjusted == nil || v.Adjusted.MachineValue == nil {
		return "nothing"
	}
	return accountant(v.Adjusted.MachineValue.String())
}

// Amount is the figure, or what moves, as accountants write it.
func (a adjustment) Amount() string {
	if a.Value == nil {
		return "all of it"
	}
	return accountant(a.Value.String())
}

// Printed is the total that the document prints, where it is another.
func (v spreadValue) Printed() string {
	if v.Reported == nil {
		return ""
	}
	return accountant(v.Reported.String())
}

// Doubtful says that the figure rests on something uncertain.
func (v spreadValue) Doubtful() bool { return v.Reliable != nil && !*v.Reliable }

// accountant writes a decimal as accountants do: thousands apart, what is negative in parentheses.
func accountant(s string) string {
	if s == "" {
		return ""
	}
	shown := grouped(s)
	if rest, negative := strings.CutPrefix(shown, "−"); negative {
		return "(" + rest + ")"
	}
	return shown
}

// orderedValues keeps the rows in the order of the template, in which the answer has them.
type orderedValues []spreadValue

// UnmarshalJSON implements json.Unmarshaler.
func (o *orderedValues) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		v := spreadValue{Key: fmt.Sprint(key)}
		if err := d.Decode(&v); err != nil {
			return err
		}
		*o = append(*o, v)
	}
	return nil
}

type spreadCheck struct {
	Name, Statement, PeriodID, Detail string
	Passed                            bool
	Value                             json.Number
}

type spreadWarning struct {
	Code, Detail        string
	DocumentID          *string
	Statement, PeriodID *string
	Periods             []string `json:"-"` // when the columns end that it is about
}

// mergeWarnings merges warnings that say the same of several columns.
func mergeWarnings(all []spreadWarning) []spreadWarning {
	var found []spreadWarning
	for _, w := range all {
		i := slices.IndexFunc(found, func(f spreadWarning) bool {
			return f.Code == w.Code && f.Detail == w.Detail && code(f.DocumentID) == code(w.DocumentID)
		})
		if i < 0 {
			i, found = len(found), append(found, w)
		}
		if end := endOf(code(w.PeriodID)); end != "" && !slices.Contains(found[i].Periods, end) {
			found[i].Periods = append(found[i].Periods, end)
		}
	}
	return found
}

type unmapped struct {
	DocumentID, Statement, PeriodID, Caption, Row string
	Amount                                        json.Number
}

// Shown is the amount as accountants write it.
func (u unmapped) Shown() string { return accountant(u.Amount.String()) }

type adjustment struct {
	Statement string       `json:"statement"`
	Row       string       `json:"row"`
	PeriodID  string       `json:"periodId"`
	Value     *json.Number `json:"value"`
	MoveTo    *string      `json:"moveTo"`
	Reason    string       `json:"reason"`
	Actor     *string      `json:"actor,omitempty"`
}

type captionMapping struct {
	Statement string  `json:"statement"`
	Caption   string  `json:"caption"`
	Row       string  `json:"row"`
	Actor     *string `json:"actor,omitempty"`
}

// globalTable is the cash flow of all parties of a lead together.
type globalTable struct {
	Periods []string
	Rows    []globalRow
}

type globalRow struct {
	Label, Kind string
	Cells       []string
}

type spreadResults struct {
	Scope      string
	Statements struct {
		IncomeStatement, BalanceSheet, CashFlow struct{ Periods []spreadPeriod }
	}
	Checks   []spreadCheck
	Warnings []spreadWarning
	Unmapped []unmapped
	Ratios   []ratioTable
	Periods  []struct {
		Label string
		Rows  []struct {
			Key, Label, Kind string
			PartyID          *string
			Value            *json.Number
		}
	}
}

// Spread shows the figures of a spread.
func (v Visit) Spread(id string) (Page, error) { return v.spread(id, nil) }

func (v Visit) spread(id string, r *review) (Page, error) {
	at := "/api/v1/spreads/" + url.PathEscape(id)
	answer, err := get[struct{ Spread spread }](v, at)
	if err != nil {
		return Page{}, err
	}
	data := spreadPage{Spread: answer.Spread, Standing: "[]", Mapped: "[]", Names: v.Rows, Review: r}
	err = fill(v, "/api/v1/leads/"+url.PathEscape(data.Spread.LeadID),
		func(a struct{ Lead lead }) { data.Lead = a.Lead })
	if err == nil && data.Spread.Status == "COMPLETE" {
		err = data.figures(v, at)
	}
	return Page{File: "spread", Title: "Spread of " + data.Lead.Name(), Tab: tabOf(r), Data: data, Wide: true,
		LeadID: data.Spread.LeadID, At: "spread/" + id}, err
}

// Called is what the template calls a row of a statement.
func (p spreadPage) Called(statement string, row any) string {
	for _, r := range p.Names {
		if r.Statement == statement && r.Key == code(row) {
			return r.Label
		}
	}
	return nameWords(code(row))
}

func (p *spreadPage) figures(v Visit, at string) error {
	all := url.Values{"include": {"sources", "checks", "ratios"}}
	results, err := get[struct{ Results spreadResults }](v, with(at+"/results", all))
	if err != nil {
		return err
	}
	r := results.Results
	if len(r.Periods) > 0 {
		p.Global = tableOfParties(r)
		return nil
	}
	p.Checks, p.Warnings, p.Unmapped = r.Checks, mergeWarnings(r.Warnings), r.Unmapped
	income, sheet, flow := r.Statements.IncomeStatement.Periods, r.Statements.BalanceSheet.Periods,
		r.Statements.CashFlow.Periods
	columns := columnsOf(income, sheet, flow)
	p.Ratios = ratioGridOf(r.Ratios, columns)
	for _, one := range []struct {
		key     string
		periods []spreadPeriod
	}{{"incomeStatement", income}, {"balanceSheet", sheet}, {"cashFlow", flow}} {
		if len(one.periods) > 0 {
			table := tableOf(one.key, alignColumns(columns, one.periods))
			p.Tables = append(p.Tables, table)
			for _, row := range table.Rows {
				if row.Kind == "line" {
					p.Rows = append(p.Rows, Row{one.key, row.Key, row.Label})
				}
			}
		}
	}
	return errors.Join(
		fill(v, at+"/adjustments", func(a struct{ Adjustments []adjustment }) {
			p.Adjustments, p.Standing = a.Adjustments, jsonText(a.Adjustments)
		}),
		fill(v, at+"/caption-mappings", func(a struct{ CaptionMappings []captionMapping }) {
			p.Captions, p.Mapped = a.CaptionMappings, jsonText(a.CaptionMappings)
		}))
}

func jsonText(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return "[]"
	}
	return string(data)
}

// tableOf puts the periods of a statement beside each other, in the order of the rows that most of them have.
func tableOf(key string, periods []spreadPeriod) statementTable {
	table := statementTable{Key: key, Periods: periods}
	place := map[string]int{}
	for _, period := range periods {
		after := 0
		for _, value := range period.Values {
			if i, known := place[value.Key]; known {
				after = i + 1
				continue
			}
			row := tableRow{Key: value.Key, Label: value.Label, Kind: value.Kind, Computed: value.Computed,
				Memo: value.Memo}
			table.Rows = append(table.Rows[:after:after], append([]tableRow{row}, table.Rows[after:]...)...)
			for i, r := range table.Rows {
				place[r.Key] = i
			}
			after++
		}
	}
	for i := range table.Rows {
		for _, period := range periods {
			var c cell
			for j := range period.Values {
				if period.Values[j].Key == table.Rows[i].Key {
					c.Value = &period.Values[j]
				}
			}
			table.Rows[i].Cells = append(table.Rows[i].Cells, c)
		}
	}
	return table
}

func tableOfParties(r spreadResults) *globalTable {
	g := &globalTable{}
	place := map[string]int{}
	for i, period := range r.Periods {
		g.Periods = append(g.Periods, period.Label)
		for _, row := range period.Rows {
			party := ""
			if row.PartyID != nil {
				party = *row.PartyID
			}
			name := row.Key + " " + party
			at, known := place[name]
			if !known {
				at, place[name] = len(g.Rows), len(g.Rows)
				g.Rows = append(g.Rows, globalRow{row.Label, row.Kind, make([]string, len(r.Periods))})
			}
			if row.Value != nil {
				g.Rows[at].Cells[i] = accountant(row.Value.String())
			}
		}
	}
	return g
}
