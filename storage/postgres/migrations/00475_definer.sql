-- +goose Up
-- What runs with the owner's rights finds its tables and functions before anybody's temporary ones.
ALTER FUNCTION attempts_keep(date, date) SET search_path = public, pg_temp; -- pg_catalog is looked into first by itself

-- +goose Down
ALTER FUNCTION attempts_keep(date, date) SET search_path = public;
