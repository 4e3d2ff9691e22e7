-- Pictures of documents' pages that were drawn for people who look at them, by width in pixels. An empty key: the page cannot
-- be drawn.

-- +goose Up
CREATE TABLE page_pictures (
  workspace_id uuid NOT NULL,
  document_id  uuid NOT NULL,
  page         integer NOT NULL,
  width        integer NOT NULL,
  object_key   text NOT NULL,
  sha256       bytea NOT NULL,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, document_id, page, width),
  FOREIGN KEY (workspace_id, document_id) REFERENCES documents (workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX page_pictures_key ON page_pictures (object_key);
CALL tenant_table('page_pictures');
CALL system_table('page_pictures', 'SELECT');

-- +goose Down
DROP TABLE page_pictures;
