package decode

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/klippa-app/go-pdfium/requests"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Limits of the search for signs of tampering: they warn a person, who needs to see a few.
const (
	maxSigns      = 5
	maxSignPages  = 30   // fonts are looked at on so many pages
	maxSignChars  = 4000 // and for so many figures of a page
	maxRevisions  = 4    // earlier revisions that are compared
	samePlacement = 2.5  // points within which two amounts stand in one place
)

// mixedFonts names the amounts of a page whose figures are set in several fonts: honest programs print an amount
// at once, an editor that replaces a figure rarely has its font.
func (p *pdfEngine) mixedFonts(page requests.Page, chars []char, read text.Page) []string {
	if read.Number > maxSignPages {
		return nil
	}
	text, err := p.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: page})
	if err != nil {
		return nil
	}
	defer func() { _, _ = p.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: text.TextPage}) }()
	var mixed []string
	asked := 0
	for _, t := range read.Tokens {
		if !printedMoney.MatchString(t.Text) || len(mixed) >= maxSigns || asked > maxSignChars {
			continue
		}
		fonts := map[string]bool{}
		for _, c := range charsIn(chars, t) {
			asked++
			info, err := p.FPDFText_GetFontInfo(&requests.FPDFText_GetFontInfo{TextPage: text.TextPage, Index: c.index})
			if err == nil && info.FontName != "" {
				fonts[info.FontName] = true
			}
		}
		if len(fonts) > 1 {
			mixed = append(mixed, fmt.Sprintf("%s on page %d", t.Text, read.Number))
		}
	}
	return mixed
}

// charsIn are the figures that stand within a token.
func charsIn(chars []char, t text.Token) []char {
	var in []char
	for _, c := range chars {
		if c.r < '0' || c.r > '9' {
			continue
		}
		if x, y := (c.X0+c.X1)/2, (c.Y0+c.Y1)/2; x > t.X0 && x < t.X1 && y > t.Y0 && y < t.Y1 {
			in = append(in, c)
		}
	}
	return in
}

// changedAmounts compares a PDF with its earlier revisions, which stay in the file: amounts that others replaced in
// their place. A form that was filled in, or a signature, adds and replaces nothing.
func (w *Decoder) changedAmounts(p *pdfEngine, data []byte, now text.Decoded) []string {
	var changed []string
	ends := revisionEnds(data)
	for i := len(ends) - 2; i >= 0 && i >= len(ends)-1-maxRevisions && len(changed) < maxSigns; i-- {
		changed = append(changed, w.changedSince(p, data[:ends[i]], now)...)
	}
	return changed[:min(len(changed), maxSigns)]
}

// revisionEnds are the offsets behind each end-of-file mark.
func revisionEnds(data []byte) []int {
	var ends []int
	for at := 0; len(ends) < 100; {
		i := bytes.Index(data[at:], []byte("%%EOF"))
		if i < 0 {
			return ends
		}
		at += i + len("%%EOF")
		ends = append(ends, at)
	}
	return ends
}

func (w *Decoder) changedSince(p *pdfEngine, earlier []byte, now text.Decoded) []string {
	opened, err := p.OpenDocument(&requests.OpenDocument{File: &earlier})
	if err != nil {
		return nil // the mark of a file made for the web, whose first part is no document
	}
	defer func() { _, _ = p.FPDF_CloseDocument(&requests.FPDF_CloseDocument{Document: opened.Document}) }()
	counted, err := p.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: opened.Document})
	if err != nil {
		return nil
	}
	before := Decoder{tesseract: w.tesseract, limits: w.limits, ocrStarts: w.ocrStarts}
	var changed []string
	for i := range min(counted.PageCount, len(now.Pages), maxSignPages) {
		page, err := before.readPDFPage(p, opened.Document, i)
		if err == nil {
			changed = append(changed, replaced(page, now.Pages[i])...)
		}
	}
	return changed
}

// replaced are the amounts of a page in whose place another amount stands now.
func replaced(before, now text.Page) []string {
	var changed []string
	for _, old := range before.Tokens {
		if !printedMoney.MatchString(old.Text) {
			continue
		}
		for _, t := range now.Tokens {
			if strings.TrimSpace(t.Text) == old.Text || !printedMoney.MatchString(t.Text) ||
				text.Abs(t.Y0-old.Y0) > samePlacement ||
				text.Abs(t.X1-old.X1) > samePlacement && text.Abs(t.X0-old.X0) > samePlacement || stillThere(old, now) {
				continue
			}
			changed = append(changed, fmt.Sprintf("%s became %s on page %d", old.Text, t.Text, now.Number))
			break
		}
	}
	return changed
}

// stillThere reports whether a token stands where it stood.
func stillThere(old text.Token, now text.Page) bool {
	for _, t := range now.Tokens {
		if t.Text == old.Text && text.Abs(t.X0-old.X0) < samePlacement && text.Abs(t.Y0-old.Y0) < samePlacement {
			return true
		}
	}
	return false
}
