package api

import (
	"encoding/json"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/record"
)

// checklistGroup is a group of a lead's checklist (api.md).
type checklistGroup struct {
	ID         string             `json:"id"`
	Name       string             `json:"name"`
	Code       string             `json:"code"`
	Conditions *dossier.Condition `json:"conditions"`
	Items      []checklistEntry   `json:"items"`
}

// checklistEntry is a lead checklist item inside a group (api.md; names of decisions.md section 2).
type checklistEntry struct {
	ID              dossier.EntryID      `json:"id"`
	ChecklistItemID dossier.ItemID       `json:"checklistItemId"`
	PartyID         *dossier.PartyID     `json:"partyId"`
	Value           json.RawMessage      `json:"value"`
	Status          dossier.ItemStatus   `json:"status"`
	Visible         bool                 `json:"visible"`
	Source          *dossier.ValueSource `json:"source"`
	AlternateValues *[]alternateValue    `json:"alternateValues"` // null when there are none
	ValidationError *string              `json:"validationError"`
	Reasons         []dossier.Reason     `json:"reasons"`
	ItemOverride    json.RawMessage      `json:"itemOverride"`
	UpdatedAt       record.Time          `json:"updatedAt"`
	Documents       *[]itemDocument      `json:"documents,omitempty"` // of file items
	ChecklistItem   checklistItem        `json:"checklistItem"`
}

// alternateValue is a value the item does not have now.
type alternateValue struct {
	Value      json.RawMessage      `json:"value"`
	Source     *dossier.ValueSource `json:"source"`
	DocumentID *dossier.DocumentID  `json:"documentId"`
	CreatedAt  record.Time          `json:"createdAt"`
}

// checklistItem is an item definition (api.md).
type checklistItem struct {
	ID                 dossier.ItemID     `json:"id"`
	Code               string             `json:"code"`
	Label              string             `json:"label"`
	FieldType          dossier.FieldType  `json:"fieldType"`
	IsRequired         bool               `json:"isRequired"`
	Config             dossier.ItemConfig `json:"config"`
	Conditions         *dossier.Condition `json:"conditions"`
	ValidationRules    []string           `json:"validationRules"`
	HelpText           *string            `json:"helpText"`
	ClientInstructions *string            `json:"clientInstructions"`
}

// leadItem is a lead-scoped checklist item (api.md). Its id is that of the entry, which documents name too.
type leadItem struct {
	ID                 dossier.EntryID    `json:"id"`
	LeadID             dossier.LeadID     `json:"leadId"`
	PartyID            *dossier.PartyID   `json:"partyId"`
	Code               string             `json:"code"`
	Label              string             `json:"label"`
	FieldType          dossier.FieldType  `json:"fieldType"`
	IsRequired         bool               `json:"isRequired"`
	Status             dossier.ItemStatus `json:"status"`
	Config             dossier.ItemConfig `json:"config"`
	AgentInstructions  *string            `json:"agentInstructions"`
	ClientInstructions *string            `json:"clientInstructions"`
	ValidationRules    []string           `json:"validationRules"`
	CreatedAt          record.Time        `json:"createdAt"`
}

type leadItemAnswer struct {
	success
	ChecklistItem leadItem `json:"checklistItem"`
}

type checklistQuery struct {
	Reveal bool `query:"reveal"`
}

// readChecklist answers the groups as a bare array. reveal=true shows SSN items in full, needs the scope admin and
// leaves an audit entry.
func (s *Server) readChecklist(c *fiber.Ctx) error {
	lead, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	q, err := query[checklistQuery](c)
	if err != nil {
		return err
	}
	var list dossier.Checklist
	if q.Reveal {
		if !callerOf(c).can(scopeAdmin) {
			return dossier.Errorf(dossier.Forbidden, "reveal=true needs a key with the scope admin")
		}
		list, err = s.db.RevealChecklist(c.UserContext(), workspace(c), lead)
	} else {
		list, err = s.db.ReadChecklist(c.UserContext(), workspace(c), lead)
	}
	if err != nil {
		return err
	}
	groups, err := s.checklist(c, list)
	if err != nil {
		return err
	}
	if q.Reveal {
		c.Set(fiber.HeaderCacheControl, "no-store")
	}
	return send(c, fiber.StatusOK, groups)
}

func (s *Server) checklist(c *fiber.Ctx, list dossier.Checklist) ([]checklistGroup, error) {
	groups := make([]checklistGroup, len(list.Groups))
	for i, g := range list.Groups {
		groups[i] = checklistGroup{ID: g.ID, Name: g.Name, Code: g.Code(), Conditions: g.Conditions,
			Items: make([]checklistEntry, len(g.Entries))}
		for j, e := range g.Entries {
			shown, err := s.checklistEntry(c, e)
			if err != nil {
				return nil, err
			}
			groups[i].Items[j] = shown
		}
	}
	return groups, nil
}

func (s *Server) checklistEntry(c *fiber.Ctx, e dossier.ChecklistEntry) (checklistEntry, error) {
	shown := checklistEntry{ID: e.ID, ChecklistItemID: e.Item.ID, PartyID: e.Item.PartyID, Value: e.Value,
		Status: e.Status, Visible: e.Visible,
		ValidationError: e.ValidationError(reader(c)), Reasons: dossier.ReasonsOrNone(e.Reasons),
		ItemOverride: e.Override, UpdatedAt: record.Time(e.UpdatedAt), ChecklistItem: checklistItemOf(e.Item)}
	if e.Source != "" {
		shown.Source = &e.Source
	}
	if e.Secret != "" {
		full, err := json.Marshal(e.Secret)
		if err != nil {
			return shown, err
		}
		shown.Value = full
	}
	if len(e.Alternates) > 0 {
		others := make([]alternateValue, len(e.Alternates))
		for i, a := range e.Alternates {
			others[i] = alternateValue{a.Value, a.Source, a.DocumentID, record.Time(a.CreatedAt)}
		}
		shown.AlternateValues = &others
	}
	if !e.Item.FieldType.TakesFiles() {
		return shown, nil
	}
	documents := []itemDocument{}
	for _, d := range e.Documents {
		document, err := s.documentOfItem(c, d, d.Associations[0])
		if err != nil {
			return shown, err
		}
		documents = append(documents, document)
	}
	shown.Documents = &documents
	return shown, nil
}

func checklistItemOf(i dossier.ChecklistItem) checklistItem {
	return checklistItem{ID: i.ID, Code: i.Code, Label: i.Label, FieldType: i.FieldType, IsRequired: i.IsRequired,
		Config:     i.Config,
		Conditions: i.Conditions, ValidationRules: orEmpty(i.ValidationRules), HelpText: i.HelpText,
		ClientInstructions: i.ClientInstructions}
}

// newItemBody is the body of POST /api/v1/leads/{leadId}/checklist-items.
type newItemBody struct {
	Label              string            `json:"label" check:"required"`
	FieldType          dossier.FieldType `json:"fieldType" check:"required"`
	Config             json.RawMessage   `json:"config" check:"metadata"`
	IsRequired         *bool             `json:"isRequired"`
	AgentInstructions  *string           `json:"agentInstructions" check:"text"`
	ClientInstructions *string           `json:"clientInstructions" check:"text"`
	ValidationRules    []string          `json:"validationRules"`
	Code               *string           `json:"code"`
	PartyID            *dossier.PartyID  `json:"partyId"`
}

func (b newItemBody) item() dossier.NewItem {
	return dossier.NewItem{Code: plain(b.Code), Label: b.Label, FieldType: b.FieldType, Config: b.Config,
		IsRequired: b.IsRequired == nil || *b.IsRequired, AgentInstructions: b.AgentInstructions,
		ClientInstructions: b.ClientInstructions, ValidationRules: b.ValidationRules,
		PartyID: b.PartyID}
}

func (b newItemBody) Faults() []dossier.Fault { return b.item().Faults() }

// createLeadItem puts a one-off requirement on one lead. A repeat without a code makes another, CODE_2.
func (s *Server) createLeadItem(c *fiber.Ctx) error {
	lead, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return err
	}
	body, err := decode[newItemBody](c)
	if err != nil {
		return err
	}
	by, err := changedBy(c)
	if err != nil {
		return err
	}
	entry, err := s.db.CreateLeadItem(c.UserContext(), workspace(c), lead, body.item(), by)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusCreated, leadItemAnswer{yes, leadItemOf(lead, entry)})
}

// itemChangeBody is the body of PATCH /api/v1/leads/{leadId}/checklist-items/{id}.
type itemChangeBody struct {
	Label              *string              `json:"label" check:"notnull"`
	IsRequired         *bool                `json:"isRequired" check:"notnull"`
	Config             json.RawMessage      `json:"config" check:"metadata"`
	AgentInstructions  web.Optional[string] `json:"agentInstructions" check:"text"`
	ClientInstructions web.Optional[string] `json:"clientInstructions" check:"text"`
	ValidationRules    *[]string            `json:"validationRules" check:"notnull"`

	PartyID web.Optional[dossier.PartyID] `json:"partyId"`
}

// changeLeadItem alters a one-off requirement; only what is present changes.
func (s *Server) changeLeadItem(c *fiber.Ctx) error {
	lead, id, err := leadItemPath(c)
	if err != nil {
		return err
	}
	body, err := decode[itemChangeBody](c)
	if err != nil {
		return err
	}
	by, err := changedBy(c)
	if err != nil {
		return err
	}
	entry, err := s.db.ChangeLeadItem(c.UserContext(), workspace(c), lead, id,
		dossier.ItemChange{Label: body.Label, IsRequired: body.IsRequired,
			Config: body.Config, AgentInstructions: patch(body.AgentInstructions),
			ClientInstructions: patch(body.ClientInstructions),
			ValidationRules:    body.ValidationRules, PartyID: patch(body.PartyID)}, by)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, leadItemAnswer{yes, leadItemOf(lead, entry)})
}

// deleteLeadItem takes a one-off requirement off the checklist.
func (s *Server) deleteLeadItem(c *fiber.Ctx) error {
	lead, id, err := leadItemPath(c)
	if err != nil {
		return err
	}
	by, err := changedBy(c)
	if err != nil {
		return err
	}
	if err := s.db.DeleteLeadItem(c.UserContext(), workspace(c), lead, id, by); err != nil {
		return err
	}
	return noContent(c)
}

func leadItemPath(c *fiber.Ctx) (dossier.LeadID, dossier.EntryID, error) {
	lead, err := pathID[dossier.LeadID](c, "leadId")
	if err != nil {
		return "", "", err
	}
	id, err := pathID[dossier.EntryID](c, "checklistItemId")
	return lead, id, err
}

func leadItemOf(lead dossier.LeadID, e dossier.ChecklistEntry) leadItem {
	return leadItem{ID: e.ID, LeadID: lead, PartyID: e.Item.PartyID, Code: e.Item.Code, Label: e.Item.Label,
		FieldType:  e.Item.FieldType,
		IsRequired: e.Item.IsRequired,
		Status:     e.Status, Config: e.Item.Config, AgentInstructions: e.Item.AgentInstructions,
		ClientInstructions: e.Item.ClientInstructions,
		ValidationRules:    orEmpty(e.Item.ValidationRules), CreatedAt: record.Time(e.Item.CreatedAt)}
}
