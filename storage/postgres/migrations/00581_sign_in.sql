-- Sign-ins at an OpenID provider: attempts that are under way, and what asks the provider later whether one still holds.

-- +goose Up
CREATE TABLE sign_ins (
  state_hash   bytea PRIMARY KEY,               -- SHA-256 of the state that the provider sends back
  browser_hash bytea NOT NULL,                  -- of the secret in the cookie of the browser that began it
  expires_at   timestamptz NOT NULL
);
CREATE INDEX sign_ins_expiry ON sign_ins (expires_at);
GRANT SELECT, INSERT, DELETE ON sign_ins TO dossier_system;

ALTER TABLE sessions
  ADD COLUMN renewal    bytea,                  -- the provider's refresh token, sealed
  ADD COLUMN checked_at timestamptz;            -- when the provider was asked last

-- +goose Down
ALTER TABLE sessions DROP COLUMN renewal, DROP COLUMN checked_at;
DROP TABLE sign_ins;
