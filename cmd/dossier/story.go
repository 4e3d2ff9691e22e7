package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

// storyLine is one thing that happened to a lead: words that were written, or an act.
type storyLine struct {
	At      record.Time `json:"at"`
	Who     string      `json:"who,omitempty"` // of words
	Inbound bool        `json:"inbound,omitempty"`
	Channel string      `json:"channel,omitempty"`
	State   string      `json:"state,omitempty"` // of words that did not simply arrive
	Text    string      `json:"text"`
}

// storyLength is how many entries of a timeline a story is made of.
const storyLength = 500

// storyOf puts a lead's messages and its timeline into one story, oldest first.
func storyOf(ctx context.Context, db *postgres.DB, w dossier.Workspace, lead dossier.Lead) ([]storyLine, error) {
	entries, err := db.Timeline(ctx, w.ID, lead.ID, dossier.Page{Limit: storyLength})
	if err != nil {
		return nil, err
	}
	agents, err := db.Agents(ctx, w.ID)
	if err != nil {
		return nil, err
	}
	names := map[dossier.AgentID]string{}
	for _, agent := range agents {
		names[agent.ID] = agent.Name
	}
	list, err := db.Messages(ctx, w.ID, lead.ID, dossier.Page{Limit: storyLength})
	if err != nil {
		return nil, err
	}
	var story []storyLine
	for _, m := range list {
		agent := "Agent"
		if m.AgentID != nil {
			agent = names[*m.AgentID]
		}
		story = append(story, messageLine(m, lead.Name(), agent))
	}
	for _, entry := range entries {
		if entry.Message == nil && (entry.Status == dossier.ActionCompleted ||
			entry.Status == dossier.ActionCancelled && entry.ToolCalls != nil && len(entry.ToolCalls) > 2) {
			at := entry.CreatedAt
			if entry.CompletedAt != nil {
				at = *entry.CompletedAt
			}
			story = append(story, storyLine{At: record.Time(at), Text: entry.Summary})
		}
	}
	slices.Reverse(story) // both came newest first, so that equal times keep their order
	slices.SortStableFunc(story, func(a, b storyLine) int {
		return cmp.Or(time.Time(a.At).Compare(time.Time(b.At)), a.place()-b.place())
	})
	return story, nil
}

// place orders what happened at one moment: the lead speaks, things happen, the agent answers.
func (l storyLine) place() int {
	switch {
	case l.Inbound:
		return 0
	case l.Who == "":
		return 1
	}
	return 2
}

func messageLine(m dossier.Message, lead, agent string) storyLine {
	line := storyLine{At: record.Time(m.CreatedAt), Channel: m.Channel, Text: m.Body, Who: agent}
	switch {
	case m.Direction == dossier.MessageInbound:
		line.Inbound, line.Who = true, lead
		if line.Who == "" {
			line.Who = dossier.Text(m.From)
		}
	case m.SentAt != nil:
		line.At = record.Time(*m.SentAt)
	}
	switch m.Status {
	case dossier.MessageSent, dossier.MessageReceived, dossier.MessageDelivered:
	default:
		line.State = strings.ToLower(string(m.Status))
		if m.ErrorDetail != nil {
			line.State += ": " + *m.ErrorDetail
		}
	}
	return line
}

// Words are written in a column of this width; the lead's stand further right.
const (
	storyWidth = 66
	storyShift = 14
)

// writeStory prints a story by day, by the clock of a zone.
func writeStory(out io.Writer, story []storyLine, zone *time.Location) {
	day := ""
	for _, line := range story {
		at := time.Time(line.At).In(zone)
		if today := at.Format("Monday 2 January 2006"); today != day {
			if day != "" {
				fmt.Fprintln(out)
			}
			fmt.Fprintf(out, "%s\n%s\n", today, strings.Repeat("-", utf8.RuneCountInString(today)))
			day = today
		}
		clock := at.Format("15:04")
		if line.Who == "" {
			fmt.Fprintf(out, "%s  * %s\n", clock, printable(line.Text))
			continue
		}
		shift := ""
		if line.Inbound {
			shift = strings.Repeat(" ", storyShift)
		}
		state := ""
		if line.State != "" {
			state = " (" + line.State + ")"
		}
		fmt.Fprintf(out, "%s  %s%s\n", clock, shift, printable(line.Who+", "+line.Channel+state))
		for _, text := range wrapped(line.Text, storyWidth) {
			fmt.Fprintln(out, strings.TrimRight("       "+shift+"| "+text, " "))
		}
	}
}

// wrapped breaks words into lines; a word that is longer, such as a link, stands alone.
func wrapped(text string, width int) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		line := ""
		for word := range strings.FieldsSeq(paragraph) {
			word = printable(word)
			if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
				lines, line = append(lines, line), ""
			}
			if line != "" {
				line += " "
			}
			line += word
		}
		lines = append(lines, line)
	}
	return lines
}
