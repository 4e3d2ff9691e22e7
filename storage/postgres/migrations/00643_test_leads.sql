-- +goose NO TRANSACTION
-- An externalLeadId is unique among live leads, and among test leads: a conflict tells a test key nothing of live leads.
-- The pages of test keys are a handful of leads among millions.

-- +goose Up
DROP INDEX CONCURRENTLY IF EXISTS leads_external_id_mode;
CREATE UNIQUE INDEX CONCURRENTLY leads_external_id_mode ON leads (workspace_id, external_lead_id, is_test) WHERE external_lead_id IS NOT NULL AND deleted_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS leads_external_id;
DROP INDEX CONCURRENTLY IF EXISTS leads_page_test;
CREATE INDEX CONCURRENTLY leads_page_test ON leads (workspace_id, created_at DESC, id DESC) WHERE is_test AND deleted_at IS NULL;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS leads_page_test;
DROP INDEX CONCURRENTLY IF EXISTS leads_external_id;
CREATE UNIQUE INDEX CONCURRENTLY leads_external_id ON leads (workspace_id, external_lead_id) WHERE external_lead_id IS NOT NULL AND deleted_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS leads_external_id_mode;
