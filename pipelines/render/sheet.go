package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread/layout"
)

// Sheets of the workbook, in order.
const (
	summarySheet     = "Summary"
	incomeSheet      = "Income statement"
	balanceSheet     = "Balance sheet"
	flowSheet        = "Cash flow"
	ucaSheet         = "UCA"
	ratiosSheet      = "Ratios"
	checksSheet      = "Checks"
	sourcesSheet     = "Sources"
	comparisonsSheet = "Comparisons"
)

var statementSheets = []struct{ statement, sheet, title string }{
	{"incomeStatement", incomeSheet, "Income statement"}, {"balanceSheet", balanceSheet, "Balance sheet"},
	{"cashFlow", flowSheet, "Cash flow"},
}

const headerRow = 5 // of every table; captions of columns

// workbook is a workbook while it is written. The first error is kept and ends the writing.
type workbook struct {
	f        *excelize.File
	template *layout.Template
	r        dossier.SpreadResults
	styles   map[string]int
	columns  map[string]map[string]string // statement -> period id -> column letter
	rows     map[string]map[string]int    // statement -> row key -> row
	source   map[string]int               // statement, period, key -> first row on Sources
	names    map[dossier.DocumentID]string
	extents  map[string]extent
	outcomes map[string]string // of formulas that give a word: the word they give now
	err      error
}

// Sheet writes the workbook of a spread: subtotals, totals, variances, annualized columns, derived cash flow, UCA and
// ratios are formulas, so that a changed input moves everything that rests on it. Text of documents is always text.
func Sheet(template *layout.Template, r dossier.SpreadResults) ([]byte, error) {
	w := &workbook{f: excelize.NewFile(), template: template, r: r, styles: map[string]int{},
		columns: map[string]map[string]string{},
		rows:    map[string]map[string]int{}, source: map[string]int{}, names: map[dossier.DocumentID]string{},
		extents: map[string]extent{}, outcomes: map[string]string{}}
	defer func() { _ = w.f.Close() }()
	w.prepare()
	w.sources()
	for _, s := range statementSheets {
		w.layout(s.statement)
	}
	for _, s := range statementSheets {
		w.statement(s.statement, s.sheet, s.title)
	}
	w.uca()
	w.ratios()
	w.checks()
	w.comparisons()
	w.completeness()
	w.trailing()
	w.adjustments()
	w.summary()
	w.printAreas()
	return w.bytes()
}

func (w *workbook) keepError(err error) {
	if w.err == nil {
		w.err = err
	}
}

// prepare makes the sheets, and fixes the times in the file to that of the results.
func (w *workbook) prepare() {
	for _, d := range w.r.Documents {
		w.names[d.DocumentID] = d.Filename
	}
	w.keepError(w.f.SetSheetName("Sheet1", summarySheet))
	for _, name := range []string{incomeSheet, balanceSheet, flowSheet, ucaSheet, ratiosSheet, checksSheet,
		sourcesSheet, comparisonsSheet} {
		_, err := w.f.NewSheet(name)
		w.keepError(err)
	}
	at := w.r.GeneratedAt
	w.keepError(w.f.SetDocProps(&excelize.DocProperties{Creator: "Dossier",
		Title: "Financial Spread - " + cmp.Or(w.r.EntityName, unnamed), Created: at, Modified: at}))
	auto := true
	w.keepError(w.f.SetCalcProps(&excelize.CalcPropsOptions{FullCalcOnLoad: &auto}))
}

// style makes a style once for each combination of words: bold, input, computed, money, pct, ratio, days, head, title,
// total, indent, wrap, note, adjusted.
func (w *workbook) style(words string) int {
	if id, ok := w.styles[words]; ok {
		return id
	}
	s := &excelize.Style{Font: &excelize.Font{Family: "Liberation Sans", Size: 10},
		Alignment: &excelize.Alignment{Vertical: "center"}}
	for word := range strings.FieldsSeq(words) {
		apply(s, word)
	}
	id, err := w.f.NewStyle(s)
	w.keepError(err)
	w.styles[words] = id
	return id
}

func apply(s *excelize.Style, word string) {
	format := func(code string) { s.CustomNumFmt = &code; s.Alignment.Horizontal = "right" }
	switch word {
	case "title":
		s.Font.Bold, s.Font.Size = true, 14
	case "bold":
		s.Font.Bold = true
	case "note":
		s.Font.Color = "606060"
	case "head":
		s.Font.Bold, s.Font.Color = true, "FFFFFF"
		s.Fill = excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"1F3A5F"}}
		s.Alignment.WrapText, s.Alignment.Horizontal = true, "center"
	case "section":
		s.Font.Bold = true
		s.Fill = excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"E8EDF3"}}
	case "input": // typed from a document, so blue as analysts expect
		s.Font.Color = "1F4FBF"
	case "adjusted": // by an analyst
		s.Fill = excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"FFF4CC"}}
	case "total":
		s.Font.Bold = true
		s.Border = []excelize.Border{{Type: "top", Color: "404040", Style: 1}}
	case "indent":
		s.Alignment.Indent, s.Alignment.Horizontal = 1, "left"
	case "wrap":
		s.Alignment.WrapText = true
	case "money":
		format(`#,##0.00_);(#,##0.00)`)
	case "starred":
		format(`#,##0.00" *"_);(#,##0.00)" *"`)
	case "unsure": // the figure stays for the formulas that rest on it
		const words = `"` + notReliable + `"_)`
		format(words + ";" + words + ";" + words)
	case "0.00x":
		format(`0.00"x"_);(0.00"x")`)
	case "0.0%":
		format(`0.0%_);(0.0%)`)
	case "0":
		format(`#,##0_);(#,##0)`)
	case "0.00":
		format(`0.00_)`)
	case "right": // of words among figures
		format(`@_)`)
	}
}

// text writes a text that is never taken for a formula.
func (w *workbook) text(sheet, cell, text, style string) {
	w.extendTo(sheet, cell)
	w.keepError(w.f.SetCellStr(sheet, cell, clean(text)))
	w.keepError(w.f.SetCellStyle(sheet, cell, cell, w.style(style)))
	if strings.Contains(style, "wrap") {
		w.fitHeight(sheet, cell, text)
	}
}

// fitHeight sets the height of a row for a wrapped text, which not every program does by itself.
func (w *workbook) fitHeight(sheet, cell, text string) {
	column, row, err := excelize.SplitCellName(cell)
	w.keepError(err)
	width, err := w.f.GetColWidth(sheet, column)
	w.keepError(err)
	now, err := w.f.GetRowHeight(sheet, row)
	w.keepError(err)
	if height := float64(2 + 13*linesOf(text, width)); height > now {
		w.keepError(w.f.SetRowHeight(sheet, row, height))
	}
}

// number writes a decimal as it is; no float is made of it.
func (w *workbook) number(sheet, cell, value, style string) {
	w.extendTo(sheet, cell)
	w.keepError(w.f.SetCellDefault(sheet, cell, value))
	w.keepError(w.f.SetCellStyle(sheet, cell, cell, w.style(style)))
}

// formula writes a formula with the value it has now, for viewers that do not calculate.
func (w *workbook) formula(sheet, cell, formula, value, style string) {
	w.number(sheet, cell, value, style)
	w.keepError(w.f.SetCellFormula(sheet, cell, formula))
}

// clean drops what XML cannot carry.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	if runes := []rune(text); len(runes) > 30000 {
		text = string(runes[:30000])
	}
	return text
}

func at(column string, row int) string { return fmt.Sprintf("%s%d", column, row) }

func letter(n int) string {
	name, _ := excelize.ColumnNumberToName(n)
	return name
}

// linesOf is how many lines a caption takes in a column so many digits wide.
func linesOf(caption string, width float64) int {
	lines := 0
	for paragraph := range strings.SplitSeq(caption, "\n") {
		lines++
		used := 0.0
		for _, word := range strings.Fields(paragraph) {
			wide := 1.05 * float64(len([]rune(word))+1)
			if used > 0 && used+wide > width {
				lines, used = lines+1, 0
			}
			for ; wide > width; wide -= width {
				lines++
			}
			used += wide
		}
	}
	return lines
}

// periodWidth is that of each of n columns of figures: as narrow as the longest figure lets it, when they are many.
func (w *workbook) periodWidth(n int) float64 {
	longest := 14
	for _, s := range statementSheets {
		for _, p := range w.r.Statements.Named(s.statement).Periods {
			for _, v := range p.Values {
				longest = max(longest, len(money(v.Value))+2)
			}
		}
	}
	return max(float64(longest), map[bool]float64{true: 26, false: 18}[n <= 4])
}

// noteAcross writes a note over the first columns of a row, as high as it needs.
func (w *workbook) noteAcross(sheet string, row, columns int, text, style string) {
	w.text(sheet, at("A", row), text, style)
	w.keepError(w.f.MergeCell(sheet, at("A", row), at(letter(columns), row)))
	room := 0.0
	for i := range columns {
		width, err := w.f.GetColWidth(sheet, letter(i+1))
		w.keepError(err)
		room += width
	}
	w.keepError(w.f.SetCellStyle(sheet, at("A", row), at("A", row), w.style(style+" wrap")))
	w.keepError(w.f.SetRowHeight(sheet, row, float64(2+13*linesOf(text, room))))
}

// head writes title, entity and captions, freezes them, and sets the page up.
func (w *workbook) head(sheet, title string, captions []string, widths []float64, frozen int) {
	w.text(sheet, "A1", title, "title")
	w.text(sheet, "A2", cmp.Or(w.r.EntityName, unnamed), "bold")
	w.text(sheet, "A3", "All amounts in "+w.r.Currency+". Negative amounts in parentheses.", "note")
	lines := 1
	empty := strings.Join(captions, "") == ""
	for i, caption := range captions {
		width := widths[min(i, len(widths)-1)]
		if !empty {
			w.text(sheet, at(letter(i+1), headerRow), caption, "head")
		}
		w.keepError(w.f.SetColWidth(sheet, letter(i+1), letter(i+1), width))
		lines = max(lines, linesOf(caption, width))
	}
	w.keepError(w.f.SetRowHeight(sheet, headerRow, float64(8+14*lines)))
	w.keepError(w.f.SetPanes(sheet, &excelize.Panes{Freeze: true, XSplit: frozen, YSplit: headerRow,
		TopLeftCell: at(letter(frozen+1), headerRow+1), ActivePane: "bottomRight"}))
	landscape, fit, one, high := "landscape", true, 1, 1
	if slices.Contains([]string{checksSheet, sourcesSheet, comparisonsSheet, adjustmentsSheet, completenessSheet},
		sheet) {
		high = 0 // as many pages as the list takes
	}
	w.keepError(w.f.SetPageLayout(sheet, &excelize.PageLayoutOptions{Orientation: &landscape,
		Size: new(paperOf(w.r.Currency).number), FitToWidth: &one, FitToHeight: &high}))
	w.keepError(w.f.SetSheetProps(sheet, &excelize.SheetPropsOptions{FitToPage: &fit}))
	w.keepError(w.f.SetHeaderFooter(sheet, &excelize.HeaderFooterOptions{OddFooter: "&L" + sheet + "&RPage &P of &N"}))
	hidden := false
	w.keepError(w.f.SetSheetView(sheet, 0, &excelize.ViewOptions{ShowGridLines: &hidden}))
}
