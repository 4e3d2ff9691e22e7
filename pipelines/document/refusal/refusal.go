// Package refusal says why a stored file cannot be read: a code of decisions.md section 3 and a sentence for people.
package refusal

import (
	"errors"
	"fmt"
)

// Refusal is why a file cannot be read. Detail is for people and holds nothing of the file.
type Refusal struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// New is a refusal of the code, with a sentence in the manner of fmt.Sprintf.
func New(code, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// Error lets decoders hand a refusal up as an error; Read gives it back as a result.
func (r *Refusal) Error() string { return r.Code + ": " + r.Detail }

// Codes of refusals (decisions.md section 3): why a stored file has no facts.
const (
	Encrypted       = "encrypted"
	Corrupt         = "corrupt"
	UnsupportedType = "unsupported_type"
	TooLarge        = "too_large"
	TooManyPages    = "too_many_pages"
	Timeout         = "timeout"
	Memory          = "memory"
	OCRUnavailable  = "ocr_unavailable"
)

// Of gives the refusal in err's chain. An error that is none is a decoder's complaint about the
// bytes: the file is corrupt.
func Of(err error) *Refusal {
	var r *Refusal
	if errors.As(err, &r) {
		return r
	}
	return New(Corrupt, "The file cannot be read: its structure is damaged.")
}
