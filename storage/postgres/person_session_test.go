package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// people is a database with two workspaces, whose keys are w-one and w-two.
type people struct {
	*pgtest.Server
	one, two dossier.WorkspaceID
}

func newPeople(t *testing.T) *people {
	t.Helper()
	p := &people{Server: pgtest.New(t)}
	p.one, p.two = p.Workspace(t), p.Workspace(t)
	p.Exec(t, `UPDATE workspaces SET key = CASE id WHEN $1 THEN 'w-one' ELSE 'w-two' END`, p.one)
	return p
}

func (p *people) add(t *testing.T, ws dossier.WorkspaceID, email string, role dossier.Role) {
	t.Helper()
	if err := p.DB.AddPerson(t.Context(), ws, email, role); err != nil {
		t.Fatal(err)
	}
}

func (p *people) signIn(t *testing.T, as postgres.SignInAs, before string) string {
	t.Helper()
	secret, err := p.DB.SignIn(t.Context(), as, before)
	if err != nil || secret == "" {
		t.Fatal(err)
	}
	return secret
}

// answers is the workspace and role in which a cookie is let in, or which of the two refusals it gets.
func (p *people) answers(t *testing.T, secret, wanted string) string {
	t.Helper()
	switch in, err := p.DB.ReadSession(t.Context(), secret, wanted); {
	case err == nil:
		return in.In.Key + " " + string(in.Role)
	case dossier.KindOf(err) == dossier.Unauthorized:
		return noSession
	case dossier.KindOf(err) == dossier.NotFound:
		return noWorkspace
	default:
		return err.Error()
	}
}

func (p *people) is(t *testing.T, secret, wanted, want string) {
	t.Helper()
	if got := p.answers(t, secret, wanted); got != want {
		t.Errorf("asking for %q the cookie opens %q, want %q", wanted, got, want)
	}
}

const (
	noSession   = "no session"
	noWorkspace = "no workspace"
)

// A session opens what its person may do now, in the workspace it asks for or used last, never one where it has no role.
func TestReadSession(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	p.add(t, p.one, "ann@lender.example", dossier.RoleViewer)
	p.Exec(t, `INSERT INTO person_roles (workspace_id, kind, name, source, role, created_at) VALUES
		($1, 'group', 'credit', 'file', 'approver', now()), ($2, 'group', 'credit', 'file', 'reviewer', now()),
		($2, 'group', 'it', 'file', 'admin', now())`, p.one, p.two)
	secret := p.signIn(t, postgres.SignInAs{Email: "ann@lender.example", Name: "Ann", Groups: []string{"credit"}}, "")
	p.is(t, secret, "", "w-one approver") // the first; the higher of two roles
	p.is(t, secret, "w-two", "w-two reviewer")
	p.is(t, secret, "", "w-two reviewer") // used last
	p.is(t, secret, string(p.one), "w-one approver")
	p.is(t, secret, "w-three", noWorkspace)
	p.is(t, "no cookie", "", noSession)
	p.Exec(t, `UPDATE workspaces SET deleted_at = now() WHERE id = $1`, p.one)
	p.is(t, secret, "", "w-two reviewer")
	p.is(t, secret, "w-one", noWorkspace)
	p.Exec(t, `DELETE FROM person_roles`)
	p.is(t, secret, "", noWorkspace)
	if _, err := p.DB.SignIn(t.Context(), postgres.SignInAs{Email: "bo@lender.example"}, ""); dossier.KindOf(err) !=
		dossier.NotFound {
		t.Errorf("who has no role anywhere signs in: %v", err)
	}
}

// A session ends after half an hour without use and half a day at the latest, by whoever ends it; none comes back.
func TestReadSession_ends(t *testing.T) {
	t.Parallel()
	ann := postgres.SignInAs{Email: "ann@lender.example"}
	for name, end := range map[string]func(t *testing.T, p *people, secret string){
		"unused": func(_ *testing.T, p *people, _ string) { p.Clock.Advance(dossier.SessionIdle) },
		"old": func(t *testing.T, p *people, secret string) {
			for range dossier.SessionLife / (20 * time.Minute) {
				p.is(t, secret, "", "w-one admin")
				p.Clock.Advance(20 * time.Minute)
			}
		},
		"signed out": func(t *testing.T, p *people, secret string) {
			for range 2 {
				if err := p.DB.EndSessionBySecret(t.Context(), secret); err != nil {
					t.Error(err)
				}
			}
		},
		"signed in anew": func(t *testing.T, p *people, secret string) { p.signIn(t, ann, secret) },
		"the provider no longer stands by it": func(t *testing.T, p *people, secret string) {
			in, err := p.DB.ReadSession(t.Context(), secret, "")
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if err := p.DB.EndSession(t.Context(), in.Session.ID); err != nil {
					t.Error(err)
				}
			}
		},
		"disabled everywhere": func(t *testing.T, p *people, _ string) {
			if err := p.DB.DisablePerson(t.Context(), "", ann.Email); err != nil {
				t.Error(err)
			}
		},
		"revoked by an admin": func(t *testing.T, p *people, _ string) {
			list, err := p.DB.Sessions(t.Context(), p.one, dossier.Page{Limit: 5})
			if err != nil || len(list) != 1 || list[0].Email != ann.Email {
				t.Fatalf("%+v, %v", list, err)
			}
			if err := p.DB.RevokeSession(t.Context(), p.two, list[0].ID, ""); dossier.KindOf(err) != dossier.NotFound {
				t.Errorf("another workspace's admin: %v", err)
			}
			if err := p.DB.RevokeSession(t.Context(), p.one, list[0].ID,
				dossier.PersonID(postgres.NewID())); dossier.KindOf(err) != dossier.NotFound {
				t.Errorf("another person as its own: %v", err)
			}
			for range 2 {
				if err := p.DB.RevokeSession(t.Context(), p.one, list[0].ID, ""); err != nil {
					t.Error(err)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPeople(t)
			p.add(t, p.one, ann.Email, dossier.RoleAdmin)
			secret := p.signIn(t, ann, "")
			p.is(t, secret, "", "w-one admin")
			end(t, p, secret)
			p.is(t, secret, "", noSession)
			if list, err := p.DB.Sessions(t.Context(), p.two, dossier.Page{Limit: 5}); err != nil || len(list) != 0 {
				t.Errorf("another workspace's admin sees %d sessions, %v", len(list), err)
			}
		})
	}
}

// Shut out of one workspace a person keeps the others; added again it is let in again.
func TestDisablePerson(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	const ann = "ann@lender.example"
	p.add(t, p.one, ann, dossier.RoleViewer)
	p.add(t, p.two, ann, dossier.RoleReviewer)
	secret := p.signIn(t, postgres.SignInAs{Email: ann, Name: "Ann"}, "")
	members := func(want ...postgres.Member) {
		t.Helper()
		got, err := p.DB.Members(t.Context(), p.one)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			got[i].SignedInAt = nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("members (-want +got):\n%s", diff)
		}
	}
	members(postgres.Member{Email: ann, Name: "Ann", Role: dossier.RoleViewer})
	for range 2 {
		if err := p.DB.DisablePerson(t.Context(), p.one, ann); err != nil {
			t.Fatal(err)
		}
	}
	p.is(t, secret, "w-one", noWorkspace)
	p.is(t, secret, "w-two", "w-two reviewer")
	members(postgres.Member{Email: ann, Name: "Ann", Role: dossier.RoleViewer, Disabled: true})
	p.add(t, p.one, ann, dossier.RoleApprover)
	p.is(t, secret, "w-one", "w-one approver")
	if err := p.DB.DisablePerson(t.Context(), "", ann); err != nil {
		t.Fatal(err)
	}
	if _, err := p.DB.SignIn(t.Context(), postgres.SignInAs{Email: ann}, ""); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("who is disabled signs in: %v", err)
	}
	p.add(t, p.one, ann, dossier.RoleApprover)
	p.is(t, secret, "", noSession) // what was ended does not come back
	p.is(t, p.signIn(t, postgres.SignInAs{Email: ann}, ""), "", "w-one approver")
	if err := p.DB.DisablePerson(t.Context(), p.one, "nobody@lender.example"); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("nobody: %v", err)
	}
}

// A link signs in once, within ten minutes, with what it gives and for that session alone.
func TestUseSignInLink(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	const ann = "ann@lender.example"
	link := func(role dossier.Role) string {
		t.Helper()
		token, err := p.DB.CreateSignInLink(t.Context(), p.one, ann, role)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	if _, err := p.DB.CreateSignInLink(t.Context(), p.one, ann, ""); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("a link without any role: %v", err)
	}
	token := link(dossier.RoleAdmin)
	won := make(chan string, 4)
	for range cap(won) {
		go func() {
			secret, err := p.DB.UseSignInLink(context.Background(), token, "")
			if err != nil && dossier.KindOf(err) != dossier.NotFound {
				t.Error(err)
			}
			won <- secret
		}()
	}
	var secret string
	for range cap(won) {
		if got := <-won; got != "" {
			if secret != "" {
				t.Error("a link signed in twice")
			}
			secret = got
		}
	}
	p.is(t, secret, "", "w-one admin")
	p.is(t, secret, "w-two", noWorkspace)
	if _, err := p.DB.SignIn(t.Context(), postgres.SignInAs{Email: ann}, ""); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("the link's role holds beyond its session: %v", err)
	}
	late := link(dossier.RoleAdmin)
	p.Clock.Advance(dossier.SignInLinkTTL)
	p.add(t, p.one, ann, dossier.RoleViewer)
	own := link("")
	for name, token := range map[string]string{"too old": late, "used": token, "unknown": "x"} {
		if _, err := p.DB.UseSignInLink(t.Context(), token, ""); dossier.KindOf(err) != dossier.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	next, err := p.DB.UseSignInLink(t.Context(), own, secret)
	if err != nil {
		t.Fatal(err)
	}
	p.is(t, next, "", "w-one viewer")
	p.is(t, secret, "", noSession) // the session before ended with it
	disabled := link("")
	if err := p.DB.DisablePerson(t.Context(), "", ann); err != nil {
		t.Fatal(err)
	}
	if _, err := p.DB.UseSignInLink(t.Context(), disabled, ""); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("the link of somebody disabled: %v", err)
	}
}

// An attempt at the provider is finished once, in time, by the browser that began it: else somebody else's answer would
// sign in.
func TestTakeSignIn(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	begin := func(state string) {
		t.Helper()
		if err := p.DB.BeginSignIn(t.Context(), state, "browser"); err != nil {
			t.Fatal(err)
		}
	}
	take := func(name, state, browser string, want bool) {
		t.Helper()
		if err := p.DB.TakeSignIn(t.Context(), state, browser); (err == nil) != want || err != nil &&
			dossier.KindOf(err) != dossier.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	begin("a")
	take("another browser", "a", "other", false)
	take("another state", "b", "browser", false)
	take("in time", "a", "browser", true)
	take("again", "a", "browser", false)
	begin("c")
	p.Clock.Advance(dossier.SignInLinkTTL)
	take("too late", "c", "browser", false)
	begin("d")
	if n := pgtest.Value[int](t, p.Server, `SELECT count(*) FROM sign_ins`); n != 2 {
		t.Errorf("%d attempts are kept, want the one that ends now and the new one", n)
	}
}

// The provider is asked about a session every four minutes by one request alone; what it is asked with stands nowhere in
// the open, and a session of which it cannot be asked any more ends.
func TestDueCheck(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	p.add(t, p.one, "ann@lender.example", dossier.RoleViewer)
	secret := p.signIn(t, postgres.SignInAs{Email: "ann@lender.example", Renew: "refresh-1"}, "")
	in, err := p.DB.ReadSession(t.Context(), secret, "")
	if err != nil {
		t.Fatal(err)
	}
	due := func(want string) {
		t.Helper()
		if got, err := p.DB.DueCheck(t.Context(), in.Session.ID); err != nil || got != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	due("")
	p.Clock.Advance(4*time.Minute - time.Microsecond)
	due("")
	p.Clock.Advance(time.Microsecond)
	due("refresh-1")
	due("") // somebody has the turn
	if kept := pgtest.Value[string](t, p.Server, `SELECT encode(renewal, 'escape') FROM sessions`); kept == "refresh-1" {
		t.Error("kept in the open")
	}
	if err := p.DB.KeepSession(t.Context(), in.Session.ID, []string{"credit"}, "refresh-2"); err != nil {
		t.Fatal(err)
	}
	p.Clock.Advance(4 * time.Minute)
	due("refresh-2")
	if err := p.DB.KeepSession(t.Context(), in.Session.ID, nil, "refresh-3"); err != nil { // it told no groups
		t.Fatal(err)
	}
	if in, err = p.DB.ReadSession(t.Context(), secret, ""); err != nil || len(in.Groups) != 1 || in.Groups[0] != "credit" {
		t.Errorf("groups %v, %v", in.Groups, err)
	}
	p.Clock.Advance(4 * time.Minute)
	p.Exec(t, `UPDATE sessions SET renewal = '\x00'`)
	due("")
	p.is(t, secret, "", noSession)
}
