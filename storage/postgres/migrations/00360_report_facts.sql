-- report_leads keeps, beside what a lead counts for, what analytics say of it, so that pages and exports read one row a
-- lead in their order instead of ten entries. Whatever shows is noted as a change now, not only what counts.

-- +goose Up
TRUNCATE report_leads, report_hours, report_changes;
ALTER TABLE report_leads ADD COLUMN facts bytea NOT NULL; -- see report_facts.go
DROP INDEX report_leads_created;
CREATE INDEX report_leads_order ON report_leads (workspace_id, created_at, lead_id) INCLUDE (items);

DROP TRIGGER report_changed ON leads;
CREATE TRIGGER report_changed AFTER UPDATE ON leads FOR EACH ROW
  WHEN ((OLD.created_at, OLD.is_test, OLD.deleted_at IS NULL, OLD.completed_at, OLD.not_interested_at, OLD.opt_out_at, OLD.first_name, OLD.last_name, OLD.email, OLD.phone_number)
    IS DISTINCT FROM (NEW.created_at, NEW.is_test, NEW.deleted_at IS NULL, NEW.completed_at, NEW.not_interested_at, NEW.opt_out_at, NEW.first_name, NEW.last_name, NEW.email, NEW.phone_number))
  EXECUTE FUNCTION report_lead_changed('id');

DROP TRIGGER report_changed ON checklist_entries;
CREATE TRIGGER report_changed AFTER UPDATE ON checklist_entries FOR EACH ROW
  WHEN ((OLD.status, OLD.source, OLD.value, OLD.item_id, OLD.updated_at) IS DISTINCT FROM (NEW.status, NEW.source, NEW.value, NEW.item_id, NEW.updated_at))
  EXECUTE FUNCTION report_lead_changed('lead_id');

DROP TRIGGER report_changed ON checklist_items;
CREATE TRIGGER report_changed AFTER UPDATE ON checklist_items FOR EACH ROW
  WHEN ((OLD.code, OLD.is_required, OLD.conditions, OLD.group_id, OLD.position, OLD.created_at)
    IS DISTINCT FROM (NEW.code, NEW.is_required, NEW.conditions, NEW.group_id, NEW.position, NEW.created_at))
  EXECUTE FUNCTION report_items_changed();
DROP TRIGGER report_changed ON checklist_groups;
CREATE TRIGGER report_changed AFTER UPDATE ON checklist_groups FOR EACH ROW
  WHEN ((OLD.key, OLD.position, OLD.conditions) IS DISTINCT FROM (NEW.key, NEW.position, NEW.conditions))
  EXECUTE FUNCTION report_groups_changed();

DROP TRIGGER report_changed ON messages;
CREATE TRIGGER report_changed AFTER UPDATE ON messages FOR EACH ROW
  WHEN ((OLD.status IN ('RECEIVED', 'SENT', 'DELIVERED'), OLD.lead_id, OLD.direction, OLD.channel, coalesce(OLD.sent_at, OLD.delivered_at, OLD.created_at))
    IS DISTINCT FROM (NEW.status IN ('RECEIVED', 'SENT', 'DELIVERED'), NEW.lead_id, NEW.direction, NEW.channel, coalesce(NEW.sent_at, NEW.delivered_at, NEW.created_at)))
  EXECUTE FUNCTION report_lead_changed('lead_id');

INSERT INTO report_changes SELECT workspace_id, id FROM leads;

-- +goose Down
TRUNCATE report_leads, report_hours, report_changes;
DROP INDEX report_leads_order;
CREATE INDEX report_leads_created ON report_leads (workspace_id, created_at);
ALTER TABLE report_leads DROP COLUMN facts;
INSERT INTO report_changes SELECT workspace_id, id FROM leads;
