package decode

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
)

// drawnPages is a PDF of pages without text, each a black bar on paper so many points high.
func drawnPages(heights ...int) []byte {
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "", "<</Length 22>>stream\n72 360 400 40 re f    \nendstream"}
	var kids strings.Builder
	for i, high := range heights {
		fmt.Fprintf(&kids, "%d 0 R ", i+4)
		objects = append(objects, fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Contents 3 0 R>>", high*3/4, high))
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Kids[%s]/Count %d>>", kids.String(), len(heights))
	return documenttest.RawPDF(objects...)
}

// A page whose recognition runs short costs that page, and a file of such pages alone is refused.
func TestDecodePDF_runsShort(t *testing.T) {
	program := filepath.Join(t.TempDir(), "tesseract") // runs short of pictures of more than six million pixels
	script := `#!/bin/sh
[ "$(/usr/bin/wc -c)" -gt 6000000 ] && exit 1
printf '5\t1\t1\t1\t1\t1\t200\t1000\t300\t40\t95\topening\n5\t1\t1\t1\t1\t2\t600\t1000\t300\t40\t95\tbalance\n'
`
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	read := func(heights ...int) ([]int, int, error) {
		words := 0
		w := NewDecoder(Options{CacheDir: documenttest.Cache(), Tesseract: program, Limits: Limits{}.OrDefaults(), OCRStarts: func() {}})
		d, err := w.Decode(drawnPages(heights...))
		for _, p := range d.Pages {
			words += len(p.Tokens)
		}
		return d.Metadata.Unread, words, err
	}
	unread, words, err := read(792, 792, 792, 1200, 792, 792, 792, 792, 792, 1200)
	if err != nil || !slices.Equal(unread, []int{4, 10}) || words != 16 {
		t.Errorf("pages %v unread, %d words, %v", unread, words, err)
	}
	var refused *refusal.Refusal
	if _, _, err = read(1200, 1200); !errors.As(err, &refused) || refused.Code != refusal.Memory {
		t.Errorf("a file of which nothing was read: %v", err)
	}
}

// When the time for OCR is nearly over, no further page is begun: those that were read stay, the others are named.
func TestDecodePDF_timeRunsOut(t *testing.T) {
	program := filepath.Join(t.TempDir(), "tesseract")
	script := "#!/bin/sh\n/usr/bin/wc -c > /dev/null\nprintf '5\\t1\\t1\\t1\\t1\\t1\\t200\\t1000\\t300\\t40\\t95\\topening\\n5\\t1\\t1\\t1\\t1\\t2\\t600\\t1000\\t300\\t40\\t95\\tbalance\\n'\n"
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	w := NewDecoder(Options{CacheDir: documenttest.Cache(), Tesseract: program, Limits: Limits{OCRTime: 1}.OrDefaults(), OCRStarts: func() {}})
	d, err := w.Decode(drawnPages(792, 792, 792))
	if err != nil || !slices.Equal(d.Metadata.Unread, []int{2, 3}) || len(d.Pages[0].Tokens) != 2 {
		t.Errorf("pages %v unread, %v", d.Metadata.Unread, err)
	}
}
