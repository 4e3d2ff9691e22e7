package dossier

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
)

// File is a file to upload. It is read while it is sent, never as a whole.
type File struct {
	Name        string
	ContentType string // by the name's ending when it is empty
	Size        int64  // bytes, -1 when they are not known
	// Open begins to read the file, and again for each repeat. Without it Reader is sent, once.
	Open   func() (io.ReadCloser, error)
	Reader io.Reader
}

// FileAt is a file of the disk.
func FileAt(path string) (File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return File{}, err
	}
	open := func() (io.ReadCloser, error) { return os.Open(path) }
	return File{Name: filepath.Base(path), Size: info.Size(), Open: open}, nil
}

// FileOf is a file whose bytes are at hand.
func FileOf(name string, data []byte) File {
	return File{Name: name, Size: int64(len(data)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(data)), nil
	}}
}

// part is one field of a form, or one file.
type part struct {
	name, value string
	file        *File
}

// addPart adds what is not zero.
func addPart(parts []part, name string, value any) []part {
	switch v := value.(type) {
	case File:
		if v.Open == nil && v.Reader == nil {
			return parts
		}
		return append(parts, part{name: name, file: &v})
	case []File:
		for i := range v {
			parts = append(parts, part{name: name, file: &v[i]})
		}
		return parts
	case bool:
		if v {
			return append(parts, part{name: name, value: "true"})
		}
		return parts
	}
	if text := fmt.Sprint(value); text != "" {
		parts = append(parts, part{name: name, value: text})
	}
	return parts
}

// openParts strings the heads of the parts and their files together. The size is -1 when one file's is not known.
func openParts(parts []part) (io.Reader, int64, string, error) {
	var heads bytes.Buffer
	form := multipart.NewWriter(&heads)
	body := &formBody{}
	size := int64(0)
	for _, p := range parts {
		if p.file == nil {
			if err := form.WriteField(p.name, p.value); err != nil {
				return nil, 0, "", err
			}
			continue
		}
		if _, err := form.CreatePart(p.file.header(p.name)); err != nil {
			return nil, 0, "", err
		}
		size = body.head(&heads, size)
		file, err := p.file.open()
		if err != nil {
			return nil, 0, "", err
		}
		body.readers, body.files = append(body.readers, file), append(body.files, file)
		if p.file.Size < 0 || size < 0 {
			size = -1
			continue
		}
		size += p.file.Size
	}
	if err := form.Close(); err != nil {
		return nil, 0, "", err
	}
	size = body.head(&heads, size)
	body.Reader = io.MultiReader(body.readers...)
	return body, size, form.FormDataContentType(), nil
}

// formBody reads the parts and closes the files when the request is done.
type formBody struct {
	io.Reader
	readers []io.Reader
	files   []io.Closer
}

// head takes what was written between files.
func (b *formBody) head(heads *bytes.Buffer, size int64) int64 {
	text := bytes.Clone(heads.Bytes())
	heads.Reset()
	b.readers = append(b.readers, bytes.NewReader(text))
	if size < 0 {
		return size
	}
	return size + int64(len(text))
}

// Close closes all files.
func (b *formBody) Close() error {
	var first error
	for _, file := range b.files {
		if err := file.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

func (f *File) open() (io.ReadCloser, error) {
	if f.Open != nil {
		return f.Open()
	}
	return io.NopCloser(f.Reader), nil
}

var quotes = strings.NewReplacer(`\`, `\\`, `"`, "%22", "\r", "%0D", "\n", "%0A")

func (f *File) header(field string) textproto.MIMEHeader {
	kind := f.ContentType
	if kind == "" {
		kind = mime.TypeByExtension(filepath.Ext(f.Name))
	}
	if kind == "" {
		kind = "application/octet-stream"
	}
	place := fmt.Sprintf(`form-data; name="%s"; filename="%s"`, quotes.Replace(field), quotes.Replace(f.Name))
	return textproto.MIMEHeader{"Content-Type": {kind}, "Content-Disposition": {place}}
}
