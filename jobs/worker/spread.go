package worker

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/pipelines/render"
	"github.com/dossierhq/dossier/pipelines/spread"
	"github.com/dossierhq/dossier/storage/postgres"
)

// extractFigures settles one document of a spread. What was read is stored, so a repeat finds the same.
func (w *Worker) extractFigures(ctx context.Context, claim postgres.Claim, job jobs.ExtractFigures) error {
	d, ok, err := w.db.StartFigures(ctx, claim, job)
	if err != nil || !ok {
		return err
	}
	status, reason := dossier.SpreadDocumentExtracted, ""
	if d.ExtractionError != nil {
		status, reason = dossier.SpreadDocumentFailed, d.ExtractionError.Detail
	} else if reason = spread.Usable(spread.DocumentOf(d)); reason != "" {
		status = dossier.SpreadDocumentSkipped
	}
	return w.db.SaveFigures(ctx, claim, job, status, reason)
}

// consolidateSpread makes the results of a round and its files, and puts them in the place of the previous ones. The
// objects of a try have names of their own, so a worker that died or lost its lease never writes over those of the
// try that ended the round; what it left behind is swept.
func (w *Worker) consolidateSpread(ctx context.Context, claim postgres.Claim, job jobs.ConsolidateSpread) error {
	in, ok, err := w.db.SpreadInput(ctx, job.Workspace, job.Spread, job.Round)
	if err != nil || !ok {
		return err
	}
	if in.Spread.Scope == dossier.SpreadGlobal {
		return w.consolidateGlobal(ctx, claim, job)
	}
	results, aside, err := w.consolidate(in)
	if err != nil {
		return w.db.FinishSpread(ctx, claim, job, postgres.FinishedSpread{Documents: aside,
			Reason: reasonOf(err, aside)})
	}
	report, err := render.Report(spread.Template(), results)
	if err != nil {
		return err
	}
	sheet, err := render.Sheet(spread.Template(), results)
	if err != nil {
		return err
	}
	files, err := w.spreadFiles(ctx, claim, job, titled("Financial Spread", results.EntityName), report, sheet)
	if err != nil {
		return err
	}
	return w.db.FinishSpread(ctx, claim, job, postgres.FinishedSpread{Results: &results, Files: files,
		Documents: aside})
}

// reasonOf is why a spread failed, for people. One document's reason says more than that none is left.
func reasonOf(err error, aside map[dossier.DocumentID]string) string {
	if len(aside) == 1 {
		for _, reason := range aside {
			return reason
		}
	}
	return err.Error()
}

// consolidate computes the results. An unchanged regeneration keeps the time at which they first came about, so its
// files are the same bytes.
func (w *Worker) consolidate(in postgres.SpreadInput) (dossier.SpreadResults, map[dossier.DocumentID]string, error) {
	s := in.Spread
	input := spread.InputOf(s, in.Documents, in.Nobodys, in.DefaultCurrency, w.Now())
	input.Adjustments, input.Captions = in.Adjustments, in.Captions
	aside := map[dossier.DocumentID]string{}
	for _, id := range in.Gone {
		aside[id] = "The document was deleted or is being read anew"
	}
	for _, d := range s.Documents {
		if _, gone := aside[d.ID]; gone && d.Status == dossier.SpreadDocumentFailed && d.Error != nil {
			aside[d.ID] = *d.Error
		}
	}
	results, problems, err := spread.Consolidate(input)
	for _, p := range problems {
		aside[p.DocumentID] = p.Detail
	}
	if err != nil {
		return results, aside, err
	}
	if in.Previous != nil {
		now := results.GeneratedAt
		results.GeneratedAt = in.Previous.GeneratedAt
		if !sameResults(results, *in.Previous) {
			results.GeneratedAt = now
		}
	}
	return results, aside, nil
}

func sameResults(a, b dossier.SpreadResults) bool {
	one, err := json.Marshal(a)
	if err != nil {
		return false
	}
	two, err := json.Marshal(b)
	return err == nil && bytes.Equal(one, two)
}

// titles are those of a round's report and workbook.
type titles struct{ report, sheet string }

func titled(what, name string) titles {
	if name != "" {
		name = " - " + name
	}
	return titles{what + " Report" + name, what + name}
}

// spreadFiles stores the report and the workbook of a round.
func (w *Worker) spreadFiles(ctx context.Context, claim postgres.Claim, job jobs.ConsolidateSpread, called titles,
	report, sheet []byte) ([]dossier.Artifact, error) {
	var files []dossier.Artifact
	for _, file := range []struct {
		kind  dossier.ArtifactType
		title string
		data  []byte
	}{{dossier.ArtifactReport, called.report, report}, {dossier.ArtifactSpreadsheet, called.sheet, sheet}} {
		key := fmt.Sprintf("%s/spreads/%s/%d-%s-%d-%d%s", job.Workspace, job.Spread, job.Round, claim.Job, claim.Epoch,
			claim.Attempt, file.kind.Extension())
		stored, err := w.Objects.Put(ctx, key, file.kind.ContentType(), bytes.NewReader(file.data), 0)
		if err != nil {
			return nil, err
		}
		sum, err := hex.DecodeString(stored.SHA256)
		if err != nil {
			return nil, err
		}
		files = append(files, dossier.Artifact{Type: file.kind, Title: file.title, ObjectKey: key, SHA256: sum,
			Size: stored.Size})
	}
	return files, nil
}

// spreadStep creates an ordinary spread and comes back when it has ended.
func (w *Worker) spreadStep(ctx context.Context, claim postgres.Claim, run dossier.PipelineRun,
	p parameters) (any, error) {
	s, waits, err := w.db.SpreadOfStep(ctx, claim, run, postgres.NewSpread{LeadID: p.LeadID, Documents: p.DocumentIDs,
		EntityName: p.EntityName,
		Currency:   p.Currency, FiscalYearEndMonth: p.YearEnd, ExternalID: p.ExternalID})
	if err != nil {
		return nil, err
	}
	if waits {
		return nil, errAwaiting
	}
	if s.Status == dossier.SpreadFailed {
		return nil, dossier.Coded(dossier.Invalid, "spread_failed", "%s", *s.Error)
	}
	results, err := w.db.SpreadResults(ctx, claim.Workspace, s.ID)
	return results.Only(nil), err
}
