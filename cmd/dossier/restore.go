package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

type restoreCommand struct {
	Dir           string   `arg:"" optional:"" help:"Directory that backup wrote."`
	Erased        []string `placeholder:"FILE" help:"${restore_erased}"`
	NothingErased bool     `help:"${restore_nothing}"`
	Finish        bool     `help:"${restore_finish}"`
	Drill         bool     `help:"${restore_drill}"`
	To            string   `placeholder:"TIME" help:"${restore_to}"`
	Data          string   `placeholder:"DIR" help:"${restore_data}"`
	Command       string   `name:"restore-command" placeholder:"COMMAND" help:"${restore_command}"`
}

// restored is what a restoration or a drill found.
type restored struct {
	Success     bool        `json:"success"`
	At          record.Time `json:"at"` // the moment that was put back
	Tables      int         `json:"tables"`
	Rows        int64       `json:"rows"`
	Objects     int         `json:"objects"`
	Seconds     float64     `json:"seconds"`
	Epoch       int64       `json:"feedEpoch,omitempty"`
	ErasedAgain int         `json:"erasedAgain"`
	Kept        []string    `json:"kept"` // what could not be erased again, and why

	Documents int      `json:"documents,omitempty"` // whose bytes were compared, of a restoration to a time
	Bytes     int64    `json:"databaseBytes,omitempty"`
	Lost      []string `json:"lost,omitempty"` // keys of documents' objects that are not there, or are others
}

// Run puts a backup into an empty database and an empty bucket, or tries it beside the database.
func (c restoreCommand) Run(a *app) error {
	if c.Finish == (c.Dir != "") {
		return usagef("name the directory of the backup, or --finish after your own tools put the database back")
	}
	if !c.Drill && (len(c.Erased) > 0) == c.NothingErased {
		return usagef("what was erased since the backup must stay erased: give --erased FILE (dossier erasures log " +
			"wrote it), or --nothing-erased if you know that nothing was")
	}
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if err := cfg.Need("DATABASE_URL", "DATABASE_MIGRATE_URL", "S3_ENDPOINT"); err != nil {
		return err
	}
	store, err := objects.Open(cfg.Objects)
	if err != nil {
		return err
	}
	if c.Finish {
		return c.finish(a, cfg, restored{})
	}
	r := restoration{app: a, cfg: cfg, store: store, dir: c.Dir, began: a.now()}
	if err := r.check(); err != nil {
		return err
	}
	switch base := r.made.Base != nil; {
	case base != (c.To != "" && c.Data != "" && c.Command != ""):
		return usagef("a base backup, and no other, is restored --to a time, into --data, by a --restore-command; %s "+
			"is %s", c.Dir, map[bool]string{true: "one", false: "none"}[base])
	case base:
		return c.recover(r)
	case c.Drill:
		return r.drill()
	}
	if err := c.refuseFull(r); err != nil {
		return err
	}
	result, err := r.load(cfg.MigrateURL)
	if err != nil {
		return err
	}
	if err := r.putObjects(); err != nil {
		return err
	}
	if _, _, err := a.migrate(cfg); err != nil {
		return err
	}
	result.Seconds = a.now().Sub(r.began).Seconds()
	return c.finish(a, cfg, result)
}

// refuseFull refuses a database or a bucket that is not empty.
func (c restoreCommand) refuseFull(r restoration) error {
	empty, err := postgres.IsEmpty(r.app.ctx, r.cfg.MigrateURL)
	if err != nil {
		return err
	}
	if !empty {
		return dossier.Errorf(dossier.Conflict,
			"the database of DATABASE_MIGRATE_URL has tables: restore into an empty one")
	}
	if !r.made.Copied {
		return nil
	}
	if err := r.store.EnsureBucket(r.app.ctx); err != nil {
		return err
	}
	for _, err := range r.store.List(r.app.ctx, "") {
		if err != nil {
			return err
		}
		return dossier.Errorf(dossier.Conflict, "the bucket %s has objects: restore into an empty one",
			r.cfg.Objects.Bucket)
	}
	return nil
}

// finish prepares a restored database for use: the event feed gets a new epoch, and erasures that were complete before
// are carried out again.
func (c restoreCommand) finish(a *app, cfg setup.Config, result restored) error {
	db, err := cfg.OpenDB(a.ctx, a.log())
	if err != nil {
		return err
	}
	defer db.Close()
	number, err := db.RecordMilestone(a.ctx, postgres.MilestoneRestore)
	if err != nil {
		return err
	}
	result.Success, result.Epoch, result.Kept = true, number+1, []string{}
	told := a.progress()
	defer told.end()
	if len(c.Erased) > 0 {
		told.beginOf("ordering erasures again", "erasure", 0)
	}
	for _, file := range c.Erased {
		for e, err := range readLines[postgres.Erased](file) {
			if err != nil {
				return err
			}
			found, err := db.EraseAgain(a.ctx, e)
			told.add(0)
			switch {
			case found:
				result.ErasedAgain++
			case err != nil && dossier.KindOf(err) != dossier.Conflict:
				return err
			case err != nil:
				result.Kept = append(result.Kept, fmt.Sprintf("%s %s: %v", e.Subject, e.SubjectID, err))
			}
		}
	}
	told.end()
	if err := a.show(result, result.print); err != nil || len(result.Kept)+len(result.Lost) == 0 {
		return err
	}
	return errFound
}

func (r restored) print(w io.Writer) {
	if r.Tables > 0 {
		fmt.Fprintf(w, "%s, %s and %s as of %s are back and are what was backed up; %.1f s.\n",
			count(r.Tables, "table"), count(int(r.Rows), "row"), count(r.Objects, "object"),
			stamp(time.Time(r.At)), r.Seconds)
	}
	if r.Bytes > 0 {
		fmt.Fprintf(w, "The database is back as of its last commit until then, %s, and holds; the bytes of %s were "+
			"compared. %.1f s, %.0f s for each GB.\n", time.Time(r.At).UTC().Format(time.RFC3339Nano),
			count(r.Documents, "document"), r.Seconds, r.Seconds/(float64(r.Bytes)/(1<<30)))
	}
	for _, key := range r.Lost {
		fmt.Fprintf(w, "LOST: object %s\n", printable(key))
	}
	if r.Epoch == 0 {
		return
	}
	fmt.Fprintf(w, "The events' feed has the epoch %d: readers of GET /events see that it began anew.\n", r.Epoch)
	fmt.Fprintf(w, "Ordered to be erased again: %d. A worker does it.\n", r.ErasedAgain)
	for _, kept := range r.Kept {
		fmt.Fprintf(w, "NOT erased: %s\n", printable(kept))
	}
}

// restoration is a backup that is being restored.
type restoration struct {
	app   *app
	cfg   setup.Config
	store *objects.Store
	dir   string
	began time.Time
	made  manifest
	saved map[string]savedObject
}

// check reads the whole backup and compares every sum, before anything is touched.
func (r *restoration) check() error {
	text, err := os.ReadFile(filepath.Join(r.dir, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return dossier.Errorf(dossier.Invalid, "%s has no %s: it is no backup, or one that was cut off", r.dir,
			manifestFile)
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &r.made); err != nil || r.made.Version != r.made.layout() {
		return dossier.Errorf(dossier.Invalid, "%s is none that this release reads", filepath.Join(r.dir, manifestFile))
	}
	if want := postgres.SchemaVersion(); r.made.Schema > want {
		return dossier.Errorf(dossier.Invalid, "the backup's schema is %d, newer than this release's %d: use release "+
			"%s or newer", r.made.Schema, want, r.made.Release)
	}
	sealed := func(key []byte) bool { return fingerprintOf(key) == r.made.Key }
	if r.made.Key != "" && !slices.ContainsFunc(r.cfg.SecretKeys, sealed) {
		return dossier.Errorf(dossier.Invalid, "DOSSIER_SECRET_KEY is not the key of this backup (fingerprint %s): "+
			"stored secrets could not be read", r.made.Key)
	}
	for _, name := range r.made.files() {
		if err := r.compare(name, r.made.Sums[name]); err != nil {
			return err
		}
	}
	r.saved = make(map[string]savedObject, r.made.Objects)
	told := r.app.progress()
	defer told.end()
	told.begin("checking objects")
	for o, err := range readLines[savedObject](filepath.Join(r.dir, objectsFile)) {
		if err != nil {
			return err
		}
		r.saved[o.Key] = o
		if err := r.checkObject(o); err != nil {
			return err
		}
		told.add(o.Size)
	}
	return nil
}

func (r *restoration) checkObject(o savedObject) error {
	if r.made.Copied {
		return r.compare(o.path(), o.SHA256)
	}
	info, err := r.store.Stat(r.app.ctx, o.Key)
	if err != nil {
		return fmt.Errorf("object %s: %w", o.Key, err)
	}
	if info.Size != o.Size {
		return dossier.Errorf(dossier.Invalid, "object %s has %d bytes and had %d", o.Key, info.Size, o.Size)
	}
	return nil
}

func (r *restoration) compare(name, want string) error {
	sum, err := fileSum(filepath.Join(r.dir, name))
	if err == nil && sum != want {
		err = dossier.Errorf(dossier.Invalid, "%s is not what was backed up (SHA-256 %s, was %s): take another backup",
			filepath.Join(r.dir, name), sum, want)
	}
	return err
}

// load restores the database and compares every table with the backup, and every document's bytes with its row.
func (r *restoration) load(owner string) (restored, error) {
	ctx := r.app.ctx
	told := r.app.progress()
	defer told.end()
	told.begin("restoring the database")
	result := restored{Success: true, At: r.made.At, Objects: r.made.Objects, Kept: []string{}}
	if err := postgres.MakeRoles(ctx, owner, r.made.Roles); err != nil {
		return result, err
	}
	if err := postgres.RestoreDump(ctx, owner, filepath.Join(r.dir, databaseFile)); err != nil {
		return result, err
	}
	told.begin("comparing tables")
	s, err := postgres.OpenSnapshot(ctx, owner)
	if err != nil {
		return result, err
	}
	defer s.Close()
	tables, err := s.Tables(ctx)
	if err != nil {
		return result, err
	}
	if len(tables) != len(r.made.Tables) {
		return result, fmt.Errorf("%d tables came back of %d", len(tables), len(r.made.Tables))
	}
	for i, t := range tables {
		if t != r.made.Tables[i] {
			return result, fmt.Errorf("table %s came back otherwise: %d rows of %d, or other values", t.Name, t.Rows,
				r.made.Tables[i].Rows)
		}
		result.Rows += t.Rows
	}
	result.Tables = len(tables)
	told.end() // it may have something to say
	return result, r.judgeDocuments(s)
}

// judgeDocuments finds rows whose bytes are not in the backup, or other ones.
func (r *restoration) judgeDocuments(s *postgres.Snapshot) error {
	documents, err := s.Documents(r.app.ctx)
	if err != nil {
		return err
	}
	lost := 0
	for key, sum := range documents {
		if o, ok := r.saved[key]; !ok || (r.made.Copied && o.SHA256 != sum) {
			lost++
		}
	}
	if lost > 0 {
		fmt.Fprintf(r.app.err, "dossier: %s of %d documents are not in the backup, or are others: they were lost "+
			"before it\n", count(lost, "file"), len(documents))
	}
	return nil
}

// putObjects stores the backup's objects in the bucket.
func (r *restoration) putObjects() error {
	if !r.made.Copied {
		return nil
	}
	told := r.app.progress()
	defer told.end()
	told.begin("putting objects back")
	for o, err := range readLines[savedObject](filepath.Join(r.dir, objectsFile)) {
		if err != nil {
			return err
		}
		if err := r.putObject(o); err != nil {
			return fmt.Errorf("object %s: %w", o.Key, err)
		}
		told.add(o.Size)
	}
	return nil
}

func (r *restoration) putObject(o savedObject) error {
	file, err := os.Open(filepath.Join(r.dir, o.path()))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	stored, err := r.store.Put(r.app.ctx, o.Key, o.ContentType, file, 0)
	if err == nil && stored.SHA256 != o.SHA256 {
		err = fmt.Errorf("it arrived with the SHA-256 %s", stored.SHA256)
	}
	return err
}

// drill restores into a database of its own beside the real one, compares, and drops it.
func (r *restoration) drill() (err error) {
	beside, drop, err := postgres.CreateDrillDatabase(r.app.ctx, r.cfg.MigrateURL)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, drop()) }()
	result, err := r.load(beside)
	if err != nil {
		return err
	}
	result.Seconds = r.app.now().Sub(r.began).Seconds()
	return r.app.withDB(func(db *postgres.DB, _ setup.Config) error {
		if _, err := db.RecordMilestone(r.app.ctx, postgres.MilestoneDrill); err != nil {
			return err
		}
		return r.app.show(result, result.print)
	})
}
