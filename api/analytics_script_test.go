package api

import (
	order "cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
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
