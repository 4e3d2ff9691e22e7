package text_test

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

func word(s string) bool { return !strings.ContainsAny(s, "0123456789") }

// A captioned value stands beside its caption or below it; another caption's value is not taken.
func TestFieldFinder_Find(t *testing.T) {
	t.Parallel()
	name := text.Field{Captions: []string{"name"}, Accept: text.AcceptText(4, word)}
	for title, c := range map[string]struct {
		lines []string
		field text.Field
		want  string
	}{
		"beside":             {[]string{"Name|Rosa Quill"}, name, "Rosa Quill"},
		"behind a colon":     {[]string{"Name: Rosa Quill"}, name, "Rosa Quill"},
		"below":              {[]string{"Name|Date", "Rosa Quill|12/31/2024"}, with(name, func(f *text.Field) { f.Below = true }), "Rosa Quill"},
		"below a lone one":   {[]string{"Name", "Rosa Quill"}, name, "Rosa Quill"},
		"too far below":      {[]string{"Name", "", "", "", "", "Rosa Quill"}, name, ""},
		"deep":               {[]string{"Name", "", "", "", "", "Rosa Quill"}, with(name, func(f *text.Field) { f.Deep = true }), "Rosa Quill"},
		"beside only":        {[]string{"Name", "Rosa Quill"}, with(name, func(f *text.Field) { f.Beside = true }), ""},
		"part of a phrase":   {[]string{"Trade name of business|Rosa Quill"}, with(name, func(f *text.Field) { f.Whole = true }), ""},
		"a box's number":     {[]string{"3. Name|Rosa Quill"}, with(name, func(f *text.Field) { f.Whole = true }), "Rosa Quill"},
		"not at its begin":   {[]string{"Trade name|Rosa Quill"}, with(name, func(f *text.Field) { f.Begins = true }), ""},
		"another caption":    {[]string{"Name previous|Rosa Quill"}, with(name, func(f *text.Field) { f.Not = text.WordSet("previous") }), ""},
		"no acceptable one":  {[]string{"Name|12345"}, name, ""},
		"too many words":     {[]string{"Name|as it stands on your card"}, name, ""},
		"captions in order":  {[]string{"Name|Rosa Quill", "Full name|Ada Quill"}, text.Field{Captions: []string{"full name", "name"}, Accept: name.Accept}, "Ada Quill"},
		"the second may fit": {[]string{"Name|777", "Name|Rosa Quill"}, with(name, func(f *text.Field) { f.Beside = true }), "Rosa Quill"},
		"no caption at all":  {[]string{"Surname|Rosa Quill"}, name, ""},
	} {
		f := text.NewFieldFinder(text.Lines(documenttest.Page(c.lines...)))
		got, tokens, ok := f.Find(c.field)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, %v, want %q", title, got, ok, c.want)
		}
		if ok && text.Join(tokens) != c.want {
			t.Errorf("%s: said to stand at %q", title, text.Join(tokens))
		}
	}
}

func with(f text.Field, change func(*text.Field)) text.Field {
	change(&f)
	return f
}

// Of several copies of a form the value that most agree on counts, the first of equals.
func TestFieldFinder_FindMost(t *testing.T) {
	t.Parallel()
	for want, values := range map[string][]string{"Rosa": {"Rasa", "Rosa", "Rosa"}, "Ada": {"Ada", "Eda"}, "": {}} {
		var lines []string
		for _, v := range values {
			lines = append(lines, "Name|"+v)
		}
		f := text.NewFieldFinder(text.Lines(documenttest.Page(lines...)))
		if got, _, _ := f.FindMost(text.Field{Captions: []string{"name"}, Accept: text.AcceptText(2, word)}); got != want {
			t.Errorf("of %v: %q", values, got)
		}
	}
}

// scannedPage is a page as OCR gives it.
func scannedPage(lines ...string) text.Page {
	p := documenttest.Page(lines...)
	for i := range p.Tokens {
		p.Tokens[i].Method = text.MethodOCR
	}
	return p
}

// A caption that OCR misread in one letter is still one, but not when it then names the other party.
func TestFieldFinder_misread(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		page          text.Page
		caption, want string
		loose         bool
	}{
		{scannedPage("Sumame|Quill"), "surname", "", true}, // two letters made one
		{scannedPage("Surmame|Quill"), "surname", "Quill", true},
		{scannedPage("Surmame|Quill"), "surname", "", false},
		{documenttest.Page("Surmame|Quill"), "surname", "", true},
		{scannedPage("Employee|Quill"), "employer", "", true},
		{scannedPage("Nane|Quill"), "name", "", true}, // too short to be sure
		{scannedPage("Employer 's name|Quill"), "employers name", "Quill", false},
	} {
		f := text.NewFieldFinder(text.Lines(c.page))
		f.Loose = c.loose
		if got, _, _ := f.Find(text.Field{Captions: []string{c.caption}, Accept: text.AcceptText(2, word)}); got != c.want {
			t.Errorf("%s: %q, want %q", text.Lines(c.page)[0].Text(), got, c.want)
		}
	}
}

// Captions in two languages have their value below the first of them.
func TestFieldFinder_twins(t *testing.T) {
	t.Parallel()
	f := text.NewFieldFinder(text.Lines(documenttest.Page("Nom / Surname", "Quill")))
	f.Twins = true
	if got, _, _ := f.Find(text.Field{Captions: []string{"surname"}, Accept: text.AcceptText(2, word), Below: true}); got != "Quill" {
		t.Errorf("below twins: %q", got)
	}
	f = text.NewFieldFinder(text.Lines(documenttest.Page("Surname/Nom|Quill")))
	if got, _, _ := f.Find(text.Field{Captions: []string{"surname"}, Accept: text.AcceptText(2, word)}); got != "" {
		t.Errorf("without twins: %q", got)
	}
	f.Twins = true
	if got, _, _ := f.Find(text.Field{Captions: []string{"surname"}, Accept: text.AcceptText(2, word)}); got != "Quill" {
		t.Errorf("with twins: %q", got)
	}
}

// A value that is glued to its caption is read; the figure of a date is no field's number.
func TestFieldFinder_glued(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, caption, want string }{
		{"DOB03/23/1988", "dob", "1988-03-23"}, {"EXP:03/23/2026", "exp", "2026-03-23"}, {"30.01.2024", "3", ""},
		{"DOBSON|03/23/1988", "dob", ""},
	} {
		f := text.NewFieldFinder(text.Lines(documenttest.Page(c.line)))
		got, _, _ := f.Find(text.Field{Captions: []string{c.caption}, Accept: text.AcceptDate(text.MonthFirst), Beside: true})
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
	}
}

// A value in the middle below a wide caption begins further left or right than it.
func TestFieldFinder_centred(t *testing.T) {
	t.Parallel()
	p := documenttest.Page("Total", "1,204,533.50")
	for i := range p.Tokens[:1] {
		p.Tokens[i].X0, p.Tokens[i].X1 = p.Tokens[i].X0+20, p.Tokens[i].X1+20
	}
	field := text.Field{Captions: []string{"total"}, Accept: text.AcceptMoney(text.DotDecimal)}
	for want, centred := range map[string]bool{"": false, "1204533.50": true} {
		field.Centred = centred
		if got, _, _ := text.NewFieldFinder(text.Lines(p)).Find(field); got != want {
			t.Errorf("centred %v: %q, want %q", centred, got, want)
		}
	}
}

func TestAccept(t *testing.T) {
	t.Parallel()
	number := func(s string) bool { return len(s) >= 6 && text.HasDigits(s, 5) }
	for _, c := range []struct {
		line   string
		accept func([]text.Token) (string, []text.Token, bool)
		want   string
	}{
		{"$ 1,204.50 paid", text.AcceptMoney(text.DotDecimal), "1204.50"},
		{"of 2024", text.AcceptMoney(text.DotDecimal), ""},
		{"5.00% 12", text.AcceptMoney(text.DotDecimal), ""},
		{"one two three four 12.00", text.AcceptMoney(text.DotDecimal), ""}, // too far
		{"F4531 23456", text.AcceptJoined(number), "F4531 23456"},
		{"F4531 - 23456", text.AcceptJoined(number), "F4531 - 23456"},
		{"DL 12345678", text.AcceptJoined(number), "12345678"},
		{"123456789 9 CLASS D", text.AcceptJoined(number), "123456789"},
		{"14 11 1969", text.AcceptJoined(number), ""}, // a date
		{"NONE", text.AcceptJoined(number), ""},
		{"#123456.", text.AcceptToken(number), "123456"},
		{":", text.AcceptToken(number), ""},
		{": Rosa Quill", text.AcceptText(3, word), "Rosa Quill"},
		{": -", text.AcceptText(3, word), ""},
		{"12/31/2024 then", text.AcceptDate(text.MonthFirst), "2024-12-31"},
		{"3/31 then", text.AcceptDate(text.MonthFirst), ""},
	} {
		if got, _, ok := c.accept(documenttest.Line(c.line).Tokens); got != c.want && ok || ok != (c.want != "") {
			t.Errorf("%q: %q, %v, want %q", c.line, got, ok, c.want)
		}
	}
	unsure := documenttest.Line("Rosa Quill").Tokens
	for i := range unsure {
		unsure[i].Confidence = 0.6
	}
	if got, _, ok := text.AcceptText(3, word)(unsure); ok {
		t.Errorf("%q was read unsurely and taken", got)
	}
	if got, _, ok := text.AcceptText(3, word)(nil); ok {
		t.Errorf("%q of nothing", got)
	}
}
