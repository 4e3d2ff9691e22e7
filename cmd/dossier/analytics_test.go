package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
)

// seedReport makes leads with messages, checklists, completions and interventions, over months.
func (o operated) seedReport(t *testing.T, leads int) dossier.WorkspaceID {
	t.Helper()
	ws := o.Workspace(t)
	for _, sql := range []string{
		`INSERT INTO leads (workspace_id, id, first_name, created_at, updated_at, completed_at)
			SELECT $1, gen_random_uuid(), 'Lead ' || i, timestamptz '2025-11-03T08:00Z' + i * interval '7 hours', now(),
				CASE WHEN i % 3 = 0 THEN timestamptz '2025-11-03T08:00Z' + i * interval '7 hours' + (1 + i % 17) * interval '19 hours' END FROM generate_series(1, $2::int) i`,
		`INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, body, sent_at, created_at, updated_at)
			SELECT workspace_id, gen_random_uuid(), id, CASE WHEN n % 3 = 0 THEN 'INBOUND' ELSE 'OUTBOUND' END, (ARRAY['sms', 'sms', 'email', 'whatsapp', 'email'])[1 + n],
				CASE WHEN n % 3 = 0 THEN 'RECEIVED' ELSE 'SENT' END, 'b', created_at, created_at, created_at FROM leads, generate_series(0, 4) n
			WHERE workspace_id = $1 AND $2 > 0 AND (hashtext(id::text || n) % 3) <> 0`,
		`INSERT INTO interventions (workspace_id, id, lead_id, kind, created_at)
			SELECT workspace_id, gen_random_uuid(), id, (ARRAY['documentOverrides', 'escalations', 'manualUpdates', 'messageEdits', 'messageRejects', 'manualUpdates'])[1 + abs(hashtext(id::text)) % 6], now()
			FROM leads WHERE workspace_id = $1 AND $2 > 0`,
		`INSERT INTO checklist_items (workspace_id, id, code, label, field_type, position, created_at, updated_at)
			SELECT $1, gen_random_uuid(), 'ITEM_' || i, 'Item', 'TEXT', i, now(), now() FROM generate_series(1, 4) i WHERE $2 > 0`,
		`INSERT INTO checklist_entries (workspace_id, id, lead_id, item_id, code, status, created_at, updated_at)
			SELECT l.workspace_id, gen_random_uuid(), l.id, i.id, i.code, CASE WHEN abs(hashtext(l.id::text)) % 5 >= i.position THEN 'COMPLETED' ELSE 'TODO' END, now(), now()
			FROM leads l JOIN checklist_items i USING (workspace_id) WHERE l.workspace_id = $1 AND $2 > 0`,
	} {
		o.Exec(t, sql, ws, leads)
	}
	return ws
}

// Counts that somebody changed behind our back are found, named and, when asked, made again.
func TestAnalytics_verify(t *testing.T) {
	t.Parallel()
	o := newOperated(t)
	ws := o.seedReport(t, 40)
	for range 3 {
		if _, err := o.DB.FoldReports(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	verify := func(code int, args ...string) reportCheck {
		t.Helper()
		r := call(t, o.environ, "", append([]string{"--json", "analytics", "verify", "--workspace", string(ws)}, args...)...)
		var list []reportCheck
		if err := json.Unmarshal([]byte(r.out), &list); err != nil || r.code != code || len(list) != 1 {
			t.Fatalf("exit %d, want %d: %s%s", r.code, code, r.out, r.err)
		}
		return list[0]
	}
	if c := verify(0); c.Leads != 40 || c.Pending != 0 || len(c.Differences) != 0 {
		t.Errorf("nothing is wrong: %+v", c)
	}
	o.Exec(t, `UPDATE report_leads SET sms_out = sms_out + 5 WHERE lead_id = (SELECT lead_id FROM report_leads ORDER BY lead_id LIMIT 1)`)
	o.Exec(t, `UPDATE report_hours SET leads = leads - 1 WHERE hour = (SELECT min(hour) FROM report_hours)`)
	o.Exec(t, `DELETE FROM report_leads WHERE lead_id = (SELECT max(lead_id::text)::uuid FROM report_leads)`)
	o.Exec(t, `UPDATE report_leads SET facts = facts || '{"firstName": "Somebody else"}' WHERE lead_id = (SELECT lead_id FROM report_leads ORDER BY lead_id OFFSET 9 LIMIT 1)`)
	c := verify(1)
	columns := map[string]bool{}
	for _, d := range c.Differences {
		columns[d.Column] = true
	}
	if !columns["sms_out"] || !columns["leads"] || !columns["facts"] {
		t.Errorf("found: %+v", c.Differences)
	}
	if r := call(t, o.environ, "", "analytics", "verify"); r.code != 1 || strings.Count(r.out, "kept ") != len(c.Differences) || !strings.Contains(r.out, fmt.Sprintf("%d differences", len(c.Differences))) {
		t.Errorf("exit %d, and of %d differences it says\n%s", r.code, len(c.Differences), r.out)
	}
	if c := verify(0, "--repair"); !c.Repaired {
		t.Errorf("%+v", c)
	}
	if c := verify(0); c.Leads != 40 || c.Pending != 0 || len(c.Differences) != 0 {
		t.Errorf("after the repair: %+v", c)
	}
	if out := o.do(t, "analytics", "verify"); !strings.Contains(out, "0 differences") {
		t.Error(out)
	}
}
