package api

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
)

const (
	// bytes of an attachment that are kept in memory: what a report about a message says is in them
	mailHead  = 64 << 10
	mailDepth = 32
)

// mailFile is an attachment whose bytes went into object storage while the message was read.
type mailFile struct {
	file    postgres.NewFile
	head    []byte // its first bytes
	tooBig  bool
	damaged bool // not base64
}

// mailReader reads a message of any size: the content of attachments is decoded into object storage as it passes, and
// only the rest of the JSON is kept.
type mailReader struct {
	c     *fiber.Ctx
	s     *Server
	ws    dossier.WorkspaceID
	in    *bufio.Reader
	left  int          // bytes that may still come
	rest  bytes.Buffer // the JSON, a word in place of each content
	files []mailFile   // by place in attachments
	name  string       // of the attachment that is being read, as far as it has come
	kind  string
}

var errMail = dossier.Coded(dossier.Invalid, "invalid_json", "The body is not JSON")

// readMail reads the body. What it stored is in the mailReader also when it fails.
func (s *Server) readMail(c *fiber.Ctx, ws dossier.WorkspaceID) (*mailReader, inboundBody, error) {
	m := &mailReader{c: c, s: s, ws: ws, left: inboundLimit}
	var body inboundBody
	if err := web.WantJSON(c); err != nil {
		return m, body, err
	}
	if c.Request().Header.ContentLength() > inboundLimit {
		return m, body, web.TooLarge(inboundLimit)
	}
	stream := c.Context().RequestBodyStream()
	if stream == nil {
		stream = bytes.NewReader(nil)
	}
	m.in = bufio.NewReaderSize(stream, 32<<10)
	err := m.value(mailPlace{})
	if err == nil {
		err = m.copyRest()
	}
	if err != nil {
		return m, body, err
	}
	c.Locals(web.BodyKey, m.rest.Bytes())
	c.Locals(web.TenantKey, ws)
	if body, err = decode[inboundBody](c); err != nil {
		return m, body, err
	}
	return m, body, m.fill(&body)
}

// fill puts the first bytes of the attachments where they were read from.
func (m *mailReader) fill(body *inboundBody) error {
	var faults []dossier.Fault
	for i := range body.Attachments {
		if i >= len(m.files) {
			break
		}
		if m.files[i].damaged {
			faults = append(faults, dossier.Fault{Pointer: fmt.Sprintf("/attachments/%d/content", i),
				Code: "invalid_value", Detail: "content must be base64"})
		}
		body.Attachments[i].Content = base64.StdEncoding.EncodeToString(m.files[i].head)
	}
	if len(faults) > 0 {
		return dossier.InvalidFaults(faults)
	}
	return nil
}

// mailPlace is where a value stands, as far as it matters.
type mailPlace struct {
	depth int
	in    string // "attachments": in its list; "attachment": in one of them
	name  string // of the member
}

func (m *mailReader) next() (byte, error) {
	b, err := m.in.ReadByte()
	if err != nil {
		if errors.Is(err, io.EOF) {
			return 0, dossier.Coded(dossier.Invalid, "invalid_json", "The body is not JSON: it ends too early")
		}
		return 0, dossier.Coded(dossier.Invalid, "invalid_json", "The body ended early")
	}
	if m.left--; m.left < 0 {
		return 0, web.TooLarge(inboundLimit)
	}
	return b, nil
}

// keep adds to the JSON that is kept.
func (m *mailReader) keep(b ...byte) error {
	if m.rest.Len()+len(b) > web.JSONLimit {
		return web.TooLarge(web.JSONLimit)
	}
	m.rest.Write(b)
	return nil
}

// token is the next byte that is no white space.
func (m *mailReader) token() (byte, error) {
	for {
		b, err := m.next()
		if err != nil || b != ' ' && b != '\t' && b != '\n' && b != '\r' {
			return b, err
		}
	}
}

func (m *mailReader) value(at mailPlace) error {
	b, err := m.token()
	if err != nil {
		return err
	}
	if at.depth > mailDepth {
		return dossier.Coded(dossier.Invalid, "invalid_json", "The body is nested deeper than %d levels", mailDepth)
	}
	switch {
	case b == '{':
		return m.members(at)
	case b == '[':
		return m.elements(at)
	case b != '"':
		return m.literal(b)
	case at.in == "attachment" && at.name == "content":
		return m.content()
	}
	text, err := m.text()
	if at.in == "attachment" && at.name == "filename" {
		m.name = text
	}
	if at.in == "attachment" && at.name == "contentType" {
		m.kind = text
	}
	return err
}

// literal is a number or a word; what follows it stays to be read.
func (m *mailReader) literal(b byte) error {
	for {
		if err := m.keep(b); err != nil {
			return err
		}
		ahead, err := m.in.Peek(1)
		if err != nil || bytes.IndexByte([]byte(",]} \t\r\n"), ahead[0]) >= 0 {
			return nil
		}
		if b, err = m.next(); err != nil {
			return err
		}
	}
}

// text keeps a string whose first quote was read, and returns what it says.
func (m *mailReader) text() (string, error) {
	start := m.rest.Len()
	if err := m.keep('"'); err != nil {
		return "", err
	}
	for escaped := false; ; {
		b, err := m.next()
		if err != nil {
			return "", err
		}
		if err := m.keep(b); err != nil {
			return "", err
		}
		switch {
		case escaped:
			escaped = false
		case b == '\\':
			escaped = true
		case b == '"':
			var text string
			_ = json.Unmarshal(m.rest.Bytes()[start:], &text) // what is no string is found when the whole is decoded
			return text, nil
		}
	}
}

func (m *mailReader) members(at mailPlace) error {
	if at.in == "attachments" {
		at.in, m.name, m.kind = "attachment", "", ""
		m.files = append(m.files, mailFile{})
	} else if at.depth > 0 {
		at.in = ""
	}
	return m.list('{', '}', func() error {
		b, err := m.token()
		if err != nil || b != '"' {
			return errors.Join(err, errMail)
		}
		name, err := m.text()
		if err != nil {
			return err
		}
		if b, err = m.token(); err != nil || b != ':' {
			return errors.Join(err, errMail)
		}
		if err := m.keep(':'); err != nil {
			return err
		}
		return m.value(mailPlace{depth: at.depth + 1, in: at.in, name: name})
	})
}

func (m *mailReader) elements(at mailPlace) error {
	in := ""
	if at.depth == 1 && at.name == "attachments" {
		in = "attachments"
	}
	return m.list('[', ']', func() error { return m.value(mailPlace{depth: at.depth + 1, in: in}) })
}

// list keeps what stands between two brackets, separated by commas.
func (m *mailReader) list(open, end byte, one func() error) error {
	if err := m.keep(open); err != nil {
		return err
	}
	for first := true; ; first = false {
		b, err := m.token()
		if err != nil {
			return err
		}
		switch {
		case b == end:
			return m.keep(end)
		case first:
			if err := m.in.UnreadByte(); err != nil {
				return err
			}
			m.left++
		case b != ',':
			return errMail
		default:
			if err := m.keep(','); err != nil {
				return err
			}
		}
		if err := one(); err != nil {
			return err
		}
	}
}

// copyRest keeps what follows the value: it is a fault, which decoding names.
func (m *mailReader) copyRest() error {
	rest, err := io.ReadAll(io.LimitReader(m.in, web.JSONLimit))
	if err != nil {
		return dossier.Coded(dossier.Invalid, "invalid_json", "The body ended early")
	}
	return m.keep(rest...)
}

// content decodes the content of an attachment, whose first quote was read. A small one is kept until it is known what
// becomes of the message; a larger one goes into object storage.
func (m *mailReader) content() error {
	f := &m.files[len(m.files)-1]
	chars := &mailChars{m: m}
	data := base64.NewDecoder(base64.StdEncoding, chars)
	f.file = postgres.NewFile{ID: dossier.DocumentID(postgres.NewID()), Filename: web.FileName(m.name),
		MimeType: web.MediaType(m.kind)}
	f.file.ObjectKey = objects.DocumentKey(m.ws, f.file.ID)
	var err error
	if f.head, err = io.ReadAll(io.LimitReader(data, mailHead)); err == nil && len(f.head) == mailHead {
		err = m.s.storeMail(m.c, f, io.MultiReader(bytes.NewReader(f.head), data))
	}
	if chars.err != nil {
		return chars.err // the body ended, or is no JSON
	}
	var corrupt base64.CorruptInputError
	switch {
	case dossier.KindOf(err) == dossier.TooLarge:
		f.tooBig = true
	case errors.As(err, &corrupt), errors.Is(err, io.ErrUnexpectedEOF), dossier.KindOf(err) == dossier.Invalid:
		f.damaged = true
	case err != nil:
		return err
	}
	if _, err := io.Copy(io.Discard, chars); err != nil {
		return err
	}
	word := `""`
	if chars.any {
		word = `"AAAA"` // there was something
	}
	return m.keep([]byte(word)...)
}

// storeMail puts the bytes of an attachment into object storage.
func (s *Server) storeMail(c *fiber.Ctx, f *mailFile, data io.Reader) error {
	stored, err := s.Objects.Put(c.UserContext(), f.file.ObjectKey, f.file.MimeType, data, dossier.MaxMailFile)
	if err != nil {
		return err
	}
	f.file.Size = stored.Size
	f.file.SHA256, err = hex.DecodeString(stored.SHA256)
	return err
}

// mailChars reads the characters of a JSON string up to its quote.
type mailChars struct {
	m    *mailReader
	any  bool
	done bool
	err  error
}

// Read implements io.Reader.
func (r *mailChars) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) && !r.done && r.err == nil {
		b, err := r.m.next()
		switch {
		case err != nil:
			r.err = err
		case b == '"':
			r.done = true
		case b == '\\':
			p[n], r.err = r.escaped()
			n++
		default:
			p[n] = b
			n++
		}
	}
	r.any = r.any || n > 0
	if n > 0 {
		return n, nil
	}
	if r.err != nil {
		return 0, r.err
	}
	return 0, io.EOF
}

// escaped reads what stands behind a backslash. Of characters beyond ASCII base64 has none.
func (r *mailChars) escaped() (byte, error) {
	b, err := r.m.next()
	if err != nil {
		return 0, err
	}
	switch b {
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case '/', '"', '\\':
		return b, nil
	case 'u':
		var digits [4]byte
		for i := range digits {
			if digits[i], err = r.m.next(); err != nil {
				return 0, err
			}
		}
		code, err := strconv.ParseUint(string(digits[:]), 16, 16)
		if err != nil {
			return 0, errMail
		}
		return byte(min(code, 0xff)), nil
	}
	return '!', nil // no character of base64
}

// stored are the files that are in object storage.
func (m *mailReader) stored() []postgres.NewFile {
	var files []postgres.NewFile
	for _, f := range m.files {
		if f.file.SHA256 != nil {
			files = append(files, f.file)
		}
	}
	return files
}
