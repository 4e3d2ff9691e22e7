package api

import (
	"io"
	"mime"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dossierhq/dossier"
)

// formValue reads a field of a form as text. Error: TooLarge.
func formValue(part io.Reader, limit int) (string, error) {
	data, err := io.ReadAll(io.LimitReader(part, int64(limit)+1))
	if err != nil {
		return "", brokenForm()
	}
	if len(data) > limit {
		return "", tooLarge(limit)
	}
	return string(data), nil
}

// fileName makes a name that can only be a label out of what a sender called a file: no folders, no control
// characters, at most 255 characters. It never decides what a file is or where it is kept.
func fileName(sent string) string {
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
	if runes := []rune(name); len(runes) > maxString {
		name = string(runes[:maxString])
	}
	if name == "" || name == "." || name == ".." {
		return "document"
	}
	return name
}

// mediaType is the type a sender declared, as a label; what a file is is read from its bytes.
func mediaType(declared string) string {
	kind, _, err := mime.ParseMediaType(declared)
	if err != nil || len(kind) > 127 || strings.ContainsFunc(kind, unicode.IsControl) {
		return "application/octet-stream"
	}
	return kind
}
