package channeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dossierhq/dossier/jobs/channel"
)

// TwilioAccount and TwilioToken let a client into the double of Twilio.
const (
	TwilioAccount = "AC0123456789abcdef0123456789abcdef"
	TwilioToken   = "0123456789abcdef0123456789abcdef"
)

// Twilio is a double of Twilio's API and of its calls back.
type Twilio struct {
	URL string
	Now func() time.Time

	mu       sync.Mutex
	messages []TwilioMessage
	script   []TwilioFault
	files    map[string]string
	wrong    []string
}

// TwilioMessage is a message that Twilio took.
type TwilioMessage struct {
	SID     string
	Form    url.Values
	Created time.Time
}

// TwilioFault is what Twilio does instead of taking the next message.
type TwilioFault struct {
	Status int  // of the answer; 0: the connection breaks
	Code   int  // the error in it
	Taken  bool // the message is taken all the same
	Lag    bool // and is not in the list yet
}

// NewTwilio starts one. What it finds wrong fails the test at its end.
func NewTwilio(t testing.TB, script ...TwilioFault) *Twilio {
	t.Helper()
	s := &Twilio{script: script, files: map[string]string{}, Now: time.Now}
	server := httptest.NewServer(s)
	s.URL = server.URL
	t.Cleanup(func() {
		server.Close()
		for _, wrong := range s.wrong {
			t.Errorf("Twilio was called wrongly: %s", wrong)
		}
	})
	return s
}

// Messages lists what Twilio took.
func (s *Twilio) Messages() []TwilioMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]TwilioMessage{}, s.messages...)
}

// Keep puts a file under Twilio's address, as it keeps those of inbound messages, and returns the address.
func (s *Twilio) Keep(name, content string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	path := "/2010-04-01/Accounts/" + TwilioAccount + "/Messages/MM1/Media/" + name
	s.files[path] = content
	return s.URL + path
}

// ServeHTTP is Twilio's API.
func (s *Twilio) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if user, password, _ := r.BasicAuth(); user != TwilioAccount || password != TwilioToken {
		answer(w, http.StatusUnauthorized, map[string]any{"code": 20003, "message": "Authenticate"})
		return
	}
	if content, ok := s.files[r.URL.Path]; ok && r.Method == http.MethodGet {
		_, _ = w.Write([]byte(content))
		return
	}
	if r.URL.Path != "/2010-04-01/Accounts/"+TwilioAccount+"/Messages.json" {
		answer(w, http.StatusNotFound, map[string]any{"code": 20404, "message": "not found"})
		return
	}
	if r.Method == http.MethodGet {
		s.list(w, r)
		return
	}
	s.create(w, r)
}

func (s *Twilio) list(w http.ResponseWriter, r *http.Request) {
	list := []map[string]any{}
	for _, m := range s.messages {
		if m.Form.Get("To") == r.URL.Query().Get("To") && !m.Form.Has("lag") {
			list = append(list, s.shown(m))
		}
	}
	answer(w, http.StatusOK, map[string]any{"messages": list})
}

// body is what the message says: of a template, whose words the account keeps, its values.
func (m TwilioMessage) body() string {
	var values map[string]string
	if json.Unmarshal([]byte(m.Form.Get("ContentVariables")), &values) != nil {
		return m.Form.Get("Body")
	}
	words := "Approved:"
	for i := range values {
		words += " " + values[i]
	}
	return words
}

func (s *Twilio) shown(m TwilioMessage) map[string]any {
	return map[string]any{"sid": m.SID, "body": m.body(), "from": m.Form.Get("From"), "to": m.Form.Get("To"),
		"status":       "queued",
		"date_created": m.Created.UTC().Format(time.RFC1123Z)}
}

var (
	number = regexp.MustCompile(`^(whatsapp:)?\+[1-9]\d{6,14}$`)
	sender = regexp.MustCompile(`^((whatsapp:)?\+[1-9]\d{6,14}|MG[0-9a-f]{32})$`)
)

func (s *Twilio) create(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil || r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" {
		s.wrong = append(s.wrong, "a body that is no form")
	}
	form := r.PostForm
	s.check(form)
	var fault TwilioFault
	if len(s.script) > 0 {
		fault, s.script = s.script[0], s.script[1:]
	} else {
		fault = TwilioFault{Status: http.StatusCreated, Taken: true}
	}
	m := TwilioMessage{SID: fmt.Sprintf("SM%032d", len(s.messages)+1), Form: form, Created: s.Now()}
	if fault.Taken {
		if fault.Lag {
			form.Set("lag", "yes")
		}
		s.messages = append(s.messages, m)
	}
	switch {
	case fault.Status == 0:
		panic(http.ErrAbortHandler)
	case fault.Status >= 300:
		answer(w, fault.Status, map[string]any{"code": fault.Code, "message": "as the script says"})
	default:
		answer(w, fault.Status, s.shown(m))
	}
}

func (s *Twilio) check(form url.Values) {
	complain := func(format string, args ...any) { s.wrong = append(s.wrong, fmt.Sprintf(format, args...)) }
	if !number.MatchString(form.Get("To")) {
		complain("To is %q", form.Get("To"))
	}
	if from := form.Get("From") + form.Get("MessagingServiceSid"); !sender.MatchString(from) {
		complain("From is %q", from)
	}
	if strings.HasPrefix(form.Get("To"), "whatsapp:") != strings.HasPrefix(form.Get("From"), "whatsapp:") &&
		form.Has("From") {
		complain("From and To are of different channels")
	}
	if form.Has("Body") == form.Has("ContentSid") {
		complain("neither or both of Body and ContentSid")
	}
	if n := len([]rune(form.Get("Body"))); n > 1600 {
		complain("a body of %d characters; 1600 are allowed", n)
	}
	if form.Has("ContentVariables") && !json.Valid([]byte(form.Get("ContentVariables"))) {
		complain("ContentVariables are no JSON")
	}
	for name := range form {
		switch name {
		case "To", "From", "Body", "MessagingServiceSid", "StatusCallback", "ContentSid", "ContentVariables":
		default:
			complain("unknown parameter %s", name)
		}
	}
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// Call makes the signed call of Twilio to an address of ours.
func Call(t testing.TB, address string, form url.Values) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("X-Twilio-Signature", channel.TwilioSignature(TwilioToken, address, form))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}
