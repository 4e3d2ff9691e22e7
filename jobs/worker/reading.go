package worker

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/judge"
	"github.com/dossierhq/dossier/pipelines/llm"
	"github.com/dossierhq/dossier/pipelines/reading"
	"github.com/dossierhq/dossier/storage/postgres"
)

// secondReading is the job in which a model reads a document that was judged, where the workspace wants that and none
// has.
func (w *Worker) secondReading(ws dossier.WorkspaceID, in postgres.ValidateInput) []jobs.Job {
	e := in.File.Extraction
	if w.Model == nil || !in.Reading.Model.On() || e == nil || e.Model != nil {
		return nil
	}
	return []jobs.Job{jobs.FillDocument{Workspace: ws, Document: in.File.ID}}
}

// fillDocument asks a model for what the rules left open in a document, and has the document judged again by what
// counts of its answers. A model that is away, slow or wrong costs nothing but its answers.
func (w *Worker) fillDocument(ctx context.Context, claim postgres.Claim, job jobs.FillDocument) error {
	in, err := w.db.FillInput(ctx, job.Workspace, job.Document)
	if err != nil {
		return err
	}
	pages, err := w.pages(ctx, in.File.ObjectKey)
	if err != nil {
		return err
	}
	filled := postgres.Filled{Document: job.Document,
		Match: matchesOf,
		Validate: func(in postgres.ValidateInput) postgres.Validated {
			return w.validated(in, pages, keepConsulted)
		}}
	e := in.File.Extraction
	if w.Model != nil && in.Reading.Model.On() && e != nil && e.Model == nil {
		outcome := reading.Reader{Model: w.Model, Settings: in.Reading, Draw: w.drawer(in.File.ObjectKey),
			Named:  w.namer(in.File.ObjectKey),
			About:  llm.About{Workspace: job.Workspace, Subject: string(job.Document)},
			Budget: w.tokenBudget(job.Workspace, in.Reading.TokensPerDay)}.Fill(ctx, *e, pages)
		if ctx.Err() != nil {
			return context.Cause(ctx) // taken away: asked again, from what was kept
		}
		w.metrics.models.filled(outcome.Use)
		filled.Apply = outcome.Apply
	}
	return w.db.SaveFill(ctx, claim, in.LeadID, filled)
}

// drawer draws pages of a stored file for a model; nil where this worker draws none.
func (w *Worker) drawer(objectKey string) func(context.Context, text.Page, int) ([]byte, error) {
	if w.Reader == nil {
		return nil
	}
	return func(ctx context.Context, page text.Page, width int) ([]byte, error) {
		file, err := w.Objects.Get(ctx, objectKey)
		if err != nil {
			return nil, err
		}
		defer func() { _ = file.Close() }()
		picture, _, err := w.Reader.Picture(ctx, file, page, width)
		return picture, err
	}
}

// namer reads a stored file by the rules as the documents that a model says it has; nil where this worker reads none.
func (w *Worker) namer(objectKey string) func(context.Context, []dossier.DocumentPart) (*dossier.Extraction, error) {
	if w.Reader == nil {
		return nil
	}
	return func(ctx context.Context, parts []dossier.DocumentPart) (*dossier.Extraction, error) {
		kept, err := w.tokens(ctx, objectKey)
		if err != nil || kept == nil {
			return nil, err
		}
		read, err := w.Reader.Parts(ctx, kept, parts)
		return read.Extraction, err
	}
}

// keepConsulted judges by the rules that are built in. What a model said of the other rules stands: it read the same
// page.
func keepConsulted(on judge.Judgement, item postgres.ServedItem) dossier.ValidationResult {
	result := judge.Validate(on)
	if item.Last == nil {
		return result
	}
	result.OverallValid = true
	for i, r := range result.Results {
		for _, last := range item.Last.Results {
			if r.Code == "rule_not_understood" && last.RuleName == r.RuleName {
				result.Results[i] = last
			}
		}
		result.OverallValid = result.OverallValid && result.Results[i].IsValid
	}
	return result
}

// tokenBudget is a workspace's of the day, in Redis. What cannot be counted is not spent.
func (w *Worker) tokenBudget(ws dossier.WorkspaceID, limit int) llm.Budget {
	return func(ctx context.Context, tokens int) (func(int), bool) {
		day := w.Now().UTC().Format(time.DateOnly)
		ok, err := w.Redis.SpendTokens(ctx, ws, day, tokens, limit)
		if err != nil {
			w.log.Warn("the budget for language models cannot be read; none is asked", "workspace", ws, "error", err)
		}
		return func(used int) {
			if err := w.Redis.ReturnTokens(context.WithoutCancel(ctx), ws, day, tokens-used); err != nil {
				w.log.Warn("the budget for language models counts too much", "workspace", ws, "error", err)
			}
		}, ok
	}
}

// modelMetrics are what language models cost and gave.
type modelMetrics struct {
	questions *prometheus.CounterVec
	tokens    *prometheus.CounterVec
	seconds   *prometheus.HistogramVec
	facts     *prometheus.CounterVec
}

func newModelMetrics(registry prometheus.Registerer, model *llm.Model) modelMetrics {
	m := modelMetrics{
		questions: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "dossier_model_questions_total",
			Help: "Questions to language models, by what they ask and outcome: asked, cached, dropped, " +
				"addressed (the " +
				"document speaks to a model), budget or failed."}, []string{"model", "kind", "outcome"}),
		tokens: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "dossier_model_tokens_total",
			Help: "Tokens that language models were paid for."}, []string{"model"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "dossier_model_seconds",
			Help: "Time of one question that was sent.", Buckets: []float64{.1, .25, .5, 1, 2.5, 5, 10, 20, 30}},
			[]string{"model"}),
		facts: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "dossier_model_facts_total",
			Help: "Facts that language models were asked for, and how many of their answers were taken and dropped."},
			[]string{"model", "outcome"}),
	}
	registry.MustRegister(m.questions, m.tokens, m.seconds, m.facts)
	model.OnUse(func(u llm.Use) {
		m.questions.WithLabelValues(u.Model, u.Kind, u.Outcome).Inc()
		m.tokens.WithLabelValues(u.Model).Add(float64(u.Tokens))
		if u.Outcome == "asked" || u.Outcome == "dropped" || u.Outcome == "failed" {
			m.seconds.WithLabelValues(u.Model).Observe(u.Elapsed.Seconds())
		}
	})
	return m
}

func (m modelMetrics) filled(u dossier.ModelUse) {
	m.facts.WithLabelValues(u.Name, "asked").Add(float64(u.Asked))
	m.facts.WithLabelValues(u.Name, "taken").Add(float64(u.Taken))
	m.facts.WithLabelValues(u.Name, "dropped").Add(float64(u.Dropped))
}
