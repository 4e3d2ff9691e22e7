package llm

import (
	"errors"
	"sync"
	"time"

	"github.com/openai/openai-go/v3"
)

// breaker is a circuit breaker: after several failures in a row no question is sent for a while, so that an unreachable
// server delays nothing.
type breaker struct {
	mu        sync.Mutex
	failures  int // questions in a row that were not answered
	openUntil time.Time
}

const (
	maxFailures = 3                // questions in a row, before the server is left alone
	openFor     = 15 * time.Second // for so long; then one question tries
)

// allow reports whether a question may be sent. When the pause is over it lets one question through.
func (b *breaker) allow(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failures < maxFailures {
		return true
	}
	if now.Before(b.openUntil) {
		return false
	}
	b.openUntil = now.Add(openFor)
	return true
}

// record counts a success or a failure.
func (b *breaker) record(now time.Time, answered bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if answered {
		b.failures = 0
		return
	}
	b.failures++
	b.openUntil = now.Add(openFor)
}

// isServerFailure reports whether an error means that the server is unreachable, busy or broken. The refusal of one
// question counts as an answer.
func isServerFailure(err error) bool {
	var api *openai.Error
	return !errors.As(err, &api) || isRetryable(err)
}

var errAway = errors.New("language model: the last questions were not answered; it is asked again in a while")
