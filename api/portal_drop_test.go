package api

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// Several files are dropped from outside and a picture is pasted; one is cancelled on its way. What office programs put on
// the clipboard beside a picture is a text to a field.
func walkDrop(t *testing.T, b browser, g portalGuest) {
	x := b.open(t, desktop, g.URL+g.path, call("Emulation.setFocusEmulationEnabled", object{"enabled": true}))
	bank, name := g.entry(t, "BANK_STATEMENTS"), g.entry(t, "LEGAL_NAME")
	var files []string
	for _, name := range []string{"one.pdf", "two.pdf", "three.pdf"} {
		file, _ := scratch(t, name, 1000)
		files = append(files, file)
	}
	x.dragTo(item(bank), "dragEnter", files)
	x.dragTo(item(bank), "dragOver", files)
	x.wait("document.querySelector('" + item(bank) + ".over')")
	x.shot("desktop-6-dragging")
	x.dragTo(item(bank), "drop", files)
	for _, name := range []string{"one.pdf", "two.pdf", "three.pdf"} {
		x.see(item(bank)+" .documents", name)
	}
	x.wait("!document.querySelector('.over')")
	x.dragTo("h1", "dragOver", files) // beside the places for files nothing happens: the page stays
	x.dragTo("h1", "drop", files)

	x.copy("image/png")
	x.focus("label-" + bank)
	x.paste()
	x.see(item(bank)+" .documents", "image.png")
	x.copy("image/png", "text/plain")
	x.click("#in-" + name)
	x.paste()
	x.wait("document.querySelector('#in-" + name + "').value === 'copied'")

	file, _ := scratch(t, "unwanted.pdf", 2*objects.PartSize)
	x.run(line(false, 0, -1, 300_000))
	x.choose("#files-"+bank, file)
	x.see(item(bank)+" .sending", "unwanted.pdf")
	x.shot("desktop-4-sending")
	x.accessible("an upload under way")
	x.click(item(bank) + " .sending [aria-label^=Cancel]")
	x.see("#live", "unwanted.pdf was cancelled")
	x.wait("!document.querySelector('.sending li')")
	x.run(line(false, 0, -1, -1))
	x.click(item(bank) + " .documents li:first-child [id^=remove]")
	x.wait("document.querySelectorAll('" + item(bank) + " .documents li').length === 3")
	if n := pgtest.Value[int](t, g.Server, `SELECT count(*) FROM documents WHERE lead_id = $1 AND uploaded_at IS NOT NULL AND deleted_at IS NULL`, g.lead); n != 3 {
		t.Errorf("%d documents", n)
	}
}

// What can never be taken says why and is put aside; what failed by accident can be sent again.
func walkNotTaken(t *testing.T, b browser, g portalGuest) {
	x := b.open(t, phone, g.URL+g.path)
	x.expect("status of 413|status of 400|Failed to load resource")
	bank := g.entry(t, "BANK_STATEMENTS")
	large := filepath.Join(t.TempDir(), "film.pdf")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, dossier.MaxUploadBytes+1); err != nil {
		t.Fatal(err)
	}
	x.choose("#files-"+bank, large)
	x.see(item(bank)+" .failed", "larger than 100 MB")
	x.see("#live", "film.pdf: A file is larger than 100 MB")
	x.shot("phone-10-too-large")
	x.accessible("a file that is too large")
	if js[bool](x, "document.querySelector('.failed [aria-label^=Try]').checkVisibility()") {
		t.Error("it can be sent again in vain")
	}
	x.click(item(bank) + " .failed [aria-label^=Remove]")
	x.wait("!document.querySelector('.sending li')")

	small, _ := scratch(t, "small.pdf", 1000)
	x.answers("*/uploads", 400)
	x.choose("#files-"+bank, small)
	x.see(item(bank)+" .failed", "This could not be sent")
	x.shot("phone-11-failed")
	x.accessible("a file that failed")
	x.answers("", 0)
	x.click(item(bank) + " .failed [aria-label^=Try]")
	x.see(item(bank)+"[data-state=CHECKING] .documents", "small.pdf")
}

// dragTo moves files that a person drags from a file manager.
func (x *tab) dragTo(selector, event string, files []string) {
	x.t.Helper()
	at := js[[2]float64](x, fmt.Sprintf("(() => { const e = document.querySelector(%s); e.scrollIntoView({block: 'center', behavior: 'instant'}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()", mustJSON(selector)))
	x.run(call("Input.dispatchDragEvent", object{"type": event, "x": at[0], "y": at[1], "data": object{"items": []object{}, "files": files, "dragOperationsMask": 1}}))
}

// copy puts a picture and perhaps a text on the clipboard.
func (x *tab) copy(types ...string) {
	x.t.Helper()
	x.run(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		var about struct {
			Target struct {
				Context string `json:"browserContextId"`
			} `json:"targetInfo"`
		}
		if err := target.Call(ctx, "Target.getTargetInfo", object{}, &about); err != nil {
			return err
		}
		return target.Call(ctx, "Browser.grantPermissions", object{"permissions": []string{"clipboardReadWrite", "clipboardSanitizedWrite"}, "browserContextId": about.Target.Context}, nil)
	}))
	js[bool](x, fmt.Sprintf(`(async () => {
		const canvas = new OffscreenCanvas(40, 30);
		canvas.getContext('2d').fillRect(0, 0, 20, 15);
		const content = {'image/png': await canvas.convertToBlob(), 'text/plain': new Blob(['copied'], {type: 'text/plain'})};
		await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(%s.map((type) => [type, content[type]])))]);
		return true; })()`, mustJSON(types)))
}

// paste presses the keys for it.
func (x *tab) paste() {
	x.t.Helper()
	for _, event := range []string{"keyDown", "keyUp"} {
		x.run(call("Input.dispatchKeyEvent", object{"type": event, "key": "v", "code": "KeyV", "windowsVirtualKeyCode": 86, "modifiers": 2, "commands": []string{"paste"}}))
	}
}
