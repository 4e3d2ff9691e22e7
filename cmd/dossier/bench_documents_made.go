package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/dossierhq/dossier/cmd/lab/specimen"
)

// documentBar is what one kind of made document took, and may take.
type documentBar struct {
	Name    string  `json:"name"`
	Files   int     `json:"files"`
	Pages   int     `json:"pages"` // of each
	Seconds float64 `json:"p50Seconds"`
	Most    float64 `json:"mostSeconds"`
	CPU     float64 `json:"p50CpuSeconds"`
	PeakMiB int64   `json:"peakMiB"` // of the greediest
	MostMiB int64   `json:"mostMiB"`
	Bare    float64 `json:"pdftotextP50Seconds,omitempty"`
	Met     bool    `json:"met"`    // by the clock, which tells on an idle machine only
	MetCPU  bool    `json:"metCpu"` // by the processor's time: on one core, whatever else the machine does
}

// mostPeakMiB is what one document may take of memory.
const mostPeakMiB = 600

// madeDocuments is one kind of document that is made for the measurement.
type madeDocuments struct {
	documentBar
	make func(seed uint64) specimen.Specimen
}

var made = []madeDocuments{
	{documentBar{Name: "page of text", Files: 15, Pages: 1, Most: 0.12}, pages(1)},
	{documentBar{Name: "10 pages of text", Files: 5, Pages: 10, Most: 1}, pages(10)},
	{documentBar{Name: "180 pages of text", Files: 1, Pages: 180, Most: 15}, pages(180)},
	{documentBar{Name: "scanned page", Files: 9, Pages: 1, Most: 2.5}, scanned(1)},
	{documentBar{Name: "10 scanned pages", Files: 1, Pages: 10, Most: 25}, scanned(10)},
	{documentBar{Name: "card", Files: 9, Pages: 1, Most: 2}, func(seed uint64) specimen.Specimen {
		designs := specimen.CardDesigns()
		return specimen.Card(seed, designs[seed%uint64(len(designs))])
	}},
}

// scanned makes pages as a scanner gives them, tilted and dirty in three degrees.
func scanned(want int) func(seed uint64) specimen.Specimen {
	return func(seed uint64) specimen.Specimen {
		return specimen.Scan(pages(want)(seed), seed, 1+int(seed%3))
	}
}

// pages makes a PDF with that many pages of statements and returns.
func pages(want int) func(seed uint64) specimen.Specimen {
	return func(seed uint64) specimen.Specimen {
		layouts, forms := specimen.BankLayouts(), specimen.TaxForms()
		var parts []specimen.Specimen
		for i, have := 100*seed, 0; have < want; i++ {
			part := specimen.BankStatement(specimen.BankOptions{Seed: i, Layout: layouts[i%uint64(len(layouts))]})
			if i%4 == 3 {
				part = specimen.TaxReturn(specimen.TaxOptions{Seed: i, Form: forms[i/4%uint64(len(forms))]})
			}
			if n := part.Truth.Pages; n > 0 && have+n <= want {
				parts, have = append(parts, part), have+n
			}
		}
		return specimen.Package(seed, parts...)
	}
}

// readMade reads every kind of made document.
func (b documentsBench) readMade() ([]documentBar, error) {
	dir, err := os.MkdirTemp("", "dossier-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	var bars []documentBar
	for _, kind := range made {
		bar, err := b.readKind(dir, kind)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind.Name, err)
		}
		bars = append(bars, bar)
	}
	return bars, nil
}

func (b documentsBench) readKind(dir string, kind madeDocuments) (documentBar, error) {
	bar := kind.documentBar
	bar.MostMiB = mostPeakMiB
	var times, bare, cpu []float64
	for seed := range uint64(kind.Files) {
		path := filepath.Join(dir, "document")
		if err := os.WriteFile(path, kind.make(seed+1).Data, 0o600); err != nil {
			return bar, err
		}
		one, err := b.read(path)
		if err == nil && one.Refused != "" {
			err = fmt.Errorf("refused: %s", one.Refused)
		}
		if err != nil {
			return bar, err
		}
		times, cpu, bar.PeakMiB = append(times, one.Seconds), append(cpu, one.CPU), max(bar.PeakMiB, one.PeakMiB)
		if one.Bare > 0 {
			bare = append(bare, one.Bare)
		}
	}
	bar.Seconds, bar.Bare, bar.CPU = median(times), median(bare), median(cpu)
	small := bar.PeakMiB < bar.MostMiB
	bar.Met, bar.MetCPU = small && bar.Seconds <= bar.Most, small && bar.CPU <= bar.Most
	return bar, nil
}
