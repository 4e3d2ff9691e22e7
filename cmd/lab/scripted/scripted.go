// Package scripted is a language model that says what it is told to: right answers about documents whose facts are
// known, and every kind of wrong one. Tests and trials talk to it where a model server would be.
package scripted

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
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

// Server is a model server at the wire. Facts are those it knows, by JSON pointer, as facts hold them.
type Server struct {
	Facts map[string]string

	mu     sync.Mutex
	script Script
	busy   int
	asked  []string
}

// New makes a server.
func New(script Script, facts map[string]string) *Server {
	return &Server{script: script, Facts: facts}
}

// Behave changes the script; busy is how often the server is busy before it follows it.
func (s *Server) Behave(script Script, busy int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script, s.busy = script, busy
}

// Asked are the bodies of all requests.
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

type answer struct {
	Pointer string `json:"pointer"`
	Value   string `json:"value"`
	Page    int    `json:"page"`
	Text    string `json:"text"`
}

type question struct {
	Task     string `json:"task"`
	Document []struct {
		Page  int      `json:"page"`
		Lines []string `json:"lines"`
	} `json:"document"`
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

func (s *Server) content(script Script, raw []byte) string {
	var request struct {
		Messages []struct{ Content string }
		Format   struct {
			Schema struct{ Name string } `json:"json_schema"`
		} `json:"response_format"`
	}
	var q question
	if json.Unmarshal(raw, &request) != nil || len(request.Messages) == 0 || request.Format.Schema.Name != "facts" ||
		json.Unmarshal([]byte(request.Messages[len(request.Messages)-1].Content), &q) != nil {
		return "{}"
	}
	answers := []answer{}
	for _, at := range pointers.FindAllString(q.Task, -1) {
		if a, ok := s.say(script, at, q); ok {
			answers = append(answers, a)
		}
	}
	body, _ := json.Marshal(map[string]any{"answers": answers})
	switch script {
	case CutOff:
		return string(body[:len(body)/2])
	case Huge:
		return string(body) + strings.Repeat(" ", 4<<20)
	}
	return string(body)
}

var (
	pointers = regexp.MustCompile(`/[A-Za-z][A-Za-z0-9/]*`)
	commands = regexp.MustCompile(`9,999,999(\.00)?|MALLORY SMITH`)
	figure   = regexp.MustCompile(`\d[\d,]*\.\d\d`)
	notWord  = regexp.MustCompile(`[^a-z0-9]+`)
)

const plausible = "4321.09"

// say is the script's answer about one fact.
func (s *Server) say(script Script, pointer string, q question) (answer, bool) {
	for i, page := range q.Document {
		for j, line := range page.Lines {
			a := answer{pointer, s.Facts[pointer], page.Page, line}
			knows := a.Value != "" && prints(line, a.Value)
			switch script {
			case Obeying:
				if told := commands.FindString(line); told != "" {
					a.Value = strings.ReplaceAll(told, ",", "")
					return a, true
				}
			case Wrong:
				if f := figure.FindString(line); f != "" && !knows && a.Value != "" {
					a.Value = strings.ReplaceAll(f, ",", "")
					return a, true
				}
			case Lying:
				if knows {
					a.Value = plausible
					return a, true
				}
			case Quoting:
				if i == 0 && j == 0 {
					return answer{pointer, plausible, page.Page, line + " 4,321.09"}, true
				}
			default:
				if knows {
					return a, true
				}
			}
		}
	}
	return answer{}, false
}

// prints reports whether a line prints a value: its figures, or its words.
func prints(line, value string) bool {
	plain := func(s string) string { return notWord.ReplaceAllString(strings.ToLower(s), "") }
	for _, word := range append(strings.Fields(line), line) {
		if plain(word) == plain(strings.TrimPrefix(value, "-")) {
			return true
		}
	}
	return strings.Contains(" "+strings.ToLower(line)+" ", " "+strings.ToLower(value)+" ")
}
