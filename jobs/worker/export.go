package worker

import (
	"context"
	"errors"
	"io"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/analytics"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

// exportAnalytics is runPipeline in the lane of exports.
func (w *Worker) exportAnalytics(ctx context.Context, claim postgres.Claim, job jobs.ExportAnalytics) error {
	return w.runPipeline(ctx, claim, jobs.RunPipeline(job))
}

// download is the result of an export (decisions.md section 8). It stays empty: results are kept and told to webhooks,
// which get no signed addresses. Whoever polls gets one that was made for the answer.
type download struct {
	URL       *string      `json:"downloadUrl"`
	ExpiresAt *record.Time `json:"expiresAt"`
}

// exportStep writes the workspace's analytics as a CSV file. Whoever fails half-way leaves no file: the object
// appears when all of it is there, and its address only with the commit that ends the step.
func (w *Worker) exportStep(ctx context.Context, claim postgres.Claim, run dossier.PipelineRun,
	p parameters) (any, error) {
	export := dossier.Export{RunID: run.ID, Filter: dossier.ReportFilter{Start: p.Start, End: p.End, Test: run.IsTest},
		ObjectKey: jobs.ExportKey(claim.Workspace, run.ID, postgres.NewID())}
	var err error
	export.Rows, err = w.writeExport(ctx, claim, run, export)
	unsaved := err != nil
	if err == nil {
		err = w.db.SaveExport(ctx, claim, export)
		// given to another worker, or cancelled
		unsaved = errors.Is(err, postgres.ErrFenced) || dossier.KindOf(err) == dossier.NotFound
	}
	if unsaved { // the file, if it got there in spite of the error, is nobody's
		_ = w.Objects.Delete(context.WithoutCancel(ctx), export.ObjectKey) // else the sweep does it
	}
	return download{}, err
}

// writeExport streams the file: what Postgres reads goes into object storage part by part, and waits when that is slow.
func (w *Worker) writeExport(ctx context.Context, claim postgres.Claim, run dossier.PipelineRun,
	export dossier.Export) (int64, error) {
	out, in := io.Pipe()
	var rows int64
	var failure error
	done := make(chan struct{})
	go func() {
		defer close(done)
		rows, failure = w.streamExport(ctx, claim, run, export.Filter, in)
		_ = in.CloseWithError(failure) // never fails
	}()
	_, err := w.Objects.Put(ctx, export.ObjectKey, jobs.ExportContentType, out, 0)
	_ = out.CloseWithError(err) // so that the writer does not wait for a reader that has left
	<-done
	if err != nil && failure != nil {
		err = failure // the storage only passes on what stopped the stream, or stopped it and is in failure
	}
	return rows, err
}

func (w *Worker) streamExport(ctx context.Context, claim postgres.Claim, run dossier.PipelineRun,
	filter dossier.ReportFilter, out io.Writer) (int64, error) {
	var file *analytics.CSV
	var rows int64
	progress := exportProgress{w: w, claim: claim, run: run}
	begin := func(leads, width int) error {
		file, progress.of = analytics.NewCSV(out, width), int64(leads)
		return nil
	}
	err := w.db.StreamReports(ctx, claim.Workspace, filter, begin, func(r dossier.LeadReport) error {
		rows++
		progress.at(ctx, rows)
		return file.Write(r)
	})
	if err != nil {
		return rows, err
	}
	return rows, file.Flush()
}

// exportProgress shows in the run and its job how far the export is, in steps of five percent.
type exportProgress struct {
	w     *Worker
	claim postgres.Claim
	run   dossier.PipelineRun
	of    int64
	last  int
}

func (p *exportProgress) at(ctx context.Context, rows int64) {
	percent := int(100 * rows / max(p.of, 1))
	if percent < p.last+5 || percent >= 100 {
		return
	}
	p.last = percent
	whole := (100*p.run.Step + percent) / len(p.run.Steps)
	if err := p.w.db.SetPipelineProgress(ctx, p.claim, p.run.ID, whole); err != nil {
		p.w.log.Debug("progress not shown", "run", p.run.ID, "error", err)
	}
}
