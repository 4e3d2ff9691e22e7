package worker

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"strconv"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
)

const (
	importChunk  = 250 // rows between two counts
	importCommit = 16  // rows of a commit: it keeps a processor for some milliseconds, however long the table is
)

// importing is one try at an import.
type importing struct {
	w       *Worker
	claim   postgres.Claim
	im      dossier.Import
	sheet   *sheet
	archive *archive
	known   map[string]bool // of a dry run: external ids that rows above have made
}

// importLeads makes the rows of a table into leads and then writes the report of all of them.
func (w *Worker) importLeads(ctx context.Context, claim postgres.Claim, job jobs.ImportLeads) error {
	im, running, err := w.db.StartImport(ctx, claim, job.Import)
	if err != nil || !running {
		return err
	}
	file, err := w.fetchTemporary(ctx, dossier.Text(im.FileKey))
	if err != nil {
		return err
	}
	defer file.discard()
	i := &importing{w: w, claim: claim, im: im, known: map[string]bool{}}
	if i.sheet, err = openSheet(file); err != nil {
		return err
	}
	if im.ArchiveKey != nil {
		zipped, err := w.fetchTemporary(ctx, *im.ArchiveKey)
		if err != nil {
			return err
		}
		defer zipped.discard()
		if i.archive, err = openArchive(zipped); err != nil {
			return err
		}
	}
	if err := i.rows(ctx); err != nil {
		return err
	}
	return i.finish(ctx)
}

// rows settles all rows, in chunks.
func (i *importing) rows(ctx context.Context) error {
	for ctx.Err() == nil {
		var chunk []tableRow
		for len(chunk) < importChunk {
			row, ok := i.sheet.next()
			if !ok {
				break
			}
			chunk = append(chunk, row)
		}
		if len(chunk) == 0 {
			return i.sheet.err
		}
		if err := i.chunk(ctx, chunk); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// chunk settles the rows of a chunk that are not settled yet.
func (i *importing) chunk(ctx context.Context, chunk []tableRow) error {
	last := chunk[len(chunk)-1].number
	if last <= i.im.Done && !i.im.DryRun {
		return nil
	}
	settled, err := i.w.db.SettledRows(ctx, i.claim, i.im.ID, chunk[0].number, last)
	if err != nil {
		return err
	}
	rows, refused := i.unsettled(chunk, settled)
	open, err := i.importAll(ctx, rows)
	if err != nil {
		return err
	}
	if last <= i.im.Done {
		return nil
	}
	err = i.w.db.SettleRows(ctx, i.claim, i.im, append(refused, open...), last, i.sheet.percent())
	i.im.Done = last
	return err
}

// unsettled reads the rows of a chunk that are not settled; refused are those of them that cannot be read.
func (i *importing) unsettled(chunk []tableRow,
	settled map[int]dossier.ImportOutcome) (rows []dossier.ImportRow, refused []dossier.SettledRow) {
	for _, r := range chunk {
		row, faults := r.read(i.sheet.header)
		outcome, is := settled[r.number]
		switch {
		case is:
			if i.im.DryRun && outcome != dossier.RowRefused {
				i.known[i.leadKey(row)] = true
			}
		case len(faults) > 0:
			refused = append(refused, dossier.SettledRow{Row: r.number, Outcome: dossier.RowRefused, Faults: faults})
		default:
			rows = append(rows, row)
		}
	}
	return rows, refused
}

// leadKey returns a key that is the same for rows of the same lead.
func (i *importing) leadKey(row dossier.ImportRow) string {
	if row.ExternalID() == "" {
		return "row " + strconv.Itoa(row.Row)
	}
	return strconv.FormatBool(i.im.Test || row.IsTest != nil && *row.IsTest) + row.ExternalID()
}

// importAll settles rows, one commit after the other and at the worker's pace: more at once would keep other tenants
// waiting. It returns those that are still to be written down.
func (i *importing) importAll(ctx context.Context, rows []dossier.ImportRow) ([]dossier.SettledRow, error) {
	var open []dossier.SettledRow
	for len(rows) > 0 {
		n := i.batchSize(rows)
		if !i.im.DryRun {
			if err := i.w.rows.WaitN(ctx, n); err != nil {
				return nil, err
			}
		}
		left, err := i.commit(ctx, rows[:n])
		if err != nil {
			return nil, err
		}
		open, rows = append(open, left...), rows[n:]
	}
	return open, nil
}

// batchSize is how many of the rows are written in one commit: those of different leads, so that each finds what the
// one before it has made.
func (i *importing) batchSize(rows []dossier.ImportRow) int {
	leads := map[string]bool{}
	for n, row := range rows[:min(len(rows), importCommit)] {
		key := i.leadKey(row)
		if leads[key] {
			return n
		}
		leads[key] = true
	}
	return len(leads)
}

// commit settles rows of different leads; it returns those that are still to be written down. Their documents are
// stored first: a crash leaves objects that the sweep finds.
func (i *importing) commit(ctx context.Context, rows []dossier.ImportRow) (open []dossier.SettledRow, err error) {
	var batch []postgres.NewRow
	for _, row := range rows {
		files, fault, err := i.documents(ctx, row)
		switch {
		case err != nil:
			return nil, err
		case fault != nil:
			open = append(open, dossier.SettledRow{Row: row.Row, Outcome: dossier.RowRefused,
				Faults: []dossier.ImportFault{*fault}})
		default:
			row.Known = i.im.DryRun && i.known[i.leadKey(row)]
			batch = append(batch, postgres.NewRow{ImportRow: row, Files: files})
		}
	}
	if len(batch) == 0 {
		return open, nil
	}
	settled, err := i.w.db.ImportRows(ctx, i.claim, i.im, batch)
	if err != nil {
		return nil, err
	}
	for n, row := range batch {
		switch {
		case settled[n].Outcome == dossier.RowRefused:
			i.discard(ctx, row.Files)
		case i.im.DryRun && row.ExternalID() != "":
			i.known[i.leadKey(row.ImportRow)] = true
		}
		if settled[n].Outcome == dossier.RowRefused || i.im.DryRun {
			open = append(open, settled[n])
		}
	}
	return open, nil
}

// documents stores the documents of a row. Those of a row with a fault go again.
func (i *importing) documents(ctx context.Context, row dossier.ImportRow) ([]postgres.NewFile, *dossier.ImportFault,
	error) {
	var files []postgres.NewFile
	for _, name := range row.Documents {
		file, fault, err := i.document(ctx, row, name)
		if err != nil {
			return nil, nil, err
		}
		if fault != nil {
			i.discard(ctx, files)
			return nil, fault, nil
		}
		files = append(files, file)
	}
	return files, nil, nil
}

// discard removes the files of a row that was refused; what it misses the sweep finds.
func (i *importing) discard(ctx context.Context, files []postgres.NewFile) {
	for _, file := range files {
		if !i.im.DryRun {
			_ = i.w.Objects.Delete(ctx, file.ObjectKey)
		}
	}
}

// finish writes the report, publishes it with the end of the import, and removes what was sent.
func (i *importing) finish(ctx context.Context) error {
	key := jobs.ImportKey(i.claim.Workspace, postgres.NewID(), "report.csv")
	out, in := io.Pipe()
	go func() { _ = in.CloseWithError(i.report(ctx, in)) }() // never fails
	_, err := i.w.Objects.Put(ctx, key, jobs.ExportContentType, out, 0)
	_ = out.CloseWithError(err)
	if err == nil {
		err = i.w.db.FinishImport(ctx, i.claim, i.im.ID, key)
	}
	after := context.WithoutCancel(ctx)
	if err != nil {
		if errors.Is(err, postgres.ErrFenced) {
			_ = i.w.Objects.Delete(after, key)
		}
		return err
	}
	for _, sent := range []*string{i.im.FileKey, i.im.ArchiveKey} {
		if sent != nil {
			_ = i.w.Objects.Erase(after, *sent) // else the sweep does it
		}
	}
	return nil
}

// report writes a line for each row, or for each fault of a row. It quotes nothing of the row.
func (i *importing) report(ctx context.Context, to io.Writer) error {
	file := csv.NewWriter(to)
	if err := file.Write([]string{"row", "outcome", "leadId", "column", "code", "detail"}); err != nil {
		return err
	}
	err := i.w.db.StreamSettled(ctx, i.claim, i.im.ID, func(s dossier.SettledRow) error {
		faults := s.Faults
		if len(faults) == 0 {
			faults = []dossier.ImportFault{{}}
		}
		for _, f := range faults {
			if err := file.Write([]string{strconv.Itoa(s.Row), string(s.Outcome), string(dossier.Text(s.Lead)),
				f.Column,
				f.Code,
				f.Detail}); err != nil {
				return err
			}
		}
		return nil
	})
	file.Flush()
	return cmp.Or(err, file.Error())
}
