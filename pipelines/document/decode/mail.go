package decode

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/dossierhq/dossier/pipelines/document/decode/office"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// maxMailDepth caps messages within messages, and lists of parts within lists.
const maxMailDepth = 8

// decodeMail reads a message: its text as pages, then its attachments, each as the file it is, and what it forwards.
func (w *Decoder) decodeMail(data []byte) (text.Decoded, error) {
	m := mailReader{w: w, Decoded: text.Decoded{Layer: text.LayerNative}}
	if err := m.message(bytes.NewReader(data), 0); err != nil {
		return m.Decoded, err
	}
	if len(m.Pages) == 0 {
		return m.Decoded, refusal.New(refusal.Corrupt, "The message holds no text and no file that is read.")
	}
	m.PageCount = len(m.Pages)
	return m.Decoded, nil
}

// mailReader gathers the pages of a message and of what it carries.
type mailReader struct {
	w *Decoder
	text.Decoded
}

// message reads a message (RFC 5322).
func (m *mailReader) message(r io.Reader, depth int) error {
	message, err := mail.ReadMessage(r)
	if err != nil {
		return refusal.New(refusal.Corrupt, "The message is damaged and cannot be read.")
	}
	_, err = m.part(textproto.MIMEHeader(message.Header), message.Body, depth, false)
	return err
}

// part reads one part by its type (RFC 2045): a list of parts, a message, text, or a file. worded says that the same
// text was read already in a plainer form; part returns whether it was after this part.
func (m *mailReader) part(header textproto.MIMEHeader, body io.Reader, depth int, worded bool) (bool, error) {
	if depth > maxMailDepth || len(m.Pages) > m.w.limits.TextPages {
		return worded, nil
	}
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		kind = "text/plain"
	}
	if strings.HasPrefix(kind, "multipart/") {
		return m.parts(kind, multipart.NewReader(body, params["boundary"]), depth, worded)
	}
	body = transferDecoded(header.Get("Content-Transfer-Encoding"), body)
	if kind == MIMEMail {
		return worded, unlessDamaged(m.message(body, depth+1))
	}
	raw, err := io.ReadAll(io.LimitReader(body, m.w.limits.MaxBytes))
	switch {
	case err != nil && len(raw) == 0:
		return worded, nil
	case sentAsFile(header) || kind != "text/plain" && kind != "text/html":
		return worded, m.attach(raw, depth)
	case kind == "text/plain":
		return m.text(strings.Split(office.Text(raw), "\n")) || worded, nil
	case worded:
		return true, nil
	}
	return m.text(htmlLines(office.Text(raw))), nil
}

// parts reads the parts of a list. Alternatives come plainest first (RFC 2046 section 5.1.4), and the first that says
// something stands for all.
func (m *mailReader) parts(kind string, list *multipart.Reader, depth int, worded bool) (bool, error) {
	said := worded
	for range office.MaxZipEntries {
		part, err := list.NextRawPart()
		if err != nil {
			break
		}
		read, err := m.part(part.Header, part, depth+1, said)
		if err != nil {
			return said, err
		}
		if kind != "multipart/mixed" {
			said = read
		}
	}
	return said, nil
}

// text adds a page of text that the message itself says, unless it says nothing.
func (m *mailReader) text(lines []string) bool {
	if strings.TrimSpace(strings.Join(lines, "")) == "" {
		return false
	}
	m.Pages = append(m.Pages, office.PageOf(len(m.Pages)+1, lines))
	return true
}

// sentAsFile says whether a part is a file rather than what the message says (RFC 2183): text may be either.
func sentAsFile(header textproto.MIMEHeader) bool {
	disposition, params, _ := mime.ParseMediaType(header.Get("Content-Disposition"))
	_, named, _ := mime.ParseMediaType(header.Get("Content-Type"))
	return disposition == "attachment" || params["filename"] != "" || named["name"] != ""
}

func transferDecoded(encoding string, body io.Reader) io.Reader {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		return quotedprintable.NewReader(body)
	}
	return body
}

// attach decodes an attachment and adds its pages. One that cannot be read does not lose the others, but a limit that
// is hit ends the message.
func (m *mailReader) attach(raw []byte, depth int) error {
	if Sniff(raw) == MIMEMail {
		return unlessDamaged(m.message(bytes.NewReader(raw), depth+1))
	}
	part, err := m.w.Decode(raw)
	if err != nil {
		return unlessDamaged(err)
	}
	for _, p := range part.Pages {
		p.Number = len(m.Pages) + 1
		for i := range p.Tokens {
			p.Tokens[i].Page = p.Number
		}
		m.Pages = append(m.Pages, p)
	}
	if part.Layer != text.LayerNative {
		m.Layer = part.Layer
	}
	return nil
}

// unlessDamaged keeps only the errors that end a whole message: a limit that was hit, or a fault that is not the
// file's.
func unlessDamaged(err error) error {
	var fault *EngineFault
	if errors.As(err, &fault) {
		return err
	}
	var r *refusal.Refusal
	if errors.As(err, &r) && (r.Code == refusal.TooLarge || r.Code == refusal.Memory || r.Code == refusal.Timeout) {
		return r
	}
	return nil
}

// htmlLines is the text of a page of HTML: a line a block, and the cells of a table's row in columns. A row of one cell
// is no table but the way mail is laid out, so its blocks stay lines. What is not shown is left out.
func htmlLines(page string) []string {
	z := html.NewTokenizer(strings.NewReader(page))
	var lines, cells []string
	var text strings.Builder
	hidden := 0 // how deep within what is not shown
	for len(lines) < office.MaxParagraphs {
		kind := z.Next()
		if kind == html.ErrorToken { // the end
			break
		}
		if kind == html.TextToken {
			if hidden == 0 {
				text.WriteString(strings.ReplaceAll(string(z.Text()), "\n", " "))
			}
			continue
		}
		name, _ := z.TagName()
		switch tag := atom.Lookup(name); {
		case unseen[tag] && kind == html.StartTagToken:
			hidden++
		case unseen[tag] && kind == html.EndTagToken:
			hidden = max(hidden-1, 0)
		case kind == html.EndTagToken && (tag == atom.Td || tag == atom.Th):
			cells = append(cells, text.String())
			text.Reset()
		case kind == html.EndTagToken && tag == atom.Tr:
			lines, cells = append(lines, htmlRow(cells)...), nil
		case blocks[tag]:
			text.WriteByte('\n')
		}
	}
	return append(append(lines, htmlRow(cells)...), strings.Split(text.String(), "\n")...)
}

func htmlRow(cells []string) []string {
	if len(cells) == 1 {
		return strings.Split(cells[0], "\n")
	}
	for i, cell := range cells {
		cells[i] = strings.Join(strings.Fields(cell), " ")
	}
	return []string{office.TableRow(cells)}
}

var (
	unseen = map[atom.Atom]bool{atom.Script: true, atom.Style: true, atom.Title: true, atom.Template: true}
	blocks = map[atom.Atom]bool{atom.P: true, atom.Br: true, atom.Div: true, atom.Li: true, atom.Table: true,
		atom.Hr: true, atom.Blockquote: true,
		atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true, atom.H5: true, atom.H6: true, atom.Pre: true}
)
