package decode_test

import (
	"fmt"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Boxes of a font that says to be twice as high as its type are as high as those of another one.
func TestPDF_tallFont(t *testing.T) {
	stream := "BT /F1 10 Tf 72 300 Td (Beginning balance 1,204.50) Tj 0 -14 Td (Ending balance 1,104.50) Tj ET"
	for name, height := range map[string]string{"plain": "/Ascent 718/Descent -207/FontBBox[-166 -225 1000 931]", "tall": "/Ascent 1500/Descent -600/FontBBox[-1000 -600 2000 1500]"} {
		got := readtest.Must(t, documenttest.RawPDF("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
			"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
			fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(stream), stream),
			"<</Type/Font/Subtype/TrueType/BaseFont/Quillface/FirstChar 32/LastChar 32/Widths[278]/FontDescriptor 6 0 R/Encoding/WinAnsiEncoding>>",
			"<</Type/FontDescriptor/FontName/Quillface/Flags 32/ItalicAngle 0/CapHeight 718/StemV 88"+height+">>"))
		kept, err := text.DecodeTokens(got.Tokens)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range kept.Pages[0].Tokens {
			if h := w.Y1 - w.Y0; h > 14 {
				t.Errorf("%s: %q is %.1f points high", name, w.Text, h)
			}
		}
	}
}
