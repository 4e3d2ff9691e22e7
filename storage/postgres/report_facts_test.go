package postgres

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
)

var (
	statuses = []dossier.ItemStatus{
		dossier.ItemTodo, dossier.ItemCompleted, dossier.ItemInvalid, dossier.ItemSkipped, dossier.ItemNeedsReview,
	}
	sources = []dossier.ValueSource{
		"", dossier.SourceAgent, dossier.SourceImported, dossier.SourceManual, dossier.SourcePortal,
	}
)

func someReport(r *rand.Rand) dossier.LeadReport {
	created := time.Date(2026, 1, 2, 3, 4, 5, 678_901_000, time.UTC)
	text := func() *string {
		s := []string{"", "Ann", "Zoë <日本>", strings.Repeat("a", 300)}[r.IntN(4)]
		return []*string{nil, &s}[r.IntN(2)]
	}
	moment := func() *time.Time {
		at := created.Add(time.Duration(r.Int64N(1<<50)-1<<49) * time.Microsecond)
		return []*time.Time{nil, &at}[r.IntN(2)]
	}
	report := dossier.LeadReport{LeadID: "019b7d2a-31c0-7000-8000-0000000000d1", FirstName: text(), LastName: text(), Email: text(), PhoneNumber: text(),
		CreatedAt: created, CompletedAt: moment(), NotInterestedAt: moment(), OptOutAt: moment(),
		Interventions: dossier.Interventions{DocumentOverrides: r.IntN(3), Escalations: r.IntN(300), ManualUpdates: r.IntN(3), MessageEdits: r.IntN(70_000), MessageRejects: r.IntN(3)}}
	for i := range report.Channels {
		report.Channels[i] = dossier.MessageCounts{Inbound: r.IntN(300), Outbound: r.IntN(3), FirstInboundAt: moment(), FirstOutboundAt: moment(), LastInboundAt: moment(), LastOutboundAt: moment()}
	}
	items := make([]dossier.ReportItem, r.IntN(5))
	for i := range items {
		items[i] = dossier.ReportItem{Code: []string{"A", "G.B"}[r.IntN(2)], Required: r.IntN(2) == 0, Status: statuses[r.IntN(len(statuses))],
			Source: sources[r.IntN(len(sources))], UpdatedAt: created.Add(time.Duration(r.IntN(1e9)) * time.Microsecond),
			Value: []json.RawMessage{nil, json.RawMessage(`{"city":"Reno"}`), json.RawMessage(`7`)}[r.IntN(3)]}
	}
	report.SetItems(items)
	return report
}

// A report that was kept is the same when it is read, field by field.
func TestFacts(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for range 500 {
		want := someReport(random)
		kept, err := json.Marshal(factsOf(want))
		if err != nil {
			t.Fatal(err)
		}
		var facts reportFacts
		if err := json.Unmarshal(kept, &facts); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, facts.report(want.LeadID, want.CreatedAt)); diff != "" {
			t.Fatalf("-want +got\n%s", diff)
		}
	}
}

// Every count is a column of its own, and every report's totals are made of the counts of its leads.
func TestCounts(t *testing.T) {
	var sum counts
	for i := range reflect.TypeFor[counts]().NumField() {
		reflect.ValueOf(&sum).Elem().Field(i).SetInt(int64(i + 1))
	}
	sum.add(sum, 2)
	sum.add(counts{Leads: 1}, -1)
	if want := (counts{Leads: 2, Items: 6}); sum.Leads != want.Leads || sum.Items != want.Items || sum.MessageRejects != 66 {
		t.Errorf("added up to %+v", sum)
	}
	totals := sum.totals()
	if email := totals.Channels.Of(dossier.ChannelEmail); email.Inbound != 18 || email.Outbound != 21 {
		t.Errorf("mail is counted as %+v", email)
	}
	if totals.Completion.Portal != 51 || totals.Interventions.MessageRejects != 66 {
		t.Errorf("totals are %+v", totals)
	}
}
