package api

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/portal"
)

func TestPortal_languages(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	spanish := g.page(t, "Accept-Language", "es-MX,es;q=0.9,en;q=0.5").Body
	mustHold(t, spanish, `lang="es"`, "Hola, Ann", "Guardar", "obligatorio")
	mustHold(t, g.page(t, "Accept-Language", "fr").Body, `lang="en"`)
	g.fill(t, "AMOUNT", url.Values{"value": {"5"}})
	mustHold(t, g.page(t, "Accept-Language", "es").Body, "Indique un número dentro de los límites")
	bank := g.entry(t, "BANK_STATEMENTS")
	for _, name := range []string{"may.pdf", "june.pdf"} {
		g.send(t, bank, name, "%PDF "+name)
	}
	for english, test := range map[string]struct {
		reason dossier.Reason
		said   []string
	}{
		"The statement does not reconcile: 1.00 = 3, but 4 is printed.": {
			dossier.NewReason("account_differs", "account", nil, "sum", "1.00", "total", "3", "closing", "4"),
			[]string{`<p>may.pdf: los saldos no cuadran.</p>`, `<p class="why">Los saldos no cuadran.</p>`}},
		"The moon is full.": {dossier.NewReason("earlier", "text", "The moon is full."), // for which there are no words
			[]string{`<p lang="en">may.pdf: The moon is full.</p>`, `<p class="why" lang="en">The moon is full.</p>`}},
	} {
		g.judge(t, bank, "INVALID", english)
		g.Exec(t, `UPDATE document_associations SET validation_result = jsonb_set(validation_result,
			'{validationResults,0}', (validation_result #> '{validationResults,0}') || $2) WHERE lead_id = $1`, g.lead, test.reason)
		g.Exec(t, `UPDATE checklist_entries SET reasons = jsonb_build_array($2::jsonb) WHERE id = $1`, bank,
			test.reason.With("file", "may.pdf"))
		mustHold(t, article(t, g.page(t, "Accept-Language", "es").Body, bank), test.said...)
		mustHold(t, article(t, g.page(t).Body, bank), `<p>may.pdf: `+english+`</p>`, `<p class="why">`+english+`</p>`)
	}
}

// An operator adds a language, or words of ours that suit him better, by a file; what it lacks is said as before.
func TestPortal_languages_of_an_operator(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("fr.yaml", "hello: Bonjour %s\nsave: Enregistrer\nprogress: \"%d sur %d\"\n")
	write("es.yaml", "hello: Qué tal, %s\n")
	g := newPortal(t, func(c *Config) { c.PortalLanguages = dir })
	mustHold(t, g.page(t, "Accept-Language", "fr-CA").Body, `lang="fr"`, "Bonjour Ann", "Enregistrer", "0 sur 12", "Please answer the questions", "Allemagne")
	bank := g.entry(t, "BANK_STATEMENTS")
	g.Exec(t, `UPDATE checklist_entries SET status = 'INVALID', reasons = jsonb_build_array(jsonb_build_object('code', 'earlier', 'args', jsonb_build_object('text', 'The moon is full.'), 'citations', '[]'::jsonb)) WHERE id = $1`, bank)
	mustHold(t, article(t, g.page(t, "Accept-Language", "fr").Body, bank), `<p lang="en">The moon is full.</p>`)
	mustHold(t, g.page(t, "Accept-Language", "es").Body, "Qué tal, Ann", "Guardar")
	mustHold(t, g.page(t, "Accept-Language", "en").Body, "Hello Ann")
	for text, want := range map[string]string{"hello: Bonjour\n": "hello must have [%s]", "helo: Bonjour\n": `never says "helo"`, "- x\n": "fr.yaml"} {
		write("fr.yaml", text)
		if _, err := portal.New(portal.Config{Languages: dir}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "fr.yaml") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := portal.New(portal.Config{Languages: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "has no file") {
		t.Errorf("an empty directory: %v", err)
	}
}
