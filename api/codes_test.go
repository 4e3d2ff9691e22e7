package api

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// seenCodes are the codes that the server under test has answered with.
var seenCodes = struct {
	sync.Mutex
	names map[string]bool
}{names: map[string]bool{}}

var codeInBody = regexp.MustCompile(`"code":\s*"([a-z_]+)"`)

func noteCodes(body string) {
	seenCodes.Lock()
	defer seenCodes.Unlock()
	for _, found := range codeInBody.FindAllStringSubmatch(body, -1) {
		seenCodes.names[found[1]] = true
	}
}

// elsewhere are codes that no answer of the API has; where they come from and which test produces each.
var elsewhere = map[string]string{
	"conflict":               "dossier apply: storage/postgres TestCodes_of_operators",
	"job_not_found":          "dossier jobs: storage/postgres TestCodes_of_operators",
	"job_not_retryable":      "dossier jobs: storage/postgres TestCodes_of_operators",
	"job_finished":           "dossier jobs: storage/postgres TestCodes_of_operators",
	"job_already_queued":     "dossier jobs: storage/postgres TestCodes_of_operators",
	"channel_not_configured": "the error of a message: jobs/worker TestPlay_a_channel_without_a_provider_fails_the_message",
	"provider_unavailable":   "the error of a message: jobs/channel TestCarry_unknown_provider",
	"provider_unreachable":   "the error of a message: jobs/worker TestPlay_*",
	"provider_refused":       "the error of a message: jobs/channel TestTwilio_*, TestMail_*",
	"invalid_recipient":      "the error of a message: jobs/channel TestTwilio_*, TestMail_*",
	"recipient_opted_out":    "the error of a message: jobs/channel TestTwilio_*",
	"window_closed":          "the error of a message: jobs/channel TestTwilio_*",
	"bounced":                "the error of a message: api TestInbound_bounces, by its state",
	"undelivered":            "the error of a message: api TestInbound_twilio, by its state",
	"outcome_unknown":        "the error of a message: jobs/worker TestPlay_*",
	"person_not_found":       "dossier people: cmd/dossier TestPeople",
	"formula_cell":           "the errors of an import: jobs/worker TestImport",
	"unknown_code":           "the errors of an import: dossier TestImportRow_outcomes",
	"file_missing":           "the errors of an import: jobs/worker TestImport",
}

// TestMain wants every code of the table to have been an answer by the end of the whole suite: a code that nothing
// produces is a promise nobody keeps, and one that no test produces may have lost its meaning unseen.
func TestMain(m *testing.M) {
	status := m.Run()
	whole := flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.skip").Value.String() == "" && flag.Lookup("test.list").Value.String() == ""
	if status == 0 && whole && len(seenCodes.names) > 0 && !*update {
		if missing := unseen(); len(missing) > 0 {
			fmt.Printf("FAIL: no test got an answer with the code %s\n", strings.Join(missing, ", "))
			status = 1
		}
	}
	os.Exit(status)
}

func unseen() []string {
	var missing []string
	for _, code := range slices.Concat(dossier.Codes, dossier.FaultCodes) {
		if !seenCodes.names[code.Name] && elsewhere[code.Name] == "" {
			missing = append(missing, code.Name)
		}
	}
	return missing
}

// A webhook that goes takes the deliveries that wait for it out of reach.
func TestCodes_webhook_deleted(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	ids := oneOfEach(t, s, s.Workspace)
	if got := s.do(t, "DELETE", "/api/v1/webhooks/"+ids["webhookId"], ""); got.Status != 204 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	got := s.do(t, "POST", "/api/v1/webhooks/deliveries/"+ids["deliveryId"]+"/redeliver", "")
	compareJSON(t, "redeliver", `{"status": 409, "code": "webhook_deleted", "message": "The webhook of this delivery was deleted", "...": "..."}`, got.Body, nil)
}

// A draft to a lead that has no address on the channel would wait for an approval that cannot send it.
func TestCodes_not_reachable(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	lead, _ := s.Lead(t, s.Workspace)
	pgtest.Value[string](t, s.Server, `UPDATE leads SET email = NULL WHERE id = $1 RETURNING id`, lead)
	got := s.do(t, "POST", "/api/v1/leads/"+string(lead)+"/messages", `{"channel": "email", "subject": "Your papers", "body": "Please send them."}`)
	compareJSON(t, "draft", `{"status": 409, "code": "not_reachable", "...": "..."}`, got.Body, nil)
	if n := pgtest.Value[int](t, s.Server, `SELECT count(*) FROM messages`); n != 0 {
		t.Errorf("%d messages were written", n)
	}
}

// What a provider did not sign is refused, whoever knows the address.
func TestCodes_invalid_signature(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	token := pgtest.Value[string](t, s.Server, `UPDATE workspaces SET channels = '{"sms": {"provider": "twilio", "accountSid": "AC1", "authTokenEnv": "NOT_SET", "from": "+12125550100"}}' WHERE id = $1 RETURNING inbound_token`, s.Workspace)
	got := s.do(t, "POST", "/inbound/sms/"+token, "From=%2B12125550101&Body=STOP&MessageSid=SM1", "Content-Type", "application/x-www-form-urlencoded")
	compareJSON(t, "inbound", `{"status": 403, "code": "invalid_signature", "...": "..."}`, got.Body, nil)
}

// With object storage away, what needs it says so and when to come again; what does not goes on.
func TestCodes_unavailable(t *testing.T) {
	t.Parallel()
	away, err := objects.Open(objects.Config{Endpoint: "http://127.0.0.1:1", AccessKey: "a", SecretKey: "s", Bucket: "b", Region: "us-east-1"})
	if err != nil {
		t.Fatal(err)
	}
	s := newTestServer(t, func(c *Config) { c.Objects = away })
	lead, _ := s.Lead(t, s.Workspace)
	body := strings.ReplaceAll(keyedBodies["createDocuments"], "${leadId}", string(lead))
	got := s.do(t, "POST", "/api/v1/documents", body, "Content-Type", "multipart/form-data; boundary=part")
	compareJSON(t, "upload", `{"status": 503, "code": "unavailable", "success": false, "...": "..."}`, got.Body, nil)
	if got.Header.Get("Retry-After") == "" || strings.Contains(got.Body, "127.0.0.1") {
		t.Errorf("%v %s", got.Header, got.Body)
	}
	if got := s.do(t, "GET", "/api/v1/leads/"+string(lead), ""); got.Status != 200 {
		t.Errorf("a read that needs no files: %d %s", got.Status, got.Body)
	}
}
