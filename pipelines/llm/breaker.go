package llm

import (
	"errors"
	"sync"
	"time"

	"github.com/openai/openai-go/v3"
)

// breaker keeps questions from a server that is away: what nobody answers must cost nothing.
type breaker struct {
	mu     sync.Mutex
	silent int // questions in a row that were not answered
	until  time.Time
}

const (
	mostSilent = 3                // questions in a row, before the server is left alone
	rest       = 15 * time.Second // for so long; then one question tries
)

// lets reports whether the server is asked.
func (b *breaker) lets(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.silent < mostSilent {
		return true
	}
	if now.Before(b.until) {
		return false
	}
	b.until = now.Add(rest)
	return true
}

// resting is lets without trying.
func (b *breaker) resting(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.silent >= mostSilent && now.Before(b.until)
}

// heard notes whether the server answered.
func (b *breaker) heard(now time.Time, answered bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if answered {
		b.silent = 0
		return
	}
	b.silent++
	b.until = now.Add(rest)
}

// silent reports whether an error says that the server is away, busy or broken; a refusal of one question is an answer.
func silent(err error) bool {
	var api *openai.Error
	return !errors.As(err, &api) || passing(err)
}

var errAway = errors.New("language model: the last questions were not answered; it is asked again in a while")

// Resting reports whether the last questions were not answered, so that this one would not be asked.
func (m *Model) Resting() bool { return m != nil && m.breaker.resting(m.config.Now()) }
