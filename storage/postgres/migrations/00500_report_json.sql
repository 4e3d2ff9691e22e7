-- What analytics say of a lead is kept as JSON with names, which anybody can read and no release decodes by place.

-- +goose Up
TRUNCATE report_leads, report_hours, report_changes;
ALTER TABLE report_leads DROP COLUMN facts;
ALTER TABLE report_leads ADD COLUMN facts jsonb NOT NULL; -- see report_facts.go
INSERT INTO report_changes SELECT workspace_id, id FROM leads;

-- +goose Down
TRUNCATE report_leads, report_hours, report_changes;
ALTER TABLE report_leads DROP COLUMN facts;
ALTER TABLE report_leads ADD COLUMN facts bytea NOT NULL;
INSERT INTO report_changes SELECT workspace_id, id FROM leads;
