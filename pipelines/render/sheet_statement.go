package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread/layout"
)

var sectionTitles = map[string]string{
	"revenue": "Revenue", "costOfRevenues": "Cost of revenues", "operatingExpenses": "Operating expenses",
	"otherIncomeExpense": "Other income and expense",
	"memo":               "Memo", "currentAssets": "Current assets", "nonCurrentAssets": "Non-current assets",
	"currentLiabilities":  "Current liabilities",
	"longTermLiabilities": "Long-term liabilities", "equity": "Equity", "operating": "Operating activities",
	"investing": "Investing activities",
	"financing": "Financing activities", "summary": "Summary",
}

// shownRows lists the rows of a statement that have a figure in any period, in template order.
func shownRows(t *layout.Template, s *dossier.SpreadStatement, statement string) []layout.Row {
	var rows []layout.Row
	for _, row := range t.Of(statement) {
		if slices.ContainsFunc(s.Periods, func(p dossier.SpreadPeriod) bool {
			_, ok := p.Values.Get(row.Key)
			return ok
		}) {
			rows = append(rows, row)
		}
	}
	return rows
}

// noStatement is what stands on the sheet of a statement that the results do not have.
var noStatement = map[string]string{
	"incomeStatement": "None: the documents print no income statement.",
	"balanceSheet":    "None: the documents print no balance sheet.",
	"cashFlow": "None: the documents print no cash flow, and one is derived only between two balance sheets of an " +
		"income statement's period.",
}

// layout gives every row and period of a statement its place, before any formula refers to it.
func (w *workbook) layout(statement string) {
	s := w.r.Statements.Named(statement)
	w.columns[statement], w.rows[statement] = map[string]string{}, map[string]int{}
	for i, p := range s.Periods {
		w.columns[statement][p.ID] = letter(i + 2)
	}
	row, section := headerRow, ""
	rows := shownRows(w.template, s, statement)
	for _, r := range rows {
		if r.Section != section && hasLines(rows, r.Section) {
			row++
		}
		section = r.Section
		row++
		w.rows[statement][r.Key] = row
	}
}

func (w *workbook) statement(statement, sheet, title string) {
	s := w.r.Statements.Named(statement)
	captions := []string{""}
	for _, p := range s.Periods {
		captions = append(captions, periodCaption(statement, p))
	}
	w.head(sheet, title, captions, []float64{40, w.periodWidth(len(s.Periods))}, 1)
	if len(s.Periods) == 0 {
		w.text(sheet, at("A", headerRow+1), noStatement[statement], "note wrap")
	}
	section := ""
	rows := shownRows(w.template, s, statement)
	for _, r := range rows {
		row := w.rows[statement][r.Key]
		if r.Section != section && hasLines(rows, r.Section) {
			for i := range captions {
				w.text(sheet, at(letter(i+1), row-1), "", "section")
			}
			w.text(sheet, at("A", row-1), sectionTitles[r.Section], "section")
		}
		section = r.Section
		style := "indent"
		if r.Kind != "line" {
			style = "total"
		}
		w.text(sheet, at("A", row), r.Label, style)
		for _, p := range s.Periods {
			w.figure(statement, sheet, r, p, row)
		}
	}
	w.links(statement, sheet)
}

// figure writes one row of one period: a formula where the figure is calculated, else an input with its source.
func (w *workbook) figure(statement, sheet string, r layout.Row, p dossier.SpreadPeriod, row int) {
	cell := at(w.columns[statement][p.ID], row)
	i := slices.IndexFunc(p.Values, func(v dossier.SpreadValue) bool { return v.Key == r.Key })
	if i < 0 {
		if r.Kind != "line" {
			w.text(sheet, cell, "", "total money")
		}
		return
	}
	v := p.Values[i]
	style := "money"
	if r.Kind != "line" {
		style = "total money"
	}
	if v.Doubtful() {
		style += " unsure"
	}
	if formula := w.formulaOf(statement, r, p, v); formula != "" {
		w.formula(sheet, cell, formula, v.Value.StringFixed(2), style)
		return
	}
	style += " input"
	if v.Adjusted != nil {
		style += " adjusted"
	}
	w.number(sheet, cell, v.Value.StringFixed(2), style)
	w.comment(sheet, cell, v)
}

// formulaOf is how a figure is calculated in the workbook; empty for an input.
func (w *workbook) formulaOf(statement string, r layout.Row, p dossier.SpreadPeriod,
	v dossier.SpreadValue) string {
	own := dossier.SpreadColumns{}
	switch statement {
	case "incomeStatement":
		own.Income = p.ID
	case "balanceSheet":
		own.Sheet = p.ID
	case "cashFlow":
		own.Flow = p.ID
	}
	switch {
	case v.Computed && !r.Formula.Empty():
		return w.rounded(r.Formula, own, statement)
	case p.Annualized && p.DerivedFrom != nil:
		start, _ := dossier.ParseDay(p.Start)
		end, _ := dossier.ParseDay(p.End)
		times, by := layout.AnnualFactor(start, end)
		return fmt.Sprintf("ROUND(%s*%s/%s,2)", at(w.columns[statement][*p.DerivedFrom], w.rows[statement][r.Key]),
			times, by)
	case v.Computed && !r.Derived.Empty() && r.Key != "distributionsPaid":
		own.Income, own.Sheet, own.PriorSheet = p.ID, w.sheetEnding(p.End), w.sheetBefore(p.Start)
		return w.rounded(r.Derived, own, "")
	}
	return ""
}

// sheetEnding is the balance sheet period that ends on a day.
func (w *workbook) sheetEnding(day string) string {
	for _, p := range w.r.Statements.BalanceSheet.Periods {
		if p.End == day {
			return p.ID
		}
	}
	return ""
}

// sheetBefore is the balance sheet period that ends the day before a start.
func (w *workbook) sheetBefore(start string) string {
	day, _ := dossier.ParseDay(start)
	return w.sheetEnding((day - 1).String())
}

func (w *workbook) rounded(f layout.Formula, columns dossier.SpreadColumns, statement string) string {
	text := w.write(f.Root(), columns, statement, nil)
	if text == "" {
		return ""
	}
	return "ROUND(" + text + ",2)"
}

// write puts a formula of the template into the workbook's language. Rows that the workbook does not have count as
// 0. unprefixed names are rows of statement, or cells of own.
func (w *workbook) write(n *layout.FormulaNode, c dossier.SpreadColumns, statement string,
	own func(name string) string) string {
	switch n.Op {
	case "number":
		return n.Number.String()
	case "ref":
		return w.cellOf(n.Name, c, statement, own)
	case "delta":
		key := strings.TrimPrefix(n.Args[0].Name, "bs.")
		return "(" + w.cellOf("bs."+key, c, statement, own) + "-" + w.cellOf("bs.prev."+key, c, statement, own) + ")"
	case "neg":
		return "-(" + w.write(n.Args[0], c, statement, own) + ")"
	case "call":
		return "0"
	}
	a, b := w.write(n.Args[0], c, statement, own), w.write(n.Args[1], c, statement, own)
	switch {
	case n.Op == "+" && b == "0", n.Op == "-" && b == "0":
		return a
	case n.Op == "+" && a == "0":
		return b
	case n.Op == "+":
		return a + "+" + b
	case n.Op == "-":
		return a + "-" + group(n.Args[1], b)
	}
	return group(n.Args[0], a) + n.Op + "(" + b + ")"
}

// group keeps the order of operations.
func group(n *layout.FormulaNode, text string) string {
	if n.Op == "+" || n.Op == "-" || n.Op == "neg" {
		return "(" + text + ")"
	}
	return text
}

// cellOf is the address of a reference; "0" for a row or statement that the workbook does not have.
func (w *workbook) cellOf(name string, c dossier.SpreadColumns, statement string, own func(name string) string) string {
	prefix, key := "", name
	if dot := strings.LastIndex(name, "."); dot >= 0 {
		prefix, key = name[:dot], name[dot+1:]
	}
	of := map[string]struct{ statement, period string }{"is": {"incomeStatement", c.Income},
		"bs": {"balanceSheet", c.Sheet}, "cf": {"cashFlow", c.Flow},
		"is.prev": {"incomeStatement", c.PriorIncome}, "bs.prev": {"balanceSheet", c.PriorSheet}}
	place, known := of[prefix]
	sheet := ""
	switch {
	case prefix == "" && own != nil || prefix == "uca":
		if own == nil {
			return "0"
		}
		return own(name)
	case prefix == "":
		place.statement = statement
		place.period = c.Income + c.Sheet + c.Flow // one of them is set
	case known:
		for _, s := range statementSheets {
			if s.statement == place.statement {
				sheet = "'" + s.sheet + "'!"
			}
		}
	}
	column, row := w.columns[place.statement][place.period], w.rows[place.statement][key]
	if column == "" || row == 0 {
		return "0"
	}
	return sheet + at(column, row)
}

// links leads from each input to its row on Sources.
func (w *workbook) links(statement, sheet string) {
	for _, p := range w.r.Statements.Named(statement).Periods {
		for _, v := range p.Values {
			if row := w.source[statement+" "+p.ID+" "+v.Key]; row > 0 && !v.Computed {
				w.keepError(w.f.SetCellHyperLink(sheet, at(w.columns[statement][p.ID], w.rows[statement][v.Key]),
					fmt.Sprintf("'%s'!A%d", sourcesSheet, row), "Location"))
			}
		}
	}
}

func (w *workbook) documentName(id dossier.DocumentID) string {
	if name := w.names[id]; name != "" {
		return name
	}
	return string(id)
}
