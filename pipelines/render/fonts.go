package render

import (
	"bytes"
	"compress/gzip"
	"embed"
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

// packed are the fonts that no module has; fonts/LICENSES.md says whose they are.
//
//go:embed fonts/*.ttf.gz
var packed embed.FS

// packedFaces are the names of packed fonts by script, in the order in which they are asked for a letter: those of
// India and its neighbours, of South East Asia and of Ethiopia; Chinese, Japanese and Korean.
var packedFaces = [][2]string{{"devanagari", "Lohit-Devanagari"}, {"bengali", "NotoSansBengali-Regular"},
	{"gujarati", "NotoSansGujarati-Regular"}, {"gurmukhi", "NotoSansGurmukhi-Regular"},
	{"tamil", "NotoSansTamil-Regular"}, {"telugu", "NotoSansTelugu-Regular"},
	{"kannada", "NotoSansKannada-Regular"}, {"malayalam", "NotoSansMalayalam-Regular"},
	{"oriya", "NotoSansOriya-Regular"}, {"sinhala", "NotoSansSinhala-Regular"}, {"thai", "NotoSansThai-Regular"},
	{"lao", "NotoSansLao-Regular"}, {"khmer", "NotoSansKhmer-Regular"}, {"myanmar", "NotoSansMyanmar-Regular"},
	{"ethiopic", "NotoSansEthiopic-Regular"}, {"cjk", "WenQuanYiMicroHei"}}

// face is a font that draws some scripts. One without a bold cut is drawn as it is.
type face struct {
	family        string
	regular, bold []byte
	parsed        [2]*sfnt.Font // regular, bold
}

// faces are the fonts in the order in which they are asked for a letter: Latin, Greek, Cyrillic and Hebrew; Arabic,
// Armenian and Georgian; the packed ones.
var faces = sync.OnceValues(func() ([]*face, error) {
	list := []*face{{family: family, regular: liberationsansregular.TTF, bold: liberationsansbold.TTF},
		{family: "dejavu", regular: dejavusans.TTF, bold: dejavusansbold.TTF}}
	for _, p := range packedFaces {
		data, err := readFont(p[1])
		if err != nil {
			return nil, fmt.Errorf("font %s: %w", p[0], err)
		}
		list = append(list, &face{family: p[0], regular: data, bold: data})
	}
	for _, f := range list {
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

func readFont(name string) ([]byte, error) {
	data, err := packed.ReadFile("fonts/" + name + ".ttf.gz")
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

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
	runs := m.runs(displayOrder(s), bold)
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
