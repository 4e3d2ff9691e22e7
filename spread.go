package dossier

import (
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// SpreadStatus is the state of a spread (api.md, Spread status).
type SpreadStatus string

// States of a spread.
const (
	SpreadInProgress SpreadStatus = "IN_PROGRESS"
	SpreadComplete   SpreadStatus = "COMPLETE"
	SpreadFailed     SpreadStatus = "FAILED"
)

// SpreadDocumentStatus is how far a document of a spread is (decisions.md section 5).
type SpreadDocumentStatus string

// States of a document of a spread. SKIPPED: it holds nothing that can be spread.
const (
	SpreadDocumentPending    SpreadDocumentStatus = "PENDING"
	SpreadDocumentProcessing SpreadDocumentStatus = "PROCESSING"
	SpreadDocumentExtracted  SpreadDocumentStatus = "EXTRACTED"
	SpreadDocumentFailed     SpreadDocumentStatus = "FAILED"
	SpreadDocumentSkipped    SpreadDocumentStatus = "SKIPPED"
)

// Settled reports whether nothing more is awaited from a document in this state.
func (s SpreadDocumentStatus) Settled() bool {
	return s == SpreadDocumentExtracted || s == SpreadDocumentFailed || s == SpreadDocumentSkipped
}

// Defaults of a spread (decisions.md section 5).
const (
	DefaultSpreadCurrency      = "USD"
	DefaultFiscalYearEndMonth  = 12
	MaxSpreadDocuments         = 500
	NoFinancialDocuments       = "no_financial_documents"
	noFinancialDocumentsDetail = "None of the documents is a financial statement or a business tax return that " +
		"could be read"
)

// Spread is the run that turns documents of a lead into statements.
type Spread struct {
	ID                 SpreadID
	LeadID             LeadID
	ExternalID         *string
	EntityName         *string // as asked for
	Currency           string
	CurrencyNamed      bool // by whoever asked; else it follows the statements
	FiscalYearEndMonth int
	PartyID            *PartyID // whose it is alone; nil: as its documents say
	Scope              SpreadScope
	Distributions      *SpreadDistributions // of a global one
	Status             SpreadStatus
	Error              *string
	Round              int // raised by every regeneration; a job of an old round does nothing
	Source             string
	Documents          []SpreadDocument
	Artifacts          []Artifact
	Approval           SpreadApproval
	CreatedAt          time.Time
	UpdatedAt          time.Time
}

// SpreadDocument is a document in a spread.
type SpreadDocument struct {
	ID       DocumentID
	Filename string
	Status   SpreadDocumentStatus
	Error    *string
}

// ArtifactType is what an artifact is.
type ArtifactType string

// Types of artifacts.
const (
	ArtifactReport      ArtifactType = "REPORT"
	ArtifactSpreadsheet ArtifactType = "SPREADSHEET"
)

// ContentType is the media type of the artifact's bytes (api.md, artifact content).
func (t ArtifactType) ContentType() string {
	if t == ArtifactReport {
		return "application/pdf"
	}
	return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
}

// Extension is the ending of the artifact's file name.
func (t ArtifactType) Extension() string {
	if t == ArtifactReport {
		return ".pdf"
	}
	return ".xlsx"
}

// Artifact is a file made from a spread's results.
type Artifact struct {
	ID        ArtifactID
	Type      ArtifactType
	Title     string
	ObjectKey string
	SHA256    []byte
	Size      int64
	CreatedAt time.Time
}

// ErrNoFinancialDocuments says that nothing among the documents can be spread.
func ErrNoFinancialDocuments() *Error {
	return Coded(Invalid, NoFinancialDocuments, "%s", noFinancialDocumentsDetail)
}

// Regenerate starts a finished spread over. Error: Conflict, while it is in progress.
func (s *Spread) Regenerate(now time.Time) error {
	if s.Status == SpreadInProgress {
		return Coded(Conflict, "spread_in_progress",
			"This spread is still in progress; wait until it is COMPLETE or FAILED")
	}
	s.Status, s.Error, s.UpdatedAt = SpreadInProgress, nil, now
	s.Round++
	return nil
}

// Settled reports whether every document is settled, and how many can be spread.
func (s *Spread) Settled() (all bool, usable int) {
	all = true
	for _, d := range s.Documents {
		all = all && d.Status.Settled()
		if d.Status == SpreadDocumentExtracted {
			usable++
		}
	}
	return all, usable
}

// SpreadTemplate is spread-template.yaml as the rooms need it: rows in template order.
type SpreadTemplate struct {
	Rows     []SpreadRow
	CatchAll map[string]string // section -> row
	Ratios   []RatioRow
	UCA      []UCARow
}

// SpreadRow is one row of a statement.
type SpreadRow struct {
	Key, Label, Statement, Section, Kind, Computed, Sign string
	Memo                                                 bool
	Formula, Derived                                     Formula
	IRS                                                  map[string]string
	Synonyms                                             []string
}

// RatioRow is one ratio.
type RatioRow struct {
	Key, Label, Group, Format string
	Formula                   Formula
	Positive                  bool // only with a denominator above zero
}

// UCARow is one line of the Uniform Credit Analysis cash flow.
type UCARow struct {
	Key, Label string
	Subtotal   bool
	Formula    Formula
}

// Of lists the rows of one statement.
func (t *SpreadTemplate) Of(statement string) []SpreadRow {
	var rows []SpreadRow
	for _, r := range t.Rows {
		if r.Statement == statement {
			rows = append(rows, r)
		}
	}
	return rows
}

// Row finds a row; nil when there is none.
func (t *SpreadTemplate) Row(statement, key string) *SpreadRow {
	for i := range t.Rows {
		if t.Rows[i].Statement == statement && t.Rows[i].Key == key {
			return &t.Rows[i]
		}
	}
	return nil
}

// AnnualFactor is what scales a period to a year, times/by: 12/months for whole calendar months, else
// 12 / (days / (365.25/12)), which is 365.25/days. Source: spread-template.yaml, periods.months.
func AnnualFactor(start, end Day) (times, by decimal.Decimal) {
	if start == start.MonthStart() && end == end.MonthEnd() {
		y1, m1, _ := start.Date()
		y2, m2, _ := end.Date()
		return decimal.NewFromInt(12), decimal.NewFromInt(int64(12*(y2-y1) + int(m2-m1) + 1))
	}
	return decimal.New(36525, -2), decimal.NewFromInt(int64(end-start) + 1)
}

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
	words := strings.FieldsFunc(strings.ToLower(caption),
		func(r rune) bool { return strings.ContainsRune(" \t\n.,:;()[]'\"’–—-_*/&", r) })
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
			faults = append(faults, Fault{Pointer: "/adjustments/" + strconv.Itoa(i) + "/" + field, Code: code,
				Detail: detail})
		}
		row := t.FindRow(a.Statement, a.Row)
		switch {
		case row == nil:
			fault("row", "invalid_value",
				"row must be a row of the template; name statement when two statements have it: "+a.Row)
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
			faults = append(faults, Fault{Pointer: "/captionMappings/" + strconv.Itoa(i) + "/" + field, Code: code,
				Detail: detail})
		}
		if row := t.FindRow(m.Statement, m.Row); row == nil || !row.Input() {
			fault("row", "invalid_value",
				"row must be a line of the template, not a calculated one; name statement when two "+
					"statements have it: "+m.Row)
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
	return a.Statement == b.Statement && a.Row == b.Row && a.PeriodID == b.PeriodID && equal(a.MoveTo, b.MoveTo) &&
		a.Reason == b.Reason &&
		equal(a.Actor, b.Actor) && (a.Value == nil) == (b.Value == nil) &&
		(a.Value == nil || a.Value.Equal(b.Value.Decimal))
}

func equal(a, b *string) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

// SpreadApproval is whether people stand by the figures of a spread. New figures make it a DRAFT.
type SpreadApproval struct {
	State ApprovalState
	By    *string // who submitted, approved or returned it last
	At    *time.Time
	Note  *string
}

// ApprovalState is how far the approval of a spread is.
type ApprovalState string

// States of an approval.
const (
	ApprovalDraft     ApprovalState = "DRAFT"
	ApprovalSubmitted ApprovalState = "SUBMITTED"
	ApprovalApproved  ApprovalState = "APPROVED"
	ApprovalReturned  ApprovalState = "RETURNED"
)

// Valid reports whether s is a state of an approval.
func (s ApprovalState) Valid() bool {
	return s == ApprovalDraft || s == ApprovalSubmitted || s == ApprovalApproved || s == ApprovalReturned
}
