package decode

import (
	"image"
	"math"

	"github.com/dossierhq/dossier/pipelines/document/barcode"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// codesOf are the elements of the codes in the picture of a page. The picture is the stored one, sharper than the one
// that was made level for OCR; its boxes are those of the upright page.
func codesOf(stored ocrPage, read ocrPage) []text.Coded {
	var found []text.Coded
	for _, c := range append(barcode.Read(stored.pixels), barcode.ReadQR(stored.pixels)...) {
		at := turnedBox(image.Rect(c.X0, c.Y0, c.X1, c.Y1), stored.pixels.Rect, read.turned-stored.turned)
		for _, e := range text.CodeElements(c.Text) {
			e.Page, e.Confidence, e.Method = read.number, 1, text.MethodBarcode
			e.X0, e.Y0 = hundredth(float64(at.Min.X)*read.unit), hundredth(float64(at.Min.Y)*read.unit)
			e.X1, e.Y1 = hundredth(float64(at.Max.X)*read.unit), hundredth(float64(at.Max.Y)*read.unit)
			found = append(found, e)
		}
	}
	return found
}

func hundredth(f float64) float64 { return math.Round(f*100) / 100 }

// turnedBox is where a box of a picture lies after turning it clockwise.
func turnedBox(r, picture image.Rectangle, degrees int) image.Rectangle {
	w, h := picture.Dx(), picture.Dy()
	switch (degrees + 360) % 360 {
	case 90:
		return image.Rect(h-r.Max.Y, r.Min.X, h-r.Min.Y, r.Max.X)
	case 180:
		return image.Rect(w-r.Max.X, h-r.Max.Y, w-r.Min.X, h-r.Min.Y)
	case 270:
		return image.Rect(r.Min.Y, w-r.Max.X, r.Max.Y, w-r.Min.X)
	}
	return r
}
