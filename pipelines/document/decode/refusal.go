package decode

import (
	"errors"
	"fmt"
	"time"
)

// Refusal is why a file cannot be read. Detail is for people and holds nothing of the file.
type Refusal struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

func Refuse(code, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// Error lets decoders hand a refusal up as an error; Read gives it back as a result.
func (r *Refusal) Error() string { return r.Code + ": " + r.Detail }

// Codes of refusals (decisions.md section 3): why a stored file has no facts.
const (
	RefusedEncrypted   = "encrypted"
	RefusedCorrupt     = "corrupt"
	RefusedUnsupported = "unsupported_type"
	RefusedTooLarge    = "too_large"
	RefusedTooMany     = "too_many_pages"
	RefusedTimeout     = "timeout"
	RefusedMemory      = "memory"
	RefusedNoOCR       = "ocr_unavailable"
)

// Limits bound one reading. The zero value of a field is its default.
type Limits struct {
	MaxBytes   int64         // of the file: 100 MiB
	TextTime   time.Duration // without OCR: 60 s
	OCRTime    time.Duration // with OCR: 180 s of the processor; the clock gives it half as much again
	TextPages  int           // 300
	OCRPages   int           // 30
	Megapixels int           // an image: 40
	DataMiB    int           // writable memory of the process: 512
	CPUSeconds int           // of the process: 60
}

func (l Limits) OrDefaults() Limits {
	setDefault(&l.MaxBytes, 100<<20)
	setDefault(&l.TextTime, 60*time.Second)
	setDefault(&l.OCRTime, 180*time.Second)
	setDefault(&l.TextPages, 300)
	setDefault(&l.OCRPages, 30)
	setDefault(&l.Megapixels, 40)
	setDefault(&l.DataMiB, 512)
	setDefault(&l.CPUSeconds, 60)
	return l
}

// OCRClock is the time by the clock for a file with OCR: a busy machine gives a reading its share of the processor
// only.
func (l Limits) OCRClock() time.Duration { return l.OCRTime * 3 / 2 }

func setDefault[T int | int64 | time.Duration](v *T, def T) {
	if *v <= 0 {
		*v = def
	}
}

// AsRefusal gives the refusal in err's chain. An error that is none is a decoder's complaint about the
// bytes: the file is corrupt.
func AsRefusal(err error) *Refusal {
	var r *Refusal
	if errors.As(err, &r) {
		return r
	}
	return Refuse(RefusedCorrupt, "The file cannot be read: its structure is damaged.")
}
