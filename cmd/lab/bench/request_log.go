package bench

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier/api"
)

// RequestLogResult says what the log of requests takes from reads: the same reads of two servers, which differ in
// nothing else, in turns. Each round is compared with the one beside it, so that what else the machine does falls on
// both. The cheapest read feels it most.
type RequestLogResult struct {
	Name    string   `json:"name"`
	Machine Machine  `json:"machine"`
	Callers int      `json:"callers"`
	Rounds  int      `json:"rounds"`
	Reads   []Beside `json:"reads"`
	Made    int      `json:"made"`   // calls of the server that logs
	Logged  int      `json:"logged"` // of them in the log afterwards
}

// Beside is a read with the log and without it.
type Beside struct {
	Name    string  `json:"name"`
	Without Load    `json:"without"`
	With    Load    `json:"with"`
	Rate    float64 `json:"rateRatio"` // with to without, the median of the pairs of rounds
	CPU     float64 `json:"cpuRatio"`  // processor time a read, of all processes, likewise
}

// logRounds are pairs, an odd number: their median is one of them.
const logRounds = 15

// RequestLog measures it; each round lasts for each.
func RequestLog(ctx context.Context, s *Stack, each time.Duration) (RequestLogResult, error) {
	r := RequestLogResult{Name: "request-log", Machine: s.About, Callers: callers, Rounds: logRounds}
	with, key, stop, err := s.startAPI()
	if err != nil {
		return r, err
	}
	defer stop()
	without, _, stopOther, err := s.startAPI(func(c *api.Config) { c.NoRequestLog = true })
	if err != nil {
		return r, err
	}
	defer stopOther()
	leads, log, err := makeLeads(with, key)
	if err != nil {
		return r, err
	}
	before, err := loggedReads(ctx, s)
	if err != nil {
		return r, err
	}
	for _, t := range []target{
		{name: "readActionLog", method: "GET", url: "/api/v1/action-logs/" + log, key: key, status: 200},
		{name: "readLead", method: "GET", url: "/api/v1/leads/LEAD", key: key, leads: leads, status: 200},
	} {
		read, made, err := s.inPairs(t, without, with, each)
		if err != nil {
			return r, err
		}
		r.Reads, r.Made = append(r.Reads, read), r.Made+made
	}
	stop() // what waits is written
	after, err := loggedReads(ctx, s)
	r.Logged = after - before
	return r, err
}

// loggedReads is how many reads the log has.
func loggedReads(ctx context.Context, s *Stack) (n int, err error) {
	conn, err := pgx.Connect(ctx, s.URL)
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close(ctx) }()
	err = conn.QueryRow(ctx, "SELECT count(*) FROM request_log WHERE method = 'GET'").Scan(&n)
	return n, err
}

// inPairs lets two servers answer in turns; which one begins changes from pair to pair. made are the calls of the second.
func (s *Stack) inPairs(t target, without, with string, each time.Duration) (read Beside, made int, err error) {
	path := t.url
	var loads [2][]Load
	var rates, costs []float64
	for round := range logRounds + 1 { // the first warms up and does not count
		var pair [2]Load
		for turn := range 2 {
			which := (round + turn) % 2
			t.url = []string{without, with}[which] + path
			load, err := s.saturate(t, each)
			if err != nil {
				return Beside{}, 0, err
			}
			pair[which] = load
		}
		made += pair[1].Answered
		if round == 0 {
			continue
		}
		loads[0], loads[1] = append(loads[0], pair[0]), append(loads[1], pair[1])
		rates = append(rates, pair[1].PerSecond/pair[0].PerSecond)
		if pair[0].CPU.Total > 0 {
			costs = append(costs, pair[1].CPU.Total/pair[0].CPU.Total)
		}
	}
	return Beside{Name: t.name, Without: median(loads[0]), With: median(loads[1]), Rate: medianOf(rates),
		CPU: medianOf(costs)}, made, nil
}

// medianOf is the median to three places, 0 of none.
func medianOf(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return float64(int(values[len(values)/2]*1000+.5)) / 1000
}
