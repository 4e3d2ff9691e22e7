package text

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// One page is found among those that are kept as all of them give it, and damage is told.
func TestDecodePage(t *testing.T) {
	file := Decoded{MimeType: "message/rfc822", PageCount: 2, Layer: LayerNative, Metadata: Metadata{Producer: "pages", Changed: []string{"[pages]"}}, Pages: []Page{
		{Number: 1, Width: 612, Height: 792, Rotation: 90, Layer: LayerText, Tokens: []Token{{Page: 1, X1: 9, Y1: 5, Text: "a", Confidence: 0.5, Method: MethodText}}},
		{Number: 2, Width: 20, Height: 3, Name: "Sheet1", Layer: LayerNative, Tokens: []Token{{Page: 2, X1: 9, Y1: 1, Text: "b", Confidence: 1, Method: MethodCell, Cell: "Sheet1!A1"}}},
	}}
	kept, err := EncodeTokens(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range file.Pages {
		got, found, err := DecodePage(bytes.NewReader(kept), want.Number)
		if err != nil || !found {
			t.Fatalf("page %d: %v, %v", want.Number, found, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("page %d (-want +got)\n%s", want.Number, diff)
		}
	}
	for _, number := range []int{0, 3} {
		if _, found, err := DecodePage(bytes.NewReader(kept), number); err != nil || found {
			t.Errorf("page %d: %v, %v; want none", number, found, err)
		}
	}
	empty, err := EncodeTokens(Decoded{})
	if err != nil {
		t.Fatal(err)
	}
	if _, found, err := DecodePage(bytes.NewReader(empty), 1); err != nil || found {
		t.Errorf("a file without pages: %v, %v", found, err)
	}
	for name, damaged := range map[string]string{"empty": "", "another format": "\x07" + string(kept[1:]), "cut": string(kept[:len(kept)/2])} {
		if _, found, err := DecodePage(strings.NewReader(damaged), 2); err == nil || found {
			t.Errorf("%s: %v, %v; want an error", name, found, err)
		}
	}
}
