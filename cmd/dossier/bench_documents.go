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
	"github.com/dossierhq/dossier/cmd/lab/bench"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

const (
	documentsName  = "documents"
	documentsAbout = "each file of a directory, and pages made for the measurement unless --only-dir, read as a " +
		"worker reads uploads, beside pdftotext: seconds and peak memory; DIR"
)

// documentsResult is what reading a directory takes, one file after the other.
type documentsResult struct {
	Name    string         `json:"name"`
	Cores   int            `json:"cores"`
	Go      string         `json:"go"`
	Load    float64        `json:"loadBefore"` // of the machine over a minute: seconds count only on an idle one
	Bars    []documentBar  `json:"bars,omitempty"`
	Files   []documentTime `json:"files"`
	Seconds float64        `json:"seconds"` // all files of the directory
	P50     float64        `json:"p50Seconds"`
	P95     float64        `json:"p95Seconds"`
	Max     float64        `json:"maxSeconds"`
	PeakMiB int64          `json:"peakMiB"` // of the greediest file
	// Medians over the directory's files of seconds divided by pages; absent where it has none of the kind.
	TextPage    float64 `json:"textPageP50Seconds,omitempty"`    // PDFs with a text layer
	ScannedPage float64 `json:"scannedPageP50Seconds,omitempty"` // scans and images
	// The same of the seconds of processor time, which say what a page takes on a machine that has other work.
	TextPageCPU    float64 `json:"textPageP50CpuSeconds,omitempty"`
	ScannedPageCPU float64 `json:"scannedPageP50CpuSeconds,omitempty"`
	// Ratio is the time of the PDFs over that of pdftotext -bbox-layout on the same files in this run, which reads
	// their text layer and understands nothing; absent where it is not installed.
	Ratio float64 `json:"pdftotextRatio,omitempty"`
}

type documentTime struct {
	File    string  `json:"file"`
	Bytes   int64   `json:"bytes"`
	DocType string  `json:"docType,omitempty"` // of its first document
	Refused string  `json:"refused,omitempty"`
	Layer   string  `json:"layer,omitempty"`
	Pages   int     `json:"pages,omitempty"`
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpuSeconds"` // of its parser and the programs that this started
	PeakMiB int64   `json:"peakMiB"`    // of the greediest of them
	Bare    float64 `json:"pdftotextSeconds,omitempty"`
}

// documentsBench reads files as a worker does: with one Reader, each in a process of its own.
type documentsBench struct {
	*app
	reader *sandbox.Reader
}

// measureDocuments prints one JSON object a run.
func (c benchCommand) measureDocuments(a *app) error {
	if c.Of == "" {
		return usagef("name a directory of files: dossier bench documents DIR")
	}
	reader, err := workers.NewReader(a.log(), a.sandboxOff())
	if err != nil {
		return err
	}
	if err := reader.Warm(a.ctx); err != nil { // compiled once a machine, so no file is charged for it
		return err
	}
	b := documentsBench{a, reader}
	for range max(c.Repeat, 1) {
		result, err := b.readAll(c.Of)
		if err != nil {
			return err
		}
		if !c.OnlyDir {
			if result.Bars, err = b.readMade(); err != nil {
				return err
			}
		}
		if err := json.NewEncoder(a.out).Encode(result); err != nil {
			return err
		}
	}
	return nil
}

func (b documentsBench) readAll(dir string) (documentsResult, error) {
	r := documentsResult{Name: documentsName, Cores: runtime.GOMAXPROCS(0), Go: runtime.Version(),
		Load: bench.LoadAverage(), Files: []documentTime{}}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || entry.Name() == "expected.json" {
			return err
		}
		one, err := b.read(path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if one.File, err = filepath.Rel(dir, path); err != nil {
			return err
		}
		r.Files = append(r.Files, one)
		return nil
	})
	if err == nil {
		r.sum()
	}
	return r, err
}

// sum fills in what the files took together.
func (r *documentsResult) sum() {
	var times, str, scanned, strCPU, scannedCPU []float64
	pdfs, bare := 0.0, 0.0
	for _, f := range r.Files {
		if f.Bare > 0 {
			pdfs, bare = pdfs+f.Seconds, bare+f.Bare
		}
		switch f.Layer {
		case text.LayerText:
			str, strCPU = append(str, f.Seconds/float64(f.Pages)), append(strCPU, f.CPU/float64(f.Pages))
		case text.LayerScanned, text.LayerImage:
			scanned = append(scanned, f.Seconds/float64(f.Pages))
			scannedCPU = append(scannedCPU, f.CPU/float64(f.Pages))
		}
		times = append(times, f.Seconds)
		r.Seconds, r.PeakMiB = round3(r.Seconds+f.Seconds), max(r.PeakMiB, f.PeakMiB)
	}
	if bare > 0 {
		r.Ratio = round3(pdfs / bare)
	}
	r.P50, r.TextPage, r.ScannedPage = median(times), median(str), median(scanned)
	r.TextPageCPU, r.ScannedPageCPU = median(strCPU), median(scannedCPU)
	if n := len(times); n > 0 {
		r.P95, r.Max = times[min(n-1, n*95/100)], times[n-1]
	}
}

// median sorts; of nothing it is 0.
func median(seconds []float64) float64 {
	slices.Sort(seconds)
	if len(seconds) == 0 {
		return 0
	}
	return round3(seconds[len(seconds)/2])
}

// read reads one file with the worker's Reader.
func (b documentsBench) read(path string) (documentTime, error) {
	var one documentTime
	file, err := os.Open(path)
	if err != nil {
		return one, err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return one, err
	}
	began, spent := time.Now(), childrenCPU()
	read, err := b.reader.Read(b.ctx, file)
	one.Bytes, one.Seconds, one.PeakMiB = info.Size(), round3(time.Since(began).Seconds()), read.PeakMiB
	one.CPU = round3(childrenCPU() - spent)
	switch {
	case err != nil:
		return one, err
	case read.Refusal != nil:
		one.Refused = read.Refusal.Code
		return one, nil
	}
	one.Layer, one.Pages = read.Extraction.Layer, max(read.Extraction.PageCount, 1)
	if len(read.Extraction.Documents) > 0 {
		one.DocType = string(read.Extraction.Documents[0].DocType)
	}
	if read.Extraction.MimeType == "application/pdf" {
		one.Bare = b.bareSeconds(path)
	}
	return one, nil
}

// bareSeconds is how long pdftotext takes for the same file; 0 where it is not installed or fails.
func (b documentsBench) bareSeconds(path string) float64 {
	program := sandbox.Find("pdftotext")
	if program == "" {
		return 0
	}
	began := time.Now()
	if err := exec.CommandContext(b.ctx, program, "-bbox-layout", path, os.DevNull).Run(); err != nil {
		return 0
	}
	return round3(time.Since(began).Seconds())
}

// childrenCPU is the processor time of the programs that this one started and that ended, and of those they started.
func childrenCPU() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

func round3(seconds float64) float64 { return math.Round(seconds*1000) / 1000 }
