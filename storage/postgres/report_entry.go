package postgres

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// uuidKey is an id as it comes over the wire: reports read ten million of them, and text would cost more than the rest.
type uuidKey [16]byte

// String is the id as everybody else writes it.
func (k uuidKey) String() string { return string(k.append(make([]byte, 0, 36))) }

func (k uuidKey) append(text []byte) []byte {
	for i, part := range [][]byte{k[:4], k[4:6], k[6:8], k[8:10], k[10:]} {
		if i > 0 {
			text = append(text, '-')
		}
		text = hex.AppendEncode(text, part)
	}
	return text
}

func keyOf[ID ~string](id ID) (uuidKey, error) {
	var key uuidKey
	n, err := hex.Decode(key[:], []byte(strings.ReplaceAll(string(id), "-", "")))
	if err == nil && n != len(key) {
		err = fmt.Errorf("%d bytes are no UUID", n)
	}
	return key, err
}

// entryFact is what reports need of an entry. t is the entry.
type entryFact struct {
	lead     uuidKey
	item     uuidKey
	status   dossier.ItemStatus
	value    json.RawMessage
	source   dossier.ValueSource
	updated  time.Time
	of       *reportItem // set by resolve, as is required
	required bool        // and visible
}

const entryFactColumns = `t.lead_id, t.item_id, t.status, t.value, coalesce(t.source, ''), t.updated_at`

// scanEntryFact reads the bytes of the row as they are. A connection that gives text (through some poolers) is read
// the usual way.
func scanEntryFact(row pgx.Rows) (entryFact, error) {
	fields, raw := row.FieldDescriptions(), row.RawValues()
	var f entryFact
	if fields[0].Format != pgx.BinaryFormatCode || fields[1].Format != pgx.BinaryFormatCode || fields[5].Format != pgx.BinaryFormatCode {
		return scanEntryText(row)
	}
	copy(f.lead[:], raw[0])
	copy(f.item[:], raw[1])
	f.status, f.source = statusOf(raw[2]), sourceOf(raw[4])
	if value := raw[3]; value != nil {
		if fields[3].Format == pgx.BinaryFormatCode {
			value = value[1:] // the version of jsonb's binary form
		}
		f.value = slices.Clone(value)
	}
	f.updated = time.UnixMicro(int64(binary.BigEndian.Uint64(raw[5])) + sinceY2K).UTC()
	return f, nil
}

// sinceY2K are the microseconds from 1970 to 2000, where Postgres counts from.
const sinceY2K = 946_684_800_000_000

func scanEntryText(row pgx.Rows) (entryFact, error) {
	var f entryFact
	var lead dossier.LeadID
	var item dossier.ItemID
	err := row.Scan(&lead, &item, &f.status, &f.value, &f.source, &f.updated)
	if err == nil {
		f.lead, err = keyOf(lead)
	}
	if err == nil {
		f.item, err = keyOf(item)
	}
	return f, err
}

// statusOf and sourceOf give the constants, so that no row makes a string of its own.
func statusOf(raw []byte) dossier.ItemStatus {
	for _, s := range factStatuses {
		if string(raw) == string(s) {
			return s
		}
	}
	return dossier.ItemStatus(raw)
}

func sourceOf(raw []byte) dossier.ValueSource {
	for _, s := range factSources {
		if string(raw) == string(s) {
			return s
		}
	}
	return dossier.ValueSource(raw)
}

// resolve puts one lead's entries in checklist order and says which are required of it.
func (t reportTemplate) resolve(facts []entryFact) {
	conditional := false
	for i := range facts {
		f := &facts[i]
		f.of = t.items[f.item]
		f.required = f.of.required
		conditional = conditional || f.of.conditional
	}
	slices.SortFunc(facts, func(a, b entryFact) int { return a.of.rank - b.of.rank })
	if conditional {
		t.resolveConditions(facts)
	}
}

// resolveConditions asks the rule about entries under conditions; of the others it needs those that conditions look at.
func (t reportTemplate) resolveConditions(facts []entryFact) {
	var c dossier.Checklist
	var asked []*entryFact
	for i := range facts {
		f := &facts[i]
		if !f.of.conditional && !t.watched[f.of.code] {
			continue
		}
		entry := dossier.ChecklistEntry{Item: dossier.ChecklistItem{Code: f.of.code, Conditions: f.of.own}, Value: f.value}
		c.Groups = append(c.Groups, dossier.ChecklistGroup{Conditions: f.of.group, Entries: []dossier.ChecklistEntry{entry}})
		asked = append(asked, f)
	}
	c.Resolve()
	for i, f := range asked {
		f.required = f.required && c.Groups[i].Entries[0].Visible
	}
}
