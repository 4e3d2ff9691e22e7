package api

import (
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
)

// Specimen is a file whose verdict is known. What draws them is handed to the server: this room knows no documents.
type Specimen struct {
	Kind     string
	Filename string
	MimeType string
	Verdict  string
	Draw     func(today time.Time) []byte
}

type specimenView struct {
	Kind     string `json:"kind"`
	Filename string `json:"filename"`
	MimeType string `json:"mimeType"`
	Verdict  string `json:"verdict"`
}

type specimensAnswer struct {
	success
	Specimens []specimenView `json:"specimens"`
}

// onlyTests refuses live keys what is there for trying out. Error: Forbidden.
func onlyTests(c *fiber.Ctx) error {
	if !callerOf(c).key.IsTest {
		return dossier.Coded(dossier.Forbidden, "test_key_required",
			"This operation needs a test key, one that begins with dsr_test_")
	}
	return nil
}

// listSpecimens names the files that readSpecimen gives.
func (s *Server) listSpecimens(c *fiber.Ctx) error {
	if err := onlyTests(c); err != nil {
		return err
	}
	answer := specimensAnswer{success: yes, Specimens: []specimenView{}}
	for _, one := range s.Specimens {
		answer.Specimens = append(answer.Specimens, specimenView{one.Kind, one.Filename, one.MimeType, one.Verdict})
	}
	return send(c, fiber.StatusOK, answer)
}

// readSpecimen gives a file whose verdict is known, with the dates of today.
func (s *Server) readSpecimen(c *fiber.Ctx) error {
	if err := onlyTests(c); err != nil {
		return err
	}
	kind := strings.Clone(c.Params("kind"))
	for _, one := range s.Specimens {
		if one.Kind == kind {
			c.Set(fiber.HeaderContentType, one.MimeType)
			c.Set(fiber.HeaderContentDisposition, `attachment; filename="`+one.Filename+`"`)
			return c.Send(one.Draw(s.Now()))
		}
	}
	return dossier.Coded(dossier.NotFound, "specimen_not_found",
		"There is no specimen of this kind; GET /api/v1/test/specimens names them")
}
