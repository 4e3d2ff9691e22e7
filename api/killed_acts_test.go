package api

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/pipelines/judge"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// asPerson is a context in which a person acts.
func (s *testServer) asPerson(t *testing.T, email string) context.Context {
	return postgres.WithActor(t.Context(), postgres.Actor{Type: dossier.ActorPerson, ID: string(s.Workspace), Name: email})
}

// A program that dies at any step of a decision has done nothing, or all that the decision does to its subject, once:
// of every code, with every decision that suits it.
func TestReviews_decisions_killed(t *testing.T) {
	t.Parallel()
	done := map[string]bool{}
	for _, r := range twentyReasons() {
		name := fmt.Sprintf("%s %s", r.code, r.decision)
		if done[name] {
			continue
		}
		done[name] = true
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			made := func() (consoleDesk, dossier.ReviewID) {
				d, one := consoleDesk{testServer: newTestServer(t, withObjects(t))}, []reason{r}
				d.ask(t, one)
				d.Exec(t, `UPDATE documents SET updated_at = $1`, d.Clock.Now())
				d.Exec(t, `UPDATE spreads SET submitter = 'bob@example.com' WHERE submitter IS NOT NULL`)
				id := dossier.ReviewID(one[0].id)
				if _, err := d.DB.ClaimReview(d.asPerson(t, "ada@example.com"), d.Workspace, id, false, ""); err != nil {
					t.Fatal(err)
				}
				return d, id
			}
			decide := func(d consoleDesk, id dossier.ReviewID) func(db *postgres.DB) error {
				other := "other"
				by := postgres.DecisionRequest{Decision: dossier.ReviewDecided(r.decision), Version: 1,
					By:    postgres.Caller{Source: dossier.SourceManual, Actor: "ada@example.com"},
					Judge: func(zone string) dossier.Judge { return judge.NewJudge(d.API.today(zone)) }}
				if r.decision == "reject" {
					by.ReasonCode = &other
				}
				return func(db *postgres.DB) error {
					_, err := db.DecideReview(d.asPerson(t, "ada@example.com"), d.Workspace, id, by)
					return err
				}
			}
			alive, asked := made()
			if err := decide(alive, asked)(alive.DB); err != nil {
				t.Fatal(err)
			}
			d, id := made()
			d.killedAtEachStep(t, alive.everything(t), decide(d, id))
		})
	}
}

// So it is with each step of the approval of a spread by two people, and with what they do with a review before it is
// decided.
func TestApprovals_and_claims_killed(t *testing.T) {
	t.Parallel()
	type step func(t *testing.T, s secondPerson, db *postgres.DB) error
	spread := func(s secondPerson) dossier.SpreadID { return dossier.SpreadID(s.ids["spreadId"]) }
	review := func(s secondPerson) dossier.ReviewID { return dossier.ReviewID(s.ids["reviewId"]) }
	submit := func(t *testing.T, s secondPerson, db *postgres.DB) error {
		_, err := db.SubmitSpread(s.asPerson(t, "ada@example.com"), s.Workspace, spread(s))
		return err
	}
	claims := func(email string, takeOver bool) step {
		return func(t *testing.T, s secondPerson, db *postgres.DB) error {
			_, err := db.ClaimReview(s.asPerson(t, email), s.Workspace, review(s), takeOver, "Ada is out")
			return err
		}
	}
	for name, act := range map[string]struct{ before, do step }{
		"submit": {nil, submit},
		"approve": {submit, func(t *testing.T, s secondPerson, db *postgres.DB) error {
			_, err := db.ApproveSpread(s.asPerson(t, "bob@example.com"), s.Workspace, spread(s))
			return err
		}},
		"return": {submit, func(t *testing.T, s secondPerson, db *postgres.DB) error {
			_, err := db.ReturnSpread(s.asPerson(t, "bob@example.com"), s.Workspace, spread(s), "Revenue?")
			return err
		}},
		"claim":     {nil, claims("ada@example.com", false)},
		"take over": {claims("ada@example.com", false), claims("bob@example.com", true)},
		"next": {nil, func(t *testing.T, s secondPerson, db *postgres.DB) error {
			_, err := db.NextReview(s.asPerson(t, "ada@example.com"), s.Workspace, nil, dossier.ModeLive)
			return err
		}},
		"renew": {claims("ada@example.com", false), func(t *testing.T, s secondPerson, db *postgres.DB) error {
			_, err := db.RenewReview(s.asPerson(t, "ada@example.com"), s.Workspace, review(s))
			return err
		}},
		"release": {claims("ada@example.com", false), func(t *testing.T, s secondPerson, db *postgres.DB) error {
			_, err := db.ReleaseReview(s.asPerson(t, "ada@example.com"), s.Workspace, review(s))
			return err
		}},
		"assign": {nil, func(t *testing.T, s secondPerson, db *postgres.DB) error {
			_, err := db.AssignReview(t.Context(), s.Workspace, review(s), "bob@example.com")
			return err
		}},
		"ask for a second person": {nil, func(t *testing.T, s secondPerson, db *postgres.DB) error {
			_, err := db.OverrideAssociation(s.asPerson(t, "ada@example.com"), s.Workspace, dossier.DocumentID(s.ids["documentId"]),
				dossier.AssociationID(s.ids["associationId"]), true, "Seen", "ada@example.com")
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			made := func() secondPerson {
				s := newSecondPerson(t)
				if act.before != nil {
					if err := act.before(t, s, s.DB); err != nil {
						t.Fatal(err)
					}
				}
				s.Clock.Advance(time.Minute) // within a claim
				return s
			}
			alive := made()
			if err := act.do(t, alive, alive.DB); err != nil {
				t.Fatal(err)
			}
			s := made()
			s.killedAtEachStep(t, alive.everything(t), func(db *postgres.DB) error { return act.do(t, s, db) })
		})
	}
}

// So it is when a person joins or splits the documents of a file, says of what type they are, and puts a file on
// another item or takes it away.
func TestParts_killed(t *testing.T) {
	t.Parallel()
	part := func(first, last int, is dossier.DocType) dossier.DocumentPart {
		return dossier.DocumentPart{Pages: [2]int{first, last}, DocType: is}
	}
	for name, parts := range map[string][]dossier.DocumentPart{
		"join":      {part(1, 2, "")},
		"split":     {part(1, 1, ""), part(2, 2, "")},
		"retype":    {part(1, 1, dossier.DocInvoice), part(2, 2, dossier.DocOther)},
		"leave out": {part(2, 2, "")},
		"associate": nil,
		"take away": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			made := func() (s *testServer, do func(db *postgres.DB) error) {
				c := newCorrectable(t)
				item, other := postgres.NewID(), postgres.NewID()
				c.Exec(t, `INSERT INTO checklist_items (workspace_id, id, lead_id, code, label, field_type, position, created_at, updated_at)
					VALUES ($1, $2, $3, 'OTHER', 'Other', 'FILE', 9, now(), now())`, c.Workspace, item, c.lead)
				c.Exec(t, `INSERT INTO checklist_entries (workspace_id, id, lead_id, item_id, code, created_at, updated_at)
					VALUES ($1, $2, $3, $4, 'OTHER', now(), $5)`, c.Workspace, other, c.lead, item, c.Clock.Now())
				var read dossier.Extraction
				if err := json.Unmarshal([]byte(statementRead("12.00")), &read); err != nil {
					t.Fatal(err)
				}
				read.PageCount, read.Pages = 2, append(read.Pages, read.Pages[0])
				read.Pages[1].Page = 2
				text, err := json.Marshal(read)
				if err != nil {
					t.Fatal(err)
				}
				id := dossier.DocumentID(c.document(t, "completed", string(text)))
				if got := c.correct(t, string(id), closing); got.Status != 200 {
					t.Fatalf("%d %s", got.Status, got.Body)
				}
				association := pgtest.Value[dossier.AssociationID](t, c.Server, `SELECT id FROM document_associations WHERE document_id = $1`, id)
				return c.testServer, func(db *postgres.DB) (err error) {
					switch name {
					case "associate":
						_, _, err = db.AddAssociation(t.Context(), c.Workspace, id, dossier.EntryID(other))
					case "take away":
						err = db.RemoveAssociation(t.Context(), c.Workspace, id, association)
					default:
						_, err = db.SetDocumentParts(t.Context(), c.Workspace, id, parts, "")
					}
					return err
				}
			}
			alive, act := made()
			if err := act(alive.DB); err != nil {
				t.Fatal(err)
			}
			s, again := made()
			s.killedAtEachStep(t, alive.everything(t), again)
		})
	}
}

// So it is with a verdict that moves those on other documents: a worker that dies on the way leaves all of them as they
// were, or none.
func TestValidation_killed(t *testing.T) {
	t.Parallel()
	made := func() (*testServer, func(db *postgres.DB) error) {
		c := newCorrectable(t)
		c.Exec(t, `UPDATE checklist_items SET config = '{"months": 2, "gracePeriodDays": 3650}', validation_rules = ARRAY['The statement covers at least 2 months'] WHERE lead_id = $1`, c.lead)
		january := c.document(t, "completed", statementRead("120.00"))
		if got := c.correct(t, january, `{"part": 0, "pointer": "/institution", "value": "First Bank"}`); got.Status != 200 {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		february := dossier.DocumentID(c.document(t, "completed", strings.NewReplacer("2020-01-01", "2020-02-01", "2020-01-31", "2020-02-29").Replace(statementRead("120.00"))))
		staged, err := c.DB.StageJobs(t.Context(), c.Workspace, jobs.ValidateDocument{Workspace: c.Workspace, Document: february})
		if err != nil {
			t.Fatal(err)
		}
		c.Exec(t, `UPDATE jobs SET admitted = epoch WHERE id = $1`, staged[0]) // without a queue nobody takes turns
		claim, ok, err := c.DB.ClaimJob(t.Context(), staged[0], 1, "w")
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		c.Exec(t, `UPDATE documents SET updated_at = $1`, c.Clock.Now())
		in, err := c.DB.ValidateInput(t.Context(), c.Workspace, february)
		if err != nil {
			t.Fatal(err)
		}
		return c.testServer, func(db *postgres.DB) error {
			return db.SaveValidation(t.Context(), claim, c.lead, postgres.Validated{Document: february, On: in.File.Extraction,
				Results: c.API.verdicts(in, nil), Judge: judge.NewJudge(c.API.today("UTC")), Relate: judge.Relations})
		}
	}
	alive, save := made()
	if err := save(alive.DB); err != nil {
		t.Fatal(err)
	}
	if got := pgtest.Value[string](t, alive.Server, `SELECT string_agg(a.overall_valid || '', ' ') || ' ' || (SELECT string_agg(status, ' ') FROM checklist_entries)
		FROM document_associations a`); got != "true true COMPLETED" {
		t.Fatalf("two months together: %s", got)
	}
	s, again := made()
	s.killedAtEachStep(t, alive.everything(t), again)
}
