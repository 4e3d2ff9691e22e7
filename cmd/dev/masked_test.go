package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // scans are photographs too
	"image/png"
	"io"
	"log/slog"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/cmd/internal/workers"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// However a number of a person is printed on a page, and however the page lies, it is in no byte that a model server
// gets: not in words, and not for whoever reads the pictures. The rest is.
func TestModel_sees_no_number(t *testing.T) {
	if testing.Short() {
		t.Skip("whole documents read by a model, once, without the race detector")
	}
	s := startStack(t, options{model: "scripted"})
	s.showPictures(t)
	var files []uploadFile
	printedAs := [][]string{
		{"Social security number|212-09-9999"},
		{"Of the holder, whose number is 212-09-", "9999, nothing is owed."},
		{"Your social security number", "212  09  9999"},
		{"SSN 212 09 9999"},
		{"Holder|212-09-9999", "Spouse|912-70-1234"},
		{"Taxpayer ID number|912701234"},
		{"Number 2l2-O9-9999"},
		{"SSN|2 1 2 0 9 9 9 9 9"},
	}
	if os.Getenv("DOSSIER_LONG") == "" {
		printedAs = printedAs[:3]
	}
	for i, number := range printedAs {
		printed, _ := specimen.Strange(fmt.Sprintf("Number Bakery %d LLC", i), demoMonth(), number...)
		scan := specimen.Scan(printed, 3, specimen.CleanScan)
		files = append(files, sentOf(printed), sentOf(scan))
		if strings.HasPrefix(scan.MimeType, "image/") {
			files = append(files, uploadFile{"turned.png", "image/png", turned(t, scan.Data)})
		}
	}
	form := specimen.TaxReturn(specimen.TaxOptions{Seed: 5, Form: "1040", Fillable: true})
	filled := *form.Truth.Facts.Tax.SSN // in a field of the form
	files = append(files, sentOf(form), sentOf(specimen.Scan(form, 4, specimen.CleanScan)))
	for i, e := range s.readByModel(t, files) {
		if model, _ := e["model"].(map[string]any); i < len(files)-2 && model["taken"] == 0.0 {
			t.Errorf("%v: the model gave nothing: %v", e["layer"], model)
		}
	}
	reader, err := workers.NewReader(slog.New(slog.DiscardHandler), true)
	if err != nil {
		t.Fatal(err)
	}
	pictures := 0
	for _, body := range s.model.Asked() {
		if found := numberIn(wordsOf(t, body), filled); found != "" {
			t.Errorf("%s was sent in words", found)
		}
		for _, picture := range picturesOf(t, body) {
			pictures++
			seen := readPicture(t, reader, picture)
			if found := numberIn(seen, filled); found != "" {
				t.Errorf("%s can be read in a picture", found)
			}
			if !strings.Contains(seen, "Riverbank") && !strings.Contains(seen, "1040") {
				t.Errorf("a picture shows %q", seen)
			}
		}
	}
	if pictures == 0 {
		t.Error("no picture was sent")
	}
}

var notFigures = regexp.MustCompile(`[^0-9]+`)

// numberIn is which planted number a person could still read, whatever parts its figures; empty: none.
func numberIn(words, filled string) string {
	figures := notFigures.ReplaceAllString(strings.NewReplacer("l", "1", "O", "0").Replace(words), "")
	for _, number := range []string{"212099999", "912701234", notFigures.ReplaceAllString(filled, "")} {
		if strings.Contains(figures, number) {
			return number
		}
	}
	return ""
}

// contentOf are the parts of the last message of a request.
func contentOf(t *testing.T, body string) (words string, pictures []string) {
	t.Helper()
	var request struct {
		Messages []struct{ Content json.RawMessage }
	}
	if err := json.Unmarshal([]byte(body), &request); err != nil {
		t.Fatal(err)
	}
	content := request.Messages[len(request.Messages)-1].Content
	if json.Unmarshal(content, &words) == nil {
		return words, nil
	}
	var parts []struct {
		Text string
		URL  struct{ URL string } `json:"image_url"`
	}
	if err := json.Unmarshal(content, &parts); err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		words += p.Text
		if p.URL.URL != "" {
			pictures = append(pictures, p.URL.URL)
		}
	}
	return words, pictures
}

func wordsOf(t *testing.T, body string) string {
	words, _ := contentOf(t, body)
	return words
}

func picturesOf(t *testing.T, body string) [][]byte {
	t.Helper()
	var all [][]byte
	_, pictures := contentOf(t, body)
	for _, url := range pictures {
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(url, "data:image/png;base64,"))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, raw)
	}
	return all
}

// readPicture is what a reader of ours makes out in a picture.
func readPicture(t *testing.T, reader *sandbox.Reader, picture []byte) string {
	t.Helper()
	read, err := reader.Read(t.Context(), bytes.NewReader(picture))
	if err != nil || read.Refusal != nil {
		t.Fatal(err, read.Refusal)
	}
	decoded, err := text.DecodeTokens(read.Tokens)
	if err != nil {
		t.Fatal(err)
	}
	var words strings.Builder
	for _, page := range decoded.Pages {
		for _, line := range text.Lines(page) {
			_, _ = io.WriteString(&words, line.Text()+"\n")
		}
	}
	return words.String()
}

// turned is a picture that lies on its side.
func turned(t *testing.T, data []byte) []byte {
	t.Helper()
	upright, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	b := upright.Bounds()
	side := image.NewGray(image.Rect(0, 0, b.Dy(), b.Dx()))
	for y := range b.Dy() {
		for x := range b.Dx() {
			side.Set(b.Dy()-1-y, x, color.GrayModel.Convert(upright.At(b.Min.X+x, b.Min.Y+y)))
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, side); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
