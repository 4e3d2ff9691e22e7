package postgres_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api"
	"github.com/dossierhq/dossier/jobs/schematest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

var updateEvents = flag.Bool("update", false, "write the examples of events in api/openapi/events")

// One event of each type, as it would be sent, is what the section webhooks of /openapi.json says. With -update they are
// kept as the document's examples.
func TestEvents_fit_the_document(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	lead, entries := h.Lead(t, h.ws, dossier.FieldBankStatement)
	test, _ := h.Lead(t, h.ws)
	h.Exec(t, `UPDATE leads SET is_test = true WHERE id = $1`, test)
	document := servedDocument(t, h.DB)
	for _, event := range dossier.EventTypes() {
		if err := postgres.Emit(t.Context(), h.DB, h.ws, event, lead, sampleEvent(event, lead, entries[0], h.Clock.Now())); err != nil {
			t.Fatal(err)
		}
		if err := postgres.Emit(t.Context(), h.DB, h.ws, event, test, record.EventData(event)); err != nil {
			t.Fatal(err)
		}
	}
	h.Exec(t, `UPDATE webhooks SET events = NULL`)
	h.dispatch(t)
	sent := map[dossier.EventType]int{}
	for after, full := int64(0), true; full; {
		next, err := h.DB.NextDeliveries(t.Context(), h.ws, h.webhook.ID, after, nil, postgres.Room{Deliveries: 100, Bytes: 4 << 20})
		if err != nil {
			t.Fatal(err)
		}
		full = len(next.Deliveries) > 0
		for _, o := range next.Deliveries {
			after = o.Position
			var body struct {
				Type       dossier.EventType
				Livemode   bool
				APIVersion string
				Data       struct{ LeadID *dossier.LeadID }
			}
			if err := json.Unmarshal(o.Body, &body); err != nil {
				t.Fatal(err)
			}
			sent[body.Type]++
			ofTest := sent[body.Type] == 2
			if body.Livemode == ofTest || body.APIVersion != dossier.APIVersion {
				t.Errorf("%s is live %v and of version %s", body.Type, body.Livemode, body.APIVersion)
			}
			if !ofTest {
				describes(t, document, body.Type, o.Body)
			}
		}
	}
	for _, event := range dossier.EventTypes() {
		if event != dossier.EventWebhookTest && sent[event] != 2 { // that one goes only to the endpoint it names
			t.Errorf("%s was sent %d times, want 2", event, sent[event])
		}
	}
	body := dossier.EventBody(dossier.EventID(postgres.NewID()), h.ws, dossier.EventWebhookTest, h.Clock.Now(), true,
		encode(t, sampleEvent(dossier.EventWebhookTest, lead, entries[0], h.Clock.Now())))
	describes(t, document, dossier.EventWebhookTest, body)
	if err := postgres.Emit(t.Context(), h.DB, h.ws, dossier.EventLeadCreated, lead, struct{}{}); err == nil {
		t.Error("data of another shape were emitted")
	}
}

// servedDocument is /openapi.json.
func servedDocument(t *testing.T, db *postgres.DB) map[string]json.RawMessage {
	t.Helper()
	server, err := api.New(api.Config{DB: db})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(listener, nil) }()
	defer func() { _ = server.Shutdown(t.Context()) }()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+listener.Addr().String()+"/openapi.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]json.RawMessage
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	return document
}

// describes holds a body against the document, which must name all of it, or keeps it as the document's example.
func describes(t *testing.T, document map[string]json.RawMessage, event dossier.EventType, body []byte) {
	t.Helper()
	if *updateEvents {
		var out bytes.Buffer
		if err := json.Indent(&out, body, "", "  "); err != nil {
			t.Fatal(err)
		}
		out.WriteByte('\n')
		if err := os.WriteFile("../../api/openapi/events/"+string(event)+".json", out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile("../../api/openapi/events/" + string(event) + ".json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(shapeOf(t, kept), shapeOf(t, body)); diff != "" {
		t.Errorf("%s: the document's example is no longer what is sent (-example +sent); -update keeps it:\n%s", event, diff)
	}
	schema := encode(t, map[string]any{"webhooks": document["webhooks"], "components": document["components"],
		"$ref": "#/webhooks/" + string(event) + "/post/requestBody/content/application~1json/schema"})
	schematest.Describes(t, string(event), schema, body)
}

// shapeOf is JSON with the names of types in the place of values.
func shapeOf(t *testing.T, text []byte) any {
	t.Helper()
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	var shape func(any) any
	shape = func(value any) any {
		switch v := value.(type) {
		case map[string]any:
			for name, inner := range v {
				v[name] = shape(inner)
			}
			return v
		case []any:
			for i, inner := range v {
				v[i] = shape(inner)
			}
			return v
		}
		return fmt.Sprintf("%T", value)
	}
	return shape(value)
}

func encode(t *testing.T, value any) json.RawMessage {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// sampleEvent is the data of an event with everything in it.
func sampleEvent(event dossier.EventType, lead dossier.LeadID, entry dossier.EntryID, now time.Time) any {
	ref := record.LeadRef{LeadID: lead, ExternalLeadID: ptr("crm-42")}
	document := dossier.Document{ID: dossier.DocumentID(entry), LeadID: lead, Filename: "november.pdf", MimeType: "application/pdf", Size: 48213,
		ExtractionStatus: dossier.ExtractionCompleted, CreatedAt: now, UpdatedAt: now,
		Associations: []dossier.Association{{ID: dossier.AssociationID(entry), DocumentID: dossier.DocumentID(entry), EntryID: entry, Label: "Bank statements",
			Result: &dossier.ValidationResult{Results: []dossier.RuleResult{dossier.NewRuleResult("The statement balances reconcile", true, dossier.NewReason(dossier.ReasonCodes()[0]))}}}}}
	spread := dossier.Spread{ID: dossier.SpreadID(entry), LeadID: lead, Currency: "USD", FiscalYearEndMonth: 12, Status: dossier.SpreadComplete, Source: "api", Scope: dossier.SpreadOfParty,
		Documents: []dossier.SpreadDocument{{ID: dossier.DocumentID(entry), Filename: "2025.pdf", Status: dossier.SpreadDocumentExtracted}},
		Artifacts: []dossier.Artifact{{ID: dossier.ArtifactID(entry), Type: dossier.ArtifactReport, Title: "Spread"}}, Approval: dossier.SpreadApproval{State: dossier.ApprovalDraft}, CreatedAt: now, UpdatedAt: now}
	if event == dossier.EventSpreadApproved {
		spread.Approval = dossier.SpreadApproval{State: dossier.ApprovalApproved, By: ptr("ada@example.com"), At: &now}
	}
	switch record.EventData(event).(type) {
	case record.RunEvent:
		return record.RunEvent{LeadRef: ref, Run: record.OfRun(dossier.Run{ID: dossier.RunID(entry), LeadID: lead, AgentID: dossier.AgentID(entry),
			WorkflowID: dossier.WorkflowID(entry), Status: dossier.RunCompleted, CompletedReason: ptr("AUTOMATIC"), CreatedAt: now, UpdatedAt: now, CompletedAt: &now})}
	case record.LeadEvent:
		return record.LeadEvent{LeadRef: ref, Lead: sampleLead(lead, now)}
	case record.LeadUpdatedEvent:
		return record.LeadUpdatedEvent{LeadRef: ref, Lead: sampleLead(lead, now), Changes: []string{"email"}}
	case record.EscalationEvent:
		return record.EscalationEvent{LeadRef: ref, Escalation: record.OfEscalation(dossier.Escalation{ID: dossier.EscalationID(entry), LeadID: lead,
			Reason: "asks for a person", Status: dossier.EscalationResolved, CreatedAt: now, ResolvedAt: &now, ResolvedBy: ptr("ann@example.com")})}
	case record.LeadErasedEvent:
		return record.LeadErasedEvent{LeadID: lead, ErasureID: dossier.ErasureID(entry)}
	case record.DocumentErasedEvent:
		return record.DocumentErasedEvent{LeadID: lead, DocumentID: dossier.DocumentID(entry), ErasureID: dossier.ErasureID(entry)}
	case record.DocumentEvent:
		return record.DocumentEvent{LeadRef: ref, Document: record.OfDocument(document)}
	case record.DocumentCorrectedEvent:
		return record.DocumentCorrectedEvent{LeadRef: ref, Document: record.OfDocument(document), Corrections: []string{"/documents/0/closingBalance"}}
	case record.DocumentExtractedEvent:
		return record.DocumentExtractedEvent{LeadRef: ref, Document: record.OfDocument(document), Classification: []record.DocumentClass{
			{DocType: dossier.DocBankStatement, FieldType: dossier.FieldBankStatement, Confidence: 0.98, Pages: [2]int{1, 4}}}}
	case record.ItemEvent:
		return record.ItemEvent{LeadRef: ref, Item: record.ChecklistItem{ID: entry, Code: "BANK_STATEMENTS", Label: "Bank statements", IsRequired: true,
			FieldType: dossier.FieldBankStatement, Status: dossier.ItemInvalid, Source: ptr(dossier.SourcePortal), ValidationError: ptr("November is missing"), Reasons: []dossier.Reason{}}}
	case record.MessageEvent:
		return record.MessageEvent{AnyLeadRef: record.AnyLeadRef{LeadID: &lead, ExternalLeadID: ref.ExternalLeadID}, Message: record.OfMessage(dossier.Message{
			ID: dossier.MessageID(entry), LeadID: &lead, Direction: dossier.MessageOutbound, Channel: "email", Status: dossier.MessageFailed,
			From: ptr("loans@example.com"), To: ptr("ada@example.com"), Subject: ptr("Your file"), Body: "One statement is missing.", ErrorCode: ptr("undeliverable"),
			ErrorDetail: ptr("The mailbox is full"), DocumentIDs: []dossier.DocumentID{document.ID}, SentAt: &now, CreatedAt: now, UpdatedAt: now})}
	case record.ReviewEvent:
		return record.ReviewEvent{LeadRef: ref, Review: record.OfReview(dossier.Review{ID: dossier.ReviewID(entry), Code: dossier.ReviewFact,
			Detail: "/closingBalance was read with a confidence of 0.41.", LeadID: lead, LeadName: "Ada Lovelace", Amount: ptr("250000"), Priority: 5,
			Subject:   dossier.ReviewSubject{Type: dossier.SubjectFact, ID: string(entry), Part: ptr(0), Pointer: ptr("/closingBalance")},
			CreatedAt: now, DueAt: now, State: dossier.ReviewDone, Version: 2, Decision: &dossier.ReviewDecision{By: "ada@example.com", At: now, Decision: dossier.DecideCorrect}}, now)}
	case record.SpreadEvent:
		return record.SpreadEvent{LeadRef: ref, Spread: record.OfSpread(spread)}
	case record.SpreadCompletedEvent:
		return record.SpreadCompletedEvent{LeadRef: ref, Spread: record.OfSpread(spread), Artifacts: record.OfArtifacts(spread.Artifacts)}
	case record.PipelineRunEvent:
		return record.PipelineRunEvent{PipelineRun: record.OfPipelineRun(dossier.PipelineRun{ID: dossier.PipelineRunID(entry), PipelineID: "classify-document",
			Parameters: []byte(`{"documentId":"` + string(entry) + `"}`), Status: dossier.PipelineError, Progress: 100, Attempts: 1,
			Failure: &dossier.PipelineFailure{Code: "encrypted", Message: "The file is encrypted"}, CreatedAt: now, StartedAt: &now, FinishedAt: &now}, now)}
	case record.ExportEvent:
		return record.ExportEvent{Export: record.OfExport(dossier.Export{RunID: dossier.PipelineRunID(entry), Rows: 120, CreatedAt: now, FinishedAt: &now})}
	case record.WebhookEvent:
		return record.WebhookEvent{Webhook: record.OfWebhook(dossier.Webhook{ID: dossier.WebhookID(entry), URL: "https://crm.example/hooks", Enabled: true, Mode: dossier.ModeAll,
			Headers: []dossier.Header{{Key: "Authorization"}}, Events: []dossier.EventType{dossier.EventLeadCompleted}, CreatedAt: now, UpdatedAt: now}, now)}
	}
	return nil
}

func sampleLead(id dossier.LeadID, now time.Time) record.Lead {
	return record.OfLead(dossier.Lead{ID: id, AssigneeType: dossier.AssigneeAgent, BusinessName: ptr("Example Bakery LLC"), FirstName: ptr("Ada"), LastName: ptr("Example"),
		Email: ptr("ada@example.com"), PhoneNumber: ptr("+12125550123"), ExternalLeadID: ptr("crm-42"), Source: "crm", Tags: []string{"sba"}, CreatedAt: now, UpdatedAt: now}, nil)
}
