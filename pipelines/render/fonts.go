package render

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/go-fonts/dejavu/dejavusans"
	"github.com/go-fonts/dejavu/dejavusansbold"
	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansregular"
	"github.com/johnfercher/maroto/v2/pkg/components/text"
	"github.com/johnfercher/maroto/v2/pkg/consts/align"
	"github.com/johnfercher/maroto/v2/pkg/consts/fontstyle"
	"github.com/johnfercher/maroto/v2/pkg/core"
	"github.com/johnfercher/maroto/v2/pkg/core/entity"
	"github.com/johnfercher/maroto/v2/pkg/props"
	"github.com/johnfercher/maroto/v2/pkg/repository"
	"golang.org/x/image/font/sfnt"
)

// The fonts that no module has; fonts/LICENSES.md says whose they are.
var (
	//go:embed fonts/WenQuanYiMicroHei.ttf.gz
	microHei []byte
	//go:embed fonts/Lohit-Devanagari.ttf.gz
	lohitDevanagari []byte
)

// face is a font that draws some scripts. One without a bold cut is drawn as it is.
type face struct {
	family        string
	regular, bold []byte
	parsed        [2]*sfnt.Font // regular, bold
}

// faces are the fonts in the order in which they are asked for a letter: Latin, Greek, Cyrillic and Hebrew; Arabic,
// Armenian and Georgian; Devanagari; Chinese, Japanese and Korean.
var faces = sync.OnceValues(func() ([]*face, error) {
	list := []*face{{family: family, regular: liberationsansregular.TTF, bold: liberationsansbold.TTF},
		{family: "dejavu", regular: dejavusans.TTF, bold: dejavusansbold.TTF},
		{family: "devanagari", regular: lohitDevanagari}, {family: "cjk", regular: microHei}}
	for _, f := range list {
		if f.bold == nil {
			r, err := gzip.NewReader(bytes.NewReader(f.regular))
			if err != nil {
				return nil, fmt.Errorf("font %s: %w", f.family, err)
			}
			if f.regular, err = io.ReadAll(r); err != nil {
				return nil, fmt.Errorf("font %s: %w", f.family, err)
			}
			f.bold = f.regular
		}
		for i, data := range [][]byte{f.regular, f.bold} {
			parsed, err := sfnt.Parse(data)
			if err != nil {
				return nil, fmt.Errorf("font %s: %w", f.family, err)
			}
			f.parsed[i] = parsed
		}
	}
	return list, nil
})

// fonts are a report's own copies of the fonts that it uses: the PDF library writes into the bytes it is given.
func (m *ruler) fonts() ([]*entity.CustomFont, error) {
	r := repository.New()
	for i, f := range m.faces {
		if i == 0 || m.used[i] {
			r = r.AddUTF8FontFromBytes(f.family, fontstyle.Normal, bytes.Clone(f.regular)).
				AddUTF8FontFromBytes(f.family, fontstyle.Bold, bytes.Clone(f.bold))
		}
	}
	return r.Load()
}

// words draws a line of text, each part in the font that has its letters. Parts stand beside each other from the edge
// that the text is aligned to.
func (m *ruler) words(s string, style props.Text) []core.Component {
	bold := style.Style == fontstyle.Bold
	runs := m.runs(visual(s), bold)
	if len(runs) == 0 {
		return []core.Component{text.New(s, style)}
	}
	var parts []core.Component
	after, before := 0.0, 0.0
	for _, r := range runs {
		after += m.width(r.text, style.Size, bold)
	}
	for _, r := range runs {
		wide := m.width(r.text, style.Size, bold)
		after -= wide
		part := style
		part.Family = m.faces[r.face].family
		m.used[r.face] = true
		if style.Align == align.Right {
			part.Right += after
		} else {
			part.Left += before
		}
		parts = append(parts, text.New(r.text, part))
		before += wide
	}
	return parts
}

// run is a part of a line in one font.
type run struct {
	text string
	face int
}

// runs parts a line by the fonts that have its letters. Spaces stay with what stands before them.
func (m *ruler) runs(s string, bold bool) []run {
	var all []run
	var b strings.Builder
	at := -1
	for _, r := range s {
		_, face := m.glyph(glyph{r, bold})
		if at >= 0 && (r == ' ' || face == at) {
			b.WriteRune(r)
			continue
		}
		if b.Len() > 0 {
			all = append(all, run{b.String(), at})
			b.Reset()
		}
		at = face
		b.WriteRune(r)
	}
	if b.Len() > 0 {
		all = append(all, run{b.String(), at})
	}
	return all
}
