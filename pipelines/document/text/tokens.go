package text

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"math"
)

// keptVersion is the first byte of kept tokens: the format below.
const keptVersion = 1

// maxKept caps what kept tokens may unpack to.
const maxKept = 256 << 20

// keptPage is a page as it is kept. Tokens are rows of [x0, y0, x1, y1, confidence] and texts beside them:
// a third of the size of named fields.
type keptPage struct {
	Number  int          `json:"n"`
	Width   float64      `json:"w"`
	Height  float64      `json:"h"`
	Name    string       `json:"name,omitempty"`
	Turned  int          `json:"r,omitempty"`
	Layer   string       `json:"l"`
	Boxes   [][5]float64 `json:"b"`
	Texts   []string     `json:"t"`
	Methods []string     `json:"m"` // one entry when all tokens have the same
	Cells   []string     `json:"c,omitempty"`
	Codes   []keptCode   `json:"codes,omitempty"`
}

type keptCode struct {
	Name string     `json:"n"`
	Text string     `json:"t"`
	Box  [4]float64 `json:"b"`
}

type keptFile struct {
	MimeType  string     `json:"mime"`
	PageCount int        `json:"count"`
	Layer     string     `json:"layer"`
	Metadata  Metadata   `json:"meta"`
	Pages     []keptPage `json:"pages"`
}

// EncodeTokens packs a decoded file for keeping beside its extraction.
func EncodeTokens(d Decoded) ([]byte, error) {
	file := keptFile{MimeType: d.MimeType, PageCount: d.PageCount, Layer: d.Layer, Metadata: d.Metadata}
	for _, p := range d.Pages {
		file.Pages = append(file.Pages, keepPage(p))
	}
	var b bytes.Buffer
	b.WriteByte(keptVersion)
	z, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err != nil {
		return nil, err
	}
	if err := json.NewEncoder(z).Encode(file); err != nil {
		return nil, fmt.Errorf("keep tokens: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("keep tokens: %w", err)
	}
	return b.Bytes(), nil
}

func keepPage(p Page) keptPage {
	k := keptPage{Number: p.Number, Width: p.Width, Height: p.Height, Turned: p.Rotation, Name: p.Name, Layer: p.Layer}
	same, cells := true, false
	for _, t := range p.Tokens {
		k.Boxes = append(k.Boxes, [5]float64{hundredth(t.X0), hundredth(t.Y0), hundredth(t.X1), hundredth(t.Y1),
			hundredth(t.Confidence)})
		k.Texts = append(k.Texts, t.Text)
		k.Methods = append(k.Methods, t.Method)
		k.Cells = append(k.Cells, t.Cell)
		same = same && t.Method == p.Tokens[0].Method
		cells = cells || t.Cell != ""
	}
	for _, c := range p.Codes {
		k.Codes = append(k.Codes, keptCode{c.Name, c.Text, [4]float64{c.X0, c.Y0, c.X1, c.Y1}})
	}
	if same && len(k.Methods) > 1 {
		k.Methods = k.Methods[:1]
	}
	if !cells {
		k.Cells = nil
	}
	return k
}

func hundredth(f float64) float64 { return math.Round(f*100) / 100 }

// DecodeTokens unpacks kept tokens. Its errors are those of damaged data.
func DecodeTokens(kept []byte) (Decoded, error) {
	if len(kept) == 0 || kept[0] != keptVersion {
		return Decoded{}, fmt.Errorf("kept tokens: unknown format")
	}
	raw, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(kept[1:])), maxKept))
	if err != nil {
		return Decoded{}, fmt.Errorf("kept tokens: %w", err)
	}
	var file keptFile
	if err := json.Unmarshal(raw, &file); err != nil {
		return Decoded{}, fmt.Errorf("kept tokens: %w", err)
	}
	d := Decoded{MimeType: file.MimeType, PageCount: file.PageCount, Layer: file.Layer, Metadata: file.Metadata}
	for _, k := range file.Pages {
		p, err := k.page()
		if err != nil {
			return Decoded{}, err
		}
		d.Pages = append(d.Pages, p)
	}
	return d, nil
}

// DecodePage finds one page among kept tokens, by its number, and reports whether it is there. The others are not held
// in memory: a file may have more words than a server has room for. Errors are those of damaged data, or of reading it.
func DecodePage(kept io.Reader, number int) (Page, bool, error) {
	version := make([]byte, 1)
	if _, err := io.ReadFull(kept, version); err != nil || version[0] != keptVersion {
		return Page{}, false, fmt.Errorf("kept tokens: unknown format")
	}
	in := json.NewDecoder(io.LimitReader(flate.NewReader(kept), maxKept))
	if err := skipTo(in, "pages"); err != nil {
		return Page{}, false, fmt.Errorf("kept tokens: %w", err)
	}
	if start, err := in.Token(); err != nil || start != json.Delim('[') {
		return Page{}, false, err // null: a file without pages
	}
	for in.More() {
		var k keptPage
		if err := in.Decode(&k); err != nil {
			return Page{}, false, fmt.Errorf("kept tokens: %w", err)
		}
		if k.Number == number {
			p, err := k.page()
			return p, err == nil, err
		}
	}
	return Page{}, false, nil
}

// skipTo reads an object up to the value of one of its members.
func skipTo(in *json.Decoder, member string) error {
	if _, err := in.Token(); err != nil { // the brace
		return err
	}
	for in.More() {
		name, err := in.Token()
		if err != nil || name == member {
			return err
		}
		var passed json.RawMessage
		if err := in.Decode(&passed); err != nil {
			return err
		}
	}
	return fmt.Errorf("no %s", member)
}

func (k keptPage) page() (Page, error) {
	p := Page{Number: k.Number, Width: k.Width, Height: k.Height, Rotation: k.Turned, Name: k.Name, Layer: k.Layer}
	n := len(k.Texts)
	if len(k.Boxes) != n || n > 0 && len(k.Methods) != n && len(k.Methods) != 1 || k.Cells != nil && len(k.Cells) != n {
		return p, fmt.Errorf("kept tokens: page %d is damaged", k.Number)
	}
	for i, b := range k.Boxes {
		t := Token{Page: k.Number, X0: b[0], Y0: b[1], X1: b[2], Y1: b[3], Confidence: b[4], Text: k.Texts[i],
			Method: k.Methods[min(i, len(k.Methods)-1)]}
		if k.Cells != nil {
			t.Cell = k.Cells[i]
		}
		p.Tokens = append(p.Tokens, t)
	}
	for _, c := range k.Codes {
		p.Codes = append(p.Codes, Coded{Name: c.Name, Token: Token{Page: k.Number, X0: c.Box[0], Y0: c.Box[1],
			X1: c.Box[2], Y1: c.Box[3], Text: c.Text, Confidence: 1, Method: MethodBarcode}})
	}
	return p, nil
}
