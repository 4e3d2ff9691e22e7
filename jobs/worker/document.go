package worker

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/tracing"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/judge"
	"github.com/dossierhq/dossier/storage/postgres"
)

// extractDocument reads a stored file in a process of its own and keeps what it says, or why it cannot be read.
func (w *Worker) extractDocument(ctx context.Context, claim postgres.Claim, job jobs.ExtractDocument) error {
	d, err := w.db.StartExtraction(ctx, job.Workspace, job.Document)
	if err != nil {
		return err
	}
	began := w.Now()
	_, span := tracing.Start(ctx, tracing.Internal, "read", "")
	reading, err := w.reextract(ctx, d, job.FromTokens)
	if reading.Extraction != nil {
		span.Text("dossier.layer", reading.Extraction.Layer)
		span.Number("dossier.pages", reading.Extraction.PageCount)
	}
	span.End(refusalOf(reading))
	if ctx.Err() == nil {
		w.metrics.work.reading(reading, err, w.Now().Sub(began))
	}
	if errors.Is(err, errExchanged) {
		w.log.Error("a document's stored bytes are not those that were taken", "document", d.ID, "workspace",
			job.Workspace)
		return w.db.SaveExtraction(ctx, claim, d.ID, postgres.Extracted{Engine: document.EngineVersion,
			Exchanged: true})
	}
	if err != nil {
		return err
	}
	if reading.Refusal != nil && isTransient(reading.Refusal.Code) && !claim.LastTry() {
		// Out of time or memory may be the machine's fault today: another process, later.
		return RetryIn(5*time.Second, dossier.Coded(dossier.Internal, reading.Refusal.Code, "%s",
			reading.Refusal.Detail))
	}
	if reading, err = w.inParts(ctx, d, reading); err != nil {
		return err
	}
	read := postgres.Extracted{Extraction: reading.Extraction, Engine: document.EngineVersion}
	if reading.Refusal != nil {
		read.Refusal = &dossier.ExtractionError{Code: reading.Refusal.Code, Detail: reading.Refusal.Detail}
	}
	if read.TokensKey, err = w.storeDerived(ctx, d, tokensOf, "application/octet-stream", reading.Tokens); err != nil {
		return err
	}
	if read.ThumbnailKey, err = w.storeDerived(ctx, d, thumbnailOf, "image/png", reading.Thumbnail); err != nil {
		return err
	}
	return w.db.SaveExtraction(ctx, claim, d.ID, read)
}

// refusalOf is why a file was not read, or empty.
func refusalOf(reading sandbox.Reading) string {
	if reading.Refusal == nil {
		return ""
	}
	return reading.Refusal.Code
}

// inParts reads a file as the documents that a person says it has.
func (w *Worker) inParts(ctx context.Context, d dossier.Document, reading sandbox.Reading) (sandbox.Reading, error) {
	if len(d.Parts) == 0 || reading.Extraction == nil {
		return reading, nil
	}
	kept, err := reading.Tokens, error(nil)
	if kept == nil {
		kept, err = w.tokens(ctx, d.ObjectKey)
	}
	if err != nil || kept == nil {
		return reading, err
	}
	parts, err := w.Reader.Parts(ctx, kept, d.Parts)
	if err == nil && parts.Extraction != nil {
		reading.Extraction = parts.Extraction
	}
	return reading, err
}

// isTransient reports whether another try may succeed: the parser ran out of time or memory.
func isTransient(code string) bool { return code == "timeout" || code == "memory" }

// reextract applies the rules to the words that an earlier reading kept, where it may and they are there; else it reads
// the file.
func (w *Worker) reextract(ctx context.Context, d dossier.Document, fromTokens bool) (sandbox.Reading, error) {
	if !fromTokens {
		return w.readFile(ctx, d)
	}
	kept, err := w.tokens(ctx, d.ObjectKey)
	if err != nil {
		return sandbox.Reading{}, err
	}
	if kept == nil {
		return w.readFile(ctx, d)
	}
	return w.Reader.Reextract(ctx, kept)
}

// tokens are the words that the reading of a stored file kept; nil when it kept none.
func (w *Worker) tokens(ctx context.Context, objectKey string) ([]byte, error) {
	file, err := w.Objects.Get(ctx, objectKey+tokensOf)
	if dossier.KindOf(err) == dossier.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(file)
}

// pages are the words of a stored file, page by page; nil when none were kept. Rules look into them.
func (w *Worker) pages(ctx context.Context, objectKey string) ([]text.Page, error) {
	kept, err := w.tokens(ctx, objectKey)
	if err != nil || kept == nil {
		return nil, err
	}
	decoded, err := text.DecodeTokens(kept)
	if err != nil {
		w.log.Warn("kept tokens are damaged", "object", objectKey, "error", err)
		return nil, nil // the facts are there; the file can be read again
	}
	return decoded.Pages, nil
}

func (w *Worker) readFile(ctx context.Context, d dossier.Document) (sandbox.Reading, error) {
	file, err := w.Objects.Get(ctx, d.ObjectKey)
	if err != nil {
		return sandbox.Reading{}, err
	}
	defer func() { _ = file.Close() }()
	hash := sha256.New()
	reading, err := w.Reader.Read(ctx, io.TeeReader(file, hash))
	if err != nil {
		return reading, err
	}
	if _, err := io.Copy(hash, file); err != nil { // what a refusal left unread
		return sandbox.Reading{}, err
	}
	if d.SHA256 != nil && !bytes.Equal(hash.Sum(nil), d.SHA256) {
		return sandbox.Reading{}, errExchanged
	}
	return reading, nil
}

// errExchanged says that the stored bytes are not those that were taken.
var errExchanged = errors.New("the stored file has another hash than the document")

// What is kept beside a document's object, by the end of its key.
const (
	tokensOf    = ".tokens"
	thumbnailOf = ".thumbnail"
)

// storeDerived stores something made from a document beside it, under a name that a repeat overwrites. Nothing: no key.
func (w *Worker) storeDerived(ctx context.Context, d dossier.Document, what, contentType string,
	data []byte) (string, error) {
	if len(data) == 0 {
		return "", nil
	}
	key := d.ObjectKey + what
	_, err := w.Objects.Put(ctx, key, contentType, bytes.NewReader(data), 0)
	return key, err
}

// matchDocument finds the items of the lead's checklist that a read document serves.
func (w *Worker) matchDocument(ctx context.Context, claim postgres.Claim, job jobs.MatchDocument) error {
	in, err := w.db.MatchInput(ctx, job.Workspace, job.Document)
	if err != nil {
		return err
	}
	return w.db.SaveMatches(ctx, claim, in.LeadID, job.Document, matchesOf(in))
}

func matchesOf(in postgres.MatchInput) []dossier.FileMatch {
	var matches []dossier.FileMatch
	for _, p := range judge.Match(matchItems(in.Items), []judge.MatchDocument{matchDocumentOf(in.File, in.Named)},
		in.Party) {
		matches = append(matches, dossier.FileMatch{DocumentID: p.Document, EntryID: p.Entry, Score: p.Score,
			Reason: p.Reason, Parts: p.Parts})
	}
	return matches
}

func matchItems(items []dossier.FileItem) []judge.MatchItem {
	list := make([]judge.MatchItem, len(items))
	for i, item := range items {
		list[i] = judge.ItemOf(item)
	}
	return list
}

// matchDocumentOf is a file as the matcher sees it. Of several items that senders named, the last one is the
// file's; the others keep their association as it is.
func matchDocumentOf(file dossier.ReadFile, named []dossier.EntryID) judge.MatchDocument {
	d := judge.MatchDocument{Document: file.ID, Filename: file.Filename, Read: judge.PartsOf(file)}
	if len(named) > 0 {
		d.Assigned = named[len(named)-1]
	}
	return d
}

// validateDocument checks a document against the rules of each item it serves, and judges those items.
func (w *Worker) validateDocument(ctx context.Context, claim postgres.Claim, job jobs.ValidateDocument) error {
	in, err := w.db.ValidateInput(ctx, job.Workspace, job.Document)
	if err != nil {
		return err
	}
	pages, err := w.pages(ctx, in.File.ObjectKey)
	if err != nil {
		return err
	}
	v := w.validated(in, pages, func(on judge.Judgement, _ postgres.ServedItem) dossier.ValidationResult {
		return judge.Consult(ctx, w.Model, job.Workspace, on, judge.Validate(on))
	})
	v.Next = w.secondReading(job.Workspace, in)
	return w.db.SaveValidation(ctx, claim, in.LeadID, v)
}

// validated are the verdicts on a document, one for each item it serves.
func (w *Worker) validated(in postgres.ValidateInput, pages []text.Page,
	decide func(judge.Judgement, postgres.ServedItem) dossier.ValidationResult) postgres.Validated {
	today := w.today(in.Zone)
	results := map[dossier.EntryID]dossier.ValidationResult{}
	for _, item := range in.Items {
		if in.File.Extraction == nil {
			continue // unreadable: the item's judgement says so
		}
		whose := in.Party
		if item.Whose != nil {
			whose = *item.Whose
		}
		on := judge.Judgement{FieldType: item.FieldType, Config: item.Config, Rules: item.Rules, Party: whose,
			Today: today, Document: in.File.ID,
			Filename: in.File.Filename, Extraction: *in.File.Extraction, Parts: item.Parts,
			Others: judge.OtherParts(item.Others), Pages: pages}
		results[item.EntryID] = decide(on, item)
	}
	return postgres.Validated{Document: in.File.ID, On: in.File.Extraction, Results: results,
		Judge:  judge.NewJudge(today),
		Relate: judge.Relations}
}

// judgeLead judges the file items of a lead anew.
func (w *Worker) judgeLead(ctx context.Context, claim postgres.Claim, job jobs.JudgeLead) error {
	zone, err := w.db.LeadZone(ctx, job.Workspace, job.Lead)
	if err != nil {
		return err
	}
	var relate *dossier.Relations
	if job.Parties {
		relate = &judge.Relations
	}
	return w.db.JudgeLead(ctx, claim, job.Lead, job.Lost, judge.NewJudge(w.today(zone)), relate)
}

// today is the date it is for a lead in zone; a zone this machine does not know is UTC.
func (w *Worker) today(zone string) dossier.Day {
	location, err := time.LoadLocation(zone)
	if err != nil {
		location = time.UTC
	}
	return dossier.DayOf(w.Now().In(location))
}
