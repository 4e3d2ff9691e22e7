package bench

import (
	"context"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier/api"
)

// RequestLogResult says what the log of requests takes from reads: the same reads of two servers, which differ in
// nothing else, in turns. Each round is compared with the one beside it, so that what else the machine does falls on
// both; what a round left to be written is written before the next begins, and is in its processor time. The cheapest
// read feels it most.
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
	Name    string `json:"name"`
	Without Load   `json:"without"`
	With    Load   `json:"with"`
	Rate    Ratio  `json:"rateRatio"` // with to without
	CPU     Ratio  `json:"cpuRatio"`  // of processor time a read, of all processes: what bounds the rate
}

// Ratio is the median of the pairs of rounds, and the bounds within which it is at a confidence of 95 %. They are wide
// apart where the machine had other things to do.
type Ratio struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
}

// logTail is longer than an entry waits to be written.
const logTail = 700 * time.Millisecond

// RequestLog measures it in so many pairs of rounds, an odd number; each round lasts for each.
func RequestLog(ctx context.Context, s *Stack, pairs int, each time.Duration) (RequestLogResult, error) {
	r := RequestLogResult{Name: "request-log", Machine: s.About, Callers: callers, Rounds: pairs}
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
		read, made, err := s.inPairs(t, without, with, pairs, each)
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

// inPairs lets two servers answer in turns; which one begins changes from pair to pair. made are the second's calls.
func (s *Stack) inPairs(t target, without, with string, pairs int, each time.Duration) (read Beside, made int,
	err error) {
	path := t.url
	var loads [2][]Load
	var rates, costs []float64
	for round := range pairs + 1 { // the first warms up and does not count
		var pair [2]Load
		for turn := range 2 {
			which := (round + turn) % 2
			t.url = []string{without, with}[which] + path
			runtime.GC() // what one leaves behind the other does not clear away
			before := s.spent()
			load, err := s.saturate(t, each)
			if err != nil {
				return Beside{}, 0, err
			}
			time.Sleep(logTail)
			load.CPU = s.since(before, load.Answered)
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
	return Beside{Name: t.name, Without: median(loads[0]), With: median(loads[1]), Rate: ratioOf(rates),
		CPU: ratioOf(costs)}, made, nil
}

// ratioOf is the median with its bounds by the order of the values, to three places; 0 of none.
func ratioOf(values []float64) Ratio {
	n := len(values)
	if n == 0 {
		return Ratio{}
	}
	slices.Sort(values)
	off := int(.98 * math.Sqrt(float64(n)))
	at := func(i int) float64 { return math.Round(values[min(max(i, 0), n-1)]*1000) / 1000 }
	return Ratio{at(n / 2), at(n/2 - off), at(n/2 + off)}
}
