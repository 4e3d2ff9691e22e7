package dossier

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// What may be put under four eyes: another person must agree than who asked for it.
const (
	FourEyesApproval = "spread_approval"
	FourEyesOverride = "override"
	FourEyesErase    = "erase"
)

// ReviewSettings are what a workspace's file says about reviews. What is empty has its default.
type ReviewSettings struct {
	DueIn       time.Duration // business time: 24 h are one business day
	Sample      float64       // share of what the machine completes that a person looks at
	ReasonCodes []string      // why something is rejected
	AmountItem  string        // code of the item whose value is a review's amount
	Assign      []AssignRule  // the first that fits
	FourEyes    []string      // what needs a second person
}

// AssignRule says whom reviews go to. What is empty fits all.
type AssignRule struct {
	DocType       DocType
	Code          ReviewCode
	AmountAtLeast *decimal.Decimal
	To            string // an address, or a group
}

// DefaultReasonCodes are why something is rejected where the workspace file has no list of its own.
var DefaultReasonCodes = []string{"wrong_document", "unreadable", "incomplete", "expired", "does_not_match",
	"suspected_fraud", "other"}

// IsSet reports whether the workspace file says anything about reviews.
func (s ReviewSettings) IsSet() bool {
	return s.DueIn != 0 || s.Sample != 0 || len(s.ReasonCodes) > 0 || s.AmountItem != "" || len(s.Assign) > 0 ||
		len(s.FourEyes) > 0
}

// OrDefault has the default wherever s says nothing.
func (s ReviewSettings) OrDefault() ReviewSettings {
	if s.DueIn == 0 {
		s.DueIn = DefaultReviewDue
	}
	if len(s.ReasonCodes) == 0 {
		s.ReasonCodes = DefaultReasonCodes
	}
	if s.AmountItem == "" {
		s.AmountItem = DefaultAmountItem
	}
	return s
}

// Due is when a review that opens at a moment is due: business days are Monday to Friday of the zone, a day is the same
// hour of the next of them. What opens on a weekend counts from the Monday.
func (s ReviewSettings) Due(opened time.Time, zone *time.Location) time.Time {
	at := opened.In(zone)
	days, rest := int(s.DueIn/(24*time.Hour)), s.DueIn%(24*time.Hour)
	if rest > 0 && weekend(at) {
		at = nextDay(at, true)
	}
	for range days {
		at = nextDay(at, false)
	}
	for rest > 0 {
		midnight := time.Date(at.Year(), at.Month(), at.Day()+1, 0, 0, 0, 0, zone)
		if left := midnight.Sub(at); rest > left {
			rest -= left
			at = nextDay(midnight.Add(-time.Nanosecond), true)
			continue
		}
		at, rest = at.Add(rest), 0
	}
	return at.UTC()
}

func weekend(t time.Time) bool { return t.Weekday() == time.Saturday || t.Weekday() == time.Sunday }

// nextDay is the same hour, or the first moment, of the next business day.
func nextDay(t time.Time, start bool) time.Time {
	hour, minute, second, nanosecond := t.Hour(), t.Minute(), t.Second(), t.Nanosecond()
	if start {
		hour, minute, second, nanosecond = 0, 0, 0, 0
	}
	for next := 1; ; next++ {
		day := time.Date(t.Year(), t.Month(), t.Day()+next, hour, minute, second, nanosecond, t.Location())
		if !weekend(day) {
			return day
		}
	}
}

// AssigneeOf is whom a review goes to; empty: nobody in particular.
func (s ReviewSettings) AssigneeOf(code ReviewCode, types []DocType, amount *decimal.Decimal) string {
	for _, rule := range s.Assign {
		if (rule.Code == "" || rule.Code == code) &&
			(rule.DocType == "" || slices.Contains(types, rule.DocType)) &&
			(rule.AmountAtLeast == nil || amount != nil && amount.GreaterThanOrEqual(*rule.AmountAtLeast)) {
			return FoldAssignee(rule.To)
		}
	}
	return ""
}

// AssignsByType reports whether whom a review goes to depends on the type of its documents.
func (s ReviewSettings) AssignsByType() bool {
	return slices.ContainsFunc(s.Assign, func(r AssignRule) bool { return r.DocType != "" })
}

// FoldAssignee writes an address as people are known by, and leaves the name of a group as it is.
func FoldAssignee(to string) string {
	if folded, ok := FoldEmail(to); ok {
		return folded
	}
	return strings.TrimSpace(to)
}

var reasonCodePattern = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,62}$`)

func (s ReviewSettings) check(f *configFaults) {
	for i, what := range s.FourEyes {
		f.require(what == FourEyesApproval || what == FourEyesOverride || what == FourEyesErase,
			at("/review/fourEyes", i), "invalid", "review.fourEyes can hold %s, %s and %s, not %s", FourEyesOverride,
			FourEyesApproval, FourEyesErase, what)
	}
	f.require(s.DueIn >= 0 && s.DueIn <= 365*24*time.Hour, "/review/dueIn", "invalid",
		"review.dueIn must be business time of at most 365d, such as 1d or 4h")
	f.require(s.Sample >= 0 && s.Sample <= 1, "/review/sample", "invalid", "review.sample must be between 0 and 1")
	for i, code := range s.ReasonCodes {
		f.require(reasonCodePattern.MatchString(code), at("/review/reasonCodes", i), "invalid",
			"a reason code is of lower-case letters, digits and _, such as wrong_document")
	}
	checkUnique(f, "/review/reasonCodes", "", len(s.ReasonCodes), func(i int) string { return s.ReasonCodes[i] })
	f.require(s.AmountItem == "" || codePattern.MatchString(s.AmountItem), "/review/amountItem", "invalid",
		"review.amountItem must be the code of an item, such as %s", DefaultAmountItem)
	for i, rule := range s.Assign {
		rule.check(f, at("/review/assign", i))
	}
}

func (r AssignRule) check(f *configFaults, pointer string) {
	f.require(r.To != "" && len(r.To) <= 255, pointer+"/to", "required", "to must name an address or a group")
	f.require(KnownDocType(r.DocType), pointer+"/when/docType", "invalid", "%s is no docType", r.DocType)
	f.require(r.Code == "" || r.Code.Valid(), pointer+"/when/code", "invalid", "%s is no code of reviews", r.Code)
	f.require(r.AmountAtLeast == nil || !r.AmountAtLeast.IsNegative(), pointer+"/when/amountAtLeast", "invalid",
		"amountAtLeast must not be negative")
}

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

// SampleQuality counts the facts of the given parts of a document (all parts, when there are none) that a person looked
// at: as wrong where the person corrected them, else as right.
func (d *Document) SampleQuality(parts []int) []ReviewQuality {
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

// CorrectionQuality counts the facts of a document that were corrected between since and until (nil: no bound): as
// right where the file reads as the person says by now (CONFIRMED), else as wrong.
func (d *Document) CorrectionQuality(since, until *time.Time) []ReviewQuality {
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
