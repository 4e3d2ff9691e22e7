package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

// latest is the word for all that was archived.
const latest = "latest"

// recover restores a base backup to a point in time, on a server that only this command reaches, and stops that server
// afterwards. The bucket stays the present one; objects that are missing in it are restored from the backup.
func (c restoreCommand) recover(r restoration) (err error) {
	to, err := c.moment(r.made)
	if err != nil {
		return err
	}
	a := r.app
	told := a.progress()
	defer told.end()
	told.begin("putting the base backup back")
	server, err := postgres.Recover(a.ctx, postgres.Recovery{Base: filepath.Join(r.dir, baseDir), Data: c.Data,
		Server: r.made.Base.Server, To: to, Command: c.Command})
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, server.Stop())
		if c.Drill {
			err = errors.Join(err, os.RemoveAll(c.Data))
		}
	}()
	told.begin("replaying the log")
	if err := server.Await(a.ctx, r.cfg.MigrateURL, told.grow); err != nil {
		return fmt.Errorf("%w (empty %s before you try again)", err, c.Data)
	}
	told.end()
	there := r.cfg
	there.ListenURL = ""
	if there.MigrateURL, err = server.URL(r.cfg.MigrateURL); err != nil {
		return err
	}
	if there.DatabaseURL, err = server.URL(r.cfg.DatabaseURL); err != nil {
		return err
	}
	if _, _, err := a.migrate(there); err != nil {
		return err
	}
	result := restored{Success: true, At: record.Time(server.At), Kept: []string{}}
	if server.At.IsZero() {
		result.At = r.made.At
	}
	if err := r.judge(there, &result, !c.Drill); err != nil {
		return err
	}
	result.Seconds = a.now().Sub(r.began).Seconds()
	if !c.Drill {
		return c.finish(a, there, result)
	}
	if err := a.show(result, result.print); err != nil || len(result.Lost) > 0 {
		return errors.Join(err, errFound)
	}
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		_, err := db.RecordMilestone(a.ctx, postgres.MilestoneDrill)
		return err
	})
}

// moment returns the time of --to; the zero time is the end of the WAL.
func (c restoreCommand) moment(made manifest) (time.Time, error) {
	if c.To == latest {
		return time.Time{}, nil
	}
	to, err := time.Parse(time.RFC3339, c.To)
	if err != nil {
		return to, usagef("--to is a moment like 2026-11-26T02:00:00Z, or %s: %q is neither", latest, c.To)
	}
	if earliest := time.Time(made.At); to.Before(earliest) {
		return to, dossier.Errorf(dossier.Invalid, "the backup is of %s: for an earlier moment take an earlier backup",
			earliest.UTC().Format(time.RFC3339Nano))
	}
	return to, nil
}

// judge asks of the recovered database what doctor asks, and compares every document's bytes with its row.
func (r *restoration) judge(there setup.Config, result *restored, mend bool) error {
	d := &doctor{app: r.app, cfg: there}
	defer d.close()
	for _, check := range []func(context.Context){d.postgres, d.schema, d.store, d.secrets, d.upkeep} {
		check(r.app.ctx)
	}
	for _, f := range d.findings {
		if f.Status == statusFailed {
			return fmt.Errorf("the database came back and does not hold: %s: %s (%s)", f.Check, f.Detail, f.Fix)
		}
	}
	if mend && r.made.Copied {
		if err := r.restoreMissing(d.db); err != nil {
			return err
		}
	}
	s, err := postgres.OpenSnapshot(r.app.ctx, there.MigrateURL)
	if err != nil {
		return err
	}
	defer s.Close()
	if result.Bytes, err = s.Size(r.app.ctx); err != nil {
		return err
	}
	documents, err := s.Documents(r.app.ctx)
	if err != nil {
		return err
	}
	result.Documents = len(documents)
	result.Lost, err = r.missingObjects(documents)
	return err
}

// restoreMissing stores the objects that are missing in the bucket since the backup, if a row still names them.
func (r *restoration) restoreMissing(db *postgres.DB) error {
	if err := r.store.EnsureBucket(r.app.ctx); err != nil {
		return err
	}
	told := r.app.progress()
	defer told.end()
	told.beginOf("putting back objects that are missing", "object", len(r.saved))
	for keys := range slices.Chunk(slices.Sorted(maps.Keys(r.saved)), 500) {
		unnamed, err := db.UnnamedObjects(r.app.ctx, keys)
		if err != nil {
			return err
		}
		for _, key := range keys {
			told.add(0)
			if slices.Contains(unnamed, key) {
				continue
			}
			_, err := r.store.Stat(r.app.ctx, key)
			if dossier.KindOf(err) == dossier.NotFound {
				err = r.putObject(r.saved[key])
			}
			if err != nil {
				return fmt.Errorf("object %s: %w", key, err)
			}
		}
	}
	return nil
}

// missingObjects are the keys of documents' objects that are not in the bucket, or have other bytes than their rows
// say, sorted.
func (r *restoration) missingObjects(documents map[string]string) ([]string, error) {
	told := r.app.progress()
	defer told.end()
	told.beginOf("comparing documents", "document", len(documents))
	var mu sync.Mutex // of lost and told
	var lost []string
	readers, ctx := errgroup.WithContext(r.app.ctx)
	readers.SetLimit(8)
	for key, want := range documents {
		readers.Go(func() error {
			sum, err := r.objectSum(ctx, key)
			if err != nil && dossier.KindOf(err) != dossier.NotFound {
				return fmt.Errorf("object %s: %w", key, err)
			}
			mu.Lock()
			defer mu.Unlock()
			told.add(0)
			if err != nil || sum != want {
				lost = append(lost, key)
			}
			return nil
		})
	}
	err := readers.Wait()
	slices.Sort(lost)
	return lost, err
}

// objectSum is the SHA-256 of what the bucket has. Error: NotFound.
func (r *restoration) objectSum(ctx context.Context, key string) (string, error) {
	object, err := r.store.Get(ctx, key)
	if err != nil {
		return "", err
	}
	defer func() { _ = object.Close() }()
	hash := sha256.New()
	_, err = io.Copy(hash, object)
	return hex.EncodeToString(hash.Sum(nil)), err
}
