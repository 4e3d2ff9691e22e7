package dossier

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"time"
)

// Sampled says whether a person is to look at an item that the machine completed: a share of them, the same ones each
// time.
func Sampled(share float64, id EntryID) bool {
	sum := sha256.Sum256([]byte("qa_sample:" + id))
	return float64(binary.BigEndian.Uint64(sum[:8])) < share*math.MaxUint64
}

// ReviewQuality is how often what was read is right, by what people looked at.
type ReviewQuality struct {
	DocType  DocType
	Field    string // a pointer without places in lists: closingBalance, entries.amount
	LookedAt int
	Right    int
}

// Share is how much of it is right, and the interval in which that lies with 95 % of confidence (Wilson).
func (q ReviewQuality) Share() (share, low, high float64) {
	if q.LookedAt == 0 {
		return 0, 0, 1
	}
	const z = 1.959963984540054 // of 95 %, both sides
	n := float64(q.LookedAt)
	share = float64(q.Right) / n
	centre := share + z*z/(2*n)
	margin := z * math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	scale := 1 + z*z/n
	return share, max(0, (centre-margin)/scale), min(1, (centre+margin)/scale)
}

// FieldOf is the field that a pointer into facts is of.
func FieldOf(pointer string) string {
	parts := strings.Split(strings.Trim(pointer, "/"), "/")
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool {
		return strings.Trim(p, "0123456789") == ""
	}), ".")
}

// qualityKey is what is counted together.
type qualityKey struct {
	docType DocType
	field   string
}

// Looks is what somebody saw who looked at parts of a document, all of them when parts is empty: which facts of which
// fields are right. Those are wrong that a person corrected.
func (d *Document) Looks(parts []int) []ReviewQuality {
	if d.Extraction == nil {
		return nil
	}
	found := map[qualityKey]ReviewQuality{}
	for i := range d.Extraction.Documents {
		if len(parts) > 0 && !slices.Contains(parts, i) {
			continue
		}
		part := &d.Extraction.Documents[i]
		for pointer := range part.Sources {
			wrong := slices.ContainsFunc(d.Corrections, func(c Correction) bool {
				return c.Part == i && c.Pointer == pointer && c.State != CorrectionConfirmed
			})
			count(found, part.DocType, pointer, !wrong)
		}
	}
	return listed(found)
}

// CorrectionLooks is what the corrections of a document say by themselves, of those made in a time.
func (d *Document) CorrectionLooks(since, until *time.Time) []ReviewQuality {
	found := map[qualityKey]ReviewQuality{}
	for _, c := range d.Corrections {
		in := (since == nil || !c.At.Before(*since)) && (until == nil || c.At.Before(*until))
		if in && d.Extraction != nil && c.Part < len(d.Extraction.Documents) {
			count(found, d.Extraction.Documents[c.Part].DocType, c.Pointer, c.State == CorrectionConfirmed)
		}
	}
	return listed(found)
}

func count(found map[qualityKey]ReviewQuality, t DocType, pointer string, right bool) {
	key := qualityKey{t, FieldOf(pointer)}
	q := found[key]
	q.DocType, q.Field, q.LookedAt = t, key.field, q.LookedAt+1
	if right {
		q.Right++
	}
	found[key] = q
}

func listed(found map[qualityKey]ReviewQuality) []ReviewQuality {
	list := []ReviewQuality{}
	for _, q := range found {
		list = append(list, q)
	}
	slices.SortFunc(list, func(a, b ReviewQuality) int {
		return strings.Compare(string(a.DocType)+"\n"+a.Field, string(b.DocType)+"\n"+b.Field)
	})
	return list
}

// AddQuality adds counts up by type and field, in that order.
func AddQuality(lists ...[]ReviewQuality) []ReviewQuality {
	found := map[qualityKey]ReviewQuality{}
	for _, list := range lists {
		for _, q := range list {
			key := qualityKey{q.DocType, q.Field}
			sum := found[key]
			q.LookedAt, q.Right = q.LookedAt+sum.LookedAt, q.Right+sum.Right
			found[key] = q
		}
	}
	return listed(found)
}
