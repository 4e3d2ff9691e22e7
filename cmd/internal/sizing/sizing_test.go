package sizing

import (
	"flag"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the tables into docs/sizing.md")

// The tables of docs/sizing.md are what the model computes from the measurement that is kept beside it.
func TestTables(t *testing.T) {
	t.Parallel()
	const path, begin, end = "../../../docs/sizing.md", "<!-- computed -->\n", "<!-- end -->\n"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	costs, err := Measured()
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(text), begin)
	shown, tail, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no place for the tables", path)
	}
	tables := costs.Tables(Usual())
	if *update {
		if err := os.WriteFile(path, []byte(head+begin+tables+end+tail), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(tables, shown); diff != "" {
		t.Errorf("%s shows others (-computed +shown); -update writes them:\n%s", path, diff)
	}
}

// A known case, reckoned by hand.
func TestFor(t *testing.T) {
	t.Parallel()
	c := Costs{Idle: Spent{Worker: 60_000}, Units: []Unit{
		{Name: Document, Done: 1, CPU: Spent{API: 1_000, Worker: 100_000, Postgres: 5_000}, Database: 1 << 20, WAL: 1 << 10},
		{Name: Delivery, Done: 1, CPU: Spent{Worker: 500}},
	}}
	m := Mix{Events: 4, Endpoints: 2, Pages: 1, Busy: 10, Used: 0.5, KeptMonths: 2, Bytes: 1 << 20}
	n := c.For(2_628_000, m) // one a second, ten in the busiest hour
	want := Need{Documents: 2_628_000, PerHour: 36_000, Cores: Spent{API: 0.02, Worker: 2.2, Postgres: 0.1},
		DiskGB: 5132.8125, WALGB: 0.0823974609375, ObjectsGB: 5132.8125}
	if diff := cmp.Diff(want, n, cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-6 })); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if first := c.Carries(2, m)[0]; first.Name != "worker" || math.Abs(first.PerHour-(1e6-60_000)/104_000*3600) > 1 {
		t.Errorf("%+v", first)
	}
	if buy := n.Buy(); buy != (Buy{API: 2, Workers: 2, Databases: 2, Redis: 1}) {
		t.Errorf("%+v", buy)
	}
	if _, err := Read([]byte(`{"units":[]}`)); err == nil {
		t.Error("a measurement of nothing was taken")
	}
}
