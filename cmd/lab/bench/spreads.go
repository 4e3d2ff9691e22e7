package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/render"
	"github.com/dossierhq/dossier/pipelines/spread"
)

// SpreadsName is the measurement of spreads; SpreaderName the one under which this program is started again, on one
// core, so that its peak memory is that of one spread.
const (
	SpreadsName  = "spreads"
	SpreaderName = "spreads-worker"
	SpreadsAbout = "documents that were read become statements, a report and a workbook, on one core: median seconds and peak memory; -n runs (5)"
)

// SpreadsResult says what consolidating and rendering takes.
type SpreadsResult struct {
	Name  string        `json:"name"`
	Go    string        `json:"go"`
	Cores int           `json:"cores"` // used: a process of one core does the work
	Runs  int           `json:"runs"`
	Cases []SpreadsCase `json:"cases"`
}

// SpreadsCase is one size of spread: medians over the runs, and the memory of the greediest run.
type SpreadsCase struct {
	Documents   int     `json:"documents"`
	Periods     int     `json:"periods"` // of the income statement, without annualized ones
	Decode      float64 `json:"decodeSeconds"`
	Consolidate float64 `json:"consolidateSeconds"`
	Report      float64 `json:"reportSeconds"`
	Sheet       float64 `json:"sheetSeconds"`
	Seconds     float64 `json:"seconds"` // consolidate and render
	Slowest     float64 `json:"maxSeconds"`
	CPU         float64 `json:"cpuSeconds"` // of the whole process, which holds on a machine that is busy with other things
	PeakMiB     int64   `json:"peakMiB"`
	ReportBytes int     `json:"reportBytes"`
	SheetBytes  int     `json:"sheetBytes"`
}

// Spreads measures a spread of 3 years from 6 documents, and one of 12 periods from 40.
func Spreads(ctx context.Context, runs int) (SpreadsResult, error) {
	r := SpreadsResult{Name: SpreadsName, Go: runtime.Version(), Cores: 1, Runs: runs}
	for _, b := range []specimen.Borrower{specimen.ManySources(3, 6, false), specimen.ManySources(8, 40, true)} {
		in, err := json.Marshal(stored(b))
		if err != nil {
			return r, err
		}
		var all []SpreadsCase
		for range runs {
			one, err := spreadOnce(ctx, in)
			if err != nil {
				return r, err
			}
			all = append(all, one)
		}
		r.Cases = append(r.Cases, summed(all))
	}
	return r, nil
}

// stored are a borrower's documents as the store has them.
func stored(b specimen.Borrower) []spread.Document {
	var all []spread.Document
	for i, facts := range b.Facts() {
		d := b.Documents[i]
		part := dossier.ReadDocument{DocType: d.Truth.DocType, Pages: [2]int{1, max(1, d.Truth.Pages)}, Confidence: 0.97, Facts: facts}
		all = append(all, spread.Document{ID: dossier.DocumentID(fmt.Sprintf("0198c0de-0000-7000-8000-%012d", i)), Filename: d.Name, Parts: []dossier.ReadDocument{part}})
	}
	return all
}

// spreadOnce starts this program again as Spreader, with the documents on its standard input.
func spreadOnce(ctx context.Context, in []byte) (SpreadsCase, error) {
	var one SpreadsCase
	program, err := os.Executable()
	if err != nil {
		return one, err
	}
	child := exec.CommandContext(ctx, program, "bench", SpreaderName)
	child.Env = append(os.Environ(), "GOMAXPROCS=1")
	child.Stdin, child.Stderr = bytes.NewReader(in), os.Stderr
	out, err := child.Output()
	if err != nil {
		return one, err
	}
	if err := json.Unmarshal(out, &one); err != nil {
		return one, err
	}
	if usage, ok := child.ProcessState.SysUsage().(*syscall.Rusage); ok {
		one.PeakMiB = usage.Maxrss >> 10 // Linux counts in KiB
	}
	one.CPU = round((child.ProcessState.UserTime() + child.ProcessState.SystemTime()).Seconds())
	return one, nil
}

// summed is the median of every time, and the most of memory.
func summed(all []SpreadsCase) SpreadsCase {
	s := all[0]
	for _, field := range []func(*SpreadsCase) *float64{
		func(c *SpreadsCase) *float64 { return &c.Decode }, func(c *SpreadsCase) *float64 { return &c.Consolidate },
		func(c *SpreadsCase) *float64 { return &c.Report }, func(c *SpreadsCase) *float64 { return &c.Sheet },
		func(c *SpreadsCase) *float64 { return &c.CPU }, func(c *SpreadsCase) *float64 { return &c.Seconds },
	} {
		var values []float64
		for i := range all {
			values = append(values, *field(&all[i]))
		}
		slices.Sort(values)
		*field(&s) = values[len(values)/2]
	}
	for _, c := range all {
		s.PeakMiB, s.Slowest = max(s.PeakMiB, c.PeakMiB), max(s.Slowest, c.Seconds)
	}
	return s
}

// Spreader makes one spread of the documents on in and says what it took.
func Spreader(in io.Reader, out io.Writer) error {
	var c SpreadsCase
	var documents []spread.Document
	err := timed(&c.Decode, func() error { return json.NewDecoder(in).Decode(&documents) })
	if err != nil {
		return err
	}
	var results dossier.SpreadResults
	err = timed(&c.Consolidate, func() (err error) {
		results, _, err = spread.Consolidate(spread.Input{SpreadID: "0198c0de-0000-7000-8000-000000000001", Currency: dossier.DefaultSpreadCurrency,
			FiscalYearEndMonth: dossier.DefaultFiscalYearEndMonth, GeneratedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Documents: documents})
		return err
	})
	if err != nil {
		return err
	}
	var report, sheet []byte
	err = timed(&c.Report, func() (err error) { report, err = render.Report(spread.Template(), results); return err })
	if err != nil {
		return err
	}
	err = timed(&c.Sheet, func() (err error) { sheet, err = render.Sheet(spread.Template(), results); return err })
	if err != nil {
		return err
	}
	for _, p := range results.Statements.IncomeStatement.Periods {
		if !p.Annualized {
			c.Periods++
		}
	}
	c.Documents, c.ReportBytes, c.SheetBytes = len(documents), len(report), len(sheet)
	c.Seconds = round(c.Consolidate + c.Report + c.Sheet)
	return json.NewEncoder(out).Encode(c)
}

func timed(seconds *float64, work func() error) error {
	began := time.Now()
	err := work()
	*seconds = round(time.Since(began).Seconds())
	return err
}
