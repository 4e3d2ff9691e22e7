package worker

import (
	"context"
	"slices"
	"strconv"

	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
)

// byDashboard is who changed a lane that was paused or resumed on the queue's dashboard.
const byDashboard = "dashboard"

// syncLanes makes the queue and Postgres agree on which lanes are paused. Redis keeps for each lane the version (the
// time of the change) of the setting it last got from Postgres. When that is the current version and the queue still
// differs, somebody used the dashboard: the change is taken over into Postgres. When it is another version, Redis is
// behind or was wiped, and gets the setting of Postgres.
func (w *Worker) syncLanes(ctx context.Context) error {
	switches, err := w.db.LaneSwitches(ctx)
	if err != nil {
		return err
	}
	for _, s := range switches {
		if err := w.syncLane(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

func (w *Worker) syncLane(ctx context.Context, s postgres.LaneSwitch) error {
	paused, stored, err := w.Redis.LanePaused(ctx, string(s.Lane))
	if err != nil {
		return err
	}
	version := ""
	if s.ChangedAt != nil {
		version = strconv.FormatInt(s.ChangedAt.UnixMicro(), 10)
	}
	switch {
	case stored != version:
		return w.Redis.SetLanePaused(ctx, string(s.Lane), s.Paused, version)
	case paused != s.Paused:
		return w.db.SetLanePaused(ctx, s.Lane, paused, byDashboard) // Redis gets the new version at the next sync
	}
	return nil
}

// laneFull reports whether all slots of a lane in this process are taken.
func (w *Worker) laneFull(name jobs.Lane) bool {
	i := slices.IndexFunc(w.lanes, func(l *lane) bool { return l.name == name })
	return i < 0 || len(w.lanes[i].slots) == cap(w.lanes[i].slots)
}
