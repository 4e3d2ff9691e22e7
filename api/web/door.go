// Package web is what the front doors share: how a request is read (JSON, query, forms, addresses) and refused, what
// is counted, how an answer and a page are sent. It knows no route and no noun.
package web

import (
	"log/slog"
	"net/netip"
	"sync/atomic"

	"github.com/dossierhq/dossier/storage/cache"
)

// Door is what every front door needs to know of its surroundings: under which address it is reached, who comes
// through which proxies, what is counted, and where failures are written.
type Door struct {
	public  string // base of links, or "": the request's own host
	proxies []netip.Prefix
	cache   *cache.Conn // may be nil and may be away
	log     *slog.Logger

	uncounted atomic.Int64 // until when nothing is counted, in nanoseconds
	Bodies    byteBudget   // large bodies that are read whole
}

// NewDoor makes a door that believes what the proxies forward. public may be "", conn nil.
func NewDoor(public string, proxies []netip.Prefix, conn *cache.Conn, log *slog.Logger) *Door {
	return &Door{public: public, proxies: proxies, cache: conn, log: log,
		Bodies: byteBudget{Left: allBodies, slots: NewFairSemaphore(HalfOfProcessors())}}
}
