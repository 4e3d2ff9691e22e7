package postgres_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// spreading is a lead with two documents that were read, and a spread of them in its first round.
type spreading struct {
	*erasable
	id dossier.SpreadID
}

func newSpreading(t *testing.T, s *pgtest.Server) *spreading {
	t.Helper()
	sp := &spreading{erasable: newErasable(t, s)}
	s.Exec(t, `UPDATE documents SET extraction_status = 'completed',
		extraction = '{"documents": [{"docType": "financial_statement"}]}' WHERE workspace_id = $1`, sp.ws)
	spread, err := s.DB.CreateSpread(t.Context(), sp.ws, postgres.NewSpread{LeadID: sp.lead})
	if err != nil {
		t.Fatal(err)
	}
	sp.id = spread.ID
	return sp
}

// take claims the oldest job of a kind in the spread's workspace as a worker would.
func (sp *spreading) take(t *testing.T, job jobs.Job) postgres.Claim {
	t.Helper()
	name := pgtest.Value[string](t, sp.Server, `UPDATE jobs SET admitted = epoch, in_turn = NULL WHERE id = (SELECT id
		FROM jobs WHERE kind = $1 AND workspace_id = $2 AND status = 'QUEUED' ORDER BY created_at, id LIMIT 1)
		RETURNING id::text`, job.Spec().Kind, sp.ws)
	claim, ok, err := sp.DB.ClaimJob(t.Context(), dossier.JobID(name), 1, "w")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	return claim
}

// settle ends the look at one document.
func (sp *spreading) settle(t *testing.T, document int, round int, status dossier.SpreadDocumentStatus) {
	t.Helper()
	job := jobs.ExtractFigures{Workspace: sp.ws, Spread: sp.id, Document: sp.docs[document].ID, Round: round}
	claim := claimed(t, sp.Server, sp.ws, job)
	if err := sp.DB.SaveFigures(t.Context(), claim, job, status, ""); err != nil {
		t.Fatal(err)
	}
	if claim.Ended().Status != dossier.JobDone {
		t.Errorf("its job is %q", claim.Ended().Status)
	}
}

// finish ends a round with figures in a currency.
func (sp *spreading) finish(t *testing.T, round int, currency string, aside map[dossier.DocumentID]string) error {
	t.Helper()
	job := jobs.ConsolidateSpread{Workspace: sp.ws, Spread: sp.id, Round: round}
	out := postgres.FinishedSpread{Reason: "None adds up", Documents: aside}
	if currency != "" {
		out.Results = &dossier.SpreadResults{Currency: currency}
		out.Files = []dossier.Artifact{{Type: dossier.ArtifactReport, Title: currency, ObjectKey: currency, SHA256: []byte{1}}}
	}
	return sp.DB.FinishSpread(t.Context(), claimed(t, sp.Server, sp.ws, job), job, out)
}

// is compares what became of the spread: its state and round, the currency of its results, its files, its documents.
func (sp *spreading) is(t *testing.T, want string) {
	t.Helper()
	s, err := sp.DB.ReadSpread(t.Context(), sp.ws, sp.id)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{string(s.Status), string(rune('0' + s.Round)), "-"}
	if results, err := sp.DB.SpreadResults(t.Context(), sp.ws, sp.id); err == nil {
		got[2] = results.Currency
	} else if dossier.KindOf(err) != dossier.Conflict {
		t.Error(err)
	}
	for _, a := range s.Artifacts {
		got = append(got, a.Title)
	}
	for _, d := range s.Documents {
		got = append(got, string(d.Status)+dossier.Text(d.Error))
	}
	if got := strings.Join(got, " "); got != want {
		t.Errorf("the spread is %s, want %s", got, want)
	}
}

// consolidations is how often the figures of the spread are to be put together.
func (sp *spreading) consolidations(t *testing.T, want int) {
	t.Helper()
	if n := pgtest.Value[int](t, sp.Server, `SELECT count(*) FROM jobs WHERE kind = 'spread.consolidate'
		AND subject_id = $1 AND status = 'QUEUED'`, sp.id); n != want {
		t.Errorf("%d consolidations are staged, want %d", n, want)
	}
}

// The last document that is settled has the figures put together, once; where none can be used the spread fails at once.
func TestSaveFigures(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	const extracted, failed = dossier.SpreadDocumentExtracted, dossier.SpreadDocumentFailed
	for _, test := range []struct {
		name        string
		first, last dossier.SpreadDocumentStatus
		want        string
		staged      int
	}{
		{"both are used", extracted, extracted, "IN_PROGRESS 1 - EXTRACTED EXTRACTED", 1},
		{"one is", failed, extracted, "IN_PROGRESS 1 - FAILED EXTRACTED", 1},
		{"none is", failed, dossier.SpreadDocumentSkipped, "FAILED 1 - FAILED SKIPPED", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			sp := newSpreading(t, s)
			sp.settle(t, 0, 1, test.first)
			sp.consolidations(t, 0)
			sp.settle(t, 1, 2, failed) // of a round that is not: it changes nothing
			sp.settle(t, 1, 1, test.last)
			sp.settle(t, 1, 1, failed) // settled before
			sp.is(t, test.want)
			sp.consolidations(t, test.staged)
		})
	}
}

// A document that is deleted, or whose job fails for good, keeps no spread waiting, and one that is read anew is awaited.
func TestStartFigures(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	start := func(t *testing.T, sp *spreading, round int) (bool, postgres.Claim) {
		t.Helper()
		job := jobs.ExtractFigures{Workspace: sp.ws, Spread: sp.id, Document: sp.docs[0].ID, Round: round}
		claim := claimed(t, s, sp.ws, job)
		d, ok, err := s.DB.StartFigures(t.Context(), claim, job)
		if err != nil || ok && d.ID != sp.docs[0].ID {
			t.Fatal(d.ID, err)
		}
		return ok, claim
	}
	for _, test := range []struct {
		name, change string
		round        int
		ok           bool
		want         string
	}{
		{"read", "", 1, true, "IN_PROGRESS 1 - PROCESSING PENDING"},
		{"could not be read", `UPDATE documents SET extraction_status = 'failed' WHERE id = $1`, 1, true,
			"IN_PROGRESS 1 - PROCESSING PENDING"},
		{"being read", `UPDATE documents SET extraction_status = 'processing' WHERE id = $1`, 1, false,
			"IN_PROGRESS 1 - PENDING PENDING"},
		{"deleted", `UPDATE documents SET deleted_at = now() WHERE id = $1`, 1, false,
			"IN_PROGRESS 1 - FAILEDThe document was deleted PENDING"},
		{"of an old round", "", 0, false, "IN_PROGRESS 1 - PENDING PENDING"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			sp := newSpreading(t, s)
			if test.change != "" {
				s.Exec(t, test.change, sp.docs[0].ID)
			}
			ok, claim := start(t, sp, test.round)
			if ended := claim.Ended().Status; ok != test.ok || ok == (ended == dossier.JobDone) {
				t.Errorf("ok %v, its job %q", ok, ended)
			}
			sp.is(t, test.want)
		})
	}
	t.Run("given up", func(t *testing.T) {
		t.Parallel()
		sp := newSpreading(t, s)
		for range sp.docs {
			if err := s.DB.FailJob(t.Context(), sp.take(t, jobs.ExtractFigures{}), "internal", "broken"); err != nil {
				t.Fatal(err)
			}
		}
		const why = "FAILEDThe figures of the document could not be taken over"
		sp.is(t, "FAILED 1 - "+why+" "+why)
	})
}

// A round replaces figures and files in one commit; one that is old or lost its claim changes neither, and one that
// fails leaves the last that were good.
func TestFinishSpread(t *testing.T) {
	t.Parallel()
	sp := newSpreading(t, pgtest.New(t))
	sp.settle(t, 0, 1, dossier.SpreadDocumentExtracted)
	sp.settle(t, 1, 1, dossier.SpreadDocumentFailed)
	regenerate := func() {
		t.Helper()
		if _, err := sp.DB.RegenerateSpread(t.Context(), sp.ws, sp.id); err != nil {
			t.Fatal(err)
		}
	}
	end := func(round int, currency string, aside map[dossier.DocumentID]string, want string) {
		t.Helper()
		if err := sp.finish(t, round, currency, aside); err != nil {
			t.Fatal(err)
		}
		sp.is(t, want)
	}
	if _, err := sp.DB.RegenerateSpread(t.Context(), sp.ws, sp.id); dossier.KindOf(err) != dossier.Conflict {
		t.Errorf("started over in its middle: %v", err)
	}
	job := jobs.ConsolidateSpread{Workspace: sp.ws, Spread: sp.id, Round: 1}
	lost := claimed(t, sp.Server, sp.ws, job)
	sp.Exec(t, `UPDATE jobs SET epoch = 2 WHERE id = $1`, lost.Job)
	if err := sp.DB.FinishSpread(t.Context(), lost, job, postgres.FinishedSpread{
		Results: &dossier.SpreadResults{Currency: "JPY"}}); !errors.Is(err, postgres.ErrFenced) {
		t.Errorf("who lost the claim: %v", err)
	}
	sp.is(t, "IN_PROGRESS 1 - EXTRACTED FAILED")
	aside := map[dossier.DocumentID]string{sp.docs[0].ID: "!"}
	end(1, "USD", aside, "COMPLETE 1 USD USD FAILED! EXTRACTED") // what a new reading made usable was used
	end(1, "JPY", nil, "COMPLETE 1 USD USD FAILED! EXTRACTED")   // over
	regenerate()
	sp.is(t, "IN_PROGRESS 2 USD USD FAILED! EXTRACTED")
	end(1, "JPY", nil, "IN_PROGRESS 2 USD USD FAILED! EXTRACTED") // old
	end(2, "EUR", nil, "COMPLETE 2 EUR EUR EXTRACTED EXTRACTED")
	regenerate()
	end(3, "", nil, "FAILED 3 EUR EUR EXTRACTED EXTRACTED")
	regenerate()
	for range 3 { // those of the rounds before end as well
		if err := sp.DB.FailJob(t.Context(), sp.take(t, jobs.ConsolidateSpread{}), "internal", "broken"); err != nil {
			t.Fatal(err)
		}
	}
	types, _ := (&leads{sp.Server, sp.ws}).events(t, sp.lead, 0)
	got := ""
	for _, name := range types {
		if of, ok := strings.CutPrefix(name, "spread."); ok {
			got += of + " "
		}
	}
	if want := "started completed started completed started failed started "; got != want && got != want+"failed " {
		t.Errorf("told %s, want %s", got, want)
	}
}

// Who may approve figures: another person than who asked, where the workspace wants four eyes, never a key; and figures
// that are made anew are nobody's approval any more.
func TestApproveSpread(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	person := func(name string) context.Context {
		return postgres.WithActor(t.Context(), postgres.Actor{Type: dossier.ActorPerson, ID: postgres.NewID(), Name: name})
	}
	ann, bo, key := person("ann@lender.example"), person("bo@lender.example"), robot(t, 1)
	named := postgres.WithActor(t.Context(), postgres.Actor{Type: dossier.ActorKey, ID: postgres.NewID(), Name: "k",
		OnBehalfOf: "Ann@Lender.example"})
	code := func(err error) string {
		var refused *dossier.Error
		if errors.As(err, &refused) {
			return refused.Code
		}
		if err != nil {
			return err.Error()
		}
		return ""
	}
	for _, test := range []struct {
		name           string
		four           bool
		asks, approves context.Context
		want           string
	}{
		{"another person", true, ann, bo, ""},
		{"the same person", true, ann, ann, "second_person_needed"},
		{"a key", true, ann, key, "second_person_needed"},
		{"the person for whom a key asked", true, named, ann, "second_person_needed"},
		{"a person for another's key", true, named, bo, ""},
		{"the same, where two eyes do", false, ann, ann, ""},
		{"a key, where two eyes do", false, key, key, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			sp := newSpreading(t, s)
			if test.four {
				s.Exec(t, `UPDATE workspaces SET four_eyes = $2 WHERE id = $1`, sp.ws, []string{dossier.FourEyesApproval})
			}
			for name, call := range map[string]func() error{
				"submitted": func() error { _, err := s.DB.SubmitSpread(ann, sp.ws, sp.id); return err },
				"approved":  func() error { _, err := s.DB.ApproveSpread(bo, sp.ws, sp.id); return err },
				"returned":  func() error { _, err := s.DB.ReturnSpread(bo, sp.ws, sp.id, "no"); return err },
			} {
				if err := call(); code(err) != "spread_not_ready" {
					t.Errorf("%s while in progress: %v", name, err)
				}
			}
			if err := sp.finish(t, 1, "USD", nil); err != nil {
				t.Fatal(err)
			}
			if _, err := s.DB.ApproveSpread(bo, sp.ws, sp.id); code(err) != "spread_not_submitted" {
				t.Errorf("approved before it was submitted: %v", err)
			}
			for range 2 {
				if _, err := s.DB.SubmitSpread(test.asks, sp.ws, sp.id); err != nil {
					t.Fatal(err)
				}
			}
			_, err := s.DB.ApproveSpread(test.approves, sp.ws, sp.id)
			if code(err) != test.want {
				t.Errorf("%v, want %q", err, test.want)
			}
			state := func() string {
				return pgtest.Value[string](t, s, `SELECT approval_state || ' ' || (SELECT count(*) FROM reviews
					WHERE subject_id = s.id AND state = 'OPEN') FROM spreads s WHERE id = $1`, sp.id)
			}
			if want := map[bool]string{true: "APPROVED 0", false: "SUBMITTED 1"}[test.want == ""]; state() != want {
				t.Errorf("it is %s, want %s", state(), want)
			}
			if _, err := s.DB.RegenerateSpread(t.Context(), sp.ws, sp.id); err != nil {
				t.Fatal(err)
			}
			if err := sp.finish(t, 2, "EUR", nil); err != nil {
				t.Fatal(err)
			}
			if state() != "DRAFT 0" {
				t.Errorf("with other figures it is %s", state())
			}
		})
	}
	t.Run("sent back", func(t *testing.T) {
		t.Parallel()
		sp := newSpreading(t, s)
		if err := sp.finish(t, 1, "USD", nil); err != nil {
			t.Fatal(err)
		}
		if _, err := s.DB.SubmitSpread(ann, sp.ws, sp.id); err != nil {
			t.Fatal(err)
		}
		got, err := s.DB.ReturnSpread(bo, sp.ws, sp.id, "SSN 123-45-6789?")
		if err != nil || got.Approval.State != dossier.ApprovalReturned || *got.Approval.Note != "SSN ***-**-6789?" {
			t.Errorf("%+v, %v", got.Approval, err)
		}
		if _, err := s.DB.ReturnSpread(bo, sp.ws, sp.id, "again"); code(err) != "spread_not_submitted" {
			t.Errorf("sent back twice: %v", err)
		}
		if _, err := s.DB.SubmitSpread(ann, sp.ws, sp.id); err != nil {
			t.Errorf("submitted again: %v", err)
		}
	})
}

// An analyst's corrections are kept to the last place, in their order, with the time when each was first made; they and
// the next round are one commit.
func TestSaveAdjustments(t *testing.T) {
	t.Parallel()
	sp := newSpreading(t, pgtest.New(t))
	figure := func(text string) *dossier.Figure { return &dossier.Figure{Decimal: decimal.RequireFromString(text)} }
	first := dossier.SpreadAdjustment{Statement: "income", Row: "sales", PeriodID: "2024", Value: figure("12345678901234.567"),
		Reason: "typo", Actor: ptr("ann@lender.example")}
	second := dossier.SpreadAdjustment{Statement: "income", Row: "cogs", PeriodID: "2024", MoveTo: ptr("sales"), Reason: "class"}
	if _, err := sp.DB.SaveAdjustments(t.Context(), sp.ws, sp.id, []dossier.SpreadAdjustment{first}); dossier.KindOf(err) !=
		dossier.Conflict {
		t.Errorf("while in progress: %v", err)
	}
	if err := sp.finish(t, 1, "USD", nil); err != nil {
		t.Fatal(err)
	}
	began := sp.Clock.Now()
	first.CreatedAt, second.CreatedAt = began, began.Add(time.Second) // by the rounds below
	for round, list := range [][]dossier.SpreadAdjustment{{first}, {second, first}, {second}, {}} {
		if got, err := sp.DB.SaveAdjustments(t.Context(), sp.ws, sp.id, list); err != nil || got.Round != round+2 {
			t.Fatalf("round %d, %v", got.Round, err)
		}
		got, err := sp.DB.Adjustments(t.Context(), sp.ws, sp.id)
		if err != nil {
			t.Fatal(err)
		}
		same := cmp.Comparer(func(a, b dossier.Figure) bool { return a.Equal(b.Decimal) })
		if diff := cmp.Diff(list, got, same, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("round %d (-want +got):\n%s", round+2, diff)
		}
		sp.Exec(t, `UPDATE spreads SET status = 'FAILED' WHERE id = $1`, sp.id)
		sp.Clock.Advance(time.Second)
	}
	mappings := []dossier.CaptionMapping{{Statement: "income", Caption: "Net  SALES", Row: "sales"}}
	for range 2 {
		if _, err := sp.DB.SaveCaptions(t.Context(), sp.ws, sp.id, mappings); err != nil {
			t.Fatal(err)
		}
		if got, err := sp.DB.Captions(t.Context(), sp.ws, sp.id); err != nil || len(got) != 1 || got[0] != mappings[0] {
			t.Errorf("%+v, %v", got, err)
		}
		sp.Exec(t, `UPDATE spreads SET status = 'FAILED' WHERE id = $1`, sp.id)
	}
	if _, err := sp.DB.SaveCaptions(t.Context(), sp.ws, sp.id, append(mappings, mappings...)); err == nil {
		t.Error("one caption stands for two rows")
	}
	if s, err := sp.DB.ReadSpread(t.Context(), sp.ws, sp.id); err != nil || s.Status != dossier.SpreadFailed {
		t.Errorf("what was refused began a round: %s, %v", s.Status, err)
	}
}
