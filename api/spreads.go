package api

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

// createSpreadBody is the body of POST /api/v1/spreads (decisions.md section 5).
type createSpreadBody struct {
	LeadID             dossier.LeadID       `json:"leadId" check:"required"`
	DocumentIDs        []dossier.DocumentID `json:"documentIds" check:"min=1,max=500"`
	EntityName         *string              `json:"entityName"`
	Currency           *string              `json:"currency" check:"min=3,max=3"`
	FiscalYearEndMonth *int                 `json:"fiscalYearEndMonth" check:"min=1,max=12"`
	ExternalID         *string              `json:"externalId"`
	PartyID            *dossier.PartyID     `json:"partyId"`
	Scope              *string              `json:"scope"`

	Distributions *dossier.SpreadDistributions `json:"distributions"`
}

func (b createSpreadBody) Faults() []dossier.Fault {
	var faults []dossier.Fault
	fault := func(wrong bool, pointer, detail string) {
		if wrong {
			faults = append(faults, dossier.Fault{Pointer: pointer, Code: "invalid_value", Detail: detail})
		}
	}
	fault(b.Currency != nil && len(*b.Currency) == 3 &&
		strings.ContainsFunc(*b.Currency, func(r rune) bool { return r < 'A' || r > 'Z' }),
		"/currency", "currency must be an ISO 4217 code in capitals, such as USD")
	global := b.Scope != nil
	fault(global && *b.Scope != string(dossier.SpreadGlobal), "/scope", "scope must be global, or be left out")
	fault(global && b.PartyID != nil, "/partyId", "A global spread is of all parties; leave partyId out")
	fault(global && b.DocumentIDs != nil, "/documentIds",
		"A global spread is of the parties' own spreads; leave documentIds out")
	fault(!global && b.Distributions != nil, "/distributions", "distributions go with scope global")
	return faults
}

type spreadAnswer struct {
	success
	Spread record.Spread `json:"spread"`
}

type spreadsQuery struct {
	LeadID dossier.LeadID `query:"leadId" check:"required"`
	paging
}

type spreadsAnswer struct {
	success
	Spreads   []record.Spread `json:"spreads"`
	NextToken *string         `json:"nextToken"`
}

// spreadInclude is a part of results that is answered when asked for.
type spreadInclude string

// Valid reports whether there is such a part.
func (i spreadInclude) Valid() bool { return slices.Contains(dossier.SpreadIncludes, string(i)) }

type resultsQuery struct {
	Include []spreadInclude `query:"include"`
}

type resultsAnswer struct {
	success
	Results anyResults `json:"results"`
}

// anyResults are the results of a spread of one party, or of a global one.
type anyResults postgres.AnyResults

// MarshalJSON writes those that there are.
func (r anyResults) MarshalJSON() ([]byte, error) {
	if r.Global != nil {
		return json.Marshal(r.Global)
	}
	return json.Marshal(r.Party)
}

// createSpread starts a spread. A repeat without Idempotency-Key starts another.
func (s *Server) createSpread(c *fiber.Ctx) error {
	body, err := decode[createSpreadBody](c)
	if err != nil {
		return err
	}
	in := postgres.NewSpread{LeadID: body.LeadID, Documents: body.DocumentIDs, EntityName: body.EntityName,
		ExternalID: body.ExternalID, PartyID: body.PartyID}
	if body.Scope != nil {
		way := dossier.DistributionsK1
		if body.Distributions != nil {
			way = *body.Distributions
		}
		in.Scope, in.Distributions = dossier.SpreadGlobal, &way
	}
	if body.Currency != nil {
		in.Currency = *body.Currency
	}
	if body.FiscalYearEndMonth != nil {
		in.FiscalYearEndMonth = *body.FiscalYearEndMonth
	}
	spread, err := s.db.CreateSpread(c.UserContext(), workspace(c), in)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusAccepted, spreadAnswer{yes, record.OfSpread(spread)})
}

// readSpread answers the state of a spread.
func (s *Server) readSpread(c *fiber.Ctx) error {
	id, err := pathID[dossier.SpreadID](c, "spreadId")
	if err != nil {
		return err
	}
	spread, err := s.db.ReadSpread(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, spreadAnswer{yes, record.OfSpread(spread)})
}

// listSpreads answers the spreads of a lead, newest first.
func (s *Server) listSpreads(c *fiber.Ctx) error {
	q, err := query[spreadsQuery](c)
	if err != nil {
		return err
	}
	page, err := q.page(c)
	if err != nil {
		return err
	}
	spreads, err := s.db.ListSpreads(c.UserContext(), workspace(c), q.LeadID, page)
	if err != nil {
		return err
	}
	spreads, next := pageEnd(c, page, spreads,
		func(s dossier.Spread) dossier.Cursor { return dossier.Cursor{At: s.CreatedAt, ID: string(s.ID)} })
	answer := spreadsAnswer{success: yes, Spreads: []record.Spread{}, NextToken: next}
	for _, spread := range spreads {
		answer.Spreads = append(answer.Spreads, record.OfSpread(spread))
	}
	return send(c, fiber.StatusOK, answer)
}

// regenerateSpread starts a finished spread over from what was read before. While it is in progress: 409.
func (s *Server) regenerateSpread(c *fiber.Ctx) error {
	id, err := pathID[dossier.SpreadID](c, "spreadId")
	if err != nil {
		return err
	}
	spread, err := s.db.RegenerateSpread(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusAccepted, spreadAnswer{yes, record.OfSpread(spread)})
}

// spreadResults answers the results of the last COMPLETE round.
func (s *Server) spreadResults(c *fiber.Ctx) error {
	id, err := pathID[dossier.SpreadID](c, "spreadId")
	if err != nil {
		return err
	}
	q, err := query[resultsQuery](c)
	if err != nil {
		return err
	}
	results, err := s.db.AnyResults(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	include := map[string]bool{}
	for _, part := range q.Include {
		include[string(part)] = true
	}
	if results.Party != nil {
		if include["formulas"] {
			spread.Explain(results.Party)
		}
		*results.Party = results.Party.Only(include)
	}
	return send(c, fiber.StatusOK, resultsAnswer{yes, anyResults(results)})
}
