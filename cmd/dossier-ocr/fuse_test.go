//go:build linux || darwin

package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// A network that was only taken apart is the same network.
func TestGraph_keeps(t *testing.T) {
	for name, file := range map[string][]byte{"detection": detectionModel, "recognition": recognitionModel} {
		g, err := openGraph(file)
		if err != nil {
			t.Fatal(name, err)
		}
		again, err := openGraph(g.bytes())
		if err != nil {
			t.Fatal(name, err)
		}
		if len(g.nodes) < 300 || len(again.nodes) != len(g.nodes) || len(again.constants) != len(g.constants) {
			t.Errorf("%s: %d operations and %d constants became %d and %d", name, len(g.nodes), len(g.constants), len(again.nodes), len(again.constants))
		}
	}
	if _, err := openGraph([]byte{0x3a, 0x05, 0x0a}); err == nil {
		t.Error("a file that ends in the middle of a message was read")
	}
}

// Passes that say nothing of their own are gone.
func TestFused_passes(t *testing.T) {
	for name, c := range map[string]struct {
		file   []byte
		scales int // that stand before something else than a convolution
		adds   int // that are not between two convolutions
	}{"detection": {detectionModel, 30, 18}, "recognition": {recognitionModel, 60, 28}} {
		g, err := fused(c.file)
		if err != nil {
			t.Fatal(name, err)
		}
		counts := map[string]int{}
		for _, n := range g.nodes {
			if !n.gone {
				counts[n.operator]++
			}
		}
		if counts["Clip"] > 0 || counts["HardSigmoid"] < 24 || counts["Conv"] < 35 ||
			counts["Mul"] > c.scales+counts["HardSigmoid"] || counts["Add"] > c.adds {
			t.Errorf("%s: %v", name, counts)
		}
	}
}

// The network gives the same answers as before. It needs the library, which `make setup` brings.
func TestFused_answers(t *testing.T) {
	home, err := os.UserCacheDir()
	if err != nil {
		t.Skip("no directory for the library")
	}
	libraries, _ := filepath.Glob(filepath.Join(home, "dossier", "ocr", "libonnxruntime*"))
	if len(libraries) == 0 {
		t.Skip("onnxruntime is not installed")
	}
	o, err := openRuntime(libraries[0])
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		file   []byte
		output string
		shape  []int64
	}{
		"detection":   {detectionModel, "sigmoid_0.tmp_0", []int64{1, 3, 96, 160}},
		"recognition": {recognitionModel, "softmax_11.tmp_0", []int64{1, 3, stripHeight, 200}},
	} {
		input := make([]float32, c.shape[1]*c.shape[2]*c.shape[3])
		for i := range input { // strokes
			x, y := i%int(c.shape[3]), i/int(c.shape[3])%int(c.shape[2])
			input[i] = float32(math.Sin(float64(x)/3) * math.Cos(float64(y)/5))
		}
		answer := func(m *model, err error) []float32 {
			if err != nil {
				t.Fatal(name, err)
			}
			var out []float32
			if err := m.run(input, c.shape, func(values []float32, _ []int64) { out = append(out, values...) }); err != nil {
				t.Fatal(name, err)
			}
			return out
		}
		want, got := answer(o.open(c.file, "x", c.output)), answer(o.openFused(c.file, "x", c.output))
		if len(want) == 0 || len(got) != len(want) {
			t.Fatalf("%s: %d numbers, want %d", name, len(got), len(want))
		}
		most := 0.0
		for i := range want {
			most = max(most, math.Abs(float64(got[i]-want[i])))
		}
		if most > 2e-3 {
			t.Errorf("%s: answers differ by up to %g", name, most)
		}
	}
}
