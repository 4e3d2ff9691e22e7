-- An erasure is of a lead, of one document of it, or of a whole workspace.

-- +goose Up
ALTER TABLE erasures
  ADD COLUMN policy text NOT NULL DEFAULT '', -- the rule by which it came: request, grace, or one of the workspace's retention
  ALTER COLUMN lead_id DROP NOT NULL;         -- NULL: of a workspace

-- +goose Down
DELETE FROM erasures WHERE lead_id IS NULL;
ALTER TABLE erasures DROP COLUMN policy, ALTER COLUMN lead_id SET NOT NULL;
