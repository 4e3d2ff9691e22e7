package specimen

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

func TestCorpus(t *testing.T) {
	short := Corpus(1, 60)
	names, kinds, layers := map[string]bool{}, map[string]bool{}, map[string]int{}
	for _, s := range short {
		if names[s.Name] {
			t.Errorf("two files are called %s", s.Name)
		}
		names[s.Name], kinds[s.Truth.Kind] = true, true
		layers[s.Truth.Layer]++
		if len(s.Data) == 0 || s.MimeType == "" {
			t.Errorf("%s: %d bytes of %q", s.Name, len(s.Data), s.MimeType)
		}
	}
	for _, want := range append(append(append(append(BankLayouts(), TaxForms()...), StatementLayouts()...), IDDesigns()...), Traps()...) {
		if !kinds[want] {
			t.Errorf("no %s among 60 documents", want)
		}
	}
	if len(slots()) > 60 {
		t.Errorf("%d kinds do not fit into a short corpus", len(slots()))
	}
	for _, layer := range []string{layerText, layerNative, layerImage, layerScanned} {
		if layers[layer] == 0 {
			t.Errorf("no %s document among 60: %v", layer, layers)
		}
	}
}

func TestWriteDir(t *testing.T) {
	dir := t.TempDir()
	all := []Specimen{
		BankStatement(BankOptions{Seed: 1, Layout: "cornerstone"}), Identity(IDOptions{Seed: 2, Design: "ohio_licence"}),
		FinancialStatement(StatementOptions{Seed: 3, Layout: "export_csv"}), Trap(4, "w9"),
	}
	if err := WriteDir(dir, all); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var index struct {
		Files map[string]struct {
			DocType, FieldType, Layer string
			Facts                     map[string]any
		}
	}
	if err := json.Unmarshal(raw, &index); err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		data, err := os.ReadFile(filepath.Join(dir, s.Name))
		if err != nil || !bytes.Equal(data, s.Data) {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
	bank := index.Files[all[0].Name].Facts
	if value, present := bank["openingBalance"]; !present || value != nil {
		t.Errorf("no combined balance is printed, want null: %v %v", value, present)
	}
	if _, present := bank["negativeDays"]; present {
		t.Error("negativeDays is not tested and should be absent")
	}
	if got := bank["accounts"].([]any); len(got) != 2 {
		t.Errorf("accounts: %v", got)
	}
	licence := index.Files[all[1].Name]
	if licence.DocType != "drivers_license" || licence.Facts["mrz"] != nil || licence.Facts["state"] != "OH" {
		t.Errorf("licence: %+v", licence)
	}
}
