package dossier

import (
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
	noFinancialDocumentsDetail = "None of the documents is a financial statement or a business tax return that could be read"
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
	Status             SpreadStatus
	Error              *string
	Round              int // raised by every regeneration; a job of an old round does nothing
	Source             string
	Documents          []SpreadDocument
	Artifacts          []Artifact
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
		return Coded(Conflict, "spread_in_progress", "This spread is still in progress; wait until it is COMPLETE or FAILED")
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
