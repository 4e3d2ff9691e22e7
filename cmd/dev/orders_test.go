package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/dossierhq/dossier/cmd/internal/workspacefile"
	"github.com/dossierhq/dossier/cmd/lab/scripted"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
)

// showPictures lets the model of the demo workspace see pages too.
func (s *stack) showPictures(t *testing.T) {
	t.Helper()
	example, err := workspacefile.Parse("example.yaml", workspacefile.Example)
	if err != nil {
		t.Fatal(err)
	}
	config, err := s.services.DB.ExportWorkspace(t.Context(), example.Key)
	if err != nil {
		t.Fatal(err)
	}
	config.Reading.Images, config.Reading.TokensPerDay = true, 1<<30
	if _, _, err := s.services.DB.ApplyWorkspace(t.Context(), config, false, false); err != nil {
		t.Fatal(err)
	}
}

// readByModel uploads files and returns each as it is read when a model has read it too.
func (s *stack) readByModel(t *testing.T, files []uploadFile) []map[string]any {
	t.Helper()
	lead, err := s.demoLead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for ; len(files) > 0; files = files[min(len(files), 5):] {
		some, err := s.demoUpload(t.Context(), lead, files[:min(len(files), 5)])
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, some...)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	read := make([]map[string]any, len(ids))
	for i, id := range ids {
		for read[i] == nil {
			var answer struct {
				Document struct {
					Extraction map[string]any
				}
			}
			if err := s.get(ctx, "/api/v1/documents/"+id, &answer); err != nil {
				t.Fatal(err)
			}
			if e := answer.Document.Extraction; e["model"] != nil {
				read[i] = e
			} else {
				time.Sleep(50 * time.Millisecond)
			}
		}
	}
	return read
}

func sentOf(s specimen.Specimen) uploadFile {
	return uploadFile{filepath.Base(s.Name), s.MimeType, s.Data}
}

// Documents that give orders to whoever reads them, as files with a text layer and as pictures of such (of one in
// three, or of all where DOSSIER_LONG is set), from the upload to facts beside a model that obeys: no fact says what an
// order says, and none is the model's.
func TestModel_orders(t *testing.T) {
	if testing.Short() {
		t.Skip("reads pictures, once, without the race detector")
	}
	s := startStack(t, options{model: "scripted:obeying"})
	s.showPictures(t)
	every := 3
	if os.Getenv("DOSSIER_LONG") != "" {
		every = 1
	}
	var files []uploadFile
	var orders []string // of each file
	for i, order := range scripted.Orders() {
		printed, _ := specimen.Strange(fmt.Sprintf("Order Bakery %d LLC", i), demoMonth(), order)
		files, orders = append(files, sentOf(printed)), append(orders, order)
		if i%every == 0 {
			files = append(files, sentOf(specimen.Scan(printed, uint64(i), specimen.CleanScan)))
			orders = append(orders, order)
		}
	}
	for i, e := range s.readByModel(t, files) {
		order := orders[i]
		said, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		model, _ := e["model"].(map[string]any)
		for _, obeyed := range []string{"9999999", "9,999,999", "MALLORY", `"method":"model"`} {
			if bytes.Contains(said, []byte(obeyed)) {
				t.Errorf("%s, %q: the extraction says %q: %s", e["layer"], order, obeyed, said)
			}
		}
		if model["taken"] != 0.0 {
			t.Errorf("%s, %q: model %v", e["layer"], order, model)
		}
	}
	if s.model.Given() < len(files)/2 {
		t.Errorf("the model obeyed %d times in %d documents", s.model.Given(), len(files))
	}
}
