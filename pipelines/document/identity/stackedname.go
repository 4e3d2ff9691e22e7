package identity

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// stackedName reads the name of the Mexican voter's card, which stands below one caption in three lines or four: the
// family name of the father, that of the mother, the given names. It also reads the one line of an Indian licence and
// of a card of the Emirates, which has the given names first. Sources: the model of the credential by the INE; the
// central motor vehicles rules, form 7.
func (r *identityReader) stackedName() bool {
	switch r.country() {
	case "MEX":
		return r.nameInLines("nombre")
	case "IND", "ARE":
		return r.nameInLine("name")
	}
	return false
}

// country is the one that the card names as its issuer.
func (r *identityReader) country() string {
	for _, l := range r.lines {
		if code := issuingCountry(l); code != "" {
			return code
		}
	}
	return ""
}

// nameInLines takes the lines right below a caption that stands alone, begun at its edge.
func (r *identityReader) nameInLines(caption string) bool {
	for i, l := range r.lines {
		for _, head := range l.Cells() {
			if text.Fold(head.Text()) != caption {
				continue
			}
			var parts [][]text.Token
			above := head
			for _, below := range r.lines[i+1 : min(len(r.lines), i+8)] {
				cell, ok := looselyAligned(below, above)
				if !ok {
					continue
				}
				v, used, isName := acceptName(cell.Tokens)
				if !isName || len(used) != len(cell.Tokens) || anyFieldWord(v) || holdsCaption(v) ||
					addressHead.MatchString(text.Fold(v)) || cell.Y0-above.Y1 > 1.5*(cell.Y1-cell.Y0) {
					break
				}
				parts, above = append(parts, used), cell
			}
			if len(parts) < 3 {
				continue
			}
			r.setNames(slices.Concat(parts[0], parts[1]), slices.Concat(parts[2:]...))
			return true
		}
	}
	return false
}

// nameInLine takes the words beside a caption, the last of them for the family name.
func (r *identityReader) nameInLine(caption string) bool {
	var name []text.Token
	_, _, ok := r.fields.Find(text.Field{Captions: []string{caption}, Begins: true,
		Accept: func(tokens []text.Token) (string, []text.Token, bool) {
			v, used, ok := acceptName(tokens)
			name = used
			return v, used, ok && len(used) > 1 && len(used) <= mostWhole && !anyFieldWord(v) && !holdsCaption(v)
		}})
	if !ok {
		return false
	}
	r.setNames(name[len(name)-1:], name[:len(name)-1])
	return true
}

// zeroForO matches a word of letters with one or two figures 0 among them.
var zeroForO = lazyregexp.New(`^[\pL'’-]*0[\pL'’-]*0?[\pL'’-]*$`)

// letterO is a word of a picture with the letter O for the figure 0, where all else are letters.
func letterO(t text.Token) string {
	if t.Method != text.MethodOCR || len(t.Text) < 4 || !zeroForO.MatchString(t.Text) {
		return t.Text
	}
	return strings.ReplaceAll(t.Text, "0", "O")
}
