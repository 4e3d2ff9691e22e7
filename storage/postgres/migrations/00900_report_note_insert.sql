-- What a statement inserts is noted by a statement of its own: together with the case of rows that go with their
-- workspace it was planned anew for every lead that is made, which cost as much as the insert.

-- +goose Up
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION report_leads_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO report_changes SELECT DISTINCT c.workspace_id, c.lead_id FROM changed c WHERE c.lead_id IS NOT NULL;
  ELSE
    INSERT INTO report_changes SELECT DISTINCT c.workspace_id, c.lead_id FROM changed c
      WHERE c.lead_id IS NOT NULL AND EXISTS (SELECT FROM workspaces w WHERE w.id = c.workspace_id);
  END IF;
  RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION report_leads_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO report_changes SELECT DISTINCT c.workspace_id, c.lead_id FROM changed c
    WHERE c.lead_id IS NOT NULL AND (TG_OP = 'INSERT' OR EXISTS (SELECT FROM workspaces w WHERE w.id = c.workspace_id));
  RETURN NULL;
END $$;
-- +goose StatementEnd
