// Package analytics lays out what the reports of leads say. It is pure: the reports are read by storage/postgres, the
// file is stored by storage/objects, the JSON shapes stand in api.
package analytics

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dossierhq/dossier"
)

// CSV writes reports as a file: UTF-8 without a byte order mark, comma-separated, CRLF (RFC 4180), a header row and
// one row per lead, all of the same number of cells. Columns are those of api.md, in its order. Source: api.md,
// Analytics; resources.md section 8.
type CSV struct {
	out   io.Writer
	width int    // items of the longest checklist: shorter ones are padded
	ready []byte // what out has not been given yet; a row's cells each end with a comma until the row ends
}

// csvBuffer is how much is written at once, or a little more.
const csvBuffer = 256 << 10

// NewCSV writes the header for checklists of up to width items. Errors of out come from Write and Flush.
func NewCSV(out io.Writer, width int) *CSV {
	c := &CSV{out: out, width: width}
	for _, name := range columns(width) {
		c.cell(name)
	}
	c.end()
	return c
}

// columns are the header's cells for checklists of up to width items.
func columns(width int) []string {
	names := []string{"leadId", "firstName", "lastName", "email", "phoneNumber", "createdAt", "completedAt",
		"notInterestedAt", "optedOutAt",
		"totalMessages", "inboundMessages", "outboundMessages", "firstInboundAt", "firstOutboundAt", "lastInboundAt",
		"lastOutboundAt"}
	for _, channel := range dossier.Channels {
		for _, name := range []string{"inbound", "outbound", "firstInboundAt", "firstOutboundAt", "lastInboundAt",
			"lastOutboundAt"} {
			names = append(names, "channels."+string(channel)+"."+name)
		}
	}
	names = append(names, "completion.totalRequired", "completion.totalCompleted",
		"completion.bySource.agent", "completion.bySource.imported", "completion.bySource.manual",
		"completion.bySource.portal",
		"interventions.documentOverrides", "interventions.escalations", "interventions.manualUpdates",
		"interventions.messageEdits", "interventions.messageRejects")
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
	c.numbers(r.Completion.Required, r.Completion.Completed, r.Completion.Agent, r.Completion.Imported,
		r.Completion.Manual, r.Completion.Portal)
	i := r.Interventions
	c.numbers(i.DocumentOverrides, i.Escalations, i.ManualUpdates, i.MessageEdits, i.MessageRejects)
	for _, item := range r.Items {
		c.item(item)
	}
	for range 6 * (c.width - len(r.Items)) {
		c.ready = append(c.ready, ',')
	}
	c.end()
	if len(c.ready) < csvBuffer {
		return nil
	}
	return c.Flush()
}

// Flush writes what is buffered and returns the error of out.
func (c *CSV) Flush() error {
	_, err := c.out.Write(c.ready)
	c.ready = c.ready[:0]
	return err
}

func (c *CSV) item(item dossier.ReportItem) {
	c.cell(item.Code)
	c.ready = append(strconv.AppendBool(c.ready, item.Required), ',')
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
	if value[0] != '"' {
		return string(value)
	}
	if bytes.IndexByte(value, '\\') < 0 { // nothing is escaped
		return string(value[1 : len(value)-1])
	}
	var text string
	if json.Unmarshal(value, &text) != nil {
		return string(value)
	}
	return text
}

func (c *CSV) texts(list ...*string) {
	for _, text := range list {
		if text == nil {
			text = new(string)
		}
		c.cell(*text)
	}
}

func (c *CSV) numbers(list ...int) {
	for _, n := range list {
		c.ready = append(strconv.AppendInt(c.ready, int64(n), 10), ',')
	}
}

func (c *CSV) times(list ...*time.Time) {
	for _, t := range list {
		if t != nil {
			c.ready = t.UTC().AppendFormat(c.ready, "2006-01-02T15:04:05.000Z")
		}
		c.ready = append(c.ready, ',')
	}
}

// cell writes one cell: inert, and quoted where RFC 4180 wants it.
func (c *CSV) cell(text string) {
	text = inert(text)
	if !needsQuotes(text) {
		c.ready = append(append(c.ready, text...), ',')
		return
	}
	c.ready = append(c.ready, '"')
	c.ready = append(c.ready, strings.ReplaceAll(text, `"`, `""`)...)
	c.ready = append(c.ready, '"', ',')
}

// needsQuotes reports whether text holds what separates cells, or spaces at an end that some readers drop.
func needsQuotes(text string) bool {
	for i := range len(text) {
		if b := text[i]; b == '"' || b == ',' || b == '\r' || b == '\n' {
			return true
		}
	}
	return text != "" && (text[0] <= ' ' || text[0] > '~' || text[len(text)-1] <= ' ' || text[len(text)-1] > '~') &&
		text != strings.TrimSpace(text)
}

// end ends a row: its last cell has no comma after it.
func (c *CSV) end() {
	c.ready = append(c.ready[:len(c.ready)-1], '\r', '\n')
}

// inert keeps a spreadsheet from running what somebody typed as a formula: a leading apostrophe makes it a text.
// E.164 and plain numbers may begin as a formula does.
func inert(text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	if text == "" || !strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) || plainNumber(text) {
		return text
	}
	return "'" + text
}

// plainNumber reports whether text is digits with a sign before them, which may have a fraction and an exponent.
func plainNumber(text string) bool {
	rest, ok := afterDigits(afterSign(text))
	if ok && strings.HasPrefix(rest, ".") {
		rest, ok = afterDigits(rest[1:])
	}
	if ok && rest != "" && (rest[0] == 'e' || rest[0] == 'E') {
		rest, ok = afterDigits(afterSign(rest[1:]))
	}
	return ok && rest == ""
}

func afterSign(text string) string {
	if text != "" && (text[0] == '+' || text[0] == '-') {
		return text[1:]
	}
	return text
}

// afterDigits drops leading digits; there must be some.
func afterDigits(text string) (rest string, some bool) {
	rest = strings.TrimLeft(text, "0123456789")
	return rest, len(rest) < len(text)
}
