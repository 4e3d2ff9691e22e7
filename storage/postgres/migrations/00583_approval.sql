-- Whether people stand by the figures of a spread. New figures ask anew; a run that gives the same ones does not.

-- +goose Up
ALTER TABLE workspaces ADD COLUMN four_eyes text[] NOT NULL DEFAULT '{}'; -- what needs a second person
ALTER TABLE spreads
  ADD COLUMN approval_state text NOT NULL DEFAULT 'DRAFT',
  ADD COLUMN approval_by    text,               -- as it is shown: who submitted, approved or returned
  ADD COLUMN approval_at    timestamptz,
  ADD COLUMN approval_note  text,
  ADD COLUMN submitter      text,               -- an address, or key:<id>
  ADD COLUMN approver       text,
  ADD COLUMN four_eyes      boolean NOT NULL DEFAULT false; -- when it was submitted
ALTER TABLE spreads ADD CONSTRAINT spreads_approval CHECK (approval_state IN ('DRAFT', 'SUBMITTED', 'APPROVED', 'RETURNED')) NOT VALID;
ALTER TABLE spreads ADD CONSTRAINT spreads_second_person CHECK (NOT four_eyes OR approval_state <> 'APPROVED'
  OR approver LIKE '%@%' AND approver <> submitter) NOT VALID;

-- +goose StatementBegin
CREATE FUNCTION spread_draft() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  NEW.approval_state := 'DRAFT';
  NEW.approval_by := NULL;
  NEW.approval_at := NULL;
  NEW.approval_note := NULL;
  NEW.submitter := NULL;
  NEW.approver := NULL;
  NEW.four_eyes := false;
  RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER spread_draft BEFORE UPDATE OF results ON spreads FOR EACH ROW
  WHEN (OLD.results::text IS DISTINCT FROM NEW.results::text AND OLD.approval_state <> 'DRAFT') EXECUTE FUNCTION spread_draft();

-- +goose Down
DROP TRIGGER spread_draft ON spreads;
DROP FUNCTION spread_draft;
ALTER TABLE spreads DROP COLUMN approval_state, DROP COLUMN approval_by, DROP COLUMN approval_at, DROP COLUMN approval_note, DROP COLUMN submitter,
  DROP COLUMN approver, DROP COLUMN four_eyes;
ALTER TABLE workspaces DROP COLUMN four_eyes;
