package decode

import (
	"bytes"
	"encoding/xml"
	"strings"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"github.com/dossierhq/dossier/pipelines/document/decode/office"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// mostFormValues caps the values of an XML form.
const mostFormValues = 5000

// addFormValues puts what was filled into an XML form (XFA) on the first page, where the pages themselves say nothing:
// such a form is drawn by a program of its own, and other readers see a page that asks them to wait. Forms of the other
// kind, and those that carry both, have their values on the page already.
func (p *pdfEngine) addFormValues(doc references.FPDF_DOCUMENT, d *text.Decoded) {
	if len(d.Pages) == 0 || !isPlaceholder(*d) {
		return
	}
	packets, err := p.FPDF_GetXFAPacketCount(&requests.FPDF_GetXFAPacketCount{Document: doc})
	if err != nil {
		return
	}
	for i := range packets.Count {
		name, err := p.FPDF_GetXFAPacketName(&requests.FPDF_GetXFAPacketName{Document: doc, Index: i})
		if err != nil || name.Name != "datasets" {
			continue
		}
		packet, err := p.FPDF_GetXFAPacketContent(&requests.FPDF_GetXFAPacketContent{Document: doc, Index: i})
		if err != nil {
			return
		}
		filled := office.PageOf(1, formValues(packet.Content))
		for k := range filled.Tokens {
			filled.Tokens[k].Method = text.MethodForm
		}
		if len(filled.Tokens) > 0 {
			filled.Layer = text.LayerText
			d.Pages[0] = filled
		}
		return
	}
}

// isPlaceholder reports whether a document has almost no text, or only the "please wait" page of an XML form.
func isPlaceholder(d text.Decoded) bool {
	words, s := 0, ""
	for _, p := range d.Pages[:min(len(d.Pages), 3)] {
		words += len(p.Tokens)
		s += text.Join(p.Tokens[:min(len(p.Tokens), 200)]) + " "
	}
	return words < 5 || words < 200 && text.HasWords(text.Fold(s), "please wait")
}

// formValues are the filled fields of an XML form in their order, "Name: value" each.
func formValues(datasets []byte) []string {
	dec := xml.NewDecoder(bytes.NewReader(datasets))
	dec.Strict = false
	var values, path []string
	var s strings.Builder
	for len(values) < mostFormValues {
		t, err := dec.Token()
		if err != nil {
			return values // the end, or as far as it can be read
		}
		switch e := t.(type) {
		case xml.StartElement:
			if path = append(path, e.Name.Local); len(path) > 100 {
				return values
			}
			s.Reset()
		case xml.CharData:
			s.Write(e)
		case xml.EndElement:
			if value := strings.Join(strings.Fields(s.String()), " "); value != "" && len(path) > 0 {
				values = append(values, text.InnerCapital.ReplaceAllString(path[len(path)-1], "$1 $2")+":    "+value)
			}
			s.Reset()
			path = path[:max(len(path)-1, 0)]
		}
	}
	return values
}
