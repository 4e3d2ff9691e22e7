-- +goose Up
CREATE TABLE documents (
  workspace_id            uuid NOT NULL,
  id                      uuid NOT NULL,
  lead_id                 uuid NOT NULL,
  filename                text NOT NULL,
  mime_type               text NOT NULL,   -- as declared, until the reader knows better
  size                    bigint NOT NULL,
  sha256                  bytea,           -- NULL until the bytes are here
  object_key              text NOT NULL,
  external_id             text,
  source                  text NOT NULL,   -- imported, manual, portal, agent (as checklist sources)
  requested_entry_id      uuid,            -- the item the sender named
  uploaded_at             timestamptz,     -- NULL: presigned and not completed, in no list
  extraction_status       text NOT NULL DEFAULT 'pending' CHECK (extraction_status IN ('pending', 'processing', 'completed', 'failed')),
  extraction_error_code   text,
  extraction_error_detail text,
  extraction              jsonb,           -- dossier.Extraction
  engine_version          text,
  tokens_key              text,            -- object with the compressed tokens
  thumbnail_key           text,
  created_at              timestamptz NOT NULL,
  updated_at              timestamptz NOT NULL,
  deleted_at              timestamptz,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, lead_id) REFERENCES leads (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX documents_bytes ON documents (workspace_id, lead_id, sha256) WHERE deleted_at IS NULL AND uploaded_at IS NOT NULL;
CREATE INDEX documents_lead ON documents (workspace_id, lead_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX documents_hash ON documents (workspace_id, sha256) WHERE deleted_at IS NULL;
CALL tenant_table('documents');

CREATE TABLE document_associations (
  workspace_id      uuid NOT NULL,
  id                uuid NOT NULL,
  lead_id           uuid NOT NULL,
  document_id       uuid NOT NULL,
  entry_id          uuid NOT NULL,
  requested         boolean NOT NULL DEFAULT false, -- the sender named this item
  score             real,
  parts             int[] NOT NULL DEFAULT '{}', -- which documents of the file serve the item, by index
  reason            text,                -- of the match, one sentence
  overall_valid     boolean NOT NULL DEFAULT false,
  unsure            boolean NOT NULL DEFAULT false, -- a rule needs a person
  validation_result jsonb,               -- {otherNotes, overallValid, validationResults}; NULL until judged
  judged_at         timestamptz,
  override_valid    boolean,             -- a person's word; wins over the judge's
  override_by       text,
  override_note     text,
  override_at       timestamptz,
  created_at        timestamptz NOT NULL,
  updated_at        timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id),
  FOREIGN KEY (workspace_id, document_id) REFERENCES documents (workspace_id, id) ON DELETE CASCADE,
  FOREIGN KEY (workspace_id, entry_id) REFERENCES checklist_entries (workspace_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX document_associations_pair ON document_associations (workspace_id, document_id, entry_id);
CREATE INDEX document_associations_entry ON document_associations (workspace_id, entry_id);
CREATE INDEX document_associations_lead ON document_associations (workspace_id, lead_id);
CALL tenant_table('document_associations');

-- +goose Down
DROP TABLE document_associations, documents;
