package llm

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"github.com/dossierhq/dossier"
)

// Prompt is instructions that go before a question. The document follows as a JSON value, so its text cannot end them.
// A prompt whose words change gets a new name: the name tells where an answer came from.
type Prompt struct{ Name, Text string }

var (
	//go:embed prompts/document.v1.txt
	documentWords string
	//go:embed prompts/reply.v1.txt
	replyWords string

	documentPrompt = Prompt{"document.v1", documentWords}
	replyPrompt    = Prompt{"reply.v1", replyWords}
)

// Question is what is asked: the task in words and the document's text as data, with the schema of the answer.
type Question struct {
	Kind      string // for log and metrics: rule, reply, facts
	About     About
	Prompt    Prompt
	Task      string
	Text      Text
	Pictures  []Picture // of pages; whoever adds one has blacked out what a model may not see
	Schema    any
	MaxAnswer int    // bytes of an answer; 0: those of a verdict, a quote and a sentence
	Budget    Budget // asked before anything is sent; nil: there is none
}

// Picture is a page as it looks.
type Picture struct {
	Page int
	PNG  []byte
}

// pictureTokens is about what a picture costs that is 1,568 pixels high.
const pictureTokens = 2600

// Budget reserves about so many tokens; settle is told how many were used. Without a reservation: ErrBudget.
type Budget func(ctx context.Context, tokens int) (settle func(tokens int), ok bool)

// Answer is what came back.
type Answer struct {
	JSON   []byte
	Tokens int  // 0 when it was kept from before
	Cached bool // nothing was sent
}

// maxAnswer caps an answer in bytes: a verdict, a quote and a sentence.
const maxAnswer = 8 << 10

// maxTries is how often a question is sent to a server that answers with a temporary error.
const maxTries = 3

// Ask returns the answer's JSON, from the cache or the server. Social security numbers in the document's text are
// starred before it is hashed or sent. Concurrent calls with the same question share one request. Errors: ErrOff,
// ErrPromptInjection, ErrBudget, ErrDropped, network errors.
func (m *Model) Ask(ctx context.Context, q Question) (Answer, error) {
	if m == nil {
		return Answer{}, ErrOff
	}
	began := time.Now()
	q.Text, q.Task = q.Text.withoutSSNs(), dossier.MaskSecrets(q.Task)
	if q.MaxAnswer == 0 {
		q.MaxAnswer = maxAnswer
	}
	if q.Text.hasPromptInjection() {
		m.recordUse(q, Answer{}, ErrPromptInjection, began)
		return Answer{}, ErrPromptInjection
	}
	question := map[string]any{"task": q.Task, "document": q.Text.limited()}
	if len(q.Pictures) > 0 { // they follow the words, in this order
		var of []int
		for _, p := range q.Pictures {
			of = append(of, p.Page)
		}
		question["picturesOfPages"] = of
	}
	body, err := json.Marshal(question)
	if err != nil {
		return Answer{}, err
	}
	key := m.key(q, body)
	answer, err := m.flying.do(ctx, key, func() (Answer, error) { return m.answer(ctx, q, key, string(body)) })
	m.recordUse(q, answer, err, began)
	if m.config.Trace != nil {
		m.config.Trace(Exchange{Kind: q.Kind, Prompt: q.Prompt.Name, System: q.Prompt.Text, User: string(body),
			Pictures: q.Pictures, Answer: string(answer.JSON), Error: err, Cached: answer.Cached,
			Tokens: answer.Tokens})
	}
	return answer, err
}

// answer returns the cached answer, or asks and caches it.
func (m *Model) answer(ctx context.Context, q Question, key, body string) (Answer, error) {
	if kept, ok := m.config.Cache.Answer(ctx, q.About.Workspace, q.About.Subject, key); ok {
		return Answer{JSON: kept, Cached: true}, nil
	}
	if !m.breaker.allow(m.config.Now()) {
		return Answer{}, errAway
	}
	about := tokensOf(len(q.Prompt.Text)+len(body)) + tokensOf(q.MaxAnswer)/4 + pictureTokens*len(q.Pictures)
	settle := func(int) {}
	if q.Budget != nil {
		given, ok := q.Budget(ctx, about)
		if !ok {
			return Answer{}, ErrBudget
		}
		settle = given
	}
	ctx, cancel := context.WithTimeout(ctx, m.config.Timeout)
	defer cancel()
	completion, err := m.askWithRetries(ctx, q, body)
	if err == nil || !errors.Is(err, context.Canceled) { // whoever stopped asking says nothing of the server
		m.breaker.record(m.config.Now(), err == nil || !isServerFailure(err))
	}
	if err != nil {
		settle(0)
		return Answer{}, fmt.Errorf("language model: %s", redactedError(ctx, err))
	}
	answer := Answer{Tokens: int(completion.Usage.TotalTokens)}
	if answer.Tokens == 0 { // a server that does not count
		answer.Tokens = about
	}
	settle(answer.Tokens)
	if len(completion.Choices) != 1 || len(completion.Choices[0].Message.Content) > q.MaxAnswer ||
		!json.Valid([]byte(completion.Choices[0].Message.Content)) {
		return answer, ErrDropped
	}
	answer.JSON = []byte(completion.Choices[0].Message.Content)
	m.config.Cache.KeepAnswer(ctx, q.About.Workspace, q.About.Subject, key, answer.JSON)
	return answer, nil
}

// tokensOf estimates how many tokens so many bytes are.
func tokensOf(bytes int) int { return bytes/3 + 1 }

// askWithRetries waits for a free slot and sends the question, again after temporary errors.
func (m *Model) askWithRetries(ctx context.Context, q Question, body string) (*openai.ChatCompletion, error) {
	select {
	case m.slots <- struct{}{}:
		defer func() { <-m.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	params := openai.ChatCompletionNewParams{
		Model:       m.config.Name,
		Temperature: openai.Float(0),
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(q.Prompt.Text),
			userMessage(body, q.Pictures)},
		ResponseFormat: openai.ChatCompletionNewParamsResponseFormatUnion{
			OfJSONSchema: &shared.ResponseFormatJSONSchemaParam{
				JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: q.Kind, Strict: openai.Bool(true),
					Schema: q.Schema}}},
	}
	for try := 0; ; try++ {
		completion, err := m.client.Chat.Completions.New(ctx, params)
		if err == nil || try+1 == maxTries || !isRetryable(err) {
			return completion, err
		}
		wait := m.config.Backoff << try
		wait += rand.N(wait) // so that those who were refused together do not come back together
		wait = max(wait, retryAfter(err))
		if until, ok := ctx.Deadline(); ok && time.Until(until) < wait {
			return nil, err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// userMessage returns the message with the question and its pictures.
func userMessage(body string, pictures []Picture) openai.ChatCompletionMessageParamUnion {
	if len(pictures) == 0 {
		return openai.UserMessage(body)
	}
	parts := []openai.ChatCompletionContentPartUnionParam{openai.TextContentPart(body)}
	for _, p := range pictures {
		parts = append(parts, openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{
			URL: "data:image/png;base64," + base64.StdEncoding.EncodeToString(p.PNG)}))
	}
	return openai.UserMessage(parts)
}

// isRetryable reports whether the server may answer when it is asked again.
func isRetryable(err error) bool {
	var api *openai.Error
	if errors.As(err, &api) {
		return api.StatusCode == http.StatusTooManyRequests || api.StatusCode >= 500
	}
	return false
}

// retryAfter returns the wait that the server asks for (Retry-After).
func retryAfter(err error) time.Duration {
	var api *openai.Error
	if !errors.As(err, &api) || api.Response == nil {
		return 0
	}
	seconds, err := strconv.Atoi(api.Response.Header.Get("Retry-After"))
	if err != nil || seconds < 0 || seconds > 3600 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// observed are the outcomes that Config.Observe is told, by their names there.
var observed = map[string]string{"asked": "answered", "cached": "cached", "dropped": "dropped", "failed": "failed"}

// recordUse logs and counts a question: its outcome and cost, never its content.
func (m *Model) recordUse(q Question, a Answer, err error, began time.Time) {
	u := Use{Kind: q.Kind, Model: m.config.Name, Outcome: "asked", Tokens: a.Tokens, Elapsed: time.Since(began)}
	said := []any{"question", q.Kind, "workspace", q.About.Workspace, "model", u.Model, "prompt", q.Prompt.Name,
		"elapsed", u.Elapsed, "cached", a.Cached, "tokens", a.Tokens}
	switch {
	case err == nil:
		if a.Cached {
			u.Outcome = "cached"
		}
	case errors.Is(err, ErrDropped):
		u.Outcome = "dropped"
	case errors.Is(err, ErrPromptInjection):
		u.Outcome = "addressed"
	case errors.Is(err, ErrBudget):
		u.Outcome = "budget"
	default:
		u.Outcome = "failed"
	}
	if err != nil {
		m.config.Log.Warn("language model", append(said, "error", err)...)
	} else {
		m.config.Log.Info("language model", said...)
	}
	if outcome, ok := observed[u.Outcome]; ok {
		m.config.Observe(outcome, u.Elapsed)
	}
	if f := m.onUse.Load(); f != nil {
		(*f)(u)
	}
}

// redactedError returns an error's text without the request and the answer, which contain document text.
func redactedError(ctx context.Context, err error) string {
	var api *openai.Error
	switch {
	case ctx.Err() != nil:
		return "no answer in time"
	case errors.As(err, &api):
		return fmt.Sprintf("status %d", api.StatusCode)
	}
	return "the server cannot be reached or answers badly"
}

// key returns the hash of everything that determines an answer.
func (m *Model) key(q Question, body []byte) string {
	schema, _ := json.Marshal(q.Schema) // data of our own
	sum := sha256.New()
	for _, part := range []string{m.config.URL, m.config.Name, q.Prompt.Text, q.Kind, string(q.About.Workspace),
		string(schema), string(body)} {
		fmt.Fprintf(sum, "%d:%s", len(part), part)
	}
	for _, p := range q.Pictures {
		fmt.Fprintf(sum, "%d:%s", len(p.PNG), p.PNG)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
