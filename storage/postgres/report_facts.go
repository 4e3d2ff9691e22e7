package postgres

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"github.com/dossierhq/dossier"
)

// factsVersion begins every encoded report. A new layout takes the next number, and a migration that marks all leads
// as changed.
const factsVersion = 1

// What an item's states are called in facts: their place here. New ones are appended.
var (
	factStatuses = []dossier.ItemStatus{dossier.ItemTodo, dossier.ItemCompleted, dossier.ItemInvalid, dossier.ItemSkipped, dossier.ItemNeedsReview}
	factSources  = []dossier.ValueSource{"", dossier.SourceAgent, dossier.SourceImported, dossier.SourceManual, dossier.SourcePortal}
)

// errFacts says that facts are not what encodeFacts writes.
var errFacts = errors.New("the facts of a report are damaged (dossier analytics verify --repair makes them again)")

// encodeFacts is a report without its lead's id and creation: numbers as varints, texts with their length before them,
// moments in microseconds since the creation. The same report has the same bytes.
func encodeFacts(r dossier.LeadReport) ([]byte, error) {
	b := make([]byte, 0, 128+64*len(r.Items))
	b = append(b, factsVersion)
	for _, text := range []*string{r.FirstName, r.LastName, r.Email, r.PhoneNumber} {
		b = appendFactText(b, text)
	}
	for _, at := range []*time.Time{r.CompletedAt, r.NotInterestedAt, r.OptOutAt} {
		b = appendFactTime(b, at, r.CreatedAt)
	}
	for _, c := range r.Channels {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(c.Inbound)), uint64(c.Outbound))
		for _, at := range []*time.Time{c.FirstInboundAt, c.FirstOutboundAt, c.LastInboundAt, c.LastOutboundAt} {
			b = appendFactTime(b, at, r.CreatedAt)
		}
	}
	for _, n := range []int{r.Interventions.DocumentOverrides, r.Interventions.Escalations, r.Interventions.ManualUpdates, r.Interventions.MessageEdits, r.Interventions.MessageRejects} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = binary.AppendUvarint(b, uint64(len(r.Items)))
	for _, item := range r.Items {
		status, source := slices.Index(factStatuses, item.Status), slices.Index(factSources, item.Source)
		if status < 0 || source < 0 {
			return nil, errors.New("facts know no status " + string(item.Status) + " with source " + string(item.Source))
		}
		state := byte(status)<<4 | byte(source)<<1
		if item.Required {
			state |= 1
		}
		b = append(appendFactBytes(b, []byte(item.Code)), state)
		b = appendFactTime(appendFactBytes(b, item.Value), &item.UpdatedAt, r.CreatedAt)
	}
	return b, nil
}

func appendFactText(b []byte, text *string) []byte {
	if text == nil {
		return append(b, 0)
	}
	return append(binary.AppendUvarint(b, uint64(len(*text))+1), *text...)
}

// appendFactBytes writes nil as absent, as appendFactText does.
func appendFactBytes(b, text []byte) []byte {
	if text == nil {
		return append(b, 0)
	}
	return append(binary.AppendUvarint(b, uint64(len(text))+1), text...)
}

func appendFactTime(b []byte, at *time.Time, created time.Time) []byte {
	if at == nil {
		return append(b, 0)
	}
	return binary.AppendVarint(append(b, 1), at.UnixMicro()-created.UnixMicro())
}

// factReader reads what encodeFacts wrote. The codes of items are the same few words for a million leads: it keeps
// one string of each.
type factReader struct {
	left    []byte
	created int64
	codes   map[string]string
	damaged bool
}

// read decodes the facts of a lead. It keeps nothing of facts but what the report is given copies of.
func (f *factReader) read(id uuidKey, created time.Time, facts []byte) (dossier.LeadReport, error) {
	r := dossier.LeadReport{LeadID: dossier.LeadID(id.String()), CreatedAt: created}
	f.left, f.created, f.damaged = bytes.Clone(facts), created.UnixMicro(), false
	if f.byte() != factsVersion {
		return r, errFacts
	}
	r.FirstName, r.LastName, r.Email, r.PhoneNumber = f.text(), f.text(), f.text(), f.text()
	r.CompletedAt, r.NotInterestedAt, r.OptOutAt = f.time(), f.time(), f.time()
	for i := range r.Channels {
		c := &r.Channels[i]
		c.Inbound, c.Outbound = f.number(), f.number()
		c.FirstInboundAt, c.FirstOutboundAt, c.LastInboundAt, c.LastOutboundAt = f.time(), f.time(), f.time(), f.time()
	}
	r.Interventions = dossier.Interventions{DocumentOverrides: f.number(), Escalations: f.number(), ManualUpdates: f.number(),
		MessageEdits: f.number(), MessageRejects: f.number()}
	n := f.number()
	if n > len(f.left) {
		return r, errFacts
	}
	items := make([]dossier.ReportItem, n)
	for i := range items {
		items[i] = f.item()
	}
	if f.damaged || len(f.left) != 0 {
		return r, errFacts
	}
	r.SetItems(items)
	return r, nil
}

func (f *factReader) item() dossier.ReportItem {
	code := f.bytes()
	name, known := f.codes[string(code)]
	if !known {
		name = string(code)
		f.codes[name] = name
	}
	state := f.byte()
	status, source := int(state>>4), int(state>>1&7)
	if status >= len(factStatuses) || source >= len(factSources) {
		f.damaged = true
		return dossier.ReportItem{}
	}
	item := dossier.ReportItem{Code: name, Required: state&1 == 1, Status: factStatuses[status], Source: factSources[source], Value: f.bytes()}
	if f.byte() == 1 {
		item.UpdatedAt = f.moment()
	}
	return item
}

func (f *factReader) byte() byte {
	if len(f.left) == 0 {
		f.damaged = true
		return 0
	}
	b := f.left[0]
	f.left = f.left[1:]
	return b
}

func (f *factReader) number() int {
	n, size := binary.Uvarint(f.left)
	if size <= 0 || n > 1<<40 {
		f.damaged = true
		return 0
	}
	f.left = f.left[size:]
	return int(n)
}

// bytes are part of the clone that read made; nil for none.
func (f *factReader) bytes() []byte {
	n := f.number()
	if n == 0 {
		return nil
	}
	if n--; n > len(f.left) {
		f.damaged = true
		return nil
	}
	text := f.left[:n:n]
	f.left = f.left[n:]
	return text
}

func (f *factReader) text() *string {
	b := f.bytes()
	if b == nil {
		return nil
	}
	text := string(b)
	return &text
}

func (f *factReader) time() *time.Time {
	if f.byte() == 0 {
		return nil
	}
	at := f.moment()
	return &at
}

func (f *factReader) moment() time.Time {
	since, size := binary.Varint(f.left)
	if size <= 0 {
		f.damaged = true
		return time.Time{}
	}
	f.left = f.left[size:]
	return time.UnixMicro(f.created + since).UTC()
}
