package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api"
	"github.com/dossierhq/dossier/storage/postgres"
)

// TwoTenantsResult says what one tenant feels while another does its worst, in one way after the other.
type TwoTenantsResult struct {
	Name    string  `json:"name"`
	Machine Machine `json:"machine"`
	Quiet   Felt    `json:"quiet"`
	Ways    []Worst `json:"ways"`
}

// Felt is what the well-behaved tenant sees: its calls of the API, and its events at endpoints that answer.
type Felt struct {
	Calls      Load    `json:"calls"`
	Deliveries Latency `json:"deliveries"` // from the moment the event was due
	Late       int     `json:"lateEvents"` // by more than two seconds
	Lost       int     `json:"lost"`
	Duplicates int     `json:"duplicates"`
}

// Worst is one way to be a bad neighbour, and what it did to the other.
type Worst struct {
	Way     string `json:"way"`
	Tried   int    `json:"tried"` // requests or events of the bad neighbour
	Refused int    `json:"refused"`
	Felt
	CallsRatio      float64 `json:"callsP99Ratio"` // to quiet
	DeliveriesRatio float64 `json:"deliveriesP99Ratio"`
	Resident        int     `json:"residentMiB"` // most of this process: API, worker, the other tenant and the receiver
}

// memoryLimit is what the images set as GOMEMLIMIT (deploy/Dockerfile).
const memoryLimit = 460 << 20

const (
	neighbourKey   = "neighbour"
	worstAtOnce    = 16
	twoTenantsRate = 50 // events a second of the well-behaved tenant
	lateAfter      = 2 * time.Second
	authTries      = 60 // a minute and address, as the API has it where nothing else is said
)

// badNeighbour is the tenant that does its worst.
type badNeighbour struct {
	s       *Stack
	ws      dossier.WorkspaceID
	base    string
	key     string
	lead    string
	portal  string
	inbound string
	hooks   []dossier.WebhookID
}

// TwoTenants measures the quiet once and then each way for lasting, or only those whose names hold a word.
func TwoTenants(ctx context.Context, s *Stack, lasting time.Duration, only string) (TwoTenantsResult, error) {
	r := TwoTenantsResult{Name: "two-tenants", Machine: s.About}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memoryLimit))
	base, key, stop, err := s.startAPI(func(c *api.Config) { c.RateLimitAuth = authTries })
	if err != nil {
		return r, err
	}
	defer stop()
	d, err := s.delivering(ctx)
	if err != nil {
		return r, err
	}
	defer d.close()
	others, err := s.newOthers(base, key)
	if err != nil {
		return r, err
	}
	hooks, err := d.register(ctx, 10, func(int) string { return d.sink.url })
	if err != nil {
		return r, err
	}
	d.start()
	if err := d.warm(ctx, twoTenantsRate, hooks); err != nil {
		return r, err
	}
	if r.Quiet, err = d.measureFelt(ctx, others, hooks, lasting); err != nil {
		return r, err
	}
	n, err := s.newNeighbour(ctx, base, d.sink.url)
	if err != nil {
		return r, err
	}
	ways := slices.DeleteFunc(n.attacks(), func(w attack) bool { return !strings.Contains(w.name, only) })
	if len(ways) == 0 {
		return r, fmt.Errorf("there is no way of this name: %q", only)
	}
	for _, way := range ways {
		worst, err := d.beside(ctx, way, others, hooks, lasting)
		if err != nil {
			return r, fmt.Errorf("%s: %w", way.name, err)
		}
		worst.CallsRatio = round(worst.Calls.P99 / r.Quiet.Calls.P99)
		worst.DeliveriesRatio = round(worst.Deliveries.P99 / r.Quiet.Deliveries.P99)
		r.Ways = append(r.Ways, worst)
	}
	return r, nil
}

// measureFelt calls the API and commits events as the well-behaved tenant does.
func (d *delivering) measureFelt(ctx context.Context, others backgroundCallers, hooks []dossier.WebhookID,
	lasting time.Duration) (Felt, error) {
	var felt Felt
	var callsErr error
	var calls sync.WaitGroup
	calls.Go(func() { felt.Calls, callsErr = others.run(ctx, lasting) })
	due, err := d.generate(ctx, twoTenantsRate, lasting, func(i int) (dossier.WebhookID, bool) {
		return hooks[i%len(hooks)], true
	})
	calls.Wait()
	if err := errors.Join(err, callsErr); err != nil {
		return felt, err
	}
	got := d.await(ctx, due)
	for _, took := range got.samples {
		if took > lateAfter {
			felt.Late++
		}
	}
	felt.Deliveries, felt.Lost, felt.Duplicates = latency(got.samples), got.lost, got.duplicates
	return felt, nil
}

// attack is a load that lasts until it is stopped.
type attack struct {
	name   string
	begin  func(ctx context.Context) (end func(), err error) // nil: nothing to do before and after
	apart  *neighbourConfig                                  // made by a process of its own, or
	atOnce int                                               // made here by so many
	try    func(ctx context.Context, i int) (taken bool)
}

func (d *delivering) beside(ctx context.Context, w attack, others backgroundCallers, hooks []dossier.WebhookID,
	lasting time.Duration) (Worst, error) {
	worst := Worst{Way: w.name}
	if w.begin != nil {
		end, err := w.begin(ctx)
		if err != nil {
			return worst, err
		}
		defer end()
	}
	debug.FreeOSMemory() // what the way before took
	endWay, err := w.start(ctx)
	if err != nil {
		return worst, err
	}
	watched, cancel := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { worst.Resident = mostResident(watched) })
	worst.Felt, err = d.measureFelt(ctx, others, hooks, lasting)
	cancel()
	watching.Wait()
	did, endErr := endWay()
	worst.Tried, worst.Refused = did.Tried, did.Refused
	return worst, errors.Join(err, endErr)
}

// mostResident watches this process' memory until ctx ends.
func mostResident(ctx context.Context) int {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	most := 0
	for {
		most = max(most, residentMiB())
		select {
		case <-ctx.Done():
			return most
		case <-tick.C:
		}
	}
}

// residentMiB is 0 where /proc does not tell.
func residentMiB() int {
	text, err := os.ReadFile("/proc/self/statm")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.Atoi(fields[1])
	return pages * os.Getpagesize() >> 20
}

func (s *Stack) newNeighbour(ctx context.Context, base, sink string) (*badNeighbour, error) {
	config := crowdConfig()
	config.Key, config.Name = neighbourKey, "Neighbour"
	config.Channels[dossier.ChannelEmail] = dossier.ChannelConfig{Provider: "log"}
	_, ws, err := s.DB.ApplyWorkspace(ctx, config, false, false)
	if err != nil {
		return nil, err
	}
	n := &badNeighbour{s: s, ws: ws, base: base}
	if _, n.key, err = s.DB.CreateKey(ctx, ws, postgres.NewKey{Name: "bench"}); err != nil {
		return nil, err
	}
	if n.lead, err = makeLead(base, n.key); err != nil {
		return nil, err
	}
	var link struct {
		URL string `json:"url"`
	}
	if err := call(target{method: "POST", url: base + "/api/v1/leads/" + n.lead + "/portal-link", key: n.key,
		body: `{}`, status: 200}, &link); err != nil {
		return nil, err
	}
	_, path, _ := strings.Cut(strings.TrimPrefix(link.URL, "http://"), "/")
	if path == "" {
		return nil, fmt.Errorf("the lead's page has no address: %q", link.URL)
	}
	n.portal = base + "/" + path
	tokens, err := s.DB.InboundTokens(ctx, ws)
	if err != nil {
		return nil, err
	}
	n.inbound = base + "/inbound/email/" + tokens[dossier.ChannelEmail]
	return n, n.register(ctx, sink)
}

// register makes as many endpoints as a workspace may have. They hang or fail, and subscribe to all events.
func (n *badNeighbour) register(ctx context.Context, sink string) error {
	for i := range dossier.DefaultLimits.Webhooks {
		address := sink + failureModes[i%len(failureModes)]
		w, _, err := n.s.DB.CreateWebhook(ctx, n.ws, dossier.WebhookUpdate{URL: &address, Allow: loopback})
		if err != nil {
			return err
		}
		n.hooks = append(n.hooks, w.ID)
	}
	return nil
}

func (n *badNeighbour) attacks() []attack {
	return []attack{
		n.changes("as many endpoints as it may have, all ill, and as many events as it can"),
		n.eventsOf("events of 250 KiB", 250<<10),
		{name: "bodies of a mebibyte of small values", apart: n.post("/api/v1/leads", n.key, worstAtOnce,
			repeatedText{`{"metadata":[`, "1,", 1<<19 - 20, `1]}`})},
		{name: "bodies of as many values as may be", apart: n.post("/api/v1/leads", n.key, worstAtOnce,
			repeatedText{`{"metadata":[`, `"twenty characters",`, 49_990, `1]}`})},
		{name: "mails of 30 MiB", apart: n.post(strings.TrimPrefix(n.inbound, n.base), "", 4,
			repeatedText{`{"from":"a@example.com","messageId":"1","text":"`, "x", 30 << 20, `"}`})},
		{name: "wrong keys", apart: n.get("/api/v1/leads", "dsr_live_wrong")},
		{name: "lists of everything", apart: n.get("/api/v1/leads?limit=500", n.key)},
		{name: "pages of a lead that something holds", apart: n.get(strings.TrimPrefix(n.portal, n.base), ""),
			begin: n.hold},
		n.mailAttack(),
	}
}

// changes makes events as a tenant makes them, by changing a lead. Deliveries that are left at the end are cancelled,
// so that attacks do not affect each other.
func (n *badNeighbour) changes(name string) attack {
	w := attack{name: name, begin: n.cancelAtEnd, apart: n.post("/api/v1/leads", n.key, worstAtOnce,
		repeatedText{Before: `{"leadId":"` + n.lead + `","lastName":"COUNT"}`})}
	w.apart.Method = "PUT"
	return w
}

// eventsOf commits events that are larger than a tenant's calls make them, for one of its endpoints after the other.
func (n *badNeighbour) eventsOf(name string, ballast int) attack {
	return attack{name: name, begin: n.cancelAtEnd, apart: &neighbourConfig{AtOnce: 2, Database: n.s.URL,
		Workspace: n.ws,
		Hooks:     n.hooks, Ballast: ballast}}
}

func (n *badNeighbour) cancelAtEnd(ctx context.Context) (end func(), err error) {
	return func() { _ = n.s.cancelDeliveries(context.WithoutCancel(ctx), n.ws) }, nil
}

// cancelDeliveries cancels a workspace's deliveries.
func (s *Stack) cancelDeliveries(ctx context.Context, ws dossier.WorkspaceID) error {
	return errors.Join(
		s.exec(ctx, `DELETE FROM event_inbox WHERE workspace_id = $1`, ws),
		s.exec(ctx, `UPDATE jobs SET status = 'CANCELLED', epoch = epoch + 1, finished_at = now()
			WHERE workspace_id = $1 AND status IN ('QUEUED', 'RETRY') AND kind LIKE 'webhook.%'`, ws),
		s.exec(ctx, `UPDATE deliveries SET status = 'CANCELLED', next_attempt_at = NULL, completed_at = now()
			WHERE workspace_id = $1 AND status = 'PENDING'`, ws))
}

// hold keeps the neighbour's lead locked, as a provider's slow call once did.
func (n *badNeighbour) hold(ctx context.Context) (func(), error) {
	conn, err := pgx.Connect(ctx, n.s.URL)
	if err != nil {
		return nil, err
	}
	end := func() { _ = conn.Close(context.WithoutCancel(ctx)) }
	if _, err = conn.Exec(ctx, `BEGIN`); err == nil {
		_, err = conn.Exec(ctx, `SELECT FROM leads WHERE workspace_id = $1 FOR UPDATE`, n.ws)
	}
	if err != nil {
		end()
		return nil, err
	}
	return end, nil
}

func (n *badNeighbour) get(path, key string) *neighbourConfig {
	return &neighbourConfig{AtOnce: worstAtOnce, Method: "GET", URL: n.base + path, Key: key}
}

func (n *badNeighbour) post(path, key string, atOnce int, body repeatedText) *neighbourConfig {
	return &neighbourConfig{AtOnce: atOnce, Method: "POST", URL: n.base + path, Key: key, Body: body}
}
