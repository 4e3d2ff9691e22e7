package worker

import (
	"context"
	"strconv"

	"github.com/dossierhq/dossier/storage/postgres"
)

// byDashboard is who changed a lane that was paused or resumed on the queue's dashboard.
const byDashboard = "dashboard"

// syncLanes makes the queue agree with Postgres on which lanes are paused. Beside each lane Redis keeps which word of
// Postgres it has heard. Where it has heard the last one and still differs, somebody used the dashboard: that becomes
// the word. Where it has not, it is behind, or was wiped, and is told.
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
	paused, heard, err := w.Redis.LanePaused(ctx, string(s.Lane))
	if err != nil {
		return err
	}
	word := ""
	if s.ChangedAt != nil {
		word = strconv.FormatInt(s.ChangedAt.UnixMicro(), 10)
	}
	switch {
	case heard != word:
		return w.Redis.SetLanePaused(ctx, string(s.Lane), s.Paused, word)
	case paused != s.Paused:
		return w.db.SetLanePaused(ctx, s.Lane, paused, byDashboard) // heard next time
	}
	return nil
}
