package web

import (
	"time"
)

// Class says how long a request may take, which allowance it uses and how large its body may be.
type Class int

// The classes of routes.
const (
	Open   Class = iota // without a key: pages, health
	Read                // a few milliseconds of Postgres
	Write               // one commit
	Upload              // a body of files, streamed; spread starts share its allowance
	Poll                // may wait up to 25 s for a result
)

var deadlines = map[Class]time.Duration{
	Open: 10 * time.Second, Read: 10 * time.Second, Write: 20 * time.Second, Upload: 15 * time.Minute,
	Poll: 35 * time.Second,
}

// Deadline is how long a request of the class may take, its body included.
func (k Class) Deadline() time.Duration { return deadlines[k] }

// JSONLimit is the largest body that is no file.
const JSONLimit = 1 << 20 // bytes of a JSON body

type contextKey int

// What a request carries along.
const (
	RequestIDKey contextKey = iota
	BodyKey
	ClaimKey
	formKey
	BudgetKey
	TenantKey
	reservedKey
)
