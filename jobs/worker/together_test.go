package worker

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// call makes a call of the API.
func (a apiOf) call(t *testing.T, method, path, contentType string, body io.Reader) (status int, answer []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, a.url+path, body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("x-api-key", a.key)
	request.Header.Set("Content-Type", contentType)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, _ = io.ReadAll(response.Body)
	return response.StatusCode, answer
}

// upload sends a file for an item of a lead.
func (a apiOf) upload(t *testing.T, lead dossier.LeadID, item dossier.EntryID, name string, data []byte) dossier.DocumentID {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	_ = form.WriteField("leadId", string(lead))
	_ = form.WriteField("leadChecklistItemId", string(item))
	file, err := form.CreateFormFile("files", name)
	if err == nil {
		_, err = file.Write(data)
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	status, answer := a.call(t, "POST", "/api/v1/documents", form.FormDataContentType(), &body)
	var made struct {
		Documents []struct{ ID dossier.DocumentID }
	}
	if err := json.Unmarshal(answer, &made); err != nil || status != 201 || len(made.Documents) != 1 {
		t.Fatalf("%d %s", status, answer)
	}
	return made.Documents[0].ID
}

// A rule that several documents meet together is judged of all of them when one more comes, in whatever order they come,
// and when one goes: the first statement of three breaks "covers the last 3 months", and the third mends it.
func TestDocuments_together(t *testing.T) {
	months := map[string]time.Month{"october": time.October, "november": time.November, "december": time.December}
	for _, order := range []string{"october november december", "december october november"} {
		t.Run(order, func(t *testing.T) {
			j := newJourney(t)
			a := j.serveAPI(t, j.objects)
			j.pg.Exec(t, `UPDATE checklist_items SET config = '{"months": 3, "gracePeriodDays": 60}',
				validation_rules = ARRAY['The statement covers the last 3 months', 'The statement balances reconcile'] WHERE lead_id = $1`, j.lead)
			var sent []dossier.DocumentID
			verdicts := func() string {
				return pgtest.Value[string](t, j.pg, `SELECT string_agg(a.overall_valid || '', ' ' ORDER BY d.created_at, d.id) FROM document_associations a
					JOIN documents d ON d.id = a.document_id AND d.deleted_at IS NULL WHERE a.lead_id = $1`, j.lead)
			}
			for i, month := range strings.Fields(order) {
				j.pg.Clock.Advance(time.Minute)
				sent = append(sent, a.upload(t, j.lead, j.item, month+".pdf", statementOf(months[month]).Data))
				j.idle(t)
				want, item := "false", "INVALID: period"
				if i == 1 {
					want = "false false"
				} else if i == 2 {
					want, item = "true true true", "COMPLETED"
				}
				if got := verdicts() + ", " + j.itemStatus(t); got != want+", "+item {
					t.Errorf("with %s: %s, want %s, %s", month, got, want, item)
				}
			}
			events := func(kind string) int {
				return pgtest.Value[int](t, j.pg, `SELECT count(*) FROM events WHERE type = $1`, kind)
			}
			if validated, completed := events("document.validated"), events("checklist_item.completed"); validated != 5 || completed != 1 {
				t.Errorf("%d verdicts and %d completed items were told, want those on three documents, on two of them anew, and one", validated, completed)
			}
			if status, answer := a.call(t, "DELETE", "/api/v1/documents/"+string(sent[1]), "application/json", nil); status != 204 {
				t.Fatalf("%d %s", status, answer)
			}
			j.idle(t)
			if got := verdicts() + ", " + j.itemStatus(t); got != "false false, INVALID: period" {
				t.Errorf("when one is gone: %s", got)
			}
			// Judged once more nothing moves, and nothing is told again but of what was judged.
			before := events("document.validated")
			if _, err := j.pg.DB.ReprocessDocument(t.Context(), j.ws, sent[0]); err != nil {
				t.Fatal(err)
			}
			j.idle(t)
			if got, told := verdicts(), events("document.validated")-before; got != "false false" || told != 1 {
				t.Errorf("read again: %s, told %d times", got, told)
			}
		})
	}
	t.Run("at once", func(t *testing.T) { // of two that are judged at once each sees the other
		j := newJourney(t)
		a := j.serveAPI(t, j.objects)
		j.pg.Exec(t, `UPDATE checklist_items SET config = '{}', validation_rules = ARRAY['The statement covers the last 3 months'] WHERE lead_id = $1`, j.lead)
		for name, month := range months {
			a.upload(t, j.lead, j.item, name+".pdf", statementOf(month).Data)
		}
		j.idle(t)
		if got := pgtest.Value[string](t, j.pg, `SELECT string_agg(overall_valid || '', ' ') FROM document_associations`) + ", " + j.itemStatus(t); got != "true true true, COMPLETED" {
			t.Errorf("three at once: %s", got)
		}
	})
}

// statementOf is the statement of a month of 2025.
func statementOf(month time.Month) specimen.Specimen {
	return specimen.BankStatement(specimen.BankOptions{Seed: 7, Layout: specimen.BankLayouts()[0], Month: time.Date(2025, month, 1, 0, 0, 0, 0, time.UTC),
		Business: true, Holder: "Example Bakery LLC", Entries: 12})
}
