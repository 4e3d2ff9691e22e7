package dossier

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Code names a kind of problem. It is an error, so that errors.Is can ask for it.
type Code string

func (c Code) Error() string { return string(c) }

// Problem is an error that the service answered (RFC 9457).
type Problem struct {
	Type          string     `json:"type"`
	Title         string     `json:"title"`
	Status        int        `json:"status"`
	Detail        string     `json:"detail"`
	Instance      string     `json:"instance"`
	Code          Code       `json:"code"`
	RequestID     string     `json:"requestId"`
	Errors        []Fault    `json:"errors"`
	ErrorsOmitted int        `json:"errorsOmitted"`
	Until         *time.Time `json:"until"`

	// RetryAfter is how long the service asks to wait; nil when it does not.
	RetryAfter *time.Duration `json:"-"`
}

// Fault is one thing wrong with a request: at a JSON pointer into its body, or in a parameter.
type Fault struct {
	Pointer   string `json:"pointer"`
	Parameter string `json:"parameter"`
	Code      Code   `json:"code"`
	Detail    string `json:"detail"`
}

func (p *Problem) Error() string {
	text := fmt.Sprintf("%s (%d %s", p.Detail, p.Status, p.Code)
	if p.RequestID != "" {
		text += ", request " + p.RequestID
	}
	return text + ")"
}

// Is says whether target is the code of the problem.
func (p *Problem) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == p.Code
}

const maxProblem = 1 << 20 // bytes of an answer that is an error

func readProblem(response *http.Response) error {
	data, _ := io.ReadAll(io.LimitReader(response.Body, maxProblem)) // what arrived is shown
	p := &Problem{}
	if json.Unmarshal(data, p) != nil || p.Code == "" {
		p = &Problem{Title: response.Status, Detail: "the answer is no problem document: " + response.Status,
			Code: "unknown"}
	}
	p.Status = response.StatusCode
	if p.RequestID == "" {
		p.RequestID = response.Header.Get("X-Request-Id")
	}
	p.RetryAfter = retryAfter(response.Header.Get("Retry-After"))
	return p
}

// retryAfter reads seconds or a date.
func retryAfter(text string) *time.Duration {
	if seconds, err := strconv.Atoi(text); err == nil && seconds >= 0 {
		wait := time.Duration(seconds) * time.Second
		return &wait
	}
	if at, err := http.ParseTime(text); err == nil {
		wait := max(0, time.Until(at))
		return &wait
	}
	return nil
}
