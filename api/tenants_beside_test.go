package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// besideOwn are calls whose path is one's own, and whose query or body names what may be another's.
var besideOwn = []struct{ op, query, body string }{
	{"createDocuments", "", "--part\r\nContent-Disposition: form-data; name=\"leadId\"\r\n\r\n${mine.leadId}\r\n--part\r\n" +
		"Content-Disposition: form-data; name=\"leadChecklistItemId\"\r\n\r\n${checklistItemId}\r\n--part\r\n" +
		"Content-Disposition: form-data; name=\"files\"; filename=\"b.txt\"\r\nContent-Type: text/plain\r\n\r\nwords\r\n--part--\r\n"},
	{"presignDocument", "", `{"leadId": "${mine.leadId}", "leadChecklistItemId": "${checklistItemId}", "filename": "a.pdf", "size": 1, "mimeType": "application/pdf"}`},
	{"addAssociation", "", `{"leadChecklistItemId": "${checklistItemId}"}`},
	{"setDocumentParty", "", `{"partyId": "${partyId}"}`},
	{"createLeadItem", "", `{"label": "X", "fieldType": "TEXT", "partyId": "${partyId}"}`},
	{"changeLeadItem", "", `{"partyId": "${partyId}"}`},
	{"putDebts", "", `{"debts": [{"partyId": "${partyId}", "lender": "B", "kind": "auto", "balance": 1, "payment": 1, "frequency": "monthly"}]}`},
	{"putDebts", "", `{"debts": [{"id": "${leadId}", "partyId": "${mine.partyId}", "lender": "B", "kind": "auto", "balance": 1, "payment": 1, "frequency": "monthly"}]}`},
	{"putDebts", "", `{"debts": [{"documentId": "${documentId}", "partyId": "${mine.partyId}", "lender": "B", "kind": "auto", "balance": 1, "payment": 1, "frequency": "monthly"}]}`},
	{"putOwnership", "", `{"edges": [{"ownerId": "${mine.partyId}", "ownedId": "${partyId}", "percent": 50}]}`},
	{"putOwnership", "", `{"edges": [{"ownerId": "${partyId}", "ownedId": "${mine.partyId}", "percent": 50}]}`},
	{"putOwnership", "", `{"edges": [{"ownerId": "${mine.partyId}", "ownedId": "${partyId}", "documentId": "${documentId}", "percent": 50}]}`},
	{"revokePortalLink", "?partyId=${partyId}", ""},
	{"renewPortalLink", "", `{"partyId": "${partyId}"}`},
	{"createSpread", "", `{"leadId": "${mine.leadId}", "partyId": "${partyId}"}`},
	{"createSpread", "", `{"leadId": "${mine.leadId}", "documentIds": ["${documentId}"]}`},
	{"createRun", "", `{"leadId": "${leadId}", "agentId": "${agentId}", "workflowId": "${mine.workflowId}"}`},
	{"createRun", "", `{"leadId": "${leadId}", "agentId": "${mine.agentId}", "workflowId": "${workflowId}"}`},
	{"listLeads", "?ids=${leadId}", ""},
	{"listDeliveries", "?webhookId=${webhookId}", ""},
	{"listDeliveries", "?eventId=${eventId}", ""},
	{"listEvents", "?after=${eventId}", ""},
	{"listRequests", "?keyId=${apiKeyId}", ""},
	{"listAudit", "?keyId=${apiKeyId}", ""},
}

// walkedElsewhere are the operations whose ids other tests walk, and the one that no key calls.
var walkedElsewhere = []string{"startPipeline", "streamConsole"}

// namesOf are the ids that an operation's query and body may name, by the document.
func namesOf(document, op object) []string {
	var names []string
	resolve := func(schema object) object {
		for schema["$ref"] != nil {
			at := any(document)
			for _, step := range strings.Split(schema["$ref"].(string), "/")[1:] {
				at = at.(object)[step]
			}
			schema = at.(object)
		}
		return schema
	}
	var walk func(name string, schema object)
	walk = func(name string, schema object) {
		if ref, _ := schema["$ref"].(string); strings.HasSuffix(ref, "/Id") {
			names = append(names, name)
			return
		}
		schema = resolve(schema)
		properties, _ := schema["properties"].(object)
		for property, inner := range properties {
			walk(property, inner.(object))
		}
		if items, ok := schema["items"].(object); ok {
			walk(name, items)
		}
		options, _ := schema["anyOf"].([]any)
		for _, option := range options {
			walk(name, option.(object))
		}
	}
	parameters, _ := op["parameters"].([]any)
	for _, p := range parameters {
		if parameter := resolve(p.(object)); parameter["in"] == "query" {
			walk(parameter["name"].(string), parameter["schema"].(object))
		}
	}
	body, _ := op["requestBody"].(object)
	contents, _ := body["content"].(object)
	for _, content := range contents {
		walk("", content.(object)["schema"].(object))
	}
	return names
}

// Each id that a query or body may name is tried as another's: alone by the walk, or beside one's own here.
func TestTenants_every_id(t *testing.T) {
	t.Parallel()
	var document object
	if err := json.Unmarshal(testSpec(t).json, &document); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, item := range document["paths"].(object) {
		for _, value := range item.(object) {
			op, _ := value.(object)
			id, _ := op["operationId"].(string)
			if slices.Contains(walkedElsewhere, id) {
				continue
			}
			tried := tenantQueries[id] + tenantBodies[id]
			for _, call := range besideOwn {
				if call.op == id {
					tried += call.query + call.body
				}
			}
			for _, name := range namesOf(document, op) {
				if !regexp.MustCompile(`[?&"]` + name + `("|=)`).MatchString(tried) {
					t.Errorf("%s: no call names another's %s", id, name)
				}
				found++
			}
		}
	}
	if found < 35 {
		t.Errorf("only %d ids were found", found)
	}
}

// What is another's is answered, beside one's own, in the same words as what does not exist, and nothing changes.
func TestTenants_beside_ones_own(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(*testing.T) strangers{"of another workspace": newStrangers, "of live leads": newTestCaller} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := make(t)
			if _, err := s.DB.DispatchEvents(t.Context()); err != nil {
				t.Fatal(err)
			}
			nobody := strangers{s.testServer, s.mine, otherTenant{}}
			for id := range s.other {
				nobody.other[id] = postgres.NewID()
				if slices.Contains(common, id) && name == "of live leads" {
					nobody.other[id], s.other[id] = s.mine[id], s.mine[id]
				}
			}
			before := pgtest.Value[string](t, s.Server, everythingAndKeys)
			for _, call := range besideOwn {
				theirs, nobodys := s.beside(t, call.op, call.query, call.body), nobody.beside(t, call.op, call.query, call.body)
				if theirs != nobodys || strings.HasPrefix(theirs, "201") || strings.HasPrefix(theirs, "202") || strings.HasPrefix(theirs, "5") {
					t.Errorf("%s%s %s: another's is answered\n%s\nand nobody's\n%s", call.op, call.query, call.body, theirs, nobodys)
				}
			}
			if after := pgtest.Value[string](t, s.Server, everythingAndKeys); after != before {
				t.Errorf("something changed:\n%s\n%s", before, after)
			}
		})
	}
}

// beside makes a call with one's own path; ids and what is different each time are taken out of the answer.
func (s strangers) beside(t *testing.T, op, query, body string) string {
	t.Helper()
	for _, row := range s.API.routes() {
		if row.name() != op {
			continue
		}
		path := strings.NewReplacer("{page}", "1", "{part}", "0").Replace(row.path)
		path = s.fill(path, slices.Collect(maps.Keys(s.other))...) + s.fill(query)
		kind := "application/json"
		if row.files {
			kind = "multipart/form-data; boundary=part"
		}
		got := s.do(t, row.method, path, s.fill(body), "Content-Type", kind)
		var answer object
		_ = json.Unmarshal([]byte(got.Body), &answer) // 204 has none
		for _, differs := range []string{"requestId", "instance"} {
			delete(answer, differs)
		}
		text, _ := json.Marshal(answer)
		return fmt.Sprint(got.Status, " ", anyTestID.ReplaceAllString(string(text), "<id>"))
	}
	t.Fatalf("there is no operation %s", op)
	return ""
}

var anyTestID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
