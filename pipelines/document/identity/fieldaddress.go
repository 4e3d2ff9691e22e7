package identity

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// The address of cards of other countries than the United States has no ZIP to be known by, but a field of its own: 8
// on licences of Europe and Canada, or a caption. Sources: directive 2006/126/EC, annex I; the card design standard of
// the AAMVA, annex A.
var (
	addressNumber = lazyregexp.New(`^8[.:,]?$`)
	addressHead   = lazyregexp.New(`^(?:address|adresse|direccion|domicilio|domicile|residencia|residence|anschrift` +
		`|indirizzo|morada|endereco|adres|domiciliu)(?: (?:address|adresse|adres))*$`)
	// fieldHead begins the field behind an address.
	fieldHead = lazyregexp.New(`^(?:[1-9][.:,]?|[1-9][0-9]?[abcd]?[.:]|4[abcd]|1[0-9]` +
		`|(?i:curp|clave|rfc|nif|dni|estado|municipio|secci[oó]n|localidad)\b.*)$`)
)

// mostAddress is how many lines an address has below its first.
const mostAddress = 2

// addressField reads the address by its field.
func (r *identityReader) addressField() {
	if r.facts.Address != nil {
		return
	}
	for i, l := range r.lines {
		for _, cell := range l.Cells() {
			tokens, numbered := cell.Tokens, addressNumber.MatchString(cell.Tokens[0].Text)
			if numbered {
				tokens = tokens[1:]
			}
			captioned := len(tokens) > 0 && addressHead.MatchString(text.Fold(text.Join(tokens)))
			if !numbered && !captioned {
				continue
			}
			if captioned {
				tokens = nil
			}
			if used := r.addressLines(i, cell, tokens); isAddress(used) {
				r.set(&r.facts.Address, "/address", joinedLines(used), slices.Concat(used...))
				return
			}
		}
	}
}

// addressLines are the lines of an address: what stands beside its caption, and what goes on right below.
func (r *identityReader) addressLines(i int, caption text.Line, first []text.Token) [][]text.Token {
	var used [][]text.Token
	above := caption
	if len(first) > 0 {
		used = append(used, first)
		above = lineOf(first)
	}
	for j := i + 1; j < len(r.lines) && len(used) <= mostAddress && r.lines[j].Page == caption.Page; j++ {
		height := above.Y1 - above.Y0
		if r.lines[j].Y0-above.Y1 > 1.1*height+2 {
			break
		}
		cell, ok := looselyAligned(r.lines[j], above)
		if !ok {
			continue
		}
		if fieldHead.MatchString(cell.Tokens[0].Text) && len(used) > 0 || anyFieldWord(cell.Text()) ||
			holdsCaption(cell.Text()) || len(cell.Dates(r.Order)) > 0 || text.MeanConfidence(cell.Tokens) < 0.6 {
			break
		}
		used = append(used, cell.Tokens)
		above = cell
	}
	return used
}

func lineOf(tokens []text.Token) text.Line {
	box := text.BoxOf(tokens)
	return text.Line{Page: tokens[0].Page, Tokens: tokens, X0: box.X0, Y0: box.Y0, X1: box.X1, Y1: box.Y1}
}

// isAddress reports whether lines hold a number and the name of a street or a place.
func isAddress(lines [][]text.Token) bool {
	digits, words := false, 0
	for _, line := range lines {
		for _, t := range line {
			digits = digits || text.HasDigits(t.Text, 1)
			if len(text.Fold(t.Text)) > 2 && !text.HasDigits(t.Text, 1) {
				words++
			}
		}
	}
	return digits && words >= 2
}

func joinedLines(lines [][]text.Token) string {
	var all []string
	for _, line := range lines {
		all = append(all, strings.Trim(text.Join(line), " ,"))
	}
	return strings.Join(all, ", ")
}
