package setup

import (
	"context"

	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/admin"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

func (s *Services) lanes() *admin.Lanes {
	return &admin.Lanes{Pause: s.DB.SetLanePaused,
		Read: func(ctx context.Context, lanes []jobs.Lane) ([]admin.Lane, error) { return Lanes(ctx, s.DB, lanes) }}
}

// Lanes are lanes as operators see them.
func Lanes(ctx context.Context, db *postgres.DB, lanes []jobs.Lane) ([]admin.Lane, error) {
	states, err := db.LaneStates(ctx, lanes)
	if err != nil {
		return nil, err
	}
	shares, err := db.LaneShares(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]admin.Lane, len(states))
	for i, s := range states {
		list[i] = admin.Lane{Lane: s.Lane, Paused: s.Paused, ChangedAt: record.TimeOf(s.ChangedAt),
			Shared:         s.Lane.Shared(),
			WorkspaceLimit: orNull(s.WorkspaceLimit), InTurn: s.AwaitingAdmission, Queued: s.Queued, Running: s.Running,
			OldestSeconds: s.Oldest.Seconds(), Shares: []admin.Share{}}
		if s.ChangedBy != "" {
			list[i].ChangedBy = &s.ChangedBy
		}
		for _, share := range shares {
			if share.Lane == s.Lane {
				list[i].Shares = append(list[i].Shares,
					admin.Share{WorkspaceID: share.Workspace, Weight: share.Weight, Limit: orNull(share.AtOnce)})
			}
		}
	}
	return list, nil
}

func orNull(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}
