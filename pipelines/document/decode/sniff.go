package decode

import (
	"bytes"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"github.com/dossierhq/dossier/pipelines/document/decode/bankfile"
	"github.com/dossierhq/dossier/pipelines/document/decode/office"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Sniff names the media type of data by its content; a file's name and declared type are labels only.
func Sniff(data []byte) string {
	head := data[:min(len(data), 3072)]
	if i := bytes.Index(data[:min(len(data), 1024)], []byte("%PDF-")); i >= 0 {
		return MIMEPDF // readers accept junk before the header
	}
	if bytes.HasPrefix(data, office.OLEMagic) {
		return office.SniffOLE(data)
	}
	mime, _, _ := strings.Cut(mimetype.Detect(head).String(), ";")
	if strings.HasPrefix(mime, "text/") || mime == "application/json" || mime == "application/xml" ||
		mime == "application/octet-stream" && office.LooksUTF16(head) {
		return sniffText(data, mime)
	}
	return mime
}

// sniffText tells tables, letters and plain text apart.
func sniffText(data []byte, mime string) string {
	text := office.Text(data[:min(len(data), 64<<10)])
	if mailHead.MatchString(text) {
		return MIMEMail
	}
	if bank := bankfile.Sniff(text[:min(len(text), 8<<10)]); bank != "" {
		return bank
	}
	if mime == "text/html" || mime == "application/xml" || mime == "text/xml" || mime == "text/rtf" {
		return mime
	}
	if _, ok := office.SniffDelimiter(text); ok {
		return MIMECSV
	}
	return mimeText
}

var mailHead = lazyregexp.New(`(?is)\A(?:(?:received|return-path|delivered-to|from|to|subject|date|message-id` +
	`|mime-version|content-type|x-[\w-]+|dkim-signature|arc-[\w-]+|reply-to|cc):[^\n]*\n(?:[ \t][^\n]*\n)*){3,}`)
