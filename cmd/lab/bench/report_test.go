package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/sandbox"
)

// TestMain lets the test binary be the processes that measurements start.
func TestMain(m *testing.M) {
	if sandbox.ChildMain() {
		return
	}
	var err error
	switch {
	case len(os.Args) == 3 && os.Args[1] == "bench" && os.Args[2] == APIName:
		err = APIProcess(context.Background(), os.Stdin, os.Stdout)
	case len(os.Args) == 3 && os.Args[1] == "bench" && os.Args[2] == WorkerName:
		err = Worker(context.Background(), os.Stdin, os.Stdout)
	case len(os.Args) == 3 && os.Args[1] == "bench" && os.Args[2] == NeighbourName:
		err = Neighbour(context.Background(), os.Stdin, os.Stdout)
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		panic(err)
	}
}

// Pages and exports are measured on what they say: all leads are counted on every page, and the file has a line for each.
func TestMeasurements_reports(t *testing.T) {
	t.Parallel()
	leads := 600
	if n, err := strconv.Atoi(os.Getenv("DOSSIER_BENCH_LEADS")); err == nil {
		leads = n
	}
	s := open(t)
	pages, err := Analytics(t.Context(), s, leads, 12)
	if err != nil {
		t.Fatal(err)
	}
	if pages.Pages != (leads+499)/500 || pages.First.Samples != 12 || pages.Seeded.FoldPerSecond <= 0 {
		t.Errorf("%+v", pages)
	}
	export := keptCSV(t, leads)
	if export.PerSec <= 0 || export.Bytes == 0 || export.Memory.Most <= 0 || export.During.Samples == 0 {
		t.Errorf("%+v", export)
	}
	t.Logf("%+v\n%+v", pages, export)
}

// keptCSV fills a database that is kept in one call and measures it in another, which fills nothing.
func keptCSV(t *testing.T, leads int) CSVResult {
	t.Helper()
	dir, err := os.MkdirTemp("", "dossier-bench-kept-")
	if err == nil {
		err = os.Chmod(dir, 0o755) // the server may run as another user
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	openKept := func() *Stack {
		s, err := OpenKept(t.Context(), filepath.Join(dir, "server"))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := openKept()
	filled, err := Seed(t.Context(), first, leads)
	if err := errors.Join(err, first.Close()); err != nil {
		t.Fatal(err)
	}
	again := openKept()
	t.Cleanup(func() {
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := Seed(t.Context(), again, leads+1); err == nil {
		t.Error("a database of other leads was measured")
	}
	export, err := CSV(t.Context(), again, leads)
	if err != nil {
		t.Fatal(err)
	}
	if filled.Seeded.FoldPerSecond <= 0 || export.Seeded.FoldPerSecond != 0 {
		t.Errorf("%+v, then %+v", filled.Seeded, export.Seeded)
	}
	return export
}
