package main

import (
	"fmt"
	"io"

	"go.yaml.in/yaml/v4"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/cmd/internal/workspacefile"
	"github.com/dossierhq/dossier/storage/postgres"
)

type applyCommand struct {
	File   string `short:"f" required:"" placeholder:"FILE" help:"The workspace file (YAML); - reads stdin."`
	DryRun bool   `help:"Only print what would change."`
	Spread bool   `name:"spread-to-open-leads" help:"Also put new checklist items on leads that are open."`
}

type applied struct {
	Success     bool                 `json:"success"`
	Workspace   string               `json:"workspace"`
	WorkspaceID *dossier.WorkspaceID `json:"workspaceId"` // null: a dry run of one that is not there yet
	DryRun      bool                 `json:"dryRun"`
	Changes     []change             `json:"changes"`
}

type change struct {
	Action string `json:"action"` // create, change, archive, restore
	What   string `json:"what"`
	Detail string `json:"detail"`
}

// Run applies the file in one commit and prints what that changed.
func (c applyCommand) Run(a *app) error {
	config, err := c.load(a)
	if err != nil {
		return err
	}
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		result := applied{Success: true, Workspace: config.Key, DryRun: c.DryRun, Changes: []change{}}
		if result.WorkspaceID, err = present(a, db, config.Key); err != nil {
			return err
		}
		changes, id, err := db.ApplyWorkspace(a.ctx, config, c.DryRun, c.Spread)
		if err != nil {
			return err
		}
		if !c.DryRun {
			result.WorkspaceID = &id
		}
		for _, made := range changes {
			result.Changes = append(result.Changes, change(made))
		}
		return a.show(result, result.print)
	})
}

func (c applyCommand) load(a *app) (dossier.WorkspaceConfig, error) {
	if c.File != "-" {
		return workspacefile.Load(c.File)
	}
	data, err := io.ReadAll(a.in)
	if err != nil {
		return dossier.WorkspaceConfig{}, err
	}
	return workspacefile.Parse("stdin", data)
}

// present is the id of a workspace that is there already.
func present(a *app, db *postgres.DB, key string) (*dossier.WorkspaceID, error) {
	w, err := db.WorkspaceByKey(a.ctx, key)
	if dossier.KindOf(err) == dossier.NotFound {
		return nil, nil
	}
	return &w.ID, err
}

func (r applied) print(w io.Writer) {
	signs := map[string]string{"create": "+", "change": "~", "archive": "-", "restore": "+"}
	for _, c := range r.Changes {
		fmt.Fprintf(w, "%s %-7s %s\n", signs[c.Action], c.Action, printable(c.What))
		if c.Detail != "" {
			fmt.Fprintf(w, "          %s\n", printable(c.Detail))
		}
	}
	switch {
	case len(r.Changes) == 0:
		fmt.Fprintf(w, "Workspace %s is already what the file says.\n", r.Workspace)
	case r.DryRun:
		fmt.Fprintf(w, "Dry run: %s, nothing was kept.\n", count(len(r.Changes), "change"))
	default:
		fmt.Fprintf(w, "Applied %s to workspace %s (%s).\n", count(len(r.Changes), "change"), r.Workspace,
			*r.WorkspaceID)
	}
}

type exportCommand struct {
	Workspace string `arg:"" help:"Key or id."`
}

// Run prints the file: YAML, or with --json the same in JSON, which apply reads too.
func (c exportCommand) Run(a *app) error {
	return a.inWorkspace(c.Workspace, func(db *postgres.DB, w dossier.Workspace) error {
		config, err := db.ExportWorkspace(a.ctx, w.Key)
		if err != nil {
			return err
		}
		text, err := workspacefile.Write(config)
		if err != nil {
			return err
		}
		var same map[string]any
		if err := yaml.Unmarshal(text, &same); err != nil {
			return err
		}
		return a.show(same, func(w io.Writer) { _, _ = w.Write(text) })
	})
}
