package office

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/richardlehane/mscfb"

	"github.com/dossierhq/dossier/pipelines/document/refusal"
)

// OLEMagic begins every compound file: workbooks and documents of Office up to 2003.
var OLEMagic = []byte{0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1}

// openOLE opens a compound file. The library makes room for as many sectors as the header says there are before it
// reads them, so a header that counts more than the file can hold is refused first. Source: MS-CFB 2.2.
func openOLE(data []byte) (*mscfb.Reader, error) {
	const header = 512
	damaged := refusal.New(refusal.Corrupt, "The file's structure is damaged and cannot be read.")
	if len(data) < header {
		return nil, damaged
	}
	sectors := uint32(len(data)/header) + 1
	// sectors of the directory, the table, the small table and its extension
	for _, count := range []int{40, 44, 64, 72} {
		if binary.LittleEndian.Uint32(data[count:]) > sectors {
			return nil, damaged
		}
	}
	var r *mscfb.Reader
	err := error(damaged)
	func() {
		defer func() { _ = recover() }() // the library trusts the places that a header names
		r, err = mscfb.New(bytes.NewReader(data))
	}()
	return r, err
}

// oleStreams unpacks the streams of a compound file that have one of the names.
func oleStreams(data []byte, names ...string) (map[string][]byte, error) {
	streams := map[string][]byte{}
	r, err := openOLE(data)
	if err != nil {
		return nil, refusal.New(refusal.Corrupt, "The file's structure is damaged and cannot be read.")
	}
	total := 0
	for n := 0; n < MaxZipEntries; n++ {
		f, err := r.Next()
		if errors.Is(err, io.EOF) {
			return streams, nil
		}
		if err != nil {
			return nil, refusal.New(refusal.Corrupt, "The file's structure is damaged and cannot be read.")
		}
		for _, name := range names {
			if f.Name != name || streams[name] != nil || len(f.Path) > 0 {
				continue
			}
			content, err := io.ReadAll(io.LimitReader(f, maxUnzipped))
			if total += len(content); total > maxUnzipped {
				return nil, refusal.New(refusal.TooLarge, "The file unpacks to more than is read.")
			}
			if err != nil && len(content) == 0 {
				return nil, refusal.New(refusal.Corrupt, "The file's structure is damaged and cannot be read.")
			}
			streams[name] = content
		}
	}
	return streams, nil
}

// SniffOLE tells workbooks and documents of older Office apart by their streams.
func SniffOLE(data []byte) string {
	r, err := openOLE(data)
	if err != nil {
		return "application/x-ole-storage"
	}
	for range MaxZipEntries {
		f, err := r.Next()
		if err != nil {
			break
		}
		switch {
		case len(f.Path) > 0:
		case f.Name == "Workbook" || f.Name == "Book":
			return MIMEXLS
		case f.Name == "WordDocument":
			return MIMEDOC
		case f.Name == "EncryptedPackage":
			return MIMEXLSX // its reader says that it wants the password
		}
	}
	return "application/x-ole-storage"
}
