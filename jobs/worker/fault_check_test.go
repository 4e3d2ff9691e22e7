package worker

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// settled waits until nothing is under way and then holds what happened against the promises, whatever the fault was:
// every accepted job and delivery is in one final state and nothing is stuck; every event is in the feed once and was
// offered to every endpoint that wants it, each success was seen there, under its own id and in the order of its lead;
// every attempt is logged once. It returns how many requests came more often than once, which only a crash explains.
func (b *hookBench) settled() (repeats int) {
	b.t.Helper()
	b.until("everything has ended", func() bool { return b.unfinished() == "" })
	problems, repeats := b.problems()
	if s := b.sampler(); s != nil {
		s.recording.AddOutcome(b.rows("events")+b.rows("jobs"), len(problems), repeats)
	}
	for _, problem := range problems {
		b.t.Error(problem)
	}
	return repeats
}

// problems is what does not agree once everything has ended, and how many requests came again.
func (b *hookBench) problems() (problems []string, repeats int) {
	b.t.Helper()
	for what, query := range broken {
		if n := b.rows(query); n != 0 {
			problems = append(problems, fmt.Sprint(n, " ", what))
		}
	}
	for _, r := range b.receivers {
		found, again := b.consistent(r)
		problems, repeats = append(problems, found...), repeats+again
	}
	return problems, repeats
}

func (b *hookBench) rows(query string) int {
	b.t.Helper()
	return pgtest.Value[int](b.t, b.pg, "SELECT count(*) FROM "+query)
}

// unfinished names what has not ended, in one look: an event is a delivery and a job the moment it is no event.
func (b *hookBench) unfinished() string {
	b.t.Helper()
	return pgtest.Value[string](b.t, b.pg, `SELECT concat_ws(', ',
		CASE WHEN EXISTS (SELECT FROM event_inbox) THEN 'an event waits for its place in the feed' END,
		CASE WHEN EXISTS (SELECT FROM deliveries WHERE status = 'PENDING') THEN 'a delivery is pending' END,
		CASE WHEN EXISTS (SELECT FROM jobs WHERE status IN ('QUEUED', 'RUNNING', 'RETRY')) THEN 'a job is unfinished' END,
		CASE WHEN EXISTS (SELECT FROM outbox) THEN 'the outbox is not empty' END)`)
}

// broken is what must be empty then.
var broken = map[string]string{
	"events are not in the feed exactly once": `events e WHERE (SELECT count(*) FROM event_feed f WHERE f.workspace_id = e.workspace_id AND f.event_id = e.id) <> 1`,
	"events were not offered to an endpoint that wants them": `events e JOIN webhooks w ON w.workspace_id = e.workspace_id AND w.deleted_at IS NULL AND w.created_at < e.created_at
		WHERE e.type = 'lead.updated' AND NOT EXISTS (SELECT FROM deliveries d WHERE d.workspace_id = e.workspace_id AND d.event_id = e.id AND d.webhook_id = w.id)`,
	"deliveries are there twice": `(SELECT FROM deliveries GROUP BY workspace_id, event_id, webhook_id HAVING count(*) > 1) d`,
	"deliveries do not agree with their log": `deliveries d WHERE d.status IN ('SUCCEEDED', 'FAILED') AND (d.attempts, d.attempts) <>
		(SELECT count(*), coalesce(max(number), 0) FROM attempts a WHERE a.workspace_id = d.workspace_id AND a.delivery_id = d.id)`,
	"deliveries have not exactly one success for SUCCEEDED and none else": `deliveries d WHERE d.status IN ('SUCCEEDED', 'FAILED') AND (d.status = 'SUCCEEDED')::int <>
		(SELECT count(*) FROM attempts a WHERE a.workspace_id = d.workspace_id AND a.delivery_id = d.id AND a.error = '')`,
	"ended deliveries have no time of their end, or are due": `deliveries d WHERE d.completed_at IS NULL OR d.next_attempt_at IS NOT NULL`,
	"ended jobs hold a lease":                                `jobs WHERE lease_until IS NOT NULL OR finished_at IS NULL`,
}

// consistent holds what an endpoint saw against what was recorded of it.
func (b *hookBench) consistent(r *receiver) (problems []string, repeats int) {
	b.t.Helper()
	if _, _, bad := r.tally(); len(bad) > 0 {
		problems = append(problems, fmt.Sprint(len(bad), " requests had no good signature or a wrong id: ", bad[0]))
	}
	took := r.took()
	first := map[string]int{}
	for i, id := range took {
		if _, again := first[id]; again {
			repeats++
			continue
		}
		first[id] = i
	}
	at := map[string]int{} // of each lead's last event that was taken
	for _, d := range b.succeeded(r) {
		i, seen := first[d.event]
		switch {
		case !seen:
			problems = append(problems, "event "+d.event+" is SUCCEEDED and never came")
		case d.lead != "" && i < at[d.lead]:
			problems = append(problems, "event "+d.event+" of lead "+d.lead+" came before an earlier one")
		}
		at[d.lead] = i
	}
	return problems, repeats
}

type success struct{ event, lead string }

// succeeded are an endpoint's successful deliveries in the order of their events, but for those that had lost their
// turn: an event that failed four times holds back nobody any longer.
func (b *hookBench) succeeded(r *receiver) []success {
	b.t.Helper()
	conn, err := pgx.Connect(b.t.Context(), b.pg.URL)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() { _ = conn.Close(b.t.Context()) }()
	rows, err := conn.Query(b.t.Context(), `SELECT event_id::text, CASE WHEN tries <= 4 THEN coalesce(lead_id::text, '') ELSE '' END
		FROM deliveries WHERE webhook_id = $1 AND status = 'SUCCEEDED' ORDER BY position`, r.webhook)
	if err != nil {
		b.t.Fatal(err)
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s success, err error) { return s, row.Scan(&s.event, &s.lead) })
	if err != nil {
		b.t.Fatal(err)
	}
	return found
}

// undoubled is settled for faults after which nothing may come twice.
func (b *hookBench) undoubled(t *testing.T) {
	t.Helper()
	if n := b.settled(); n > 0 {
		t.Errorf("%d requests came again, although nobody died", n)
	}
}
