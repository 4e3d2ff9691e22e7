package api

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
)

// The pages about the service as a browser shows them: nothing is wider than a screen, nothing asks a third party, and a
// screen reader finds its way. The reference is too long to be asked whole: its first operations stand for all.
func TestDocs_browser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	t.Parallel()
	b, s := startBrowser(t), newTestServer(t)
	for _, page := range []struct{ name, path, says string }{
		{"docs", "/docs", "Update a lead"},
		{"problems", "/problems", "rate_limited"},
		{"problem", "/problems/rate_limited", "Retry-After"},
		{"changelog", "/changelog", "API"},
		{"upgrading", "/upgrading", "To 1.0.0"},
	} {
		t.Run(page.name, func(t *testing.T) {
			for _, d := range []device{desktop, {width: 390, height: 844, phone: true}} {
				x := b.open(t, d, s.URL+page.path)
				x.see("body", page.says)
				x.shot(page.name + map[bool]string{true: "-390", false: "-1280"}[d.phone])
				x.fits(page.name, d.width)
				if page.name == "docs" {
					js[bool](x, "[...document.querySelectorAll('article')].slice(4).forEach((a) => a.remove()), true")
				}
				x.accessible(page.name)
				x.mu.Lock()
				for _, r := range x.requests {
					if !strings.HasPrefix(r.URL, s.URL+"/") && !strings.HasPrefix(r.URL, "data:") {
						t.Errorf("%s asks a stranger: %s", page.name, r.URL)
					}
				}
				x.mu.Unlock()
			}
		})
	}
}

// The reference finds an operation by its words, shows one language everywhere and remembers it, copies what it shows, and
// tries an operation out with a test key, never with a live one.
func TestDocs_tools(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	t.Parallel()
	b, s := startBrowser(t), newTestServer(t)
	_, key, err := s.DB.CreateKey(t.Context(), s.Workspace, postgres.NewKey{Name: "tries", IsTest: true,
		Scopes: []dossier.Scope{dossier.ScopeRead, dossier.ScopeWrite}})
	if err != nil {
		t.Fatal(err)
	}
	x := b.open(t, device{width: 390, height: 844, phone: true}, s.URL+"/docs")
	x.see("body", "Update a lead")
	if n := js[int](x, `search.value = "portal link", search.dispatchEvent(new Event("input")),
		document.querySelectorAll("nav li:not([hidden])").length`); n < 1 || n > 9 {
		t.Errorf("%d are found", n)
	}
	js[bool](x, `search.value = "", search.dispatchEvent(new Event("input")), document.querySelector("#createLead [data-language=python].tabs, #createLead .tabs [data-language=python]").click(), true`)
	if shown := js[string](x, `[...document.querySelectorAll("#readLead pre[data-language]:not([hidden])")].map((p) => p.dataset.language).join()`); shown != "python" {
		t.Errorf("another operation shows %s", shown)
	}
	if !js[bool](x, `[...document.querySelectorAll("#createLead pre:not([hidden])")].every((pre) => { const words = document.createRange();
		words.selectNodeContents(pre.querySelector("code"));
		return pre.querySelector(".copy").getBoundingClientRect().bottom <= words.getClientRects()[0].top + 1; })`) {
		t.Error("the button that copies lies over the words")
	}
	js[bool](x, `document.getElementById("createLead").scrollIntoView(), document.querySelector("#createLead .copy").click(), true`)
	x.see("#createLead", "Copied")
	js[bool](x, `document.querySelector("#createLead button.try").click(), document.querySelector("#createLead [name='Test key']").value = "dsr_live_x",
		document.querySelector("#createLead form").requestSubmit(), true`)
	x.see("#createLead form", "Live keys do not belong")
	js[bool](x, `document.querySelector("#createLead [name='Test key']").value = "`+key+`", document.querySelector("#createLead form").requestSubmit(), true`)
	x.see("#createLead form", "in the log of requests")
	x.see("#createLead form pre", "201")
	x.fits("docs", 390)
	only := `[...document.querySelectorAll("article:not(#createLead), main > section:not(:has(#createLead))")].forEach((a) => a.remove()), true`
	js[bool](x, only)
	js[bool](x, `search.value = "portal", search.dispatchEvent(new Event("input")), true`)
	x.shot("docs-try-390")
	again := b.open(t, desktop, s.URL+"/docs#createLead")
	again.see("body", "Update a lead")
	if !js[bool](again, `document.querySelector("#createLead pre[data-language=curl]:not([hidden])") !== null`) {
		t.Error("a fresh browser does not begin with curl")
	}
	js[bool](again, only)
	again.shot("docs-1280")
}
