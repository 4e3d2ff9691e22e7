package render

import (
	"archive/zip"
	"bytes"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"

	"github.com/xuri/excelize/v2"
)

// extent is the last column and row of a sheet that hold something.
type extent struct{ column, row int }

// extendTo extends a sheet's used range to a cell.
func (w *workbook) extendTo(sheet, cell string) {
	column, row, err := excelize.CellNameToCoordinates(cell)
	w.keepError(err)
	e := w.extents[sheet]
	w.extents[sheet] = extent{max(e.column, column), max(e.row, row)}
}

// perPrint is how many columns of a workbook can be read on one printed page.
const perPrint = 11

// printAreas sets each sheet's print area to its used range. A sheet of many periods is printed on pages side by side,
// each of which repeats the captions of the rows.
func (w *workbook) printAreas() {
	for _, sheet := range w.f.GetSheetList() {
		e := w.extents[sheet]
		w.keepError(w.f.SetDefinedName(&excelize.DefinedName{Name: "_xlnm.Print_Area",
			RefersTo: fmt.Sprintf("'%s'!$A$1:$%s$%d", sheet, letter(e.column), e.row), Scope: sheet}))
		pages := (e.column + perPrint - 1) / perPrint
		if sheet == summarySheet {
			pages = 1 // its notes run over the columns
		}
		titles := fmt.Sprintf("'%s'!$%d:$%d", sheet, headerRow, headerRow)
		if pages > 1 {
			w.keepError(w.f.SetPageLayout(sheet, &excelize.PageLayoutOptions{FitToWidth: &pages}))
			titles = fmt.Sprintf("'%s'!$A:$A,%s", sheet, titles)
		}
		w.keepError(w.f.SetDefinedName(&excelize.DefinedName{Name: "_xlnm.Print_Titles", RefersTo: titles,
			Scope: sheet}))
	}
}

// bytes writes the file.
func (w *workbook) bytes() ([]byte, error) {
	if w.err != nil {
		return nil, w.err
	}
	var out bytes.Buffer
	if err := w.f.Write(&out); err != nil {
		return nil, err
	}
	return typed(out.Bytes(), w.outcomes)
}

var (
	numeric = regexp.MustCompile(` t="str"><f>([^<]*)</f><v>(-?[0-9.]+)</v>`)
	worded  = regexp.MustCompile(`<f>([^<]*)</f></c>`)
)

// typed marks the values cached beside formulas as numbers, and adds those that are words, by formula. excelize writes
// every cached value as text, and a viewer that does not calculate, or a program that reads the values, would take it
// for text.
func typed(data []byte, words map[string]string) ([]byte, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, file := range archive.File {
		if !strings.HasPrefix(file.Name, "xl/worksheets/sheet") {
			if err := w.Copy(file); err != nil {
				return nil, err
			}
			continue
		}
		content, err := file.Open()
		if err != nil {
			return nil, err
		}
		sheet, err := io.ReadAll(content)
		if err != nil {
			return nil, err
		}
		to, err := w.Create(file.Name)
		if err != nil {
			return nil, err
		}
		sheet = numeric.ReplaceAll(sheet, []byte(`><f>$1</f><v>$2</v>`))
		sheet = worded.ReplaceAllFunc(sheet, func(cell []byte) []byte {
			formula := html.UnescapeString(string(worded.FindSubmatch(cell)[1]))
			return bytes.Replace(cell, []byte("</c>"), []byte("<v>"+words[formula]+"</v></c>"), 1)
		})
		if _, err := to.Write(sheet); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return out.Bytes(), err
}
