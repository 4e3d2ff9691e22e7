package api

import (
	"fmt"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
)

// partsBody says which documents a file has; pages that are in no part stay out.
type partsBody struct {
	Parts []filePartBody `json:"parts" check:"required,max=300"`
}

type filePartBody struct {
	Pages   []int            `json:"pages" check:"required,min=2,max=2"` // first and last, from 1
	DocType *dossier.DocType `json:"docType"`                            // absent: what its pages say
}

// setDocumentParts has a document read again as what a person says it is: joined, split or of another type.
func (s *Server) setDocumentParts(c *fiber.Ctx) error {
	id, err := pathID[dossier.DocumentID](c, "documentId")
	if err != nil {
		return err
	}
	body, err := decode[partsBody](c)
	if err != nil {
		return err
	}
	parts := make([]dossier.DocumentPart, len(body.Parts))
	for i, p := range body.Parts {
		parts[i].Pages = [2]int{p.Pages[0], p.Pages[1]}
		if p.DocType != nil {
			parts[i].DocType = *p.DocType
		}
		if !dossier.KnownDocType(parts[i].DocType) {
			return dossier.InvalidFaults(
				[]dossier.Fault{{Pointer: fmt.Sprintf("/parts/%d/docType", i), Code: "invalid_value",
					Detail: "docType must be one of the types of documents"}},
			)
		}
	}
	d, err := s.db.SetDocumentParts(c.UserContext(), workspace(c), id, parts, wantedTag(c))
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderETag, d.Tag())
	return s.sendDocument(c, fiber.StatusAccepted, d)
}
