package postgres

import (
	"encoding/binary"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/dossierhq/dossier"
)

// reportSlab is what a batch of reports is made of: a few large pieces of memory instead of thirty small ones a lead,
// which the next batch takes again. The codes of items are the same few words for a million leads: one string of each
// is kept.
type reportSlab struct {
	places  []reportPlace
	ends    []int  // where the facts of each place end
	facts   []byte // of all places, one after the other
	reports []dossier.LeadReport
	items   []dossier.ReportItem
	texts   []string
	times   []time.Time
	codes   map[string]string
}

func newReportSlab() *reportSlab { return &reportSlab{codes: map[string]string{}} }

// clear forgets the batch: its reports must be used no more.
func (s *reportSlab) clear() {
	s.places, s.ends, s.facts, s.reports = s.places[:0], s.ends[:0], s.facts[:0], s.reports[:0]
	s.items, s.texts, s.times = s.items[:0], s.texts[:0], s.times[:0]
	if len(s.codes) > 10_000 { // of items that leads have for themselves
		clear(s.codes)
	}
}

// add notes a lead with its facts, of which it keeps a copy.
func (s *reportSlab) add(at reportPlace, facts []byte) {
	s.places, s.facts = append(s.places, at), append(s.facts, facts...)
	s.ends = append(s.ends, len(s.facts))
}

// scan adds the lead of a row with its creation, id and facts, unless skip says so, and returns its place.
func (s *reportSlab) scan(row pgx.Rows, skip map[uuidKey]bool) (at reportPlace, err error) {
	var facts pgtype.DriverBytes // of the row
	err = row.Scan(&at.created, (*[16]byte)(&at.lead), &facts)
	if err == nil && !skip[at.lead] {
		s.add(at, facts)
	}
	return at, err
}

// read decodes the reports of the leads that were added. They stand in s.
func (s *reportSlab) read() ([]dossier.LeadReport, error) {
	const idLength = 36
	ids := make([]byte, 0, idLength*len(s.places))
	for _, at := range s.places {
		ids = at.lead.append(ids)
	}
	names, texts, begin := string(ids), string(s.facts), 0
	for i, at := range s.places {
		f := factReader{slab: s, left: s.facts[begin:s.ends[i]], text: texts[begin:s.ends[i]], created: at.created.UnixMicro()}
		begin = s.ends[i]
		report, err := f.read()
		if err != nil {
			return nil, err
		}
		report.LeadID, report.CreatedAt = dossier.LeadID(names[idLength*i:idLength*(i+1)]), at.created
		s.reports = append(s.reports, report)
	}
	return s.reports, nil
}

// factReader reads what encodeFacts wrote of one lead, as bytes and as text of the same length.
type factReader struct {
	slab    *reportSlab
	left    []byte
	text    string
	created int64
	damaged bool
}

func (f *factReader) read() (dossier.LeadReport, error) {
	var r dossier.LeadReport
	if f.byte() != factsVersion {
		return r, errFacts
	}
	r.FirstName, r.LastName, r.Email, r.PhoneNumber = f.word(), f.word(), f.word(), f.word()
	r.CompletedAt, r.NotInterestedAt, r.OptOutAt = f.time(), f.time(), f.time()
	for i := range r.Channels {
		c := &r.Channels[i]
		c.Inbound, c.Outbound = f.number(), f.number()
		c.FirstInboundAt, c.FirstOutboundAt, c.LastInboundAt, c.LastOutboundAt = f.time(), f.time(), f.time(), f.time()
	}
	r.Interventions = dossier.Interventions{DocumentOverrides: f.number(), Escalations: f.number(), ManualUpdates: f.number(),
		MessageEdits: f.number(), MessageRejects: f.number()}
	n, first := f.number(), len(f.slab.items)
	if n > len(f.left) {
		return r, errFacts
	}
	for range n {
		f.slab.items = append(f.slab.items, f.item())
	}
	if f.damaged || len(f.left) != 0 {
		return r, errFacts
	}
	r.SetItems(f.slab.items[first:len(f.slab.items):len(f.slab.items)])
	return r, nil
}

func (f *factReader) item() dossier.ReportItem {
	code, _ := f.bytes()
	name, known := f.slab.codes[string(code)]
	if !known {
		name = string(code)
		f.slab.codes[name] = name
	}
	state := f.byte()
	status, source := int(state>>4), int(state>>1&7)
	if status >= len(factStatuses) || source >= len(factSources) {
		f.damaged = true
		return dossier.ReportItem{}
	}
	item := dossier.ReportItem{Code: name, Required: state&1 == 1, Status: factStatuses[status], Source: factSources[source]}
	if value, _ := f.bytes(); value != nil {
		item.Value = value
	}
	if f.byte() == 1 {
		item.UpdatedAt = f.moment()
	}
	return item
}

// skip goes on behind n bytes.
func (f *factReader) skip(n int) { f.left, f.text = f.left[n:], f.text[n:] }

func (f *factReader) byte() byte {
	if len(f.left) == 0 {
		f.damaged = true
		return 0
	}
	b := f.left[0]
	f.skip(1)
	return b
}

func (f *factReader) number() int {
	n, size := binary.Uvarint(f.left)
	if size <= 0 || n > 1<<40 {
		f.damaged = true
		return 0
	}
	f.skip(size)
	return int(n)
}

// bytes are the next ones of their own length, also as text; nil for none.
func (f *factReader) bytes() ([]byte, string) {
	n := f.number()
	if n == 0 {
		return nil, ""
	}
	if n--; n > len(f.left) {
		f.damaged = true
		return nil, ""
	}
	bytes, text := f.left[:n:n], f.text[:n]
	f.skip(n)
	return bytes, text
}

func (f *factReader) word() *string {
	bytes, text := f.bytes()
	if bytes == nil {
		return nil
	}
	f.slab.texts = append(f.slab.texts, text)
	return &f.slab.texts[len(f.slab.texts)-1]
}

func (f *factReader) time() *time.Time {
	if f.byte() == 0 {
		return nil
	}
	f.slab.times = append(f.slab.times, f.moment())
	return &f.slab.times[len(f.slab.times)-1]
}

func (f *factReader) moment() time.Time {
	since, size := binary.Varint(f.left)
	if size <= 0 {
		f.damaged = true
		return time.Time{}
	}
	f.skip(size)
	return time.UnixMicro(f.created + since).UTC()
}
