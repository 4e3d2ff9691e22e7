package api

import (
	order "cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// script writes leads whose histories it knows: rows for the raw tables, and beside them what analytics must say.
type script struct {
	rand  *rand.Rand
	ws    dossier.WorkspaceID
	items map[string]string // id by code
	rows  map[string][]object
	truth []object             // in breakdown's order
	at    map[string]time.Time // when each lead was created: breakdown's order is finer than what it shows
	now   time.Time
}

// shape of the template: an item's visibility depends on another's, on its group, and on one that may be hidden itself.
var scriptTemplate = []struct{ group, code, conditions string }{
	{"business info", "ENTITY_TYPE", ""},
	{"business info", "EIN", `{"code": "ENTITY_TYPE", "op": "eq", "value": "LLC"}`},
	{"business info", "NOTES", ""},
	{"owner docs", "OWNER_ID", ""},
	{"owner docs", "OWNER_NAME", `{"code": "EIN", "op": "exists"}`},
	{"", "WEBSITE", ""},
}

const scriptGroupCondition = `{"code": "ENTITY_TYPE", "op": "neq", "value": "SOLE"}`

func newScript(t *testing.T, s *testServer) *script {
	t.Helper()
	p := &script{rand: rand.New(rand.NewPCG(7, 11)), ws: s.Workspace, items: map[string]string{}, rows: map[string][]object{}, at: map[string]time.Time{}, now: s.Clock.Now()}
	groups := map[string]any{"": nil}
	for i, name := range []string{"business info", "owner docs"} {
		id := postgres.NewID()
		groups[name] = id
		s.Exec(t, `INSERT INTO checklist_groups (workspace_id, id, key, name, position, conditions, created_at, updated_at) VALUES ($1, $2, $3, $3, $4, nullif($5, '')::jsonb, $6, $6)`,
			p.ws, id, name, i, []string{"", scriptGroupCondition}[i], p.now)
	}
	for i, item := range scriptTemplate {
		p.items[item.code] = postgres.NewID()
		s.Exec(t, `INSERT INTO checklist_items (workspace_id, id, group_id, code, label, field_type, is_required, conditions, position, created_at, updated_at)
			VALUES ($1, $2, $3, $4, $4, 'TEXT', $5, nullif($6, '')::jsonb, $7, $8, $8)`,
			p.ws, p.items[item.code], groups[item.group], item.code, item.code != "NOTES", item.conditions, i, p.now)
	}
	return p
}

func pick[T any](p *script, list ...T) T { return list[p.rand.IntN(len(list))] }

// moment is within four days, to the microsecond.
func (p *script) moment() time.Time {
	return p.now.Add(-time.Duration(p.rand.Int64N(int64(96*time.Hour))) / time.Microsecond * time.Microsecond)
}

func millis(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

func (p *script) add(table string, row object) {
	row["workspace_id"] = p.ws
	if row["id"] == nil {
		row["id"] = postgres.NewID()
	}
	p.rows[table] = append(p.rows[table], row)
}

// lead writes one lead with its checklist, messages and interventions.
func (p *script) lead(i int) {
	created := p.moment()
	if i%9 == 0 && len(p.truth) > 0 {
		created, _ = time.Parse(time.RFC3339, p.truth[len(p.truth)-1]["createdAt"].(string)) // many leads of one moment
	}
	id := postgres.NewID()
	p.at[id] = created
	row := object{"id": id, "first_name": fmt.Sprintf("Ann %d", i), "last_name": pick[any](p, "Lee", nil), "email": pick[any](p, fmt.Sprintf("a%d@example.com", i), nil),
		"phone_number": pick[any](p, "+12125550123", nil), "created_at": created, "updated_at": created, "is_test": i%17 == 3, "deleted_at": nil,
		"completed_at": nil, "not_interested_at": nil, "opt_out_at": nil}
	if i%19 == 4 {
		row["deleted_at"] = p.now
	}
	want := object{"leadId": id, "firstName": row["first_name"], "lastName": row["last_name"], "email": row["email"], "phoneNumber": row["phone_number"],
		"createdAt": millis(created), "completedAt": nil, "notInterestedAt": nil, "optedOutAt": nil}
	for column, name := range map[string]string{"completed_at": "completedAt", "not_interested_at": "notInterestedAt", "opt_out_at": "optedOutAt"} {
		if p.rand.IntN(4) == 0 {
			at := p.moment()
			row[column], want[name] = at, millis(at)
		}
	}
	p.add("leads", row)
	p.checklist(id, want)
	p.messages(id, want)
	people := object{}
	for _, kind := range []string{"documentOverrides", "escalations", "manualUpdates", "messageEdits", "messageRejects"} {
		n := p.rand.IntN(3)
		people[kind] = n
		for range n {
			p.add("interventions", object{"lead_id": id, "kind": kind, "created_at": p.moment()})
		}
	}
	want["interventions"] = people
	if row["deleted_at"] == nil && row["is_test"] == false {
		p.truth = append(p.truth, want)
	}
}

func (p *script) checklist(lead string, want object) {
	entity, ein := pick[any](p, "LLC", "SOLE", "CORP", nil), pick[any](p, "12-3456789", nil)
	shown := map[string]bool{"ENTITY_TYPE": true, "NOTES": true, "WEBSITE": true, "EIN": entity == "LLC", "OWNER_ID": entity != "SOLE",
		"OWNER_NAME": entity == "LLC" && ein != nil}
	done := object{"agent": 0, "imported": 0, "manual": 0, "portal": 0}
	required, completed := 0, 0
	list := []any{}
	add := func(code, name, item string, value any, isRequired bool) {
		status, source, at := pick(p, "TODO", "COMPLETED", "COMPLETED", "INVALID", "SKIPPED", "NEEDS_REVIEW"), pick[any](p, nil, "agent", "imported", "manual", "portal"), p.moment()
		p.add("checklist_entries", object{"lead_id": lead, "item_id": item, "code": code, "status": status, "source": source, "value": value, "created_at": p.now, "updated_at": at})
		list = append(list, object{"code": name, "required": isRequired, "status": status, "value": value, "updatedAt": millis(at), "source": source})
		if !isRequired {
			return
		}
		required++
		if status != "COMPLETED" {
			return
		}
		completed++
		if source != nil {
			done[source.(string)] = done[source.(string)].(int) + 1
		}
	}
	for _, item := range scriptTemplate {
		value := pick[any](p, nil, "=1+1", 7, object{"city": "Reno"}, []any{"a", "b"})
		switch item.code {
		case "ENTITY_TYPE":
			value = entity
		case "EIN":
			value = ein
		}
		name := item.code
		if item.group != "" {
			name = strings.ToUpper(strings.ReplaceAll(item.group, " ", "_")) + "." + name
		}
		add(item.code, name, p.items[item.code], value, item.code != "NOTES" && shown[item.code])
	}
	if p.rand.IntN(3) == 0 {
		own, isRequired := postgres.NewID(), p.rand.IntN(2) == 0
		p.add("checklist_items", object{"id": own, "lead_id": lead, "code": "EXTRA", "label": "Extra", "field_type": "TEXT", "is_required": isRequired, "position": 0, "created_at": p.now, "updated_at": p.now})
		add("EXTRA", "EXTRA", own, pick[any](p, nil, "x"), isRequired)
	}
	want["checklistItems"] = list
	want["completion"] = object{"totalRequired": required, "totalCompleted": completed, "bySource": done}
}

func (p *script) messages(lead string, want object) {
	names := []string{"firstInboundAt", "firstOutboundAt", "lastInboundAt", "lastOutboundAt"}
	empty := func() object {
		return object{"inbound": 0, "outbound": 0, names[0]: nil, names[1]: nil, names[2]: nil, names[3]: nil}
	}
	all, channels := empty(), object{"sms": empty(), "email": empty(), "whatsapp": empty()}
	count := func(o object, direction, first, last string, at time.Time) {
		o[direction] = o[direction].(int) + 1
		if o[first] == nil || millis(at) < o[first].(string) {
			o[first] = millis(at)
		}
		if o[last] == nil || millis(at) > o[last].(string) {
			o[last] = millis(at)
		}
	}
	for range p.rand.IntN(7) {
		channel, at := pick(p, "sms", "email", "whatsapp"), p.moment()
		row := object{"lead_id": lead, "channel": channel, "body": "b", "document_ids": []string{}, "created_at": at, "updated_at": at}
		if p.rand.IntN(2) == 0 {
			row["direction"], row["status"] = "INBOUND", "RECEIVED"
			for _, o := range []object{all, channels[channel].(object)} {
				count(o, "inbound", names[0], names[2], at)
			}
		} else {
			row["direction"], row["status"] = "OUTBOUND", pick(p, "SENT", "DELIVERED", "DRAFT", "QUEUED", "FAILED", "CANCELLED", "REJECTED")
			if row["status"] == "SENT" || row["status"] == "DELIVERED" {
				row["sent_at"] = at.Add(time.Minute)
				for _, o := range []object{all, channels[channel].(object)} {
					count(o, "outbound", names[1], names[3], at.Add(time.Minute))
				}
			}
		}
		p.add("messages", row)
	}
	want["channels"], want["inboundMessages"], want["outboundMessages"] = channels, all["inbound"], all["outbound"]
	want["totalMessages"] = all["inbound"].(int) + all["outbound"].(int)
	for _, name := range names {
		want[name] = all[name]
	}
}

// write stores the rows.
func (p *script) write(t *testing.T, s *testServer) {
	t.Helper()
	for _, table := range []string{"leads", "checklist_items", "checklist_entries", "messages", "interventions"} {
		names := map[string]bool{}
		for _, row := range p.rows[table] {
			for name := range row {
				names[name] = true
			}
		}
		var columns []string
		for name := range names {
			columns = append(columns, name)
		}
		list := strings.Join(columns, ", ")
		data, err := json.Marshal(p.rows[table])
		if err != nil {
			t.Fatal(err)
		}
		s.Exec(t, `INSERT INTO `+table+` (`+list+`) SELECT `+list+` FROM jsonb_populate_recordset(NULL::`+table+`, $1)`, string(data))
	}
	s.Exec(t, `ANALYZE`)
	s.Exec(t, `SET enable_nestloop = off`) // for the query of the truth, whose lists have no statistics
	slices.SortFunc(p.truth, func(a, b object) int {
		x, y := a["leadId"].(string), b["leadId"].(string)
		return order.Or(p.at[x].Compare(p.at[y]), strings.Compare(x, y))
	})
}

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
