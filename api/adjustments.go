package api

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread"
	"github.com/dossierhq/dossier/storage/record"
)

// adjustmentsBody is the body of PUT /api/v1/spreads/{spreadId}/adjustments: all adjustments of the spread.
type adjustmentsBody struct {
	Adjustments []adjustmentBody `json:"adjustments" check:"required,max=500"`
}

// adjustmentBody is one figure that an analyst corrects.
type adjustmentBody struct {
	Statement string          `json:"statement"` // needed when two statements have the row
	Row       string          `json:"row" check:"required"`
	PeriodID  string          `json:"periodId" check:"required"`
	Value     *dossier.Figure `json:"value"`
	MoveTo    *string         `json:"moveTo"`
	Reason    string          `json:"reason" check:"required,text"`
	Actor     *string         `json:"actor" check:"email"`
}

var basePeriod = regexp.MustCompile(`^\d{4}-\d\d-\d\d_\d{4}-\d\d-\d\d$`)

// adjustments shapes the body for the template's check, which completes the statements.
func (b adjustmentsBody) adjustments() []dossier.SpreadAdjustment {
	list := []dossier.SpreadAdjustment{}
	for _, a := range b.Adjustments {
		list = append(list, dossier.SpreadAdjustment{Statement: a.Statement, Row: a.Row, PeriodID: a.PeriodID,
			Value: a.Value, MoveTo: a.MoveTo,
			Reason: strings.TrimSpace(a.Reason), Actor: a.Actor})
	}
	return list
}

func (b adjustmentsBody) Faults() []dossier.Fault {
	faults := spread.Template().Check(b.adjustments())
	for i, a := range b.Adjustments {
		at := "/adjustments/" + strconv.Itoa(i)
		if strings.TrimSpace(a.Reason) == "" {
			faults = append(faults, dossier.Fault{Pointer: at + "/reason", Code: "required",
				Detail: "reason must say why the figure is adjusted"})
		}
		if !basePeriod.MatchString(a.PeriodID) {
			faults = append(faults, dossier.Fault{Pointer: at + "/periodId", Code: "invalid_value",
				Detail: "periodId must be the id of a period of the results that is not annualized, such as " +
					"2025-01-01_2025-12-31"})
		}
		if v := a.Value; v != nil && (!v.Equal(v.Round(2)) || v.Abs().Exponent() > 15 || v.NumDigits() > 17) {
			faults = append(faults, dossier.Fault{Pointer: at + "/value", Code: "invalid_value",
				Detail: "value must be an amount with at most 15 digits and 2 decimal places"})
		}
	}
	return faults
}

type adjustmentsAnswer struct {
	success
	Adjustments []record.SpreadAdjustment `json:"adjustments"`
}

type adjustedAnswer struct {
	success
	Spread      record.Spread             `json:"spread"`
	Adjustments []record.SpreadAdjustment `json:"adjustments"`
}

// captionsBody is the body of PUT /api/v1/spreads/{spreadId}/caption-mappings: all mappings of the spread's lead.
type captionsBody struct {
	CaptionMappings []captionBody `json:"captionMappings" check:"required,max=500"`
}

type captionBody struct {
	Statement string  `json:"statement"`
	Caption   string  `json:"caption" check:"required"`
	Row       string  `json:"row" check:"required"`
	Actor     *string `json:"actor" check:"email"`
}

func (b captionsBody) mappings() []dossier.CaptionMapping {
	list := []dossier.CaptionMapping{}
	for _, m := range b.CaptionMappings {
		list = append(list, dossier.CaptionMapping{Statement: m.Statement, Caption: m.Caption, Row: m.Row,
			Actor: m.Actor})
	}
	return list
}

func (b captionsBody) Faults() []dossier.Fault { return spread.Template().CheckCaptions(b.mappings()) }

type captionsAnswer struct {
	success
	CaptionMappings []dossier.CaptionMapping `json:"captionMappings"`
}

type mappedAnswer struct {
	success
	Spread          record.Spread            `json:"spread"`
	CaptionMappings []dossier.CaptionMapping `json:"captionMappings"`
}

// listAdjustments answers an analyst's corrections of a spread.
func (s *Server) listAdjustments(c *fiber.Ctx) error {
	id, err := pathID[dossier.SpreadID](c, "spreadId")
	if err != nil {
		return err
	}
	list, err := s.db.Adjustments(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, adjustmentsAnswer{yes, record.OfAdjustments(list)})
}

// putAdjustments replaces the corrections of a spread and starts its next round. While it is in progress: 409.
func (s *Server) putAdjustments(c *fiber.Ctx) error {
	id, err := pathID[dossier.SpreadID](c, "spreadId")
	if err != nil {
		return err
	}
	body, err := decode[adjustmentsBody](c)
	if err != nil {
		return err
	}
	who, err := actor(c)
	if err != nil {
		return err
	}
	list := body.adjustments()
	spread.Template().Check(list) // completes the statements
	for i := range list {
		if list[i].Actor == nil && who != "" {
			list[i].Actor = &who
		}
	}
	if err := s.periodsExist(c, id, list); err != nil {
		return err
	}
	changed, err := s.db.SaveAdjustments(c.UserContext(), workspace(c), id, list)
	if err != nil {
		return err
	}
	kept, err := s.db.Adjustments(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusAccepted, adjustedAnswer{yes, record.OfSpread(changed), record.OfAdjustments(kept)})
}

// periodsExist refuses periods that the results do not have. Before there are results nothing can be said.
func (s *Server) periodsExist(c *fiber.Ctx, id dossier.SpreadID, list []dossier.SpreadAdjustment) error {
	results, err := s.db.SpreadResults(c.UserContext(), workspace(c), id)
	if dossier.KindOf(err) == dossier.Conflict {
		return nil
	}
	if err != nil {
		return err
	}
	var faults []dossier.Fault
	for i, a := range list {
		if results.Statements.Named(a.Statement).Period(a.PeriodID) == nil {
			faults = append(faults, dossier.Fault{Pointer: "/adjustments/" + strconv.Itoa(i) + "/periodId",
				Code: "invalid_value", Detail: "The results have no period " + a.PeriodID + " in this statement"})
		}
	}
	if len(faults) > 0 {
		return dossier.InvalidFaults(faults)
	}
	return nil
}

// listCaptions answers the rows that were chosen for captions of the spread's lead.
func (s *Server) listCaptions(c *fiber.Ctx) error {
	id, err := pathID[dossier.SpreadID](c, "spreadId")
	if err != nil {
		return err
	}
	list, err := s.db.Captions(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, captionsAnswer{yes, append([]dossier.CaptionMapping{}, list...)})
}

// putCaptions replaces the mappings of the lead and starts the spread's next round. While it is in progress: 409.
func (s *Server) putCaptions(c *fiber.Ctx) error {
	id, err := pathID[dossier.SpreadID](c, "spreadId")
	if err != nil {
		return err
	}
	body, err := decode[captionsBody](c)
	if err != nil {
		return err
	}
	list := body.mappings()
	spread.Template().CheckCaptions(list) // completes the statements
	changed, err := s.db.SaveCaptions(c.UserContext(), workspace(c), id, list)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusAccepted, mappedAnswer{yes, record.OfSpread(changed), list})
}
