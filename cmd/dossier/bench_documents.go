package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/dossierhq/dossier/cmd/internal/workers"
	"github.com/dossierhq/dossier/pipelines/document"
)

const (
	documentsName  = "documents"
	documentsAbout = "each file of a directory, read as uploads are: seconds and peak memory of its processes; DIR"
)

// documentsResult is what reading a directory takes, one file after the other.
type documentsResult struct {
	Name    string         `json:"name"`
	Cores   int            `json:"cores"`
	Go      string         `json:"go"`
	Files   []documentTime `json:"files"`
	Seconds float64        `json:"seconds"` // all files
	P50     float64        `json:"p50Seconds"`
	P95     float64        `json:"p95Seconds"`
	Max     float64        `json:"maxSeconds"`
	PeakMiB int64          `json:"peakMiB"` // of the greediest file
	// Ratio is the time of the PDFs over that of pdftotext -bbox-layout on the same files in this run, which reads
	// their text layer and understands nothing; absent where it is not installed.
	Ratio float64 `json:"pdftotextRatio,omitempty"`
}

type documentTime struct {
	File    string  `json:"file"`
	Bytes   int64   `json:"bytes"`
	DocType string  `json:"docType,omitempty"` // of its first document
	Refused string  `json:"refused,omitempty"`
	Seconds float64 `json:"seconds"`
	PeakMiB int64   `json:"peakMiB"`
	Bare    float64 `json:"pdftotextSeconds,omitempty"`
}

// measureDocuments prints one JSON object a run.
func (c benchCommand) measureDocuments(a *app) error {
	if c.Of == "" {
		return usagef("name a directory of files: dossier bench documents DIR")
	}
	reader, err := workers.NewReader(a.log())
	if err != nil {
		return err
	}
	if err := reader.Warm(a.ctx); err != nil { // compiled once a machine, so no file is charged for it
		return err
	}
	for range max(c.Repeat, 1) {
		result, err := readAll(a, c.Of)
		if err != nil {
			return err
		}
		if err := json.NewEncoder(a.out).Encode(result); err != nil {
			return err
		}
	}
	return nil
}

func readAll(a *app, dir string) (documentsResult, error) {
	r := documentsResult{Name: documentsName, Cores: runtime.GOMAXPROCS(0), Go: runtime.Version(), Files: []documentTime{}}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || entry.Name() == "expected.json" {
			return err
		}
		one, err := readOne(a, path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if one.File, err = filepath.Rel(dir, path); err != nil {
			return err
		}
		r.Files = append(r.Files, one)
		return nil
	})
	if err != nil {
		return r, err
	}
	var times []float64
	pdfs, bare := 0.0, 0.0
	for _, f := range r.Files {
		if f.Bare > 0 {
			pdfs, bare = pdfs+f.Seconds, bare+f.Bare
		}
		times = append(times, f.Seconds)
		r.Seconds, r.PeakMiB = round2(r.Seconds+f.Seconds), max(r.PeakMiB, f.PeakMiB)
	}
	if bare > 0 {
		r.Ratio = round2(pdfs / bare)
	}
	slices.Sort(times)
	if n := len(times); n > 0 {
		r.P50, r.P95, r.Max = times[n/2], times[min(n-1, n*95/100)], times[n-1]
	}
	return r, nil
}

// readOne runs `dossier read` on the file: a process of its own, so that its peak memory, which is counted together
// with that of the parser it starts, is the file's alone.
func readOne(a *app, path string) (documentTime, error) {
	var one documentTime
	info, err := os.Stat(path)
	if err != nil {
		return one, err
	}
	self, err := os.Executable()
	if err != nil {
		return one, err
	}
	command := exec.CommandContext(a.ctx, self, "read", "--json", path)
	command.Stderr = a.err
	began := time.Now()
	out, err := command.Output()
	one.Bytes, one.Seconds = info.Size(), round2(time.Since(began).Seconds())
	var read []fileRead
	if decoded := json.Unmarshal(out, &read); decoded != nil || len(read) != 1 { // a refused file ends with exit 1 too
		return one, fmt.Errorf("it was not read: %w", err)
	}
	if usage, ok := command.ProcessState.SysUsage().(*syscall.Rusage); ok {
		one.PeakMiB = usage.Maxrss >> 10 // Linux counts in KiB
	}
	switch {
	case read[0].Refusal != nil:
		one.Refused = read[0].Refusal.Code
	case len(read[0].Extraction.Documents) > 0:
		one.DocType = string(read[0].Extraction.Documents[0].DocType)
	}
	if one.Refused == "" && read[0].Extraction.MimeType == "application/pdf" {
		one.Bare = bareSeconds(a, path)
	}
	return one, nil
}

// bareSeconds is how long pdftotext takes for the same file; 0 where it is not installed or fails.
func bareSeconds(a *app, path string) float64 {
	program := document.Find("pdftotext")
	if program == "" {
		return 0
	}
	began := time.Now()
	if err := exec.CommandContext(a.ctx, program, "-bbox-layout", path, os.DevNull).Run(); err != nil {
		return 0
	}
	return time.Since(began).Seconds()
}

func round2(seconds float64) float64 { return math.Round(seconds*100) / 100 }
