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
	papers := papersOf(in)
	s := in.Spread
	input := spread.GlobalInput{SpreadID: s.ID, LeadID: s.LeadID, Distributions: dossier.DistributionsK1,
		LivingExpenses: in.LivingExpenses, DefaultCurrency: in.Currency, GeneratedAt: w.Now(), Parties: in.Parties,
		Edges: in.Edges, Debts: in.Debts, Spreads: in.Spreads, Papers: papers}
	if s.Distributions != nil {
		input.Distributions = *s.Distributions
	}
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
	for _, p := range papers {
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

// papersOf are the tax papers among the files of a lead, with whose they are and who is named in them.
func papersOf(in postgres.GlobalInput) []spread.Paper {
	var papers []spread.Paper
	for _, file := range in.Files {
		for i, part := range file.Parts {
			if part.DocType != dossier.DocTaxReturn && part.DocType != dossier.DocTaxFormOther {
				continue
			}
			p := spread.Paper{DocumentID: file.ID, Of: file.Of[i], Read: part}
			if share, is := judge.FindShare(part, in.Parties); is && share.Owned >= 0 {
				p.Owned = in.Parties[share.Owned].ID
			}
			if at := judge.FindSpouse(part, in.Parties); at >= 0 {
				p.Spouse = in.Parties[at].ID
			}
			if p.Of != "" {
				papers = append(papers, p)
			}
		}
	}
	return papers
}
