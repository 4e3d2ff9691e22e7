package dossier

import "time"

// LoggedRequest is a call with a key of a workspace, as it is kept to be found again: nothing of its body, and of its
// address only the path.
type LoggedRequest struct {
	ID             string // the server's own, in the order of time; RequestID is not unique
	Workspace      WorkspaceID
	RequestID      string // the answer's X-Request-Id
	At             time.Time
	Method         string
	Route          string // the path as in the route table
	Path           string // without the query, tokens as ***
	Status         int
	Took           time.Duration
	KeyID          KeyID
	IsTest         bool // by a test key
	IdempotencyKey *string
	ProblemCode    *string // of an answer that is an error
	ProblemDetail  *string
	Address        string
}
