package specimen

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

var hostileFiles = sync.OnceValue(func() []HostileFile { return Hostile(1) })

func hostile(t *testing.T, name string) HostileFile {
	t.Helper()
	for _, h := range hostileFiles() {
		if h.Name == name {
			return h
		}
	}
	t.Fatalf("no hostile file %s", name)
	return HostileFile{}
}

func TestHostile_sameSeedSameBytes(t *testing.T) {
	again := Hostile(1)
	for i, h := range hostileFiles() {
		if !bytes.Equal(h.Data, again[i].Data) {
			t.Errorf("%s differs between two calls", h.Name)
		}
		if len(h.Data) > 8<<20 || len(h.Wants) == 0 {
			t.Errorf("%s: %d bytes, wants %v", h.Name, len(h.Data), h.Wants)
		}
	}
}

// pdfinfo runs an independent reader with a password.
func pdfinfo(t *testing.T, data []byte, password string) (string, bool) {
	t.Helper()
	tool, err := exec.LookPath("pdfinfo")
	if err != nil {
		t.Skip("pdfinfo is not installed")
	}
	cmd := exec.Command(tool, "-upw", password, "-")
	if password == "" {
		cmd = exec.Command(tool, "-")
	}
	cmd.Stdin = bytes.NewReader(data)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}

// TestHostile_encrypted: the files open with their password and only with it.
func TestHostile_encrypted(t *testing.T) {
	for _, name := range []string{"encrypted_rc4.pdf", "encrypted_aes256.pdf"} {
		h := hostile(t, name)
		if out, ok := pdfinfo(t, h.Data, ""); ok {
			t.Errorf("%s opens without a password: %s", name, out)
		}
		if out, ok := pdfinfo(t, h.Data, "open sesame"); !ok || !strings.Contains(out, "Account statement") {
			t.Errorf("%s does not open with its password: %s", name, out)
		}
	}
	if out, ok := pdfinfo(t, hostile(t, "owner_password_only.pdf").Data, ""); !ok || !strings.Contains(out, "Account statement") {
		t.Errorf("owner_password_only.pdf does not open: %s", out)
	}
	if out, _ := pdfinfo(t, hostile(t, "ten_thousand_pages.pdf").Data, ""); !strings.Contains(out, "10000") {
		t.Errorf("ten_thousand_pages.pdf: %s", out)
	}
}

// TestHostile_bombs: the bombs are small and really unpack to what they threaten with.
func TestHostile_bombs(t *testing.T) {
	pdf := hostile(t, "bomb_double_flate.pdf")
	if len(pdf.Data) > 8_000 {
		t.Errorf("the PDF bomb has %d bytes", len(pdf.Data))
	}
	start := bytes.Index(pdf.Data, []byte("stream\n")) + len("stream\n")
	first, err := zlib.NewReader(bytes.NewReader(pdf.Data[start:]))
	if err != nil {
		t.Fatal(err)
	}
	second, err := zlib.NewReader(first)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, second); err != nil || n < 600<<20 {
		t.Errorf("the PDF bomb unpacks to %d bytes: %v", n, err)
	}
	book := hostile(t, "zip_bomb.xlsx")
	z, err := zip.NewReader(bytes.NewReader(book.Data), int64(len(book.Data)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open("xl/worksheets/sheet1.xml")
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, f); err != nil || n < 1<<30 || len(book.Data) > 2<<20 {
		t.Errorf("the workbook bomb of %d bytes unpacks to %d: %v", len(book.Data), n, err)
	}
}
