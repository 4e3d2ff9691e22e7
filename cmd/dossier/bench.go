package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"github.com/dossierhq/dossier/cmd/internal/workers"
	"github.com/dossierhq/dossier/cmd/lab/bench"
)

type benchCommand struct {
	Name      string        `arg:"" optional:"" help:"What to measure; without it the list is printed."`
	Of        string        `arg:"" optional:"" help:"${bench_of}"`
	N         int           `short:"n" placeholder:"N" help:"${bench_n}"`
	For       time.Duration `default:"10s" help:"How long each round of a measurement with a rate lasts."`
	Rate      int           `placeholder:"N" help:"${bench_rate}"`
	Endpoints int           `default:"10" help:"Endpoints that events are delivered to (webhooks)."`
	Leads     int           `placeholder:"N" help:"${bench_leads}"`
	Tenants   int           `name:"workspaces" default:"1000" help:"${bench_tenants}"`
	Backlog   bool          `help:"Commit all events first, then deliver (webhooks): what delivery alone can do."`
	OnlyDir   bool          `help:"${bench_onlydir}"`
	Repeat    int           `default:"1" help:"Runs; each prints its own result."`
	Keep      string        `placeholder:"DIR" help:"${bench_keep}"`
	OnServer  bool          `help:"${bench_onserver}"`
	Way       string        `placeholder:"WORD" help:"${bench_way}"`
}

// measurement is one thing that can be measured, each beside a bare baseline in the same run.
type measurement struct {
	name  string
	about string
	run   func(ctx context.Context, s *bench.Stack, c benchCommand) (any, error)
}

var measurements = []measurement{
	{"api-read", "GET through the API beside bare Fiber and pgx; --for. With --leads by operation among --workspaces",
		func(ctx context.Context, s *bench.Stack, c benchCommand) (any, error) {
			if c.Leads > 0 {
				return bench.APIReadAmong(ctx, s, c.among())
			}
			return bench.APIRead(ctx, s, c.For)
		}},
	{"api-write", "one row and its outbox row through the API beside bare Fiber and pgx; --for. With --leads by " +
		"operation among --workspaces, updates at --rate (300)",
		func(ctx context.Context, s *bench.Stack, c benchCommand) (any, error) {
			if c.Leads > 0 {
				return bench.APIWriteAmong(ctx, s, c.among())
			}
			return bench.APIWrite(ctx, s, c.For)
		}},
	{"enqueue-to-run", "from the commit that stages a job to its handler, idle, beside bare asynq; -n samples (200)",
		func(ctx context.Context, s *bench.Stack, c benchCommand) (any, error) {
			return bench.EnqueueToRun(ctx, s, orDefault(c.N, 200))
		}},
	{"jobs-noop", "ledgered jobs a second beside bare asynq; -n jobs (20000)",
		func(ctx context.Context, s *bench.Stack, c benchCommand) (any, error) {
			return bench.JobsNoop(ctx, s, orDefault(c.N, 20_000))
		}},
	{"followups", "runs whose follow-up is due at one moment, until the last is sent, and the API of others " +
		"meanwhile; -n runs (20000), --for", func(ctx context.Context, s *bench.Stack, c benchCommand) (any, error) {
		return bench.FollowUps(ctx, s, orDefault(c.N, 20_000), c.For)
	}},
	{"webhooks", "deliveries to receivers in this process beside a bare loop: lost, duplicates, latency; --rate, " +
		"--for, --endpoints, --backlog", func(ctx context.Context, s *bench.Stack, c benchCommand) (any, error) {
		return bench.Webhooks(ctx, s, bench.WebhooksOptions{Rate: c.Rate, For: c.For, Endpoints: c.Endpoints,
			Backlog: c.Backlog})
	}},
	{"webhooks-slow-endpoint",
		"what answering endpoints feel beside one that hangs with half of the events, and with a tenth of -n " +
			"endpoints (1000) failing; --rate (400), --for",
		func(ctx context.Context, s *bench.Stack, c benchCommand) (any, error) {
			return bench.SlowEndpoint(ctx, s, c.Rate, orDefault(c.N, 1000), c.For)
		}},
	{"two-tenants", "what one tenant's calls and deliveries feel while another does its worst, in nine ways; " +
		"--for, --way",
		func(ctx context.Context, s *bench.Stack, c benchCommand) (any, error) {
			return bench.TwoTenants(ctx, s, c.For, c.Way)
		}},
	{"second-reader", "-n documents (20) at once until they are read by rules and judged, beside a language model " +
		"that is off, away, slow, over its budget or right: seconds and their ratio to off",
		func(ctx context.Context, s *bench.Stack, c benchCommand) (any, error) {
			return bench.SecondReader(ctx, s, orDefault(c.N, 20), bench.SecondReaderRounds)
		}},
	{"analytics", "pages of analytics in one of 100 workspaces; N leads (10000)",
		func(ctx context.Context, s *bench.Stack, c benchCommand) (any, error) {
			return bench.Analytics(ctx, s, orDefault(c.N, 10_000), 120)
		}},
	{"csv", "an export of N leads (10000) to a private S3 server, its memory, and what another tenant feels",
		func(ctx context.Context, s *bench.Stack, c benchCommand) (any, error) {
			return bench.CSV(ctx, s, orDefault(c.N, 10_000))
		}},
	{"reviews", "claiming the next review and listing the queue with its counts; -n open reviews (100000)",
		func(ctx context.Context, s *bench.Stack, c benchCommand) (any, error) {
			return bench.Reviews(ctx, s, orDefault(c.N, 100_000))
		}},
	{"console", "the console's pages and pictures of pages, as a person waits for them; -n leads and as many open " +
		"reviews (100000)", func(ctx context.Context, s *bench.Stack, c benchCommand) (any, error) {
		reader, err := workers.NewReader(slog.New(slog.DiscardHandler), false)
		if err != nil {
			return nil, err
		}
		return bench.Console(ctx, s, orDefault(c.N, 100_000), reader)
	}},
	{"import", "a table of N leads (10000) made into leads, and what another tenant feels",
		func(ctx context.Context, s *bench.Stack, c benchCommand) (any, error) {
			return bench.Import(ctx, s, orDefault(c.N, 10_000), 30*time.Second)
		}},
	{"request-log", "reads of two servers, with the log of requests and without it, in N (41) pairs of turns; --for",
		func(ctx context.Context, s *bench.Stack, c benchCommand) (any, error) {
			return bench.RequestLog(ctx, s, orDefault(c.N, 41), c.For)
		}},
	{"cost", "processor time of a lead made, a lead updated, a document read and a delivery, by who spends it, " +
		"beside what processes cost that have nothing to do; --rate of updates (90), --for",
		func(ctx context.Context, s *bench.Stack, c benchCommand) (any, error) {
			return bench.Cost(ctx, s, orDefault(c.Rate, 90), c.For)
		}},
	{"seed", "fills the database that --keep keeps with N leads (10000), for analytics and csv",
		func(ctx context.Context, s *bench.Stack, c benchCommand) (any, error) {
			return bench.Seed(ctx, s, orDefault(c.N, 10_000))
		}},
}

func (c benchCommand) among() bench.Tenants {
	return bench.Tenants{Leads: c.Leads, Workspaces: c.Tenants, Rate: orDefault(c.Rate, 300), For: c.For}
}

func orDefault(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

type benchListed struct {
	Name  string `json:"name"`
	About string `json:"about"`
}

// Run measures on a database and a Redis of its own and prints one JSON object a run, with or without --json.
func (c benchCommand) Run(a *app) error {
	if c.Name == "" {
		return listMeasurements(a)
	}
	if c.Name == bench.WorkerName { // csv and followups start this program again
		return bench.Worker(a.ctx, a.in, a.out)
	}
	if c.Name == bench.NeighbourName { // so does two-tenants
		return bench.Neighbour(a.ctx, a.in, a.out)
	}
	if c.Name == bench.APIName { // cost starts this program again
		return bench.APIProcess(a.ctx, a.in, a.out)
	}
	if c.Name == documentsName {
		return c.measureDocuments(a)
	}
	filled := c.Name == "analytics" || c.Name == "csv" || c.Name == "seed" || c.Name == "import"
	if filled {
		if err := c.readCount(); err != nil {
			return err
		}
	}
	i := slices.IndexFunc(measurements, func(m measurement) bool { return m.name == c.Name })
	if i < 0 {
		return usagef("there is no measurement %q (dossier bench lists them)", c.Name)
	}
	if err := c.check(filled); err != nil {
		return err
	}
	for range c.Repeat {
		if err := c.measure(a, measurements[i]); err != nil {
			return err
		}
	}
	return nil
}

// check says which flag does not go with the measurement, or is out of its range.
func (c benchCommand) check(filled bool) error {
	switch {
	case c.Of != "":
		return usagef("only documents reads a directory")
	case c.Keep != "" && (!filled || c.Name == "import" || c.OnServer) || c.Name == "seed" && c.Keep == "":
		return usagef("--keep DIR goes with seed, which needs it, analytics and csv, and without --on-server")
	case c.Leads < 0 || c.Leads > 0 && c.Leads < 100 || c.Tenants < 2:
		return usagef("--leads must be at least 100 and --workspaces at least 2")
	case c.Way != "" && c.Name != "two-tenants":
		return usagef("--way goes with two-tenants")
	case c.N < 0 || c.Rate < 0 || c.For <= 0 || c.Endpoints < 1 || c.Repeat < 1:
		return usagef("-n and --rate must not be negative; --for, --endpoints and --repeat must be positive")
	}
	return nil
}

// readCount takes the number of leads from its place after the name.
func (c *benchCommand) readCount() error {
	if c.Of == "" {
		return nil
	}
	n, err := strconv.Atoi(c.Of)
	if err != nil || n < 1 {
		return usagef("how many leads? %q is no number of them", c.Of)
	}
	c.N, c.Of = n, ""
	return nil
}

// open makes what is measured on.
func (c benchCommand) open(a *app) (*bench.Stack, error) {
	if c.Keep != "" {
		return bench.OpenKept(a.ctx, c.Keep)
	}
	if !c.OnServer {
		return bench.Open(a.ctx, "")
	}
	cfg, err := a.config()
	if err == nil {
		err = cfg.Need("DATABASE_URL")
	}
	if err != nil {
		return nil, err
	}
	return bench.Open(a.ctx, cmp.Or(cfg.MigrateURL, cfg.DatabaseURL))
}

func (c benchCommand) measure(a *app, m measurement) (err error) {
	s, err := c.open(a)
	if err != nil {
		return err
	}
	defer func() {
		if closed := s.Close(); err == nil {
			err = closed
		}
	}()
	result, err := m.run(a.ctx, s, c)
	if err != nil {
		return fmt.Errorf("%s: %w", m.name, err)
	}
	return json.NewEncoder(a.out).Encode(result)
}

func listMeasurements(a *app) error {
	list, rows := []benchListed{}, [][]string{}
	for _, m := range measurements {
		list, rows = append(list, benchListed{m.name, m.about}), append(rows, []string{m.name, m.about})
	}
	list, rows = append(list, benchListed{documentsName, documentsAbout}),
		append(rows, []string{documentsName, documentsAbout})
	return a.show(list, func(w io.Writer) { table(w, "", "NAME MEASURES", rows) })
}
