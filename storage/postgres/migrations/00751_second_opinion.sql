-- What needs a second person waits as a review: who asked for it can neither claim nor decide that, and no key can. Samples of
-- what the machine completes say how often it is right.

-- +goose Up
ALTER TABLE reviews
  ADD COLUMN asker     text,                   -- of a second opinion: an address, or key:<id>
  ADD COLUMN operation jsonb;                  -- that waits for it
ALTER TABLE reviews
  ADD CONSTRAINT reviews_second_person CHECK (code <> 'second_opinion' OR state <> 'DECIDED'
    OR asker IS NOT NULL AND decider IS NOT NULL AND decider LIKE '%@%' AND decider <> asker),
  ADD CONSTRAINT reviews_second_claim CHECK (code <> 'second_opinion' OR claimed_by IS NULL
    OR asker IS NOT NULL AND claimed_by LIKE '%@%' AND claimed_by <> asker);

ALTER TABLE erasures
  ADD COLUMN four_eyes boolean NOT NULL DEFAULT false,
  ADD COLUMN asker     text,
  ADD COLUMN agreed_by text,
  ADD COLUMN waits     boolean NOT NULL DEFAULT false; -- for a second person
ALTER TABLE erasures ADD CONSTRAINT erasures_second_person CHECK (NOT four_eyes OR waits AND status IN ('SCHEDULED', 'HELD', 'CANCELLED')
  OR asker IS NOT NULL AND agreed_by IS NOT NULL AND agreed_by LIKE '%@%' AND agreed_by <> asker) NOT VALID;
GRANT SELECT (waits) ON erasures TO dossier_system;

CREATE TABLE review_looks (
  workspace_id uuid NOT NULL,
  review_id    uuid NOT NULL,
  document_id  uuid NOT NULL,
  is_test      boolean NOT NULL,
  doc_type     text NOT NULL,
  field        text NOT NULL,
  looked_at    int NOT NULL,                   -- facts of the field
  correct      int NOT NULL,                   -- of these
  at           timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, review_id, document_id, doc_type, field),
  FOREIGN KEY (workspace_id, review_id) REFERENCES reviews (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX review_looks_at ON review_looks (workspace_id, at);
CREATE INDEX review_looks_document ON review_looks (workspace_id, document_id);
CALL tenant_table('review_looks');

-- +goose Down
DROP TABLE review_looks;
ALTER TABLE erasures DROP COLUMN waits, DROP COLUMN four_eyes, DROP COLUMN asker, DROP COLUMN agreed_by;
ALTER TABLE reviews DROP COLUMN asker, DROP COLUMN operation;
