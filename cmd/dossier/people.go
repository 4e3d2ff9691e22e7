package main

import (
	"fmt"
	"io"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

type consoleCommand struct {
	Open openConsole `cmd:"" help:"${console_open}"`
}

type openConsole struct {
	Email     string `required:"" placeholder:"E" help:"Address of the person."`
	Role      string `placeholder:"R" help:"${console_role}"`
	Workspace string `placeholder:"W" help:"Key or id of the workspace. Default: the only one."`
}

// signInLink is the result of console open.
type signInLink struct {
	Success   bool        `json:"success"`
	URL       string      `json:"url"`
	ExpiresAt record.Time `json:"expiresAt"`
}

// Run prints a link that signs somebody in once. The link alone is on stdout.
func (c openConsole) Run(a *app) error {
	email, role, err := personArguments(c.Email, c.Role)
	if err != nil {
		return err
	}
	return a.withDB(func(db *postgres.DB, cfg setup.Config) error {
		w, err := onlyWorkspace(a, db, c.Workspace)
		if err != nil {
			return err
		}
		token, err := db.CreateSignInLink(a.ctx, w.ID, email, role)
		if err != nil {
			return err
		}
		link := signInLink{true, a.publicURL(cfg) + "/console/sign-in/" + token,
			record.Time(a.now().Add(dossier.SignInLinkTTL))}
		return a.show(link, func(w io.Writer) {
			fmt.Fprintln(w, link.URL)
			fmt.Fprintf(a.err, "It signs %s in once, within %d minutes. Whoever has it is that person: send it "+
				"nowhere.\n", email,
				int(dossier.SignInLinkTTL.Minutes()))
		})
	})
}

// personArguments checks the address and the role, if any, of a command line.
func personArguments(address, named string) (string, dossier.Role, error) {
	email, ok := dossier.FoldEmail(address)
	if !ok {
		return "", "", usagef("--email: %q is no email address", address)
	}
	role := dossier.Role(named)
	if named != "" && !role.Valid() {
		return "", "", usagef("--role: %q is none of viewer, reviewer, approver, admin", named)
	}
	return email, role, nil
}

// onlyWorkspace is the workspace with this key or id, or without a name the only one there is.
func onlyWorkspace(a *app, db *postgres.DB, name string) (dossier.Workspace, error) {
	if name != "" {
		return workspaceNamed(a.ctx, db, name)
	}
	all, err := db.ListWorkspaces(a.ctx)
	if err != nil || len(all) == 1 {
		return first(all), err
	}
	return dossier.Workspace{}, usagef("--workspace is needed: there are %d workspaces", len(all))
}

func first(list []dossier.Workspace) dossier.Workspace {
	if len(list) == 0 {
		return dossier.Workspace{}
	}
	return list[0]
}

type peopleCommand struct {
	List    listPeople    `cmd:"" help:"List who has a role in a workspace."`
	Add     addPerson     `cmd:"" help:"${people_add}"`
	Disable disablePerson `cmd:"" help:"${people_disable}"`
}

type listPeople struct {
	Workspace string `placeholder:"W" help:"Key or id of the workspace. Default: the only one."`
}

// member is one line of people list.
type member struct {
	Email      string       `json:"email"`
	Name       string       `json:"name"`
	Role       dossier.Role `json:"role"`
	Disabled   bool         `json:"disabled"`
	SignedInAt *record.Time `json:"signedInAt"`
}

// Run lists people by address.
func (c listPeople) Run(a *app) error {
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		w, err := onlyWorkspace(a, db, c.Workspace)
		if err != nil {
			return err
		}
		found, err := db.Members(a.ctx, w.ID)
		if err != nil {
			return err
		}
		list, rows := []member{}, [][]string{}
		for _, m := range found {
			state := "enabled"
			if m.Disabled {
				state = "disabled"
			}
			list = append(list, member{m.Email, m.Name, m.Role, m.Disabled, record.TimeOf(m.SignedInAt)})
			rows = append(rows, []string{m.Email, printable(m.Name), string(m.Role), state, stampOf(m.SignedInAt)})
		}
		return a.show(list, func(w io.Writer) { table(w, "No people.", "EMAIL NAME ROLE STATE SIGNED-IN", rows) })
	})
}

type addPerson struct {
	Email     string `required:"" placeholder:"E" help:"Address of the person."`
	Role      string `required:"" placeholder:"R" help:"viewer, reviewer, approver or admin."`
	Workspace string `placeholder:"W" help:"Key or id of the workspace. Default: the only one."`
}

// Run gives somebody a role beside those of the workspace's file.
func (c addPerson) Run(a *app) error {
	email, role, err := personArguments(c.Email, c.Role)
	if err != nil {
		return err
	}
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		w, err := onlyWorkspace(a, db, c.Workspace)
		if err != nil {
			return err
		}
		if err := db.AddPerson(a.ctx, w.ID, email, role); err != nil {
			return err
		}
		return a.show(done{true}, func(out io.Writer) {
			fmt.Fprintf(out, "%s is %s of %s.\n", email, role,
				printable(w.Key))
		})
	})
}

type disablePerson struct {
	Email     string `required:"" placeholder:"E" help:"Address of the person."`
	Workspace string `placeholder:"W" help:"Key or id of the one workspace to be shut out of. Default: all of them."`
}

// Run shuts somebody out at once: of one workspace, or of all with every session.
func (c disablePerson) Run(a *app) error {
	email, _, err := personArguments(c.Email, "")
	if err != nil {
		return err
	}
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		var ws dossier.WorkspaceID
		if c.Workspace != "" {
			w, err := workspaceNamed(a.ctx, db, c.Workspace)
			if err != nil {
				return err
			}
			ws = w.ID
		}
		if err := db.DisablePerson(a.ctx, ws, email); err != nil {
			return err
		}
		return a.show(done{true}, func(out io.Writer) { fmt.Fprintf(out, "%s is shut out.\n", email) })
	})
}
