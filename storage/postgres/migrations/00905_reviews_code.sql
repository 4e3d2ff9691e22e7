-- +goose NO TRANSACTION
-- The queue of one code is in the order in which its reviews are due: without their ids the index did not give it, and a
-- plan that is kept read every open review to find none of a code that nobody waits for.

-- +goose Up
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS reviews_code;
CREATE INDEX CONCURRENTLY reviews_code ON reviews (workspace_id, is_test, code, due_at, id, assignee, claimed_by)
  WHERE state = 'OPEN';
DROP INDEX CONCURRENTLY IF EXISTS reviews_counts;
RESET lock_timeout;

-- +goose Down
SET lock_timeout = 0;
CREATE INDEX CONCURRENTLY reviews_counts ON reviews (workspace_id, is_test, code, due_at, assignee, claimed_by)
  WHERE state = 'OPEN';
DROP INDEX CONCURRENTLY IF EXISTS reviews_code;
RESET lock_timeout;
