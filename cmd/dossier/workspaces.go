package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/cmd/internal/workspacefile"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

type workspacesCommand struct {
	List   listWorkspaces  `cmd:"" help:"List all workspaces."`
	Show   showWorkspace   `cmd:"" help:"Show one, with the addresses its inbound messages are sent to."`
	Create createWorkspace `cmd:"" help:"Make an empty workspace; apply fills it."`
	Delete deleteWorkspace `cmd:"" help:"Delete a workspace with everything in it."`

	RotateInbound rotateInbound `cmd:"" help:"${workspaces_rotateinbound}"`
}

// workspaceJSON is a workspace as operators see it.
type workspaceJSON struct {
	ID            dossier.WorkspaceID                `json:"id"`
	Key           string                             `json:"key"`
	Name          string                             `json:"name"`
	DefaultRegion string                             `json:"defaultRegion"`
	Timezone      string                             `json:"timezone"`
	QuietHours    quietHoursJSON                     `json:"quietHours"`
	Portal        portalJSON                         `json:"portal"`
	Channels      map[dossier.Channel]map[string]any `json:"channels"`
	Pipelines     []pipelineJSON                     `json:"pipelines"`
	// where providers post: the token in it is the secret
	Inbound   map[dossier.Channel]string `json:"inbound,omitempty"`
	CreatedAt record.Time                `json:"createdAt"`
	UpdatedAt record.Time                `json:"updatedAt"`
}

type quietHoursJSON struct {
	From string `json:"from"`
	To   string `json:"to"`
}

type portalJSON struct {
	LinkDays int    `json:"linkDays"`
	Name     string `json:"name"`
	Color    string `json:"color"`
}

type pipelineJSON struct {
	ID    string   `json:"id"`
	Steps []string `json:"steps"`
}

func workspaceOf(w dossier.Workspace) workspaceJSON {
	shown := workspaceJSON{ID: w.ID, Key: w.Key, Name: w.Name, DefaultRegion: w.DefaultRegion, Timezone: w.Timezone,
		QuietHours: quietHoursJSON(w.QuietHours), Portal: portalJSON(w.Portal),
		Channels:  map[dossier.Channel]map[string]any{},
		Pipelines: []pipelineJSON{}, CreatedAt: record.Time(w.CreatedAt), UpdatedAt: record.Time(w.UpdatedAt)}
	for name, config := range w.Channels {
		shown.Channels[name] = channelOf(config)
	}
	for _, chain := range w.Pipelines {
		shown.Pipelines = append(shown.Pipelines, pipelineJSON(chain))
	}
	return shown
}

// channelOf holds no secret: passwords are named by their variables.
func channelOf(c dossier.ChannelConfig) map[string]any {
	shown := map[string]any{"provider": c.Provider}
	for name, value := range map[string]string{"host": c.Host, "username": c.Username, "passwordEnv": c.PasswordEnv,
		"accountSid": c.AccountSID, "authTokenEnv": c.AuthTokenEnv, "from": c.From} {
		if value != "" {
			shown[name] = value
		}
	}
	if c.Port != 0 {
		shown["port"] = c.Port
	}
	return shown
}

type listWorkspaces struct{}

// Run lists all workspaces by key.
func (listWorkspaces) Run(a *app) error {
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		found, err := db.ListWorkspaces(a.ctx)
		if err != nil {
			return err
		}
		list, rows := []workspaceJSON{}, [][]string{}
		for _, w := range found {
			list = append(list, workspaceOf(w))
			rows = append(rows, []string{w.Key, w.Name, string(w.ID), stamp(w.CreatedAt)})
		}
		return a.show(list, func(w io.Writer) {
			table(w, "No workspaces yet: dossier apply -f FILE makes one.", "KEY NAME ID CREATED", rows)
		})
	})
}

type showWorkspace struct {
	Workspace string `arg:"" help:"Key or id."`
}

// Run shows one workspace.
func (c showWorkspace) Run(a *app) error {
	return a.withDB(func(db *postgres.DB, cfg setup.Config) error {
		found, err := workspaceNamed(a.ctx, db, c.Workspace)
		if err != nil {
			return err
		}
		shown := workspaceOf(found)
		tokens, err := db.InboundTokens(a.ctx, found.ID)
		if err != nil {
			return err
		}
		shown.Inbound = map[dossier.Channel]string{}
		for channel, token := range tokens {
			shown.Inbound[channel] = a.inboundURL(cfg, channel, token)
		}
		return a.show(shown, shown.print)
	})
}

func (s workspaceJSON) print(w io.Writer) {
	quiet := s.QuietHours.From + " to " + s.QuietHours.To
	if s.QuietHours.From == s.QuietHours.To {
		quiet = "none"
	}
	pairs(w, "key", s.Key, "name", s.Name, "id", string(s.ID), "default region", s.DefaultRegion, "timezone",
		s.Timezone,
		"quiet hours", quiet, "portal", fmt.Sprintf("%s, %s, links live %s", s.Portal.Name, s.Portal.Color,
			count(s.Portal.LinkDays, "day")),
		"created", stamp(time.Time(s.CreatedAt)), "updated", stamp(time.Time(s.UpdatedAt)))
	for _, channel := range dossier.Channels {
		provider := "-"
		if config, ok := s.Channels[channel]; ok {
			provider = fmt.Sprint(config["provider"])
		}
		fmt.Fprintf(w, "%-9s %-7s inbound %s\n", channel, provider, s.Inbound[channel])
	}
	for _, p := range s.Pipelines {
		fmt.Fprintf(w, "pipeline  %s: %s\n", p.ID, strings.Join(p.Steps, ", "))
	}
}

// inboundURL is where a provider hands messages of a channel over.
func (a *app) inboundURL(cfg setup.Config, channel dossier.Channel, token string) string {
	return a.publicURL(cfg) + "/inbound/" + string(channel) + "/" + token
}

type rotateInbound struct {
	Workspace string          `arg:"" help:"Key or id."`
	Channel   dossier.Channel `required:"" enum:"email,sms,whatsapp" help:"The channel: email, sms or whatsapp."`
}

// rotatedJSON is a new address. PreviousUntil is when the one before stops working.
type rotatedJSON struct {
	Channel       dossier.Channel `json:"channel"`
	URL           string          `json:"url"`
	PreviousUntil record.Time     `json:"previousUntil"`
}

// Run prints the new address.
func (c rotateInbound) Run(a *app) error {
	return a.withDB(func(db *postgres.DB, cfg setup.Config) error {
		w, err := workspaceNamed(a.ctx, db, c.Workspace)
		if err != nil {
			return err
		}
		r, err := db.RotateInbound(a.ctx, w.ID, c.Channel)
		if err != nil {
			return err
		}
		shown := rotatedJSON{c.Channel, a.inboundURL(cfg, c.Channel, r.Token), record.Time(r.PreviousUntil)}
		return a.show(shown, func(out io.Writer) {
			fmt.Fprintf(out, "%s\nThe address before works until %s.\n", shown.URL, stamp(r.PreviousUntil))
		})
	})
}

type createWorkspace struct {
	Key  string `arg:"" help:"Lower-case letters, digits and dashes: what files and commands name it by."`
	Name string `help:"For people; the key when it is not given."`
}

// Run makes an empty workspace with the defaults of the file format. One that exists is an error.
func (c createWorkspace) Run(a *app) error {
	if c.Name == "" {
		c.Name = c.Key
	}
	text, err := json.Marshal(map[string]any{"version": 1, "workspace": c.Key, "name": c.Name})
	if err != nil {
		return err
	}
	config, err := workspacefile.Parse("workspace", text)
	if err != nil {
		return err
	}
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		if id, err := present(a, db, c.Key); err != nil || id != nil {
			if err == nil {
				err = dossier.Errorf(dossier.Conflict, "there is a workspace %q already", c.Key)
			}
			return err
		}
		if _, _, err := db.ApplyWorkspace(a.ctx, config, false, false); err != nil {
			return err
		}
		made, err := workspaceNamed(a.ctx, db, c.Key)
		if err != nil {
			return err
		}
		return a.show(workspaceOf(made), func(w io.Writer) {
			fmt.Fprintf(w, "Made workspace %s (%s).\n", made.Key,
				made.ID)
		})
	})
}

type deleteWorkspace struct {
	Workspace string `arg:"" help:"Key or id."`
	Yes       bool   `help:"Really: its leads, documents and keys are gone at once."`
	Erase     bool   `help:"Take everything of it away for good: rows, files in all their versions, events."`
	Reason    string `default:"workspace deleted" help:"${workspaces_reason}"`
}

// Run deletes a workspace. Its key can be used again at once.
func (c deleteWorkspace) Run(a *app) error {
	return a.inWorkspace(c.Workspace, func(db *postgres.DB, w dossier.Workspace) error {
		if !c.Yes {
			return usagef("this deletes workspace %s (%s) with all its leads, documents and keys; add --yes if that "+
				"is meant", w.Key, w.Name)
		}
		reason := ""
		if c.Erase {
			reason = c.Reason
		}
		if err := db.DeleteWorkspace(a.ctx, string(w.ID), reason); err != nil {
			return err
		}
		// until every process has heard of it, so that nothing is sent after this has answered
		if !jobs.Sleep(a.ctx, postgres.WorkspaceSilence) {
			return a.ctx.Err()
		}
		return a.show(done{true}, func(out io.Writer) {
			fmt.Fprintf(out, "Deleted workspace %s (%s).\n", w.Key, w.ID)
			if c.Erase {
				fmt.Fprintf(out, "A worker erases it; dossier erasures list --workspace %s shows how far it is.\n",
					w.ID)
			}
		})
	})
}
