package bench

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"slices"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/workers"
	"github.com/dossierhq/dossier/cmd/lab/scripted"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/worker"
	"github.com/dossierhq/dossier/pipelines/llm"
	"github.com/dossierhq/dossier/storage/postgres"
)

// SecondReaderResult says how long documents take until they are read by rules and judged, by what the language model
// does that reads them afterwards.
type SecondReaderResult struct {
	Name      string            `json:"name"`
	Machine   Machine           `json:"machine"`
	Documents int               `json:"documents"` // of a round
	Rounds    int               `json:"rounds"`    // of each kind, in turn
	Kinds     []SecondReaderOne `json:"kinds"`
}

// SecondReaderOne is one kind of model. Ratios are the median of those of single rounds, each to the round without a
// model that stands beside it: what else the machine does weighs on both.
type SecondReaderOne struct {
	Model          string  `json:"model"`          // off, away, slow, budget, right
	Seconds        float64 `json:"seconds"`        // of a round, median
	Ratio          float64 `json:"ratio"`          // of seconds, to off
	Processor      float64 `json:"processor"`      // seconds of all processes until the last verdict, median
	ProcessorRatio float64 `json:"processorRatio"` // to off
	Warned         int     `json:"warned"`         // documents that say so
	Filled         int     `json:"filled"`         // documents of which a model gave facts
	Asked          int     `json:"asked"`          // questions that reached it
}

// SecondReaderRounds is odd: the median is one of them.
const SecondReaderRounds = 9

// modelKinds are what a model may do, and what the workspace lets it.
var modelKinds = []struct {
	name     string
	settings string
	script   scripted.Script // empty: nobody listens
}{
	{"off", `{}`, scripted.Right},
	{"away", `{"model": "fill"}`, ""},
	{"slow", `{"model": "fill"}`, scripted.Slow},
	{"budget", `{"model": "fill", "tokensPerDay": 1}`, scripted.Right},
	{"right", `{"model": "fill"}`, scripted.Right},
}

// SecondReader has n documents at once read and judged, round by round, beside a model of each kind.
func SecondReader(ctx context.Context, s *Stack, n, rounds int) (SecondReaderResult, error) {
	r := SecondReaderResult{Name: "second-reader", Machine: s.About, Documents: n, Rounds: rounds}
	var err error
	if s.Objects, _, err = s.openObjects(ctx); err != nil {
		return r, err
	}
	costs := map[string][]roundCost{}
	ones := map[string]*SecondReaderOne{}
	for _, kind := range modelKinds {
		ones[kind.name] = &SecondReaderOne{Model: kind.name}
	}
	for round := -1; round < rounds; round++ { // the first warms up
		for i := range modelKinds {
			kind := modelKinds[(i+max(round, 0))%len(modelKinds)] // each comes first once
			one := ones[kind.name]
			if round < 0 {
				one = &SecondReaderOne{}
			}
			if err := s.exec(ctx, `UPDATE workspaces SET reading = $2 WHERE id = $1`, s.Workspace, kind.settings); err != nil {
				return r, err
			}
			cost, err := s.secondReaderRound(ctx, kind.script, n, one)
			if err != nil {
				return r, fmt.Errorf("%s: %w", kind.name, err)
			}
			if round >= 0 {
				costs[kind.name] = append(costs[kind.name], cost)
			} else if i == 0 {
				break
			}
		}
	}
	for _, kind := range modelKinds {
		one, of, off := ones[kind.name], costs[kind.name], costs["off"]
		one.Seconds, one.Ratio = medians(of, off, func(c roundCost) float64 { return c.took.Seconds() })
		one.Processor, one.ProcessorRatio = medians(of, off, func(c roundCost) float64 { return c.processor.Seconds() })
		r.Kinds = append(r.Kinds, *one)
	}
	return r, nil
}

// roundCost is what one round took.
type roundCost struct{ took, processor time.Duration }

// medians are those of a measure over rounds, and of its ratios to the rounds beside them.
func medians(of, beside []roundCost, measure func(roundCost) float64) (middle, ratio float64) {
	var values, ratios []float64
	for i := range of {
		values = append(values, measure(of[i]))
		ratios = append(ratios, measure(of[i])/max(measure(beside[i]), 1e-9))
	}
	slices.Sort(values)
	slices.Sort(ratios)
	return round(values[len(values)/2]), round(ratios[len(ratios)/2])
}

// allSpent is the processor time of this process, of all that it started and that ended, and of the services so far.
func (s *Stack) allSpent() time.Duration {
	var ended syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_CHILDREN, &ended)
	now := s.spent()
	return now.process + now.worker + now.postgres + now.redis + now.storage +
		time.Duration(ended.Utime.Nano()+ended.Stime.Nano())
}

// secondReaderRound is the time from the upload of n documents to the verdict on the last.
func (s *Stack) secondReaderRound(ctx context.Context, script scripted.Script, n int,
	one *SecondReaderOne) (roundCost, error) {
	month := time.Now().AddDate(0, -1, 0)
	var known []scripted.Facts
	var files [][]byte
	for range n {
		statement, facts := specimen.Strange("Bakery "+postgres.NewID()[19:]+" LLC", month)
		known, files = append(known, facts), append(files, statement.Data)
	}
	running1, stop := context.WithCancel(ctx)
	defer stop()
	server := scripted.New(script, known...)
	url := "http://127.0.0.1:9" // nobody listens there
	if script != "" {
		var err error
		if url, err = scripted.Serve(running1, server); err != nil {
			return roundCost{}, err
		}
	}
	halt, err := s.startReading(ctx, url)
	if err != nil {
		return roundCost{}, err
	}
	defer halt()
	since, err := s.count(ctx, `SELECT count(*) FROM documents`)
	if err != nil {
		return roundCost{}, err
	}
	began, spent := time.Now(), s.allSpent()
	for i, data := range files {
		if err := s.uploadOne(ctx, i, data); err != nil {
			return roundCost{}, err
		}
	}
	judged := `SELECT count(*) FROM documents d WHERE extraction_status = 'completed' AND EXISTS (SELECT FROM jobs j
		WHERE j.kind = 'document.validate' AND j.payload->>'document' = d.id::text AND j.status = 'DONE')`
	if err := s.await(ctx, judged, since+n); err != nil {
		return roundCost{}, err
	}
	cost := roundCost{time.Since(began), s.allSpent() - spent}
	return cost, s.whatModelDid(ctx, since, n, script, server, one)
}

// startReading starts a worker that reads documents beside a model.
func (s *Stack) startReading(ctx context.Context, url string) (func(), error) {
	quiet := slog.New(slog.DiscardHandler)
	reader, err := workers.NewReader(quiet, true)
	if err != nil {
		return nil, err
	}
	model, err := llm.New(llm.Config{URL: url, Name: "scripted", Cache: s.Redis, Log: quiet})
	if err != nil {
		return nil, err
	}
	w, err := worker.New(worker.Config{DB: s.DB, Redis: s.Redis, Objects: s.Objects, Reader: reader, Model: model,
		NoSchedule: true, Drain: time.Second, Log: quiet})
	if err != nil {
		return nil, err
	}
	if err := reader.Warm(ctx); err != nil {
		return nil, err
	}
	start, halt := running(ctx, w)
	start()
	return halt, nil
}

// uploadOne stores a file for a lead of its own.
func (s *Stack) uploadOne(ctx context.Context, i int, data []byte) error {
	lead, err := s.DB.CreateLead(ctx, s.Workspace, postgres.NewLead{LeadUpdate: dossier.LeadUpdate{
		BusinessName: dossier.Set("Harbor Bakery LLC")}}, postgres.Caller{})
	if err != nil {
		return err
	}
	id := dossier.DocumentID(postgres.NewID())
	key := string(s.Workspace) + "/documents/" + string(id)
	if _, err := s.Objects.Put(ctx, key, "application/pdf", bytes.NewReader(data), int64(len(data))); err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	_, _, err = s.DB.CreateDocuments(ctx, s.Workspace, postgres.Upload{LeadID: lead, Source: dossier.SourceImported,
		Files: []postgres.NewFile{{ID: id, Filename: fmt.Sprintf("statement-%d.pdf", i), MimeType: "application/pdf",
			Size: int64(len(data)), SHA256: sum[:], ObjectKey: key}}})
	return err
}

// whatModelDid waits for the model's part, but for one that never answers, and counts what came of it.
func (s *Stack) whatModelDid(ctx context.Context, since, n int, script scripted.Script, server *scripted.Server,
	one *SecondReaderOne) error {
	if script == scripted.Slow { // it is asked, and would be again after it was given up on
		for len(server.Asked()) == 0 {
			if !jobs.Sleep(ctx, 5*time.Millisecond) {
				return ctx.Err()
			}
		}
		if err := s.exec(ctx, `UPDATE jobs SET status = 'DONE' WHERE kind = 'document.fill'`); err != nil {
			return err
		}
	} else {
		done := `SELECT count(*) FROM documents d WHERE NOT EXISTS (SELECT FROM jobs j WHERE j.kind = 'document.fill'
			AND j.payload->>'document' = d.id::text AND j.status <> 'DONE')`
		if err := s.await(ctx, done, since+n); err != nil {
			return err
		}
	}
	last := `FROM (SELECT extraction FROM documents ORDER BY created_at DESC LIMIT ` + fmt.Sprint(n) + `) d WHERE `
	warned, err := s.count(ctx, `SELECT count(*) `+last+`jsonb_array_length(extraction->'warnings') > 0`)
	if err != nil {
		return err
	}
	filled, err := s.count(ctx, `SELECT count(*) `+last+`(extraction->'model'->>'taken')::int > 0`)
	one.Warned, one.Filled, one.Asked = one.Warned+warned, one.Filled+filled, one.Asked+len(server.Asked())
	return err
}

// count is a number that a statement gives.
func (s *Stack) count(ctx context.Context, sql string) (n int, err error) {
	conn, err := pgx.Connect(ctx, s.URL)
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close(ctx) }()
	return n, conn.QueryRow(ctx, sql).Scan(&n)
}

// await looks at a count until it is want.
func (s *Stack) await(ctx context.Context, sql string, want int) error {
	conn, err := pgx.Connect(ctx, s.URL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	for n := 0; n < want; time.Sleep(5 * time.Millisecond) {
		if err := conn.QueryRow(ctx, sql).Scan(&n); err != nil {
			return err
		}
	}
	return nil
}
