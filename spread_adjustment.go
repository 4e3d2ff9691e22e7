package dossier

import (
	"strconv"
	"strings"
	"time"
)

// MaxSpreadAdjustments is how many adjustments, and how many caption mappings, are kept.
const MaxSpreadAdjustments = 500

// SpreadAdjustment is an analyst's correction of one figure: another value, or a reclassification of all or part of it
// to another row of the statement. The machine's figure is kept beside it.
type SpreadAdjustment struct {
	Statement string    `json:"statement"`
	Row       string    `json:"row"`
	PeriodID  string    `json:"periodId"`
	Value     *Figure   `json:"value"`  // the figure, or with MoveTo the amount that is moved; nil moves all of it
	MoveTo    *string   `json:"moveTo"` // the row that a reclassification goes to
	Reason    string    `json:"reason"`
	Actor     *string   `json:"actor"`
	CreatedAt time.Time `json:"-"`
}

// SpreadAdjusted stands beside an adjusted figure. Machine is what the documents give; nil: nothing.
type SpreadAdjusted struct {
	Machine *Figure `json:"machineValue"`
	Reason  string  `json:"reason"`
	Actor   *string `json:"actor"`
}

// CaptionMapping is the row that an analyst chose for a caption of a lead's documents. It holds for every spread of the
// lead from then on.
type CaptionMapping struct {
	Statement string  `json:"statement"`
	Caption   string  `json:"caption"`
	Row       string  `json:"row"`
	Actor     *string `json:"actor"`
}

// FoldCaption is a caption as mappings compare it: without case, punctuation and repeated spaces.
func FoldCaption(caption string) string {
	words := strings.FieldsFunc(strings.ToLower(caption), func(r rune) bool { return strings.ContainsRune(" \t\n.,:;()[]'\"’–—-_*/&", r) })
	return strings.Join(words, " ")
}

// Input reports whether a row takes figures from documents and analysts; the others are calculated.
func (r SpreadRow) Input() bool { return r.Computed == "never" || r.Computed == "derived" }

// FindRow finds the row of a key. Without a statement the key must be that of one statement only.
func (t *SpreadTemplate) FindRow(statement, key string) *SpreadRow {
	if statement != "" {
		return t.Row(statement, key)
	}
	var found *SpreadRow
	for i := range t.Rows {
		if t.Rows[i].Key != key {
			continue
		}
		if found != nil {
			return nil
		}
		found = &t.Rows[i]
	}
	return found
}

// Check completes the statement of each adjustment and tells what is wrong with them, by their place in the list. Rows
// must be rows of documents: what is calculated follows.
func (t *SpreadTemplate) Check(list []SpreadAdjustment) []Fault {
	var faults []Fault
	seen := map[[3]string]bool{}
	for i := range list {
		a := &list[i]
		fault := func(field, code, detail string) {
			faults = append(faults, Fault{Pointer: "/adjustments/" + strconv.Itoa(i) + "/" + field, Code: code, Detail: detail})
		}
		row := t.FindRow(a.Statement, a.Row)
		switch {
		case row == nil:
			fault("row", "invalid_value", "row must be a row of the template; name statement when two statements have it: "+a.Row)
			continue
		case !row.Input():
			fault("row", "invalid_value", row.Label+" is calculated; adjust the lines it is made of")
		}
		a.Statement = row.Statement
		switch {
		case a.MoveTo == nil && a.Value == nil:
			fault("value", "required", "value is required, or moveTo for a reclassification")
		case a.MoveTo != nil:
			if to := t.Row(a.Statement, *a.MoveTo); to == nil || !to.Input() || to.Key == a.Row || to.Memo != row.Memo {
				fault("moveTo", "invalid_value", "moveTo must be another line of the same statement")
			}
		}
		if key := [3]string{a.Statement, a.PeriodID, a.Row}; seen[key] {
			fault("row", "invalid_value", "There is another adjustment of this row and period; one is enough")
		} else {
			seen[key] = true
		}
	}
	return faults
}

// CheckCaptions is Check for caption mappings.
func (t *SpreadTemplate) CheckCaptions(list []CaptionMapping) []Fault {
	var faults []Fault
	seen := map[[2]string]bool{}
	for i := range list {
		m := &list[i]
		fault := func(field, code, detail string) {
			faults = append(faults, Fault{Pointer: "/captionMappings/" + strconv.Itoa(i) + "/" + field, Code: code, Detail: detail})
		}
		if row := t.FindRow(m.Statement, m.Row); row == nil || !row.Input() {
			fault("row", "invalid_value", "row must be a line of the template, not a calculated one; name statement when two statements have it: "+m.Row)
			continue
		} else {
			m.Statement = row.Statement
		}
		key := [2]string{m.Statement, FoldCaption(m.Caption)}
		if key[1] == "" || seen[key] {
			fault("caption", "invalid_value", "caption must have letters, and each caption of a statement one row")
		}
		seen[key] = true
	}
	return faults
}

// Same reports whether two adjustments say the same.
func (a SpreadAdjustment) Same(b SpreadAdjustment) bool {
	return a.Statement == b.Statement && a.Row == b.Row && a.PeriodID == b.PeriodID && equal(a.MoveTo, b.MoveTo) && a.Reason == b.Reason &&
		equal(a.Actor, b.Actor) && (a.Value == nil) == (b.Value == nil) && (a.Value == nil || a.Value.Equal(b.Value.Decimal))
}

func equal(a, b *string) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }
