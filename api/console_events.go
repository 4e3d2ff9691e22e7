package api

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/cache"
)

const (
	consoleStreamFor     = 45 * time.Second // less than writeTimeout; the browser opens the next by itself
	consoleStreamEvery   = time.Second
	consolePresentEvery  = 5 // looks, until the page says again that its person looks at it
	consoleStreams       = 2000
	consolePersonStreams = 12 // pages hidden behind others have none
)

// consoleEventsQuery says what a page shows: a lead, and within it a document or a spread.
type consoleEventsQuery struct {
	LeadID dossier.LeadID `query:"leadId" check:"required"`
	At     string         `query:"at" check:"max=255"`
	Seen   string         `query:"seen" check:"max=255"`
	Tab    string         `query:"tab" check:"max=64"`
}

// streamCount bounds the open streams of a process, and of a person: one too many ends the person's oldest, which a
// page that was left a moment ago may still have.
type streamCount struct {
	mu     sync.Mutex
	all    int
	people map[dossier.PersonID][]chan struct{}
}

// join counts one more, which is to end when the channel is closed. Error: Limited.
func (n *streamCount) join(who dossier.PersonID) (over chan struct{}, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.all >= consoleStreams {
		return nil, dossier.Errorf(dossier.Limited, "Too many open pages")
	}
	if n.people == nil {
		n.people = map[dossier.PersonID][]chan struct{}{}
	}
	open := n.people[who]
	if len(open) >= consolePersonStreams {
		close(open[0])
		open = open[1:]
	}
	over = make(chan struct{})
	n.people[who] = append(open, over)
	n.all++
	return over, nil
}

func (n *streamCount) leave(who dossier.PersonID, over chan struct{}) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all--
	open := slices.DeleteFunc(n.people[who], func(one chan struct{}) bool { return one == over })
	if n.people[who] = open; len(open) == 0 {
		delete(n.people, who)
	}
}

// consoleStream is one page that listens.
type consoleStream struct {
	cookie string
	ws     dossier.WorkspaceID
	asked  consoleEventsQuery
	who    cache.Onlooker
}

// streamConsole tells a page of the console what others do (server-sent events): `changed` with the new stamp when what
// it shows was changed, a verdict, a decision, a figure; `people` with who else looks at the same, by name, whenever
// that changes. The page asks for itself anew; the stream holds nothing of a lead. Listening keeps no session open.
func (s *Server) streamConsole(c *fiber.Ctx) error {
	asked, err := query[consoleEventsQuery](c)
	if err != nil {
		return err
	}
	one := consoleStream{cookie: s.sessionCookie(c), asked: asked}
	if one.cookie == "" {
		return unauthorized()
	}
	in, err := s.db.PeekSession(c.UserContext(), one.cookie)
	if err != nil {
		return err
	}
	one.ws = in.In.ID
	one.who = cache.Onlooker{Tab: asked.Tab, Email: in.Person.Email, Name: in.Person.Name}
	if _, err := s.db.ConsoleStamp(c.UserContext(), one.ws, asked.LeadID); err != nil {
		return err
	}
	over, err := s.streams.join(in.Person.ID)
	if err != nil {
		return err
	}
	consoleHeaders(c)
	c.Set(fiber.HeaderContentType, "text/event-stream; charset=utf-8")
	c.Set("X-Accel-Buffering", "no") // proxies hold answers back otherwise
	c.Context().SetBodyStreamWriter(func(w *bufio.Writer) {
		defer s.streams.leave(in.Person.ID, over)
		s.streamChanges(w, one, over)
	})
	return nil
}

// streamChanges writes events until the stream's time is over, the browser is gone, or the session ends.
func (s *Server) streamChanges(w *bufio.Writer, one consoleStream, over <-chan struct{}) {
	end, look := time.NewTimer(consoleStreamFor), time.NewTicker(consoleStreamEvery)
	defer end.Stop()
	defer look.Stop()
	defer s.leaveConsole(one)
	var people []string
	fmt.Fprint(w, "retry: 1000\nevent: ready\ndata: {}\n\n")
	for turn := 0; ; turn++ {
		if !s.sendChange(w, &one) {
			return
		}
		if turn%consolePresentEvery == 0 {
			s.sendPeople(w, one, &people)
		}
		fmt.Fprint(w, ":\n\n") // finds out that nobody listens any more
		if w.Flush() != nil {
			return
		}
		select {
		case <-look.C:
		case <-end.C:
			return
		case <-over:
			return
		case <-s.draining:
			return
		}
	}
}

// sendChange writes the page's stamp if it has changed, and reports whether the session may still see the page.
func (s *Server) sendChange(w *bufio.Writer, one *consoleStream) bool {
	ctx, cancel := context.WithTimeout(context.Background(), web.Read.Deadline())
	defer cancel()
	stamp, err := s.db.ConsoleStamp(ctx, one.ws, one.asked.LeadID)
	if err != nil || stamp == one.asked.Seen {
		return dossier.KindOf(err) != dossier.NotFound
	}
	in, err := s.db.PeekSession(ctx, one.cookie)
	if err != nil || in.In.ID != one.ws {
		return false
	}
	fmt.Fprintf(w, "event: changed\ndata: %s\n\n", stamp)
	one.asked.Seen = stamp
	return true
}

// sendPeople records in Redis that the person looks at the page, and writes who else does if that has changed. While
// Redis is away nobody is named.
func (s *Server) sendPeople(w *bufio.Writer, one consoleStream, before *[]string) {
	if s.Cache == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), web.Read.Deadline())
	defer cancel()
	present, err := s.Cache.Present(ctx, one.ws, one.page(), one.who, s.Now())
	if err != nil {
		return
	}
	others := []string{}
	for _, p := range present {
		switch {
		case p.Email == one.who.Email:
		case p.Name == "":
			others = append(others, p.Email)
		default:
			others = append(others, p.Name+" ("+p.Email+")")
		}
	}
	if *before != nil && slices.Equal(*before, others) {
		return
	}
	data, err := json.Marshal(others)
	if err != nil {
		return
	}
	*before = others
	fmt.Fprintf(w, "event: people\ndata: %s\n\n", data)
}

func (s *Server) leaveConsole(one consoleStream) {
	if s.Cache == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), web.Read.Deadline())
	defer cancel()
	_ = s.Cache.Absent(ctx, one.ws, one.page(), one.who) // it is forgotten by itself as well
}

// page is what one looks at: the narrowest thing the page names.
func (o consoleStream) page() string { return string(o.asked.LeadID) + "/" + o.asked.At }
