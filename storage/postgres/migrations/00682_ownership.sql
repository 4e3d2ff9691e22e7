-- Who owns whom among the parties of a lead, and what they owe. Shares are what each K-1 prints; which of them count is
-- reckoned when they are read.

-- +goose Up
CREATE TABLE ownership_edges (
  workspace_id uuid NOT NULL,
  lead_id      uuid NOT NULL,
  owner_id     uuid NOT NULL,
  owned_id     uuid NOT NULL,
  percent      numeric NOT NULL,
  document_id  uuid,
  position     int NOT NULL,
  PRIMARY KEY (workspace_id, lead_id, owner_id, owned_id),
  FOREIGN KEY (workspace_id, lead_id) REFERENCES leads (workspace_id, id) ON DELETE CASCADE
);
CALL tenant_table('ownership_edges');

CREATE TABLE ownership_shares (
  workspace_id uuid NOT NULL,
  document_id  uuid NOT NULL,
  part         int NOT NULL,
  lead_id      uuid NOT NULL,
  owner_id     uuid NOT NULL,
  owned_id     uuid NOT NULL,
  percent      numeric NOT NULL,
  year         int NOT NULL,
  PRIMARY KEY (workspace_id, document_id, part),
  FOREIGN KEY (workspace_id, document_id) REFERENCES documents (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX ownership_shares_lead ON ownership_shares (workspace_id, lead_id);
CALL tenant_table('ownership_shares');

CREATE TABLE debts (
  workspace_id uuid NOT NULL,
  id           uuid NOT NULL,
  lead_id      uuid NOT NULL,
  party_id     uuid NOT NULL,
  position     int NOT NULL,
  lender       text NOT NULL,
  kind         text NOT NULL,
  balance      numeric NOT NULL,
  rate         numeric,
  payment      numeric NOT NULL,
  frequency    text NOT NULL,
  maturity     date,
  secured      boolean NOT NULL,
  source       text NOT NULL CHECK (source IN ('statement', 'manual')),
  document_id  uuid,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, lead_id) REFERENCES leads (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX debts_lead ON debts (workspace_id, lead_id);
CALL tenant_table('debts');

-- +goose Down
DROP TABLE debts, ownership_shares, ownership_edges;
