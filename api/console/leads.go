package console

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// leadsPage is the list of leads.
type leadsPage struct {
	Leads    []listedLead
	Next     string // address of the next page
	First    bool   // of the pages
	Filtered bool
	Statuses []statusLink
	Search   string
	Tag      string
	Mode     string
	Status   string
	Import   *leadImport // that the person has just begun
}

type leadImport struct {
	ID, Status                      string
	DryRun                          bool
	Rows, Created, Updated, Refused int
	Errors                          []struct {
		Row          int
		Column       *string
		Code, Detail string
	}
	Failure *struct{ Code, Detail string }
}

// Working says that there is more to come.
func (i leadImport) Working() bool { return i.Status == "PENDING" || i.Status == "RUNNING" }

type statusLink struct {
	Code, Address string
	Current       bool
}

type listedLead struct {
	ID              string
	Name            string
	Email           *string
	PhoneNumber     string
	BusinessName    string
	Status          string
	ActivitySummary string
	Completed       int `json:"completedChecklistItems"`
	Total           int `json:"totalChecklistItems"`
	Tags            []string
	NextFollowUp    *struct {
		Summary     string
		ScheduledAt *time.Time
	}
}

// Called is whom people speak of.
func (l listedLead) Called() string {
	return cmp.Or(l.Name, "Lead without a name")
}

// leadStatuses are those a list is narrowed to, in the order of a lead's life.
var leadStatuses = []string{"", "IN_PROGRESS", "REVIEW", "COMPLETED", "NOT_INTERESTED", "OPTED_OUT"}

// leadNames are what leads are called, by their ids. Those that were deleted have none.
func (v Visit) leadNames(ids []string) (map[string]string, error) {
	names := map[string]string{}
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) == 0 {
		return names, nil
	}
	asked := url.Values{"ids": {strings.Join(ids, ",")}, "mode": {"all"}, "limit": {strconv.Itoa(len(ids))}}
	err := fill(v, with("/api/v1/leads", asked), func(leads []listedLead) {
		for _, l := range leads {
			names[l.ID] = l.Called()
		}
	})
	return names, err
}

// Leads lists leads; filters and search stand in the address.
func (v Visit) Leads() (Page, error) {
	q := func(name string) string { return v.Query.Get(name) }
	asked := url.Values{"q": {q("q")}, "status": {q("status")}, "tags": {q("tags")}, "mode": {q("mode")}}
	data := leadsPage{Search: q("q"), Tag: q("tags"), Mode: q("mode"), Status: q("status"), First: q("token") == ""}
	data.Filtered = data.Search != "" || data.Tag != "" || data.Mode != "" || data.Status != "" || !data.First
	for _, status := range leadStatuses {
		link := url.Values{"q": asked["q"], "tags": asked["tags"], "mode": asked["mode"], "status": {status}}
		data.Statuses = append(data.Statuses, statusLink{status, with(v.Base+"/console/leads", link),
			status == data.Status})
	}
	sent := url.Values{"limit": {"50"}, "token": {q("token")}}
	for name, values := range asked {
		sent[name] = values
	}
	leads, next, err := page[[]listedLead](v, with("/api/v1/leads", sent))
	if err != nil {
		return Page{}, err
	}
	data.Leads = leads
	if id := q("import"); id != "" {
		err := fill(v, "/api/v1/imports/"+url.PathEscape(id),
			func(a struct{ Import leadImport }) { data.Import = &a.Import })
		if err != nil {
			return Page{}, err
		}
	}
	if next != "" {
		asked.Set("token", next)
		data.Next = with(v.Base+"/console/leads", asked)
	}
	return Page{File: "leads", Title: "Leads", Tab: "leads", Data: data}, nil
}
