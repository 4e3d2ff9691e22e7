package worker

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/judge"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

// parameters are those of every built-in pipeline; the API has checked them.
type parameters struct {
	DocumentID  dossier.DocumentID   `json:"documentId"`
	DocumentIDs []dossier.DocumentID `json:"documentIds"`
	LeadID      dossier.LeadID       `json:"leadId"`
	EntryID     dossier.EntryID      `json:"leadChecklistItemId"`
	Rules       []string             `json:"rules"`
	EntityName  *string              `json:"entityName"`
	Currency    string               `json:"currency"`
	YearEnd     int                  `json:"fiscalYearEndMonth"`
	ExternalID  *string              `json:"externalId"`
	Start       *time.Time           `json:"start"`
	End         *time.Time           `json:"end"`
}

// errAwaiting says that the step was put down until a document is read; its job has ended.
var errAwaiting = errors.New("the step waits for a document")

// runPipeline does one step of a pipeline run.
func (w *Worker) runPipeline(ctx context.Context, claim postgres.Claim, job jobs.RunPipeline) error {
	run, err := w.db.StartPipelineStep(ctx, job.Workspace, job.Run)
	if err != nil {
		return err
	}
	began := w.Now()
	result, err := w.runStep(ctx, claim, run)
	elapsed := w.Now().Sub(began)
	var refused *dossier.Error
	switch {
	case errors.Is(err, errAwaiting):
		return nil
	case errors.As(err, &refused) && isPermanent(refused.Kind):
		run, err = w.db.FailPipelineRun(ctx, claim, run.ID, dossier.PipelineFailure{Code: refused.Code,
			Message: refused.Message}, elapsed)
	case err != nil:
		return err
	default:
		run, err = w.db.FinishPipelineStep(ctx, claim, run.ID, result, elapsed)
	}
	if err == nil && run.Status.Ended() {
		w.cachePoll(context.WithoutCancel(ctx), job.Workspace, run) // the claim ended with the commit, and ctx may
	}
	return err
}

// cachePoll leaves the body of a finished run where polls look first. Postgres has it already: a failure costs speed.
func (w *Worker) cachePoll(ctx context.Context, ws dossier.WorkspaceID, run dossier.PipelineRun) {
	body, err := json.Marshal(record.OfPipelineRun(run, w.Now()))
	if err == nil {
		err = w.Redis.SetPoll(ctx, ws, run.ID, body)
	}
	if err != nil {
		w.log.Debug("poll result not cached", "run", run.ID, "error", err)
	}
}

// runStep does the computation of the run's current step.
func (w *Worker) runStep(ctx context.Context, claim postgres.Claim, run dossier.PipelineRun) (json.RawMessage, error) {
	var p parameters
	if err := json.Unmarshal(run.Parameters, &p); err != nil {
		return nil, dossier.Errorf(dossier.Invalid, "The parameters cannot be read")
	}
	if err := w.awaitDocuments(ctx, claim, run, p); err != nil {
		return nil, err
	}
	if p.LeadID == "" && p.DocumentID != "" {
		lead, err := w.db.LeadOfDocument(ctx, claim.Workspace, p.DocumentID)
		if err != nil {
			return nil, err
		}
		p.LeadID, p.DocumentIDs = lead, []dossier.DocumentID{p.DocumentID}
	}
	if p.DocumentID == "" && needsDocument[run.Steps[run.Step].PipelineID] {
		return nil, dossier.Coded(dossier.Invalid, "document_required",
			"%s needs a documentId, and the run was started without one", run.Steps[run.Step].PipelineID)
	}
	step, ok := w.steps[run.Steps[run.Step].PipelineID]
	if !ok {
		return nil, dossier.Coded(dossier.Invalid, "unknown_pipeline", "No pipeline %s in this release",
			run.Steps[run.Step].PipelineID)
	}
	result, err := step(ctx, claim, run, p)
	if err != nil {
		return nil, err
	}
	return json.Marshal(result)
}

// needsDocument names the steps about one document. Alone they are never started without; in a chain that begins with
// a lead they can be.
var needsDocument = map[string]bool{jobs.PipelineExtractDocument: true, jobs.PipelineClassifyDocument: true,
	jobs.PipelineValidateDocument: true}

// awaitDocuments puts the step down when one of the documents it needs is still being read.
func (w *Worker) awaitDocuments(ctx context.Context, claim postgres.Claim, run dossier.PipelineRun,
	p parameters) error {
	ids := p.DocumentIDs
	if p.DocumentID != "" {
		ids = append(ids, p.DocumentID)
	}
	for _, id := range ids {
		waits, err := w.db.AwaitDocument(ctx, claim, run.ID, id)
		if err != nil {
			return err
		}
		if waits {
			return errAwaiting
		}
	}
	return nil
}

// step computes one pipeline's result.
type step func(ctx context.Context, claim postgres.Claim, run dossier.PipelineRun, p parameters) (any, error)

// stepTable names the computation of every built-in pipeline.
func (w *Worker) stepTable() map[string]step {
	return map[string]step{
		jobs.PipelineExtractDocument:  w.extractStep,
		jobs.PipelineClassifyDocument: w.classifyStep,
		jobs.PipelineMatchDocuments:   w.matchStep,
		jobs.PipelineValidateDocument: w.validateStep,
		jobs.PipelineSpreadFinancials: w.spreadStep,

		jobs.PipelineAnalyzeBankStatements: w.bankStep,
		jobs.PipelineExportAnalyticsCSV:    w.exportStep,
	}
}

// extraction is what was read in a document. Error: Invalid with the extractionError's code, when it cannot be read.
func (w *Worker) extraction(ctx context.Context, ws dossier.WorkspaceID,
	id dossier.DocumentID) (*dossier.Extraction, error) {
	d, err := w.db.ReadDocument(ctx, ws, id)
	if err != nil {
		return nil, err
	}
	if d.ExtractionError != nil {
		return nil, dossier.Coded(dossier.Invalid, d.ExtractionError.Code, "%s", d.ExtractionError.Detail)
	}
	if d.Extraction == nil {
		return nil, dossier.Errorf(dossier.Unavailable, "The document is being read")
	}
	return d.Extraction, nil
}

func (w *Worker) extractStep(ctx context.Context, claim postgres.Claim, _ dossier.PipelineRun,
	p parameters) (any, error) {
	read, err := w.extraction(ctx, claim.Workspace, p.DocumentID)
	if err != nil {
		return nil, err
	}
	return read.Listed(), nil
}

type classified struct {
	DocType    dossier.DocType   `json:"docType"`
	FieldType  dossier.FieldType `json:"fieldType"`
	Pages      [2]int            `json:"pages"`
	Confidence float64           `json:"confidence"`
	Evidence   []string          `json:"evidence"`
}

func (w *Worker) classifyStep(ctx context.Context, claim postgres.Claim, _ dossier.PipelineRun,
	p parameters) (any, error) {
	read, err := w.extraction(ctx, claim.Workspace, p.DocumentID)
	if err != nil {
		return nil, err
	}
	found := []classified{}
	for _, d := range read.Documents {
		found = append(found, classified{d.DocType, d.FieldType, d.Pages, d.Confidence, d.Evidence})
	}
	return map[string]any{"documents": found}, nil
}

type matched struct {
	DocumentID dossier.DocumentID `json:"documentId"`
	EntryID    dossier.EntryID    `json:"leadChecklistItemId"`
	Code       string             `json:"code"`
	Label      string             `json:"label"`
	Score      float64            `json:"score"`
	Reason     string             `json:"reason"`
}

func (w *Worker) matchStep(ctx context.Context, claim postgres.Claim, _ dossier.PipelineRun,
	p parameters) (any, error) {
	in, err := w.db.LeadFiles(ctx, claim.Workspace, p.LeadID, p.DocumentIDs)
	if err != nil {
		return nil, err
	}
	items := map[dossier.EntryID]dossier.FileItem{}
	for _, item := range in.Items {
		items[item.EntryID] = item
	}
	var files []judge.MatchDocument
	for _, f := range in.Files {
		var named []dossier.EntryID
		if f.RequestedEntryID != nil {
			named = append(named, *f.RequestedEntryID)
		}
		files = append(files, matchDocumentOf(f, named))
	}
	matches, served := []matched{}, map[dossier.DocumentID]bool{}
	for _, m := range judge.Match(matchItems(in.Items), files, in.Party) {
		item := items[m.Entry]
		matches = append(matches, matched{m.Document, m.Entry, item.Code, item.Label, m.Score, m.Reason})
		served[m.Document] = true
	}
	unmatched := []dossier.DocumentID{}
	for _, f := range in.Files {
		if !served[f.ID] {
			unmatched = append(unmatched, f.ID)
		}
	}
	return map[string]any{"matches": matches, "unmatched": unmatched}, nil
}

// validateStep checks a document against the given rules, the rules of the given item, or those of the item it serves.
func (w *Worker) validateStep(ctx context.Context, claim postgres.Claim, _ dossier.PipelineRun,
	p parameters) (any, error) {
	read, err := w.extraction(ctx, claim.Workspace, p.DocumentID)
	if err != nil {
		return nil, err
	}
	in, err := w.db.LeadFiles(ctx, claim.Workspace, p.LeadID, nil)
	if err != nil {
		return nil, err
	}
	on := judge.Judgement{FieldType: dossier.FieldFile, Rules: p.Rules, Party: in.Party, Today: w.today(in.Zone),
		Document: p.DocumentID, Extraction: *read}
	entry := p.EntryID
	if entry == "" && len(p.Rules) == 0 {
		if entry, err = w.servedItem(ctx, claim.Workspace, p.DocumentID); err != nil {
			return nil, err
		}
	}
	for _, item := range in.Items {
		if item.EntryID == entry {
			on.FieldType, on.Config = item.FieldType, item.Config
			on.Rules = append(append([]string{}, item.Rules...), p.Rules...)
		}
	}
	if on.Pages, err = w.documentPages(ctx, claim.Workspace, p.DocumentID); err != nil {
		return nil, err
	}
	return judge.Consult(ctx, w.Model, claim.Workspace, on, judge.Validate(on)), nil
}

func (w *Worker) documentPages(ctx context.Context, ws dossier.WorkspaceID,
	id dossier.DocumentID) ([]text.Page, error) {
	d, err := w.db.ReadDocument(ctx, ws, id)
	if err != nil {
		return nil, err
	}
	return w.pages(ctx, d.ObjectKey)
}

// servedItem is the item that a document serves best, or none.
func (w *Worker) servedItem(ctx context.Context, ws dossier.WorkspaceID,
	id dossier.DocumentID) (dossier.EntryID, error) {
	d, err := w.db.ReadDocument(ctx, ws, id)
	if err != nil {
		return "", err
	}
	var best dossier.Association
	for _, a := range d.Associations {
		if a.Score > best.Score || a.Requested {
			best = a
		}
	}
	return best.EntryID, nil
}
