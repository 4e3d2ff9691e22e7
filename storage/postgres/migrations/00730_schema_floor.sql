-- The oldest release, by the schema it works with, that still works with this one. A migration that takes away what older
-- releases need raises it (CREATE OR REPLACE); programs older than that say so and wait.

-- +goose Up
CREATE FUNCTION schema_floor() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 0::bigint';

-- +goose Down
DROP FUNCTION schema_floor;
