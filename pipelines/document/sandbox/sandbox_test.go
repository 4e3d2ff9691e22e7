package sandbox

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/phpdave11/gofpdf"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

func testReader(t *testing.T, limits decode.Limits) *Reader {
	t.Helper()
	r, err := NewReader(Config{CacheDir: documenttest.Cache(), Tesseract: Find("tesseract"), Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mustRead(t *testing.T, data []byte) Reading {
	t.Helper()
	got, err := testReader(t, decode.Limits{}).Read(context.Background(), bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// bombPDF is a PDF of about 3 KB whose page unpacks to size bytes.
func bombPDF(t *testing.T, size int) []byte {
	t.Helper()
	inner := deflate(t, &zeroes{left: size})
	outer := deflate(t, bytes.NewReader(inner))
	return documenttest.RawPDF("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>",
		fmt.Sprintf("<</Length %d/Filter[/FlateDecode/FlateDecode]>>stream\n%s\nendstream", len(outer), outer))
}

type zeroes struct{ left int }

func (z *zeroes) Read(p []byte) (int, error) {
	if z.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), z.left)
	for i := range p[:n] {
		p[i] = '0'
	}
	z.left -= n
	return n, nil
}

func deflate(t *testing.T, from io.Reader) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := zlib.NewWriterLevel(&b, zlib.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(z, from); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func encryptedPDF(t *testing.T) []byte {
	t.Helper()
	pdf := gofpdf.New("P", "pt", "Letter", "")
	pdf.SetProtection(0, "secret", "owner")
	pdf.SetFont("Helvetica", "", 10)
	pdf.AddPage()
	pdf.Text(40, 60, "hidden")
	var b bytes.Buffer
	if err := pdf.Output(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestReader_Read_refusals(t *testing.T) {
	whole := documenttest.TextPDF(t, "Beginning balance|$1.00")
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, refusal.Corrupt},
		{"password", encryptedPDF(t), refusal.Encrypted},
		{"header only", []byte("%PDF-1.7\n"), refusal.Corrupt},
		{"body destroyed", append([]byte("%PDF-1.7\n"), bytes.Repeat([]byte{0xfe, 0x00, 0x41}, 4000)...), refusal.Corrupt},
		{"executable", []byte("\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 200)), refusal.UnsupportedType},
		{"too many pages", documenttest.TextPDF(t, make([]string, 301)...), refusal.TooManyPages},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := mustRead(t, tt.data)
			if got.Refusal == nil || got.Refusal.Code != tt.want {
				t.Fatalf("got %+v, want %s", got.Refusal, tt.want)
			}
			if got.Extraction != nil || got.Refusal.Detail == "" {
				t.Errorf("a refusal has a detail and no extraction: %+v", got)
			}
		})
	}
	t.Run("cut off", func(t *testing.T) {
		if got := mustRead(t, whole[:len(whole)/2]); got.Refusal != nil && got.Refusal.Code != refusal.Corrupt {
			t.Fatalf("got %+v", got.Refusal)
		}
	})
}

func TestReader_Read_bomb(t *testing.T) {
	bomb := bombPDF(t, 600<<20)
	if len(bomb) > 8<<10 {
		t.Fatalf("the bomb is %d bytes: not small", len(bomb))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := mustRead(t, bomb)
	runtime.ReadMemStats(&after)
	if got.Refusal == nil || got.Refusal.Code != refusal.Memory && got.Refusal.Code != refusal.Timeout {
		t.Fatalf("got %+v, want a refusal for memory or time", got.Refusal)
	}
	if grown := int64(after.Sys) - int64(before.Sys); grown > 64<<20 {
		t.Errorf("this process grew by %d MiB", grown>>20)
	}
}

func TestReader_Read_tooLarge(t *testing.T) {
	r := testReader(t, decode.Limits{MaxBytes: 1 << 20})
	got, err := r.Read(context.Background(), &zeroes{left: 3 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if got.Refusal == nil || got.Refusal.Code != refusal.TooLarge {
		t.Errorf("got %+v", got.Refusal)
	}
}

func TestReader_Read_timeout(t *testing.T) {
	r := testReader(t, decode.Limits{TextTime: time.Millisecond})
	got, err := r.Read(context.Background(), bytes.NewReader(documenttest.TextPDF(t, strings.Repeat("words ", 50))))
	if err != nil {
		t.Fatal(err)
	}
	if got.Refusal == nil || got.Refusal.Code != refusal.Timeout {
		t.Errorf("got %+v", got.Refusal)
	}
}

// A file that cannot be fetched is our fault, not the file's.
func TestReader_Read_fetchFails(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("%PDF-1.7"), &failing{})
	if got, err := testReader(t, decode.Limits{}).Read(context.Background(), broken); err == nil {
		t.Errorf("got %+v, want an error", got)
	}
}

type failing struct{}

func (*failing) Read([]byte) (int, error) { return 0, errors.New("connection lost") }

// The parser sees neither files nor network.
func TestSandbox(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the sandbox is Linux's")
	}
	r := testReader(t, decode.Limits{})
	tried, reached, err := r.Probe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range reached {
		t.Errorf("the parser can %s", what)
	}
	if tried < 20 {
		t.Errorf("%d ways tried", tried)
	}
}

// What one Reader of a program has compiled, the next one finds, until a reading fails.
func TestReader_ready(t *testing.T) {
	if err := testReader(t, decode.Limits{}).Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	next := testReader(t, decode.Limits{})
	if err := next.ready(t.Context()); err != nil || next.warm.Load() {
		t.Errorf("it warmed again: %v", err)
	}
	next.requireWarm()
	if err := next.ready(t.Context()); err != nil || !next.warm.Load() {
		t.Errorf("it did not warm: %v", err)
	}
}

func TestTokens_roundTrip(t *testing.T) {
	got := mustRead(t, documenttest.TextPDF(t, "Beginning balance|$1.00\nEnding balance|$2.00"))
	d, err := text.DecodeTokens(got.Tokens)
	if err != nil {
		t.Fatal(err)
	}
	if d.PageCount != 1 || len(d.Pages[0].Tokens) != 6 {
		t.Errorf("got %+v", d)
	}
	again := document.Extract(d)
	if len(again.Documents) != len(got.Extraction.Documents) {
		t.Error("kept tokens read otherwise than the file")
	}
}

func FuzzDecodeTokens(f *testing.F) {
	kept, err := text.EncodeTokens(text.Decoded{MimeType: decode.MIMEPDF, PageCount: 1, Pages: []text.Page{{Number: 1, Tokens: []text.Token{{Text: "a"}}}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(kept)
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _, _ = text.DecodePage(bytes.NewReader(data), 2)
		if d, err := text.DecodeTokens(data); err == nil {
			document.Extract(d)
		}
	})
}

// A Reader that reads file after file has a process ready for the next one, which reads that one and no other. One that
// died while it waited is no loss.
func TestReader_ahead(t *testing.T) {
	r, err := NewReader(Config{CacheDir: documenttest.Cache(), Ahead: true})
	if err != nil {
		t.Fatal(err)
	}
	read := func() {
		t.Helper()
		got, err := r.Read(t.Context(), bytes.NewReader(documenttest.TextPDF(t, "Beginning balance|$1.00\nEnding balance|$2.00")))
		if err != nil || got.Refusal != nil || len(got.Extraction.Documents) != 1 {
			t.Fatalf("read %+v, %v", got, err)
		}
	}
	if read(); r.ahead.Load() != nil {
		t.Error("a process was started ahead of the first file")
	}
	read()
	ready := r.ahead.Load()
	if ready == nil {
		t.Fatal("no process was started ahead")
	}
	read()
	<-ready.ended
	if next := r.ahead.Load(); next == ready || !strings.Contains(ready.stdout.String(), `"extraction"`) {
		t.Errorf("the process that was ready answered %q", ready.stdout.String())
	}
	dead := r.ahead.Load()
	if err := dead.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-dead.ended
	read()
	if left := r.ahead.Swap(nil); left != nil {
		left.discard()
		<-left.ended
	}
}

func TestWritePage(t *testing.T) {
	s, err := testReader(t, decode.Limits{}).Show(context.Background(), bytes.NewReader(documenttest.TextPDF(t, documenttest.PlainStatement)))
	if err != nil {
		t.Fatal(err)
	}
	given := s.Extraction.Documents[0].Sources["/openingBalance"]
	given.Method = "model"
	s.Extraction.Documents[0].Sources["/openingBalance"] = given
	var b strings.Builder
	if err := WritePage(&b, "<statement>.pdf", s); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{"data:image/png;base64,", "/<wbr>openingBalance", "$1,000.00", "&lt;statement&gt;", `class="box"`, `<tr class="model">`, `class="box model"`, "<q>Beginning balance on March 1 $1,000.00</q>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if len(s.Thumbnail) == 0 {
		t.Error("no thumbnail")
	}
	if got := sortedPointers(map[string]dossier.Source{"/entries/10": {}, "/entries/2": {}, "/entries/2/date": {}}, map[string]string{"/currency": ""}); !slices.Equal(got, []string{"/currency", "/entries/2", "/entries/2/date", "/entries/10"}) {
		t.Errorf("facts stand as %v", got)
	}
}
