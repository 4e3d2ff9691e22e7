package api

import (
	"context"
	"image/png"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// chromium runs a headless browser once and returns what it printed.
func chromium(t *testing.T, args ...string) string {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium: the page is not opened in a real browser")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--no-first-run", "--hide-scrollbars",
		"--enable-logging=stderr", "--user-data-dir=" + t.TempDir()}, args...)
	command := exec.CommandContext(ctx, program, args...)
	var printed, log strings.Builder
	command.Stdout, command.Stderr = &printed, &log
	if err := command.Run(); err != nil {
		t.Fatalf("chromium: %v\n%s", err, log.String())
	}
	for _, line := range strings.Split(log.String(), "\n") {
		if strings.Contains(line, "CONSOLE") {
			t.Errorf("the page complains: %s", line)
		}
	}
	return printed.String()
}

// journey is a page in the middle of its work: an answer taken, one refused, a file refused, one being read.
func journey(t *testing.T) portalGuest {
	t.Helper()
	g := newPortal(t)
	g.fill(t, "LEGAL_NAME", url.Values{"value": {"Bakery LLC"}})
	g.fill(t, "AMOUNT", url.Values{"value": {"5"}})
	g.fill(t, "SSN", url.Values{"value": {"123-45-6789"}})
	bank := g.entry(t, "BANK_STATEMENTS")
	g.follow(t, g.send(t, bank, "a-statement-with-a-very-long-name-from-the-bank-2025-03-31-final.pdf", "%PDF-1.4 march"))
	g.Exec(t, `UPDATE documents SET extraction_status = 'completed' WHERE lead_id = $1`, g.lead)
	g.Exec(t, `UPDATE document_associations SET judged_at = now(), validation_result = '{"otherNotes":"","overallValid":false,"validationResults":[
		{"ruleName":"r","isValid":false,"isValidReason":"The account holder is Bob Example, not the business"}]}' WHERE lead_id = $1`, g.lead)
	g.Exec(t, `UPDATE checklist_entries SET status = 'INVALID', validation_error = 'The account holder is Bob Example, not the business' WHERE id = $1`, bank)
	g.follow(t, g.send(t, g.entry(t, "NOTES"), "lease.pdf", "%PDF-1.4 lease"))
	return g
}

// A real browser opens the page under its own policy: style and script run, nothing is refused, and nothing is
// wider than the window. DOSSIER_SCREENSHOTS names a folder that keeps the pictures for people to look at.
func TestPortal_browser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	g := journey(t)
	folder := os.Getenv("DOSSIER_SCREENSHOTS")
	if folder == "" {
		folder = t.TempDir()
	}
	for _, view := range []struct {
		name, size string
		dark       bool
	}{{"phone", "500,4200", false}, {"desktop", "1280,3400", false}, {"desktop-dark", "1280,3400", true}} {
		file := filepath.Join(folder, view.name+".png")
		args := []string{"--window-size=" + view.size, "--screenshot=" + file}
		if view.dark {
			args = append(args, "--blink-settings=preferredColorScheme=0")
		}
		chromium(t, append(args, g.URL+g.path)...)
		picture, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		config, err := png.DecodeConfig(picture)
		_ = picture.Close()
		if err != nil || config.Width < 500 {
			t.Errorf("%s: %v, %d wide", view.name, err, config.Width)
		}
	}
	// "scripted" is what the script says of itself: it ran under the policy.
	dom := chromium(t, "--dump-dom", g.URL+g.path)
	if !regexp.MustCompile(`<html[^>]*class="scripted"`).MatchString(dom) {
		t.Error("the script did not run")
	}
	if n := pgtest.Value[int](t, g.Server, `SELECT count(*) FROM action_logs WHERE lead_id = $1 AND input->>'eventType' = 'portal_opened'`, g.lead); n != 1 {
		t.Errorf("%d openings are noted", n)
	}
}
