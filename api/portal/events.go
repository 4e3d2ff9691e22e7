package portal

import (
	"bufio"
	"context"
	"fmt"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
)

const (
	portalStreamFor   = 45 * time.Second // less than writeTimeout; the browser opens the next by itself
	portalHeartbeat   = 10 * time.Second // finds out that nobody listens any more
	portalStreamRetry = 1000             // milliseconds until the browser opens the next
)

// portalEventsQuery says what a page shows.
type portalEventsQuery struct {
	Seen string `query:"seen" check:"max=255"`
}

// streamPortal tells the page of verdicts as they come (server-sent events): one event `ready` at once, so that it
// knows that events come through, and one event `changed` with the page's new stamp whenever it would be read otherwise
// than seen. What changed the page asks by itself, unless it knows that stamp: its own answers cost nobody a second
// reading. Where too many listen, the page asks without being told.
func (s *Server) streamPortal(c *fiber.Ctx) error {
	v, err := s.openPortal(c, PerToken)
	if err != nil {
		return s.sendPortalError(c, err)
	}
	var asked portalEventsQuery
	if err := web.ReadQuery(c, &asked); err != nil {
		return s.sendPortalError(c, err)
	}
	changed, leave, err := s.watch.join(v.ws, v.of.Lead, asked.Seen)
	if err != nil {
		return s.sendPortalError(c, err)
	}
	token := c.Params("token")
	c.Set(fiber.HeaderContentType, "text/event-stream; charset=utf-8")
	c.Set("X-Accel-Buffering", "no") // proxies hold answers back otherwise
	c.Context().SetBodyStreamWriter(func(w *bufio.Writer) {
		defer leave()
		s.streamTo(w, v.ws, token, changed)
	})
	return nil
}

func (s *Server) streamTo(w *bufio.Writer, ws dossier.WorkspaceID, token string, changed <-chan string) {
	end, beat := time.NewTimer(portalStreamFor), time.NewTicker(portalHeartbeat)
	defer end.Stop()
	defer beat.Stop()
	fmt.Fprintf(w, "retry: %d\nevent: ready\ndata: {}\n\n", portalStreamRetry)
	for w.Flush() == nil {
		select {
		case stamp := <-changed:
			if !s.stillOpens(ws, token) {
				return
			}
			fmt.Fprintf(w, "event: changed\ndata: %s\n\n", stamp)
		case <-beat.C:
			fmt.Fprint(w, ":\n\n")
		case <-end.C:
			return
		case <-s.draining:
			return
		}
	}
}

// stillOpens reports that a token was not replaced meanwhile, nor its lead's link ended. Where that cannot be asked the
// page opens the stream again.
func (s *Server) stillOpens(ws dossier.WorkspaceID, token string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), web.Read.Deadline())
	defer cancel()
	t := &slot{semaphore: s.slots}
	if t.acquire(ctx, ws) != nil {
		return false
	}
	defer t.release()
	_, _, err := s.db.PortalLead(ctx, token)
	return err == nil
}

// portalStatus is what changes on a page by itself.
type portalStatus struct {
	Version  string             `json:"version"`
	Pending  bool               `json:"pending"`
	Finished bool               `json:"finished"`
	Done     int                `json:"done"`
	Total    int                `json:"total"`
	Items    []portalItemStatus `json:"items"`
}

type portalItemStatus struct {
	ID        dossier.EntryID `json:"id"`
	State     string          `json:"state"`
	StateText string          `json:"stateText"`
	Reason    string          `json:"reason"`
}

func (v portalPageView) status() portalStatus {
	status := portalStatus{v.Version, v.Pending, v.Finished, v.Done, v.Total, []portalItemStatus{}}
	for _, group := range v.Groups {
		for _, item := range group.Items {
			status.Items = append(status.Items, portalItemStatus{item.ID, item.State, item.StateText, item.Reason})
		}
	}
	return status
}

// readPortalStatus is what the page asks when an event tells it to, and where events do not come through.
func (s *Server) readPortalStatus(c *fiber.Ctx) error {
	v, err := s.openPortal(c, PerToken)
	if err != nil {
		return s.sendPortalError(c, err)
	}
	page, err := s.db.PortalPage(c.UserContext(), v.ws, v.of)
	if err != nil {
		return s.sendPortalError(c, err)
	}
	return web.Send(c, fiber.StatusOK, s.portalView(v, page).status())
}
