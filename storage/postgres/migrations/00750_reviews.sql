-- Reasons for somebody to look: they open in the commit of their cause and end with it, or by what a person decides.

-- +goose Up
ALTER TABLE workspaces ADD COLUMN review jsonb NOT NULL DEFAULT '{}'; -- what the file says, but for four_eyes

CREATE TABLE reviews (
  workspace_id  uuid NOT NULL,
  id            uuid NOT NULL,
  lead_id       uuid NOT NULL,
  is_test       boolean NOT NULL,              -- the lead's
  code          text NOT NULL,
  detail        text NOT NULL,
  mark          text NOT NULL,                 -- tells whether the cause is still the same
  subject_type  text NOT NULL CHECK (subject_type IN ('item', 'document', 'fact', 'spread', 'message', 'escalation', 'lead')),
  subject_id    uuid NOT NULL,
  part          int NOT NULL DEFAULT -1,       -- of a fact
  pointer       text NOT NULL DEFAULT '',
  item_label    text,
  amount        numeric,                       -- the lead's, as it is now
  priority      int NOT NULL,                  -- of the code: 1 is the most urgent
  created_at    timestamptz NOT NULL,
  due_at        timestamptz NOT NULL,
  state         text NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'DECIDED', 'OBSOLETE')),
  closed_at     timestamptz,
  assignee      text NOT NULL DEFAULT '',      -- an address or a group; empty: nobody
  claimed_by    text,                          -- an address, or key:<id>
  claimed_name  text,                          -- as it is shown
  claimed_until timestamptz,
  decision      text CHECK (decision IN ('accept', 'reject', 'correct', 'dismiss')),
  decider       text,                          -- an address, or key:<id>
  decided_by    text,                          -- as it is shown
  decided_at    timestamptz,
  reason_code   text,
  note          text,
  version       int NOT NULL DEFAULT 1,        -- moves with state and cause
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, lead_id) REFERENCES leads (workspace_id, id) ON DELETE CASCADE,
  CHECK ((state = 'DECIDED') = (decision IS NOT NULL))
);
CREATE UNIQUE INDEX reviews_cause ON reviews (workspace_id, subject_id, code, part, pointer) WHERE state = 'OPEN';
CREATE INDEX reviews_subject ON reviews (workspace_id, subject_id, code);
CREATE INDEX reviews_lead ON reviews (workspace_id, lead_id);
CREATE INDEX reviews_next ON reviews (workspace_id, assignee, code, due_at, created_at, id) WHERE state = 'OPEN';
CREATE INDEX reviews_counts ON reviews (workspace_id, is_test, code, due_at, assignee, claimed_by) WHERE state = 'OPEN';
CREATE INDEX reviews_due ON reviews (workspace_id, state, due_at, id);
CREATE INDEX reviews_age ON reviews (workspace_id, state, created_at, id);
CREATE INDEX reviews_amount ON reviews (workspace_id, state, coalesce(amount, -1) DESC, id);
CALL tenant_table('reviews');

-- +goose Down
DROP TABLE reviews;
ALTER TABLE workspaces DROP COLUMN review;
