package decode

import (
	"image"
	"image/draw"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A recognizer that dies costs the page, which tesseract then reads, and after the second one it is not asked again.
func TestRecognizer_lost(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	page := image.NewGray(image.Rect(0, 0, 400, 200))
	draw.Draw(page, page.Rect, image.White, image.Point{}, draw.Src)
	r := &recognizer{Recognizer: Recognizer{Program: self, Library: "no library"}, cpuSeconds: 60}
	defer r.close()
	for range recognizerFailures {
		if !r.available() {
			t.Fatal("given up too early")
		}
		if words, err := r.read(page); err == nil {
			t.Fatalf("a dead process read %v", words)
		}
	}
	if r.available() {
		t.Error("still asked")
	}
}

func TestSideways(t *testing.T) {
	seen := []seenWord{{Text: "down", Turned: true}, {Text: "the", Turned: true}, {Text: "a"}}
	if !sideways(seen) || sideways(seen[2:]) {
		t.Error("a page of lines that run down lies on its side, one of level lines does not")
	}
}

// fakeRecognizer is a program that greets and then answers each page with a line; a picture of 4 by 2 pixels is read.
func fakeRecognizer(t *testing.T, answers ...string) *recognizer {
	t.Helper()
	script := "#!/bin/sh\necho 'dossier-ocr 1 test'\n"
	for _, answer := range answers {
		script += "read size || exit\nhead -c 8 > /dev/null\necho '" + answer + "'\n"
	}
	program := filepath.Join(t.TempDir(), "dossier-ocr")
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	r := &recognizer{Recognizer: Recognizer{Program: program}, cpuSeconds: 60}
	t.Cleanup(r.close)
	return r
}

const oneWord = `{"words":[{"Text":"word","X1":2,"Y1":2}],"cpu":1.5}`

// What becomes of a page does not hang on the pages before it: where a process that has read others fails, a new one
// reads the page.
func TestRecognizer_page_again(t *testing.T) {
	page := image.NewGray(image.Rect(0, 0, 4, 2))
	r := fakeRecognizer(t, oneWord, `{"error":"memory","cpu":2}`)
	for i := range 6 {
		if words, err := r.read(page); err != nil || len(words) != 1 {
			t.Fatalf("page %d: %v, %v", i+1, words, err)
		}
	}
	if r.failed != 0 || !r.available() {
		t.Errorf("%d pages failed", r.failed)
	}
	hard := fakeRecognizer(t, `{"error":"memory","cpu":2}`)
	if words, err := hard.read(page); err == nil || hard.failed != 1 {
		t.Errorf("a page that a fresh process fails at gave %v, %d failed", words, hard.failed)
	}
}

// A busy machine reads as many pages as an idle one: what counts is the processor's time.
func TestDecoder_readPicture_time(t *testing.T) {
	page := func() ocrPage { return ocrPage{pixels: image.NewGray(image.Rect(0, 0, 4, 2)), unit: 1, number: 1} }
	limits := Limits{OCRTime: 100 * time.Second}.OrDefaults()
	for name, c := range map[string]struct {
		clock, spent time.Duration
		read         bool
	}{
		"idle":            {20 * time.Second, 20 * time.Second, true},
		"starved":         {99 * time.Second, 20 * time.Second, true},
		"much work":       {75 * time.Second, 75 * time.Second, false},
		"nearly too late": {110 * time.Second, 20 * time.Second, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := NewDecoder(Options{Tesseract: "/bin/true", Limits: limits, OCRStarts: func() {}})
			w.ocrSince = time.Unix(1, 0)
			w.clock = func(time.Time) time.Duration { return c.clock }
			w.spent = func() time.Duration { return c.spent }
			if _, _, err := w.readPicture(page()); (err == nil) != c.read {
				t.Errorf("%v", err)
			}
		})
	}
}

// The time of the recognizer counts while it works, and once it is gone.
func TestDecoder_processorTime(t *testing.T) {
	w := NewDecoder(Options{OCRStarts: func() {}})
	before := w.processorTime()
	w.recognizer = fakeRecognizer(t, oneWord)
	if _, err := w.recognizer.read(image.NewGray(image.Rect(0, 0, 4, 2))); err != nil {
		t.Fatal(err)
	}
	if grown := w.processorTime() - before; grown < 1500*time.Millisecond {
		t.Errorf("%v more than before a page of 1.5 s", grown)
	}
}
