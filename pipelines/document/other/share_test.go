package other_test

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// The boxes of Part III stand in two columns right of Parts I and II: the number in the corner, the amount below the
// caption or at its right, with a code or without.
func TestTaxFormOther_share(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  map[string]any
	}{
		"partner": {[]string{
			"Schedule K-1|(Form 1065)||2021", "Department of the Treasury|Internal Revenue Service", "Partner's Share of Income, Deductions, Credits, etc.",
			"A Partnership's employer||1 Ordinary business|14 Self-employment earnings", "00-7654321||41,250|A 41,250",
			"B Partnership's name, address||2 Net rental real estate|15 Credits", "A, Tolliver and Brandt",
			"12 Weir Street||10 Net section 1231|19 Distributions", "|||A 9000", "F Name, address for partner entered in E||12 Section 179 deduction|20 Other information",
			"Imogen Castellane||(310)|A 77", "|||Z 88", "J Partner's share of profit, loss, and capital:", "Beginning|Ending", "Profit|40.000000 %|45.5 %", "Loss|40 %|50 %",
		}, map[string]any{
			"form": "1065 Schedule K-1", "entityName": "A, Tolliver and Brandt", "taxpayer": "Imogen Castellane", "ownershipPercent": "45.5", "distributions": "9000",
			"lines": map[string]any{"1": "41250", "12": "-310", "14": "41250", "19": "9000"},
		}},
		"shareholder": {[]string{
			"Schedule K-1|(Form 1120-S)||2020", "Department of the Treasury|Internal Revenue Service", "Shareholder's Share of Income, Deductions, Credits, etc.",
			"B Corporation's name, address||1 Ordinary business|13 Credits", "Fenwick Harbor Supply Inc||5230.5", "||4 Interest income|16 Items affecting shareholder", "||12|D 4000",
			"F1 Shareholder's name, address||7 Net short-term capital|17 Other information", "Rosalind Quist",
			"G Current year allocation percentage|37.5 %",
		}, map[string]any{
			"form": "1120-S Schedule K-1", "entityName": "Fenwick Harbor Supply Inc", "taxpayer": "Rosalind Quist", "ownershipPercent": "37.5", "distributions": "4000",
			"lines": map[string]any{"1": "5230.5", "4": "12", "16": "4000"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			e := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerText, Pages: []text.Page{documenttest.Page(c.lines...)}})
			readtest.WantFacts(t, e.Documents[0].Facts.Other, c.want)
		})
	}
}

// The number of a partner stands in the middle of its box, under a caption that goes on for the whole line.
func TestTaxFormOther_centredUnderItsCaption(t *testing.T) {
	p := documenttest.Page("Schedule K-1|(Form 1065)||2021", "Partner's Share of Income, Deductions, Credits, etc.",
		"E Partner's SSN or TIN (Do not use TIN of a disregarded entity. See instructions.)", "", "F Name, address for partner entered in E", "Imogen Castellane")
	p.Tokens = append(p.Tokens, text.Token{Page: 1, X0: 300, X1: 366, Y0: 62, Y1: 72, Text: "000-12-3456", Confidence: 1, Method: text.MethodText})
	e := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerText, Pages: []text.Page{p}})
	readtest.WantFacts(t, e.Documents[0].Facts.Other, map[string]any{"ssn": "000-12-3456"})
}

func TestInvoice_spanishNumberAndDate(t *testing.T) {
	doc := readtest.Lines(t, "FACTURA", "Ferreteria Las Lomas SA de CV", "Factura No.: A-20418||Fecha: 14/03/2023", "Descripcion|Cantidad|Importe", "Tornillos|10|$120.00", "Subtotal||$120.00", "IVA||$19.20", "Total||$139.20")
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"number": "A-20418", "date": "2023-03-14"})
}
