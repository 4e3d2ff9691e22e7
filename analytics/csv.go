// Package analytics lays out what the reports of leads say. It is pure: the reports are read by storage/postgres, the
// file is stored by storage/objects, the JSON shapes stand in api.
package analytics

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

// CSV writes reports as a file: UTF-8 without a byte order mark, comma-separated, CRLF (RFC 4180), a header row and
// one row per lead, all of the same number of cells. Columns are those of api.md, in its order. Source: api.md,
// Analytics; resources.md section 8.
type CSV struct {
	out   *bufio.Writer
	width int // items of the longest checklist: shorter ones are padded
	begun bool
	err   error
}

// NewCSV writes the header for checklists of up to width items. Errors of out come from Write and Flush.
func NewCSV(out io.Writer, width int) *CSV {
	c := &CSV{out: bufio.NewWriterSize(out, 64<<10), width: width}
	for _, name := range columns(width) {
		c.cell(name)
	}
	c.end()
	return c
}

// columns are the header's cells for checklists of up to width items.
func columns(width int) []string {
	names := []string{"leadId", "firstName", "lastName", "email", "phoneNumber", "createdAt", "completedAt", "notInterestedAt", "optedOutAt",
		"totalMessages", "inboundMessages", "outboundMessages", "firstInboundAt", "firstOutboundAt", "lastInboundAt", "lastOutboundAt"}
	for _, channel := range dossier.Channels {
		for _, name := range []string{"inbound", "outbound", "firstInboundAt", "firstOutboundAt", "lastInboundAt", "lastOutboundAt"} {
			names = append(names, "channels."+string(channel)+"."+name)
		}
	}
	names = append(names, "completion.totalRequired", "completion.totalCompleted",
		"completion.bySource.agent", "completion.bySource.imported", "completion.bySource.manual", "completion.bySource.portal",
		"interventions.documentOverrides", "interventions.escalations", "interventions.manualUpdates", "interventions.messageEdits", "interventions.messageRejects")
	for i := range width {
		for _, name := range []string{"code", "required", "status", "value", "updatedAt", "source"} {
			names = append(names, fmt.Sprintf("checklist.%d.%s", i, name))
		}
	}
	return names
}

// Write adds the row of one lead. A checklist longer than the header is an error: cells would be lost.
func (c *CSV) Write(r dossier.LeadReport) error {
	if len(r.Items) > c.width {
		return fmt.Errorf("a checklist of %d items does not fit a header for %d", len(r.Items), c.width)
	}
	c.cell(string(r.LeadID))
	c.texts(r.FirstName, r.LastName, r.Email, r.PhoneNumber)
	c.times(&r.CreatedAt, r.CompletedAt, r.NotInterestedAt, r.OptOutAt)
	all := r.Channels.All()
	c.numbers(all.Total(), all.Inbound, all.Outbound)
	c.times(all.FirstInboundAt, all.FirstOutboundAt, all.LastInboundAt, all.LastOutboundAt)
	for _, m := range r.Channels {
		c.numbers(m.Inbound, m.Outbound)
		c.times(m.FirstInboundAt, m.FirstOutboundAt, m.LastInboundAt, m.LastOutboundAt)
	}
	c.numbers(r.Completion.Required, r.Completion.Completed, r.Completion.Agent, r.Completion.Imported, r.Completion.Manual, r.Completion.Portal)
	i := r.Interventions
	c.numbers(i.DocumentOverrides, i.Escalations, i.ManualUpdates, i.MessageEdits, i.MessageRejects)
	for _, item := range r.Items {
		c.item(item)
	}
	for range 6 * (c.width - len(r.Items)) {
		c.cell("")
	}
	c.end()
	return c.err
}

// Flush writes what is buffered and returns the first error of out.
func (c *CSV) Flush() error {
	if c.err == nil {
		c.err = c.out.Flush()
	}
	return c.err
}

func (c *CSV) item(item dossier.ReportItem) {
	c.cell(item.Code)
	c.cell(strconv.FormatBool(item.Required))
	c.cell(string(item.Status))
	c.cell(valueText(item.Value))
	c.times(&item.UpdatedAt)
	c.cell(string(item.Source))
}

// valueText is a value as a person reads it: a text without its quotes, all else as JSON; nothing for none.
func valueText(value json.RawMessage) string {
	value = bytes.TrimSpace(value)
	if len(value) == 0 || string(value) == "null" {
		return ""
	}
	var text string
	if value[0] == '"' && json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

func (c *CSV) texts(list ...*string) {
	for _, text := range list {
		if text == nil {
			c.cell("")
			continue
		}
		c.cell(*text)
	}
}

func (c *CSV) numbers(list ...int) {
	for _, n := range list {
		c.cell(strconv.Itoa(n))
	}
}

func (c *CSV) times(list ...*time.Time) {
	for _, t := range list {
		if t == nil {
			c.cell("")
			continue
		}
		c.cell(t.UTC().Format("2006-01-02T15:04:05.000Z"))
	}
}

// cell writes one cell: inert, and quoted where RFC 4180 wants it.
func (c *CSV) cell(text string) {
	if c.err != nil {
		return
	}
	if c.begun {
		c.write(",")
	}
	c.begun = true
	text = inert(text)
	if !strings.ContainsAny(text, "\",\r\n") && text == strings.TrimSpace(text) {
		c.write(text)
		return
	}
	c.write(`"`)
	c.write(strings.ReplaceAll(text, `"`, `""`))
	c.write(`"`)
}

func (c *CSV) end() {
	c.write("\r\n")
	c.begun = false
}

func (c *CSV) write(text string) {
	if c.err == nil {
		_, c.err = c.out.WriteString(text)
	}
}

// harmless are cells that begin as a formula does and are none: E.164 numbers and plain numbers.
var harmless = regexp.MustCompile(`^(\+[1-9][0-9]{1,14}|[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?)$`)

// inert keeps a spreadsheet from running what somebody typed as a formula: a leading apostrophe makes it a text.
func inert(text string) string {
	if text == "" || !strings.ContainsRune("=+-@\t\r", rune(text[0])) || harmless.MatchString(text) {
		return text
	}
	return "'" + text
}
