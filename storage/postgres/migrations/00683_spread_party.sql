-- Spreads of one party of a lead, and of the cash flow of all of them together.

-- +goose Up
ALTER TABLE spreads ADD COLUMN party_id uuid,
  ADD COLUMN scope text NOT NULL DEFAULT 'party',
  ADD COLUMN distributions text; -- of a global one: k1, entity

-- +goose Down
ALTER TABLE spreads DROP COLUMN distributions, DROP COLUMN scope, DROP COLUMN party_id;
