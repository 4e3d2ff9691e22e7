-- The audit is append only and a chain: each entry's hash is over the hash before it and the entry itself, in the order in
-- which the workspace's acts were committed. The version before still writes: what it leaves out the trigger puts in.

-- +goose Up
ALTER TABLE audit_entries
  ADD COLUMN actor_name        text,
  ADD COLUMN on_behalf_of      text,    -- x-actor of the call: whom the caller named, never who it was
  ADD COLUMN key_id            uuid,    -- the API key of the call
  ADD COLUMN address           text,    -- from which the call came
  ADD COLUMN caller_request_id text,    -- X-Request-Id as the caller wrote it; request_id is the server's own
  ADD COLUMN is_test           boolean NOT NULL DEFAULT false, -- of a test lead, or by a test key
  ADD COLUMN position          bigint,  -- place in the workspace's chain, from 1
  ADD COLUMN hash              text;
-- Entries outlive their workspace.
ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_workspace_id_fkey;

-- +goose StatementBegin
-- canonical_json is a value as RFC 8785 writes it; of numbers it takes whole ones.
CREATE FUNCTION canonical_json(v jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  CASE jsonb_typeof(v)
  WHEN 'object' THEN
    RETURN (SELECT '{' || coalesce(string_agg(to_json(key)::text || ':' || canonical_json(value), ',' ORDER BY key COLLATE "C"), '') || '}'
      FROM jsonb_each(v));
  WHEN 'array' THEN
    RETURN (SELECT '[' || coalesce(string_agg(canonical_json(value), ',' ORDER BY place), '') || ']'
      FROM jsonb_array_elements(v) WITH ORDINALITY AS e (value, place));
  WHEN 'string' THEN
    RETURN to_json(v #>> '{}')::text;
  ELSE
    RETURN v::text;
  END CASE;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
-- audit_hash is the hash of an entry behind the hash before it: as GET /api/v1/audit shows the entry, without its hash.
CREATE FUNCTION audit_hash(previous text, e audit_entries) RETURNS text LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT encode(sha256(convert_to(previous || canonical_json(jsonb_build_object(
    'id', e.id, 'at', to_char(e.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'action', e.action,
    'subject', jsonb_build_object('type', split_part(e.subject, ':', 1), 'id', split_part(e.subject, ':', 2)),
    'actor', jsonb_build_object('type', CASE WHEN e.actor LIKE '%:%' THEN split_part(e.actor, ':', 1) ELSE 'system' END,
      'id', nullif(split_part(e.actor, ':', 2), ''), 'name', e.actor_name),
    'onBehalfOf', e.on_behalf_of, 'keyId', e.key_id, 'address', e.address, 'requestId', e.request_id,
    'callerRequestId', e.caller_request_id, 'details', e.detail)), 'UTF8')), 'hex')
$$;
-- +goose StatementEnd
-- +goose StatementBegin
-- audit_fill completes an entry of a version that knew only key:<id>, operator, system or the x-actor of the call.
CREATE FUNCTION audit_fill(e audit_entries) RETURNS audit_entries LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF e.actor LIKE '%@%' THEN
    e.on_behalf_of := coalesce(e.on_behalf_of, e.actor);
    e.actor := 'key:';
  ELSIF e.actor = 'operator' THEN
    e.actor_name := 'operator';
    e.actor := 'system';
  END IF;
  IF e.actor = 'system' THEN
    e.actor_name := coalesce(e.actor_name, 'dossier');
  ELSIF e.actor ~ '^key:.' THEN
    e.key_id := coalesce(e.key_id, split_part(e.actor, ':', 2)::uuid);
  END IF;
  e.created_at := date_trunc('milliseconds', e.created_at);
  RETURN e;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
DO $$
DECLARE
  e audit_entries;
  tenant uuid;
  place bigint := 0;
  last text;
BEGIN
  FOR e IN SELECT * FROM audit_entries ORDER BY workspace_id, created_at, id LOOP
    IF tenant IS DISTINCT FROM e.workspace_id THEN
      tenant := e.workspace_id;
      place := 0;
      last := repeat('0', 64);
    END IF;
    e := audit_fill(e);
    e.detail := e.detail - 'url';
    place := place + 1;
    last := audit_hash(last, e);
    UPDATE audit_entries SET actor = e.actor, actor_name = e.actor_name, on_behalf_of = e.on_behalf_of, key_id = e.key_id,
      created_at = e.created_at, detail = e.detail, position = place, hash = last
      WHERE workspace_id = e.workspace_id AND id = e.id;
  END LOOP;
END $$;
-- +goose StatementEnd
ALTER TABLE audit_entries ALTER COLUMN position SET NOT NULL, ALTER COLUMN hash SET NOT NULL;
CREATE UNIQUE INDEX audit_entries_chain ON audit_entries (workspace_id, position);

-- +goose StatementBegin
-- audit_append puts an entry at the end of its workspace's chain. Acts of one workspace that commit at once take turns.
CREATE FUNCTION audit_append() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  last record;
BEGIN
  PERFORM pg_advisory_xact_lock(4218010, hashtext(NEW.workspace_id::text));
  SELECT a.position, a.hash INTO last FROM audit_entries a WHERE a.workspace_id = NEW.workspace_id ORDER BY a.position DESC LIMIT 1;
  NEW := audit_fill(NEW);
  NEW.position := coalesce(last.position, 0) + 1;
  NEW.hash := audit_hash(coalesce(last.hash, repeat('0', 64)), NEW);
  RETURN NEW;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION audit_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are never changed or removed';
END $$;
-- +goose StatementEnd
CREATE TRIGGER audit_append BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION audit_append();
CREATE TRIGGER audit_keep BEFORE UPDATE OR DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION audit_keep();
CREATE TRIGGER audit_keep_all BEFORE TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION audit_keep();
REVOKE UPDATE, DELETE ON audit_entries FROM dossier_app;

-- +goose Down
DROP TRIGGER audit_keep_all ON audit_entries;
DROP TRIGGER audit_keep ON audit_entries;
DROP TRIGGER audit_append ON audit_entries;
DROP FUNCTION audit_keep;
DROP FUNCTION audit_append;
DROP INDEX audit_entries_chain;
DROP FUNCTION audit_fill;
DROP FUNCTION audit_hash;
DROP FUNCTION canonical_json;
ALTER TABLE audit_entries DROP COLUMN actor_name, DROP COLUMN on_behalf_of, DROP COLUMN key_id, DROP COLUMN address,
  DROP COLUMN caller_request_id, DROP COLUMN is_test, DROP COLUMN position, DROP COLUMN hash;
GRANT UPDATE, DELETE ON audit_entries TO dossier_app;
