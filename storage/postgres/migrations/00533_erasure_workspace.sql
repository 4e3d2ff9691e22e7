-- What went of a workspace that is being erased, page by page, until its certificate is signed over it.

-- +goose Up
CREATE TABLE erasure_things (
  workspace_id uuid NOT NULL,           -- outlives its workspace
  thing        text NOT NULL,           -- the key of an object; table and id of a row
  is_object    boolean NOT NULL,
  PRIMARY KEY (workspace_id, thing)
);
CALL tenant_table('erasure_things');

-- +goose Down
DROP TABLE erasure_things;
