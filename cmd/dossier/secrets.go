package main

import (
	"fmt"
	"io"
)

type secretsCommand struct {
	Reseal resealCommand `cmd:"" help:"${secrets_reseal}"`
}

type resealCommand struct {
	DryRun bool `help:"Only say how many would be."`
}

// Run seals anew what needs it. A repeat finds nothing to do. It ends with exit 1 when no configured key opens a
// secret.
func (c resealCommand) Run(a *app) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	if err := cfg.Need("DATABASE_URL", "DOSSIER_SECRET_KEY"); err != nil {
		return err
	}
	db, err := cfg.OpenDB(a.ctx, a.log())
	if err != nil {
		return err
	}
	defer db.Close()
	told := a.progress()
	told.beginOf("sealing secrets", "workspace", 0)
	done, err := db.Reseal(a.ctx, c.DryRun, func(done, all int) {
		told.all = all
		told.reach(done)
	})
	told.end()
	if err != nil {
		return err
	}
	if err := a.show(done, func(w io.Writer) {
		verb := "were"
		if c.DryRun {
			verb = "would be"
		}
		fmt.Fprintf(w, "%d of %s %s sealed anew.\n", done.Sealed, count(done.Secrets, "secret"), verb)
		switch {
		case done.Closed > 0:
			fmt.Fprintf(w, "No configured key opens %d: add the key they were written with to DOSSIER_SECRET_KEY, "+
				"after a comma.\n", done.Closed)
		case !c.DryRun && len(cfg.SecretKeys) > 1:
			fmt.Fprintln(w, "Older keys are needed for a day by answers kept for repeats, and by unsubscribe links "+
				"in "+
				"mails sent before: keep them 30 days, then drop them.")
		}
	}); err != nil {
		return err
	}
	if done.Closed > 0 {
		return errFound
	}
	return nil
}
