package main

import (
	"fmt"
	"io"

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
	applied, login, err := cfg.MigrateDB(a.ctx)
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
