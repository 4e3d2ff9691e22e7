-- +goose Up
CREATE TABLE checklist_groups (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  id           uuid NOT NULL,
  key          text NOT NULL,          -- identity in the workspace file; upper-cased it is the group's code
  name         text NOT NULL,
  position     int NOT NULL,
  conditions   jsonb,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL,
  archived_at  timestamptz,            -- no longer put on new leads
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, key)
);
CALL tenant_table('checklist_groups');

-- A definition: of the template (lead_id NULL) or one lead's own.
CREATE TABLE checklist_items (
  workspace_id        uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  id                  uuid NOT NULL,
  group_id            uuid,
  lead_id             uuid,
  code                text NOT NULL,
  label               text NOT NULL,
  field_type          text NOT NULL,
  is_required         boolean NOT NULL DEFAULT true,
  config              jsonb,
  conditions          jsonb,
  validation_rules    text[] NOT NULL DEFAULT '{}',
  help_text           text,
  client_instructions text,
  agent_instructions  text,
  position            int NOT NULL DEFAULT 0,
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL,
  archived_at         timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, group_id) REFERENCES checklist_groups (workspace_id, id),
  FOREIGN KEY (workspace_id, lead_id) REFERENCES leads (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX checklist_items_template_code ON checklist_items (workspace_id, code) WHERE lead_id IS NULL;
CREATE INDEX checklist_items_lead ON checklist_items (workspace_id, lead_id) WHERE lead_id IS NOT NULL;
CALL tenant_table('checklist_items');

-- An item on one lead's checklist.
CREATE TABLE checklist_entries (
  workspace_id     uuid NOT NULL,
  id               uuid NOT NULL,
  lead_id          uuid NOT NULL,
  item_id          uuid NOT NULL,
  code             text NOT NULL,      -- the item's: unique on a lead
  status           text NOT NULL DEFAULT 'TODO' CHECK (status IN ('TODO', 'COMPLETED', 'INVALID', 'SKIPPED', 'NEEDS_REVIEW')),
  value            jsonb,
  secret_value     bytea,              -- an SSN, encrypted; value then holds the masked form
  source           text CHECK (source IN ('agent', 'imported', 'manual', 'portal')),
  alternate_values jsonb NOT NULL DEFAULT '[]',
  validation_error text,
  item_override    jsonb,
  auto_skipped     boolean NOT NULL DEFAULT false,
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, lead_id) REFERENCES leads (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, item_id) REFERENCES checklist_items (workspace_id, id)
);
CREATE UNIQUE INDEX checklist_entries_code ON checklist_entries (workspace_id, lead_id, code);
CREATE UNIQUE INDEX checklist_entries_item ON checklist_entries (workspace_id, item_id, lead_id);
CALL tenant_table('checklist_entries');

-- +goose Down
DROP TABLE checklist_entries, checklist_items, checklist_groups;
