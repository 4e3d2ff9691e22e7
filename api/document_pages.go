package api

import (
	"context"
	"strconv"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	doctext "github.com/dossierhq/dossier/pipelines/document/text"
)

// pageWord is a word or cell of a page. Social security numbers are masked, as in facts.
type pageWord struct {
	Text       string      `json:"text"`
	Box        any         `json:"box"`            // as in sources of facts: [x0, y0, x1, y1] in the page's unit, or a cell
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
			answer.Words[i].Rect = &[4]float64{part(t.X0, page.Width), part(t.Y0, page.Height), part(t.X1, page.Width), part(t.Y1, page.Height)}
		}
	}
	return send(c, fiber.StatusOK, answer)
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
