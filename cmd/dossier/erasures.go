package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

type erasuresCommand struct {
	List   listErasures  `cmd:"" help:"List erasures of a workspace, newest first."`
	Show   showErasure   `cmd:"" help:"Show one erasure, or its certificate alone."`
	Log    erasureLog    `cmd:"" help:"${erasures_log}"`
	Verify verifyErasure `cmd:"" help:"Check that a certificate is what was signed."`
}

type erasureLog struct{}

// Run prints complete erasures, oldest first. Kept outside of the database, they outlive its restoration.
func (erasureLog) Run(a *app) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if err := cfg.Need("DATABASE_MIGRATE_URL"); err != nil {
		return err
	}
	s, err := postgres.OpenSnapshot(a.ctx, cfg.MigrateURL)
	if err != nil {
		return err
	}
	defer s.Close()
	erased, err := s.Erased(a.ctx)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(a.out)
	for _, e := range erased {
		if err := encoder.Encode(e); err != nil {
			return err
		}
	}
	return nil
}

type listErasures struct {
	Workspace string `required:"" placeholder:"W" help:"Key or id of the workspace; the id of a deleted one too."`
	Limit     int    `default:"100" help:"At most so many."`
}

// Run lists erasures.
func (c listErasures) Run(a *app) error {
	if err := positiveLimit(c.Limit); err != nil {
		return err
	}
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		ws, err := auditedWorkspace(a, db, c.Workspace)
		if err != nil {
			return err
		}
		found, err := db.Erasures(a.ctx, ws, "", "", false, dossier.Page{Limit: c.Limit})
		if err != nil {
			return err
		}
		list, rows := []record.Erasure{}, [][]string{}
		for _, e := range found[:min(len(found), c.Limit)] {
			shown, err := record.OfErasure(e)
			if err != nil {
				return err
			}
			list = append(list, shown)
			rows = append(rows, []string{string(e.ID), string(e.Subject) + ":" + e.SubjectID, string(e.Status),
				stamp(e.DueAt), strconv.Itoa(e.Counts.Rows), strconv.Itoa(e.Counts.Objects)})
		}
		return a.show(list, func(w io.Writer) { table(w, "No erasures.", "ID SUBJECT STATUS DUE ROWS OBJECTS", rows) })
	})
}

type showErasure struct {
	ID          string `arg:"" help:"Id of the erasure."`
	Certificate bool   `help:"Print its certificate alone, to be kept and checked."`
}

// Run prints an erasure as JSON: it is a document to be kept.
func (c showErasure) Run(a *app) error {
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		_, e, err := findErasure(a, db, dossier.ErasureID(c.ID))
		if err != nil {
			return err
		}
		shown, err := record.OfErasure(e)
		if err != nil {
			return err
		}
		encoder := json.NewEncoder(a.out)
		if !c.Certificate {
			return encoder.Encode(shown)
		}
		if shown.Certificate == nil {
			return fmt.Errorf("this erasure is %s; a certificate is made when it is COMPLETE", e.Status)
		}
		return encoder.Encode(shown.Certificate)
	})
}

type verifyErasure struct {
	File string `arg:"" help:"A certificate as JSON, or an erasure that has one."`
}

// Run checks a certificate with the key that is kept beside its erasure.
func (c verifyErasure) Run(a *app) error {
	text, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	certificate, err := certificateIn(text)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		ws, e, err := findErasure(a, db, certificate.ErasureID)
		if err != nil {
			return err
		}
		if err := db.VerifyCertificate(a.ctx, ws, certificate); err != nil {
			return differs(e, certificate, err)
		}
		return a.show(done{true}, func(w io.Writer) {
			fmt.Fprintf(w, "The certificate of erasure %s holds.\n", certificate.ErasureID)
		})
	})
}

// findErasure looks for an erasure in all workspaces, deleted ones too: whoever erases leaves an entry in the audit.
func findErasure(a *app, db *postgres.DB, id dossier.ErasureID) (dossier.WorkspaceID, dossier.Erasure, error) {
	if !dossier.ValidID(string(id)) {
		return "", dossier.Erasure{}, fmt.Errorf("%q is no id of an erasure", id)
	}
	all, err := db.AuditedWorkspaces(a.ctx)
	if err != nil {
		return "", dossier.Erasure{}, err
	}
	for _, ws := range all {
		e, err := db.ReadErasure(a.ctx, ws, id, false)
		if dossier.KindOf(err) != dossier.NotFound {
			return ws, e, err
		}
	}
	return "", dossier.Erasure{}, fmt.Errorf("there is no erasure %s", id)
}

// differs names what of a certificate is not as it was signed.
func differs(e dossier.Erasure, got record.Certificate, err error) error {
	if !errors.Is(err, postgres.ErrCertificate) {
		return err
	}
	shown, failed := record.OfErasure(e)
	if failed != nil || shown.Certificate == nil {
		return errors.Join(err, failed)
	}
	have, want := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	for value, into := range map[record.Certificate]*map[string]json.RawMessage{got: &have, *shown.Certificate: &want} {
		text, failed := json.Marshal(value)
		if failed != nil {
			return failed
		}
		if failed := json.Unmarshal(text, into); failed != nil {
			return failed
		}
	}
	for _, name := range []string{"subject", "counts", "startedAt", "completedAt", "sha256", "keyId", "signature"} {
		if string(have[name]) != string(want[name]) {
			return fmt.Errorf("%w: %s differs", err, name)
		}
	}
	return err
}

// certificateIn finds the certificate in JSON that is one, an erasure, or an answer with an erasure.
func certificateIn(text []byte) (record.Certificate, error) {
	var holder struct {
		record.Certificate
		Inner   *record.Certificate `json:"certificate"`
		Erasure *record.Erasure     `json:"erasure"`
	}
	if err := json.Unmarshal(text, &holder); err != nil {
		return record.Certificate{}, err
	}
	switch {
	case holder.Erasure != nil && holder.Erasure.Certificate != nil:
		return *holder.Erasure.Certificate, nil
	case holder.Inner != nil:
		return *holder.Inner, nil
	case holder.Signature == "":
		return record.Certificate{}, errors.New("there is no certificate in it")
	}
	return holder.Certificate, nil
}
