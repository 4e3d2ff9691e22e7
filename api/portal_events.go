package api

import (
	"bufio"
	"context"
	"fmt"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
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
// knows that events come through, and one event `status` whenever the page would look different from the state that it
// has seen. Where too many listen, the page asks by itself.
func (s *Server) streamPortal(c *fiber.Ctx) error {
	v, err := s.openPortal(c, portalPerToken)
	if err != nil {
		return s.portalTrouble(c, err)
	}
	asked, err := query[portalEventsQuery](c)
	if err != nil {
		return s.portalTrouble(c, err)
	}
	seen := asked.Seen
	if last := c.Get("Last-Event-ID"); last != "" {
		seen = last // the browser opened the stream again
	}
	changed, leave, err := s.watch.join(v.ws, v.lead, seen)
	if err != nil {
		return s.portalTrouble(c, err)
	}
	token := c.Params("token")
	c.Set(fiber.HeaderContentType, "text/event-stream; charset=utf-8")
	c.Set("X-Accel-Buffering", "no") // proxies hold answers back otherwise
	c.Context().SetBodyStreamWriter(func(w *bufio.Writer) {
		defer leave()
		s.streamTo(w, v, token, changed)
	})
	return nil
}

func (s *Server) streamTo(w *bufio.Writer, v portalVisit, token string, changed <-chan struct{}) {
	end, beat := time.NewTimer(portalStreamFor), time.NewTicker(portalHeartbeat)
	defer end.Stop()
	defer beat.Stop()
	fmt.Fprintf(w, "retry: %d\nevent: ready\ndata: {}\n\n", portalStreamRetry)
	version := ""
	for w.Flush() == nil {
		select {
		case <-changed:
			status, err := s.statusFor(v, token)
			if err != nil {
				return // expired, rotated or deleted meanwhile, or a database that is away: the page asks again
			}
			if status.Version != version {
				version = status.Version
				fmt.Fprintf(w, "id: %s\nevent: status\ndata: %s\n\n", status.stamp, mustJSON(status))
			}
		case <-beat.C:
			fmt.Fprint(w, ":\n\n")
		case <-end.C:
			return
		case <-s.draining:
			return
		}
	}
}

// statusFor reads the status of a page whose token must still open it.
func (s *Server) statusFor(v portalVisit, token string) (portalStatus, error) {
	ctx, cancel := context.WithTimeout(context.Background(), classDeadline[read])
	defer cancel()
	t := &turn{turns: s.turns}
	if err := t.take(ctx); err != nil {
		return portalStatus{}, err
	}
	defer t.leave()
	if _, _, err := s.db.PortalLead(ctx, token); err != nil {
		return portalStatus{}, err
	}
	page, err := s.db.PortalPage(ctx, v.ws, v.lead)
	if err != nil {
		return portalStatus{}, err
	}
	return s.portalView(v, page).status(), nil
}

// portalStatus is what changes on a page by itself.
type portalStatus struct {
	Version  string             `json:"version"`
	Pending  bool               `json:"pending"`
	Finished bool               `json:"finished"`
	Done     int                `json:"done"`
	Total    int                `json:"total"`
	Items    []portalItemStatus `json:"items"`
	stamp    string
}

type portalItemStatus struct {
	ID        dossier.EntryID `json:"id"`
	State     string          `json:"state"`
	StateText string          `json:"stateText"`
	Reason    string          `json:"reason"`
}

func (v portalPageView) status() portalStatus {
	status := portalStatus{v.Version, v.Pending, v.Finished, v.Done, v.Total, []portalItemStatus{}, v.Stamp}
	for _, group := range v.Groups {
		for _, item := range group.Items {
			status.Items = append(status.Items, portalItemStatus{item.ID, item.State, item.StateText, item.Reason})
		}
	}
	return status
}

// readPortalStatus is what the page asks where events do not come through.
func (s *Server) readPortalStatus(c *fiber.Ctx) error {
	v, err := s.openPortal(c, portalPerToken)
	if err != nil {
		return s.portalTrouble(c, err)
	}
	page, err := s.db.PortalPage(c.UserContext(), v.ws, v.lead)
	if err != nil {
		return s.portalTrouble(c, err)
	}
	return send(c, fiber.StatusOK, s.portalView(v, page).status())
}
