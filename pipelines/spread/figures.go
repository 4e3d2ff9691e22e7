package spread

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// Document is a stored file with what was read in it.
type Document struct {
	ID       dossier.DocumentID
	Filename string
	Parts    []dossier.ReadDocument
}

// cell is a figure with where it is printed.
type cell struct {
	amount   decimal.Decimal
	sources  []dossier.SpreadSource
	adjusted *dossier.SpreadAdjusted // by an analyst
}

func (c cell) plus(other cell) cell {
	return cell{amount: c.amount.Add(other.amount),
		sources: append(append([]dossier.SpreadSource{}, c.sources...), other.sources...)}
}

// column is one period of one statement as one document shows it: lines by row key, subtotals apart.
type column struct {
	statement string
	document  dossier.DocumentID
	position  int // of the document among the spread's
	class     string
	entity    []string // names the document gives for whom it is about
	currency  *string
	label     string
	start     dossier.Day
	end       dossier.Day
	noStart   bool // a balance sheet: start comes from the income statement
	basis     *string
	unit      int64
	unscaled  bool        // the figures look like thousands or millions, and no scale is printed
	opening   bool        // of a return's opening balances
	latest    dossier.Day // latest period end in the document

	lines    map[string]cell
	printed  map[string]cell
	unmapped []unmapped
	covered  bool // the reader counted where the lines went
	unread   int  // printed figures that could not be read

	undetailedTotals []string // labels of the totals that are printed without their lines

	distributions *cell // of Schedule M-2 or K, negative
	partnership   bool  // capitalStock holds all of equity
	contributions *decimal.Decimal
	ties          []tie
}

// unmapped is a caption without a row, and where its amount went.
type unmapped struct {
	caption string
	section string
	amount  decimal.Decimal
	source  dossier.SpreadSource
	partOf  string // row of which it is one of several lines
	row     string

	afterTaxes bool // printed below income taxes, where no row of the template is
}

// tie is a pair of figures inside one return that must agree.
type tie struct {
	what        string
	left, right decimal.Decimal
}

func (c *column) add(key string, v cell) {
	if have, ok := c.lines[key]; ok {
		v = have.plus(v)
	}
	c.lines[key] = v
}

// lineCount is how many source lines the column has, for the tolerance.
func (c *column) lineCount() int64 {
	n := 0
	for _, v := range c.lines {
		n += max(1, len(v.sources))
	}
	return int64(n)
}

// tolerance is max(1.00, 0.5 x unit x lines). Source: template.yaml, checks.tolerance.
func (c *column) tolerance() decimal.Decimal {
	return decimal.Max(decimal.New(1, 0), decimal.New(5, -1).Mul(decimal.NewFromInt(max(1, c.unit)*c.lineCount())))
}

// columnsOf reads every statement that a document shows.
func columnsOf(d Document, position int, rows rowOfCaption) []*column {
	var all []*column
	for _, part := range d.Parts {
		switch {
		case part.DocType == dossier.DocFinancialStatement && part.Facts.Statement != nil:
			all = append(all, statementColumns(d, part, rows)...)
		case part.DocType == dossier.DocTaxReturn && part.Facts.Tax != nil:
			all = append(all, taxColumns(d, part)...)
		}
	}
	var latest dossier.Day
	for _, c := range all {
		latest = max(latest, c.end)
	}
	for _, c := range all {
		c.document, c.position, c.latest = d.ID, position, latest
	}
	return all
}

// Usable reports why a document has nothing to spread; empty when it has.
func Usable(d Document) string {
	if len(columnsOf(d, 0, nil)) > 0 {
		return ""
	}
	for _, part := range d.Parts {
		if part.DocType == dossier.DocTaxReturn {
			return "The tax return is a form that has no income statement of a business"
		}
		if part.DocType == dossier.DocFinancialStatement {
			return "The financial statement shows no period with figures that could be read"
		}
	}
	return "The document is not a financial statement or a business tax return"
}

// sourceOf is where the fact at a JSON pointer is printed.
func sourceOf(d Document, part dossier.ReadDocument, pointer, caption, text, method string) dossier.SpreadSource {
	s := dossier.SpreadSource{DocumentID: d.ID, Page: max(1, part.Pages[0]), Caption: caption, Text: text,
		Confidence: part.Confidence, Method: method}
	if found, ok := part.Sources[pointer]; ok {
		s.Page, s.Text, s.Confidence, s.Box = max(1, found.Page), found.Text, found.Confidence, found.Box
		if found.Caption != "" {
			s.Caption = found.Caption
		}
	} else if formula, ok := part.Derived[pointer]; ok {
		s.Text = text + " (" + formula + ")"
	}
	return s
}

// classOf ranks a financial statement as a source (template.yaml, periods.duplicateFigures).
func classOf(part dossier.ReadDocument) string {
	if a := part.Facts.Statement.Audited; a != nil && *a {
		return "audited"
	}
	for _, e := range part.Evidence {
		e = strings.ToLower(e)
		switch {
		case strings.Contains(e, "reviewed") || strings.Contains(e, "review report"):
			return "reviewed"
		case strings.Contains(e, "compiled") || strings.Contains(e, "compilation"):
			return "compiled"
		}
	}
	return "companyPrepared"
}

func rank(class string) int {
	for i, c := range precedence() {
		if c == class {
			return i
		}
	}
	return len(precedence())
}

func copyOf(s string) *string { return &s }
