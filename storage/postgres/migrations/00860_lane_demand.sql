-- What an autoscaler may know: how much work some lanes have, and nothing else. It asks by a login of its own, a member
-- of dossier_scaler, which has no right but to call this function.

-- +goose Up
-- +goose StatementBegin
DO $$
BEGIN
  PERFORM pg_advisory_xact_lock(4218001); -- as in 00001: roles belong to the cluster
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'dossier_scaler') THEN
    CREATE ROLE dossier_scaler NOLOGIN NOBYPASSRLS;
  END IF;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
-- lane_demand is how many jobs of the lanes are due or running, each lane's due ones counted up to 20,000. Of a paused
-- lane only those that run count: more workers would do nothing for the others. Unknown lanes are an error, since 0
-- would scale down what serves them.
CREATE FUNCTION lane_demand(VARIADIC names text[]) RETURNS float8 LANGUAGE plpgsql STABLE SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  unknown text;
BEGIN
  SELECT name INTO unknown FROM unnest(names) AS name WHERE name NOT IN (SELECT lane FROM lanes) LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'there is no lane %', unknown USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN (
    SELECT coalesce(sum(CASE WHEN l.paused THEN 0 ELSE turn.n + queued.n END + running.n), 0)
    FROM lanes l
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM (SELECT FROM jobs j WHERE j.lane = l.lane
      AND in_turn = epoch AND status = 'QUEUED' LIMIT 10000) due) turn
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM (SELECT FROM jobs j WHERE j.lane = l.lane
      AND status IN ('QUEUED', 'RETRY') AND in_turn IS DISTINCT FROM epoch AND run_at <= now() LIMIT 10000) due) queued
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM jobs j WHERE j.lane = l.lane
      AND status = 'RUNNING' AND lease_until > now() - interval '1 hour') running
    WHERE l.lane = ANY (names));
END $$;
-- +goose StatementEnd
GRANT CREATE ON SCHEMA public TO dossier_system;
ALTER FUNCTION lane_demand OWNER TO dossier_system;
REVOKE CREATE ON SCHEMA public FROM dossier_system;
REVOKE ALL ON FUNCTION lane_demand FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lane_demand TO dossier_scaler;

-- +goose Down
DROP FUNCTION lane_demand;
