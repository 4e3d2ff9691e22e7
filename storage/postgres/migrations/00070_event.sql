-- Events, the feed that gives them their order, and their way to the endpoints.

-- +goose Up
CREATE TABLE events (
  workspace_id uuid NOT NULL,
  id           uuid NOT NULL,
  type         text NOT NULL,
  lead_id      uuid,
  body         text NOT NULL,          -- the exact bytes that are signed: never jsonb, which reorders keys
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX events_age ON events (created_at);
CALL tenant_table('events');
CALL system_table('events', 'SELECT, DELETE');

-- An event waits here from its commit until the dispatcher gives it a place in the feed. Its number is drawn while
-- the change is not yet committed, so it says nothing about the order of commits: the feed's position does.
CREATE TABLE event_inbox (
  seq          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace_id uuid NOT NULL,
  event_id     uuid NOT NULL,
  type         text NOT NULL,
  lead_id      uuid,
  also_webhook_id uuid,                -- gets it whatever its filter says
  created_at   timestamptz NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);
CALL tenant_table('event_inbox');
CALL system_table('event_inbox', 'SELECT, DELETE');

-- Positions are given by one dispatcher at a time, in transactions that follow each other: a position that can be
-- read has no smaller one still to come.
CREATE SEQUENCE event_positions;
GRANT USAGE ON SEQUENCE event_positions TO dossier_system;
CREATE TABLE event_feed (
  workspace_id uuid NOT NULL,
  position     bigint NOT NULL,
  event_id     uuid NOT NULL,
  type         text NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, position)
);
CREATE INDEX event_feed_event ON event_feed (workspace_id, event_id);
CREATE INDEX event_feed_age ON event_feed (created_at);
CALL tenant_table('event_feed');
CALL system_table('event_feed', 'SELECT, INSERT, DELETE');

CREATE TABLE webhooks (
  workspace_id      uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  id                uuid NOT NULL,
  url               text NOT NULL,
  description       text NOT NULL DEFAULT '',
  headers           bytea,              -- [{key, value}], encrypted
  header_keys       text[] NOT NULL DEFAULT '{}',
  events            text[],             -- NULL: all
  is_enabled        boolean NOT NULL DEFAULT true,
  disabled_reason   text NOT NULL DEFAULT '',
  rate_limit        int NOT NULL DEFAULT 0, -- per second, 0: none
  secret            bytea NOT NULL,     -- encrypted
  old_secret        bytea,
  old_secret_until  timestamptz,
  failing_since     timestamptz,        -- first of an unbroken row of failures
  last_failure_at   timestamptz,
  breaker           jsonb,              -- dossier.Breaker; NULL: nothing failed lately
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  deleted_at        timestamptz,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX webhooks_page ON webhooks (workspace_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CALL tenant_table('webhooks');
CALL system_table('webhooks', 'SELECT');

-- A delivery's first try is made by its endpoint's drain, all later ones by a job of its own.
CREATE TABLE deliveries (
  workspace_id    uuid NOT NULL,
  id              uuid NOT NULL,
  webhook_id      uuid NOT NULL,
  event_id        uuid NOT NULL,
  position        bigint NOT NULL,     -- of the event in the feed
  event_type      text NOT NULL,
  lead_id         uuid,
  status          text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'SUCCEEDED', 'FAILED', 'SKIPPED', 'CANCELLED')),
  attempts        int NOT NULL DEFAULT 0, -- ever made
  tries           int NOT NULL DEFAULT 0, -- of them, since it was last (re)delivered
  next_attempt_at timestamptz,
  last_status     int NOT NULL DEFAULT 0,
  last_error      text NOT NULL DEFAULT '',
  created_at      timestamptz NOT NULL,
  completed_at    timestamptz,
  PRIMARY KEY (workspace_id, id)
) WITH (fillfactor = 85);
CREATE INDEX deliveries_page ON deliveries (workspace_id, webhook_id, created_at DESC, id DESC);
CREATE INDEX deliveries_age ON deliveries (created_at);
CREATE INDEX deliveries_event ON deliveries (workspace_id, event_id);
-- What a drain takes next, and what holds back later ones of a lead: neither grows with history.
CREATE INDEX deliveries_waiting ON deliveries (workspace_id, webhook_id, position) WHERE status = 'PENDING' AND tries = 0;
CREATE INDEX deliveries_retrying ON deliveries (workspace_id, webhook_id, lead_id, position) WHERE status = 'PENDING' AND tries > 0;
CALL tenant_table('deliveries');
CALL system_table('deliveries', 'SELECT, INSERT, DELETE');

CREATE TABLE attempts (
  workspace_id uuid NOT NULL,
  delivery_id  uuid NOT NULL,
  number       int NOT NULL,
  started_at   timestamptz NOT NULL,
  duration_ms  int NOT NULL,
  status       int NOT NULL,           -- 0: no response head
  error        text NOT NULL,          -- '': none
  response     text NOT NULL,
  PRIMARY KEY (workspace_id, delivery_id, number, started_at)
) PARTITION BY RANGE (started_at);
CALL tenant_table('attempts');
CREATE TABLE attempts_default PARTITION OF attempts DEFAULT;
CALL tenant_table('attempts_default');

-- +goose StatementBegin
-- attempts_keep makes the partitions of the days from first to last (UTC) and drops those before first. It runs with
-- the rights of the owner, because working roles cannot change tables.
CREATE FUNCTION attempts_keep(first date, last date) RETURNS int LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  day     date;
  part    text;
  dropped int := 0;
BEGIN
  FOR part IN SELECT relname FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid
              WHERE i.inhparent = 'attempts'::regclass AND relname ~ '^attempts_[0-9]{8}$' LOOP
    IF to_date(substr(part, 10), 'YYYYMMDD') < first THEN
      EXECUTE format('DROP TABLE %I', part);
      dropped := dropped + 1;
    END IF;
  END LOOP;
  DELETE FROM attempts_default WHERE started_at < first;
  FOR day IN SELECT generate_series(greatest(first, last - 7), last, '1 day')::date LOOP
    part := 'attempts_' || to_char(day, 'YYYYMMDD');
    CONTINUE WHEN to_regclass(part) IS NOT NULL;
    CONTINUE WHEN EXISTS (SELECT FROM attempts_default WHERE started_at >= day AND started_at < day + 1); -- its rows stay where they are
    EXECUTE format('CREATE TABLE %I PARTITION OF attempts FOR VALUES FROM (%L) TO (%L)', part, day, day + 1);
    EXECUTE format('CALL tenant_table(%L)', part);
  END LOOP;
  RETURN dropped;
END $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION attempts_keep FROM PUBLIC;
GRANT EXECUTE ON FUNCTION attempts_keep TO dossier_system;

-- A replay makes the deliveries of a span due again, a page at a time.
CREATE TABLE replays (
  workspace_id uuid NOT NULL,
  id           uuid NOT NULL,          -- the jobId of its answer
  webhook_id   uuid NOT NULL,
  since        timestamptz NOT NULL,
  until        timestamptz NOT NULL,
  statuses     text[] NOT NULL,
  status       text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'IN_PROGRESS', 'COMPLETE', 'CANCELLED')),
  matched      bigint,                 -- counted at the start, at most the cap
  capped       boolean NOT NULL DEFAULT false,
  replayed     bigint NOT NULL DEFAULT 0,
  cursor_at    timestamptz NOT NULL DEFAULT 'epoch', -- created_at and id of the last one made due
  cursor_id    uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  created_at   timestamptz NOT NULL,
  started_at   timestamptz,
  finished_at  timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, webhook_id) REFERENCES webhooks (workspace_id, id) ON DELETE CASCADE
);
CALL tenant_table('replays');

-- +goose Down
DROP TABLE replays;
DROP FUNCTION attempts_keep;
DROP TABLE attempts, deliveries, webhooks, event_feed, event_inbox, events;
DROP SEQUENCE event_positions;
