-- Items, links and files of one party of a lead: each party has a page of its own.

-- +goose Up
ALTER TABLE checklist_items ADD COLUMN party_id uuid;
ALTER TABLE portal_links ADD COLUMN party_id uuid;    -- NULL: the lead's own page
ALTER TABLE documents ADD COLUMN page_party_id uuid;  -- of a file that came through a party's page: whose

-- +goose Down
DELETE FROM portal_links WHERE party_id IS NOT NULL;
ALTER TABLE documents DROP COLUMN page_party_id;
ALTER TABLE portal_links DROP COLUMN party_id;
ALTER TABLE checklist_items DROP COLUMN party_id;
