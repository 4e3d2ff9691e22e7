package sizing

import (
	_ "embed" // the measurement
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

//go:embed costs.json
var measured []byte

// Measured are the costs that docs/sizing.md was computed from.
func Measured() (Costs, error) { return Read(measured) }

// Read takes the costs out of what `dossier bench cost` printed.
func Read(text []byte) (Costs, error) {
	var c Costs
	if err := json.Unmarshal(text, &c); err != nil {
		return c, fmt.Errorf("this is not what dossier bench cost prints: %w", err)
	}
	for _, name := range []string{LeadCreated, LeadUpdated, Delivery, Document, Scan} {
		if c.of(name).Done == 0 {
			return c, fmt.Errorf("this is not what dossier bench cost prints: it has no %q", name)
		}
	}
	return c, nil
}

// Buy is how many machines of two processors each part gets.
type Buy struct {
	API       int `json:"api"`
	Workers   int `json:"workers"`
	Databases int `json:"postgresCores"`
	Redis     int `json:"redisCores"`
}

// Buy rounds up: two of API and of workers, so that one may be away.
func (n Need) Buy() Buy {
	pairs := func(cores float64) int { return max(2, int(math.Ceil(cores/2))) }
	return Buy{pairs(n.Cores.API), pairs(n.Cores.Worker), max(2, int(math.Ceil(n.Cores.Postgres))),
		max(1, int(math.Ceil(n.Cores.Redis)))}
}

// Tables are the parts of docs/sizing.md that are computed, in Markdown.
func (c Costs) Tables(m Mix) string {
	var b strings.Builder
	b.WriteString("| one of | API | worker and parser | Postgres | Redis | together, ms | WAL, KB | database, KB |\n" +
		"|---|---|---|---|---|---|---|---|\n")
	row := func(name string, s Spent, wal, database float64) {
		fmt.Fprintf(&b, "| %s | %.2f | %.2f | %.2f | %.2f | **%.2f** | %.1f | %.1f |\n", name, s.API/1000,
			s.Worker/1000, s.Postgres/1000, s.Redis/1000, (s.API+s.Worker+s.Postgres+s.Redis)/1000,
			wal/1024, database/1024)
	}
	for _, u := range c.Units {
		row(u.Name, u.CPU, u.WAL, u.Database)
	}
	each := c.perDocument(m)
	row("document of the mix, with all it brings", each.CPU, each.WAL, each.Database)
	row("second of nothing to do", c.Idle, 0, 0)
	b.WriteString("\n| two processors of | documents in the busiest hour | documents a month |\n|---|---|---|\n")
	for _, p := range c.Carries(2, m) {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", p.Name, grouped(p.PerHour), grouped(p.PerMonth))
	}
	fmt.Fprintf(&b, "\nThe %s is full first.\n", c.Carries(2, m)[0].Name)
	b.WriteString("\n| documents a month | in the busiest hour | processors busy: API, worker, Postgres, Redis | " +
		"buy: API, workers (of two processors), Postgres, Redis (processors) | database, GB | " +
		"WAL, GB a day | files, GB |\n" +
		"|---|---|---|---|---|---|---|\n")
	for _, documents := range []float64{1_000, 100_000, 10_000_000} {
		n := c.For(documents, m)
		buy := n.Buy()
		fmt.Fprintf(&b, "| %s | %s | %.2f, %.2f, %.2f, %.2f | %d, %d, %d, %d | %s | %.1f | %s |\n", grouped(documents),
			grouped(n.PerHour), n.Cores.API, n.Cores.Worker, n.Cores.Postgres, n.Cores.Redis, buy.API, buy.Workers,
			buy.Databases, buy.Redis, grouped(math.Ceil(n.DiskGB)), n.WALGB, grouped(math.Ceil(n.ObjectsGB)))
	}
	return b.String()
}

// grouped writes 1,234,567.
func grouped(n float64) string {
	if math.IsInf(n, 0) {
		return "any number"
	}
	text := fmt.Sprintf("%.0f", n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
