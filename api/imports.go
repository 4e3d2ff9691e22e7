package api

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

// importView is an import as it is shown (integrate.md section 5).
type importView struct {
	ID         dossier.ImportID       `json:"id"`
	Status     dossier.ImportStatus   `json:"status"`
	DryRun     bool                   `json:"dryRun"`
	Rows       int                    `json:"rows"`
	Created    int                    `json:"created"`
	Updated    int                    `json:"updated"`
	Refused    int                    `json:"refused"`
	Errors     []dossier.ImportFault  `json:"errors"`
	Failure    *dossier.ImportFailure `json:"failure"`
	Report     *string                `json:"report"`
	CreatedAt  instant                `json:"createdAt"`
	FinishedAt *record.Time           `json:"finishedAt"`
}

type importAnswer struct {
	success
	Import importView `json:"import"`
}

type importsQuery struct{ paging }

type importsAnswer struct {
	success
	Imports   []importView `json:"imports"`
	NextToken *string      `json:"nextToken"`
}

// importForm collects the parts of an import while its files flow into object storage.
type importForm struct {
	ws      dossier.WorkspaceID
	objects *objects.Store
	create  postgres.NewImport
	faults  []dossier.Fault
}

// createImport stores a table of leads, and the archive with their documents, and has a job read them. A table whose
// first row is wrong is refused here; what is wrong with a row shows in the import.
func (s *Server) createImport(c *fiber.Ctx) error {
	by, err := changedBy(c)
	if err != nil {
		return err
	}
	form := importForm{ws: workspace(c), objects: s.Objects}
	err = form.read(c)
	if err == nil && form.create.FileKey == "" && len(form.faults) == 0 {
		form.fault("/file", "required", "file is required: a CSV file whose first row names the columns")
	}
	if err == nil && len(form.faults) > 0 {
		err = dossier.InvalidFaults(form.faults)
	}
	if err != nil {
		form.discard()
		return err
	}
	im, err := s.db.CreateImport(c.UserContext(), workspace(c), form.create, by)
	if err != nil {
		if web.ChangedNothing(err) {
			form.discard()
		}
		return err
	}
	return s.sendImport(c, fiber.StatusAccepted, im)
}

func (f *importForm) fault(pointer, code, detail string) {
	f.faults = append(f.faults, dossier.Fault{Pointer: pointer, Code: code, Detail: detail})
}

func (f *importForm) read(c *fiber.Ctx) error {
	return web.EachPart(c, func(part *web.FormPart) error {
		ctx := c.UserContext()
		switch name := part.FormName(); name {
		case "file":
			return f.table(ctx, part)
		case "archive":
			if part.FileName() == "" {
				f.fault("/archive", "invalid_type", "archive must be a file: its part needs a filename")
				return nil
			}
			return f.store(ctx, &f.create.ArchiveKey, "archive", "application/zip", part, dossier.MaxImportArchive)
		case "dryRun":
			value, err := web.FormValue(part, web.JSONLimit)
			f.create.DryRun = value == "true"
			if err == nil && value != "true" && value != "false" {
				f.fault("/dryRun", "invalid_value", "dryRun must be true or false")
			}
			return err
		default:
			f.fault("/"+web.EscapePointer(name), "unknown_field", "Unknown field "+web.Printable(name))
			return nil
		}
	})
}

// headLimit is how much of a table its first row may take.
const headLimit = 64 << 10

// table stores the table, once its first row names columns that are known.
func (f *importForm) table(ctx context.Context, part *web.FormPart) error {
	if part.FileName() == "" {
		f.fault("/file", "invalid_type", "file must be a file: its part needs a filename")
		return nil
	}
	head, err := io.ReadAll(io.LimitReader(part, headLimit))
	if err != nil {
		return err
	}
	if faults := checkHead(head); len(faults) > 0 {
		f.faults = append(f.faults, faults...)
		return nil
	}
	return f.store(ctx, &f.create.FileKey, "table", jobs.ExportContentType,
		io.MultiReader(bytes.NewReader(head), part), dossier.MaxImportBytes)
}

// checkHead finds what is wrong with the first row of a table. head is its first bytes.
func checkHead(head []byte) []dossier.Fault {
	notCSV := func(why string) []dossier.Fault {
		return []dossier.Fault{{Pointer: "/file", Code: "invalid_csv", Detail: "file " + why}}
	}
	text := bytes.TrimPrefix(head, []byte("\ufeff"))
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return notCSV("is empty; its first row names the columns")
	case bytes.IndexByte(head, 0) >= 0 || !utf8.Valid(head[:max(0, len(head)-utf8.UTFMax)]):
		return notCSV("is not text in UTF-8; save it as CSV UTF-8")
	}
	read := csv.NewReader(bytes.NewReader(text))
	read.FieldsPerRecord = -1
	cells, err := read.Read()
	if err != nil {
		return notCSV("is not CSV: its first row cannot be read")
	}
	return dossier.ImportHeader(dossier.ImportHeaderNames(cells))
}

// store puts one file of the form into object storage.
func (f *importForm) store(ctx context.Context, key *string, part, kind string, body io.Reader, limit int64) error {
	if *key != "" {
		f.fault("/"+strings.Replace(part, "table", "file", 1), "too_long", "Send one such file")
		return nil
	}
	at := jobs.ImportKey(f.ws, postgres.NewID(), part)
	if _, err := f.objects.Put(ctx, at, kind, body, limit); err != nil {
		return err
	}
	*key = at
	return nil
}

// discard removes what was stored for an import that is refused.
func (f *importForm) discard() {
	ctx, cancel := context.WithTimeout(context.Background(), web.Write.Deadline())
	defer cancel()
	for _, key := range []string{f.create.FileKey, f.create.ArchiveKey} {
		if key != "" {
			_ = f.objects.Delete(ctx, key) // the sweep finds it when that fails
		}
	}
}

// readImport is what somebody polls who waits for an import.
func (s *Server) readImport(c *fiber.Ctx) error {
	id, err := pathID[dossier.ImportID](c, "importId")
	if err != nil {
		return err
	}
	im, err := s.db.Import(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	return s.sendImport(c, fiber.StatusOK, im)
}

func (s *Server) listImports(c *fiber.Ctx) error {
	q, err := query[importsQuery](c)
	if err != nil {
		return err
	}
	page, err := q.page(c)
	if err != nil {
		return err
	}
	list, err := s.db.Imports(c.UserContext(), workspace(c), page)
	if err != nil {
		return err
	}
	list, next := pageEnd(c, page, list,
		func(im dossier.Import) dossier.Cursor { return dossier.Cursor{At: im.CreatedAt, ID: string(im.ID)} })
	answer := importsAnswer{success: yes, Imports: []importView{}, NextToken: next}
	for _, im := range list {
		shown, err := s.importView(c, im)
		if err != nil {
			return err
		}
		answer.Imports = append(answer.Imports, shown)
	}
	return send(c, fiber.StatusOK, answer)
}

func (s *Server) sendImport(c *fiber.Ctx, status int, im dossier.Import) error {
	shown, err := s.importView(c, im)
	if err != nil {
		return err
	}
	return send(c, status, importAnswer{yes, shown})
}

// importView shapes an import; the address of its report is made for the answer.
func (s *Server) importView(c *fiber.Ctx, im dossier.Import) (importView, error) {
	shown := importView{ID: im.ID, Status: im.Status, DryRun: im.DryRun, Rows: im.Rows, Created: im.Created,
		Updated: im.Updated, Refused: im.Refused, Errors: orEmpty(im.Errors), Failure: im.Failure,
		CreatedAt: instant(im.CreatedAt), FinishedAt: record.TimeOf(im.FinishedAt)}
	if im.ReportKey == nil {
		return shown, nil
	}
	url, err := s.Objects.PresignGet(c.UserContext(), *im.ReportKey, jobs.ImportReportFilename, jobs.ExportContentType)
	shown.Report = &url
	return shown, err
}
