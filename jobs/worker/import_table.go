package worker

import (
	"archive/zip"
	"bufio"
	"context"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"unicode"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
)

// temporary is a stored object on the worker's disk, without a name.
type temporary struct {
	*os.File
	size int64
}

// fetchTemporary copies an object to disk: an import reads for minutes what no connection is held open for. Error:
// NotFound.
func (w *Worker) fetchTemporary(ctx context.Context, key string) (temporary, error) {
	object, err := w.Objects.Get(ctx, key)
	if err != nil {
		return temporary{}, err
	}
	defer func() { _ = object.Close() }()
	file, err := os.CreateTemp("", "dossier-import-")
	if err != nil {
		return temporary{}, err
	}
	_ = os.Remove(file.Name()) // the open file stays, and goes with the process
	size, err := io.Copy(file, object)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		_ = file.Close()
		return temporary{}, err
	}
	return temporary{file, size}, nil
}

func (t temporary) discard() { _ = t.Close() }

// sheet reads rows with the numbers that a spreadsheet shows.
type sheet struct {
	reader *csv.Reader
	header []string
	size   int64
	number int // of the row read last
	line   int // on which it ended
	err    error
}

// tableRow is a row as it stands in the table; err: it could not be taken apart.
type tableRow struct {
	number int
	cells  []string
	err    error
}

// openSheet reads the first row, which the API has checked. Error: Invalid.
func openSheet(file temporary) (*sheet, error) {
	in := bufio.NewReaderSize(file, 1<<16)
	if bom, err := in.Peek(3); err == nil && string(bom) == "\ufeff" {
		_, _ = in.Discard(3) // they are there
	}
	t := &sheet{reader: csv.NewReader(in), size: file.size}
	t.reader.FieldsPerRecord = -1
	row, ok := t.next()
	t.header = dossier.ImportHeaderNames(row.cells)
	if faults := dossier.ImportHeader(t.header); !ok || row.err != nil || len(faults) > 0 {
		return nil, dossier.Coded(dossier.Invalid, "invalid_csv", "The first row of the table cannot be read")
	}
	return t, nil
}

// next reads a row; not ok at the end and when reading failed (err).
func (t *sheet) next() (tableRow, bool) {
	cells, err := t.reader.Read()
	var broken *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return tableRow{}, false
	case errors.As(err, &broken):
		return t.count(broken.StartLine, broken.Line, nil, err), true
	case err != nil:
		t.err = err
		return tableRow{}, false
	}
	line, _ := t.reader.FieldPos(0)
	end := line
	for _, cell := range cells {
		end += strings.Count(cell, "\n")
	}
	return t.count(line, end, cells, nil), true
}

// count numbers a row that stands on these lines; empty lines above it are rows, too.
func (t *sheet) count(line, end int, cells []string, err error) tableRow {
	t.number += line - t.line
	t.line = end
	return tableRow{t.number, cells, err}
}

// percent is how much of the table was read.
func (t *sheet) percent() int { return int(99 * t.reader.InputOffset() / max(t.size, 1)) }

// read takes the row for a lead.
func (r tableRow) read(header []string) (dossier.ImportRow, []dossier.ImportFault) {
	if r.err != nil {
		return dossier.ImportRow{Row: r.number}, []dossier.ImportFault{{Row: r.number, Code: "invalid_csv",
			Detail: "The row cannot be taken apart: write quotes inside of cells twice, and close each that is opened"}}
	}
	return dossier.ReadImportRow(header, r.cells, r.number)
}

// archive is a ZIP of documents, by their names.
type archive struct {
	files map[string]*zip.File // by path and, where it is the only one, by the last part of it
}

// maxDirectory is the most bytes of an archive that list its files: about 200,000 of them.
const maxDirectory = 16 << 20

// openArchive lists an archive. Error: Invalid.
func openArchive(file temporary) (*archive, error) {
	bounded := &boundedReader{file: file, left: maxDirectory}
	read, err := zip.NewReader(bounded, file.size)
	if err != nil {
		return nil, dossier.Coded(dossier.Invalid, "invalid_value",
			"The archive is no ZIP file that can be read, or names too many files")
	}
	bounded.left = -1
	a := &archive{files: map[string]*zip.File{}}
	for _, f := range read.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		if base := path.Base(f.Name); base != f.Name {
			if _, twice := a.files[base]; twice {
				a.files[base] = nil
			} else {
				a.files[base] = f
			}
		}
	}
	for _, f := range read.File { // a whole path counts more
		if !strings.HasSuffix(f.Name, "/") {
			a.files[f.Name] = f
		}
	}
	return a, nil
}

// boundedReader ends when more was read than a list of files may need; below zero it has no end.
type boundedReader struct {
	file temporary
	left int64
}

func (r *boundedReader) ReadAt(p []byte, at int64) (int, error) {
	n, err := r.file.ReadAt(p, at)
	if r.left >= 0 {
		if r.left -= int64(n); r.left < 0 {
			r.left = 0
			return 0, errors.New("too many files")
		}
	}
	return n, err
}

// document stores a file of the archive that a row names. A dry run only looks whether it is there.
func (i *importing) document(ctx context.Context, row dossier.ImportRow, name string) (postgres.NewFile,
	*dossier.ImportFault, error) {
	fault := func(code, format string, args ...any) (postgres.NewFile, *dossier.ImportFault, error) {
		return postgres.NewFile{}, &dossier.ImportFault{Row: row.Row, Column: "documents", Code: code,
			Detail: fmt.Sprintf(format, args...)}, nil
	}
	if i.archive == nil {
		return fault("file_missing", "The row names documents, and no archive was sent")
	}
	found := i.archive.files[name]
	if found == nil {
		return fault("file_missing", "A document of the row is not in the archive, or its name is there twice")
	}
	if i.im.DryRun {
		return postgres.NewFile{}, nil, nil
	}
	body, err := found.Open()
	if err != nil {
		return fault("invalid_value", "A document of the row cannot be taken out of the archive")
	}
	defer func() { _ = body.Close() }()
	file := postgres.NewFile{ID: dossier.DocumentID(postgres.NewID()), Filename: labelOf(found.Name),
		MimeType: "application/octet-stream"}
	file.ObjectKey = objects.DocumentKey(i.claim.Workspace, file.ID)
	stored, err := i.w.Objects.Put(ctx, file.ObjectKey, file.MimeType, body, dossier.MaxUploadBytes)
	switch {
	case errors.Is(err, zip.ErrFormat), errors.Is(err, zip.ErrChecksum), errors.Is(err, zip.ErrAlgorithm),
		dossier.KindOf(err) == dossier.Invalid:
		return fault("invalid_value", "A document of the row is damaged in the archive")
	case dossier.KindOf(err) == dossier.TooLarge:
		return fault("too_long", "A document may have at most %d bytes", dossier.MaxUploadBytes)
	case err != nil:
		return file, nil, err
	}
	file.Size = stored.Size
	file.SHA256, err = hex.DecodeString(stored.SHA256)
	return file, nil, err
}

// labelOf makes a document's name of one in an archive: no folders, no control characters.
func labelOf(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, path.Base(strings.ReplaceAll(name, `\`, "/")))
	name = dossier.MaskSecrets(strings.TrimSpace(name))
	if runes := []rune(name); len(runes) > dossier.MaxString {
		name = string(runes[:dossier.MaxString])
	}
	if name == "" || name == "." || name == ".." {
		return "document"
	}
	return name
}
