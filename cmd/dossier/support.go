package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"time"

	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/admin"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

type supportCommand struct {
	Out string `short:"o" placeholder:"FILE" help:"Write it there; default: standard output."`
}

// bundle is what helps somebody elsewhere to see what is wrong here: versions, settings without secrets, findings and
// counts. Nothing in it was written by a lead or about one.
type bundle struct {
	MadeAt   record.Time          `json:"madeAt"`
	Version  version              `json:"version"`
	CPUs     int                  `json:"cpus"`
	Settings map[string]string    `json:"settings"`
	Findings []finding            `json:"findings"`
	Schema   *postgres.Health     `json:"schema,omitempty"`
	Lanes    []admin.Lane         `json:"lanes,omitempty"`
	Work     []postgres.WorkCount `json:"work,omitempty"`
	Figures  *postgres.Figures    `json:"figures,omitempty"`
	Upkeep   *postgres.Upkeep     `json:"upkeep,omitempty"`
	Metrics  string               `json:"metrics,omitempty"` // of the process at DOSSIER_OPS_URL
	Missing  []string             `json:"missing"`           // parts that could not be had
}

// Run writes a file that can be read before it is sent.
func (c supportCommand) Run(a *app) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	d := &doctor{app: a}
	defer d.close()
	d.examine()
	b := bundle{MadeAt: record.Time(a.now()), Version: versionOf(), CPUs: runtime.NumCPU(), Settings: cfg.Settings(),
		Findings: d.findings, Schema: d.health, Missing: []string{}}
	ctx, cancel := context.WithTimeout(a.ctx, time.Minute)
	defer cancel()
	if d.db != nil {
		b.addDatabase(ctx, d.db, cfg)
	}
	if url := a.variable("DOSSIER_OPS_URL"); url != "" {
		b.Metrics, err = fetch(ctx, url+"/metrics")
		b.noteMissing("metrics", err)
	}
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	if c.Out == "" {
		_, err = a.out.Write(append(text, '\n'))
		return err
	}
	if err := os.WriteFile(c.Out, append(text, '\n'), 0o600); err != nil {
		return err
	}
	return a.show(done{true}, func(w io.Writer) {
		fmt.Fprintf(w, "%s holds no names, values or texts of leads, and no secrets. Read it before you send it.\n",
			c.Out)
	})
}

// addDatabase adds what can be learned from the database.
func (b *bundle) addDatabase(ctx context.Context, db *postgres.DB, cfg setup.Config) {
	var err error
	b.Lanes, err = setup.Lanes(ctx, db, jobs.Lanes)
	b.noteMissing("lanes", err)
	b.Work, err = db.CountWork(ctx)
	b.noteMissing("work", err)
	figures, err := db.Figures(ctx)
	b.Figures = &figures
	b.noteMissing("figures", err)
	upkeep, err := postgres.InspectUpkeep(ctx, cfg.DatabaseURL)
	b.Upkeep = &upkeep
	b.noteMissing("upkeep", err)
}

func (b *bundle) noteMissing(part string, err error) {
	if err != nil {
		b.Missing = append(b.Missing, part)
	}
}

func fetch(ctx context.Context, url string) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(response.Body, 16<<20))
	return string(text), err
}
