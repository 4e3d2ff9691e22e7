package postgres

import (
	"context"
	"encoding/json"

	"github.com/dossierhq/dossier"

	"github.com/dossierhq/dossier/jobs"
)

// ending says what becomes of a job's noun when the job ends without success, in the commit that ends it: its tries
// are used up, no try would help, its worker died on the last one, or an operator cancelled it (class "cancelled").
// claim.Payload holds the ids. It runs as the job's workspace; message may be shown to people.
type ending func(ctx context.Context, tx *tx, claim Claim, class, message string) error

// endingOf lists the kinds that need one. It is a function since endings may themselves end jobs.
func endingOf(kind string) ending {
	switch kind {
	case jobs.ExtractDocument{}.Spec().Kind:
		return endExtraction
	case jobs.RunPipeline{}.Spec().Kind, jobs.ExportAnalytics{}.Spec().Kind:
		return endPipelineRun
	case jobs.ExtractFigures{}.Spec().Kind:
		return endFigures
	case jobs.ConsolidateSpread{}.Spec().Kind:
		return endSpread
	case jobs.DeliverWebhook{}.Spec().Kind:
		return endDelivery
	case jobs.SendMessage{}.Spec().Kind:
		return endSending
	case jobs.FetchMedia{}.Spec().Kind:
		return endMedia
	case jobs.ImportLeads{}.Spec().Kind:
		return endImport
	default:
		return nil
	}
}

// endExtraction leaves a document that nobody could read as failed, with a reason, and lets its journey go on: its
// items say so. A document that is gone needs nothing.
func endExtraction(ctx context.Context, tx *tx, claim Claim, class, message string) error {
	var job jobs.ExtractDocument
	if err := json.Unmarshal(claim.Payload, &job); err != nil {
		return err
	}
	reason := dossier.ExtractionError{Code: "corrupt", Detail: "The file could not be read, in " +
		plural(claim.Attempt, "try") + ". Reprocess it to try again"}
	switch class {
	case "timeout", "stuck":
		reason.Code = "timeout"
	case "memory", ClassWorkerLost:
		reason.Code = "memory" // a worker that dies while reading was most likely out of it
	}
	return ignoreMissing(failExtraction(ctx, tx, job.Document, reason))
}

// endPipelineRun ends the run of a step that ended without success.
func endPipelineRun(ctx context.Context, tx *tx, claim Claim, class, message string) error {
	var job jobs.RunPipeline
	if err := json.Unmarshal(claim.Payload, &job); err != nil {
		return err
	}
	_, err := failPipelineRun(ctx, tx, job.Run, dossier.PipelineFailure{Code: class, Message: message}, 0)
	return ignoreMissing(err)
}

// ignoreMissing lets a job of a thing that is gone end.
func ignoreMissing(err error) error {
	if dossier.KindOf(err) == dossier.NotFound {
		return nil
	}
	return err
}

func endJob(ctx context.Context, tx *tx, claim Claim, class, message string) error {
	do := endingOf(claim.Kind)
	if do == nil {
		return nil
	}
	return do(ctx, tx, claim, class, message)
}
