package portal

import (
	"context"
	"sync"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
)

const (
	portalWatchEvery = time.Second
	portalStreams    = 4000 // of a process
	portalLeadTabs   = 8    // streams of one lead
)

// portalStamps returns a text for each lead that changes when its page does.
type portalStamps func(ctx context.Context, ws dossier.WorkspaceID, leads []dossier.LeadID) (map[dossier.LeadID]string,
	error)

// portalWatch tells open pages that something changed. It asks Postgres once a second for all pages of a workspace
// together, and only while pages are open: a page costs no connection, and no write pays for being watched.
type portalWatch struct {
	stamps portalStamps

	mu      sync.Mutex
	open    int
	running bool
	pages   map[portalPageID]*watchedPage
}

type portalPageID struct {
	ws   dossier.WorkspaceID
	lead dossier.LeadID
}

type watchedPage struct {
	tabs map[chan string]string // the stamp that a tab was told last
}

func newPortalWatch(stamps portalStamps) *portalWatch {
	return &portalWatch{stamps: stamps, pages: map[portalPageID]*watchedPage{}}
}

// join returns a channel that gets until leave every stamp but the one the tab knows; of several at once the last.
// Error: Limited.
func (w *portalWatch) join(ws dossier.WorkspaceID, lead dossier.LeadID, stamp string) (changed <-chan string,
	leave func(), err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	id := portalPageID{ws, lead}
	page := w.pages[id]
	if w.open >= portalStreams || page != nil && len(page.tabs) >= portalLeadTabs {
		return nil, nil, dossier.Errorf(dossier.Limited, "Too many open pages")
	}
	if page == nil {
		page = &watchedPage{tabs: map[chan string]string{}}
		w.pages[id] = page
	}
	tab := make(chan string, 1)
	page.tabs[tab] = stamp
	if w.open++; !w.running {
		w.running = true
		go w.run()
	}
	return tab, func() { w.leave(id, tab) }, nil
}

func (w *portalWatch) leave(id portalPageID, tab chan string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	page := w.pages[id]
	delete(page.tabs, tab)
	if len(page.tabs) == 0 {
		delete(w.pages, id)
	}
	w.open--
}

// run looks once a second until no page is open.
func (w *portalWatch) run() {
	for range time.Tick(portalWatchEvery) {
		asked := w.asked()
		if asked == nil {
			return
		}
		for ws, leads := range asked {
			ctx, cancel := context.WithTimeout(context.Background(), web.Read.Deadline())
			stamps, err := w.stamps(ctx, ws, leads)
			cancel()
			if err == nil {
				w.tell(ws, stamps)
			}
		}
	}
}

// asked is whose pages are open; nil when none is, and then run ends.
func (w *portalWatch) asked() map[dossier.WorkspaceID][]dossier.LeadID {
	w.mu.Lock()
	defer w.mu.Unlock()
	var asked map[dossier.WorkspaceID][]dossier.LeadID
	for id := range w.pages {
		if asked == nil {
			asked = map[dossier.WorkspaceID][]dossier.LeadID{}
		}
		asked[id.ws] = append(asked[id.ws], id.lead)
	}
	w.running = asked != nil
	return asked
}

// tell wakes the tabs that show something else.
func (w *portalWatch) tell(ws dossier.WorkspaceID, stamps map[dossier.LeadID]string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for lead, stamp := range stamps {
		page := w.pages[portalPageID{ws, lead}]
		if page == nil {
			continue
		}
		for tab, known := range page.tabs {
			if known == stamp {
				continue
			}
			page.tabs[tab] = stamp
			select {
			case <-tab: // it has not looked since the last time
			default:
			}
			tab <- stamp
		}
	}
}
