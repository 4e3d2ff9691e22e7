-- Who belongs to a lead: borrower, guarantors, affiliates, owners; and whose the documents of a file are.

-- +goose Up
CREATE TABLE parties (
  workspace_id   uuid NOT NULL,
  id             uuid NOT NULL,
  lead_id        uuid NOT NULL,
  name           text,                   -- NULL, of the primary one: that of the lead
  kind           text CHECK (kind IN ('business', 'person')), -- NULL: what the lead is
  role           text NOT NULL CHECK (role IN ('borrower', 'guarantor', 'affiliate', 'owner')),
  tax_id_last4   text,
  is_primary     boolean NOT NULL DEFAULT false,
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, lead_id) REFERENCES leads (workspace_id, id) ON DELETE CASCADE,
  CHECK (is_primary OR name IS NOT NULL AND kind IS NOT NULL)
);
CREATE UNIQUE INDEX parties_primary ON parties (workspace_id, lead_id) WHERE is_primary;
CREATE INDEX parties_lead ON parties (workspace_id, lead_id);
CALL tenant_table('parties');

CREATE TABLE document_parties (
  workspace_id uuid NOT NULL,
  document_id  uuid NOT NULL,
  part         int NOT NULL,             -- place in extraction.documents, from 0
  lead_id      uuid NOT NULL,
  party_id     uuid,                     -- NULL: a person said that it is nobody's
  by_person    boolean NOT NULL DEFAULT false,
  PRIMARY KEY (workspace_id, document_id, part),
  FOREIGN KEY (workspace_id, document_id) REFERENCES documents (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX document_parties_lead ON document_parties (workspace_id, lead_id);
CALL tenant_table('document_parties');

-- +goose Down
DROP TABLE document_parties, parties;
