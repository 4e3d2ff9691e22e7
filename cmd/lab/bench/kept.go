package bench

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier/cmd/lab/cluster"
)

// OpenKept is Open on a private server whose data stays in dir: a million leads are filled in by one call and measured
// by others.
func OpenKept(ctx context.Context, dir string) (*Stack, error) {
	return openOn(ctx, func(s *Stack) error {
		private, err := cluster.Start(ctx, cluster.Options{Dir: dir, Log: func(string) {}})
		if err != nil {
			return err
		}
		s.closers = append(s.closers, private.Stop)
		const name = "dossier_bench"
		if err := private.EnsureDatabase(ctx, name); err != nil {
			return err
		}
		s.URL = private.URL(name)
		conn, err := pgx.Connect(ctx, s.URL)
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close(ctx) }()
		if err := s.describe(ctx, conn); err != nil {
			return err
		}
		return s.openDB(ctx)
	})
}

// SeedResult says how long filling took.
type SeedResult struct {
	Name    string  `json:"name"`
	Machine Machine `json:"machine"`
	Leads   int     `json:"leads"`
	Seeded  seeded  `json:"seeded"`
}

// Seed fills the database with n leads, for later measurements of what is kept.
func Seed(ctx context.Context, s *Stack, n int) (SeedResult, error) {
	out, err := s.seedLeads(ctx, n)
	return SeedResult{"seed", s.About, n, out}, err
}
