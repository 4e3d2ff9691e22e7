package dossier

import (
	"fmt"
	"maps"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

var (
	keyPattern      = regexp.MustCompile(`^[a-z0-9][a-z0-9 _-]{0,62}$`)
	codePattern     = regexp.MustCompile(`^[A-Z0-9][A-Z0-9_.-]{0,99}$`)
	colorPattern    = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)
	currencyPattern = regexp.MustCompile(`^[A-Z]{3}$`)
	clockPattern    = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)
	weekdayNames    = []string{"MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"}
	stopNames       = []string{"checklist_complete", "lead_completed", "reply"}
	providers       = map[Channel][]string{ChannelEmail: {"log", "smtp"}, ChannelSMS: {"log", "twilio"},
		ChannelWhatsApp: {"log", "twilio"}}
)

// Check returns everything that is wrong with the file, by JSON pointer into it, in its order. builtin are the
// ids of the built-in pipelines.
func (c WorkspaceConfig) Check(builtin []string) []Fault {
	f := &configFaults{}
	c.checkSettings(f)
	c.checkTemplate(f)
	for i, a := range c.Agents {
		a.check(f, at("/agents", i))
	}
	checkUnique(f, "/agents", "key", len(c.Agents), func(i int) string { return c.Agents[i].Key })
	for i, w := range c.Workflows {
		w.check(f, at("/workflows", i))
	}
	checkUnique(f, "/workflows", "key", len(c.Workflows), func(i int) string { return c.Workflows[i].Key })
	c.checkPipelines(f, builtin)
	return f.list
}

type configFaults struct{ list []Fault }

func (f *configFaults) add(pointer, code, format string, args ...any) {
	f.list = append(f.list, Fault{Pointer: pointer, Code: code, Detail: fmt.Sprintf(format, args...)})
}

// require reports an unmet condition.
func (f *configFaults) require(ok bool, pointer, code, format string, args ...any) {
	if !ok {
		f.add(pointer, code, format, args...)
	}
}

func at(list string, i int) string { return fmt.Sprintf("%s/%d", list, i) }

func (c WorkspaceConfig) checkSettings(f *configFaults) {
	f.require(keyPattern.MatchString(c.Key), "/workspace", "invalid",
		"workspace must be a short key of lower-case letters, digits and dashes, such as acme")
	f.require(c.Name != "", "/name", "required", "name is missing")
	f.require(len(c.DefaultRegion) == 2 && c.DefaultRegion == strings.ToUpper(c.DefaultRegion), "/defaultRegion",
		"invalid", "defaultRegion must be two capital letters, such as US")
	_, err := time.LoadLocation(c.Timezone)
	f.require(err == nil && c.Timezone != "", "/timezone", "invalid",
		"timezone must be an IANA zone, such as America/New_York")
	f.require(c.Language == "" || c.Language.Valid(), "/language", "invalid", "language must be en or es")
	f.require(clockPattern.MatchString(c.QuietHours.From), "/quietHours/from", "invalid",
		"quietHours.from must be HH:MM")
	f.require(clockPattern.MatchString(c.QuietHours.To), "/quietHours/to", "invalid", "quietHours.to must be HH:MM")
	f.require(c.Portal.LinkDays >= 1 && c.Portal.LinkDays <= 3650, "/portal/linkDays", "invalid",
		"portal.linkDays must be between 1 and 3650")
	f.require(colorPattern.MatchString(c.Portal.Color), "/portal/color", "invalid",
		`portal.color must be like "#0b5fff"`)
	c.Limits.check(f)
	c.Retention.check(f)
	c.Review.check(f)
	c.People.check(f)
	c.Reading.check(f)
	f.require(c.Spreads.Currency == "" || currencyPattern.MatchString(c.Spreads.Currency), "/spreads/currency",
		"invalid", "spreads.currency must be an ISO 4217 code in capitals, such as USD")
	f.require(c.Spreads.LivingExpenses >= 0 && c.Spreads.LivingExpenses <= 1_000_000_000, "/spreads/livingExpenses",
		"invalid", "spreads.livingExpenses must be an amount a year, from 0 to 1000000000")
	for _, channel := range slices.Sorted(maps.Keys(c.Channels)) {
		f.require(slices.Contains(Channels, channel), "/channels/"+string(channel), "unknown_field",
			"a channel is one of sms, email, whatsapp, not %s", channel)
	}
	for _, channel := range []Channel{ChannelEmail, ChannelSMS, ChannelWhatsApp} {
		if config, ok := c.Channels[channel]; ok {
			config.check(f, channel, "/channels/"+string(channel), secretPrefix(c.Key))
		}
	}
}

// check refuses limits that are not positive. One that is not named is 0 and has its default.
func (l Limits) check(f *configFaults) {
	for _, limit := range []struct {
		name string
		n    int64
	}{{"webhooks", int64(l.Webhooks)}, {"apiKeys", int64(l.APIKeys)}, {"checklistItems", int64(l.ChecklistItems)},
		{"documents", int64(l.Documents)},
		{"documentBytes", l.DocumentBytes}, {"inboundPerMinute", int64(l.InboundPerMinute)}} {
		f.require(limit.n >= 0, "/limits/"+limit.name, "invalid", "limits.%s must be positive", limit.name)
	}
}

func (c ChannelConfig) check(f *configFaults, channel Channel, pointer, prefix string) {
	if !slices.Contains(providers[channel], c.Provider) {
		f.add(pointer+"/provider", "invalid", "provider of %s must be one of %s", channel,
			strings.Join(providers[channel], ", "))
		return
	}
	switch c.Provider {
	case "smtp":
		f.require(c.Host != "" && c.Port > 0 && c.From != "", pointer, "required", "smtp needs host, port and from")
		_, err := mail.ParseAddress(c.From)
		f.require(c.From == "" || err == nil, pointer+"/from", "invalid",
			"from must be an email address, such as files@acme.example or Acme <files@acme.example>")
		f.require(c.Username == "" || c.PasswordEnv != "", pointer+"/passwordEnv", "required",
			"a username needs passwordEnv, the name of the variable that holds its password")
	case "twilio":
		f.require(c.AccountSID != "" && c.AuthTokenEnv != "" && c.From != "", pointer, "required",
			"twilio needs accountSid, authTokenEnv and from")
		f.require((c.TemplateSID == "") == (c.TemplateText == ""), pointer+"/templateText", "required",
			"an approved template needs both templateSid and templateText")
		f.require(c.URL == "" || safeURL(c.URL), pointer+"/url", "invalid",
			"url must begin with https:// (http:// only for this machine)")
	}
	for name, field := range map[string]string{c.PasswordEnv: "passwordEnv", c.AuthTokenEnv: "authTokenEnv"} {
		f.require(name == "" || secretName(name, prefix), pointer+"/"+field, "invalid",
			"%s must be the name of a variable of this workspace: %sTOKEN, for example, not %s", field, prefix, name)
	}
}

var variableForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// secretPrefix begins the names of the variables that a workspace's file may name: its key in capitals, acme-lending to
// ACME_LENDING_.
func secretPrefix(key string) string {
	return strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToUpper(key)) + "_"
}

// secretName keeps a file from sending the service's own secrets, or another workspace's, to a provider.
func secretName(name, prefix string) bool {
	for _, own := range []string{"DOSSIER_", "DATABASE_", "REDIS_", "S3_", "PG", "AWS_"} {
		if strings.HasPrefix(strings.ToUpper(name), own) {
			return false
		}
	}
	return variableForm.MatchString(name) && strings.HasPrefix(name, prefix)
}

// safeURL is one to which credentials may be sent.
func safeURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Host != "" &&
		(u.Scheme == "https" || u.Scheme == "http" && (u.Hostname() == "127.0.0.1" || u.Hostname() == "localhost"))
}

// checkTemplate checks groups and items, that codes are unique over the whole template, and that conditions name
// items that exist and do not go in circles.
func (c WorkspaceConfig) checkTemplate(f *configFaults) {
	seen := map[string]string{}
	for g, group := range c.Groups {
		pointer := at("/checklist/groups", g)
		f.require(keyPattern.MatchString(group.Key), pointer+"/key", "invalid",
			"key of a group must be lower-case letters, digits, spaces and dashes")
		f.require(group.Name != "", pointer+"/name", "required", "group %s has no name", group.Key)
		for i, item := range group.Items {
			item.check(f, at(pointer+"/items", i), seen)
		}
	}
	checkUnique(f, "/checklist/groups", "key", len(c.Groups), func(i int) string { return c.Groups[i].Key })
	for i, item := range c.Items {
		item.check(f, at("/checklist/items", i), seen)
	}
	most := c.Limits.OrDefault().ChecklistItems
	f.require(len(seen) <= most, "/checklist", "limit_reached",
		"the template has %d items, limits.checklistItems is %d", len(seen), most)
	c.checkConditions(f)
}

// checkConditions reads every condition and refuses codes that no item has, and cycles.
func (c WorkspaceConfig) checkConditions(f *configFaults) {
	var nodes []ConditionNode
	add := func(item TemplateItem, pointer string, group *Condition) {
		own, faults := ParseCondition(item.Conditions, pointer+"/conditions")
		f.list = append(f.list, faults...)
		nodes = append(nodes, ConditionNode{Code: item.Code, Conditions: []*Condition{group, own},
			Pointer: pointer + "/conditions"})
	}
	for g, group := range c.Groups {
		pointer := at("/checklist/groups", g)
		condition, faults := ParseCondition(group.Conditions, pointer+"/conditions")
		f.list = append(f.list, faults...)
		for i, item := range group.Items {
			add(item, at(pointer+"/items", i), condition)
		}
	}
	for i, item := range c.Items {
		add(item, at("/checklist/items", i), nil)
	}
	f.list = append(f.list, CheckConditions(nodes)...)
}

func (t TemplateItem) check(f *configFaults, pointer string, seen map[string]string) {
	f.require(codePattern.MatchString(t.Code), pointer+"/code", "invalid",
		"code must be upper case with _, such as BANK_STATEMENTS")
	if first, ok := seen[t.Code]; ok {
		f.add(pointer+"/code", "duplicate_code", "code %s is already used at %s", t.Code, first)
	}
	seen[t.Code] = pointer
	f.require(t.Label != "" && len(t.Label) <= 255, pointer+"/label", "invalid",
		"label of %s must have 1 to 255 characters", t.Code)
	if !t.FieldType.Valid() {
		f.add(pointer+"/fieldType", "invalid", "fieldType of %s must be one of %s", t.Code, FieldTypeNames())
		return
	}
	_, faults := ParseItemConfig(t.FieldType, t.Config, pointer+"/config")
	f.list = append(f.list, faults...)
	f.require(len(t.ValidationRules) == 0 || t.FieldType.TakesFiles(), pointer+"/validationRules", "invalid",
		"validationRules are only for items that take files; %s is %s", t.Code, t.FieldType)
	f.require(len(t.ValidationRules) <= 100, pointer+"/validationRules", "too_many", "at most 100 validationRules")
}

func (a AgentConfig) check(f *configFaults, pointer string) {
	f.require(keyPattern.MatchString(a.Key), pointer+"/key", "invalid",
		"key of an agent must be lower-case letters, digits and dashes")
	f.require(a.Name != "", pointer+"/name", "required", "agent %s has no name", a.Key)
	f.require(a.Mode == AgentAutopilot || a.Mode == AgentListen, pointer+"/mode", "invalid",
		"mode must be AUTOPILOT or LISTEN")
	f.require(len(a.Channels) > 0, pointer+"/channels", "required", "agent %s has no channels", a.Key)
	for i, channel := range a.Channels {
		f.require(slices.Contains(Channels, channel), at(pointer+"/channels", i), "invalid",
			"a channel is one of sms, email, whatsapp")
	}
}

func (w WorkflowConfig) check(f *configFaults, pointer string) {
	f.require(keyPattern.MatchString(w.Key), pointer+"/key", "invalid",
		"key of a workflow must be lower-case letters, digits and dashes")
	f.require(w.Name != "", pointer+"/name", "required", "workflow %s has no name", w.Key)
	f.require(w.Type == WorkflowChecklist || w.Type == WorkflowReminder || w.Type == WorkflowSupport, pointer+"/type",
		"invalid", "type must be CHECKLIST, REMINDER or SUPPORT")
	if w.FollowUps != nil {
		f.require(w.FollowUps.Every >= time.Minute, pointer+"/followUps/every", "invalid",
			"followUps.every must be at least 1m")
		f.require(w.FollowUps.Max >= 0, pointer+"/followUps/max", "invalid", "followUps.max must not be negative")
	}
	if w.Schedule != nil {
		f.require(w.Type == WorkflowReminder, pointer+"/schedule", "invalid", "only a REMINDER has a schedule")
		w.Schedule.check(f, pointer+"/schedule")
	}
}

func (s ReminderSchedule) check(f *configFaults, pointer string) {
	f.require(s.Every >= time.Minute || len(s.At) > 0, pointer, "required",
		"a schedule needs every (at least 1m) or at")
	for i, clock := range s.At {
		f.require(clockPattern.MatchString(clock), at(pointer+"/at", i), "invalid", "at must be HH:MM")
	}
	for i, day := range s.Weekdays {
		f.require(slices.Contains(weekdayNames, day), at(pointer+"/weekdays", i), "invalid", "weekdays are %s",
			strings.Join(weekdayNames, ", "))
	}
	for i, stop := range s.StopWhen {
		f.require(slices.Contains(stopNames, stop), at(pointer+"/stopWhen", i), "invalid", "stopWhen knows %s",
			strings.Join(stopNames, ", "))
	}
	f.require(s.Max >= 0, pointer+"/max", "invalid", "max must not be negative")
}

func (c WorkspaceConfig) checkPipelines(f *configFaults, builtin []string) {
	for i, chain := range c.Pipelines {
		pointer := at("/pipelines", i)
		f.require(keyPattern.MatchString(chain.ID) && !slices.Contains(builtin, chain.ID), pointer+"/id", "invalid",
			"id of a chain must be lower-case letters, digits and dashes, and not a built-in pipeline")
		f.require(len(chain.Steps) > 0, pointer+"/steps", "required", "chain %s has no steps", chain.ID)
		for s, step := range chain.Steps {
			f.require(slices.Contains(builtin, step), at(pointer+"/steps", s), "invalid", "a step is one of %s",
				strings.Join(builtin, ", "))
		}
	}
	checkUnique(f, "/pipelines", "id", len(c.Pipelines), func(i int) string { return c.Pipelines[i].ID })
}

func checkUnique(f *configFaults, list, name string, n int, key func(int) string) {
	seen := map[string]bool{}
	for i := range n {
		if seen[key(i)] {
			f.add(at(list, i)+"/"+name, "duplicate", "%s %s is used twice", name, key(i))
		}
		seen[key(i)] = true
	}
}
