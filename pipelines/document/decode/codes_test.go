package decode

import (
	"image"
	"image/color"
	"reflect"
	"testing"

	"github.com/boombuler/barcode/pdf417"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// pictureOfCode is a code of a licence on white, each module three pixels wide, from 100, 60.
func pictureOfCode(t *testing.T) *image.Gray {
	t.Helper()
	code, err := pdf417.Encode("@\n\x1e\rANSI 636023100002DL00410278DLDAQRT481902\nDCSHOLLOWAY\nDACMARTIN\nDBB04171986\nDBA04172030\n", 4)
	if err != nil {
		t.Fatal(err)
	}
	b := code.Bounds()
	g := image.NewGray(image.Rect(0, 0, 3*b.Dx()+400, 5*b.Dy()+300))
	for i := range g.Pix {
		g.Pix[i] = 240
	}
	for y := range 5 * b.Dy() {
		for x := range 3 * b.Dx() {
			if color.GrayModel.Convert(code.At(x/3, y/5)).(color.Gray).Y < 128 {
				g.Pix[(y+60)*g.Stride+x+100] = 20
			}
		}
	}
	return g
}

// The code in a picture is kept with its page, where it stands on the upright page, and comes back with its words.
func TestCodesOf(t *testing.T) {
	g := pictureOfCode(t)
	for _, degrees := range []int{0, 90, 180, 270} {
		stored := ocrPage{pixels: turn(g, 360-degrees), unit: 0.5, number: 2} // lies wrong by as much
		codes := codesOf(stored, stored.turn(degrees))
		found := map[string]string{}
		for _, c := range codes {
			found[c.Name] = c.Text
			if c.Method != text.MethodBarcode || c.Page != 2 || text.Abs(c.X0-50) > 4 || text.Abs(c.Y0-30) > 6 || c.X1 < 2*c.X0 {
				t.Errorf("turned %d: %+v", degrees, c)
				break
			}
		}
		if found["DAQ"] != "RT481902" || found["DCS"] != "HOLLOWAY" || found[text.CodedKind] != "DL" || found[text.CodedIssuer] != "636023" {
			t.Errorf("turned %d: %v", degrees, found)
		}
		page := text.Page{Number: 2, Codes: codes}
		kept, err := text.EncodeTokens(text.Decoded{Pages: []text.Page{page}})
		if err != nil {
			t.Fatal(err)
		}
		if again, err := text.DecodeTokens(kept); err != nil || !reflect.DeepEqual(again.Pages[0].Codes, codes) {
			t.Errorf("kept %v, %v", again.Pages[0].Codes, err)
		}
	}
}
