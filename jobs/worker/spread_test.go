package worker

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

var borrowers = sync.OnceValue(specimen.Borrowers)

// spreading is a bench with a worker and a lead whose documents are read already.
type spreading struct {
	*bench
	objects *objects.Store
	lead    dossier.LeadID
	docs    []dossier.DocumentID
	w       *Worker
}

func newSpreading(t *testing.T, borrower string) *spreading {
	return newSpreadingOn(t, borrower, objectstest.New(t))
}

func newSpreadingOn(t *testing.T, borrower string, store *objects.Store) *spreading {
	t.Helper()
	b := setup(t)
	s := &spreading{bench: b, objects: store}
	s.lead, _ = b.pg.Lead(t, b.ws, dossier.FieldFile)
	for _, x := range borrowers() {
		if x.Name != borrower {
			continue
		}
		for i, facts := range x.Facts() {
			part := dossier.ReadDocument{DocType: x.Documents[i].Truth.DocType, Pages: [2]int{1, 2}, Confidence: 0.9, Facts: facts}
			s.docs = append(s.docs, s.document(t, x.Documents[i].Name, &dossier.Extraction{Documents: []dossier.ReadDocument{part}}))
		}
	}
	w, err := New(Config{DB: b.pg.DB, Redis: b.redis, Objects: s.objects, Now: b.pg.Clock.Now, Log: testLog(t), Drain: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	w.timing, w.schedule = quick, nil
	s.w = w
	return s
}

// document puts a document that was read into the lead; without an extraction it is still being read.
func (s *spreading) document(t *testing.T, name string, read *dossier.Extraction) dossier.DocumentID {
	t.Helper()
	id := dossier.DocumentID(postgres.NewID())
	sum := sha256.Sum256([]byte(id))
	status := "pending"
	var data []byte
	if read != nil {
		status = "completed"
		var err error
		if data, err = json.Marshal(read); err != nil {
			t.Fatal(err)
		}
	}
	s.pg.Exec(t, `INSERT INTO documents (workspace_id, id, lead_id, filename, mime_type, size, sha256, object_key, source, uploaded_at, extraction_status, extraction, created_at, updated_at)
		VALUES ($1, $2, $3, $4, 'application/pdf', 1, $5, $6, 'imported', $7, $8, $9, $7, $7)`,
		s.ws, id, s.lead, name, sum[:], "k/"+string(id), s.pg.Clock.Now(), status, data)
	return id
}

func (s *spreading) ended(t *testing.T, id dossier.SpreadID) dossier.Spread {
	t.Helper()
	var got dossier.Spread
	s.until("the spread has ended", func() bool {
		var err error
		if got, err = s.pg.DB.ReadSpread(t.Context(), s.ws, id); err != nil {
			t.Fatal(err)
		}
		return got.Status != dossier.SpreadInProgress
	})
	return got
}

func (s *spreading) sums(t *testing.T, spread dossier.Spread) map[dossier.ArtifactType]string {
	t.Helper()
	sums := map[dossier.ArtifactType]string{}
	for _, a := range spread.Artifacts {
		object, err := s.objects.Get(t.Context(), a.ObjectKey)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(object)
		_ = object.Close()
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		if hex.EncodeToString(sum[:]) != hex.EncodeToString(a.SHA256) || int64(len(data)) != a.Size {
			t.Errorf("%s is not the bytes that the store says", a.Type)
		}
		sums[a.Type] = hex.EncodeToString(sum[:])
	}
	return sums
}

func (s *spreading) events(t *testing.T) []string {
	return pgtest.Value[[]string](t, s.pg, `SELECT array_agg(type ORDER BY id) FROM events WHERE type LIKE 'spread.%'`)
}

func TestSpread_life(t *testing.T) {
	s := newSpreading(t, "s_corporation_three_years")
	s.run(s.w)
	spread, err := s.pg.DB.CreateSpread(t.Context(), s.ws, postgres.NewSpread{LeadID: s.lead})
	if err != nil {
		t.Fatal(err)
	}
	first := s.ended(t, spread.ID)
	if first.Status != dossier.SpreadComplete || len(first.Artifacts) != 2 {
		t.Fatalf("spread = %+v, want it COMPLETE with two artifacts", first)
	}
	for _, d := range first.Documents {
		if d.Status != dossier.SpreadDocumentExtracted {
			t.Errorf("%s is %s", d.Filename, d.Status)
		}
	}
	results, err := s.pg.DB.SpreadResults(t.Context(), s.ws, spread.ID)
	if err != nil || len(results.Statements.CashFlow.Periods) != 3 || len(results.Checks) == 0 {
		t.Fatalf("results have %d cash flows, %v", len(results.Statements.CashFlow.Periods), err)
	}
	before := s.sums(t, first)

	s.pg.Clock.Advance(time.Hour)
	if _, err := s.pg.DB.RegenerateSpread(t.Context(), s.ws, spread.ID); err != nil {
		t.Fatal(err)
	}
	again := s.ended(t, spread.ID)
	if diff := cmp.Diff(before, s.sums(t, again)); diff != "" {
		t.Errorf("an unchanged regeneration gives other files (-first +again):\n%s", diff)
	}
	if again.Artifacts[0].ID == first.Artifacts[0].ID || again.Round != 2 {
		t.Errorf("artifact %s in round %d, want a new one", again.Artifacts[0].ID, again.Round)
	}
	if _, err := s.pg.DB.ReadArtifact(t.Context(), s.ws, first.Artifacts[0].ID); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("the replaced artifact: %v, want NotFound", err)
	}
	if diff := cmp.Diff([]string{"spread.started", "spread.completed", "spread.started", "spread.completed"}, s.events(t)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if named := pgtest.Value[int](t, s.pg, `SELECT count(*) FROM events WHERE type = 'spread.completed' AND jsonb_array_length(body::jsonb #> '{data,artifacts}') = 2`); named != 2 {
		t.Errorf("%d spread.completed name two artifacts beside the spread, want 2", named)
	}
}

// Ten presses at once: one starts a round, nine are told to wait.
func TestSpread_regenerate_ten_times_at_once(t *testing.T) {
	s := newSpreading(t, "sole_proprietor")
	spread, err := s.pg.DB.CreateSpread(t.Context(), s.ws, postgres.NewSpread{LeadID: s.lead})
	if err != nil {
		t.Fatal(err)
	}
	s.run(s.w)
	s.ended(t, spread.ID)
	outcome := make(chan error, 10)
	for range 10 {
		go func() {
			_, err := s.pg.DB.RegenerateSpread(t.Context(), s.ws, spread.ID)
			outcome <- err
		}()
	}
	refused := 0
	for range 10 {
		if err := <-outcome; err != nil {
			if dossier.KindOf(err) != dossier.Conflict {
				t.Error(err)
			}
			refused++
		}
	}
	got := s.ended(t, spread.ID)
	if rounds := got.Round - 1; rounds+refused != 10 {
		t.Errorf("%d rounds and %d refusals of 10 presses", rounds, refused)
	}
	if n := pgtest.Value[int](t, s.pg, `SELECT count(*) FROM artifacts`); n != 2 {
		t.Errorf("%d artifacts, want 2", n)
	}
	s.swept(t, got)
}

// A job of an old round, arriving late, changes nothing.
func TestSpread_old_round_does_nothing(t *testing.T) {
	s := newSpreading(t, "sole_proprietor")
	spread, err := s.pg.DB.CreateSpread(t.Context(), s.ws, postgres.NewSpread{LeadID: s.lead})
	if err != nil {
		t.Fatal(err)
	}
	s.run(s.w)
	first := s.ended(t, spread.ID)
	ids, err := s.pg.DB.StageJobs(t.Context(), s.ws, jobs.ConsolidateSpread{Workspace: s.ws, Spread: spread.ID, Round: 1},
		jobs.ExtractFigures{Workspace: s.ws, Spread: spread.ID, Document: s.docs[0], Round: 0})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		s.await(id, dossier.JobDone)
	}
	if got := s.ended(t, spread.ID); !got.UpdatedAt.Equal(first.UpdatedAt) || got.Artifacts[0].ID != first.Artifacts[0].ID {
		t.Errorf("a job of an old round changed the spread: %+v", got)
	}
	if events := s.events(t); len(events) != 2 {
		t.Errorf("events %v, want a start and an end", events)
	}
}

// A named document that is still being read is awaited; one that cannot be read fails alone.
func TestSpread_awaits_documents(t *testing.T) {
	s := newSpreading(t, "sole_proprietor")
	late, broken := s.document(t, "late.pdf", nil), s.document(t, "broken.pdf", nil)
	other := s.document(t, "letter.pdf", &dossier.Extraction{Documents: []dossier.ReadDocument{{DocType: dossier.DocOther}}})
	s.run(s.w)
	spread, err := s.pg.DB.CreateSpread(t.Context(), s.ws, postgres.NewSpread{LeadID: s.lead, Documents: append(s.docs[:1:1], late, broken, other)})
	if err != nil {
		t.Fatal(err)
	}
	facts := borrowerFacts(t, "sole_proprietor", 1)
	s.read(t, late, postgres.Extracted{Extraction: &dossier.Extraction{Documents: []dossier.ReadDocument{{DocType: dossier.DocTaxReturn, Pages: [2]int{1, 1}, Facts: facts}}}})
	s.read(t, broken, postgres.Extracted{Refusal: &dossier.ExtractionError{Code: "encrypted", Detail: "The file is encrypted"}})
	got := s.ended(t, spread.ID)
	if got.Status != dossier.SpreadComplete {
		t.Fatalf("spread = %s %v", got.Status, got.Error)
	}
	want := map[dossier.DocumentID]dossier.SpreadDocumentStatus{s.docs[0]: "EXTRACTED", late: "EXTRACTED", broken: "FAILED", other: "SKIPPED"}
	for _, d := range got.Documents {
		if d.Status != want[d.ID] || (d.Error == nil) != (d.Status == dossier.SpreadDocumentExtracted) {
			t.Errorf("%s is %s (%v), want %s", d.Filename, d.Status, d.Error, want[d.ID])
		}
	}
}

// read ends the reading of a document as a worker does.
func (s *spreading) read(t *testing.T, id dossier.DocumentID, what postgres.Extracted) {
	t.Helper()
	jobIDs, err := s.pg.DB.StageJobs(t.Context(), s.ws, jobs.Noop{Workspace: s.ws})
	if err != nil {
		t.Fatal(err)
	}
	s.pg.Exec(t, `UPDATE jobs SET status = 'RUNNING', epoch = 77, lease_until = now() + interval '1 hour' WHERE id = $1`, jobIDs[0])
	claim := postgres.Claim{Job: jobIDs[0], Workspace: s.ws, Epoch: 77}
	if err := s.pg.DB.SaveExtraction(t.Context(), claim, id, what); err != nil {
		t.Fatal(err)
	}
}

func borrowerFacts(t *testing.T, name string, i int) dossier.Facts {
	t.Helper()
	for _, b := range borrowers() {
		if b.Name == name {
			return b.Facts()[i]
		}
	}
	t.Fatalf("no borrower %s", name)
	return dossier.Facts{}
}

// When the only document awaited is deleted the spread fails and says why.
func TestSpread_fails_when_none_is_left(t *testing.T) {
	s := newSpreading(t, "")
	late := s.document(t, "late.pdf", nil)
	s.run(s.w)
	spread, err := s.pg.DB.CreateSpread(t.Context(), s.ws, postgres.NewSpread{LeadID: s.lead, Documents: []dossier.DocumentID{late}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.pg.DB.DeleteDocument(t.Context(), s.ws, late, false); err != nil {
		t.Fatal(err)
	}
	got := s.ended(t, spread.ID)
	if got.Status != dossier.SpreadFailed || got.Error == nil || got.Documents[0].Error == nil || *got.Documents[0].Error != "The document was deleted" {
		t.Errorf("spread = %+v", got)
	}
	if diff := cmp.Diff([]string{"spread.started", "spread.failed"}, s.events(t)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if _, err := s.pg.DB.SpreadResults(t.Context(), s.ws, spread.ID); dossier.KindOf(err) != dossier.Conflict {
		t.Errorf("results of a spread that never completed: %v", err)
	}
}

// The pipeline creates an ordinary spread, gives its slot back meanwhile, and answers its results.
func TestSpread_pipeline(t *testing.T) {
	if testing.Short() {
		t.Skip("spreads as TestSpread_life does, once, without the race detector")
	}
	s := newSpreading(t, "interim_three_months")
	s.run(s.w)
	run, err := s.pg.DB.CreatePipelineRun(t.Context(), s.ws, "spread-financials", []string{"spread-financials"},
		json.RawMessage(`{"leadId":"`+string(s.lead)+`","externalId":"x-1"}`), postgres.PipelineSubjects{Lead: s.lead})
	if err != nil {
		t.Fatal(err)
	}
	s.until("the run has ended", func() bool {
		got, err := s.pg.DB.ReadPipelineRun(t.Context(), s.ws, "spread-financials", run.ID)
		run = got
		return err == nil && got.Status.Ended()
	})
	var result struct {
		SchemaVersion int              `json:"schemaVersion"`
		SpreadID      dossier.SpreadID `json:"spreadId"`
	}
	if err := errors.Join(json.Unmarshal(run.Result, &result)); err != nil || run.Status != dossier.PipelineComplete || result.SchemaVersion != 2 {
		t.Fatalf("run = %s %v, result %.200s, %v", run.Status, run.Failure, run.Result, err)
	}
	spread, err := s.pg.DB.ReadSpread(t.Context(), s.ws, result.SpreadID)
	if err != nil || *spread.ExternalID != "x-1" {
		t.Errorf("spread of the run = %+v, %v", spread, err)
	}
	if n := pgtest.Value[int](t, s.pg, `SELECT count(*) FROM spreads`); n != 1 {
		t.Errorf("%d spreads, want 1", n)
	}
}

// Adjustments are applied by the round that saving them starts, and by every later one; taken away, the machine's
// figures and the first files are back.
func TestSpread_adjusted(t *testing.T) {
	if testing.Short() {
		t.Skip("draws files five times, one after the other, once, without the race detector")
	}
	s := newSpreading(t, "s_corporation_three_years")
	s.run(s.w)
	spread, err := s.pg.DB.CreateSpread(t.Context(), s.ws, postgres.NewSpread{LeadID: s.lead})
	if err != nil {
		t.Fatal(err)
	}
	s.ended(t, spread.ID)
	rent := func() (dossier.SpreadValue, dossier.SpreadResults) {
		t.Helper()
		r, err := s.pg.DB.SpreadResults(t.Context(), s.ws, spread.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range r.Statements.IncomeStatement.Periods[0].Values {
			if v.Key == "rent" {
				return v, r
			}
		}
		t.Fatal("no rent")
		return dossier.SpreadValue{}, r
	}
	machine, r := rent()
	value := dossier.Figure{Decimal: machine.Value.Add(decimal.NewFromInt(1000))}
	list := []dossier.SpreadAdjustment{{Statement: "incomeStatement", Row: "rent", PeriodID: r.Statements.IncomeStatement.Periods[0].ID, Value: &value, Reason: "lease"}}
	if _, err := s.pg.DB.SaveAdjustments(t.Context(), s.ws, spread.ID, list); err != nil {
		t.Fatal(err)
	}
	adjusted := s.sums(t, s.ended(t, spread.ID))
	for round := range 2 {
		got, _ := rent()
		if !got.Value.Equal(value.Decimal) || got.Adjusted == nil || !got.Adjusted.Machine.Equal(machine.Value.Decimal) {
			t.Errorf("in round %d rent is %s, %+v; want %s beside the machine's %s", round+2, got.Value, got.Adjusted, value, machine.Value)
		}
		if _, err := s.pg.DB.RegenerateSpread(t.Context(), s.ws, spread.ID); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(adjusted, s.sums(t, s.ended(t, spread.ID))); diff != "" {
			t.Errorf("an unchanged regeneration gives other files:\n%s", diff)
		}
	}
	if _, err := s.pg.DB.SaveAdjustments(t.Context(), s.ws, spread.ID, nil); err != nil {
		t.Fatal(err)
	}
	s.ended(t, spread.ID)
	if got, r := rent(); !got.Value.Equal(machine.Value.Decimal) || got.Adjusted != nil || len(r.Adjustments) != 0 {
		t.Errorf("without adjustments rent is %s, %+v", got.Value, got.Adjusted)
	}
}

// A row that was chosen for a caption once counts in every later spread of the lead, and of no other.
func TestSpread_caption_mappings_stay_with_the_lead(t *testing.T) {
	if testing.Short() {
		t.Skip("spreads as TestSpread_life does, once, without the race detector")
	}
	s := newSpreading(t, "")
	s.run(s.w)
	start, end, months := "2025-01-01", "2025-12-31", 12
	amount := func(n int64) dossier.Amount { return dossier.Amount{Decimal: decimal.NewFromInt(n)} }
	facts := dossier.StatementFacts{}
	facts.Statements.IncomeStatement = []dossier.StatementColumn{{Label: "2025", Start: &start, End: &end, Months: &months, Values: map[string]dossier.Amount{"grossRevenues": amount(100)},
		Unmapped: []dossier.UnmappedCaption{{Caption: "Truck lease", Section: "operatingExpenses", Amount: amount(40)}}}}
	read := &dossier.Extraction{Documents: []dossier.ReadDocument{{DocType: dossier.DocFinancialStatement, Pages: [2]int{1, 1}, Facts: dossier.Facts{Statement: &facts}}}}
	spread := func(lead dossier.LeadID) dossier.SpreadID {
		t.Helper()
		s.lead = lead
		created, err := s.pg.DB.CreateSpread(t.Context(), s.ws, postgres.NewSpread{LeadID: lead, Documents: []dossier.DocumentID{s.document(t, "books.xlsx", read)}})
		if err != nil {
			t.Fatal(err)
		}
		return s.ended(t, created.ID).ID
	}
	row := func(id dossier.SpreadID) string {
		t.Helper()
		r, err := s.pg.DB.SpreadResults(t.Context(), s.ws, id)
		if err != nil || len(r.Unmapped) != 1 {
			t.Fatal(r.Unmapped, err)
		}
		return r.Unmapped[0].Row
	}
	lead := s.lead
	other, _ := s.pg.Lead(t, s.ws, dossier.FieldFile)
	first := spread(lead)
	before := row(first)
	if _, err := s.pg.DB.SaveCaptions(t.Context(), s.ws, first, []dossier.CaptionMapping{{Statement: "incomeStatement", Caption: "TRUCK lease", Row: "rent"}}); err != nil {
		t.Fatal(err)
	}
	s.ended(t, first)
	want := []string{"otherOperatingExpenses", "rent", "rent", "otherOperatingExpenses"}
	if diff := cmp.Diff(want, []string{before, row(first), row(spread(lead)), row(spread(other))}); diff != "" {
		t.Errorf("rows before, after, of a later spread and of another lead (-want +got):\n%s", diff)
	}
}
