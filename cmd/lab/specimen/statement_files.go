package specimen

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
)

// dateOfISO reads back a date this package wrote.
func dateOfISO(s string) time.Time {
	t, err := time.Parse("2006-01-02", s)
	if err != nil {
		panic(err) // only called with dates made by iso
	}
	return t
}

// workbook writes a sheet for each statement, figures as numbers with a number format.
func workbook(r report, l statementLayout) []byte {
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	must := func(err error) {
		if err != nil {
			panic(err) // cells and sheet names here are valid by construction
		}
	}
	must(f.SetDocProps(&excelize.DocProperties{Created: "2024-01-02T03:04:05Z", Modified: "2024-01-02T03:04:05Z",
		Creator: "Ledger Reports"}))
	names := map[string]string{"incomeStatement": "Profit and Loss", "balanceSheet": "Balance Sheet",
		"cashFlow": "Cash Flow"}
	format := "#,##0.00;-#,##0.00"
	if !l.shape.cents {
		format = "#,##0;(#,##0)"
	}
	number, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format})
	must(err)
	bold, err := f.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	must(err)
	for i, s := range r.sections {
		name := names[s.kind]
		if i == 0 {
			must(f.SetSheetName("Sheet1", name))
		} else {
			_, err := f.NewSheet(name)
			must(err)
		}
		must(fillSheet(f, name, r, s, number, bold))
	}
	var b bytes.Buffer
	must(f.Write(&b))
	return b.Bytes()
}

func fillSheet(f *excelize.File, name string, r report, s reportSection, number, bold int) error {
	if err := f.SetColWidth(name, "A", "A", 44); err != nil {
		return err
	}
	last, _ := excelize.CoordinatesToCellName(len(s.columns)+1, 1)
	if err := f.MergeCell(name, "A1", last); err != nil {
		return err
	}
	row := 1
	for _, t := range append([]string{r.entity}, s.titles...) {
		if err := f.SetCellStr(name, fmt.Sprintf("A%d", row), t); err != nil {
			return err
		}
		row++
	}
	if err := f.SetCellStyle(name, "A1", "A1", bold); err != nil {
		return err
	}
	row++
	for i, c := range s.columns {
		cell, _ := excelize.CoordinatesToCellName(i+2, row)
		if err := f.SetCellStr(name, cell, c.Label); err != nil {
			return err
		}
	}
	for _, line := range s.rows {
		row++
		if err := fillRow(f, name, row, line, number); err != nil {
			return err
		}
	}
	if r.basis != "" {
		return f.SetCellStr(name, fmt.Sprintf("A%d", row+3), strings.ToUpper(r.basis[:1])+r.basis[1:]+" Basis")
	}
	return nil
}

func fillRow(f *excelize.File, name string, row int, line reportRow, number int) error {
	if err := f.SetCellStr(name, fmt.Sprintf("A%d", row), strings.Repeat("   ", line.level)+line.caption); err != nil {
		return err
	}
	for i, v := range line.values {
		if v == 0 {
			continue
		}
		if line.flip {
			v = -v
		}
		cell, _ := excelize.CoordinatesToCellName(i+2, row)
		value, _ := v.amount().Float64() // a workbook cell is a float, in every workbook
		if err := f.SetCellFloat(name, cell, value, 2, 64); err != nil {
			return err
		}
		if err := f.SetCellStyle(name, cell, cell, number); err != nil {
			return err
		}
	}
	return nil
}

// csvReport writes one statement as an accounting program exports it.
func csvReport(r report, l statementLayout) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	s := r.sections[0]
	blank := make([]string, len(s.columns))
	line := func(first string, rest []string) {
		_ = w.Write(append([]string{first},
			rest...))
	} // a bytes.Buffer takes everything
	line(r.entity, blank)
	for _, t := range s.titles {
		line(t, blank)
	}
	line("", blank)
	var labels []string
	for _, c := range s.columns {
		labels = append(labels, c.Label)
	}
	line("", labels)
	for _, row := range s.rows {
		cells := append([]string{}, blank...)
		for i, v := range row.values {
			if row.flip {
				v = -v
			}
			if v != 0 {
				cells[i] = l.notation.print(v)
			}
		}
		line(strings.Repeat("  ", row.level)+row.caption, cells)
	}
	line("", blank)
	if r.basis != "" {
		line(strings.ToUpper(r.basis[:1])+r.basis[1:]+" Basis", blank)
	}
	w.Flush()
	return b.Bytes()
}
