package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
)

type correctCommand struct {
	Export exportCorrections `cmd:"" help:"Write the files and what people say of them, for dossier score."`
}

type exportCorrections struct {
	Workspace string `required:"" help:"Key or id."`
	Out       string `required:"" placeholder:"DIR" help:"Directory; made when it is not there."`
}

// correctedCase is an entry of expected.json: what a person says that a file's documents show.
type correctedCase struct {
	FieldType dossier.FieldType          `json:"fieldType"`
	DocType   dossier.DocType            `json:"docType"`
	Pages     [2]int                     `json:"pages"`
	Facts     map[string]json.RawMessage `json:"facts"`
}

// correctedFile is a file with more than one corrected document, or one: score takes both forms as one list.
type correctedFile struct {
	Documents []correctedCase `json:"documents"`
}

// Run writes every document that has corrections, and expected.json; {} when nobody corrected anything.
func (c exportCorrections) Run(a *app) error {
	return a.inWorkspace(c.Workspace, func(db *postgres.DB, w dossier.Workspace) error {
		cfg, err := a.config()
		if err != nil {
			return err
		}
		store, err := objects.Open(cfg.Objects)
		if err != nil {
			return err
		}
		ids, err := db.CorrectedDocuments(a.ctx, w.ID)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(c.Out, 0o700); err != nil {
			return err
		}
		files := map[string]correctedFile{}
		for _, id := range ids {
			d, err := db.ReadDocument(a.ctx, w.ID, id)
			if err != nil {
				return err
			}
			file, err := caseOf(d)
			if err != nil {
				return err
			}
			name := string(d.ID) + strings.ToLower(filepath.Ext(d.Filename))
			if err := fetchFile(a.ctx, store, d.ObjectKey, filepath.Join(c.Out, name)); err != nil {
				return err
			}
			files[name] = file
		}
		if err := writeCases(c.Out, files); err != nil {
			return err
		}
		return a.show(map[string]int{"files": len(files)}, func(out io.Writer) {
			fmt.Fprintf(out, "%s with corrections in %s\n", count(len(files), "file"), c.Out)
		})
	})
}

// caseOf is what people say of a document: of each part with corrections the members of its facts that they touched.
func caseOf(d dossier.Document) (correctedFile, error) {
	var file correctedFile
	if d.Extraction == nil {
		return file, nil
	}
	for i, part := range d.Extraction.Documents {
		text, err := json.Marshal(part.Facts)
		if err != nil {
			return file, err
		}
		var facts map[string]json.RawMessage
		if err := json.Unmarshal(text, &facts); err != nil {
			return file, err
		}
		said := correctedCase{part.FieldType, part.DocType, part.Pages, map[string]json.RawMessage{}}
		for _, correction := range d.Corrections {
			name, _, _ := strings.Cut(strings.TrimPrefix(correction.Pointer, "/"), "/")
			if correction.Part != i {
				continue
			}
			said.Facts[name] = json.RawMessage("null")
			if facts[name] != nil {
				said.Facts[name] = facts[name]
			}
		}
		if len(said.Facts) > 0 {
			file.Documents = append(file.Documents, said)
		}
	}
	return file, nil
}

func fetchFile(ctx context.Context, store *objects.Store, key, path string) error {
	object, err := store.Get(ctx, key)
	if err != nil {
		return err
	}
	defer func() { _ = object.Close() }()
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, object)
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}

func writeCases(dir string, files map[string]correctedFile) error {
	expected := map[string]any{}
	if len(files) > 0 {
		expected["files"] = files
	}
	text, err := json.MarshalIndent(expected, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "expected.json"), append(text, '\n'), 0o600)
}
