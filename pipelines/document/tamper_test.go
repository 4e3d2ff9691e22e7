package document

import (
	"strings"
	"testing"
)

func TestFileWarnings(t *testing.T) {
	long := page(strings.Repeat("a line of words that is long ", 10))
	again := long
	again.Number = 2
	tests := []struct {
		name string
		file Decoded
		want string
	}{
		{"editor", Decoded{Metadata: Metadata{Producer: "Adobe Photoshop 24"}, Pages: []Page{long}}, "Photoshop"},
		{"revised", Decoded{Metadata: Metadata{Created: "D:2024", Modified: "D:2025", Revisions: 1}, Pages: []Page{long}}, "changed after"},
		{"page twice", Decoded{Pages: []Page{long, again}}, "repeats page 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := fileWarnings(tt.file, tt.file.Pages, 1)
			if len(got) != 1 || got[0].Code != "possible_tampering" || !strings.Contains(got[0].Detail, tt.want) {
				t.Errorf("got %+v", got)
			}
		})
	}
	if got := fileWarnings(Decoded{Pages: []Page{long}}, []Page{long}, 1); len(got) != 0 {
		t.Errorf("an honest file: %+v", got)
	}
}
