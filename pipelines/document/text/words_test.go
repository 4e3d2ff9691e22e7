package text

import (
	"reflect"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
)

// Cards' codes give the elements that facts are made of, once each, and nothing of another code.
func TestCardElements(t *testing.T) {
	t.Parallel()
	head := "@\n\x1e\rANSI 636001070002DL00410392ZN04330047DL"
	for name, c := range map[string]struct{ code, want string }{
		"a licence":           {head + "DAQD1234567\nDCSQUILL\nDACROSA\nDBB03231988\nZZAsecret\n", "IIN=636001 kind=DL DAQ=D1234567 DCS=QUILL DAC=ROSA DBB=03231988"},
		"an identity card":    {"@ANSI 636001070001ID00410392IDDAQ99\rDCSQUILL\r", "IIN=636001 kind=ID DAQ=99 DCS=QUILL"},
		"of the older kind":   {"@AAMVA636001DLDAQ99\nDCSQUILL\n", "IIN=636001 kind=DL DAQ=99 DCS=QUILL"},
		"twice the same":      {head + "DAQ1\nDAQ2\nDCSQUILL\n", "IIN=636001 kind=DL DAQ=1 DCS=QUILL"},
		"blanks":              {head + "DAQ  12   34 \nDCSQUILL\nDAC \n", "IIN=636001 kind=DL DAQ=12 34 DCS=QUILL"},
		"too long a value":    {head + "DAQ1\nDCSQUILL\nDAG" + strings.Repeat("A", 81) + "\n", "IIN=636001 kind=DL DAQ=1 DCS=QUILL"},
		"a parcel's code":     {"1Z999AA10123456784", ""},
		"no elements":         {head, ""},
		"one alone":           {head + "DAQ1\n", ""},
		"the head far inside": {strings.Repeat("x", 20) + head + "DAQ1\nDCSQUILL\n", ""},
		"nothing":             {"", ""},
	} {
		var got []string
		for _, e := range CardElements(c.code) {
			got = append(got, e.Name+"="+e.Text)
		}
		if all := strings.Join(got, " "); all != c.want {
			t.Errorf("%s: %s, want %s", name, all, c.want)
		}
	}
	hostile := head
	for a := 'A'; a <= 'Z'; a++ {
		hostile += strings.Repeat("DA"+string(a)+"1\n", 100)
	}
	if n := len(CardElements(hostile)); n > mostElements {
		t.Errorf("%d elements of a hostile code", n)
	}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b  string
		wrong int
		want  bool
	}{{"quill", "quill", 0, true}, {"quill", "qu1ll", 1, true}, {"quill", "qull", 1, true}, {"quill", "quilll", 1, true},
		{"quill", "qu1l1", 1, false}, {"quill", "qu1l1", 2, true}, {"", "ab", 2, true}, {"", "ab", 1, false}, {"ab", "ba", 0, false}} {
		if got := Within(c.a, c.b, c.wrong); got != c.want {
			t.Errorf("%s, %s by %d: %v", c.a, c.b, c.wrong, got)
		}
		if got := Within(c.b, c.a, c.wrong); got != c.want {
			t.Errorf("%s, %s by %d: %v", c.b, c.a, c.wrong, got)
		}
	}
}

func TestWordy(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]bool{"Total": true, "12.50": false, "12.50 CR": false, "USD 12": false, "EUR": true,
		"(12)": false, "12a b": true, "—": false, "": false} {
		if got := Wordy(printed); got != want {
			t.Errorf("%q: %v, want %v", printed, got, want)
		}
	}
	if !StartsWithDigit("1a") || StartsWithDigit("a1") || StartsWithDigit("") {
		t.Error("a digit at the start")
	}
	if !HasDigits("a1b2", 2) || HasDigits("a1b2", 3) {
		t.Error("digits are not counted")
	}
}

// Captions are compared without accents, signs and ligatures; letters of other scripts stay.
func TestFold(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{"  Net  income (loss) ": "net income loss", "Crédit d’impôt": "credit dimpot",
		"oﬃce": "office", "P&L %": "p&l %", "ﾐｽﾞﾎ": "ミスホ", "Ｔｏｔａｌ": "total", "مجموع": "مجموع", "---": "", "½ year": "1 2 year"} {
		if got := Fold(printed); got != want {
			t.Errorf("%q: %q, want %q", printed, got, want)
		}
	}
	for _, c := range []struct {
		text, phrase string
		want         bool
	}{{"net income", "income", true}, {"net incomes", "income", false}, {"net income", "net income", true},
		{"unincome income", "income", true}, {"", "income", false}} {
		if got := HasWords(c.text, c.phrase); got != c.want {
			t.Errorf("%q in %q: %v", c.phrase, c.text, got)
		}
	}
}

// The amounts of a line are about what stands before the first of them.
func TestLine_Caption(t *testing.T) {
	t.Parallel()
	for want, l := range map[string]Line{
		"total revenue": words("Total", "revenue", 80, "1,204.50", 40, "900.00"),
		"line 1a":       words("Line", "1a", 80, "1,204.50"),
		"fees":          words("Fees", 80, "—"),
		"12 employees":  words("12", "employees"),
	} {
		if got := l.Caption(DotDecimal); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	l := words("a", "*", "b", "c", "$")
	if got := l.Words(1, 5); got != "b c" {
		t.Errorf("words %q", got)
	}
	if got := l.Words(3, 3); got != "" {
		t.Errorf("no words %q", got)
	}
}

// The words of a page come in lines, whatever their order in the file; a superscript stays on its line, small print
// beside a title does not.
func TestLines_order(t *testing.T) {
	t.Parallel()
	at := func(s string, x, y, height float64) Token {
		return Token{Page: 1, Text: s, X0: x, X1: x + 20, Y0: y, Y1: y + height, Method: MethodText, Confidence: 1}
	}
	p := Page{Number: 1, Layer: LayerText, Tokens: []Token{at("d", 40, 30, 10), at("b", 40, 10, 10), at("a", 10, 10, 10),
		at("c", 10, 30, 10), at("1", 62, 12, 4)}}
	var got []string
	for _, l := range Lines(p) {
		got = append(got, l.Text())
	}
	if all := strings.Join(got, " | "); all != "a b 1 | c d" {
		t.Errorf("lines %s", all)
	}
	if got := Lines(Page{}); got != nil {
		t.Errorf("of an empty page: %v", got)
	}
}

// A gap that is wider than a blank parts cells; OCR's boxes are as high as the ink, so its blanks are wider.
func TestLine_Cells(t *testing.T) {
	t.Parallel()
	texts := func(l Line) string {
		var all []string
		for _, c := range l.Cells() {
			all = append(all, c.Text())
		}
		return strings.Join(all, "|")
	}
	for want, l := range map[string]Line{
		"Total revenue|12.50": words("Total", "revenue", 40, "12.50"),
		"Total 12.50":         scanned(words("Total", 12, "12.50")),
		"Totals|12.50":        words("Totals", 12, "12.50"),
		"a b":                 words("a", "b"),
		"":                    {},
	} {
		if got := texts(l); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	l := words("a", "b")
	l.Tokens[0].Cell, l.Tokens[1].Cell = "S!A1", "S!B1"
	if got := texts(l); got != "a|b" {
		t.Errorf("of a workbook: %q", got)
	}
	if sure := func() Line {
		l := scanned(words("a", "b"))
		l.Tokens[1].Confidence = 0.3
		return l.Surely()
	}(); sure.Text() != "a" {
		t.Errorf("surely %q", sure.Text())
	}
}

func TestColumnNear(t *testing.T) {
	t.Parallel()
	columns := []Column{{Right: 100}, {Right: 150}, {Right: 300}}
	for right, want := range map[float64]int{101: 0, 148: 1, 126: 1, 124: 0, 200: -1, 0: -1, 330: 2} {
		if got := ColumnNear(columns, right, 30); got != want {
			t.Errorf("%v: column %d, want %d", right, got, want)
		}
	}
}

// A fact is said to stand where its tokens do: in a workbook in the cell that says most, else in a box around them.
func TestSourceOf(t *testing.T) {
	t.Parallel()
	if got := SourceOf(nil, "x"); !reflect.DeepEqual(got, dossier.Source{}) {
		t.Errorf("of nothing: %+v", got)
	}
	tokens := words("Total", 40, "12.50").Tokens
	tokens[0].Confidence = 0.7
	if got := SourceOf(tokens, "Total"); got.Confidence != 0.7 || got.Text != "Total 12.50" || got.Page != 1 ||
		!reflect.DeepEqual(got.Box, []float64{0, 100, 103, 110}) {
		t.Errorf("of text: %+v", got)
	}
	for i, cell := range []string{"S!A1", "S!B1"} {
		tokens[i].Cell, tokens[i].Method = cell, MethodCell
	}
	if got := SourceOf(tokens, "Total"); got.Box != "S!B1" || got.Text != "12.50" || got.Confidence != 1 {
		t.Errorf("of cells: %+v", got)
	}
}

// What stands behind, beside or below a caption is its value; what stands far off is another's.
func TestValueOf(t *testing.T) {
	t.Parallel()
	below := words("778899")
	below.Tokens[0].Y0, below.Tokens[0].Y1, below.Y0, below.Y1 = 115, 125, 115, 125
	head := words("Account", "number:")
	head.Y0, head.Y1 = 100, 110
	far := words("Account", "number:", 600, "778899")
	far.Y0, far.Y1 = 100, 110
	distant := below
	distant.Y0, distant.Y1 = 300, 310
	next := below
	next.Page = 2
	for name, c := range map[string]struct {
		lines []Line
		want  string
	}{
		"beside":          {[]Line{words("Account", "number:", 40, "778899")}, "778899"},
		"in its cell":     {[]Line{words("Account", "number:", "778899")}, "778899"},
		"below":           {[]Line{head, below}, "778899"},
		"far to the side": {[]Line{far}, ""},
		"far below":       {[]Line{head, distant}, ""},
		"on a next page":  {[]Line{head, next}, ""},
	} {
		if got := Join(ValueOf(c.lines, 0, len("Account number"))); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if n, ok := IBANOn(words("IBAN", 40, "DE89", "3704", "0044", "0532", "0130", "00", 60, "BIC"), 3); !ok || n.Text != "DE89 3704 0044 0532 0130 00" || n.Line != 3 {
		t.Errorf("%+v %v", n, ok)
	}
	if n, ok := IBANOn(words("DE89", 40, "3704", 40, "0044"), 0); ok {
		t.Errorf("of several cells: %+v", n)
	}
}

// Tokens that are kept come back whole, codes of bars too; damage is told and never a crash.
func TestDecodeTokens(t *testing.T) {
	t.Parallel()
	file := Decoded{MimeType: "application/pdf", PageCount: 1, Layer: LayerScanned, Pages: []Page{{Number: 1, Width: 612, Height: 792,
		Layer: LayerScanned, Tokens: []Token{{Page: 1, X1: 9, Y1: 5, Text: "a", Confidence: 0.5, Method: MethodOCR},
			{Page: 1, X0: 12, X1: 19, Y1: 5, Text: "b", Confidence: 1, Method: MethodText}},
		Codes: []Coded{{Name: "DAQ", Token: Token{Page: 1, X1: 5, Y1: 5, Text: "D1", Confidence: 1, Method: MethodBarcode}}}}}}
	kept, err := EncodeTokens(file)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := DecodeTokens(kept); err != nil || !reflect.DeepEqual(got, file) {
		t.Errorf("%+v, %v, want %+v", got, err, file)
	}
	for i := range kept {
		damaged := append([]byte{}, kept...)
		damaged[i] ^= 0x55
		if got, err := DecodeTokens(damaged); err == nil && got.PageCount > 1<<20 {
			t.Errorf("byte %d changed: %d pages", i, got.PageCount)
		}
		if _, err := DecodeTokens(kept[:i]); err == nil {
			t.Errorf("cut at %d: no error", i)
		}
	}
	for name, k := range map[string]keptPage{"a box too few": {Texts: []string{"a"}, Methods: []string{"ocr"}}, "methods": {Texts: []string{"a", "b", "c"},
		Boxes: make([][5]float64, 3), Methods: []string{"ocr", "ocr"}}, "cells": {Texts: []string{"a"}, Boxes: make([][5]float64, 1),
		Methods: []string{"ocr"}, Cells: []string{}}} {
		if _, err := k.page(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestSizesOf(t *testing.T) {
	t.Parallel()
	cell := []Token{{Method: MethodCell}}
	for _, c := range []struct {
		page  Page
		unit  dossier.PageUnit
		width float64
	}{{Page{Number: 1, Width: 612.004, Layer: LayerText}, dossier.UnitPoint, 612},
		{Page{Number: 2, Width: 1700, Layer: LayerImage}, dossier.UnitPixel, 1700},
		{Page{Number: 3, Width: 50, Layer: LayerNative, Name: "Sheet1"}, dossier.UnitCell, 5},
		{Page{Number: 4, Width: 50, Layer: LayerNative, Tokens: cell}, dossier.UnitCell, 5},
		{Page{Number: 5, Width: 50, Layer: LayerNative}, dossier.UnitPoint, 50}} {
		if got := SizesOf([]Page{c.page})[0]; got.Unit != c.unit || got.Width != c.width || got.Page != c.page.Number {
			t.Errorf("page %d: %+v", c.page.Number, got)
		}
	}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	var f Findings
	f.From("/a", nil, "")
	f.From("/a", words("12.50").Tokens, "A")
	f.Derive("/b", "a + 1")
	f.Check("sum", true, "%d rows", 3)
	f.Warn("odd", "row %d", 1)
	f.Warn("odd", "row %d", 1)
	f.Warn("odd", "row %d", 2)
	if len(f.Sources) != 1 || f.Sources["/a"].Caption != "A" || f.Derived["/b"] != "a + 1" || len(f.Warnings) != 2 ||
		f.Checks[0] != (dossier.FactCheck{Name: "sum", Passed: true, Detail: "3 rows"}) {
		t.Errorf("%+v", f)
	}
	if got := Pointer("lines", "1a/b~", 3); got != "/lines/1a~1b~0/3" {
		t.Errorf("pointer %s", got)
	}
}
