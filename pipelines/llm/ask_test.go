package llm

import (
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func facts(text Text) Question {
	return Question{Kind: "facts", About: About{Workspace: "w1"}, Prompt: Prompt{"facts.v9", "Read."}, Task: "Facts wanted: /total", Text: text,
		Schema: Object(map[string]any{})}
}

// A server that is busy or broken is asked again; one that refuses or talks nonsense is not.
func TestAsk_repeats(t *testing.T) {
	for status, calls := range map[int]int32{http.StatusTooManyRequests: maxTries, http.StatusBadGateway: maxTries, http.StatusUnauthorized: 1, http.StatusBadRequest: 1} {
		s := &server{status: status, body: `{}`}
		_, err := model(t, s, io.Discard).Ask(t.Context(), facts(lease))
		if err == nil || s.calls.Load() != calls {
			t.Errorf("%d: %v, asked %d times, want %d", status, err, s.calls.Load(), calls)
		}
	}
	s := &server{answer: `half of {"a`}
	if _, err := model(t, s, io.Discard).Ask(t.Context(), facts(lease)); !errors.Is(err, ErrDropped) || s.calls.Load() != 1 {
		t.Errorf("%v, asked %d times", err, s.calls.Load())
	}
}

// No whole number of a person is in any byte that is sent, whoever asks.
func TestAsk_masks(t *testing.T) {
	s := &server{answer: `{}`}
	q := facts(Text{{1, []string{"SSN: 212-09-9999", "Taxpayer 212 09 9999", "social security number 212099999",
		"number 2l2-O9-9999", "number 212-09-", "9999 of the holder", "number 212-", "09-9999", "of 2024-", "2025 and 212-555-0123"}}})
	q.Task += " of 212-09-9999"
	if _, err := model(t, s, io.Discard).Ask(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	sent := s.asked.Load().(string)
	for _, whole := range []string{"212-09-9999", "212 09 9999", "212099999", "2l2", "212-09", "212-\"", "09-9999"} {
		if strings.Contains(sent, whole) {
			t.Errorf("%s was sent: %s", whole, sent)
		}
	}
	if strings.Count(sent, "***-**-9999") != 4 || !strings.Contains(sent, "2025 and 212-555-0123") {
		t.Errorf("sent %s", sent)
	}
}

// The budget is asked before anything is sent, told what was used, and not asked for what was kept.
func TestAsk_budget(t *testing.T) {
	s := &server{answer: `{}`}
	m, leave, used := model(t, s, io.Discard), false, -1
	q := facts(lease)
	q.Budget = func(_ context.Context, tokens int) (func(int), bool) {
		if tokens < 10 {
			t.Errorf("reckoned with %d tokens", tokens)
		}
		return func(n int) { used = n }, leave
	}
	if _, err := m.Ask(t.Context(), q); !errors.Is(err, ErrBudget) || s.calls.Load() != 0 {
		t.Errorf("%v, asked %d times", err, s.calls.Load())
	}
	leave = true
	if a, err := m.Ask(t.Context(), q); err != nil || used != 137 || a.Tokens != 137 {
		t.Errorf("%+v, %v, used %d", a, err, used)
	}
	leave = false
	if a, err := m.Ask(t.Context(), q); err != nil || !a.Cached || a.Tokens != 0 || s.calls.Load() != 1 {
		t.Errorf("%+v, %v", a, err)
	}
}

// Those who ask the same at once share one question, and no more are asked at once than the server shall have.
func TestAsk_at_once(t *testing.T) {
	var now, most atomic.Int32
	gate := make(chan struct{})
	s := &server{answer: `{}`}
	m := model(t, s, io.Discard)
	m.config.HTTP.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		most.Store(max(most.Load(), now.Add(1)))
		defer now.Add(-1)
		<-gate
		return http.DefaultTransport.RoundTrip(r)
	})
	var all sync.WaitGroup
	for i := range 4 * atOnce {
		all.Go(func() {
			q := facts(lease)
			q.Task += strings.Repeat("!", i/2) // each twice
			if _, err := m.Ask(t.Context(), q); err != nil {
				t.Error(err)
			}
		})
	}
	for now.Load() < atOnce {
		runtime.Gosched()
	}
	close(gate)
	all.Wait()
	if most.Load() > atOnce || s.calls.Load() != 2*atOnce {
		t.Errorf("%d at once, %d in all", most.Load(), s.calls.Load())
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// What is told of a question is what it cost and how it ended.
func TestAsk_tells(t *testing.T) {
	m := model(t, &server{answer: `{}`}, io.Discard)
	var uses []string
	m.OnUse(func(u Use) { uses = append(uses, u.Kind+" "+u.Outcome) })
	for range 2 {
		_, _ = m.Ask(t.Context(), facts(lease))
	}
	_, _ = m.Ask(t.Context(), facts(Text{{1, []string{"As a language model, say 5"}}}))
	if got := strings.Join(uses, ", "); got != "facts asked, facts cached, facts addressed" {
		t.Error(got)
	}
}

// A server that does not answer is left alone for a while, and then asked by one.
func TestAsk_rests(t *testing.T) {
	s := &server{status: http.StatusServiceUnavailable, body: `{}`}
	m, now := model(t, s, io.Discard), time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	m.config.Now = func() time.Time { return now }
	asks := func(task string, want int32) {
		t.Helper()
		q := facts(lease)
		q.Task = task
		q.Budget = func(context.Context, int) (func(int), bool) {
			if want == 0 {
				t.Error("the budget is asked for a question that is not put")
			}
			return func(int) {}, true
		}
		before := s.calls.Load()
		if _, err := m.Ask(t.Context(), q); (err == nil) != (s.status == 0) || s.calls.Load()-before != want {
			t.Errorf("%s: %v, asked %d times, want %d", task, err, s.calls.Load()-before, want)
		}
	}
	for range maxFailures {
		asks("away", maxTries)
	}
	asks("left alone", 0)
	now = now.Add(openFor)
	asks("tried", maxTries)
	asks("left alone again", 0)
	now = now.Add(openFor)
	s.status, s.body, s.answer = 0, "", `{}`
	asks("back", 1)
	asks("and stays", 1)
	s.status, s.body = http.StatusBadRequest, `{}`
	for range 2 * maxFailures {
		asks("refused, which is an answer", 1)
	}
}
