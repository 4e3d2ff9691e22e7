package dossier

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Kind says what went wrong in terms every room understands. The API maps it to a status
// (api/errors.go), the worker to retry or not (jobs/worker/errors.go).
type Kind int

// Kinds of errors. Anything that is not an *Error is Internal.
const (
	Internal      Kind = iota
	Invalid            // the input is wrong and will stay wrong: 400
	Unauthorized       // no or no valid key: 401
	Forbidden          // a key without the scope: 403
	NotFound           // unknown, deleted, or another workspace's: 404
	Conflict           // the state refuses it: 409
	Precondition       // If-Match does not hold: 412
	TooLarge           // body or file over its limit: 413
	Unsupported        // media type nobody reads here: 415
	Unprocessable      // idempotency key used with another body: 422
	Limited            // rate limit: 429
	Unavailable        // a dependency is away, try again: 503

	MethodNotAllowed // the address exists, not with this method: 405
)

// Fault is one thing wrong with an input. Exactly one of Pointer (RFC 6901, into the body)
// and Parameter (of the query) is set.
type Fault struct {
	Pointer   string
	Parameter string
	Code      string
	Detail    string
}

// Error is an error whose Message may be shown to a caller. Code is a name of the table in codes.go.
type Error struct {
	Kind    Kind
	Code    string
	Message string
	Faults  []Fault
	Until   *time.Time   // before which it will not do, where the time alone refuses
	Claim   *ReviewClaim // of somebody else, that refuses a review
	Cause   error        // for the log; never shown
}

// Error is what a caller may read; the cause is not in it.
func (e *Error) Error() string { return e.Message }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Errorf makes an Error of a kind with the code most used for that kind.
func Errorf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: defaultCode[kind], Message: fmt.Sprintf(format, args...)}
}

// Coded makes an Error with a code of its own, for example duplicate_code.
func Coded(kind Kind, code, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: code, Message: fmt.Sprintf(format, args...)}
}

// InvalidFaults makes one Invalid error of all faults found. Its code is theirs where they agree on one that a whole
// request can have (unknown_field), else validation_failed.
func InvalidFaults(faults []Fault) *Error {
	code, message := codeOfFaults(faults), "The request is not valid"
	if len(faults) > 0 {
		// The message is about what the code names.
		message = faults[max(0, slices.IndexFunc(faults, func(f Fault) bool { return f.Code == code }))].Detail
	}
	if len(faults) > 1 {
		message = fmt.Sprintf("%s (and %d more)", message, len(faults)-1)
	}
	return &Error{Kind: Invalid, Code: code, Message: message, Faults: faults}
}

// KindOf returns the kind of the first *Error in err's chain, else Internal.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

var defaultCode = map[Kind]string{
	Internal: "internal", Invalid: "validation_failed", Unauthorized: "unauthorized", Forbidden: "insufficient_scope",
	NotFound: "not_found", Conflict: "conflict", Precondition: "precondition_failed", TooLarge: "payload_too_large",
	Unsupported: "unsupported_media_type", Unprocessable: "idempotency_key_reused", Limited: "rate_limited",
	Unavailable:      "unavailable",
	MethodNotAllowed: "method_not_allowed",
}
