package web

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"mime"
	"mime/multipart"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
)

// maxUpload is the whole body of an upload: ten files of 100 MB and their fields.
const maxUpload = 10*(100<<20) + 1<<20

// form reads a multipart body part by part, as it arrives, holding none of it, and hashes what goes by: names,
// file names and bytes, so that the boundary, which every client chooses anew, does not matter. After the last
// part the hash is the idempotency claim's.
type form struct {
	reader *multipart.Reader
	part   *FormPart
	sum    hash.Hash
	claim  *postgres.IdempotencyClaim
	end    error // io.EOF after the last part, or what broke
}

// FormPart is one part. It must be read before the next is asked for; what is left unread is skipped.
type FormPart struct {
	*multipart.Part
	sum  hash.Hash
	size int64
}

// EachPart hands the parts of a multipart body to do, in the order they arrive. A file of 100 MB flows from the
// connection to where do copies it. It returns after the last part: only then a store call may follow. Errors:
// Unsupported (not multipart), TooLarge, Invalid (cut short or malformed), and do's own.
func EachPart(c *fiber.Ctx, do func(*FormPart) error) error {
	f, err := openForm(c)
	if err != nil {
		return err
	}
	for {
		part, err := f.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := do(part); err != nil {
			return err
		}
	}
}

func openForm(c *fiber.Ctx) (*form, error) {
	if f, ok := c.Locals(formKey).(*form); ok {
		return f, nil
	}
	kind, params, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || kind != fiber.MIMEMultipartForm || params["boundary"] == "" {
		return nil, dossier.Errorf(dossier.Unsupported,
			"This operation takes Content-Type: multipart/form-data with a boundary")
	}
	if c.Request().Header.ContentLength() > maxUpload {
		return nil, TooLarge(maxUpload)
	}
	var stream io.Reader = strings.NewReader("")
	if body := c.Context().RequestBodyStream(); body != nil {
		stream = io.LimitReader(body, maxUpload)
	}
	f := &form{reader: multipart.NewReader(stream, params["boundary"]), sum: sha256.New()}
	f.claim, _ = c.Locals(ClaimKey).(*postgres.IdempotencyClaim)
	c.Locals(formKey, f)
	return f, nil
}

// next gives the next part; io.EOF after the last.
func (f *form) next() (*FormPart, error) {
	if f.end != nil {
		return nil, f.end
	}
	if f.part != nil {
		if _, err := io.Copy(io.Discard, f.part); err != nil {
			f.end = err
			return nil, err
		}
		// Bytes cannot imitate the line of a next part: each part ends with its length.
		_, _ = fmt.Fprintf(f.sum, "\n%d bytes\n", f.part.size)
	}
	part, err := f.reader.NextRawPart()
	switch {
	case errors.Is(err, io.EOF):
		f.end = io.EOF
		if f.claim != nil {
			f.claim.BodyHash = f.sum.Sum(nil)
		}
		return nil, io.EOF
	case err != nil:
		f.end = brokenForm()
		return nil, f.end
	}
	_, _ = fmt.Fprintf(f.sum, "part %q %q\n", part.FormName(), part.FileName())
	f.part = &FormPart{Part: part, sum: f.sum}
	return f.part, nil
}

// Read reads the part's bytes.
func (p *FormPart) Read(into []byte) (int, error) {
	n, err := p.Part.Read(into)
	_, _ = p.sum.Write(into[:n]) // a hash cannot fail
	p.size += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		err = brokenForm()
	}
	return n, err
}

// FinishForm reads what is left of a form and returns the hash of the whole body.
func FinishForm(c *fiber.Ctx) ([]byte, error) {
	f, err := openForm(c)
	if err != nil {
		return nil, err
	}
	for {
		if _, err := f.next(); errors.Is(err, io.EOF) {
			return f.sum.Sum(nil), nil
		} else if err != nil {
			return nil, err
		}
	}
}

func brokenForm() error {
	return dossier.Coded(dossier.Invalid, "validation_failed", "The multipart body is malformed or ended early")
}
