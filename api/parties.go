package api

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/record"
)

// partyBody is the body of POST /api/v1/leads/{leadId}/parties.
type partyBody struct {
	Name       string            `json:"name" check:"required"`
	Kind       dossier.PartyKind `json:"kind" check:"required"`
	Role       dossier.PartyRole `json:"role" check:"required"`
	TaxIDLast4 *string           `json:"taxIdLast4"`
}

func (b partyBody) Faults() []dossier.Fault {
	return append(blankName(&b.Name), wrongLast4(b.TaxIDLast4)...)
}

// partyChangeBody is the body of PATCH /api/v1/leads/{leadId}/parties/{partyId}.
type partyChangeBody struct {
	Name       *string              `json:"name" check:"notnull"`
	Kind       *dossier.PartyKind   `json:"kind" check:"notnull"`
	Role       *dossier.PartyRole   `json:"role" check:"notnull"`
	TaxIDLast4 web.Optional[string] `json:"taxIdLast4"`
}

func (b partyChangeBody) Faults() []dossier.Fault {
	return append(blankName(b.Name), wrongLast4(b.TaxIDLast4.Ptr())...)
}

func blankName(name *string) []dossier.Fault {
	if name == nil || strings.TrimSpace(*name) != "" {
		return nil
	}
	return []dossier.Fault{{Pointer: "/name", Code: "required", Detail: "name must not be empty"}}
}

var fourDigits = regexp.MustCompile(`^[0-9]{4}$`)

func wrongLast4(digits *string) []dossier.Fault {
	if digits == nil || fourDigits.MatchString(*digits) {
		return nil
	}
	return []dossier.Fault{{Pointer: "/taxIdLast4", Code: "invalid_value",
		Detail: "taxIdLast4 must be the last four digits of the EIN or SSN, or null"}}
}

type partyAnswer struct {
	success
	Party record.Party `json:"party"`
}

type partiesAnswer struct {
	success
	Parties []record.Party `json:"parties"`
}

// listParties answers all parties of a lead, the primary one first.
func (s *Server) listParties(c *fiber.Ctx) error {
	lead, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	list, err := s.db.Parties(c.UserContext(), workspace(c), lead)
	if err != nil {
		return err
	}
	answer := partiesAnswer{success: yes, Parties: []record.Party{}}
	for _, p := range list {
		answer.Parties = append(answer.Parties, record.OfParty(p))
	}
	return send(c, fiber.StatusOK, answer)
}

// createParty adds a party to a lead. A repeat without Idempotency-Key makes another.
func (s *Server) createParty(c *fiber.Ctx) error {
	lead, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	body, err := decode[partyBody](c)
	if err != nil {
		return err
	}
	p, err := s.db.CreateParty(c.UserContext(), workspace(c), lead,
		dossier.NewParty{Name: strings.TrimSpace(body.Name),
			Kind: body.Kind, Role: body.Role, TaxIDLast4: body.TaxIDLast4})
	if err != nil {
		return err
	}
	return send(c, fiber.StatusCreated, partyAnswer{yes, record.OfParty(p)})
}

// updateParty changes a party; only what is present changes.
func (s *Server) updateParty(c *fiber.Ctx) error {
	lead, id, err := partyPath(c)
	if err != nil {
		return err
	}
	body, err := decode[partyChangeBody](c)
	if err != nil {
		return err
	}
	change := dossier.PartyChange{Kind: body.Kind, Role: body.Role, TaxIDLast4: patch(body.TaxIDLast4)}
	if body.Name != nil {
		name := strings.TrimSpace(*body.Name)
		change.Name = &name
	}
	p, err := s.db.UpdateParty(c.UserContext(), workspace(c), lead, id, change)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, partyAnswer{yes, record.OfParty(p)})
}

// deleteParty takes a party out of a lead's file. The primary one: 409.
func (s *Server) deleteParty(c *fiber.Ctx) error {
	lead, id, err := partyPath(c)
	if err != nil {
		return err
	}
	if err := s.db.DeleteParty(c.UserContext(), workspace(c), lead, id); err != nil {
		return err
	}
	return noContent(c)
}

func partyPath(c *fiber.Ctx) (dossier.LeadID, dossier.PartyID, error) {
	lead, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return "", "", err
	}
	id, err := pathID[dossier.PartyID](c, "partyId")
	return lead, id, err
}

// documentPartBody is the body of PATCH /api/v1/documents/{documentId}/parts/{part}.
type documentPartBody struct {
	PartyID web.Optional[dossier.PartyID] `json:"partyId"`
}

func (b documentPartBody) Faults() []dossier.Fault {
	if b.PartyID.Set {
		return nil
	}
	return []dossier.Fault{{Pointer: "/partyId", Code: "required",
		Detail: "partyId must be the id of a party of the lead, or null"}}
}

// setDocumentParty says whose a document of a file is. It stays until it is said again.
func (s *Server) setDocumentParty(c *fiber.Ctx) error {
	id, err := pathID[dossier.DocumentID](c, "documentId")
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(c.Params("part"))
	if err != nil || number < 0 {
		return web.NotFound("part")
	}
	body, err := decode[documentPartBody](c)
	if err != nil {
		return err
	}
	d, err := s.db.SetPartParty(c.UserContext(), workspace(c), id, number, body.PartyID.Ptr())
	if err != nil {
		return err
	}
	return s.sendDocument(c, fiber.StatusOK, d)
}

// documentExtraction is what was read in a file, with whose its documents are.
type documentExtraction struct {
	dossier.Extraction
	Documents []documentPart `json:"documents"`
}

// documentPart is one document found in a file.
type documentPart struct {
	dossier.ReadDocument
	PartyID *dossier.PartyID `json:"partyId"`
}

func extractionOf(d dossier.Document) *documentExtraction {
	if d.Extraction == nil {
		return nil
	}
	shown := &documentExtraction{Extraction: d.Extraction.Listed(), Documents: []documentPart{}}
	for i, read := range d.Extraction.Documents {
		one := documentPart{ReadDocument: read}
		if id, ok := d.PartParties[i]; ok {
			one.PartyID = &id
		}
		shown.Documents = append(shown.Documents, one)
	}
	return shown
}
