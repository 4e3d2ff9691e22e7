package channel

import (
	_ "embed"
	"html/template"
	"regexp"
	"strings"

	"github.com/dossierhq/dossier"
)

//go:embed page.html
var pageSource string

var pageTemplate = template.Must(template.New("email").Parse(pageSource))

// block is a paragraph or a list of the message.
type block struct {
	Lines []line
	Items [][]piece
}

type line []piece

// piece is words, or a link.
type piece struct {
	Text string
	Link string
}

// footer says at the end of an email why it was sent and how to unsubscribe.
type footer struct{ why, leave string }

var footers = map[dossier.Language]footer{
	dossier.English: {"You receive this email because you have a file with", "Stop these emails"},
	dossier.Spanish: {"Recibe este correo porque tiene un expediente con", "No recibir más correos"},
}

func footerOf(m dossier.Outgoing) footer {
	if f, ok := footers[m.Language]; ok {
		return f
	}
	return footers[dossier.English]
}

// htmlBody writes the words of a message as HTML: paragraphs, lists and links, nothing that loads anything.
func htmlBody(m dossier.Outgoing) (string, error) {
	f := footerOf(m)
	var page strings.Builder
	err := pageTemplate.Execute(&page, map[string]any{"Language": m.Language, "Company": m.Company,
		"Blocks": blocks(m.Body),
		"Why":    f.why, "Leave": f.leave, "Unsubscribe": m.Contact.Unsubscribe})
	return page.String(), err
}

var address = regexp.MustCompile(`https?://[^\s<>"]+`)

func blocks(body string) []block {
	var list []block
	for part := range strings.SplitSeq(body, "\n\n") {
		b := block{}
		for text := range strings.SplitSeq(strings.TrimSpace(part), "\n") {
			if item, ok := strings.CutPrefix(text, "- "); ok {
				b.Items = append(b.Items, pieces(item))
				continue
			}
			b.Lines = append(b.Lines, pieces(text))
		}
		list = append(list, b)
	}
	return list
}

func pieces(text string) []piece {
	var list []piece
	for {
		at := address.FindStringIndex(text)
		if at == nil {
			return append(list, piece{Text: text})
		}
		link := strings.TrimRight(text[at[0]:at[1]], ".,;)")
		list = append(list, piece{Text: text[:at[0]]}, piece{Text: displayURL(link), Link: link})
		text = text[at[0]+len(link):]
	}
}

// shownLength is what of an address stands on one line of a phone.
const shownLength = 32

// displayURL is an address as people read it. All of it is in the link, and in the plain part.
func displayURL(link string) string {
	_, text, _ := strings.Cut(link, "://")
	if runes := []rune(text); len(runes) > shownLength {
		return string(runes[:shownLength-1]) + "…"
	}
	return text
}
