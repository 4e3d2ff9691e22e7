package api

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// same fails the test when got is not want. Comparing comes before explaining: the lists are long.
func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		t.Fatalf("%s: -want +got\n%.3000s", what, cmp.Diff(want, got))
	}
}

// normal is a value as JSON decodes it.
func normal(t *testing.T, value any) any {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return decoded(t, string(data))
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	var out any
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v in %.200s", err, text)
	}
	return out
}

// addUp is what totals must be for a list as in breakdown.
func addUp(list []any) any {
	zero := func(names ...string) map[string]any {
		o := map[string]any{}
		for _, name := range names {
			o[name] = 0.0
		}
		return o
	}
	sum := func(into, from map[string]any, names ...string) {
		for _, name := range names {
			into[name] = into[name].(float64) + from[name].(float64)
		}
	}
	sources, people := []string{"agent", "imported", "manual", "portal"}, []string{"documentOverrides", "escalations", "manualUpdates", "messageEdits", "messageRejects"}
	totals := zero("leadsCompleted", "leadsNotInterested", "leadsOptedOut", "totalMessages", "inboundMessages", "outboundMessages")
	totals["count"] = float64(len(list))
	completion, bySource, interventions := zero("totalRequired", "totalCompleted"), zero(sources...), zero(people...)
	channels := map[string]any{}
	for _, name := range []string{"sms", "email", "whatsapp"} {
		channels[name] = zero("inbound", "outbound")
	}
	for _, one := range list {
		lead := one.(map[string]any)
		for name, mark := range map[string]string{"leadsCompleted": "completedAt", "leadsNotInterested": "notInterestedAt", "leadsOptedOut": "optedOutAt"} {
			if lead[mark] != nil {
				totals[name] = totals[name].(float64) + 1
			}
		}
		sum(totals, lead, "totalMessages", "inboundMessages", "outboundMessages")
		done := lead["completion"].(map[string]any)
		sum(completion, done, "totalRequired", "totalCompleted")
		sum(bySource, done["bySource"].(map[string]any), sources...)
		sum(interventions, lead["interventions"].(map[string]any), people...)
		for name, of := range lead["channels"].(map[string]any) {
			sum(channels[name].(map[string]any), of.(map[string]any), "inbound", "outbound")
		}
	}
	completion["bySource"], totals["completion"], totals["interventions"], totals["channels"] = bySource, completion, interventions, channels
	return totals
}

// pages reads all pages of a range and returns breakdown; totals must be want's on every page.
func (s *testServer) pages(t *testing.T, parameters url.Values, want any) []any {
	t.Helper()
	all := []any{}
	for page := 1; ; page++ {
		a := s.do(t, "GET", "/api/v0/analytics?"+parameters.Encode(), "")
		if a.Status != 200 {
			t.Fatalf("page %d: %d %s", page, a.Status, a.Body)
		}
		body := decoded(t, a.Body).(map[string]any)
		same(t, fmt.Sprintf("totals of page %d of %v", page, parameters), want, body["totals"])
		list := body["breakdown"].([]any)
		if len(list) > 500 || (body["nextToken"] != nil && len(list) != 500) {
			t.Fatalf("page %d has %d leads", page, len(list))
		}
		all = append(all, list...)
		if body["nextToken"] == nil {
			return all
		}
		parameters.Set("token", body["nextToken"].(string))
	}
}

// A thousand leads of known histories over all sources, channels, statuses, marks and interventions, with deleted and
// test leads among them: analytics say what the script knows and what a query of the raw tables counts, field by
// field, on every page, in any range, whether sums have been folded or not, and after changes.
func TestAnalytics_known_truth(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand histories, told one after another")
	}
	t.Parallel()
	s := newTestServer(t)
	p := newScript(t, s)
	for i := range 1130 {
		p.lead(i)
	}
	p.write(t, s)
	query, err := os.ReadFile("testdata/analytics_truth.sql")
	if err != nil {
		t.Fatal(err)
	}
	bySQL := func() []any { return decoded(t, pgtest.Value[string](t, s.Server, string(query), p.ws)).([]any) }
	truth := normal(t, p.truth).([]any)
	if len(truth) < 1000 {
		t.Fatalf("only %d leads count", len(truth))
	}
	same(t, "the script and the query", truth, bySQL())
	check := func(state string, truth []any) {
		t.Helper()
		same(t, state, truth, s.pages(t, url.Values{}, addUp(truth)))
		for range 3 {
			p.checkRange(t, s, truth)
		}
	}
	check("nothing folded", truth)
	s.fold(t, 1)
	check("half folded", truth)
	s.fold(t, -1)
	check("all folded", truth)
	s.disturb(t, p)
	changed := bySQL()
	if reflect.DeepEqual(truth, changed) {
		t.Fatal("the changes changed nothing")
	}
	check("changed", changed)
	s.fold(t, -1)
	check("changed and folded", changed)
	s.reshape(t, p)
	if reshaped := bySQL(); reflect.DeepEqual(changed, reshaped) {
		t.Fatal("the new template changed nothing")
	} else {
		changed = reshaped
	}
	check("another template", changed)
	s.fold(t, -1)
	check("another template, folded", changed)
	got, err := s.DB.VerifyReports(t.Context(), p.ws)
	if err != nil || len(got.Differences) > 0 || got.Pending != 0 || got.Leads != len(changed) {
		t.Errorf("verify: %+v, %v; want %d leads and no difference", got, err, len(changed))
	}
}

// checkRange compares a range of random ends, in random zones, with the leads the truth has there.
func (p *script) checkRange(t *testing.T, s *testServer, truth []any) {
	t.Helper()
	start, end := p.moment().Truncate(time.Millisecond), p.moment().Truncate(time.Millisecond)
	if end.Before(start) {
		start, end = end, start
	}
	if p.rand.IntN(3) == 0 {
		end = start.Add(time.Duration(p.rand.IntN(90)) * time.Minute) // both ends in one hour, or just over it
	}
	parameters, want := url.Values{}, []any{}
	zone := time.FixedZone("", (p.rand.IntN(27)-12)*3600+1800)
	open := p.rand.IntN(4)
	if open != 0 {
		parameters.Set("start", start.In(zone).Format(time.RFC3339Nano))
	}
	if open != 1 {
		parameters.Set("end", end.In(zone).Format(time.RFC3339Nano))
	}
	for _, lead := range truth {
		created := lead.(map[string]any)["createdAt"].(string)
		if (open == 0 || created >= millis(start)) && (open == 1 || created <= millis(end)) {
			want = append(want, lead)
		}
	}
	same(t, fmt.Sprint("range ", parameters), want, s.pages(t, parameters, addUp(want)))
}

// fold folds up to n batches; -1: all.
func (s *testServer) fold(t *testing.T, n int) {
	t.Helper()
	for ; n != 0; n-- {
		folded, err := s.DB.FoldReports(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if folded == 0 {
			return
		}
	}
}

// disturb changes everything that counts on some of the leads, and the template.
func (s *testServer) disturb(t *testing.T, p *script) {
	t.Helper()
	for _, sql := range []string{
		`UPDATE checklist_entries SET status = 'COMPLETED', source = 'portal' WHERE workspace_id = $1 AND code = 'WEBSITE' AND lead_id IN (SELECT id FROM leads ORDER BY id LIMIT 90)`,
		`UPDATE checklist_entries SET value = '"LLC"' WHERE workspace_id = $1 AND code = 'ENTITY_TYPE' AND lead_id IN (SELECT id FROM leads ORDER BY id OFFSET 50 LIMIT 90)`,
		`DELETE FROM checklist_entries WHERE workspace_id = $1 AND code = 'EXTRA' AND lead_id IN (SELECT id FROM leads ORDER BY id LIMIT 400)`,
		`UPDATE messages SET status = 'SENT', sent_at = created_at WHERE workspace_id = $1 AND status IN ('QUEUED', 'DRAFT')`,
		`UPDATE messages SET status = 'FAILED' WHERE workspace_id = $1 AND status = 'SENT' AND channel = 'sms'`,
		`UPDATE leads SET deleted_at = now() WHERE workspace_id = $1 AND id IN (SELECT id FROM leads ORDER BY id OFFSET 200 LIMIT 40)`,
		`UPDATE leads SET is_test = NOT is_test WHERE workspace_id = $1 AND id IN (SELECT id FROM leads ORDER BY id OFFSET 300 LIMIT 40)`,
		`UPDATE leads SET completed_at = NULL, opt_out_at = created_at WHERE workspace_id = $1 AND id IN (SELECT id FROM leads ORDER BY id OFFSET 400 LIMIT 40)`,
		`INSERT INTO interventions (workspace_id, id, lead_id, kind, created_at) SELECT $1, gen_random_uuid(), id, 'messageEdits', now() FROM leads ORDER BY id LIMIT 30`,
		`UPDATE leads SET first_name = 'Zoe', email = NULL, phone_number = '+13125550199' WHERE workspace_id = $1 AND id IN (SELECT id FROM leads ORDER BY id OFFSET 500 LIMIT 40)`,
		`UPDATE leads SET completed_at = completed_at + interval '1 hour' WHERE workspace_id = $1 AND id IN (SELECT id FROM leads ORDER BY id OFFSET 560 LIMIT 40)`,
		`UPDATE checklist_entries SET updated_at = updated_at + interval '1 hour' WHERE workspace_id = $1 AND code = 'NOTES' AND lead_id IN (SELECT id FROM leads ORDER BY id OFFSET 620 LIMIT 40)`,
		`UPDATE messages SET sent_at = sent_at + interval '1 hour' WHERE workspace_id = $1 AND status = 'DELIVERED' AND lead_id IN (SELECT id FROM leads ORDER BY id OFFSET 680 LIMIT 90)`,
	} {
		s.Exec(t, sql, p.ws)
	}
}

// reshape changes the template: what is required, in which order, and what a group is called.
func (s *testServer) reshape(t *testing.T, p *script) {
	t.Helper()
	for _, sql := range []string{
		`UPDATE checklist_items SET is_required = false WHERE workspace_id = $1 AND code = 'OWNER_ID'`,
		`UPDATE checklist_items SET position = 1000 - position WHERE workspace_id = $1 AND code IN ('ENTITY_TYPE', 'EIN', 'NOTES')`,
		`UPDATE checklist_groups SET key = 'people' WHERE workspace_id = $1 AND key = 'owner docs'`,
	} {
		s.Exec(t, sql, p.ws)
	}
}
