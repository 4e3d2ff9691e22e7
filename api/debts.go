package api

import (
	"fmt"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// debtsBody is the body of PUT /api/v1/leads/{leadId}/debts: all debts that are given by hand.
type debtsBody struct {
	Debts []debtBody `json:"debts" check:"required,max=500"`
}

type debtBody struct {
	ID         *dossier.DebtID       `json:"id"`
	PartyID    dossier.PartyID       `json:"partyId" check:"required"`
	Lender     string                `json:"lender" check:"required"`
	Kind       dossier.DebtKind      `json:"kind" check:"required"`
	Balance    *dossier.Figure       `json:"balance" check:"required"`
	Rate       *dossier.Figure       `json:"rate"`
	Payment    *dossier.Figure       `json:"payment" check:"required"`
	Frequency  dossier.DebtFrequency `json:"frequency" check:"required"`
	Maturity   *string               `json:"maturity"`
	Secured    bool                  `json:"secured" check:"notnull"`
	Source     *dossier.DebtSource   `json:"source"`
	DocumentID *dossier.DocumentID   `json:"documentId"`
}

func (b debtsBody) Faults() []dossier.Fault {
	var faults []dossier.Fault
	ids := map[dossier.DebtID]bool{}
	for i, d := range b.Debts {
		fault := func(field, detail string) {
			faults = append(faults, dossier.Fault{Pointer: fmt.Sprintf("/debts/%d/%s", i, field),
				Code: "invalid_value", Detail: detail})
		}
		if d.ID != nil && ids[*d.ID] {
			fault("id", "This debt is there twice")
		}
		if d.ID != nil {
			ids[*d.ID] = true
		}
		if strings.TrimSpace(d.Lender) == "" {
			fault("lender", "lender must not be empty")
		}
		for j, v := range []*dossier.Figure{d.Balance, d.Payment} {
			field := []string{"balance", "payment"}[j]
			if v != nil && (v.IsNegative() || !v.Equal(v.Round(2)) || v.Exponent() > 15 || v.NumDigits() > 17) {
				fault(field, field+" must be an amount of at least 0, with at most 15 digits and 2 decimal places")
			}
		}
		if v := d.Rate; v != nil && (v.IsNegative() || v.GreaterThan(decimal.NewFromInt(1000)) || v.Exponent() < -6) {
			fault("rate", "rate must be a percentage a year from 0 to 1000, with at most 6 decimal places, or null")
		}
		if d.Maturity != nil {
			if _, ok := dossier.ParseDay(*d.Maturity); !ok {
				fault("maturity", "maturity must be a date, YYYY-MM-DD, or null")
			}
		}
		if d.Source != nil && *d.Source != dossier.DebtManual {
			fault("source", "Only debts that are given by hand are replaced; leave source out, or say manual")
		}
	}
	return faults
}

func (b debtsBody) debts() []dossier.Debt {
	list := []dossier.Debt{}
	for _, d := range b.Debts {
		debt := dossier.Debt{PartyID: d.PartyID, Lender: strings.TrimSpace(d.Lender), Kind: d.Kind,
			Balance: d.Balance.Decimal,
			Payment: d.Payment.Decimal, Frequency: d.Frequency, Maturity: d.Maturity, Secured: d.Secured,
			Source: dossier.DebtManual, DocumentID: d.DocumentID}
		if d.ID != nil {
			debt.ID = *d.ID
		}
		if d.Rate != nil {
			debt.Rate = &d.Rate.Decimal
		}
		list = append(list, debt)
	}
	return list
}

type debtsAnswer struct {
	success
	Debts []record.Debt `json:"debts"`
}

// listDebts answers what the parties of a lead owe.
func (s *Server) listDebts(c *fiber.Ctx) error {
	lead, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	list, err := s.db.Debts(c.UserContext(), workspace(c), lead)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, debtsAnswer{yes, record.OfDebts(list)})
}

// putDebts replaces the debts that were given by hand.
func (s *Server) putDebts(c *fiber.Ctx) error {
	lead, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	body, err := decode[debtsBody](c)
	if err != nil {
		return err
	}
	list, err := s.db.SaveDebts(c.UserContext(), workspace(c), lead, body.debts())
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, debtsAnswer{yes, record.OfDebts(list)})
}
