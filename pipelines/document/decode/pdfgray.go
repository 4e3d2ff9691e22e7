package decode

import (
	"image"
	"math"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// mostPixels bounds the picture of a page that is drawn for OCR, however large the paper says it is: some scanners give
// a page a point for every pixel.
const mostPixels = 6_000_000

// drawnScale is how many pixels a point of a page is drawn with.
func drawnScale(width, height, dpi float64) float64 {
	scale := dpi / 72
	if long := max(width, height) * scale; long > longestSide {
		scale *= longestSide / long
	}
	if area := width * height * scale * scale; area > mostPixels {
		scale *= math.Sqrt(mostPixels / area)
	}
	return scale
}

// drawGray draws page i in grey, in a quarter of the memory that colours take.
func (p *pdfEngine) drawGray(doc references.FPDF_DOCUMENT, i, width, height int) (*image.Gray, error) {
	width, height = max(width, 1), max(height, 1)
	made, err := p.FPDFBitmap_CreateEx(&requests.FPDFBitmap_CreateEx{
		Width: width, Height: height, Format: enums.FPDF_BITMAP_FORMAT_GRAY, Pointer: uint64(0),
	})
	if err != nil {
		return nil, err
	}
	bitmap := made.Bitmap
	defer func() { _, _ = p.FPDFBitmap_Destroy(&requests.FPDFBitmap_Destroy{Bitmap: bitmap}) }()
	paper := requests.FPDFBitmap_FillRect{Bitmap: bitmap, Width: width, Height: height, Color: 0xffffffff}
	if _, err := p.FPDFBitmap_FillRect(&paper); err != nil {
		return nil, err
	}
	if _, err := p.FPDF_RenderPageBitmap(&requests.FPDF_RenderPageBitmap{
		Bitmap: bitmap, Page: requests.Page{ByIndex: &requests.PageByIndex{Document: doc, Index: i}},
		SizeX: width, SizeY: height, Flags: enums.FPDF_RENDER_FLAG_ANNOT,
	}); err != nil {
		return nil, err
	}
	stride, err := p.FPDFBitmap_GetStride(&requests.FPDFBitmap_GetStride{Bitmap: bitmap})
	if err != nil {
		return nil, err
	}
	drawn, err := p.FPDFBitmap_GetBuffer(&requests.FPDFBitmap_GetBuffer{Bitmap: bitmap})
	if err != nil {
		return nil, err
	}
	gray := image.NewGray(image.Rect(0, 0, width, height))
	for y := range height {
		copy(gray.Pix[y*gray.Stride:(y+1)*gray.Stride], drawn.Buffer[y*stride.Stride:])
	}
	return gray, nil
}
