package api

import (
	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
)

type mePerson struct {
	ID    dossier.PersonID `json:"id"`
	Email string           `json:"email"`
	Name  string           `json:"name"`
}

type meSession struct {
	ID        dossier.SessionID `json:"id"`
	CreatedAt instant           `json:"createdAt"`
	ExpiresAt instant           `json:"expiresAt"`
}

type meWorkspace struct {
	ID   dossier.WorkspaceID `json:"id"`
	Key  string              `json:"key"`
	Name string              `json:"name"`
}

type meRole struct {
	meWorkspace
	Role dossier.Role `json:"role"`
}

// meAnswer is who calls: a person with its session, or a key.
type meAnswer struct {
	success
	Person     *mePerson     `json:"person"`
	Session    *meSession    `json:"session"`
	APIKey     *apiKey       `json:"apiKey"`
	Workspace  meWorkspace   `json:"workspace"`
	Role       *dossier.Role `json:"role"`
	Workspaces []meRole      `json:"workspaces"`
}

type listedSession struct {
	ID         dossier.SessionID `json:"id"`
	Person     mePerson          `json:"person"`
	CreatedAt  instant           `json:"createdAt"`
	LastSeenAt instant           `json:"lastSeenAt"`
	ExpiresAt  instant           `json:"expiresAt"`
}

type sessionsQuery struct{ paging }

type sessionsAnswer struct {
	success
	Sessions  []listedSession `json:"sessions"`
	NextToken *string         `json:"nextToken"`
}

// listedPerson is one who has a role in a workspace.
type listedPerson struct {
	Email      string       `json:"email"`
	Name       string       `json:"name"`
	Role       dossier.Role `json:"role"`
	Disabled   bool         `json:"disabled"`
	SignedInAt *instant     `json:"signedInAt"`
}

type peopleAnswer struct {
	success
	People []listedPerson `json:"people"`
}

// readMe says who calls and what they may do.
func (s *Server) readMe(c *fiber.Ctx) error {
	who := callerOf(c)
	answer := meAnswer{success: yes, Workspaces: []meRole{}}
	if p := who.person; p != nil {
		answer.Person = &mePerson{p.Person.ID, p.Person.Email, p.Person.Name}
		answer.Session = &meSession{p.Session.ID, instant(p.Session.CreatedAt), instant(p.Session.Ends())}
		answer.Workspace, answer.Role = meWorkspace{p.In.ID, p.In.Key, p.In.Name}, &p.Role
		for _, r := range p.Roles {
			answer.Workspaces = append(answer.Workspaces, meRole{meWorkspace{r.ID, r.Key, r.Name}, r.Role})
		}
		return send(c, fiber.StatusOK, answer)
	}
	w, err := s.db.ReadWorkspace(c.UserContext(), who.workspace)
	if err != nil {
		return err
	}
	key := keyJSON(who.key)
	answer.APIKey, answer.Workspace = &key, meWorkspace{w.ID, w.Key, w.Name}
	return send(c, fiber.StatusOK, answer)
}

// listSessions shows, not to test keys, the sessions of the workspace's people that have not ended.
func (s *Server) listSessions(c *fiber.Ctx) error {
	if callerOf(c).key.IsTest {
		return dossier.Coded(dossier.Forbidden, "insufficient_scope",
			"A test key sees test leads only; the sessions of people are for live keys and for people")
	}
	q, err := query[sessionsQuery](c)
	if err != nil {
		return err
	}
	page, err := q.page(c)
	if err != nil {
		return err
	}
	list, err := s.db.Sessions(c.UserContext(), workspace(c), page)
	if err != nil {
		return err
	}
	list, next := pageEnd(c, page, list, func(l postgres.ListedSession) dossier.Cursor {
		return dossier.Cursor{At: l.CreatedAt, ID: string(l.ID)}
	})
	answer := sessionsAnswer{success: yes, Sessions: []listedSession{}, NextToken: next}
	for _, l := range list {
		answer.Sessions = append(answer.Sessions, listedSession{ID: l.ID, Person: mePerson{l.PersonID, l.Email, l.Name},
			CreatedAt: instant(l.CreatedAt), LastSeenAt: instant(l.SeenAt), ExpiresAt: instant(l.Ends())})
	}
	return send(c, fiber.StatusOK, answer)
}

// listPeople shows, not to test keys, who has a role in the workspace, by address.
func (s *Server) listPeople(c *fiber.Ctx) error {
	if callerOf(c).key.IsTest {
		return dossier.Coded(dossier.Forbidden, "insufficient_scope",
			"A test key sees test leads only; people are for live keys and for people")
	}
	members, err := s.db.Members(c.UserContext(), workspace(c))
	if err != nil {
		return err
	}
	answer := peopleAnswer{success: yes, People: []listedPerson{}}
	for _, m := range members {
		one := listedPerson{Email: m.Email, Name: m.Name, Role: m.Role, Disabled: m.Disabled}
		if m.SignedInAt != nil {
			at := instant(*m.SignedInAt)
			one.SignedInAt = &at
		}
		answer.People = append(answer.People, one)
	}
	return send(c, fiber.StatusOK, answer)
}

// revokeSession ends a session: one's own, or as an admin any of the workspace's people. To a test key
// there are none.
func (s *Server) revokeSession(c *fiber.Ctx) error {
	id, err := pathID[dossier.SessionID](c, "sessionId")
	if err != nil {
		return err
	}
	who, of := callerOf(c), dossier.PersonID("")
	if !who.can(scopeAdmin) || who.key.IsTest { // people are no test data
		if who.person == nil {
			return dossier.Coded(dossier.NotFound, "session_not_found", "No session with this id in the workspace")
		}
		of = who.person.Person.ID
	}
	if err := s.db.RevokeSession(c.UserContext(), who.workspace, id, of); err != nil {
		return err
	}
	return send(c, fiber.StatusOK, yes)
}
