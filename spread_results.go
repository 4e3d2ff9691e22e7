package dossier

import (
	"bytes"
	"encoding/json"

	"github.com/shopspring/decimal"
)

// This file is a document format (api.md, Spread results): pipelines compute it, Postgres stores it, the API answers
// it and the artifacts are drawn from it. Like facts it carries its JSON names.

// SpreadSchemaVersion is the version of SpreadResults.
const SpreadSchemaVersion = 2

// Figure is an amount of a spread: 2 decimal places, in JSON a number ("1234.50" without quotes), never a float.
type Figure struct{ decimal.Decimal }

// MarshalJSON writes a number with 2 places.
func (f Figure) MarshalJSON() ([]byte, error) { return []byte(f.StringFixed(2)), nil }

// UnmarshalJSON reads a number without going through a float.
func (f *Figure) UnmarshalJSON(data []byte) (err error) {
	f.Decimal, err = decimal.NewFromString(string(bytes.Trim(data, `"`)))
	return err
}

// SpreadResults is the outcome of a spread. What stands below Statements is answered when asked for (?include=).
type SpreadResults struct {
	SchemaVersion int      `json:"schemaVersion"`
	SpreadID      SpreadID `json:"spreadId"`
	LeadID        LeadID   `json:"leadId"`
	// when these figures first came about: an unchanged regeneration keeps it
	GeneratedAt string           `json:"generatedAt"`
	EntityName  string           `json:"entityName"`
	Currency    string           `json:"currency"`
	Statements  SpreadStatements `json:"statements"`

	Adjustments []SpreadAdjustment `json:"adjustments,omitempty"` // that were applied

	Ratios      []SpreadRatios     `json:"ratios,omitempty"`
	UCA         []SpreadUCA        `json:"uca,omitempty"`
	Checks      []SpreadCheck      `json:"checks,omitempty"`
	Comparisons []SpreadComparison `json:"comparisons,omitempty"`

	Warnings  []SpreadWarning      `json:"warnings"`
	Documents []SpreadUsedDocument `json:"documents,omitempty"`
	Unmapped  []SpreadUnmapped     `json:"unmapped,omitempty"`

	Trailing []SpreadTrailing `json:"-"` // for the report alone: they are no periods of the results
}

// SpreadTrailing is the twelve months up to the end of a year to date: the last full year, without its months to date,
// with those of this year. Subtotals are calculated again.
type SpreadTrailing struct {
	Start, End        string
	Year, Before, Now string // ids of the income statement's columns it is made of
	Values            SpreadValues
}

// SpreadStatements are the three statements.
type SpreadStatements struct {
	IncomeStatement SpreadStatement `json:"incomeStatement"`
	BalanceSheet    SpreadStatement `json:"balanceSheet"`
	CashFlow        SpreadStatement `json:"cashFlow"`
}

// Named returns a statement by its name in the template, or nil.
func (s *SpreadStatements) Named(name string) *SpreadStatement {
	switch name {
	case "incomeStatement":
		return &s.IncomeStatement
	case "balanceSheet":
		return &s.BalanceSheet
	case "cashFlow":
		return &s.CashFlow
	}
	return nil
}

// SpreadStatement is one statement: its columns, end ascending, longest first, annualized after its base.
type SpreadStatement struct {
	Periods []SpreadPeriod `json:"periods"`
}

// Period finds a column by id.
func (s SpreadStatement) Period(id string) *SpreadPeriod {
	for i := range s.Periods {
		if s.Periods[i].ID == id {
			return &s.Periods[i]
		}
	}
	return nil
}

// Integrity is how far the printed totals of a period's statement confirm it (relationships.md section 1).
type Integrity string

// Integrities.
const (
	IntegrityReconciled Integrity = "reconciled" // every printed total equals its calculation within rounding
	IntegrityVariance   Integrity = "variance"   // one does not, though every printed line is in a figure
	// printed lines are in no figure, or a total is printed without its lines
	IntegrityIncomplete Integrity = "incomplete"
)

// SpreadPeriod is one column of a statement.
type SpreadPeriod struct {
	ID          string       `json:"id"`
	Label       string       `json:"label"`
	Start       string       `json:"start"`
	End         string       `json:"end"`
	Basis       *string      `json:"basis"`
	Annualized  bool         `json:"annualized"`
	DerivedFrom *string      `json:"derivedFrom"`
	Integrity   Integrity    `json:"integrity,omitempty"` // absent in results made before there was any
	Values      SpreadValues `json:"values"`
}

// SpreadValues are the rows of a column that have figures, in template order. In JSON they are an object by key.
type SpreadValues []SpreadValue

// SpreadValue is one row of one column.
type SpreadValue struct {
	Key      string         `json:"-"`
	Label    string         `json:"label"`
	Value    Figure         `json:"value"`
	Kind     string         `json:"kind"`
	Computed bool           `json:"computed"`
	Memo     bool           `json:"memo"`
	Sources  []SpreadSource `json:"sources,omitempty"`

	// false: calculated from what no printed total confirms; else absent
	Reliable *bool           `json:"reliable,omitempty"`
	Reported *Figure         `json:"reported,omitempty"` // the printed total, when it is another than Value
	Adjusted *SpreadAdjusted `json:"adjusted,omitempty"` // an analyst changed the figure

	// Of a calculated figure, when asked for (?include=formulas): the template's formula, and what it stands for here.
	Formula  string          `json:"formula,omitempty"`
	Operands []SpreadOperand `json:"operands,omitempty"`
}

// SpreadOperand is a figure that another one is calculated from.
type SpreadOperand struct {
	Statement string `json:"statement"` // or ratios, or uca, of the same period
	Row       string `json:"row"`
	PeriodID  string `json:"periodId"`
}

// Doubtful reports whether no printed total confirms what the value rests on.
func (v SpreadValue) Doubtful() bool { return v.Reliable != nil && !*v.Reliable }

// SpreadSource is where a figure, or a part of one, is printed.
type SpreadSource struct {
	DocumentID DocumentID `json:"documentId"`
	Page       int        `json:"page"`
	Caption    string     `json:"caption"`
	Text       string     `json:"text"`
	Confidence float64    `json:"confidence"`
	Box        any        `json:"box,omitempty"`
	Method     string     `json:"method,omitempty"` // how the caption found its row: row, formLine, section, catchAll
}

// Get finds a row's figure.
func (v SpreadValues) Get(key string) (decimal.Decimal, bool) {
	for i := range v {
		if v[i].Key == key {
			return v[i].Value.Decimal, true
		}
	}
	return decimal.Zero, false
}

// MarshalJSON writes {"key": row, ...} in template order.
func (v SpreadValues) MarshalJSON() ([]byte, error) {
	out := bytes.NewBufferString("{")
	for i, row := range v {
		if i > 0 {
			out.WriteByte(',')
		}
		data, err := json.Marshal(row)
		if err != nil {
			return nil, err
		}
		out.WriteString(`"` + row.Key + `":`)
		out.Write(data)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// UnmarshalJSON reads the object, keeping its order.
func (v *SpreadValues) UnmarshalJSON(data []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if _, err := decoder.Token(); err != nil {
		return err
	}
	*v = nil
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return err
		}
		var row SpreadValue
		if err := decoder.Decode(&row); err != nil {
			return err
		}
		row.Key, _ = key.(string)
		*v = append(*v, row)
	}
	return nil
}

// SpreadRatios are the ratios of one period. A nil value is not available.
type SpreadRatios struct {
	PeriodID string        `json:"periodId"`
	Columns  SpreadColumns `json:"columns"`
	Values   []SpreadRatio `json:"values"`
}

// SpreadColumns names the columns that is., bs., cf., is.prev. and bs.prev. stand for in a period's formulas: on an
// interim period is. is the annualized column. Empty: there is none.
type SpreadColumns struct {
	Income      string `json:"is"`
	Sheet       string `json:"bs"`
	Flow        string `json:"cf"`
	PriorIncome string `json:"is.prev"`
	PriorSheet  string `json:"bs.prev"`
}

// SpreadRatio is one ratio; Value has 4 places, of an amount 2.
type SpreadRatio struct {
	Key     string       `json:"key"`
	Label   string       `json:"label"`
	Group   string       `json:"group"`
	Format  string       `json:"format"`
	Formula string       `json:"formula"`
	Value   *json.Number `json:"value"`
	// why there is no value although the figures are there: it would not be reliable
	Reason *string `json:"reason"`

	Operands []SpreadOperand `json:"operands,omitempty"` // when asked for (?include=formulas)
}

// SpreadUCA is the Uniform Credit Analysis cash flow of one period.
type SpreadUCA struct {
	PeriodID string          `json:"periodId"`
	Columns  SpreadColumns   `json:"columns"`
	Values   []SpreadUCALine `json:"values"`
}

// SpreadUCALine is one line of it.
type SpreadUCALine struct {
	Key      string `json:"key"`
	Label    string `json:"label"`
	Subtotal bool   `json:"subtotal"`
	Value    Figure `json:"value"`

	// false: calculated from what no printed total confirms; else absent
	Reliable *bool `json:"reliable,omitempty"`
}

// Doubtful reports whether no printed total confirms what the line rests on.
func (l SpreadUCALine) Doubtful() bool { return l.Reliable != nil && !*l.Reliable }

// SpreadCheck is one arithmetic check over the figures. A failed one never fails a spread.
type SpreadCheck struct {
	Name      string `json:"name"`
	Statement string `json:"statement"`
	PeriodID  string `json:"periodId"`
	Passed    bool   `json:"passed"`
	Value     Figure `json:"value"`     // the difference found
	Tolerance Figure `json:"tolerance"` // the largest difference that passes
	Detail    string `json:"detail"`
}

// SpreadWarning is something a reader of the spread should know.
type SpreadWarning struct {
	Code       string      `json:"code"`
	Detail     string      `json:"detail"`
	DocumentID *DocumentID `json:"documentId"`
	Statement  *string     `json:"statement"`
	PeriodID   *string     `json:"periodId"`
}

// SpreadComparison is a statement of a document that was set aside because another source ranks higher.
type SpreadComparison struct {
	Statement        string             `json:"statement"`
	PeriodID         string             `json:"periodId"`
	DocumentID       DocumentID         `json:"documentId"`
	Class            string             `json:"class"`
	ChosenDocumentID DocumentID         `json:"chosenDocumentId"`
	ChosenClass      string             `json:"chosenClass"`
	Differences      []SpreadDifference `json:"differences"`
}

// SpreadDifference is a row on which two sources disagree by more than the tolerance.
type SpreadDifference struct {
	Key        string `json:"key"`
	Label      string `json:"label"`
	Chosen     Figure `json:"chosen"`
	Other      Figure `json:"other"`
	Difference Figure `json:"difference"` // chosen minus other
}

// SpreadUsedDocument says what a document gave to the spread.
type SpreadUsedDocument struct {
	DocumentID DocumentID `json:"documentId"`
	Filename   string     `json:"filename"`
	Class      string     `json:"class"`
	Periods    []string   `json:"periods"`
}

// SpreadUnmapped is a printed caption that no row names, and where its amount went.
type SpreadUnmapped struct {
	DocumentID DocumentID `json:"documentId"`
	Statement  string     `json:"statement"`
	PeriodID   string     `json:"periodId"`
	Caption    string     `json:"caption"`
	Amount     Figure     `json:"amount"`
	Row        string     `json:"row"` // empty: its section is not known, so it is in no figure
}

// SpreadIncludes are the parts of results that are answered when asked for.
var SpreadIncludes = []string{"sources", "ratios", "uca", "checks", "comparisons", "formulas"}

// Only leaves away the parts that are not included. sources bring the documents and captions without a row.
func (r SpreadResults) Only(include map[string]bool) SpreadResults {
	if !include["ratios"] {
		r.Ratios = nil
	}
	if !include["uca"] {
		r.UCA = nil
	}
	if !include["checks"] {
		r.Checks = nil
	}
	if r.Warnings == nil {
		r.Warnings = []SpreadWarning{}
	}
	if !include["comparisons"] {
		r.Comparisons = nil
	}
	if include["sources"] {
		return r
	}
	r.Documents, r.Unmapped = nil, nil
	for _, name := range []string{"incomeStatement", "balanceSheet", "cashFlow"} {
		s := r.Statements.Named(name)
		s.Periods = append([]SpreadPeriod{}, s.Periods...)
		for i := range s.Periods {
			values := append(SpreadValues{}, s.Periods[i].Values...)
			for j := range values {
				values[j].Sources = nil
			}
			s.Periods[i].Values = values
		}
	}
	return r
}
