package postgres

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
)

func someReport(r *rand.Rand) dossier.LeadReport {
	created := time.Date(2026, 1, 2, 3, 4, 5, 678_901_000, time.UTC)
	text := func() *string {
		s := []string{"", "Ann", "Zoë \x00 日本", string(make([]byte, 300))}[r.IntN(4)]
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
		items[i] = dossier.ReportItem{Code: []string{"A", "G.B"}[r.IntN(2)], Required: r.IntN(2) == 0, Status: factStatuses[r.IntN(len(factStatuses))],
			Source: factSources[r.IntN(len(factSources))], UpdatedAt: created.Add(time.Duration(r.IntN(1e9)) * time.Microsecond),
			Value: []json.RawMessage{nil, json.RawMessage(`{"city": "Reno"}`), json.RawMessage(`7`)}[r.IntN(3)]}
	}
	report.SetItems(items)
	return report
}

// A report that was encoded is the same when it is read, field by field; what is cut off or longer is refused.
func TestFacts(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	slab := newReportSlab()
	read := func(lead uuidKey, created time.Time, facts []byte) (dossier.LeadReport, error) {
		slab.clear()
		slab.add(reportPlace{created, lead}, facts)
		reports, err := slab.read()
		return append(reports, dossier.LeadReport{})[0], err
	}
	for range 500 {
		want := someReport(random)
		key, err := keyOf(want.LeadID)
		if err != nil {
			t.Fatal(err)
		}
		facts, err := encodeFacts(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := read(key, want.CreatedAt, facts)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Fatalf("%v -want +got\n%s", err, diff)
		}
		for _, damaged := range [][]byte{nil, facts[:random.IntN(len(facts))], append(facts, 0), append([]byte{factsVersion + 1}, facts[1:]...)} {
			if _, err := read(key, want.CreatedAt, damaged); err == nil {
				t.Fatalf("%d of %d bytes were taken for a report", len(damaged), len(facts))
			}
		}
	}
}
