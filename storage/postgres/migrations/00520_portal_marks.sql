-- The addresses of leads' pages and of the way out of our mails are keys. Stored and told text shows marks in their place from
-- now on; what was stored before is rewritten. They are put in when a message is sent.

-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION mark_links(t text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT regexp_replace(regexp_replace(t,
    'https?://[^\s<>"'']*?/portal/[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])', '{{portalLink}}', 'g'),
    'https?://[^\s<>"'']*?/unsubscribe/[A-Za-z0-9_-]{60,}', '{{unsubscribeLink}}', 'g')
$$;
-- +goose StatementEnd
UPDATE messages SET body = mark_links(body), subject = mark_links(subject), original_body = mark_links(original_body)
  WHERE (body, subject, original_body) IS DISTINCT FROM (mark_links(body), mark_links(subject), mark_links(original_body));
UPDATE messages SET template = ARRAY(SELECT mark_links(v) FROM unnest(template) WITH ORDINALITY AS t (v, n) ORDER BY n)
  WHERE template IS NOT NULL AND template::text <> mark_links(template::text);
UPDATE events SET body = mark_links(body) WHERE body <> mark_links(body);
UPDATE action_logs SET summary = mark_links(summary), input = mark_links(input::text)::jsonb, tool_calls = mark_links(tool_calls::text)::jsonb
  WHERE summary <> mark_links(summary) OR input::text <> mark_links(input::text) OR tool_calls::text <> mark_links(tool_calls::text);
UPDATE escalations SET reason = mark_links(reason), detail = mark_links(detail)
  WHERE (reason, detail) IS DISTINCT FROM (mark_links(reason), mark_links(detail));
UPDATE leads SET activity_summary = mark_links(activity_summary) WHERE activity_summary <> mark_links(activity_summary);
DROP FUNCTION mark_links;

-- +goose Down
SELECT 1;
