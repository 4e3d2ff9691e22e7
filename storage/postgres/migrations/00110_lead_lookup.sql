-- Looking leads up by email. Under row-level security an index on lower(email) is never used: the planner applies a
-- function that might leak its argument only after the policy. Plain equality of a stored column is not held back.

-- +goose Up
ALTER TABLE leads ADD COLUMN email_folded text GENERATED ALWAYS AS (lower(email)) STORED;
DROP INDEX leads_email;
CREATE INDEX leads_email ON leads (workspace_id, email_folded) WHERE deleted_at IS NULL;
DROP INDEX leads_phone;
CREATE INDEX leads_phone ON leads (workspace_id, phone_number) WHERE deleted_at IS NULL;

-- +goose Down
DROP INDEX leads_email;
CREATE INDEX leads_email ON leads (workspace_id, lower(email)) WHERE email IS NOT NULL AND deleted_at IS NULL;
DROP INDEX leads_phone;
CREATE INDEX leads_phone ON leads (workspace_id, phone_number) WHERE phone_number IS NOT NULL AND deleted_at IS NULL;
ALTER TABLE leads DROP COLUMN email_folded;
