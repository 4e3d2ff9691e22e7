package specimen

import (
	"bytes"
	"image"
	"testing"
)

func TestScan(t *testing.T) {
	s := BankStatement(BankOptions{Seed: 3, Layout: "prairie"})
	for severity := CleanScan; severity <= Phone; severity++ {
		first, again := Scan(s, 9, severity), Scan(s, 9, severity)
		if !bytes.Equal(first.Data, again.Data) {
			t.Errorf("severity %d differs between two runs of one seed", severity)
		}
		if first.Truth.Layer == layerText || first.Truth.Severity != severity {
			t.Errorf("severity %d: layer %q, severity %d", severity, first.Truth.Layer, first.Truth.Severity)
		}
		if first.MimeType == mimePDF {
			if text := popplerText(t, first); len(bytes.TrimSpace([]byte(text))) > 0 {
				t.Errorf("severity %d: a scan has a text layer: %q", severity, text)
			}
			continue
		}
		if _, _, err := image.Decode(bytes.NewReader(first.Data)); err != nil {
			t.Errorf("severity %d: %v", severity, err)
		}
	}
}
