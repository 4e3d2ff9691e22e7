package bench

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/valyala/fasthttp"
)

// Tenants says among how much data operations are measured. The measured workspace has a tenth of the leads, the
// others share the rest evenly; each lead has a checklist of eight items, five action logs and two messages.
type Tenants struct {
	Leads, Workspaces int
	Rate              int           // lead updates offered a second; other operations have rates of their own
	For               time.Duration // each operation
}

// TenantsResult is what operations take among other tenants' data. Requests are offered at a rate (open loop): latency
// counts from the moment a request was due, whether or not the one before had its answer.
type TenantsResult struct {
	Name       string    `json:"name"`
	Machine    Machine   `json:"machine"`
	Leads      int       `json:"leads"`
	Workspaces int       `json:"workspaces"`
	Operations []Offered `json:"operations"`
}

// Offered is one operation at a rate.
type Offered struct {
	Name    string `json:"name"`
	Offered int    `json:"offeredPerSecond"`
	Load
	Bytes int `json:"bytes"` // of an answer
}

// offer is a target at a rate.
type offer struct {
	target
	rate int
}

// APIReadAmong measures reads of one workspace among many.
func APIReadAmong(ctx context.Context, s *Stack, o Tenants) (TenantsResult, error) {
	return s.measureAmongTenants(ctx, "api-read", o, func(url, key string, leads []string) []offer {
		get := func(name, path string, rate int) offer {
			return offer{target{name: name, method: "GET", url: url + path, key: key, leads: leads, status: 200}, rate}
		}
		return []offer{
			get("listLeads of 500", "/api/v1/leads?limit=500", 10),
			get("listLeads of 50", "/api/v1/leads?limit=50", 50),
			get("listLeads by tag", "/api/v1/leads?limit=50&tags=vip", 50),
			get("listLeads by text", "/api/v1/leads?limit=50&q=lee17", 20),
			get("readLead", "/api/v1/leads/LEAD", 100),
			get("readChecklist", "/api/v1/leads/LEAD/checklist", 100),
			get("listDocuments", "/api/v1/leads/LEAD/documents", 100),
			get("timeline", "/api/v1/leads/LEAD/activity", 100),
		}
	})
}

// APIWriteAmong measures writes of one workspace among many.
func APIWriteAmong(ctx context.Context, s *Stack, o Tenants) (TenantsResult, error) {
	return s.measureAmongTenants(ctx, "api-write", o, func(url, key string, leads []string) []offer {
		send := func(name, method, path, body string, status, rate int) offer {
			return offer{target{name: name, method: method, url: url + path, key: key, leads: leads, body: body,
				status: status}, rate}
		}
		return []offer{
			send("updateLead", "PUT", "/api/v1/leads",
				`{"leadId":"LEAD","firstName":"Eve","checklistItems":[{"code":"ITEM_1","value":"Lee TURN LLC"}]}`, 200,
				o.Rate),
			send("createLead", "POST", "/api/v1/leads", `{"firstName":"Eve","email":"eveTURN@example.com"}`, 201, o.Rate/3),
			send("createActivity", "POST", "/api/v1/activity", `{"leadId":"LEAD","eventType":"call","title":"A call"}`,
				201, o.Rate),
			send("createLeadItem", "POST", "/api/v1/leads/LEAD/checklist-items",
				`{"label":"Vehicles","fieldType":"NUMBER"}`, 201, o.Rate/6),
		}
	})
}

func (s *Stack) measureAmongTenants(ctx context.Context, name string, o Tenants,
	offers func(url, key string, leads []string) []offer) (TenantsResult, error) {
	result := TenantsResult{Name: name, Machine: s.About, Leads: o.Leads, Workspaces: o.Workspaces}
	leads, err := s.seed(ctx, o)
	if err != nil {
		return result, err
	}
	url, key, stop, err := s.startAPI()
	if err != nil {
		return result, err
	}
	defer stop()
	for _, one := range offers(url, key, leads) {
		if _, err := s.openLoop(one, time.Second); err != nil { // what a connection does first is not what it costs
			return result, err
		}
		measured, err := s.openLoop(one, o.For)
		if err != nil {
			return result, err
		}
		result.Operations = append(result.Operations, measured)
	}
	return result, nil
}

// openLoop sends a request at every due moment and waits for the answers.
func (s *Stack) openLoop(o offer, each time.Duration) (Offered, error) {
	client := &fasthttp.HostClient{Addr: host(o.url), MaxConns: 256, MaxConnWaitTimeout: time.Minute}
	defer client.CloseIdleConnections()
	result := Offered{Name: o.name, Offered: o.rate}
	n := max(1, int(each.Seconds()*float64(o.rate)))
	took := make([]time.Duration, 0, n)
	var mu sync.Mutex
	var done sync.WaitGroup
	before, began := s.spent(), time.Now()
	for i := range n {
		due := began.Add(time.Duration(i) * time.Second / time.Duration(o.rate))
		time.Sleep(time.Until(due))
		done.Go(func() {
			size, ok := o.send(client, i)
			mu.Lock()
			defer mu.Unlock()
			result.Bytes = max(result.Bytes, size)
			if ok {
				took = append(took, time.Since(due))
				return
			}
			result.Failed++
		})
	}
	done.Wait()
	if len(took) == 0 {
		return result, fmt.Errorf("%s: no request was answered as expected", o.name)
	}
	result.CPU = s.since(before, len(took))
	slices.Sort(took)
	at := func(p float64) float64 {
		return round(float64(took[int(p*float64(len(took)-1))].Microseconds()) / 1000)
	}
	result.PerSecond, result.P50, result.P95, result.P99 = round(float64(len(took))/time.Since(began).Seconds()),
		at(.5), at(.95), at(.99)
	return result, nil
}

// send makes request number i. TURN in its body becomes another word each time: what is written a second time changes
// nothing, and costs little.
func (o offer) send(client *fasthttp.HostClient, i int) (size int, ok bool) {
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	o.body = strings.ReplaceAll(o.body, "TURN", strconv.FormatInt(time.Since(started).Nanoseconds(), 36))
	o.write(request, i%len(o.leads))
	err := client.Do(request, response)
	return len(response.Body()), err == nil && response.StatusCode() == o.status
}

// seed fills the database, once, and returns leads of the measured workspace to work on.
func (s *Stack) seed(ctx context.Context, o Tenants) ([]string, error) {
	conn, err := pgx.Connect(ctx, s.URL)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var seeded bool
	if err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM workspaces WHERE key LIKE 'bench-%')`).Scan(
		&seeded); err != nil {
		return nil, err
	}
	if !seeded {
		for _, sql := range s.seeds(o) {
			if _, err := conn.Exec(ctx, sql); err != nil {
				return nil, fmt.Errorf("seed: %w", err)
			}
		}
	}
	rows, err := conn.Query(ctx, `SELECT id::text FROM leads WHERE workspace_id = $1 ORDER BY id LIMIT 1000`,
		s.Workspace)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// seeds are the statements that fill the database. Triggers and foreign keys are off: what they would check is made
// right.
func (s *Stack) seeds(o Tenants) []string {
	own, others := o.Leads/10, o.Leads-o.Leads/10
	ws, n := string(s.Workspace), strconv.Itoa
	each := (others + max(o.Workspaces-1, 1) - 1) / max(o.Workspaces-1, 1)
	return []string{
		`SET session_replication_role = replica`,
		`INSERT INTO workspaces (id, key, name, inbound_token, created_at, updated_at)
			SELECT gen_random_uuid(), 'bench-' || i, 'Bench', 'bench-' || i, now(), now() FROM generate_series(1, ` +
			n(o.Workspaces-1) + `) i`,
		`INSERT INTO checklist_items (workspace_id, id, code, label, field_type, is_required, position, created_at,
			updated_at)
			SELECT w.id, gen_random_uuid(), 'ITEM_' || i, 'Item ' || i, 'TEXT', true, i, now(), now()
				FROM workspaces w, generate_series(1, 8) i`,
		`INSERT INTO leads (workspace_id, id, first_name, last_name, email, phone_number, external_lead_id, tags,
			tags_folded, created_at, updated_at)
			SELECT w.id, gen_random_uuid(), 'Ann', 'Lee' || i, 'ann' || i || '@example.com',
				'+1212' || lpad(i::text, 7, '0'), 'x' || i,
				CASE WHEN i % 10 = 0 THEN '{vip}'::text[] ELSE '{}' END,
					CASE WHEN i % 10 = 0 THEN '{vip}'::text[] ELSE '{}' END, now() - i * interval '1 minute', now()
			FROM workspaces w, LATERAL generate_series(1, CASE WHEN w.id = '` + ws + `' THEN ` + n(own) + ` ELSE ` +
			n(each) + ` END) i`,
		`INSERT INTO checklist_entries (workspace_id, id, lead_id, item_id, code, status, value, created_at, updated_at)
			SELECT l.workspace_id, gen_random_uuid(), l.id, i.id, i.code,
				CASE WHEN i.position < 5 THEN 'COMPLETED' ELSE 'TODO' END,
				CASE WHEN i.position < 5 THEN '"given"'::jsonb END, now(), now()
			FROM leads l JOIN checklist_items i ON i.workspace_id = l.workspace_id`,
		`INSERT INTO action_logs (workspace_id, id, lead_id, type, status, summary, created_at)
			SELECT workspace_id, gen_random_uuid(), id, 'API_ACTIVITY', 'COMPLETED', 'Lead updated',
				now() - i * interval '1 hour' FROM leads, generate_series(1, 5) i`,
		`INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, body, created_at, updated_at)
			SELECT workspace_id, gen_random_uuid(), id, 'OUTBOUND', 'sms', 'SENT', 'Hello', now(), now()
				FROM leads, generate_series(1, 2)`,
		`SET session_replication_role = origin`,
		`VACUUM ANALYZE`,
	}
}
