-- +goose Up
CREATE TABLE spreads (
  workspace_id          uuid NOT NULL,
  id                    uuid NOT NULL,
  lead_id               uuid NOT NULL,
  external_id           text,
  entity_name           text,
  currency              text NOT NULL DEFAULT 'USD',
  fiscal_year_end_month int NOT NULL DEFAULT 12 CHECK (fiscal_year_end_month BETWEEN 1 AND 12),
  status                text NOT NULL CHECK (status IN ('IN_PROGRESS', 'COMPLETE', 'FAILED')),
  error                 text,
  round                 int NOT NULL DEFAULT 1, -- a job of an old round does nothing
  source                text NOT NULL DEFAULT 'API',
  user_ref              jsonb,                  -- {id, name, email} of the person who asked
  results               json,                   -- of the last COMPLETE round; stays while regenerating. Not jsonb: rows keep the template's order
  pipeline_run_id       uuid,                   -- the pipeline run that started it
  pipeline_step         int,
  pipeline_waits        boolean NOT NULL DEFAULT false, -- that run's step was put down until the spread ends
  created_at            timestamptz NOT NULL,
  updated_at            timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, lead_id) REFERENCES leads (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX spreads_lead ON spreads (workspace_id, lead_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX spreads_pipeline ON spreads (workspace_id, pipeline_run_id, pipeline_step) WHERE pipeline_run_id IS NOT NULL;
CALL tenant_table('spreads');

CREATE TABLE spread_documents (
  workspace_id uuid NOT NULL,
  spread_id    uuid NOT NULL,
  document_id  uuid NOT NULL,
  position     int NOT NULL,
  status       text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'PROCESSING', 'EXTRACTED', 'FAILED', 'SKIPPED')),
  error        text,
  PRIMARY KEY (workspace_id, spread_id, document_id),
  FOREIGN KEY (workspace_id, spread_id) REFERENCES spreads (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, document_id) REFERENCES documents (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX spread_documents_document ON spread_documents (workspace_id, document_id) WHERE status IN ('PENDING', 'PROCESSING');
CALL tenant_table('spread_documents');

CREATE TABLE artifacts (
  workspace_id uuid NOT NULL,
  id           uuid NOT NULL,
  spread_id    uuid NOT NULL,
  round        int NOT NULL,
  type         text NOT NULL CHECK (type IN ('REPORT', 'SPREADSHEET')),
  title        text NOT NULL,
  object_key   text NOT NULL,
  sha256       bytea NOT NULL,
  size         bigint NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, spread_id) REFERENCES spreads (workspace_id, id) ON DELETE CASCADE
);
-- A regeneration deletes the rows it replaces; the sweep then finds their objects named by nobody.
CREATE INDEX artifacts_spread ON artifacts (workspace_id, spread_id);
CALL tenant_table('artifacts');

CREATE TABLE spread_adjustments (
  workspace_id uuid NOT NULL,
  id           uuid NOT NULL,
  spread_id    uuid NOT NULL,
  period_id    text NOT NULL,
  statement    text NOT NULL,
  row_key      text NOT NULL,
  position     integer NOT NULL,
  value        numeric,                -- the figure, or the part of it that is moved
  move_to      text,                   -- a reclassification: the row the figure goes to
  reason       text NOT NULL,
  actor        text,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, spread_id, period_id, statement, row_key),
  FOREIGN KEY (workspace_id, spread_id) REFERENCES spreads (workspace_id, id) ON DELETE CASCADE
);
CALL tenant_table('spread_adjustments');

CREATE TABLE caption_mappings (
  workspace_id uuid NOT NULL,
  lead_id      uuid NOT NULL,
  statement    text NOT NULL,
  folded       text NOT NULL,          -- the caption as it is compared
  caption      text NOT NULL,
  row_key      text NOT NULL,
  actor        text,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, lead_id, statement, folded),
  FOREIGN KEY (workspace_id, lead_id) REFERENCES leads (workspace_id, id) ON DELETE CASCADE
);
CALL tenant_table('caption_mappings');

-- +goose Down
DROP TABLE caption_mappings, spread_adjustments, artifacts, spread_documents, spreads;
