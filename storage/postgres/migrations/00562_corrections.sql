-- What people say of facts, laid over what the machine read: extraction holds the facts that count, machine_extraction what was
-- read while there are corrections (else NULL: they are the same).

-- +goose Up
ALTER TABLE documents
  ADD COLUMN corrections jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN machine_extraction jsonb;

-- +goose Down
UPDATE documents SET extraction = machine_extraction WHERE machine_extraction IS NOT NULL AND extraction IS NOT NULL;
ALTER TABLE documents DROP COLUMN corrections, DROP COLUMN machine_extraction;
