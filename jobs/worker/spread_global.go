package worker

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/pipelines/judge"
	"github.com/dossierhq/dossier/pipelines/render"
	"github.com/dossierhq/dossier/pipelines/spread"
	"github.com/dossierhq/dossier/storage/postgres"
)

// consolidateGlobal makes the cash flow of all parties of a lead, and its files. While a party's spread is awaited it
// does nothing: the end of that stages it again.
func (w *Worker) consolidateGlobal(ctx context.Context, claim postgres.Claim, job jobs.ConsolidateSpread) error {
	in, ok, err := w.db.GlobalInput(ctx, job.Workspace, job.Spread, job.Round)
	if err != nil || !ok {
		return err
	}
	input := spread.GlobalInputOf(in, judge.Relations, w.Now())
	results, err := spread.Global(input)
	if err != nil {
		return w.db.FinishSpread(ctx, claim, job, postgres.FinishedSpread{Reason: err.Error()})
	}
	keepTime(&results, in.Previous)
	report, err := render.GlobalReport(results)
	if err != nil {
		return err
	}
	sheet, err := render.GlobalSheet(results)
	if err != nil {
		return err
	}
	files, err := w.spreadFiles(ctx, claim, job, titled("Global Cash Flow", in.Parties[0].Name), report, sheet)
	if err != nil {
		return err
	}
	used := slices.Clone(in.Used)
	for _, p := range input.Papers {
		if !slices.Contains(used, p.DocumentID) {
			used = append(used, p.DocumentID)
		}
	}
	return w.db.FinishSpread(ctx, claim, job, postgres.FinishedSpread{Global: &results, Used: used, Files: files})
}

// keepTime gives results that did not change the time at which they first came about.
func keepTime(results *dossier.GlobalResults, previous *dossier.GlobalResults) {
	if previous == nil {
		return
	}
	now := results.GeneratedAt
	results.GeneratedAt = previous.GeneratedAt
	one, err := json.Marshal(results)
	two, failed := json.Marshal(previous)
	if err != nil || failed != nil || string(one) != string(two) {
		results.GeneratedAt = now
	}
}
