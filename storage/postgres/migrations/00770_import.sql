-- Tables of leads that are made into leads, row by row. A row is settled in the commit that makes its lead, so whoever goes
-- on after a crash passes over it. When all are, a report holds them, and the rows go.

-- +goose Up
CREATE TABLE imports (
  workspace_id  uuid NOT NULL,
  id            uuid NOT NULL,
  status        text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'RUNNING', 'COMPLETE', 'FAILED')),
  dry_run       boolean NOT NULL DEFAULT false,
  is_test       boolean NOT NULL DEFAULT false, -- made with a test key: its leads are test leads
  row_count     int NOT NULL DEFAULT 0,
  created       int NOT NULL DEFAULT 0,
  updated       int NOT NULL DEFAULT 0,
  refused       int NOT NULL DEFAULT 0,
  done          int NOT NULL DEFAULT 1,         -- this row of the table and all before it are counted
  errors        jsonb,                          -- the first thousand, once it has ended
  failure       jsonb,
  file_key      text,                           -- objects, while they are kept
  archive_key   text,
  report_key    text,
  source        text NOT NULL,
  actor         text,
  created_at    timestamptz NOT NULL,
  finished_at   timestamptz,
  PRIMARY KEY (workspace_id, id)
);
CREATE INDEX imports_page ON imports (workspace_id, created_at DESC, id DESC);
CREATE INDEX imports_age ON imports (created_at);
CREATE INDEX imports_file ON imports (file_key);
CREATE INDEX imports_archive ON imports (archive_key) WHERE archive_key IS NOT NULL;
CREATE INDEX imports_report ON imports (report_key) WHERE report_key IS NOT NULL;
CALL tenant_table('imports');
CALL system_table('imports', 'DELETE, SELECT (ctid, created_at, file_key, archive_key, report_key)');

CREATE TABLE import_rows (
  workspace_id uuid NOT NULL,
  import_id    uuid NOT NULL,
  row          int NOT NULL,             -- as a spreadsheet shows it
  outcome      text NOT NULL CHECK (outcome IN ('created', 'updated', 'refused')),
  made         uuid,                     -- the lead, unless it is a dry run
  faults       jsonb,
  is_test      boolean NOT NULL,
  PRIMARY KEY (workspace_id, import_id, row),
  FOREIGN KEY (workspace_id, import_id) REFERENCES imports (workspace_id, id) ON DELETE CASCADE
);
CALL tenant_table('import_rows');

INSERT INTO lanes (lane) VALUES ('import');

-- +goose Down
DROP TABLE import_rows, imports;
DELETE FROM lane_shares WHERE lane = 'import';
DELETE FROM lanes WHERE lane = 'import';
