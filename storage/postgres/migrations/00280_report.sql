-- What analytics total up. report_leads holds what counts of one lead, report_hours the sums of those rows by the hour
-- (UTC) in which the leads were created. Both are folded from the raw tables, outside the commits that change them:
-- sums written inside would make all writers of a workspace queue for one row. report_changes names in the commit of
-- each change the lead it concerns; whoever reads counts those leads afresh, so totals are exact at every moment.

-- +goose Up
CREATE TABLE report_leads (
  workspace_id       uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  lead_id            uuid NOT NULL,
  created_at         timestamptz NOT NULL, -- the lead's
  leads              int NOT NULL,         -- 1: deleted and test leads have no row
  items              int NOT NULL,         -- length of the checklist
  completed_leads    int NOT NULL,
  not_interested     int NOT NULL,
  opted_out          int NOT NULL,
  email_in           int NOT NULL,
  email_out          int NOT NULL,
  sms_in             int NOT NULL,
  sms_out            int NOT NULL,
  whatsapp_in        int NOT NULL,
  whatsapp_out       int NOT NULL,
  required           int NOT NULL,
  completed          int NOT NULL,
  by_agent           int NOT NULL,
  by_imported        int NOT NULL,
  by_manual          int NOT NULL,
  by_portal          int NOT NULL,
  document_overrides int NOT NULL,
  escalations        int NOT NULL,
  manual_updates     int NOT NULL,
  message_edits      int NOT NULL,
  message_rejects    int NOT NULL,
  PRIMARY KEY (workspace_id, lead_id)
) WITH (fillfactor = 80);
CREATE INDEX report_leads_created ON report_leads (workspace_id, created_at);
CALL tenant_table('report_leads');

CREATE TABLE report_hours (
  workspace_id       uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  hour               timestamptz NOT NULL,
  leads              bigint NOT NULL,
  items              bigint NOT NULL,
  completed_leads    bigint NOT NULL,
  not_interested     bigint NOT NULL,
  opted_out          bigint NOT NULL,
  email_in           bigint NOT NULL,
  email_out          bigint NOT NULL,
  sms_in             bigint NOT NULL,
  sms_out            bigint NOT NULL,
  whatsapp_in        bigint NOT NULL,
  whatsapp_out       bigint NOT NULL,
  required           bigint NOT NULL,
  completed          bigint NOT NULL,
  by_agent           bigint NOT NULL,
  by_imported        bigint NOT NULL,
  by_manual          bigint NOT NULL,
  by_portal          bigint NOT NULL,
  document_overrides bigint NOT NULL,
  escalations        bigint NOT NULL,
  manual_updates     bigint NOT NULL,
  message_edits      bigint NOT NULL,
  message_rejects    bigint NOT NULL,
  PRIMARY KEY (workspace_id, hour)
) WITH (fillfactor = 70);
CALL tenant_table('report_hours');

-- Rows are only added and, once folded, deleted: two changes of one lead never wait for each other, and a fold deletes
-- no row that it did not see.
CREATE TABLE report_changes (
  workspace_id uuid NOT NULL,
  lead_id      uuid NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX report_changes_lead ON report_changes (workspace_id, lead_id);
CALL tenant_table('report_changes');
CALL system_table('report_changes', 'SELECT (workspace_id)');

-- +goose StatementBegin
-- report_lead_changed notes the lead of the row. The argument is the column with its id.
CREATE FUNCTION report_lead_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_ARGV[0] = 'id' THEN
    INSERT INTO report_changes VALUES (NEW.workspace_id, NEW.id);
    RETURN NULL;
  END IF;
  IF NEW.lead_id IS NOT NULL THEN
    INSERT INTO report_changes VALUES (NEW.workspace_id, NEW.lead_id);
  END IF;
  IF TG_OP = 'UPDATE' AND OLD.lead_id <> NEW.lead_id THEN
    INSERT INTO report_changes VALUES (OLD.workspace_id, OLD.lead_id);
  END IF;
  RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
-- report_leads_changed notes the leads of all rows of a statement, once each. What goes with its workspace needs no note.
CREATE FUNCTION report_leads_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report_changes SELECT DISTINCT c.workspace_id, c.lead_id FROM changed c
    WHERE c.lead_id IS NOT NULL AND (TG_OP = 'INSERT' OR EXISTS (SELECT FROM workspaces w WHERE w.id = c.workspace_id));
  RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
-- report_items_changed notes the leads that have an item whose definition changed in what counts.
CREATE FUNCTION report_items_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report_changes SELECT e.workspace_id, e.lead_id FROM checklist_entries e WHERE e.workspace_id = NEW.workspace_id AND e.item_id = NEW.id;
  RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION report_groups_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report_changes SELECT DISTINCT e.workspace_id, e.lead_id
    FROM checklist_items i JOIN checklist_entries e ON e.workspace_id = i.workspace_id AND e.item_id = i.id
    WHERE i.workspace_id = NEW.workspace_id AND i.group_id = NEW.id;
  RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER report_added AFTER INSERT ON leads FOR EACH ROW EXECUTE FUNCTION report_lead_changed('id');
CREATE TRIGGER report_changed AFTER UPDATE ON leads FOR EACH ROW
  WHEN ((OLD.created_at, OLD.is_test, OLD.deleted_at IS NULL, OLD.completed_at IS NULL, OLD.not_interested_at IS NULL, OLD.opt_out_at IS NULL)
    IS DISTINCT FROM (NEW.created_at, NEW.is_test, NEW.deleted_at IS NULL, NEW.completed_at IS NULL, NEW.not_interested_at IS NULL, NEW.opt_out_at IS NULL))
  EXECUTE FUNCTION report_lead_changed('id');

CREATE TRIGGER report_added AFTER INSERT ON checklist_entries REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION report_leads_changed();
CREATE TRIGGER report_removed AFTER DELETE ON checklist_entries REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION report_leads_changed();
CREATE TRIGGER report_changed AFTER UPDATE ON checklist_entries FOR EACH ROW
  WHEN ((OLD.status, OLD.source, OLD.value, OLD.item_id) IS DISTINCT FROM (NEW.status, NEW.source, NEW.value, NEW.item_id))
  EXECUTE FUNCTION report_lead_changed('lead_id');

CREATE TRIGGER report_changed AFTER UPDATE ON checklist_items FOR EACH ROW
  WHEN ((OLD.code, OLD.is_required, OLD.conditions, OLD.group_id) IS DISTINCT FROM (NEW.code, NEW.is_required, NEW.conditions, NEW.group_id))
  EXECUTE FUNCTION report_items_changed();
CREATE TRIGGER report_changed AFTER UPDATE ON checklist_groups FOR EACH ROW
  WHEN (OLD.conditions IS DISTINCT FROM NEW.conditions)
  EXECUTE FUNCTION report_groups_changed();

CREATE TRIGGER report_added AFTER INSERT ON messages FOR EACH ROW
  WHEN (NEW.status IN ('RECEIVED', 'SENT', 'DELIVERED')) EXECUTE FUNCTION report_lead_changed('lead_id');
CREATE TRIGGER report_changed AFTER UPDATE ON messages FOR EACH ROW
  WHEN ((OLD.status IN ('RECEIVED', 'SENT', 'DELIVERED'), OLD.lead_id, OLD.direction, OLD.channel)
    IS DISTINCT FROM (NEW.status IN ('RECEIVED', 'SENT', 'DELIVERED'), NEW.lead_id, NEW.direction, NEW.channel))
  EXECUTE FUNCTION report_lead_changed('lead_id');
CREATE TRIGGER report_removed AFTER DELETE ON messages REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION report_leads_changed();

CREATE TRIGGER report_added AFTER INSERT ON interventions FOR EACH ROW EXECUTE FUNCTION report_lead_changed('lead_id');
CREATE TRIGGER report_removed AFTER DELETE ON interventions REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION report_leads_changed();

INSERT INTO report_changes SELECT workspace_id, id FROM leads;

-- +goose Down
DROP TRIGGER report_added ON leads;
DROP TRIGGER report_changed ON leads;
DROP TRIGGER report_added ON checklist_entries;
DROP TRIGGER report_removed ON checklist_entries;
DROP TRIGGER report_changed ON checklist_entries;
DROP TRIGGER report_changed ON checklist_items;
DROP TRIGGER report_changed ON checklist_groups;
DROP TRIGGER report_added ON messages;
DROP TRIGGER report_changed ON messages;
DROP TRIGGER report_removed ON messages;
DROP TRIGGER report_added ON interventions;
DROP TRIGGER report_removed ON interventions;
DROP FUNCTION report_lead_changed, report_leads_changed, report_items_changed, report_groups_changed;
DROP TABLE report_changes, report_hours, report_leads;
