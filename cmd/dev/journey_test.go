package main

import (
	"encoding/json"
	"fmt"
	"mime"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
)

// trip is one file's whole way and what must be true at its end.
type trip struct {
	name  string
	file  uploadFile
	facts map[string]any // that the reading must hold
}

// TestJourney sends files their whole way over HTTP: bytes to facts, matched, judged, polled, announced once each with
// good signatures. Files that the project generates always go; the samples go where they are at hand.
func TestJourney(t *testing.T) {
	s := startStack(t, options{})
	box := newInbox(t, s)
	for _, trip := range append(generatedTrips(), sampleTrips(t)...) {
		t.Run(trip.name, func(t *testing.T) { s.travel(t, box, trip) })
	}
	box.mu.Lock()
	defer box.mu.Unlock()
	if box.bad > 0 || box.repeated > 0 {
		t.Errorf("%d deliveries with bad signatures, %d repeated; want none", box.bad, box.repeated)
	}
}

func (s *stack) travel(t *testing.T, box *inbox, trip trip) {
	lead, item := s.testLead(t, 1)
	ids, err := s.demoUpload(t.Context(), lead, []uploadFile{trip.file})
	if err != nil {
		t.Fatal(err)
	}
	job, err := s.demoPipeline(t.Context(), ids[0])
	if err != nil {
		t.Fatal(err)
	}
	within(t, 3*time.Minute, "the item COMPLETED", func() bool { return s.itemStatus(t, lead, "STATEMENT") == "COMPLETED" })
	d := s.documents(t, lead)[0]
	reason := ""
	for _, a := range d.Associations {
		if a.Item == item && a.Valid && a.Result != nil {
			for _, rule := range a.Result.Rules {
				if rule.Name == "The statement balances reconcile" && rule.Valid {
					reason = rule.Reason
				}
			}
		}
	}
	for _, balance := range []string{"openingBalance", "closingBalance"} {
		if printed := fmt.Sprint(trip.facts[balance]); !strings.Contains(strings.ReplaceAll(reason, ",", ""), printed) {
			t.Errorf("the rule passed with %q, want the printed %s %s in it; associations = %+v", reason, balance, printed, d.Associations)
		}
	}
	s.checkPoll(t, job, trip.facts)
	for _, event := range []string{"document.received", "document.extracted", "document.validated"} {
		within(t, time.Minute, event+" once", func() bool { return box.count(event, ids[0]) == 1 })
	}
	within(t, time.Minute, "checklist_item.completed once", func() bool { return box.count("checklist_item.completed", item) == 1 })
}

// checkPoll compares the polled facts with the expected ones.
func (s *stack) checkPoll(t *testing.T, job string, want map[string]any) {
	t.Helper()
	var body struct {
		Status string `json:"status"`
		Result struct {
			Documents []struct {
				Facts map[string]any `json:"facts"`
			} `json:"documents"`
		} `json:"result"`
	}
	if err := s.get(t.Context(), "/pipelines/run/extract-document?wait=20&jobId="+job, &body); err != nil {
		t.Fatal(err)
	}
	if body.Status != "COMPLETE" || len(body.Result.Documents) != 1 {
		t.Fatalf("poll = %+v, want COMPLETE with one document", body)
	}
	for name, value := range want {
		if got := body.Result.Documents[0].Facts[name]; fmt.Sprint(got) != fmt.Sprint(value) {
			t.Errorf("fact %s = %v, want %v", name, got, value)
		}
	}
}

func generatedTrips() []trip {
	var trips []trip
	for i, layout := range specimen.BankLayouts()[:2] {
		made := specimen.BankStatement(specimen.BankOptions{Seed: uint64(i + 1), Layout: layout, Month: time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC), Entries: 15})
		var facts map[string]any
		data, _ := json.Marshal(made.Truth.Facts)
		_ = json.Unmarshal(data, &facts)
		trips = append(trips, trip{"generated " + layout, uploadFile{layout + ".pdf", made.MimeType, made.Data}, only(facts)})
	}
	return trips
}

// sampleTrips are the statements of the sample set, which is licensed for testing and not part of the project.
func sampleTrips(t *testing.T) []trip {
	dir := documenttest.FindSamples(t)
	if dir == "" {
		t.Log("without DOSSIER_SAMPLES only generated files travel")
		return nil
	}
	data, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var expected struct {
		Files map[string]struct {
			Facts map[string]any `json:"facts"`
		} `json:"files"`
	}
	if err := json.Unmarshal(data, &expected); err != nil {
		t.Fatal(err)
	}
	var trips []trip
	for _, name := range []string{"bank_statement/wells_fargo_checking.pdf", "bank_statement/m_and_t_business.pdf", "bank_statement/schwab_checking.csv"} {
		file, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if len(only(expected.Files[name].Facts)) < 4 {
			t.Errorf("%s: period and balances are not among the expected facts", name)
		}
		trips = append(trips, trip{name, uploadFile{filepath.Base(name), orType(mime.TypeByExtension(filepath.Ext(name))), file}, only(expected.Files[name].Facts)})
	}
	return trips
}

// only keeps the facts that the journey is about.
func only(facts map[string]any) map[string]any {
	kept := map[string]any{}
	for _, name := range []string{"periodStart", "periodEnd", "openingBalance", "closingBalance", "totalDeposits", "totalWithdrawals"} {
		if value, tested := facts[name]; tested && value != nil {
			kept[name] = value
		}
	}
	return kept
}
