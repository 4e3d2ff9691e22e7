package workspacefile

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
)

func TestParse_reading(t *testing.T) {
	t.Parallel()
	const head = "version: 1\nworkspace: acme\nname: Acme\n"
	config, err := Parse("w.yaml", []byte(head+"reading: {model: fill, tokensPerDocument: 500, images: true}\n"))
	want := dossier.ReadingSettings{Model: dossier.ReadingFill, TokensPerDocument: 500, Images: true}
	if err != nil || config.Reading != want {
		t.Fatalf("read %+v, %v", config.Reading, err)
	}
	written, err := Write(config)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Parse("w.yaml", written); err != nil || again.Reading != want {
		t.Errorf("written and read again: %+v, %v", again.Reading, err)
	}
	if got := config.Reading.OrDefault().TokensPerDay; got != dossier.DefaultTokensPerDay {
		t.Errorf("tokens a day: %d", got)
	}
	if off, err := Parse("w.yaml", []byte(head)); err != nil || off.Reading.OrDefault().Model.On() {
		t.Errorf("a workspace that says nothing has a model read: %+v, %v", off.Reading, err)
	}
	for line, fault := range map[string]string{
		"reading: {model: maybe}":          "w.yaml:4: reading.model must be off, fill or check",
		"reading: {tokensPerDay: 0}":       "w.yaml:4: reading.tokensPerDay must be positive",
		"reading: {tokensPerDocument: -1}": "w.yaml:4: reading.tokensPerDocument must be positive",
		"reading: {modell: fill}":          "w.yaml:4: ",
	} {
		if _, err := Parse("w.yaml", []byte(head+line+"\n")); err == nil || !strings.Contains(err.Error(), fault) {
			t.Errorf("%s: %v, want %q", line, err, fault)
		}
	}
}
