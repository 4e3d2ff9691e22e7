package console

import (
	"errors"
	"net/url"
	"strings"
	"time"
)

// settingsPage is what an admin looks after.
type settingsPage struct {
	Keys      []apiKey
	Sessions  []session
	Entries   []auditEntry
	Next      string
	Actor     string
	Agents    []agent
	Flows     []workflow
	Session   string // the person's own
	File      string // YAML of the workspace as applied
	People    []member
	named     map[string]string // keys, sessions and people of the audit, by their ids
	leads     map[string]string // likewise
	endpoints []webhook
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
	Details    struct{ LeadID, PersonID, Kind string }
}

// actionLabels are labels of audit actions that do not follow the pattern of a noun and a participle.
var actionLabels = map[string]string{"console.open": "Sign-in link made", "session.create": "Signed in",
	"session.revoke":     "Session ended",
	"document.reprocess": "Document read again", "document.correct": "Facts corrected",
	"checklist.reveal": "Hidden answers shown", "job.retry": "Work tried again", "job.cancel": "Work cancelled",
	"delivery.redeliver": "Event sent again", "webhook.replay": "Failed events sent again",
	"webhook.disabled": "Webhook switched off", "analytics.repair": "Reports put right",
	"workspace.rotate_inbound": "Inbound address replaced",
	"document.page_read":       "Page looked at"}

// Done is the act in words: what was done to what.
func (e auditEntry) Done() string {
	if said, ok := actionLabels[e.Action]; ok {
		return said
	}
	noun, verb, _ := strings.Cut(e.Action, ".")
	return say(noun) + " " + participle(strings.ToLower(say(verb)))
}

// irregular are past participles that are not formed with an ending.
var irregular = map[string]string{"parts": "split", "take over": "taken over", "set party": "given to a party",
	"read": "read", "page read": "page read", "hash mismatch": "not as it was sent", "disabled": "disabled",
	"submit": "submitted", "cancel": "cancelled", "retry": "retried", "override": "overridden",
	"rotate secret": "secret rotated", "rotate inbound": "address replaced"}

// participle returns the past participle of a verb.
func participle(verb string) string {
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

// subject is what an act was done to, in words, where it is shown, and its id.
type subject struct{ Name, Address, ID string }

// On is what an act was done to.
func (p settingsPage) On(e auditEntry) subject {
	s := subject{Name: say(e.Subject.Type), ID: e.Subject.ID}
	switch e.Subject.Type {
	case "lead":
		if name := p.leads[e.Subject.ID]; name != "" {
			return subject{name, "/console/leads/" + url.PathEscape(e.Subject.ID), s.ID}
		}
		s.Name = "A lead that was deleted"
	case "document", "spread", "review":
		s.Address = "/console/" + e.Subject.Type + "s/" + url.PathEscape(e.Subject.ID)
	case "webhook":
		s.Address = "/console/webhooks?webhook=" + url.QueryEscape(e.Subject.ID)
	case "delivery":
		s.Address = "/console/webhooks?delivery=" + url.QueryEscape(e.Subject.ID)
	case "workspace":
		s.Name = "This workspace"
	}
	name := p.named[e.Subject.ID]
	switch {
	case name != "":
		s.Name = name
	case e.Subject.Type == "erasure" && p.leads[e.Details.LeadID] != "":
		s.Name, s.Address = "Erasure of "+p.leads[e.Details.LeadID], "/console/leads/"+url.PathEscape(e.Details.LeadID)
	case e.Subject.Type == "job" && e.Details.Kind != "":
		s.Name = say(strings.ReplaceAll(e.Details.Kind, ".", " "))
	}
	return s
}

// names are what the page calls keys, endpoints, sessions and people, by their ids.
func (p settingsPage) names() map[string]string {
	names := map[string]string{}
	for _, k := range p.Keys {
		names[k.ID] = "API key “" + k.Name + "”"
	}
	for _, w := range p.endpoints {
		names[w.ID] = "Webhook to " + shortAddress(w.URL)
	}
	for _, s := range p.Sessions {
		names[s.ID], names[s.Person.ID] = "Session of "+s.Person.Email, s.Person.Email
	}
	for _, e := range p.Entries {
		if who := names[e.Details.PersonID]; who != "" && names[e.Subject.ID] == "" && e.Subject.Type == "session" {
			names[e.Subject.ID] = "Session of " + who
		}
	}
	return names
}

// leadIDs are those of the leads that the audit names.
func (p settingsPage) leadIDs() []string {
	var ids []string
	for _, e := range p.Entries {
		switch {
		case e.Subject.Type == "lead":
			ids = append(ids, e.Subject.ID)
		case e.Details.LeadID != "":
			ids = append(ids, e.Details.LeadID)
		}
	}
	return ids
}

// Who did it.
func (e auditEntry) Who() string {
	if e.Actor.Name != nil {
		return *e.Actor.Name
	}
	return say(e.Actor.Type)
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
			fill(v, "/api/v1/webhooks?limit=200", func(a struct{ Webhooks []webhook }) { data.endpoints = a.Webhooks }),
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
	if err == nil {
		data.leads, err = v.leadNames(data.leadIDs())
	}
	data.named = data.names()
	return Page{File: "settings", Title: "Settings", Tab: "settings", Data: data}, err
}
