package render

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/spread"
)

// A spread of 12 periods from 40 documents, with names and captions of 80 characters and letters of other alphabets:
// every text of the results can be found in the report, no word leaves its page or lies on another, every page of a
// table repeats its heading, and the bookmarks lead to the sections. Both papers.
func TestReport_is_whole(t *testing.T) {
	for currency, page := range map[string][2]float64{"USD": {792, 612}, "EUR": {841.89, 595.28}} {
		t.Run(currency, func(t *testing.T) {
			r := widest(t)
			r.Currency = currency
			data := reportOf(t, r)
			found := squeezed(textOf(t, data, "-raw"))
			for _, want := range everyText(r) {
				if !strings.Contains(found, squeezed(want)) {
					t.Errorf("the report lacks %q", want)
				}
			}
			for i, p := range pagesOf(t, data) {
				if math.Abs(p.Width-page[0]) > 0.1 || math.Abs(p.Height-page[1]) > 0.1 {
					t.Errorf("page %d is %v x %v points, want %v", i+1, p.Width, p.Height, page)
				}
				p.check(t, i+1)
			}
			headings := map[string]string{"Source references": "Row Period Amount Document Page Caption Printed Conf.", "Checks and warnings": "What", "Ratios": "Formula", "Income statement": currency}
			for i, text := range strings.Split(textOf(t, data, "-raw"), "\f") {
				title, rest, _ := strings.Cut(text, "\n")
				heading, table := headings[title]
				if table && !strings.Contains(strings.Join(strings.Fields(rest), " "), heading) {
					t.Errorf("page %d of %s does not repeat the heading %q", i+1, title, heading)
				}
			}
		})
	}
}

// TestReport_pages_are_full_and_numbered: every page has words of its own and its number, however full the one before is.
func TestReport_pages_are_full_and_numbered(t *testing.T) {
	for rows := range 24 {
		r := spreadOf(t, specimen.ManySources(2, 3, false))
		for i := range 20 + rows {
			r.Unmapped = append(r.Unmapped, dossier.SpreadUnmapped{Statement: "incomeStatement", Caption: fmt.Sprintf("Caption %d", i)})
		}
		pages := strings.Split(strings.TrimSuffix(textOf(t, reportOf(t, r), "-layout"), "\f"), "\f")
		for i, page := range pages {
			if want := fmt.Sprintf("Page %d of %d", i+1, len(pages)); !strings.Contains(page, want) || len(strings.Fields(page)) < 12 {
				t.Errorf("%d captions: page %d lacks %q, or has nothing else: %.60q", 20+rows, i+1, want, page)
			}
		}
	}
}

// widest is the spread with the most periods and documents, and the longest texts.
func widest(t *testing.T) dossier.SpreadResults {
	t.Helper()
	r := spreadOf(t, specimen.ManySources(8, 40, true))
	if n := len(r.Ratios); n < 12 {
		t.Fatalf("%d periods, want 12 and more", n)
	}
	r.EntityName = "Łódź Πέτρος Żółkiewski & Сыновья Größenwahn Überlandwerke Aktiengesellschaft, naïve façade"
	for _, s := range statementSheets {
		for i := range r.Statements.Named(s.statement).Periods {
			p := &r.Statements.Named(s.statement).Periods[i]
			p.Label += " (restated for the change of accounting for leases; unaudited)"
			for j := range p.Values {
				for k := range p.Values[j].Sources {
					source := &p.Values[j].Sources[k]
					source.Caption = fmt.Sprintf("%-60.60s%020d", strings.Repeat(source.Caption+" WAREHOUSE ", 8), k)
				}
			}
		}
	}
	for i := range r.Documents {
		r.Documents[i].Filename = fmt.Sprintf("Steuererklärung_und_Jahresabschluss_mit_allen_Anlagen_WWWWWWWWWWWWWWW_final_%03d.pdf", i)
	}
	return r
}

// everyText lists what a reader must find: names, periods, figures, captions, ratios, checks, warnings, comparisons.
func everyText(r dossier.SpreadResults) []string {
	all := []string{r.EntityName, string(r.SpreadID), dayText(r.GeneratedAt)}
	for _, s := range statementSheets {
		for _, p := range r.Statements.Named(s.statement).Periods {
			all = append(all, periodCaption(s.statement, p))
			for _, v := range p.Values {
				shown := money(v.Value)
				if v.Doubtful() {
					shown = notReliable
				}
				all = append(all, v.Label, shown)
				for _, source := range v.Sources {
					if !v.Computed {
						all = append(all, source.Caption, source.Text)
					}
				}
			}
		}
	}
	for _, x := range r.Ratios {
		for i, v := range x.Values {
			all = append(all, v.Label, formulaText(spread.Template(), spread.Template().Ratios[i].Formula))
			if v.Value != nil {
				all = append(all, formatted(v))
			}
		}
	}
	for _, u := range r.UCA {
		for _, v := range u.Values {
			all = append(all, v.Label, ucaText(u, v.Key))
		}
	}
	for _, x := range r.Trailing {
		all = append(all, x.Start+" to "+x.End)
		for _, v := range x.Values {
			if !v.Doubtful() {
				all = append(all, money(v.Value))
			}
		}
	}
	for _, c := range r.Checks {
		all = append(all, c.Detail, money(c.Value))
	}
	for _, w := range r.Warnings {
		all = append(all, w.Detail)
	}
	for _, d := range r.Documents {
		all = append(all, d.Filename)
	}
	return all
}

func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

// pdfPage is a page with its words, in points from the top left.
type pdfPage struct {
	Width  float64 `xml:"width,attr"`
	Height float64 `xml:"height,attr"`
	Words  []struct {
		Left   float64 `xml:"xMin,attr"`
		Top    float64 `xml:"yMin,attr"`
		Right  float64 `xml:"xMax,attr"`
		Bottom float64 `xml:"yMax,attr"`
		Text   string  `xml:",chardata"`
	} `xml:"word"`
}

func pagesOf(t *testing.T, data []byte) []pdfPage {
	t.Helper()
	var document struct {
		Pages []pdfPage `xml:"body>doc>page"`
	}
	text := textOf(t, data, "-bbox")
	if err := xml.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	return document.Pages
}

// check tells of words outside the margins and of words that lie on others. Boxes hold a font's highest and deepest
// letters, so those of two lines touch.
func (p pdfPage) check(t *testing.T, number int) {
	t.Helper()
	const margin, touch = 36, 2.5
	for i, w := range p.Words {
		if w.Left < margin || w.Right > p.Width-margin+touch || w.Top < 28 || w.Bottom > p.Height-14 {
			t.Errorf("page %d: %q leaves the page: %.0f to %.0f, %.0f to %.0f", number, w.Text, w.Left, w.Right, w.Top, w.Bottom)
		}
		for _, o := range p.Words[i+1:] {
			across, down := min(w.Right, o.Right)-max(w.Left, o.Left), min(w.Bottom, o.Bottom)-max(w.Top, o.Top)
			if across > 0.3 && down > touch {
				t.Errorf("page %d: %q lies on %q", number, o.Text, w.Text)
			}
		}
	}
}

// The sidebar of a reader lists the sections.
// Reports are written side by side, and the PDF library writes into its fonts.
func TestReport_fonts_are_its_own(t *testing.T) {
	ruler, err := newRuler()
	if err != nil {
		t.Fatal(err)
	}
	one, err := ruler.fonts()
	if err != nil {
		t.Fatal(err)
	}
	other, err := ruler.fonts()
	if err != nil {
		t.Fatal(err)
	}
	for i := range one {
		if &one[i].Bytes[0] == &other[i].Bytes[0] {
			t.Errorf("%s %s is shared", one[i].Family, one[i].Style)
		}
	}
}

func TestReport_bookmarks(t *testing.T) {
	program, err := exec.LookPath("pdftohtml")
	if err != nil {
		t.Skip("pdftohtml is not installed: bookmarks are NOT checked (apt-get install poppler-utils)")
	}
	file := filepath.Join(t.TempDir(), "report.pdf")
	if err := os.WriteFile(file, reportOf(t, resultsOf(t, "interim_six_months")), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), program, "-xml", "-i", "-stdout", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	pages := strings.Split(string(out), "<page number=")
	for _, title := range []string{"Summary", "Income statement", "Trailing twelve months", "Balance sheet", "Cash flow", "Uniform Credit Analysis cash flow", "Ratios", "Checks and warnings", "Completeness", "Source references", "Notes"} {
		var number int
		_, item, found := strings.Cut(string(out), "<item page=\"")
		for found && !strings.HasPrefix(item[strings.Index(item, ">")+1:], title+"<") {
			_, item, found = strings.Cut(item, "<item page=\"")
		}
		if _, err := fmt.Sscanf(item, "%d", &number); !found || err != nil || number >= len(pages) {
			t.Errorf("no bookmark leads to %s", title)
			continue
		}
		if !strings.Contains(pages[number], ">"+title+"<") && !strings.Contains(pages[number], ">"+title+"</b>") {
			t.Errorf("the bookmark of %s leads to page %d, where it does not stand", title, number)
		}
	}
}

func reportOf(t *testing.T, r dossier.SpreadResults) []byte {
	t.Helper()
	data, err := Report(spread.Template(), r)
	if err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("RENDER_DIR"); dir != "" { // to look at
		_ = os.WriteFile(filepath.Join(dir, strings.ReplaceAll(t.Name(), "/", "_")+".pdf"), data, 0o600)
	}
	return data
}

// textOf is the text of a PDF as pdftotext gives it: -layout, -raw in the order of drawing, -bbox with places.
func textOf(t *testing.T, data []byte, how string) string {
	t.Helper()
	program, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("pdftotext is not installed: the report's text is NOT checked (apt-get install poppler-utils)")
	}
	command := exec.CommandContext(t.Context(), program, how, "-", "-")
	command.Stdin = bytes.NewReader(data)
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
