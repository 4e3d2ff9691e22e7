package main

import (
	"bufio"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

type backupCommand struct {
	Dir       string `arg:"" optional:"" help:"Directory to write; it must not be there yet."`
	NoObjects bool   `help:"${backup_noobjects}"`
	Base      bool   `help:"${backup_base}"`
	Note      bool   `help:"${backup_note}"`
}

// Files of a backup. The manifest is written last: what has none was cut off.
const (
	manifestFile = "manifest.json"
	databaseFile = "database.dump"
	objectsFile  = "objects.jsonl"
	erasedFile   = "erased.jsonl"
	objectsDir   = "objects"
	baseDir      = "base" // of a base backup, in place of the dump
	baseManifest = "base/backup_manifest"
)

// manifest says what a backup is, and holds the sums of its other files; the list of objects holds those of the
// objects.
type manifest struct {
	Version  int                   `json:"version"` // of this layout: 1; with a base backup: 2
	Release  string                `json:"release"`
	Schema   int64                 `json:"schema"`
	At       record.Time           `json:"at"` // the moment that it is a picture of; of a base backup the earliest
	Owner    string                `json:"owner"`
	Key      string                `json:"keyFingerprint"` // of DOSSIER_SECRET_KEY; empty: there was none
	Copied   bool                  `json:"objectsCopied"`  // false: they stayed in their bucket
	Objects  int                   `json:"objects"`
	Bytes    int64                 `json:"bytes"`
	Sums     map[string]string     `json:"sums"` // SHA-256 by file
	Tables   []postgres.TableSum   `json:"tables"`
	Roles    []postgres.DumpedRole `json:"roles"`
	Duration float64               `json:"seconds"`

	Base *postgres.BaseBackup `json:"base,omitempty"` // of the whole cluster
}

// savedObject is one object of the bucket, in the order of keys.
type savedObject struct {
	Key         string `json:"key"`
	Size        int64  `json:"size"`
	SHA256      string `json:"sha256,omitempty"` // empty where it was only listed
	ContentType string `json:"contentType,omitempty"`
}

// path is where its bytes are in a backup: a key is no file's name.
func (o savedObject) path() string {
	sum := sha256.Sum256([]byte(o.Key))
	name := hex.EncodeToString(sum[:])
	return filepath.Join(objectsDir, name[:2], name)
}

// Run backs up the database as of one moment, and then the objects: they are written before their rows, so that all
// that the rows name are there.
func (c backupCommand) Run(a *app) error {
	if c.Note == (c.Dir != "") || c.Note && c.Base {
		return usagef("name the directory to write, or --note that your own tools made a backup")
	}
	if c.Note {
		return a.withDB(func(db *postgres.DB, _ setup.Config) error {
			if _, err := db.RecordMilestone(a.ctx, postgres.MilestoneBackup); err != nil {
				return err
			}
			return a.show(done{true}, func(w io.Writer) { fmt.Fprintln(w, "Noted.") })
		})
	}
	return a.withDB(func(db *postgres.DB, cfg setup.Config) error {
		if err := cfg.Need("DATABASE_MIGRATE_URL", "S3_ENDPOINT"); err != nil {
			return err
		}
		store, err := objects.Open(cfg.Objects)
		if err != nil {
			return err
		}
		if err := os.Mkdir(c.Dir, 0o700); err != nil {
			return err
		}
		m, err := c.write(a, cfg, store)
		if err != nil && os.Remove(c.Dir) == nil { // nothing was in it yet
			return err
		}
		if err != nil {
			return fmt.Errorf("%s is of no use, delete it: %w", c.Dir, err)
		}
		if _, err := db.RecordMilestone(a.ctx, postgres.MilestoneBackup); err != nil {
			return err
		}
		return a.show(m, func(w io.Writer) {
			what := count(len(m.Tables), "table")
			if m.Base != nil {
				what = "the cluster"
			}
			fmt.Fprintf(w, "%s holds %s and %s (%d bytes) as of %s; %.1f s.\n", c.Dir, what,
				count(m.Objects, "object"), m.Bytes, stamp(time.Time(m.At)), m.Duration)
			m.printArchive(w)
			fmt.Fprintln(w, "It holds personal data, unsealed: keep it on an encrypted disk.",
				"DOSSIER_SECRET_KEY is not in it.")
		})
	})
}

func (c backupCommand) write(a *app, cfg setup.Config, store *objects.Store) (manifest, error) {
	began := a.now()
	m := manifest{Release: versionOf().Version, Key: keyFingerprint(cfg), Copied: !c.NoObjects,
		Sums: map[string]string{}}
	told := a.progress()
	defer told.end()
	told.begin("copying the database")
	copyDatabase := c.dump
	if c.Base {
		copyDatabase = c.copyCluster
	}
	if err := copyDatabase(a, cfg, &m); err != nil {
		return m, err
	}
	if m.Copied {
		told.begin("copying objects")
	} else {
		told.begin("listing objects")
	}
	saved := func(yield func(savedObject, error) bool) {
		for info, err := range store.List(a.ctx, "") {
			var o savedObject
			if err == nil {
				o, err = c.save(a.ctx, store, info)
			}
			if dossier.KindOf(err) == dossier.NotFound {
				continue // deleted since it was listed
			}
			m.Objects, m.Bytes = m.Objects+1, m.Bytes+o.Size
			told.add(o.Size)
			if !yield(o, err) || err != nil {
				return
			}
		}
	}
	if err := writeLines(filepath.Join(c.Dir, objectsFile), saved); err != nil {
		return m, err
	}
	for _, name := range m.files() {
		var err error
		if m.Sums[name], err = fileSum(filepath.Join(c.Dir, name)); err != nil {
			return m, err
		}
	}
	m.Version, m.Duration = m.layout(), a.now().Sub(began).Seconds()
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return m, err
	}
	return m, os.WriteFile(filepath.Join(c.Dir, manifestFile), append(text, '\n'), 0o600)
}

func (m manifest) layout() int {
	if m.Base != nil {
		return 2
	}
	return 1
}

// files are those whose sums the manifest holds.
func (m manifest) files() []string {
	if m.Base != nil {
		return []string{baseManifest, objectsFile, erasedFile}
	}
	return []string{databaseFile, objectsFile, erasedFile}
}

// dump copies the database as of one moment.
func (c backupCommand) dump(a *app, cfg setup.Config, m *manifest) error {
	s, err := postgres.OpenSnapshot(a.ctx, cfg.MigrateURL)
	if err != nil {
		return err
	}
	defer s.Close() // what is asked later is asked elsewhere, and an old moment keeps the server from tidying up
	m.At = record.Time(s.At)
	if m.Roles, err = s.Roles(a.ctx); err != nil {
		return err
	}
	if err := s.Dump(a.ctx, filepath.Join(c.Dir, databaseFile)); err != nil {
		return err
	}
	if m.Tables, err = s.Tables(a.ctx); err != nil {
		return err
	}
	return c.describe(a, s, m)
}

// copyCluster copies the files of the server (a base backup), after it has checked that WAL is being archived.
func (c backupCommand) copyCluster(a *app, cfg setup.Config, m *manifest) error {
	base, err := postgres.CheckArchiving(a.ctx, cfg.MigrateURL)
	if err != nil {
		return err
	}
	m.Base, m.Tables, m.Roles = &base, []postgres.TableSum{}, []postgres.DumpedRole{}
	at, err := postgres.TakeBaseBackup(a.ctx, cfg.MigrateURL, filepath.Join(c.Dir, baseDir), base.Server)
	if err != nil {
		return err
	}
	m.At = record.Time(at)
	s, err := postgres.OpenSnapshot(a.ctx, cfg.MigrateURL)
	if err != nil {
		return err
	}
	defer s.Close()
	return c.describe(a, s, m)
}

// describe fills in what the manifests of both kinds of backup say of the database.
func (c backupCommand) describe(a *app, s *postgres.Snapshot, m *manifest) error {
	m.Schema, m.Owner = s.Schema, s.Owner
	erased, err := s.Erased(a.ctx)
	if err != nil {
		return err
	}
	return writeLines(filepath.Join(c.Dir, erasedFile), sequence(erased))
}

// printArchive says to which times a base backup can be restored.
func (m manifest) printArchive(w io.Writer) {
	if m.Base == nil {
		return
	}
	fmt.Fprintf(w, "With the archived WAL it can be restored to any later time. The archive took the newest within "+
		"%.1f s.\n", m.Base.Archived)
	if m.Base.Timeout == 0 {
		fmt.Fprintln(w, "archive_timeout is 0: what was written since the last full 16 MB is not archived.",
			"Set it to 60.")
	}
}

// save copies one object, unless the bytes stay in their bucket.
func (c backupCommand) save(ctx context.Context, store *objects.Store, info objects.Info) (savedObject, error) {
	o := savedObject{Key: info.Key, Size: info.Size}
	if c.NoObjects {
		return o, nil
	}
	object, err := store.Get(ctx, info.Key)
	if err != nil {
		return o, err
	}
	defer func() { _ = object.Close() }()
	path := filepath.Join(c.Dir, o.path())
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return o, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return o, err
	}
	hash := sha256.New()
	o.Size, err = io.Copy(io.MultiWriter(file, hash), object)
	o.SHA256, o.ContentType = hex.EncodeToString(hash.Sum(nil)), object.ContentType
	return o, cmp.Or(err, file.Sync(), file.Close())
}

// keyFingerprint identifies the newest encryption key without revealing it.
func keyFingerprint(cfg setup.Config) string {
	if len(cfg.SecretKeys) == 0 {
		return ""
	}
	return fingerprintOf(cfg.SecretKeys[0])
}

func fingerprintOf(key []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("dossier backup"))
	return hex.EncodeToString(mac.Sum(nil))[:16]
}

func sequence[T any](list []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, v := range list {
			if !yield(v, nil) {
				return
			}
		}
	}
}

// writeLines writes one line of JSON for each value.
func writeLines[T any](path string, values iter.Seq2[T, error]) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	out := bufio.NewWriter(file)
	encoder := json.NewEncoder(out)
	for v, err := range values {
		if err != nil {
			return err
		}
		if err := encoder.Encode(v); err != nil {
			return err
		}
	}
	return cmp.Or(out.Flush(), file.Sync(), file.Close())
}

// readLines is what writeLines wrote.
func readLines[T any](path string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		file, err := os.Open(path)
		if err != nil {
			yield(none, err)
			return
		}
		defer func() { _ = file.Close() }()
		decoder := json.NewDecoder(bufio.NewReader(file))
		for line := 1; ; line++ {
			var v T
			err := decoder.Decode(&v)
			if err == io.EOF {
				return
			}
			if err != nil {
				err = fmt.Errorf("%s, line %d: %w", path, line, err)
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// fileSum is the SHA-256 of a file, in lower-case hexadecimal digits.
func fileSum(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	return hex.EncodeToString(hash.Sum(nil)), err
}
