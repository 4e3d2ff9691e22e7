package api

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
)

// A report of 183 pages keeps only the pictures of pages near what is shown: from its first page to its last the whole
// browser stays below 500 MB.
func TestConsole_long(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	t.Parallel()
	s := newTestServer(t, withObjects(t))
	d := consoleDesk{s, startBrowser(t)}
	const pages = 183
	_, document := d.statement(t)
	d.Exec(t, `UPDATE documents SET extraction = jsonb_set(jsonb_set(extraction, '{pageCount}', to_jsonb($2::int)), '{pages}',
		(SELECT jsonb_agg(jsonb_build_object('page', n, 'width', 612, 'height', 792, 'unit', 'pt', 'rotation', 0)) FROM generate_series(1, $2) n)) WHERE id = $1`, document, pages)
	for _, width := range []int{200, 1200} {
		key := string(d.Workspace) + "/documents/" + document + "." + strconv.Itoa(width) + ".png"
		picture := printed(t, width)
		if _, err := d.API.Objects.Put(t.Context(), key, "image/png", bytes.NewReader(picture), int64(len(picture))); err != nil {
			t.Fatal(err)
		}
		d.Exec(t, `UPDATE page_pictures SET object_key = $2 WHERE document_id = $1 AND width = $3`, document, key, width)
	}
	d.drawn(t, document, pages)
	x := d.at(t, desktop, "ada@lender.example", dossier.RoleAdmin, "/console")
	before := d.b.memory(t)
	d.to(x, "/console/documents/"+document, "document.querySelector('#sheets canvas')")
	open, most := d.b.memory(t), 0
	for page := 1; page <= pages; page += 7 {
		// As a wheel turns: a screen at a time, each drawn before the next.
		js[bool](x, fmt.Sprintf(`(async () => { const sheets = document.querySelector('#sheets'), to = document.querySelector('.sheet-page[data-page="%d"]');
			while (to.getBoundingClientRect().top > sheets.getBoundingClientRect().top + 20) { const was = sheets.scrollTop; sheets.scrollTop += 400; await new Promise(requestAnimationFrame); if (sheets.scrollTop === was) break; }
			return true; })()`, page))
		x.wait(fmt.Sprintf(`document.querySelector('.sheet-page[data-page="%d"] canvas')`, page))
		x.wait("document.querySelectorAll('#sheets canvas').length <= 6")
		most = max(most, d.b.memory(t))
	}
	x.see("#place", "183 / 183")
	x.press("[")
	x.see("#place", "182 / 183")
	x.everywhere("a long report")
	d.honest(t, x)
	t.Logf("the browser takes %d MB with the queue, %d MB with the report, and at most %d MB while it is scrolled", before>>20, open>>20, most>>20)
	if most > 500e6 {
		t.Errorf("the browser takes %d MB", most>>20)
	}
}

// printed is a picture of a page that is full of lines.
func printed(t *testing.T, width int) []byte {
	t.Helper()
	page := image.NewRGBA(image.Rect(0, 0, width, width*792/612))
	for y := range page.Rect.Dy() {
		for x := range width {
			shade := uint8(250)
			if y*100/width%3 == 1 && x*(y*100/width+7)%13 < 5 {
				shade = 40
			}
			page.SetRGBA(x, y, color.RGBA{shade, shade, shade, 255})
		}
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, page); err != nil {
		t.Fatal(err)
	}
	return picture.Bytes()
}

// memory is what all processes of the browser take together, what they share counted once, but for those that draw its
// own toolbars, one for each window, with or without the console: 0 where the system does not tell.
func (b browser) memory(t *testing.T) int {
	t.Helper()
	parents := map[int]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, err := os.ReadFile(path)
		_, rest, found := strings.Cut(string(text), ") ")
		if fields := strings.Fields(rest); err == nil && found && len(fields) > 1 {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			parents[pid], _ = strconv.Atoi(fields[1])
		}
	}
	total := 0
	for pid := range parents {
		for at := pid; at > 1; at = parents[at] {
			if at == b.pid {
				if !drawsToolbar(pid) {
					total += proportional(pid)
				}
				break
			}
		}
	}
	return total
}

// drawsToolbar reports whether a process of the browser draws a toolbar of its own: one for each window of a test.
func drawsToolbar(pid int) bool {
	command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && bytes.Contains(command, []byte("--top-chrome-webui"))
}

// proportional is what a process takes of the memory, in bytes.
func proportional(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0 // it has ended
	}
	fields := strings.Fields(string(text))
	kib, _ := strconv.Atoi(fields[slices.Index(fields, "Pss:")+1])
	return kib << 10
}
