// Package portal is the front door of leads: the page that a link opens, its forms and uploads, and what it hears of
// verdicts. The token in the path is the only authority. Operations for customers stand in package api.
package portal

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
)

// Config is what a Server is made of.
type Config struct {
	DB        *postgres.DB
	Objects   *objects.Store
	Door      *web.Door
	Now       func() time.Time
	Languages string // directory of further languages, fr.yaml; "": none

	// Complete makes what was uploaded the document's bytes, for good; sum is the hash that the sender names, or nil.
	Complete func(c *fiber.Ctx, ws dossier.WorkspaceID, d dossier.Document, sum *string, who string) (dossier.Document,
		error)
	Draining <-chan struct{} // closed when the service ends
}

// Server answers the pages of leads.
type Server struct {
	db       *postgres.DB
	objects  *objects.Store
	door     *web.Door
	now      func() time.Time
	complete func(c *fiber.Ctx, ws dossier.WorkspaceID, d dossier.Document, sum *string, who string) (dossier.Document,
		error)
	draining <-chan struct{}

	languages portalLanguages
	watch     *portalWatch
	slots     *web.FairSemaphore
}

// New makes the door of the leads. Error: a file of languages that cannot be used.
func New(cfg Config) (*Server, error) {
	languages, err := ownLanguages()
	if cfg.Languages != "" {
		languages, err = loadPortalLanguages(cfg.Languages)
	}
	if err != nil {
		return nil, err
	}
	return &Server{db: cfg.DB, objects: cfg.Objects, door: cfg.Door, now: cfg.Now, complete: cfg.Complete,
		draining: cfg.Draining, languages: languages, watch: newPortalWatch(cfg.DB.PortalStamps),
		slots: web.NewFairSemaphore(web.HalfOfProcessors())}, nil
}

// Route is one row of the table. None has a scope: the token in the path opens what is its lead's.
type Route struct {
	Method  string
	Path    string
	Handler fiber.Handler
	Class   web.Class
	Query   any  // struct with `query` tags, or nil: no parameters
	Files   bool // the body is multipart
	Limited bool // how many of these run at once is limited: see WithSlot
}

// Routes is every operation of the leads' page.
func (s *Server) Routes() []Route {
	return []Route{
		{Method: "GET", Path: "/portal/{token}", Handler: s.showPortal, Class: web.Open, Limited: true},
		{Method: "GET", Path: "/portal/{token}/status", Handler: s.readPortalStatus, Class: web.Open, Limited: true},
		{Method: "GET", Path: "/portal/{token}/events", Handler: s.streamPortal, Class: web.Poll,
			Query: portalEventsQuery{}},
		{Method: "POST", Path: "/portal/{token}/link", Handler: s.requestPortalLink, Class: web.Open},
		{Method: "POST", Path: "/portal/{token}/items/{entryId}", Handler: s.answerPortal, Class: web.Open,
			Limited: true},
		{Method: "POST", Path: "/portal/{token}/files", Handler: s.uploadPortal, Class: web.Upload, Files: true},
		{Method: "POST", Path: "/portal/{token}/uploads", Handler: s.beginPortalUpload, Class: web.Open, Limited: true},
		{Method: "GET", Path: "/portal/{token}/uploads/{documentId}", Handler: s.resumePortalUpload, Class: web.Open,
			Limited: true},
		{Method: "POST", Path: "/portal/{token}/uploads/{documentId}/complete", Handler: s.completePortalUpload,
			Class: web.Upload, Limited: true},
		{Method: "DELETE", Path: "/portal/{token}/uploads/{documentId}", Handler: s.cancelPortalUpload, Class: web.Open,
			Limited: true},
		{Method: "POST", Path: "/portal/{token}/documents/{documentId}/remove", Handler: s.removePortalDocument,
			Class: web.Open, Limited: true},
		{Method: "GET", Path: "/portal-assets/{file}", Handler: s.readPortalAsset, Class: web.Open},
	}
}
