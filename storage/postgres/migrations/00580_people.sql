-- People of the console: who they are, what they may do where, and their sessions. A person has one row whatever the number of
-- workspaces; roles are the workspaces'.

-- +goose Up
CREATE TABLE people (
  id           uuid PRIMARY KEY,
  email        text NOT NULL UNIQUE,            -- lower case
  name         text NOT NULL DEFAULT '',
  groups       text[] NOT NULL DEFAULT '{}',    -- at the last sign-in, to be shown; sessions have their own
  created_at   timestamptz NOT NULL,
  signed_in_at timestamptz,
  disabled_at  timestamptz                      -- everywhere
);
GRANT SELECT, INSERT, UPDATE ON people TO dossier_system;

CREATE TABLE person_roles (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  kind         text NOT NULL CHECK (kind IN ('email', 'group')),
  name         text NOT NULL,                   -- an address in lower case, or a group as the provider writes it
  source       text NOT NULL CHECK (source IN ('file', 'command')), -- who put it there may take it away
  role         text NOT NULL CHECK (role IN ('viewer', 'reviewer', 'approver', 'admin')),
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, kind, name, source)
);
CREATE INDEX person_roles_name ON person_roles (kind, name);
CALL tenant_table('person_roles');
CALL system_table('person_roles', 'SELECT');

CREATE TABLE disabled_people (
  workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
  email        text NOT NULL,
  disabled_at  timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, email)
);
CALL tenant_table('disabled_people');
CALL system_table('disabled_people', 'SELECT');

CREATE TABLE sessions (
  id          uuid PRIMARY KEY,
  person_id   uuid NOT NULL REFERENCES people,
  secret_hash bytea NOT NULL UNIQUE,            -- SHA-256 of the cookie's value
  groups      text[] NOT NULL DEFAULT '{}',     -- as the provider said at sign-in
  chosen      uuid,                             -- the workspace that the person looked at last
  given_in    uuid,                             -- a link gave a role in this workspace, for this session
  given_role  text CHECK (given_role IN ('viewer', 'reviewer', 'approver', 'admin')),
  created_at  timestamptz NOT NULL,
  seen_at     timestamptz NOT NULL,
  expires_at  timestamptz NOT NULL,
  revoked_at  timestamptz
);
CREATE INDEX sessions_person ON sessions (person_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON sessions TO dossier_system;

CREATE TABLE sign_in_links (
  secret_hash bytea PRIMARY KEY,                -- SHA-256 of the token in the address
  person_id   uuid NOT NULL REFERENCES people,
  given_in    uuid NOT NULL,                    -- the workspace that it leads to
  given_role  text CHECK (given_role IN ('viewer', 'reviewer', 'approver', 'admin')), -- NULL: the person's own
  expires_at  timestamptz NOT NULL,
  used_at     timestamptz
);
CREATE INDEX sign_in_links_expiry ON sign_in_links (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_in_links TO dossier_system;

-- +goose Down
DROP TABLE sign_in_links, sessions, disabled_people, person_roles, people;
