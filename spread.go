package dossier

import (
	"encoding/json"
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

// SpreadScope says whose figures a spread has.
type SpreadScope string

// Scopes.
const (
	SpreadOfParty SpreadScope = "party"
	SpreadGlobal  SpreadScope = "global" // cash flow of all parties of a lead together
)

// SpreadDistributions says what an owner counts of a business of the file.
type SpreadDistributions string

// Ways to count.
const (
	DistributionsK1     SpreadDistributions = "k1"     // what Schedules K-1 say was distributed
	DistributionsEntity SpreadDistributions = "entity" // the owner's share of the business's cash available
)

// Valid reports whether d is one of them.
func (d SpreadDistributions) Valid() bool { return d == DistributionsK1 || d == DistributionsEntity }

// GlobalSchemaVersion is the version of the results of a global spread.
const GlobalSchemaVersion = 2

// GlobalResults are the results of a global spread. Source: relationships.md section 3.
type GlobalResults struct {
	SchemaVersion int            `json:"schemaVersion"`
	SpreadID      SpreadID       `json:"spreadId"`
	LeadID        LeadID         `json:"leadId"`
	Scope         SpreadScope    `json:"scope"`
	GeneratedAt   string         `json:"generatedAt"` // when these figures first came about
	Currency      string         `json:"currency"`
	Parties       []GlobalParty  `json:"parties"`
	Periods       []GlobalPeriod `json:"periods"`
}

// GlobalParty is a party with the spread that its figures are from; none of a person, whose figures are its returns'.
type GlobalParty struct {
	PartyID  PartyID   `json:"partyId"`
	Name     string    `json:"name"`
	SpreadID *SpreadID `json:"spreadId"`
}

// GlobalPeriod is a calendar year. A fiscal year belongs to the one it ends in.
type GlobalPeriod struct {
	ID    string      `json:"id"`
	Label string      `json:"label"`
	Start string      `json:"start"`
	End   string      `json:"end"`
	Rows  []GlobalRow `json:"rows"`
}

// GlobalRow is one row of one year. Value has 2 places, a ratio 4; nil: nothing in the file says it.
type GlobalRow struct {
	Key            string       `json:"key"`
	Label          string       `json:"label"`
	PartyID        *PartyID     `json:"partyId"`
	CounterpartyID *PartyID     `json:"counterpartyId,omitempty"` // of an elimination: who paid
	Value          *json.Number `json:"value"`
	Kind           string       `json:"kind"` // line, subtotal, total
	Computed       bool         `json:"computed"`
	// false: it rests on figures that no printed total confirms
	Reliable *bool          `json:"reliable,omitempty"`
	Sources  []GlobalSource `json:"sources"`
}

// GlobalSource is where a figure, or a part of one, is from: a paper, a spread, a debt.
type GlobalSource struct {
	DocumentID *DocumentID `json:"documentId,omitempty"`
	SpreadID   *SpreadID   `json:"spreadId,omitempty"`
	DebtID     *DebtID     `json:"debtId,omitempty"`
	Page       int         `json:"page,omitempty"`
	Caption    string      `json:"caption"`
	Text       string      `json:"text"` // as printed, or the amount
}

// Row finds a row of a period by its key and party; nil when there is none.
func (p *GlobalPeriod) Row(key string, party PartyID) *GlobalRow {
	for i := range p.Rows {
		r := &p.Rows[i]
		if r.Key == key && (r.PartyID == nil && party == "" || r.PartyID != nil && *r.PartyID == party) {
			return r
		}
	}
	return nil
}

// GlobalInput is what making a global spread needs.
type GlobalInput struct {
	Spread         Spread
	Parties        []LeadParty
	Edges          []OwnershipEdge
	Debts          []Debt
	Spreads        map[PartyID]SpreadResults // of each party the newest that is finished
	Files          []PartyFile               // the newest first
	LivingExpenses *decimal.Decimal
	Currency       string         // of the workspace
	Previous       *GlobalResults // of the last COMPLETE round
	Used           []DocumentID   // by the parties' spreads
}

// PartyFile is what a file of a lead says, with whose its parts are.
type PartyFile struct {
	ID    DocumentID
	Parts []ReadDocument
	Of    map[int]PartyID
}
