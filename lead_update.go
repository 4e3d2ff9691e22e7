package dossier

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of decisions.md section 1.
const (
	MaxString      = 255
	MaxText        = 10_000
	MaxURL         = 2048
	MaxTags        = 50
	MaxTag         = 64
	MaxItemUpdates = 500
	MaxMetadata    = 32 << 10 // bytes of JSON
)

// LeadUpdate is what a caller sent about a lead. A nil or unsent field leaves the lead as it is.
type LeadUpdate struct {
	FirstName          Patch[string]
	MiddleName         Patch[string]
	LastName           Patch[string]
	BusinessName       Patch[string]
	Email              Patch[string]
	PhoneNumber        Patch[string]
	Timezone           Patch[string]
	Website            Patch[string]
	ExternalLeadID     Patch[string]
	ExternalPortalLink Patch[string]
	DecisionAt         Patch[time.Time]
	Status             *LeadStatus
	DidOptOut          *bool
	AssigneeType       *AssigneeType
	EmailVerified      *bool
	Tags               *[]string
	Items              []ItemUpdate
}

// LeadChange is one field of the lead that an update changed, by its name in the lead record, with the value
// it has now: a string, bool, []string, time.Time or nil.
type LeadChange struct {
	Field string
	Value any
}

// LeadChanges is what an update did to a lead: the changed fields in the order of the record, and the turn its
// status took.
type LeadChanges struct {
	Fields        []LeadChange
	Completed     bool // COMPLETED was sent: required items still open are skipped, also when it already was
	NotInterested bool // became so
	OptedOut      bool // became so
	Reopened      bool // IN_PROGRESS ended a closing status
}

// Update changes the lead as the caller asked, all or nothing. region is the country of phone numbers without
// one. The checklist is the caller's business: LeadChanges says what the status asks of it.
//
// Errors: Invalid (all faults at once; status_not_settable; opt_out_status_conflict), Conflict (opt_out_active).
func (l *Lead) Update(upd LeadUpdate, region string, now time.Time) (LeadChanges, error) {
	if faults := upd.Faults(); len(faults) > 0 {
		return LeadChanges{}, InvalidFaults(faults)
	}
	after, changes := *l, LeadChanges{}
	after.setContact(upd, region, now)
	if err := after.setStatus(upd, now, &changes); err != nil {
		return LeadChanges{}, err
	}
	changes.Fields = leadDiff(*l, after)
	*l = after
	return changes, nil
}

func (l *Lead) setContact(upd LeadUpdate, region string, now time.Time) {
	trimmed(upd.FirstName).apply(&l.FirstName)
	trimmed(upd.MiddleName).apply(&l.MiddleName)
	trimmed(upd.LastName).apply(&l.LastName)
	trimmed(upd.BusinessName).apply(&l.BusinessName)
	trimmed(upd.Website).apply(&l.Website)
	trimmed(upd.ExternalLeadID).apply(&l.ExternalLeadID)
	trimmed(upd.ExternalPortalLink).apply(&l.ExternalPortalLink)
	upd.DecisionAt.apply(&l.DecisionAt)
	l.setEmail(upd, now)
	l.setPhone(trimmed(upd.PhoneNumber), region)
	if zone := trimmed(upd.Timezone); zone.Sent {
		// A cleared zone may be inferred from the next number, a given one is never replaced.
		l.Timezone, l.TimezoneInferred = zone.Value, zone.Value == nil
	}
	if upd.AssigneeType != nil {
		l.AssigneeType = *upd.AssigneeType
	}
	if upd.Tags != nil {
		l.Tags = cleanTags(*upd.Tags)
	}
}

// setEmail changes the address; a verification belongs to the address it was made for.
func (l *Lead) setEmail(upd LeadUpdate, now time.Time) {
	if email := trimmed(upd.Email); email.Sent {
		if !strings.EqualFold(Text(email.Value), Text(l.Email)) {
			l.EmailVerifiedAt = nil
		}
		l.Email = email.Value
	}
	switch {
	case upd.EmailVerified == nil:
	case *upd.EmailVerified:
		l.EmailVerifiedAt = &now
	default:
		l.EmailVerifiedAt = nil
	}
}

// setPhone changes the number and, when the zone was inferred or there is none, the time zone with it.
func (l *Lead) setPhone(phone Patch[string], region string) {
	if !phone.Sent {
		return
	}
	before := Text(l.PhoneNumber)
	l.PhoneNumber = nil
	if phone.Value != nil {
		normal, _ := NormalizePhone(*phone.Value, region)
		l.PhoneNumber = &normal
	}
	if Text(l.PhoneNumber) == before {
		return
	}
	l.PhoneVerifiedAt = nil
	if l.Timezone != nil && !l.TimezoneInferred {
		return
	}
	l.Timezone, l.TimezoneInferred = nil, true
	if zone := PhoneTimezone(Text(l.PhoneNumber), region); zone != "" {
		l.Timezone = &zone
	}
}

// setStatus does the transitions of api.md, Lead status.
func (l *Lead) setStatus(upd LeadUpdate, now time.Time, changes *LeadChanges) error {
	if upd.DidOptOut != nil && !*upd.DidOptOut {
		wasOptedOut := l.Status() == LeadOptedOut
		l.optIn()
		changes.Reopened = wasOptedOut && upd.Status != nil && *upd.Status == LeadInProgress
	}
	switch status := upd.wantedStatus(); status {
	case "":
	case LeadInProgress:
		if l.DidOptOut {
			return Coded(Conflict, "opt_out_active",
				"This lead has opted out; send didOptOut false to clear the opt-out")
		}
		changes.Reopened = changes.Reopened || l.ClosingStatus != nil
		l.reopen()
	default:
		changed := l.Close(status, now)
		changes.Completed = status == LeadCompleted
		changes.NotInterested = changed && status == LeadNotInterested
		changes.OptedOut = changed && status == LeadOptedOut
	}
	return nil
}

// wantedStatus is the status asked for; didOptOut true alone asks for OPTED_OUT.
func (upd LeadUpdate) wantedStatus() LeadStatus {
	switch {
	case upd.Status != nil:
		return *upd.Status
	case upd.DidOptOut != nil && *upd.DidOptOut:
		return LeadOptedOut
	}
	return ""
}

// Faults finds everything wrong with what was sent, whatever the lead is.
func (upd LeadUpdate) Faults() []Fault {
	var f faults
	for _, field := range []struct {
		name  string
		value Patch[string]
	}{
		{"firstName", upd.FirstName}, {"middleName", upd.MiddleName}, {"lastName", upd.LastName},
		{"businessName", upd.BusinessName},
		{"email", upd.Email}, {"phoneNumber", upd.PhoneNumber}, {"externalLeadId", upd.ExternalLeadID},
	} {
		f.length("/"+field.name, Text(field.value.Value), MaxString)
	}
	f.url("/website", upd.Website)
	f.url("/externalPortalLink", upd.ExternalPortalLink)
	if email := trimmed(upd.Email).Value; email != nil && !ValidEmail(*email) {
		f.add("/email", "invalid_value", "email must be an address such as name@example.com")
	}
	if zone := trimmed(upd.Timezone).Value; zone != nil && !validZone(*zone) {
		f.add("/timezone", "invalid_value", "timezone must be an IANA name such as America/New_York")
	}
	f.status(upd)
	if upd.Tags != nil {
		f.tags(*upd.Tags)
	}
	f.items(upd.Items)
	return f
}

// status refuses what cannot be set, and a didOptOut that does not agree.
func (f *faults) status(upd LeadUpdate) {
	if upd.Status == nil {
		return
	}
	switch status := *upd.Status; {
	case status == LeadReview:
		f.add("/status", "status_not_settable",
			"status REVIEW cannot be set: it shows while an escalation is unresolved")
	case !status.Valid():
		f.add("/status", "invalid_value", "status must be COMPLETED, IN_PROGRESS, NOT_INTERESTED or OPTED_OUT")
	case upd.DidOptOut == nil || *upd.DidOptOut == (status == LeadOptedOut):
	case *upd.DidOptOut:
		f.add("/didOptOut", "opt_out_status_conflict",
			"didOptOut true and status %s do not agree; send OPTED_OUT or no status", status)
	default:
		f.add("/didOptOut", "opt_out_status_conflict",
			"didOptOut false and status OPTED_OUT do not agree; send another status or none")
	}
}

// NewFaults is Faults with what only a new lead must satisfy: something to call or reach it by.
func (upd LeadUpdate) NewFaults() []Fault {
	faults := upd.Faults()
	for _, field := range []Patch[string]{upd.FirstName, upd.LastName, upd.BusinessName, upd.Email, upd.PhoneNumber} {
		if trimmed(field).Value != nil {
			return faults
		}
	}
	return append(faults, Fault{Pointer: "", Code: "required",
		Detail: "A lead needs at least one of firstName, lastName, businessName, email, phoneNumber"})
}

// leadDiff lists the fields of the record that differ, in its order.
func leadDiff(a, b Lead) []LeadChange {
	var changes []LeadChange
	add := func(field string, changed bool, value any) {
		if changed {
			changes = append(changes, LeadChange{field, value})
		}
	}
	str := func(field string, a, b *string) { add(field, !sameText(a, b), optional(b)) }
	at := func(field string, a, b *time.Time) { add(field, !sameTime(a, b), optional(b)) }
	str("firstName", a.FirstName, b.FirstName)
	str("middleName", a.MiddleName, b.MiddleName)
	str("lastName", a.LastName, b.LastName)
	str("businessName", a.BusinessName, b.BusinessName)
	str("email", a.Email, b.Email)
	at("emailVerifiedAt", a.EmailVerifiedAt, b.EmailVerifiedAt)
	str("phoneNumber", a.PhoneNumber, b.PhoneNumber)
	str("timezone", a.Timezone, b.Timezone)
	str("website", a.Website, b.Website)
	str("externalLeadId", a.ExternalLeadID, b.ExternalLeadID)
	str("externalPortalLink", a.ExternalPortalLink, b.ExternalPortalLink)
	add("assigneeType", a.AssigneeType != b.AssigneeType, string(b.AssigneeType))
	add("tags", !slices.Equal(a.Tags, b.Tags), b.Tags)
	add("status", a.Status() != b.Status(), string(b.Status()))
	add("didOptOut", a.DidOptOut != b.DidOptOut, b.DidOptOut)
	at("optOutAt", a.OptOutAt, b.OptOutAt)
	at("notInterestedAt", a.NotInterestedAt, b.NotInterestedAt)
	at("decisionAt", a.DecisionAt, b.DecisionAt)
	return changes
}

func sameText(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

func sameTime(a, b *time.Time) bool { return a == b || a != nil && b != nil && a.Equal(*b) }

func optional[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

// trimmed drops white space around a text; what is then empty is a cleared field, not an empty one.
func trimmed(p Patch[string]) Patch[string] {
	if p.Value == nil {
		return p
	}
	s := strings.TrimSpace(*p.Value)
	if s == "" {
		return Clear[string]()
	}
	return Set(s)
}

// cleanTags keeps the first spelling of each tag, sorted without case.
func cleanTags(tags []string) []string {
	clean, seen := []string{}, map[string]bool{}
	for i, folded := range FoldTags(tags) {
		if !seen[folded] {
			seen[folded] = true
			clean = append(clean, strings.TrimSpace(tags[i]))
		}
	}
	slices.SortFunc(clean, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	return clean
}

// validZone takes IANA names only: "Local" and "" are Go's own.
func validZone(name string) bool {
	if name == "Local" {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

// faults collects everything wrong with an input.
type faults []Fault

func (f *faults) add(pointer, code, format string, args ...any) {
	*f = append(*f, Fault{Pointer: pointer, Code: code, Detail: fmt.Sprintf(format, args...)})
}

// length takes at most limit characters of text that Postgres can keep.
func (f *faults) length(pointer, value string, limit int) {
	name := pointer[strings.LastIndexByte(pointer, '/')+1:]
	if utf8.RuneCountInString(value) > limit {
		f.add(pointer, "too_long", "%s may have at most %d characters", name, limit)
	}
	if strings.ContainsRune(value, 0) || !utf8.ValidString(value) {
		f.add(pointer, "invalid_value", "%s must be valid text without NUL characters", name)
	}
}

// required is length, at most MaxString, for a text that must be there.
func (f *faults) required(pointer, value string) {
	if strings.TrimSpace(value) == "" {
		f.add(pointer, "required", "%s is required", pointer[strings.LastIndexByte(pointer, '/')+1:])
		return
	}
	f.length(pointer, value, MaxString)
}

func (f *faults) url(pointer string, value Patch[string]) {
	v := trimmed(value).Value
	if v == nil {
		return
	}
	f.length(pointer, *v, MaxURL)
	if !ValidURL(*v) {
		f.add(pointer, "invalid_value", "%s must be an http or https URL", pointer[1:])
	}
}

func (f *faults) tags(tags []string) {
	if len(tags) > MaxTags {
		f.add("/tags", "too_long", "tags may have at most %d entries", MaxTags)
		return
	}
	for i, tag := range tags {
		pointer := fmt.Sprintf("/tags/%d", i)
		if strings.TrimSpace(tag) == "" {
			f.add(pointer, "invalid_value", "a tag must not be empty")
		} else if utf8.RuneCountInString(tag) > MaxTag {
			f.add(pointer, "too_long", "a tag may have at most %d characters", MaxTag)
		} else {
			f.length(pointer, tag, MaxTag)
		}
	}
}

func (f *faults) items(items []ItemUpdate) {
	if len(items) > MaxItemUpdates {
		f.add("/checklistItems", "too_long", "checklistItems may have at most %d entries", MaxItemUpdates)
		return
	}
	for i, item := range items {
		at := fmt.Sprintf("/checklistItems/%d", i)
		f.required(at+"/code", item.Code)
		if item.Status != nil && !item.Status.Valid() {
			f.add(at+"/status", "invalid_value", "status must be TODO, COMPLETED, INVALID, SKIPPED or NEEDS_REVIEW")
		}
		if len(item.Value) > MaxMetadata {
			f.add(at+"/value", "too_long", "value may have at most %d bytes", MaxMetadata)
		} else if strings.Contains(string(item.Value), `\u0000`) {
			f.add(at+"/value", "invalid_value", "value must not contain NUL characters")
		}
	}
}
