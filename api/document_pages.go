package api

import (
	"context"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/jobs"
	doctext "github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/storage/postgres"
)

// pageWord is a word or cell of a page. Social security numbers are masked, as in facts.
type pageWord struct {
	Text string `json:"text"`
	// as in sources of facts: [x0, y0, x1, y1] in the page's unit, or a cell
	Box        any         `json:"box"`
	Rect       *[4]float64 `json:"rect,omitempty"` // of a cell: its box as fractions of the page
	Confidence float64     `json:"confidence"`     // 0 to 1
}

type pageWordsAnswer struct {
	success
	Words []pageWord `json:"words"` // in reading order
}

// readPageWords answers the words of one page of a document that was read.
func (s *Server) readPageWords(c *fiber.Ctx) error {
	id, err := pathID[dossier.DocumentID](c, "documentId")
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(c.Params("page"))
	if err != nil || number < 1 {
		return noPage()
	}
	key, err := s.db.FindKeptWords(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	page, err := s.keptPage(c.UserContext(), key, number)
	if err != nil {
		return err
	}
	answer := pageWordsAnswer{success: yes, Words: make([]pageWord, len(page.Tokens))}
	for i, t := range page.Tokens {
		answer.Words[i] = pageWord{Text: t.Text, Box: []float64{t.X0, t.Y0, t.X1, t.Y1}, Confidence: t.Confidence}
		if t.Cell != "" {
			answer.Words[i].Box = t.Cell
			answer.Words[i].Rect = &[4]float64{part(t.X0, page.Width), part(t.Y0, page.Height), part(t.X1, page.Width),
				part(t.Y1, page.Height)}
		}
	}
	return send(c, fiber.StatusOK, answer)
}

type pagePictureQuery struct {
	Width *int `query:"width" check:"min=100,max=2400"` // in pixels; 1200 unless told
}

// readPagePicture answers a page of a document that was read as a PNG. The parser draws it, when somebody asks for
// the first time, and is waited for; pictures are kept. A page that shows an identity document or a masked number
// is noted in the audit.
func (s *Server) readPagePicture(c *fiber.Ctx) error {
	id, err := pathID[dossier.DocumentID](c, "documentId")
	if err != nil {
		return err
	}
	q, err := query[pagePictureQuery](c)
	if err != nil {
		return err
	}
	width := 1200
	if q.Width != nil {
		width = *q.Width
	}
	number, err := strconv.Atoi(c.Params("page"))
	if err != nil || number < 1 {
		return noPage()
	}
	picture, err := s.awaitPicture(c, id, number, width)
	if err != nil {
		return err
	}
	tag := `"` + hex.EncodeToString(picture.SHA256) + `"`
	c.Set(fiber.HeaderETag, tag)
	c.Set(fiber.HeaderCacheControl, "private")
	if tagMatches(c.Get(fiber.HeaderIfNoneMatch), tag) {
		c.Status(fiber.StatusNotModified)
		return nil
	}
	return s.sendPicture(c, picture)
}

// sendPicture streams a picture, once it is noted that somebody sees it.
func (s *Server) sendPicture(c *fiber.Ctx, p *postgres.PagePicture) error {
	d, err := s.db.ReadDocument(c.UserContext(), workspace(c), p.Document)
	if err != nil {
		return err
	}
	object, err := s.Objects.Get(c.UserContext(), p.ObjectKey)
	if err != nil {
		return err
	}
	if d.Extraction != nil && d.Extraction.ShowsSecrets(p.Page) {
		err = s.db.AuditNote(c.UserContext(), workspace(c), dossier.AuditPageRead, "document:"+string(d.ID),
			map[string]any{"leadId": d.LeadID, "page": p.Page})
		if err != nil {
			_ = object.Close()
			return err
		}
	}
	c.Set(fiber.HeaderContentType, "image/png")
	return c.SendStream(object, int(object.Size)) // closes the object
}

// awaitPicture has a page drawn unless it is, and looks at it until it is there or the time of waiting is over. Errors:
// NotFound, Conflict document_not_ready, Unavailable (it is not drawn yet: ask again).
func (s *Server) awaitPicture(c *fiber.Ctx, id dossier.DocumentID, page, width int) (*postgres.PagePicture, error) {
	deadline := s.Now().Add(exportWait)
	for {
		picture, err := s.db.FindPagePicture(c.UserContext(), workspace(c), id, page, width)
		if err != nil || picture != nil {
			return picture, err
		}
		if !s.Now().Before(deadline) || !jobs.Sleep(c.UserContext(), pollInterval) {
			web.RetryAfter(c, 2*time.Second)
			return nil, dossier.Errorf(dossier.Unavailable, "The page is still being drawn; try again in a moment")
		}
	}
}

// keptPage is one page of the words kept under key. Numbers of people are hidden here too: an early engine kept them.
func (s *Server) keptPage(ctx context.Context, key string, number int) (doctext.Page, error) {
	if key == "" {
		return doctext.Page{}, noPage() // a reading that kept none
	}
	object, err := s.Objects.Get(ctx, key)
	if err != nil {
		return doctext.Page{}, err
	}
	defer func() { _ = object.Close() }()
	page, found, err := doctext.DecodePage(object, number)
	if err != nil {
		return page, err
	}
	if !found {
		return page, noPage()
	}
	doctext.HideSecrets(&doctext.Decoded{Pages: []doctext.Page{page}}, &dossier.Extraction{})
	return page, nil
}

func noPage() error {
	return dossier.Coded(dossier.NotFound, "page_not_found", "The document has no such page")
}

// part is a length as a fraction of the whole, 0 to 1.
func part(length, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return min(max(length/whole, 0), 1)
}
