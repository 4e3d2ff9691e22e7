package dossier

import (
	"maps"
	"slices"
	"time"
)

// Role is what a person may do in a workspace. Each includes those before it.
type Role string

// Roles.
const (
	RoleViewer   Role = "viewer"   // reads
	RoleReviewer Role = "reviewer" // decides, corrects, writes messages
	RoleApprover Role = "approver" // approves, overrides, gives the second opinion
	RoleAdmin    Role = "admin"    // people, keys, erasures, holds, audit
)

// Roles are all of them, the least first.
var Roles = []Role{RoleViewer, RoleReviewer, RoleApprover, RoleAdmin}

// Valid reports whether r is one of the four roles.
func (r Role) Valid() bool { return slices.Contains(Roles, r) }

// AtLeast reports whether r includes other. No role includes none.
func (r Role) AtLeast(other Role) bool {
	return r.Valid() && slices.Index(Roles, r) >= slices.Index(Roles, other)
}

// Can reports whether the role opens what a key with the scope does.
func (r Role) Can(s Scope) bool {
	switch s {
	case ScopeRead:
		return r.AtLeast(RoleViewer)
	case ScopeWrite:
		return r.AtLeast(RoleReviewer)
	}
	return r.AtLeast(RoleAdmin)
}

// HighestRole is the one of them that includes the others; "" of none.
func HighestRole(roles ...Role) Role {
	var highest Role
	for _, r := range roles {
		if r.Valid() && !highest.AtLeast(r) {
			highest = r
		}
	}
	return highest
}

// Person is somebody who signs in. An address is one person in all workspaces.
type Person struct {
	ID         PersonID
	Email      string // lower case
	Name       string
	CreatedAt  time.Time
	SignedInAt *time.Time
	DisabledAt *time.Time // everywhere
}

// WorkspaceRole is a person's role in one workspace: the highest of those that its address and groups have there.
type WorkspaceRole struct {
	ID   WorkspaceID
	Key  string
	Name string
	Role Role
}

// How long sessions and the links of `dossier console open` are good for.
const (
	SessionIdle   = 30 * time.Minute
	SessionLife   = 12 * time.Hour
	SignInLinkTTL = 10 * time.Minute
)

// Session is a person's stay, from the sign-in on.
type Session struct {
	ID        SessionID
	PersonID  PersonID
	CreatedAt time.Time
	SeenAt    time.Time // at most a minute behind
	ExpiresAt time.Time // at the latest
	RevokedAt *time.Time
}

// Ends is when the session is over if nothing more comes of it.
func (s Session) Ends() time.Time {
	if idle := s.SeenAt.Add(SessionIdle); idle.Before(s.ExpiresAt) {
		return idle
	}
	return s.ExpiresAt
}

// Usable reports whether the session opens anything at a moment.
func (s Session) Usable(now time.Time) bool { return s.RevokedAt == nil && now.Before(s.Ends()) }

// PeopleSettings are the roles that a workspace's file gives.
type PeopleSettings struct {
	Groups map[string]Role // by the group's name at the provider
	Emails map[string]Role // by address in lower case
}

func (p PeopleSettings) check(f *configFaults) {
	for _, name := range slices.Sorted(maps.Keys(p.Groups)) {
		f.require(name != "" && len(name) <= 255, "/people/groups", "invalid",
			"a group in people.groups must have a name of 1 to 255 characters")
		f.require(p.Groups[name].Valid(), "/people/groups/"+name, "invalid",
			"the role of group %s must be viewer, reviewer, approver or admin", name)
	}
	for _, email := range slices.Sorted(maps.Keys(p.Emails)) {
		_, ok := FoldEmail(email)
		f.require(ok, "/people/emails/"+email, "invalid", "%s in people.emails is no email address", email)
		f.require(p.Emails[email].Valid(), "/people/emails/"+email, "invalid",
			"the role of %s must be viewer, reviewer, approver or admin", email)
	}
}
