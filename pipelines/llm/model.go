// Package llm is the port to a language model behind an OpenAI-compatible server. It is off unless a server is
// configured, and it can only add: it is asked what the offline rules could not decide, and an answer counts
// only when the words it points at are printed in the document. Judging, answering and reading ask through the same
// door: a Question is data with the schema of its answer, social security numbers never leave, and answers are kept.
//
// What does not belong here: which questions are asked and what an answer changes (pipelines/judge,
// pipelines/reading, jobs/worker for a lead's reply).
package llm

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/dossierhq/dossier"
)

// Config names the server. The zero value of everything below Key is a default.
type Config struct {
	URL     string        // base of the API, as "https://models.example.com/v1"; empty: no model
	Name    string        // of the model
	Key     string        // bearer token; empty where the server wants none
	Timeout time.Duration // of one question with its repeats
	Backoff time.Duration // before the first repeat, twice as long before each further one
	AtOnce  int           // questions that the server is asked at once; others wait for their turn
	HTTP    *http.Client
	Cache   Cache          // default: the last answers, in memory
	Trace   func(Exchange) // told of everything that is sent and answered, for people who want to see it
	Log     *slog.Logger
	Now     func() time.Time // default time.Now

	// Observe is told how each question ended (cached, answered, dropped or failed) and how long it took; nil: nobody.
	Observe func(outcome string, took time.Duration)
}

const (
	timeout = 20 * time.Second
	backoff = 500 * time.Millisecond
	atOnce  = 4
)

// Exchange is one question as it was sent, and what came back.
type Exchange struct {
	Kind, Prompt string // of the question
	System, User string // the messages
	Pictures     []Picture
	Answer       string
	Error        error
	Cached       bool
	Tokens       int
}

// Use is the cost and the outcome of one question: asked, cached, dropped, addressed, budget or failed.
type Use struct {
	Kind, Model, Outcome string
	Tokens               int
	Elapsed              time.Duration
}

// About identifies what a question is about. Answers are never shared between workspaces. Since an answer quotes its
// subject, a document or a lead, cached answers are deleted when the subject is erased.
type About struct {
	Workspace dossier.WorkspaceID
	Subject   string
}

// Cache stores answers by the hash of their question. It may drop them at any time.
type Cache interface {
	Answer(ctx context.Context, ws dossier.WorkspaceID, subject, key string) ([]byte, bool)
	KeepAnswer(ctx context.Context, ws dossier.WorkspaceID, subject, key string, answer []byte)
}

// Model asks questions about one text, a document's or a message's. A nil Model is off: it answers nothing. It is safe
// for concurrent use.
type Model struct {
	config  Config
	client  openai.Client
	slots   chan struct{}
	flying  flights
	breaker breaker
	onUse   atomic.Pointer[func(Use)]
}

// Name is the model's; empty for one that is off.
func (m *Model) Name() string {
	if m == nil {
		return ""
	}
	return m.config.Name
}

// OnUse sets the function that is called with the use of every question, for metrics. A later call replaces it.
func (m *Model) OnUse(f func(Use)) {
	if m != nil {
		m.onUse.Store(&f)
	}
}

// New makes a Model; nil when no URL is configured. Error: Invalid, when a URL is given without a model's name.
func New(c Config) (*Model, error) {
	if c.URL == "" {
		return nil, nil
	}
	if c.Name == "" {
		return nil, dossier.Errorf(dossier.Invalid,
			"A language model's URL is configured without the model's name (DOSSIER_LLM_MODEL)")
	}
	if c.Timeout <= 0 {
		c.Timeout = timeout
	}
	if c.Backoff <= 0 {
		c.Backoff = backoff
	}
	if c.AtOnce <= 0 {
		c.AtOnce = atOnce
	}
	if c.HTTP == nil {
		c.HTTP = &http.Client{Timeout: c.Timeout + time.Second}
	}
	if c.Cache == nil {
		c.Cache = newMemory()
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Observe == nil {
		c.Observe = func(string, time.Duration) {}
	}
	client := openai.NewClient(option.WithBaseURL(c.URL), option.WithAPIKey(c.Key),
		option.WithHTTPClient(limitedClient{c.HTTP}),
		option.WithMaxRetries(0))
	return &Model{config: c, client: client, slots: make(chan struct{}, c.AtOnce)}, nil
}

// Reasons why there is no answer. None of them is a fault of the document.
var (
	ErrOff             = errors.New("no language model is configured")
	ErrDropped         = errors.New("the model's answer was dropped") // its evidence is not printed, or it is malformed
	ErrPromptInjection = errors.New("the document's text speaks to a language model")
	ErrBudget          = errors.New("the budget for language models is used up")
)

// oneLine makes a model's sentence fit to be shown: one line without control characters, at most n bytes.
func oneLine(s string, n int) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return r < ' ' || r == 0x7f || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r == ' '
	}), " ")
	if len(s) > n {
		s = strings.ToValidUTF8(s[:n], "")
	}
	return s
}
