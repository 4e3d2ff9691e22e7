package decode

import (
	"cmp"
	"strings"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// mostWidgets caps the form fields of one page that are looked at.
const mostWidgets = 2000

// widget is the value of a form field and where it stands.
type widget struct {
	value string
	box   text.Box
}

// widgets are the fields of a page that have a value, and the boxes that are ticked. Many programs fill a form
// without drawing the values and leave that to whoever shows it (ISO 32000-1, 12.7.2, NeedAppearances), so what is
// drawn is not all that is filled in. They are read before the page is flattened, which takes the fields away.
func (p *pdfEngine) widgets(page requests.Page, f frame) []widget {
	n, err := p.FPDFPage_GetAnnotCount(&requests.FPDFPage_GetAnnotCount{Page: page})
	if err != nil {
		return nil
	}
	var found []widget
	for i := range min(n.Count, mostWidgets) {
		annot, err := p.FPDFPage_GetAnnot(&requests.FPDFPage_GetAnnot{Page: page, Index: i})
		if err != nil {
			continue
		}
		if w, ok := p.widget(annot.Annotation, f); ok {
			found = append(found, w)
		}
		_, _ = p.FPDFPage_CloseAnnot(&requests.FPDFPage_CloseAnnot{Annotation: annot.Annotation})
	}
	return found
}

// widget reads one annotation. A button has an appearance state beside its value, "Off" or the name of what it says
// when it is on: a tick, no text, for which the page may have no drawing.
func (p *pdfEngine) widget(annot references.FPDF_ANNOTATION, f frame) (widget, bool) {
	kind, err := p.FPDFAnnot_GetSubtype(&requests.FPDFAnnot_GetSubtype{Annotation: annot})
	if err != nil || kind.Subtype != enums.FPDF_ANNOT_SUBTYPE_WIDGET {
		return widget{}, false
	}
	flags, err := p.FPDFAnnot_GetFlags(&requests.FPDFAnnot_GetFlags{Annotation: annot})
	if err != nil || flags.Flags&enums.FPDF_ANNOT_FLAG_HIDDEN != 0 {
		return widget{}, false
	}
	text := func(key string) string {
		v, err := p.FPDFAnnot_GetStringValue(&requests.FPDFAnnot_GetStringValue{Annotation: annot, Key: key})
		if err != nil {
			return ""
		}
		return strings.TrimSpace(v.Value)
	}
	value, state := text("V"), text("AS")
	if state != "" || text("FT") == "Btn" {
		if state = cmp.Or(state, value); state == "" || state == "Off" {
			return widget{}, false
		}
		value = TickToken
	}
	if value == "" {
		return widget{}, false
	}
	rect, err := p.FPDFAnnot_GetRect(&requests.FPDFAnnot_GetRect{Annotation: annot})
	if err != nil {
		return widget{}, false
	}
	box := f.box(float64(rect.Rect.Left), float64(rect.Rect.Top), float64(rect.Rect.Right), float64(rect.Rect.Bottom))
	return widget{value, box}, box.X1 > box.X0 && box.Y1 > box.Y0
}

// addWidgets puts the values that no word of the page shows in their places: a number at the right of its field, as
// forms print them, other text from the left.
func addWidgets(page *text.Page, list []widget) {
	drawn := page.Tokens
	for _, w := range list {
		if shownIn(drawn, w.box) {
			continue
		}
		if w.value == TickToken {
			page.Tokens = append(page.Tokens, text.Token{Text: TickToken, Page: page.Number, Method: text.MethodForm,
				Confidence: 1, X0: w.box.X0, Y0: w.box.Y0, X1: w.box.X1, Y1: w.box.Y1})
			continue
		}
		words := strings.Fields(w.value)
		height := min(w.box.Y1-w.box.Y0, 12)
		middle := (w.box.Y0 + w.box.Y1) / 2
		wide := min(0.5*height, (w.box.X1-w.box.X0)/float64(len([]rune(strings.Join(words, " ")))))
		x := w.box.X0
		if _, number := text.ParseMoney(w.value, text.DotDecimal); number {
			x = w.box.X1 - wide*float64(len([]rune(strings.Join(words, " "))))
		}
		for _, word := range words {
			end := x + wide*float64(len([]rune(word)))
			page.Tokens = append(page.Tokens,
				text.Token{Text: word, Page: page.Number, Method: text.MethodForm, Confidence: 1,
					X0: x, Y0: middle - height/2, X1: end, Y1: middle + height/2})
			x = end + wide
		}
	}
}

// shownIn reports whether a word stands in a field.
func shownIn(tokens []text.Token, box text.Box) bool {
	for _, t := range tokens {
		x, y := (t.X0+t.X1)/2, (t.Y0+t.Y1)/2
		if x > box.X0 && x < box.X1 && y > box.Y0 && y < box.Y1 {
			return true
		}
	}
	return false
}
