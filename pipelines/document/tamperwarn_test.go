package document

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

func TestFileWarnings(t *testing.T) {
	long := documenttest.Page(strings.Repeat("a line of words that is long ", 10))
	again := long
	again.Number = 2
	tests := []struct {
		name string
		file text.Decoded
		want string
	}{
		{"editor", text.Decoded{Metadata: text.Metadata{Producer: "Adobe Photoshop 24"}, Pages: []text.Page{long}}, "Photoshop"},
		{"revised", text.Decoded{Metadata: text.Metadata{Created: "D:2024", Modified: "D:2025", Revisions: 1}, Pages: []text.Page{long}}, "changed after"},
		{"amount replaced", text.Decoded{Metadata: text.Metadata{Changed: []string{"1.00 became 9.00 on page 1"}}, Pages: []text.Page{long}}, "1.00 became 9.00"},
		{"fonts mixed", text.Decoded{Metadata: text.Metadata{MixedFonts: []string{"9.00 on page 1"}}, Pages: []text.Page{long}}, "several fonts"},
		{"page twice", text.Decoded{Pages: []text.Page{long, again}}, "repeats page 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := fileWarnings(tt.file, tt.file.Pages, 1)
			if len(got) != 1 || got[0].Code != "possible_tampering" || !strings.Contains(got[0].Detail, tt.want) {
				t.Errorf("got %+v", got)
			}
		})
	}
	if got := fileWarnings(text.Decoded{Pages: []text.Page{long}}, []text.Page{long}, 1); len(got) != 0 {
		t.Errorf("an honest file: %+v", got)
	}
}

func TestLateWarning(t *testing.T) {
	end := "2025-01-31"
	doc := dossier.ReadDocument{Facts: dossier.Facts{Bank: &dossier.BankFacts{PeriodEnd: &end}}}
	for stamp, want := range map[string]string{"D:20250203120000Z": "", "D:20250601": "", "D:20260301093000+01'00'": "394 days after", "": "", "yesterday": ""} {
		got := lateWarning(text.Metadata{Created: stamp}, doc)
		if (len(got) == 1) != (want != "") || want != "" && !strings.Contains(got[0].Detail, want) {
			t.Errorf("%q: %+v, want %q", stamp, got, want)
		}
	}
	if got := lateWarning(text.Metadata{Modified: "D:20260301"}, doc); len(got) != 1 || !strings.Contains(got[0].Detail, "changed") {
		t.Errorf("changed late: %+v", got)
	}
}

// A page that could not be read is missed.
func TestFileWarnings_unreadPage(t *testing.T) {
	d := text.Decoded{Metadata: text.Metadata{Unread: []int{3}}}
	if got := fileWarnings(d, nil, 1); len(got) != 1 || got[0].Code != "page_missing" || !strings.Contains(got[0].Detail, "Page 3") {
		t.Error(got)
	}
}
