package api

import (
	"bufio"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/dossierhq/dossier"
)

// Two people at one document know of each other by name; what one decides the other sees without asking, where the other was, and
// nothing is taken out of the other's hand.
func walkLive(t *testing.T, d consoleDesk) {
	lead, document := d.statement(t)
	ada := d.at(t, desktop, "ada@lender.example", dossier.RoleAdmin, "/console/documents/"+document)
	ada.wait("document.querySelector('.leaf canvas')")
	ben := d.at(t, device{width: 390, height: 844, phone: true, dark: true}, "ben@lender.example", dossier.RoleApprover, "/console/documents/"+document)
	ben.see("#others", "ada@lender.example is looking at this too")
	ada.see("#others", "ben@lender.example is looking at this too")
	ada.everywhere("a document with company")
	fact := `.facts .f[data-p="/closingBalance"]`
	ada.click(fact)
	ada.press("+")
	ada.wait("document.querySelector('#zoom').textContent === '125%'")
	ben.click(fact)
	ben.click(".facts .more .row button:nth-child(2)")
	ben.wait("document.querySelector('.desk.drawing')")
	at := js[[]float64](ben, `(() => { document.querySelector('#sheets').scrollTop = 0; const r = document.querySelector('.leaf').getBoundingClientRect();
		return [r.left + r.width * 68 / 612, r.top + r.height * 86 / 792, r.left + r.width * 130 / 612, r.top + r.height * 106 / 792]; })()`)
	ben.drag(at[0], at[1], at[2], at[3])
	ben.wait("document.querySelector('#value') && document.querySelector('#value').value === '$120.00'")
	ben.accessible("a value that was drawn on a phone")
	ben.click(".facts .more button[type=submit]")
	ben.click("#save")
	ada.see(fact+".confirmed td, "+fact+".applied td", "120.00")
	ada.wait("document.querySelector('#zoom').textContent === '125%' && document.querySelector('" + fact + "').classList.contains('on')")
	ada.press("e")
	ada.wait("document.activeElement.id === 'value'")
	ada.write("#value", "77.00")
	d.Exec(t, `UPDATE checklist_entries SET status = 'INVALID' WHERE lead_id = $1`, lead)
	ada.see(".toast", "changed meanwhile")
	if typed := js[string](ada, "document.querySelector('#value').value"); typed != "77.00" {
		t.Errorf("what was typed is gone: %q", typed)
	}
	js[bool](ada, "document.activeElement.blur() === undefined")
	ben.run(chromedp.Navigate(d.URL + "/console/leads/" + lead))
	ada.wait("document.querySelector('#others').hidden")
	ben.see(".entry[data-state=INVALID] .pill", "")
	d.Exec(t, `UPDATE checklist_entries SET status = 'NEEDS_REVIEW' WHERE lead_id = $1`, lead)
	ben.see(".entry[data-state=NEEDS_REVIEW] .pill", "review")
	ada.wait("!document.querySelector('.toast')") // she is shown the page anew, so nothing waits to be shown
	d.honest(t, ada)
}

// The stream opens for who may see the lead, and keeps no session open.
func TestConsole_events(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	vic := s.signIn(t, s.Workspace, "vic@example.com", dossier.RoleViewer)
	mallory := s.signIn(t, s.Server.Workspace(t), "mallory@example.com", dossier.RoleAdmin)
	lead := valueAt(t, s.do(t, "POST", "/api/v1/leads", `{"firstName":"Ann"}`).Body, "lead", "id")
	at := "/console/events?leadId=" + lead + "&tab=1"
	for cookie, want := range map[string]int{mallory: 404, "": 401, "x": 401} {
		if got := s.as(t, cookie, "GET", at, ""); got.Status != want {
			t.Errorf("%q: %d, want %d", cookie, got.Status, want)
		}
	}
	if got := s.as(t, vic, "GET", "/console/events", ""); got.Status != 400 {
		t.Errorf("without a lead: %d", got.Status)
	}
	s.Clock.Advance(20 * time.Minute)
	request, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+at, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Cookie", "dossier="+vic)
	stream, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stream.Body.Close() }()
	if stream.StatusCode != 200 || !strings.HasPrefix(stream.Header.Get("Content-Type"), "text/event-stream") {
		t.Fatalf("%d %v", stream.StatusCode, stream.Header)
	}
	lines := bufio.NewScanner(stream.Body)
	next := func(event string) string {
		t.Helper()
		found := false
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && found {
				return data
			}
			if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				found = name == event
			}
		}
		t.Fatalf("the stream ended before %s: %v", event, lines.Err())
		return ""
	}
	first := next("changed")
	s.do(t, "PUT", "/api/v1/leads", `{"leadId":"`+lead+`","firstName":"Anna"}`)
	if second := next("changed"); second == first {
		t.Error("a change has the same stamp")
	}
	s.Clock.Advance(11 * time.Minute)
	if got := s.as(t, vic, "GET", "/api/v1/me", ""); got.Status != 401 {
		t.Errorf("a session that only listens is open after half an hour: %d", got.Status)
	}
}
