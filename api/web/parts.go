package web

import (
	"io"
	"mime"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dossierhq/dossier"
)

// FormValue reads a field of a form as text. Error: TooLarge.
func FormValue(part io.Reader, limit int) (string, error) {
	data, err := io.ReadAll(io.LimitReader(part, int64(limit)+1))
	if err != nil {
		return "", brokenForm()
	}
	if len(data) > limit {
		return "", TooLarge(limit)
	}
	return string(data), nil
}

// FileName makes a name that can only be a label out of what a sender called a file: no folders, no control
// characters, at most 255 characters. It never decides what a file is or where it is kept.
func FileName(sent string) string {
	if i := strings.LastIndexAny(sent, `/\`); i >= 0 {
		sent = sent[i+1:]
	}
	name := strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, sent))
	name = dossier.MaskSecrets(name)
	if runes := []rune(name); len(runes) > dossier.MaxString {
		name = string(runes[:dossier.MaxString])
	}
	if name == "" || name == "." || name == ".." {
		return "document"
	}
	return name
}

// MediaType is the type a sender declared, as a label; what a file is is read from its bytes.
func MediaType(declared string) string {
	kind, _, err := mime.ParseMediaType(declared)
	if err != nil || len(kind) > 127 || strings.ContainsFunc(kind, unicode.IsControl) {
		return "application/octet-stream"
	}
	return kind
}
