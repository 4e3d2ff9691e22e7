package console

import (
	"errors"
	"net/url"
	"strings"
	"time"
)

// settingsPage is what an admin looks after.
type settingsPage struct {
	Keys     []apiKey
	Sessions []session
	Entries  []auditEntry
	Next     string
	Actor    string
	Agents   []agent
	Flows    []workflow
	Session  string // the person's own
	File     string // YAML of the workspace as applied
	People   []member
	named    map[string]string // keys, sessions and people of the audit, by their ids
}

// member is one who has a role in the workspace.
type member struct {
	Email, Name, Role string
	Disabled          bool
	SignedInAt        *time.Time
}

type apiKey struct {
	ID, Name, Prefix                 string
	Scopes                           []string
	IsTest                           bool
	ExpiresAt, LastUsedAt, RevokedAt *time.Time
	CreatedAt                        time.Time
}

type session struct {
	ID                               string
	Person                           struct{ ID, Email, Name string }
	CreatedAt, LastSeenAt, ExpiresAt time.Time
}

type auditEntry struct {
	ID, Action string
	At         time.Time
	Subject    struct{ Type, ID string }
	Actor      struct {
		Type     string
		ID, Name *string
	}
	OnBehalfOf *string
	Hash       string
}

// Done is the act in words: what was done to what.
func (e auditEntry) Done() string {
	noun, verb, _ := strings.Cut(e.Action, ".")
	return say(noun) + " " + past(strings.ToLower(say(verb)))
}

// irregular are acts whose past one does not make with an ending.
var irregular = map[string]string{"parts": "split", "take over": "taken over", "set party": "given to a party",
	"read": "read", "page read": "page read", "hash mismatch": "not as it was sent", "disabled": "disabled",
	"submit": "submitted", "cancel": "cancelled", "retry": "retried", "override": "overridden",
	"rotate secret": "secret rotated", "rotate inbound": "address replaced"}

// past is a verb as one says it of what was done.
func past(verb string) string {
	if said, ok := irregular[verb]; ok {
		return said
	}
	first, rest, more := strings.Cut(verb, " ")
	first = strings.TrimSuffix(first, "e") + "ed"
	if more {
		return first + " " + rest
	}
	return first
}

// subject is what an act was done to, in words, and where it is shown.
type subject struct{ Name, Address, ID string }

// On is what an act was done to.
func (p settingsPage) On(e auditEntry) subject {
	s := subject{Name: say(e.Subject.Type)}
	switch e.Subject.Type {
	case "lead", "document", "spread", "review":
		s.Address = "/console/" + e.Subject.Type + "s/" + url.PathEscape(e.Subject.ID)
	case "webhook":
		s.Address = "/console/webhooks?webhook=" + url.QueryEscape(e.Subject.ID)
	default:
		if name := p.named[e.Subject.ID]; name != "" {
			s.Name += " " + name
		} else {
			s.ID = e.Subject.ID
		}
	}
	return s
}

// names are what the page calls keys, sessions and people, by their ids.
func (p settingsPage) names() map[string]string {
	names := map[string]string{}
	for _, k := range p.Keys {
		names[k.ID] = "“" + k.Name + "”"
	}
	for _, s := range p.Sessions {
		names[s.ID], names[s.Person.ID] = "of "+s.Person.Email, s.Person.Email
	}
	return names
}

// Who did it.
func (e auditEntry) Who() string {
	if e.Actor.Name != nil {
		return *e.Actor.Name
	}
	return e.Actor.Type
}

// Settings shows the workspace, who may do what, and what was done.
func (v Visit) Settings() (Page, error) {
	data := settingsPage{Actor: v.Query.Get("actor")}
	err := errors.Join(
		fill(v, "/api/v1/me", func(a struct{ Session *session }) {
			if a.Session != nil {
				data.Session = a.Session.ID
			}
		}),
		fill(v, "/api/v1/agents", func(a struct{ Agents []agent }) { data.Agents = a.Agents }),
		fill(v, "/api/v1/workflows", func(a struct{ Workflows []workflow }) { data.Flows = a.Workflows }))
	if err == nil && v.Me.Can("admin") {
		audit := url.Values{"limit": {"50"}, "actor": {data.Actor}, "token": {v.Query.Get("page")}}
		err = errors.Join(
			fill(v, "/api/v1/api-keys?limit=200", func(a struct{ APIKeys []apiKey }) { data.Keys = a.APIKeys }),
			fill(v, "/api/v1/workspace", func(a struct{ File string }) { data.File = a.File }),
			fill(v, "/api/v1/people", func(a struct{ People []member }) { data.People = a.People }),
			fill(v, "/api/v1/sessions?limit=200", func(a struct{ Sessions []session }) { data.Sessions = a.Sessions }),
			fill(v, with("/api/v1/audit", audit), func(a struct {
				Entries   []auditEntry
				NextToken *string
			}) {
				data.Entries = a.Entries
				if a.NextToken != nil {
					data.Next = with(v.Base+"/console/settings", url.Values{"actor": {data.Actor},
						"page": {*a.NextToken}}) + "#audit"
				}
			}))
	}
	data.named = data.names()
	return Page{File: "settings", Title: "Settings", Tab: "settings", Data: data}, err
}
