-- Social security numbers and ITINs that documents, messages and calls left in the clear show their last four figures from now
-- on: in what was read, in results, in what was told, in words. Kept words of documents follow when those are read again.

-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION mask_numbers(t text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT regexp_replace(regexp_replace(t,
    '(?<![0-9-])(?!000|666)[0-9]{3}([-–])(?!00)[0-9]{2}\1(?!0000)([0-9]{4})(?![0-9-])', '***-**-\2', 'g'),
    '("ssn"\s*:\s*)"[0-9]{5}([0-9]{4})"', '\1"***-**-\2"', 'g')
$$;
-- +goose StatementEnd
UPDATE documents SET extraction = mask_numbers(extraction::text)::jsonb
  WHERE extraction IS NOT NULL AND extraction::text <> mask_numbers(extraction::text);
UPDATE documents SET filename = mask_numbers(filename) WHERE filename <> mask_numbers(filename);
UPDATE pipeline_runs SET result = mask_numbers(result::text)::jsonb WHERE result IS NOT NULL AND result::text <> mask_numbers(result::text);
UPDATE pipeline_runs SET steps = mask_numbers(steps::text)::jsonb WHERE steps::text <> mask_numbers(steps::text);
UPDATE events SET body = mask_numbers(body) WHERE body <> mask_numbers(body);
UPDATE messages SET body = mask_numbers(body), subject = mask_numbers(subject), original_body = mask_numbers(original_body)
  WHERE (body, subject, original_body) IS DISTINCT FROM (mask_numbers(body), mask_numbers(subject), mask_numbers(original_body));
UPDATE action_logs SET summary = mask_numbers(summary), input = mask_numbers(input::text)::jsonb, tool_calls = mask_numbers(tool_calls::text)::jsonb
  WHERE summary <> mask_numbers(summary) OR input::text <> mask_numbers(input::text) OR tool_calls::text <> mask_numbers(tool_calls::text);
UPDATE escalations SET reason = mask_numbers(reason), detail = mask_numbers(detail)
  WHERE (reason, detail) IS DISTINCT FROM (mask_numbers(reason), mask_numbers(detail));
DROP FUNCTION mask_numbers;

-- +goose Down
SELECT 1;
