package worker

import (
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/scripted"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/llm"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// second is a document that the rules have read and judged, and a model that may read it.
type second struct {
	*bench
	w      *Worker
	server *scripted.Server
	lead   dossier.LeadID
	item   dossier.EntryID
	doc    dossier.DocumentID

	objects  *objects.Store
	registry *prometheus.Registry
	read1    func(*dossier.Extraction) // what the rules read beside nothing; nil: nothing
}

// strange is a bank's statement in words that no rule knows.
var strange = []string{"Riverbank Thrift", "Held for|EXAMPLE BAKERY LLC", "Money you had at first|1,000.00", "Left over|1,300.00", "Reference|00447-12209"}

var strangeFacts = map[string]string{"/accountHolder": "EXAMPLE BAKERY LLC", "/openingBalance": "1000.00", "/closingBalance": "1300.00", "/accountNumber": "00447-12209"}

func newSecond(t *testing.T, script scripted.Script) *second {
	b := setup(t)
	s := &second{bench: b, server: scripted.New(script, strangeFacts), registry: prometheus.NewRegistry()}
	web := httptest.NewServer(s.server)
	t.Cleanup(web.Close)
	patience := time.Minute
	if script == scripted.Slow {
		patience = 50 * time.Millisecond
	}
	model, err := llm.New(llm.Config{URL: web.URL, Name: "scripted", Cache: b.redis, HTTP: web.Client(), Timeout: patience,
		Backoff: time.Millisecond, Log: testLog(t)})
	if err != nil {
		t.Fatal(err)
	}
	store := objectstest.New(t)
	s.w, err = New(Config{DB: b.pg.DB, Redis: b.redis, Objects: store, Model: model, Now: b.pg.Clock.Now, Metrics: s.registry, Log: testLog(t)})
	if err != nil {
		t.Fatal(err)
	}
	s.objects = store
	b.pg.Exec(t, `UPDATE workspaces SET reading = '{"model":"fill"}' WHERE id = $1`, b.ws)
	s.next(t)
	return s
}

// next is another document, of another lead.
func (s *second) next(t *testing.T) {
	t.Helper()
	b := s.bench
	lead, entries := b.pg.Lead(t, b.ws, dossier.FieldBankStatement)
	s.lead, s.item = lead, entries[0]
	b.pg.Exec(t, `UPDATE checklist_items SET config = '{}', validation_rules = ARRAY['Account number must be visible'] WHERE lead_id = $1`, lead)
	docs, _, err := b.pg.DB.CreateDocuments(t.Context(), b.ws, postgres.Upload{LeadID: lead, EntryID: s.item, Source: dossier.SourceImported,
		Files: []postgres.NewFile{{ID: dossier.DocumentID(postgres.NewID()), Filename: "a.pdf", MimeType: "application/pdf", Size: 1, SHA256: []byte{1}, ObjectKey: "k/" + string(lead)}}})
	if err != nil {
		t.Fatal(err)
	}
	s.doc = docs[0].ID
	page := documenttest.Page(strange...)
	kept, err := text.EncodeTokens(text.Decoded{PageCount: 1, Layer: text.LayerText, Pages: []text.Page{page}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.w.storeDerived(t.Context(), docs[0], tokensOf, "application/octet-stream", kept); err != nil {
		t.Fatal(err)
	}
	b.pg.Exec(t, `UPDATE jobs SET status = 'DONE'`)
	s.readByRules(t)
}

// readByRules is the first commit: a bank statement of which the rules found nothing, matched and judged.
func (s *second) readByRules(t *testing.T) {
	t.Helper()
	e := dossier.Extraction{EngineVersion: "1", MimeType: "application/pdf", PageCount: 1, Layer: text.LayerText,
		Documents: []dossier.ReadDocument{document.Named(dossier.DocBankStatement, [2]int{1, 1}, 0.9)}}
	if s.read1 != nil {
		s.read1(&e)
	}
	if err := s.pg.DB.SaveExtraction(t.Context(), s.claim(t, jobs.ExtractDocument{Workspace: s.ws, Document: s.doc}), s.doc,
		postgres.Extracted{Extraction: &e, Engine: "1", TokensKey: "k/" + string(s.lead) + ".tokens"}); err != nil {
		t.Fatal(err)
	}
	match := jobs.MatchDocument{Workspace: s.ws, Document: s.doc}
	if err := s.w.matchDocument(t.Context(), s.claim(t, match), match); err != nil {
		t.Fatal(err)
	}
	validate := jobs.ValidateDocument{Workspace: s.ws, Document: s.doc}
	if err := s.w.validateDocument(t.Context(), s.claim(t, validate), validate); err != nil {
		t.Fatal(err)
	}
}

// claim is the right to a try of a job: of the one that was staged, else of one that is staged now.
func (s *second) claim(t *testing.T, job jobs.Job) postgres.Claim {
	t.Helper()
	var id dossier.JobID
	staged := s.pending(t, job.Spec().Kind)
	if len(staged) > 0 {
		id = staged[0]
	} else {
		ids, err := s.pg.DB.StageJobs(t.Context(), s.ws, job)
		if err != nil {
			t.Fatal(err)
		}
		id = ids[0]
	}
	s.pg.Exec(t, `UPDATE jobs SET admitted = epoch WHERE id = $1`, id)
	claim, ok, err := s.pg.DB.ClaimJob(t.Context(), id, s.job(id).Epoch, "second")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	return claim
}

func (s *second) pending(t *testing.T, kind string) []dossier.JobID {
	t.Helper()
	rows, err := s.pg.DB.Jobs(t.Context(), postgres.JobFilter{Kind: kind, Status: dossier.JobQueued})
	if err != nil {
		t.Fatal(err)
	}
	var ids []dossier.JobID
	for _, j := range rows {
		ids = append(ids, j.ID)
	}
	return ids
}

// counted are the metrics of the model: what they count by.
func (s *second) counted(t *testing.T) map[string]string {
	t.Helper()
	families, err := s.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, family := range families {
		if !strings.HasPrefix(family.GetName(), "dossier_model_") {
			continue
		}
		for _, m := range family.GetMetric() {
			name := family.GetName()
			for _, label := range m.GetLabel() {
				if label.GetName() != "model" {
					name += " " + label.GetValue()
				}
			}
			got[name] = fmt.Sprint(m.GetCounter().GetValue())
			if m.GetHistogram() != nil {
				got[name] = fmt.Sprint(m.GetHistogram().GetSampleCount())
			}
		}
	}
	return got
}

// fill is the second commit.
func (s *second) fill(t *testing.T) error {
	t.Helper()
	job := jobs.FillDocument{Workspace: s.ws, Document: s.doc}
	return s.w.fillDocument(t.Context(), s.claim(t, job), job)
}

func (s *second) read(t *testing.T) dossier.Document {
	t.Helper()
	d, err := s.pg.DB.ReadDocument(t.Context(), s.ws, s.doc)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (s *second) told(t *testing.T) int {
	t.Helper()
	return pgtest.Value[int](t, s.pg, `SELECT count(*) FROM events WHERE type = 'document.validated' AND body LIKE '%' || $1 || '%'`, string(s.doc))
}

// The rules' facts are committed first; what a model gives comes in a second commit, which judges again and tells of it
// once, when a verdict moved.
func TestFill_second_commit(t *testing.T) {
	s := newSecond(t, scripted.Right)
	before := s.read(t)
	if before.ExtractionStatus != dossier.ExtractionCompleted || before.Extraction.Model != nil || before.Associations[0].Valid() || len(s.server.Asked()) != 0 {
		t.Fatalf("after the first commit: %+v, associations %+v, %d questions", before.Extraction, before.Associations, len(s.server.Asked()))
	}
	if n := len(s.pending(t, "document.fill")); n != 1 {
		t.Fatalf("%d second readings staged, want 1", n)
	}
	if err := s.fill(t); err != nil {
		t.Fatal(err)
	}
	d := s.read(t)
	if m := d.Extraction.Model; m == nil || m.Name != "scripted" || m.Taken != 4 || m.Tokens != 250 || len(d.Extraction.Warnings) != 0 {
		t.Fatalf("model %+v, warnings %v", m, d.Extraction.Warnings)
	}
	for pointer, want := range strangeFacts {
		if src := d.Extraction.Documents[0].Sources[pointer]; src.Method != "model" || document.FactAt(d.Extraction.Documents[0].Facts, pointer) != want {
			t.Errorf("%s: %+v", pointer, src)
		}
	}
	want := map[string]string{"dossier_model_questions_total facts asked": "1", "dossier_model_tokens_total": "250", "dossier_model_seconds": "1",
		"dossier_model_facts_total asked": fmt.Sprint(d.Extraction.Model.Asked), "dossier_model_facts_total taken": "4", "dossier_model_facts_total dropped": "0"}
	if diff := cmp.Diff(want, s.counted(t)); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	if !d.Associations[0].Valid() {
		t.Errorf("the verdict does not rest on the new facts: %+v", d.Associations[0].Result)
	}
	if n := s.told(t); n != 2 {
		t.Errorf("document.validated told %d times, want once for each commit", n)
	}
	s.pg.Exec(t, `UPDATE jobs SET status = 'DONE'`)
	if err := s.fill(t); err != nil || s.told(t) != 2 || len(s.server.Asked()) != 1 {
		t.Errorf("a second time: %v, told %d times, asked %d times", err, s.told(t), len(s.server.Asked()))
	}
}

// A model that is away, slow, over budget or lying costs nothing but its answers: the rules' reading and verdicts
// stand.
func TestFill_rules_stand(t *testing.T) {
	for _, tt := range []struct {
		script  scripted.Script
		setting string
		redis   bool // is away
		warned  []string
		asked   bool
	}{
		{scripted.Busy, "", false, []string{"model_unavailable"}, true},
		{scripted.Slow, "", false, []string{"model_unavailable"}, true},
		{scripted.Garbage, "", false, []string{"model_unavailable"}, true},
		{scripted.Lying, "", false, nil, true},
		{scripted.Right, `{"model":"fill","tokensPerDay":1}`, false, []string{"model_budget"}, false},
		{scripted.Right, `{"model":"fill","tokensPerDocument":1}`, false, []string{"model_budget"}, false},
		{scripted.Right, "", true, []string{"model_budget"}, false},
	} {
		t.Run(string(tt.script)+tt.setting, func(t *testing.T) {
			s := newSecond(t, tt.script)
			if tt.setting != "" {
				s.pg.Exec(t, `UPDATE workspaces SET reading = $2 WHERE id = $1`, s.ws, tt.setting)
			}
			if tt.redis {
				_ = s.redis.Close()
			}
			if err := s.fill(t); err != nil {
				t.Fatal(err)
			}
			d := s.read(t)
			var warned []string
			for _, w := range d.Extraction.Warnings {
				warned = append(warned, w.Code)
			}
			if !slices.Equal(warned, tt.warned) || d.ExtractionStatus != dossier.ExtractionCompleted || d.Extraction.Model == nil || d.Extraction.Model.Taken != 0 {
				t.Errorf("warnings %q, %s, model %+v", warned, d.ExtractionStatus, d.Extraction.Model)
			}
			if s.told(t) != 1 || d.Associations[0].Valid() || (len(s.server.Asked()) > 0) != tt.asked {
				t.Errorf("told %d times, valid %t, %d questions", s.told(t), d.Associations[0].Valid(), len(s.server.Asked()))
			}
		})
	}
}

// A worker that dies between the two commits leaves the rules' reading whole; the next one asks nothing that was
// answered, and the late one changes nothing.
func TestFill_worker_lost(t *testing.T) {
	s := newSecond(t, scripted.Right)
	job := jobs.FillDocument{Workspace: s.ws, Document: s.doc}
	late := s.claim(t, job)
	s.pg.Exec(t, `UPDATE jobs SET epoch = epoch + 1, status = 'QUEUED', lease_until = NULL WHERE id = $1`, late.Job)
	if err := s.w.fillDocument(t.Context(), late, job); err == nil {
		t.Error("a worker that lost its claim wrote")
	}
	if d := s.read(t); d.Extraction.Model != nil || s.told(t) != 1 {
		t.Errorf("after the lost worker: %+v", d.Extraction.Model)
	}
	if err := s.fill(t); err != nil {
		t.Fatal(err)
	}
	if d := s.read(t); d.Extraction.Model == nil || d.Extraction.Model.Taken != 4 || s.told(t) != 2 || len(s.server.Asked()) != 1 {
		t.Errorf("after the next: %+v, told %d times, asked %d times", d.Extraction.Model, s.told(t), len(s.server.Asked()))
	}
}

// Off: nothing is staged, nothing is asked.
func TestFill_off(t *testing.T) {
	s := newSecond(t, scripted.Right)
	s.pg.Exec(t, `UPDATE workspaces SET reading = '{}' WHERE id = $1`, s.ws)
	s.pg.Exec(t, `UPDATE jobs SET status = 'DONE'`)
	s.readByRules(t)
	if n := len(s.pending(t, "document.fill")); n != 0 {
		t.Errorf("%d second readings staged", n)
	}
	if err := s.fill(t); err != nil || s.read(t).Extraction.Model != nil || len(s.server.Asked()) != 0 {
		t.Errorf("%v, %+v, asked %s", err, s.read(t).Extraction.Model, strings.Join(s.server.Asked(), " "))
	}
}

// A worker that dies at any step between the two commits, before or behind each piece that passes between it and the
// store: the document is as the rules read it or as the model filled it, its verdict is of those facts, each commit is
// told of once, and the next worker asks nothing anew: after each death that left something done, and after one in
// eight of the others, which all leave the same.
func TestFill_killed(t *testing.T) {
	s := newSecond(t, scripted.Right)
	line, through := newProxy(t, s.pg.URL)
	db, err := postgres.Open(t.Context(), postgres.Config{URL: through, SecretKey: make([]byte, 32), AnyLogin: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	victim, err := New(Config{DB: db, Redis: s.redis, Objects: s.objects, Model: s.w.Model, Now: s.pg.Clock.Now, Log: testLog(t)})
	if err != nil {
		t.Fatal(err)
	}
	died := 0
	for step := 1; ; step++ {
		job := jobs.FillDocument{Workspace: s.ws, Document: s.doc}
		claim := s.claim(t, job)
		line.set(fault{})
		for tries := 0; db.Ping(t.Context()) != nil; tries++ { // connected anew: how it connects is no step of the work
			if tries > 100 {
				t.Fatal("the store does not come back")
			}
		}
		line.cutAfter(step)
		err := victim.fillDocument(t.Context(), claim, job)
		line.cutAfter(0)
		filled := s.read(t).Extraction.Model != nil
		want := 1
		if filled {
			want = 2
		}
		if d := s.read(t); s.told(t) != want || d.Associations[0].Valid() != filled || err == nil && !filled {
			t.Fatalf("killed at step %d (%v): model %+v, valid %t, told %d times", step, err, d.Extraction.Model, d.Associations[0].Valid(), s.told(t))
		}
		s.pg.Exec(t, `UPDATE jobs SET epoch = epoch + 1, status = 'QUEUED', lease_until = NULL WHERE id = $1 AND status = 'RUNNING'`, claim.Job)
		if err != nil {
			died++
		}
		if !filled && step%8 != 0 {
			continue
		}
		if err := s.fill(t); err != nil {
			t.Fatal(err)
		}
		d := s.read(t)
		if m := d.Extraction.Model; m == nil || m.Taken != 4 || !d.Associations[0].Valid() || s.told(t) != 2 || len(s.server.Asked()) != 1 {
			t.Fatalf("after step %d: model %+v, valid %t, told %d times, asked %d times", step, m, d.Associations[0].Valid(), s.told(t), len(s.server.Asked()))
		}
		if err == nil {
			break
		}
		s.next(t)
	}
	if died < 6 {
		t.Errorf("died at %d steps", died)
	}
}

// With check a model is asked again for what the rules read and verdicts rest on. Where it reads otherwise, and the
// page prints that too, a person is asked, with both values; the rules' value and the verdicts stay.
func TestFill_check_doubts(t *testing.T) {
	s := newSecond(t, scripted.Right)
	amount, err := dossier.ParseAmount("1000.00")
	if err != nil {
		t.Fatal(err)
	}
	holder := "Riverbank Thrift"
	s.read1 = func(e *dossier.Extraction) {
		d := &e.Documents[0]
		d.Facts.Bank.ClosingBalance, d.Facts.Bank.AccountHolder = &amount, &holder
		d.Sources["/closingBalance"] = dossier.Source{Page: 1, Box: []float64{300, 700, 340, 712}, Text: "1,000.00", Confidence: 0.98, Method: text.MethodText}
		d.Sources["/accountHolder"] = dossier.Source{Page: 1, Box: []float64{300, 720, 340, 732}, Text: holder, Confidence: 0.98, Method: text.MethodText}
	}
	for mode, want := range map[string]int{"fill": 0, "check": 2} {
		s.pg.Exec(t, `UPDATE workspaces SET reading = jsonb_build_object('model', $2::text) WHERE id = $1`, s.ws, mode)
		s.next(t)
		if err := s.fill(t); err != nil {
			t.Fatal(err)
		}
		d := s.read(t)
		if got := d.Extraction.Documents[0]; document.FactAt(got.Facts, "/closingBalance") != "1000.00" || got.Sources["/closingBalance"].Method != text.MethodText {
			t.Errorf("%s: the model's value stands: %+v", mode, got.Sources["/closingBalance"])
		}
		said := pgtest.Value[[]string](t, s.pg, `SELECT coalesce(array_agg(pointer || ': ' || detail ORDER BY detail), '{}') FROM reviews
			WHERE code = 'fact_doubted' AND state = 'OPEN' AND subject_id = $1::uuid`, string(s.doc))
		all := strings.Join(said, " | ")
		if len(said) != want || want > 0 && (!strings.Contains(all, "1000.00") || !strings.Contains(all, "1300.00") || !strings.Contains(all, "EXAMPLE BAKERY LLC") || !strings.Contains(all, holder)) {
			t.Errorf("%s: %d reviews: %s; want %d with both values", mode, len(said), all, want)
		}
	}
}

// The same file on another lead of the workspace asks nothing: what was answered is kept.
func TestFill_same_file(t *testing.T) {
	s := newSecond(t, scripted.Right)
	for range 2 {
		if err := s.fill(t); err != nil || s.read(t).Extraction.Model.Taken != 4 {
			t.Fatal(err, s.read(t).Extraction.Model)
		}
		s.next(t)
	}
	if n := len(s.server.Asked()); n != 1 {
		t.Errorf("asked %d times", n)
	}
}
