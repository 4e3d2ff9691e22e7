// Package console lays out the pages of the lender's own people. A page asks the operations of the API as its person
// and shows what they answer: the room knows no store, so no page shows what the person could not read by the API, and
// every act of a page is a call of an operation, made by the browser with the same session.
package console

import (
	"encoding/json"
	"fmt"
	"net/url"
	"time"
)

// Reply is what an operation answered.
type Reply struct {
	Status int
	Body   []byte
	Tag    string // ETag
	Next   string // token of the next page of a list that is a bare array
}

// Visit is a person on a page.
type Visit struct {
	Ask   func(path string) (Reply, error) // a GET of an operation, as the person
	Base  string                           // path under which the service is published
	Me    Me
	Ops   string     // where operators' pages are, or ""
	Rows  []Row      // of statements, in the order of the template
	Query url.Values // of the page
	Now   time.Time
}

// Me is who looks.
type Me struct {
	Email, Name, Role string
	Workspace         Workspace
	Workspaces        []Workspace // in which the person has a role
}

// Workspace is one of a person's.
type Workspace struct{ ID, Key, Name, Role string }

// Can reports whether the person may do what a role may.
func (m Me) Can(role string) bool { return rank[m.Role] >= rank[role] }

var rank = map[string]int{"viewer": 1, "reviewer": 2, "approver": 3, "admin": 4}

// Row is what the template of spreads calls a row of a statement.
type Row struct{ Statement, Key, Label string }

// Page is what is shown: a file of pages/ with its data.
type Page struct {
	Status int
	File   string // without .html
	Title  string
	Tab    string // of the navigation
	Data   any
	Wide   bool // uses the whole width

	LeadID string // whose changes the page hears of
	At     string // what of the lead it shows, as others who look at it are told: document/<id>, or nothing
}

// Refused is an operation that did not answer 2xx.
type Refused struct {
	Status int    `json:"status"`
	Code   string `json:"code"`
	Title  string `json:"title"`
	Detail string `json:"detail"`

	RequestID string `json:"requestId"`
}

// Error implements error.
func (r *Refused) Error() string { return r.Detail }

// get is the answer of an operation. Error: *Refused.
func get[T any](v Visit, path string) (T, error) {
	answer, _, err := page[T](v, path)
	return answer, err
}

// page is the answer of an operation that lists, with the token of the next page.
func page[T any](v Visit, path string) (answer T, next string, err error) {
	reply, err := v.Ask(path)
	if err != nil {
		return answer, "", err
	}
	if reply.Status < 200 || reply.Status > 299 {
		refused := &Refused{Status: reply.Status}
		if json.Unmarshal(reply.Body, refused) != nil || refused.Detail == "" {
			refused.Detail = fmt.Sprintf("The service answered %d.", reply.Status)
		}
		return answer, "", refused
	}
	return answer, reply.Next, json.Unmarshal(reply.Body, &answer)
}

// with is a path with the parameters that have a value.
func with(path string, parameters url.Values) string {
	kept := url.Values{}
	for name, values := range parameters {
		for _, value := range values {
			if value != "" {
				kept.Add(name, value)
			}
		}
	}
	if len(kept) == 0 {
		return path
	}
	return path + "?" + kept.Encode()
}

// Words is a page that says one thing: a sign-in, its failures, whatever could not be shown.
type Words struct {
	Text    string
	Command string // to be typed
	Request string // id under which the log has what failed
	Action  string // where its one button leads
	Label   string // of the button
	People  []Me   // as whom one may sign in to a development service
	SignOut bool   // one is signed in, and may want to be somebody else
}

// Say is a page of words.
func Say(status int, title string, words Words) Page {
	if words.Action != "" && words.Label == "" {
		words.Label = "Sign in"
	}
	return Page{Status: status, File: "words", Title: title, Data: words}
}
