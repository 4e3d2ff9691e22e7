package main

import (
	"fmt"
	"io"

	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/storage/postgres"
)

type migrateCommand struct{}

type migrated struct {
	Success bool    `json:"success"`
	Applied []int64 `json:"applied"`
	Version int64   `json:"version"`
	Login   string  `json:"login"`
}

// Run migrates, as the owner, and makes the login of the programs. Several at once take turns; a repeat changes
// nothing.
func (migrateCommand) Run(a *app) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if err := cfg.Need("DATABASE_URL"); err != nil {
		return err
	}
	applied, login, err := a.migrate(cfg)
	if err != nil {
		return err
	}
	result := migrated{Success: true, Applied: append([]int64{}, applied...), Version: postgres.SchemaVersion(),
		Login: login}
	return a.show(result, func(w io.Writer) {
		for _, version := range applied {
			fmt.Fprintf(w, "applied %05d\n", version)
		}
		fmt.Fprintf(w, "The schema is at version %d.\n", result.Version)
		fmt.Fprintf(w, "The programs' login is %s, which owns nothing.\n", login)
	})
}

// migrate brings the schema to this release and says how far it is.
func (a *app) migrate(cfg setup.Config) ([]int64, string, error) {
	told := a.progress()
	defer told.end()
	return cfg.MigrateDB(a.ctx, func(done, all int) {
		if done == 0 {
			told.beginOf("applying migrations", "migration", all)
		}
		told.reach(done)
	})
}
