package api

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	doctext "github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/judge"
	"github.com/dossierhq/dossier/pipelines/spread"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

// correctionsBody is the whole set of a document's corrections.
type correctionsBody struct {
	Corrections []correctionBody `json:"corrections" check:"required,max=500"`
	DryRun      bool             `json:"dryRun"`
}

type correctionBody struct {
	Part    *int            `json:"part" check:"required"`
	Pointer string          `json:"pointer" check:"required,max=500"`
	Value   json.RawMessage `json:"value"` // of the fact's type, or null: the document does not show it
	Reason  *string         `json:"reason" check:"max=500"`
	Page    *int            `json:"page"`
	Box     any             `json:"box"`
}

// correction is a correction as documents show it.
type correction struct {
	Part         int                     `json:"part"`
	Pointer      string                  `json:"pointer"`
	MachineValue any                     `json:"machineValue"`
	Value        any                     `json:"value"`
	Reason       *string                 `json:"reason"`
	Actor        string                  `json:"actor"`
	At           record.Time             `json:"at"`
	State        dossier.CorrectionState `json:"state"`
}

func correctionsOf(set []dossier.Correction) []correction {
	shown := make([]correction, len(set))
	for i, c := range set {
		shown[i] = correction{c.Part, c.Pointer, c.MachineValue, c.Value, c.Reason, c.Actor, record.Time(c.At), c.State}
	}
	return shown
}

type correctionsAnswer struct {
	success
	Document document                   `json:"document"`
	Effects  postgres.CorrectionEffects `json:"effects"`
}

// correctDocument lays a person's corrections over a document's facts, the whole set at once, and answers what
// follows from them. A dry run keeps nothing. With If-Match it changes nothing unless the document still has that
// tag.
func (s *Server) correctDocument(c *fiber.Ctx) error {
	id, err := pathID[dossier.DocumentID](c, "documentId")
	if err != nil {
		return err
	}
	body, err := decode[correctionsBody](c)
	if err != nil {
		return err
	}
	set, err := body.set()
	if err != nil {
		return err
	}
	pages, err := s.keptPages(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	d, effects, err := s.db.CorrectDocument(c.UserContext(), workspace(c), id, postgres.CorrectionRequest{Set: set,
		IfMatch: wantedTag(c), DryRun: body.DryRun, CorrectionRules: s.correctionRules(id, pages)})
	if err != nil {
		return err
	}
	if !body.DryRun { // else the document stays what it is
		c.Set(fiber.HeaderETag, d.Tag())
	}
	shown, err := s.document(c, d)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, correctionsAnswer{yes, shown, effects})
}

// wantedTag is the tag that a document must have; empty: any.
func wantedTag(c *fiber.Ctx) string {
	if wanted := strings.TrimSpace(c.Get(fiber.HeaderIfMatch)); wanted != "*" {
		return wanted
	}
	return ""
}

// correctionRules are the rules by which what rests on a document follows its facts; pages are its words.
func (s *Server) correctionRules(id dossier.DocumentID, pages []doctext.Page) postgres.CorrectionRules {
	return postgres.CorrectionRules{
		Judge:    func(zone string) dossier.Judge { return judge.NewJudge(s.today(zone)) },
		Relate:   judge.Relations,
		Usable:   func(d dossier.Document) bool { return spread.Usable(spread.DocumentOf(d)) == "" },
		Respread: s.spreadChanges, RespreadGlobal: s.globalChanges,
		Validate: func(in postgres.ValidateInput) map[dossier.EntryID]dossier.ValidationResult {
			if in.File.ID != id {
				return s.verdicts(in, nil)
			}
			return s.verdicts(in, pages)
		}}
}

// set is what the person says.
func (b correctionsBody) set() ([]dossier.Correction, error) {
	set := make([]dossier.Correction, len(b.Corrections))
	for i, c := range b.Corrections {
		set[i] = dossier.Correction{Part: *c.Part, Pointer: c.Pointer, Value: c.Value, Reason: c.Reason, Page: c.Page}
		if c.Reason != nil {
			masked := dossier.MaskSecrets(*c.Reason)
			set[i].Reason = &masked
		}
		if c.Value == nil {
			set[i].Value = json.RawMessage("null")
		}
		text, err := json.Marshal(c.Box)
		if err == nil {
			err = json.Unmarshal(text, &set[i].Box) // numbers as stored ones are read
		}
		if err != nil {
			return nil, err
		}
	}
	return set, nil
}

// verdicts are those of the built-in judge on a document for each item that it serves.
func (s *Server) verdicts(
	in postgres.ValidateInput,
	pages []doctext.Page,
) map[dossier.EntryID]dossier.ValidationResult {
	results := map[dossier.EntryID]dossier.ValidationResult{}
	for _, item := range in.Items {
		whose := in.Party
		if item.Whose != nil {
			whose = *item.Whose
		}
		results[item.EntryID] = judge.Validate(
			judge.Judgement{FieldType: item.FieldType, Config: item.Config, Rules: item.Rules,
				Party: whose, Today: s.today(in.Zone), Document: in.File.ID, Filename: in.File.Filename,
				Extraction: *in.File.Extraction, Parts: item.Parts, Others: judge.OtherParts(item.Others),
				Pages: pages},
		)
	}
	return results
}

// spreadChanges are the results of the next round of a spread, nil when it fails, and the cells that it changes. One
// that has no results yet, or whose next round fails and so leaves them, changes none.
func (s *Server) spreadChanges(in postgres.SpreadInput) (*dossier.SpreadResults, []postgres.SpreadChange) {
	input := spread.InputOf(in.Spread, in.Documents, in.Nobodys, in.DefaultCurrency, s.Now())
	input.Adjustments, input.Captions = in.Adjustments, in.Captions
	results, _, err := spread.Consolidate(input)
	if err != nil {
		return nil, nil
	}
	if in.Previous == nil {
		return &results, nil
	}
	return &results, changesOf(spread.Changes(*in.Previous, results))
}

// globalChanges are the cells that the next round of a global spread changes.
func (s *Server) globalChanges(in dossier.GlobalInput) []postgres.SpreadChange {
	results, err := spread.Global(spread.GlobalInputOf(in, judge.Relations, s.Now()))
	if err != nil {
		return nil
	}
	return changesOf(spread.GlobalChanges(*in.Previous, results))
}

func changesOf(list []spread.Change) []postgres.SpreadChange {
	changes := make([]postgres.SpreadChange, len(list))
	for i, c := range list {
		changes[i] = postgres.SpreadChange(c)
	}
	return changes
}

// today is the date it is for a lead in zone; a zone this machine does not know is UTC.
func (s *Server) today(zone string) dossier.Day {
	location, err := time.LoadLocation(zone)
	if err != nil {
		location = time.UTC
	}
	return dossier.DayOf(s.Now().In(location))
}

// keptPages are the words that were kept of a document; none when there are none.
func (s *Server) keptPages(ctx context.Context, ws dossier.WorkspaceID, id dossier.DocumentID) ([]doctext.Page, error) {
	key, err := s.db.FindKeptWords(ctx, ws, id)
	var failed *dossier.Error
	if errors.As(err, &failed) && failed.Code == "page_not_found" {
		return nil, dossier.Coded(dossier.Conflict, "document_not_ready", "This document could not be read")
	}
	if err != nil || key == "" {
		return nil, err
	}
	object, err := s.Objects.Get(ctx, key)
	if err != nil {
		return nil, err
	}
	defer func() { _ = object.Close() }()
	kept, err := io.ReadAll(object)
	if err != nil {
		return nil, err
	}
	decoded, err := doctext.DecodeTokens(kept)
	return decoded.Pages, err
}
