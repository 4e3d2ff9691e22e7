package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// Change is one line of what applying a workspace file does.
type Change struct {
	Action string // create, change, archive, restore
	What   string // "checklist item EIN"
	Detail string // "label: Tax id -> EIN"; empty for create and archive
}

// ApplyWorkspace makes a workspace what its file says, all or nothing, and returns what that changed. With dryRun
// nothing is kept. A key that is no longer in the file is archived: existing leads and runs keep it. With
// spread, items that are new are also put on leads that are open. Error: Conflict, when an item changes its type.
func (db *DB) ApplyWorkspace(ctx context.Context, c dossier.WorkspaceConfig, dryRun,
	spread bool) ([]Change, dossier.WorkspaceID, error) {
	type applied struct {
		changes []Change
		id      dossier.WorkspaceID
	}
	errDryRun := errors.New("dry run")
	var a applied
	_, err := systemTx(ctx, db, "apply workspace", func(tx *tx) (none, error) {
		a = applied{}
		// Two applies at once take turns.
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(4218003, hashtext($1))`, c.Key); err != nil {
			return none{}, err
		}
		before, err := exportWorkspace(ctx, tx, c.Key)
		if err != nil && dossier.KindOf(err) != dossier.NotFound {
			return none{}, err
		}
		made := err != nil
		a.changes = diffWorkspace(before, c)
		if a.id, err = upsertWorkspace(ctx, tx, c.WorkspaceSettings); err != nil {
			return none{}, err
		}
		if err := actAs(ctx, tx, a.id); err != nil {
			return none{}, err
		}
		if made {
			createInboundTokens(tx)
		}
		if err := applyTemplate(ctx, tx, c); err != nil {
			return none{}, err
		}
		if err := applyAgents(ctx, tx, c.Agents); err != nil {
			return none{}, err
		}
		if err := applyWorkflows(ctx, tx, c.Workflows); err != nil {
			return none{}, err
		}
		applyPeople(tx, c.People)
		if spread {
			n, err := spreadToOpenLeads(ctx, tx)
			if err != nil {
				return none{}, err
			}
			if n > 0 {
				a.changes = append(a.changes, Change{"create", plural(int(n), "checklist entry") + " on open leads",
					""})
			}
		}
		if dryRun {
			return none{}, errDryRun
		}
		auditApplied(ctx, tx, before.Key == "", a.changes)
		return none{}, nil
	})
	if errors.Is(err, errDryRun) {
		err = nil
	}
	return a.changes, a.id, err
}

// auditApplied notes what a file changed; applying it again changes nothing and is no act.
func auditApplied(ctx context.Context, tx *tx, made bool, changes []Change) {
	if len(changes) == 0 {
		return
	}
	act, lines := dossier.AuditWorkspaceChange, make([]string, len(changes))
	if made {
		act = dossier.AuditWorkspaceCreate
	}
	for i, c := range changes {
		field, _, _ := strings.Cut(c.Detail, ":") // its name, without the values
		lines[i] = strings.TrimSpace(c.Action + " " + c.What + " " + field)
	}
	audit(ctx, tx, act, "workspace:"+string(tx.ws), map[string]any{"changes": lines})
}

// ExportWorkspace returns the file of a workspace: applying it changes nothing. Error: NotFound.
func (db *DB) ExportWorkspace(ctx context.Context, key string) (dossier.WorkspaceConfig, error) {
	return systemTx(ctx, db, "export workspace", func(tx *tx) (dossier.WorkspaceConfig,
		error) {
		return exportWorkspace(ctx, tx, key)
	})
}

// exportWorkspace reads as the tenant and leaves the transaction as the system again.
func exportWorkspace(ctx context.Context, tx *tx, key string) (dossier.WorkspaceConfig, error) {
	w, err := workspaceByKey(ctx, tx, key)
	if err != nil {
		return dossier.WorkspaceConfig{}, err
	}
	if err := actAs(ctx, tx, w.ID); err != nil {
		return dossier.WorkspaceConfig{}, err
	}
	c := dossier.WorkspaceConfig{WorkspaceSettings: w.WorkspaceSettings}
	if err := exportTemplate(ctx, tx, &c); err != nil {
		return c, err
	}
	if c.Agents, err = exportAgents(ctx, tx); err != nil {
		return c, err
	}
	if c.Workflows, err = exportWorkflows(ctx, tx); err != nil {
		return c, err
	}
	if c.People, err = exportPeople(ctx, tx); err != nil {
		return c, err
	}
	_, err = tx.Exec(ctx, "SET LOCAL ROLE dossier_system")
	return c, err
}

func applyTemplate(ctx context.Context, tx *tx, c dossier.WorkspaceConfig) error {
	groups, codes := []string{}, []string{}
	for position, g := range c.Groups {
		groups = append(groups, g.Key)
		var id dossier.GroupID
		err := tx.QueryRow(ctx, `
			INSERT INTO checklist_groups (workspace_id, id, key, name, position, conditions, created_at, updated_at)
			VALUES (@workspace, @id, @key, @name, @position, @conditions, @now, @now)
			ON CONFLICT (workspace_id, key) DO UPDATE SET name = excluded.name, position = excluded.position,
				conditions = excluded.conditions,
				archived_at = NULL, updated_at = excluded.updated_at
			RETURNING id`,
			pgx.NamedArgs{"workspace": tx.ws, "id": NewID(), "key": g.Key, "name": g.Name, "position": position,
				"conditions": nullJSON(g.Conditions), "now": tx.now}).Scan(&id)
		if err != nil {
			return err
		}
		for i, item := range g.Items {
			codes = append(codes, item.Code)
			if err := applyItem(ctx, tx, item, &id, i); err != nil {
				return err
			}
		}
	}
	for i, item := range c.Items {
		codes = append(codes, item.Code)
		if err := applyItem(ctx, tx, item, nil, i); err != nil {
			return err
		}
	}
	_, err := tx.Exec(ctx, `UPDATE checklist_groups SET archived_at = $3 WHERE workspace_id = $1 AND archived_at IS NULL
		AND NOT (key = ANY($2))`, tx.ws, groups, tx.now)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE checklist_items SET archived_at = $3 WHERE workspace_id = $1 AND lead_id IS NULL
		AND archived_at IS NULL AND NOT (code = ANY($2))`, tx.ws, codes, tx.now)
	return err
}

// applyItem makes one item of the template. Its type cannot change: answers of the old type stand on leads.
func applyItem(ctx context.Context, tx *tx, t dossier.TemplateItem, group *dossier.GroupID, position int) error {
	var stored dossier.FieldType
	rules := t.ValidationRules
	if rules == nil {
		rules = []string{}
	}
	err := tx.QueryRow(ctx, `
		INSERT INTO checklist_items (workspace_id, id, group_id, code, label, field_type, is_required, config,
			conditions, validation_rules,
			help_text, client_instructions, agent_instructions, position, created_at, updated_at)
		VALUES (@workspace, @id, @groupId, @code, @label, @fieldType, @isRequired, @config, @conditions,
			@validationRules, @helpText, @clientInstructions, @agentInstructions, @position, @now, @now)
		ON CONFLICT (workspace_id, code) WHERE lead_id IS NULL DO UPDATE SET group_id = excluded.group_id,
			label = excluded.label,
			is_required = excluded.is_required, config = excluded.config, conditions = excluded.conditions,
				validation_rules = excluded.validation_rules,
			help_text = excluded.help_text, client_instructions = excluded.client_instructions,
				agent_instructions = excluded.agent_instructions,
			position = excluded.position, archived_at = NULL, updated_at = excluded.updated_at
		RETURNING field_type`,
		pgx.NamedArgs{"workspace": tx.ws, "id": NewID(), "groupId": group, "code": t.Code, "label": t.Label,
			"fieldType": t.FieldType, "isRequired": t.IsRequired, "config": nullJSON(t.Config),
			"conditions": nullJSON(t.Conditions), "validationRules": rules, "helpText": dossier.OrNil(t.HelpText),
			"clientInstructions": dossier.OrNil(t.ClientInstructions),
			"agentInstructions":  dossier.OrNil(t.AgentInstructions),
			"position":           position, "now": tx.now}).Scan(&stored)
	if err == nil && stored != t.FieldType {
		return dossier.Errorf(dossier.Conflict,
			"checklist item %s is %s and cannot become %s, since leads have answered it; give the new item another "+
				"code", t.Code, stored, t.FieldType)
	}
	return err
}

func exportTemplate(ctx context.Context, tx *tx, c *dossier.WorkspaceConfig) error {
	rows, err := tx.Query(ctx, `SELECT key, name, conditions FROM checklist_groups
		WHERE workspace_id = $1 AND archived_at IS NULL ORDER BY position, key`, tx.ws)
	if err != nil {
		return err
	}
	c.Groups, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (g dossier.TemplateGroup, err error) {
		err = row.Scan(&g.Key, &g.Name, &g.Conditions)
		return g, err
	})
	if err != nil {
		return err
	}
	groups := map[string]*dossier.TemplateGroup{}
	for i := range c.Groups {
		groups[c.Groups[i].Key] = &c.Groups[i]
	}
	rows, err = tx.Query(ctx, `
		SELECT coalesce(g.key, ''), i.code, i.label, i.field_type, i.is_required, i.config, i.conditions,
			i.validation_rules,
		       coalesce(i.help_text, ''), coalesce(i.client_instructions, ''), coalesce(i.agent_instructions, '')
		FROM checklist_items i LEFT JOIN checklist_groups g ON g.workspace_id = i.workspace_id AND g.id = i.group_id
		WHERE i.workspace_id = $1 AND i.lead_id IS NULL AND i.archived_at IS NULL ORDER BY i.position, i.code`, tx.ws)
	if err != nil {
		return err
	}
	var key string
	var t dossier.TemplateItem
	_, err = pgx.ForEachRow(rows, []any{&key, &t.Code, &t.Label, &t.FieldType, &t.IsRequired, &t.Config, &t.Conditions,
		&t.ValidationRules,
		&t.HelpText, &t.ClientInstructions, &t.AgentInstructions}, func() error {
		item := t
		if g := groups[key]; g != nil {
			g.Items = append(g.Items, item)
		} else {
			c.Items = append(c.Items, item)
		}
		t.Config, t.Conditions, t.ValidationRules = nil, nil, nil // the next row must not write into these
		return nil
	})
	return err
}

// spreadToOpenLeads puts template items that open leads do not have on their checklists, and looks among the documents
// of those leads for ones that serve the new items.
func spreadToOpenLeads(ctx context.Context, tx *tx) (added int64, err error) {
	var leads []dossier.LeadID
	err = tx.QueryRow(ctx, `
		WITH added AS (
			INSERT INTO checklist_entries (workspace_id, id, lead_id, item_id, code, created_at, updated_at)
			SELECT l.workspace_id, gen_random_uuid(), l.id, i.id, i.code, $2, $2
			FROM leads l JOIN checklist_items i ON i.workspace_id = l.workspace_id AND i.lead_id IS NULL
				AND i.archived_at IS NULL
			WHERE l.workspace_id = $1 AND l.deleted_at IS NULL AND l.closing_status IS NULL
			FOR KEY SHARE OF l -- it does not go meanwhile
			ON CONFLICT (workspace_id, lead_id, code) DO NOTHING
			RETURNING lead_id, item_id)
		SELECT count(*), coalesce(array_agg(DISTINCT a.lead_id) FILTER (WHERE i.field_type IN ('BANK_STATEMENT', 'FILE',
			'ID', 'TAX_RETURN')), '{}')
		FROM added a JOIN checklist_items i ON i.workspace_id = $1 AND i.id = a.item_id`, tx.ws, tx.now).Scan(&added,
		&leads)
	if err != nil {
		return 0, err
	}
	return added, rematchLeads(ctx, tx, leads)
}

func applyAgents(ctx context.Context, tx *tx, agents []dossier.AgentConfig) error {
	keys := []string{}
	for _, a := range agents {
		keys = append(keys, a.Key)
		_, err := tx.Exec(ctx, `
			INSERT INTO agents (workspace_id, id, key, name, mode, channels, settings, created_at, updated_at)
			VALUES (@workspace, @id, @key, @name, @mode, @channels, @settings, @now, @now)
			ON CONFLICT (workspace_id, key) DO UPDATE SET name = excluded.name, mode = excluded.mode,
				channels = excluded.channels,
				settings = excluded.settings, archived_at = NULL, updated_at = excluded.updated_at
			WHERE (agents.name, agents.mode, agents.channels, agents.settings, agents.archived_at IS NULL) IS DISTINCT
				FROM
			      (excluded.name, excluded.mode, excluded.channels, excluded.settings, true)`,
			pgx.NamedArgs{"workspace": tx.ws, "id": NewID(), "key": a.Key, "name": a.Name, "mode": a.Mode,
				"channels": a.Channels, "settings": mustJSON(agentSettings{a.Instructions}), "now": tx.now})
		if err != nil {
			return err
		}
	}
	_, err := tx.Exec(ctx, `UPDATE agents SET archived_at = $3 WHERE workspace_id = $1 AND archived_at IS NULL
		AND NOT (key = ANY($2))`, tx.ws, keys, tx.now)
	return err
}

type agentSettings struct {
	Instructions string `json:"instructions,omitempty"`
}

func exportAgents(ctx context.Context, tx *tx) ([]dossier.AgentConfig, error) {
	rows, err := tx.Query(ctx, `SELECT key, name, mode, channels, settings FROM agents
		WHERE workspace_id = $1 AND archived_at IS NULL ORDER BY created_at, id`, tx.ws)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (a dossier.AgentConfig, err error) {
		var settings agentSettings
		err = row.Scan(&a.Key, &a.Name, &a.Mode, &a.Channels, &settings)
		a.Instructions = settings.Instructions
		return a, err
	})
}

// scheduleJSON and followUpsJSON are how a workflow's times are kept.
type scheduleJSON struct {
	Every    string   `json:"every,omitempty"`
	At       []string `json:"at,omitempty"`
	Weekdays []string `json:"weekdays,omitempty"`
	Max      int      `json:"max,omitempty"`
	StopWhen []string `json:"stopWhen,omitempty"`
}

type followUpsJSON struct {
	Every string `json:"every"`
	Max   int    `json:"max"`
}

func applyWorkflows(ctx context.Context, tx *tx, workflows []dossier.WorkflowConfig) error {
	keys := []string{}
	for _, w := range workflows {
		keys = append(keys, w.Key)
		var schedule, followUps []byte
		if w.Schedule != nil {
			schedule = mustJSON(scheduleJSON{durationText(w.Schedule.Every), w.Schedule.At, w.Schedule.Weekdays,
				w.Schedule.Max, w.Schedule.StopWhen})
		}
		if w.FollowUps != nil {
			followUps = mustJSON(followUpsJSON{durationText(w.FollowUps.Every), w.FollowUps.Max})
		}
		var stored dossier.WorkflowType
		err := tx.QueryRow(ctx, `
			INSERT INTO workflows (workspace_id, id, key, name, type, manual_completion, completes_lead, schedule,
				follow_ups, message, created_at, updated_at)
			VALUES (@workspace, @id, @key, @name, @type, @manualCompletion, @completesLead, @schedule, @followUps,
				@message, @now, @now)
			ON CONFLICT (workspace_id, key) DO UPDATE SET name = excluded.name,
				manual_completion = excluded.manual_completion,
				completes_lead = excluded.completes_lead, schedule = excluded.schedule,
					follow_ups = excluded.follow_ups, message = excluded.message,
				archived_at = NULL, updated_at = CASE WHEN
					(workflows.name, workflows.manual_completion, workflows.completes_lead, workflows.schedule,
						workflows.follow_ups, workflows.message)
					IS DISTINCT FROM (excluded.name, excluded.manual_completion, excluded.completes_lead,
						excluded.schedule, excluded.follow_ups, excluded.message)
					THEN excluded.updated_at ELSE workflows.updated_at END
			RETURNING type`,
			pgx.NamedArgs{"workspace": tx.ws, "id": NewID(), "key": w.Key, "name": w.Name, "type": w.Type,
				"manualCompletion": w.ManualCompletion, "completesLead": w.CompletesLead, "schedule": schedule,
				"followUps": followUps, "message": dossier.OrNil(w.Message), "now": tx.now}).Scan(&stored)
		if err != nil {
			return err
		}
		if stored != w.Type {
			return dossier.Errorf(dossier.Conflict,
				"workflow %s is %s and cannot become %s; give the new workflow another key", w.Key, stored, w.Type)
		}
	}
	_, err := tx.Exec(ctx, `UPDATE workflows SET archived_at = $3 WHERE workspace_id = $1 AND archived_at IS NULL
		AND NOT (key = ANY($2))`, tx.ws, keys, tx.now)
	return err
}

func exportWorkflows(ctx context.Context, tx *tx) ([]dossier.WorkflowConfig, error) {
	rows, err := tx.Query(ctx, `SELECT key, name, type, manual_completion, completes_lead, schedule, follow_ups,
		coalesce(message, '')
		FROM workflows WHERE workspace_id = $1 AND archived_at IS NULL ORDER BY created_at, id`, tx.ws)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (w dossier.WorkflowConfig, err error) {
		var schedule *scheduleJSON
		var followUps *followUpsJSON
		if err := row.Scan(&w.Key, &w.Name, &w.Type, &w.ManualCompletion, &w.CompletesLead, &schedule, &followUps,
			&w.Message); err != nil {
			return w, err
		}
		if schedule != nil {
			w.Schedule = &dossier.ReminderSchedule{Every: durationOf(schedule.Every), At: schedule.At,
				Weekdays: schedule.Weekdays, Max: schedule.Max, StopWhen: schedule.StopWhen}
		}
		if followUps != nil {
			w.FollowUps = &dossier.FollowUps{Every: durationOf(followUps.Every), Max: followUps.Max}
		}
		return w, nil
	})
}

func durationText(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

// durationOf reads what durationText wrote.
func durationOf(s string) time.Duration {
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0
	}
	return d
}

func nullJSON(raw json.RawMessage) []byte {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return raw
}
