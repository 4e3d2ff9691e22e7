// Package scripted is a language model that says what it is told to: right answers about documents whose facts are
// known, and every kind of wrong one. Tests and trials talk to it where a model server would be.
package scripted

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Script is how a server behaves.
type Script string

// Scripts.
const (
	Right   Script = "right"   // the known facts, with the line that prints each
	Wrong   Script = "wrong"   // a printed figure, of another line
	Lying   Script = "lying"   // a plausible figure under a line that is printed
	Quoting Script = "quoting" // a plausible figure with a line that is not there
	Obeying Script = "obeying" // whatever the document tells it to say
	Slow    Script = "slow"    // no answer while the caller waits
	CutOff  Script = "cutoff"  // the first half of a right answer
	Busy    Script = "busy"    // status 429
	Garbage Script = "garbage" // no completion
	Huge    Script = "huge"    // an answer that does not end for a long time
)

// Scripts are all of them.
func Scripts() []Script {
	return []Script{Right, Wrong, Lying, Quoting, Obeying, Slow, CutOff, Busy, Garbage, Huge}
}

// Server is a model server at the wire. It knows the facts of documents, and takes the one that a question's words
// print most of for the one that is meant.
type Server struct {
	known []Facts

	mu     sync.Mutex
	script Script
	busy   int
	asked  []string
	given  int // answers about facts
}

// New makes a server that knows one document, or several.
func New(script Script, known ...Facts) *Server {
	return &Server{script: script, known: known}
}

// Serve answers on a port of this machine until ctx ends, and returns the base URL of its API.
func Serve(ctx context.Context, s *Server) (string, error) {
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	web := &http.Server{Handler: s, ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { _ = web.Close() })
	go func() { _ = web.Serve(listener) }()
	return "http://" + listener.Addr().String(), nil
}

// SetScript changes the script; the server first answers busy times with status 429.
func (s *Server) SetScript(script Script, busy int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script, s.busy = script, busy
}

// Asked returns the bodies of all requests.
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

// Given returns how many facts were answered.
func (s *Server) Given() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.given
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.asked = append(s.asked, string(raw))
	script := s.script
	if s.busy > 0 {
		s.busy, script = s.busy-1, Busy
	}
	s.mu.Unlock()
	switch script {
	case Slow:
		<-r.Context().Done()
		return
	case Busy:
		w.WriteHeader(http.StatusTooManyRequests)
		return
	case Garbage:
		_, _ = io.WriteString(w, "<html>no model here</html>")
		return
	}
	content := s.content(script, raw)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"id": "c", "object": "chat.completion", "model": "scripted",
		"created": 1,
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop",
			"message": map[string]any{"role": "assistant", "content": content}}},
		"usage": map[string]any{"prompt_tokens": 200, "completion_tokens": 50, "total_tokens": 250}})
}

// content is the text of the answer to a request.
func (s *Server) content(script Script, raw []byte) string {
	kind, q, ok := readQuestion(raw)
	if !ok {
		return "{}"
	}
	answers := []answer{}
	means := s.documentOf(q)
	switch kind {
	case "facts":
	case "type":
		return means.typeOf(script, q)
	default:
		return "{}"
	}
	for _, pointer := range q.wanted(means) {
		if a, ok := answerFor(script, pointer, means[q.known(pointer)], q); ok {
			answers = append(answers, a)
		}
	}
	s.mu.Lock()
	s.given += len(answers)
	s.mu.Unlock()
	body, _ := json.Marshal(map[string]any{"answers": answers})
	switch script {
	case CutOff:
		return string(body[:len(body)/2])
	case Huge:
		return string(body) + strings.Repeat(" ", 4<<20)
	}
	return string(body)
}

// documentOf returns the facts of the document that the question's text prints most of, or of the only known one.
func (s *Server) documentOf(q question) Facts {
	if len(s.known) == 1 {
		return s.known[0]
	}
	var best Facts
	most, printed := 0, q.printed()
	for _, facts := range s.known {
		if n := facts.countPrinted(printed); n > most {
			best, most = facts, n
		}
	}
	return best
}
