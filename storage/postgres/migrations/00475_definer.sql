-- +goose Up
-- What runs with the owner's rights finds its tables and functions before anybody's temporary ones.
ALTER FUNCTION attempts_keep(date, date) SET search_path = pg_catalog, public, pg_temp;

-- +goose Down
ALTER FUNCTION attempts_keep(date, date) SET search_path = public;
