package sandbox_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
)

// Every hostile file ends as it may: read, or refused with a reason. Its process dies alone, and this one takes
// no memory for it.
func TestHostile(t *testing.T) {
	reader, err := sandbox.NewReader(sandbox.Config{CacheDir: filepath.Join(os.TempDir(), "dossier-test-pdfium"), Tesseract: sandbox.Find("tesseract"),
		Limits: decode.Limits{TextTime: 20 * time.Second, OCRTime: 40 * time.Second, CPUSeconds: 30}})
	if err != nil {
		t.Fatal(err)
	}
	if err := reader.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	files := specimen.Hostile(1)
	before := heap()
	t.Run("files", func(t *testing.T) {
		for _, f := range files {
			t.Run(filepath.Base(f.Name), func(t *testing.T) {
				t.Parallel()
				got, err := reader.Read(t.Context(), bytes.NewReader(f.Data))
				if err != nil {
					t.Fatalf("%s: %v", f.Note, err)
				}
				outcome := specimen.Completed
				if got.Refusal != nil {
					outcome = got.Refusal.Code
				}
				if !slices.Contains(f.Wants, outcome) || got.Refusal != nil && got.Refusal.Detail == "" {
					t.Errorf("%s ended as %s, want one of %v", f.Note, outcome, f.Wants)
				}
				if got.PeakMiB > 1024 {
					t.Errorf("%s took %d MiB", f.Note, got.PeakMiB)
				}
			})
		}
	})
	if after := heap(); after > before+64<<20 {
		t.Errorf("this process holds %d MiB more than before", (after-before)>>20)
	}
}

// heap is what this process holds after a collection, in bytes.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
