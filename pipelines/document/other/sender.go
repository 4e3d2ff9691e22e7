package other

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Who sends an invoice, told from who is to pay it by what stands around their addresses.

// senderMark matches what senders print below their addresses: numbers of taxes and registers, ways to reach them.
var senderMark = lazyregexp.New(`(?i)\b(?:vat|gst(?:in)?|abn|siret|siren|tva|ust[-. ]?id\w*|steuer-?(?:nummer|nr)` +
	`|p\.? ?iva|partita iva|nif|cif|rfc|kvk|btw|cnpj|tel|t[ée]l|phone|telefon\w*|fax|e-?mail|www)\b|@`)

// receiverHead matches the caption above who is to pay, or below whose name a letter is directed to a person.
var (
	receiverHead = lazyregexp.New(`^(?:(?:bill|billed|sold|ship|shipped|deliver|invoice|invoiced|remit)(?: to)?|to` +
		`|for|attn|attention|an|client|customer|buyer|kunde|rechnung an|destinataire|facture a|adresse de facturation` +
		`|cliente|comprador|destinatario|facturar a|spett le|spettabile|exmo s sr s|exmos? senhor(?:es)?|klant|aan` +
		`|t a v)\b`)
	directed = lazyregexp.New(`^(?:attn|attention|c o|t a v|a l attention|z hd|z h|att)\b`)
)

// addressed begins the name of somebody who is written to.
var addressed = lazyregexp.New(`(?i)^(?:m/s|mrs?|ms|miss|mme|mlle|eheleute|familie|firma|mevr|dhr|gent\.?mo` +
	`|spett\.?le|exm[oa]\.?|sr|sra|copropri[ée]t[ée])[. ]`)

// findSender takes the only name above an address that is no receiver's and has a sender's marks below it.
func findSender(_ text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if values["issuer"] != nil {
		return
	}
	var sender *text.Party
	for _, p := range text.Parties(f.Lines) {
		if isReceiver(f.Lines, p.Name, p.Tokens) || isCaption(p.Name) ||
			!senderMark.MatchString(columnBelow(f.Lines, p.Tokens)) {
			continue
		}
		if sender != nil && sender.Name != p.Name {
			return
		}
		sender = &p
	}
	if sender != nil {
		values["issuer"] = sender.Name
		found.From("/issuer", sender.Tokens, "")
	}
}

// isReceiver reports whether a name is of who is written to: courtesy begins it, a caption stands above it, or the
// letter is directed to somebody below it.
func isReceiver(lines []text.Line, name string, tokens []text.Token) bool {
	if courtesyWord.MatchString(name) || addressed.MatchString(name) || len(tokens) == 0 {
		return true
	}
	at := text.BoxOf(tokens)
	cell := text.Line{Page: tokens[0].Page, X0: at.X0, Y0: at.Y0, X1: at.X1, Y1: at.Y1}
	if below, ok := nextCell(lines, cell, 1); ok && directed.MatchString(text.Fold(below.Text())) {
		return true
	}
	above, ok := nextCell(lines, cell, -1)
	return ok && receiverHead.MatchString(text.Fold(above.Text()))
}

// columnBelow is the text in the column below a name, down to the first wide gap.
func columnBelow(lines []text.Line, tokens []text.Token) string {
	at := text.BoxOf(tokens)
	cell := text.Line{Page: tokens[0].Page, X0: at.X0, Y0: at.Y0, X1: at.X1, Y1: at.Y1}
	var all strings.Builder
	for range 8 {
		below, ok := nextCell(lines, cell, 1)
		if !ok {
			break
		}
		all.WriteString(below.Text() + "\n")
		cell = below
	}
	return all.String()
}

// nextCell is the cell right below another one, or above it, that begins where it does.
func nextCell(lines []text.Line, cell text.Line, step int) (text.Line, bool) {
	height := cell.Y1 - cell.Y0
	best, ok := text.Line{}, false
	for _, l := range lines {
		next, aligned := text.AlignedCell(l, cell)
		gap := next.Y0 - cell.Y1
		if step < 0 {
			gap = cell.Y0 - next.Y1
		}
		if !aligned || gap < -0.4*height || gap > 1.3*height || (next.Y0-cell.Y0)*float64(step) <= 0.4*height {
			continue
		}
		if !ok || text.Abs(next.Y0-cell.Y0) < text.Abs(best.Y0-cell.Y0) {
			best, ok = next, true
		}
	}
	return best, ok
}
