-- +goose Up
-- Each delivery is written twice, so what the second write leaves behind grows by the events of a day. By the server's own
-- setting that is a fifth of everything kept before it is taken away.
ALTER TABLE deliveries SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);

-- +goose Down
ALTER TABLE deliveries RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold);
