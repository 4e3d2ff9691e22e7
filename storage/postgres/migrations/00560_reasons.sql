-- Reasons are codes with their values from now on; what was judged before keeps its sentence as one value. A doubt was known by the
-- beginning of its sentence; here that is read for the last time. The old column stays for a release that still names it; nobody writes it.

-- +goose Up
ALTER TABLE checklist_entries ADD COLUMN reasons jsonb NOT NULL DEFAULT '[]';
UPDATE checklist_entries SET reasons = jsonb_build_array(jsonb_build_object('code', 'earlier', 'args', jsonb_build_object('text', validation_error), 'citations', '[]'::jsonb))
  WHERE validation_error IS NOT NULL;
UPDATE document_associations SET validation_result = jsonb_set(validation_result, '{validationResults}', (
    SELECT coalesce(jsonb_agg(r || CASE
        WHEN (r->>'isValid')::boolean IS FALSE AND r->>'isValidReason' LIKE 'needs a person: rule not understood%'
          THEN jsonb_build_object('code', 'rule_not_understood', 'args', '{}'::jsonb)
        WHEN (r->>'isValid')::boolean IS FALSE AND r->>'isValidReason' LIKE 'needs a person: %'
          THEN jsonb_build_object('code', 'earlier_doubt', 'args', jsonb_build_object('text', substr(r->>'isValidReason', 17)))
        ELSE jsonb_build_object('code', 'earlier', 'args', jsonb_build_object('text', r->>'isValidReason'))
      END || '{"citations": [], "wouldPassIf": null}'::jsonb ORDER BY n), '[]'::jsonb)
    FROM jsonb_array_elements(validation_result->'validationResults') WITH ORDINALITY AS results (r, n)))
  WHERE jsonb_typeof(validation_result->'validationResults') = 'array';

-- +goose Down
ALTER TABLE checklist_entries DROP COLUMN reasons;
