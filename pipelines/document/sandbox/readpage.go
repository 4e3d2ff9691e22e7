package sandbox

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Shown is a file read for people: the reading, and a picture of each page (PNG; nil for formats that have no
// pages to draw).
type Shown struct {
	Reading
	PageImages [][]byte
}

// Show reads one file as Read does and returns page images too. Errors are those of Read.
func (r *Reader) Show(ctx context.Context, file io.Reader) (Shown, error) {
	if err := r.ready(ctx); err != nil {
		return Shown{}, err
	}
	limited := &cappedReader{from: file, left: r.config.Limits.MaxBytes}
	out, refused, err := r.run(ctx, modeShow, limited, r.config.Limits.OCRClock()+5e9)
	switch {
	case limited.failed != nil:
		return Shown{}, fmt.Errorf("show document: fetch file: %w", limited.failed)
	case limited.over:
		refused = refusal.New(refusal.TooLarge, "The file is larger than %d MiB.", r.config.Limits.MaxBytes>>20)
	case err != nil:
		return Shown{}, fmt.Errorf("show document: %w", err)
	case refused == nil:
		refused = out.Refusal
	}
	return Shown{Reading{Extraction: out.Extraction, Refusal: refused, Tokens: out.Tokens, Thumbnail: out.Thumbnail},
		out.PageImages}, nil
}

// WritePage writes a reading as one HTML page without outside parts: each page's image with a box over every
// fact, and beside it the facts with their printed text, confidence and method.
func WritePage(w io.Writer, name string, s Shown) error {
	return pageTemplate.Execute(w, viewOf(name, s))
}

type pageView struct {
	Name      string
	Refusal   *refusal.Refusal
	Documents []documentView
	Pages     []imageView
}

type documentView struct {
	dossier.ReadDocument
	Facts []factView
}

type factView struct {
	ID, Value, Text string
	Path            []string // of the fact, between the slashes of its pointer
	From            string   // method, place and confidence, or "derived"
	Model           bool     // a language model gave it
	Sentence        string   // the line of the page that carries it, for what a model gave
}

type imageView struct {
	Number int
	Data   template.URL
	Boxes  []boxView
}

// boxView is a box in percent of the page, so that it fits the image at any size.
type boxView struct {
	ID, Title                string
	Model                    bool // a language model gave what stands here
	Left, Top, Width, Height float64
}

func viewOf(name string, s Shown) pageView {
	v := pageView{Name: name, Refusal: s.Refusal}
	if s.Extraction == nil {
		return v
	}
	sizes, lines := map[int][2]float64{}, map[int][]text.Line{}
	if d, err := text.DecodeTokens(s.Tokens); err == nil {
		for _, p := range d.Pages {
			sizes[p.Number], lines[p.Number] = [2]float64{p.Width, p.Height}, text.Lines(p)
		}
	}
	for i, png := range s.PageImages {
		v.Pages = append(v.Pages, imageView{Number: i + 1,
			Data: template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(png))})
	}
	for n, d := range s.Extraction.Documents {
		view := documentView{ReadDocument: d}
		for _, at := range sortedPointers(d.Sources, d.Derived) {
			f := factOf(d, at, fmt.Sprintf("f%d%s", n, strings.ReplaceAll(at, "/", "-")))
			src, ok := d.Sources[at]
			if f.Model {
				f.Sentence = sentenceOf(src, lines[src.Page])
			}
			view.Facts = append(view.Facts, f)
			if !ok || src.Page < 1 || src.Page > len(v.Pages) {
				continue
			}
			if b, ok := percentBox(src.Box, sizes[src.Page]); ok {
				b.ID, b.Title, b.Model = f.ID, at+" = "+f.Value, f.Model
				v.Pages[src.Page-1].Boxes = append(v.Pages[src.Page-1].Boxes, b)
			}
		}
		v.Documents = append(v.Documents, view)
	}
	return v
}

func sortedPointers(sources map[string]dossier.Source, derived map[string]string) []string {
	var all []string
	for p := range sources {
		all = append(all, p)
	}
	for p := range derived {
		if _, have := sources[p]; !have {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, comparePointers)
	return all
}

// comparePointers orders pointers as people count: the tenth entry behind the second.
func comparePointers(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "/"), strings.Split(b, "/"), func(a, b string) int {
		m, notM := strconv.Atoi(a)
		n, notN := strconv.Atoi(b)
		if notM == nil && notN == nil {
			return cmp.Compare(m, n)
		}
		return cmp.Compare(a, b)
	})
}

func factOf(d dossier.ReadDocument, at, id string) factView {
	f := factView{ID: id, Path: strings.Split(strings.TrimPrefix(at, "/"), "/"), Value: document.FactAt(d.Facts, at)}
	src, printed := d.Sources[at]
	if !printed {
		f.Text, f.From = d.Derived[at], "derived"
		return f
	}
	where := fmt.Sprintf("p%d", src.Page)
	if cell, ok := src.Box.(string); ok {
		where = cell
	}
	f.Model = src.Method == "model"
	f.Text, f.From = src.Text, fmt.Sprintf("%s %s %.0f %%", src.Method, where, src.Confidence*100)
	return f
}

// sentenceOf is the line that a source stands in, as it is printed: of its cell, or the one that its box is most in.
func sentenceOf(src dossier.Source, lines []text.Line) string {
	box, placed := numbersOf(src.Box)
	best, most := "", 0.0
	for _, l := range lines {
		if cell, ok := src.Box.(string); ok {
			if slices.ContainsFunc(l.Tokens, func(t text.Token) bool { return t.Cell == cell }) {
				return l.Text()
			}
			continue
		}
		if at := l.Box(); placed {
			if common := text.Overlap(at.Y0, at.Y1, box[1], box[3]); common > most {
				best, most = l.Text(), common
			}
		}
	}
	return best
}

// numbersOf are the four numbers of a box, which comes from JSON as []any.
func numbersOf(box any) ([]float64, bool) {
	var n []float64
	switch b := box.(type) {
	case []float64:
		n = b
	case []any:
		for _, v := range b {
			if f, ok := v.(float64); ok {
				n = append(n, f)
			}
		}
	}
	return n, len(n) == 4
}

// percentBox turns a box into percent of its page.
func percentBox(box any, size [2]float64) (boxView, bool) {
	n, ok := numbersOf(box)
	if !ok || size[0] <= 0 || size[1] <= 0 {
		return boxView{}, false
	}
	return boxView{Left: n[0] / size[0] * 100, Top: n[1] / size[1] * 100, Width: (n[2] - n[0]) / size[0] * 100,
		Height: (n[3] - n[1]) / size[1] * 100}, true
}

//go:embed readpage.html
var pageHTML string

var pageTemplate = template.Must(template.New("read").Parse(pageHTML))
