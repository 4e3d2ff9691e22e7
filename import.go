package dossier

import "time"

// ImportStatus is how far an import is.
type ImportStatus string

// States of an import.
const (
	ImportPending  ImportStatus = "PENDING"
	ImportRunning  ImportStatus = "RUNNING"
	ImportComplete ImportStatus = "COMPLETE"
	ImportFailed   ImportStatus = "FAILED"
)

// Limits of an import.
const (
	MaxImportErrors  = 1000      // that its record shows; the report has all
	MaxImportBytes   = 200 << 20 // of the table
	MaxImportArchive = 1 << 30   // bytes of the archive
)

// Import is a table of leads that is being made into leads, row by row.
type Import struct {
	ID         ImportID
	Status     ImportStatus
	DryRun     bool // nothing is made; the counts say what would be
	Test       bool // made with a test key
	Rows       int  // data rows read so far
	Created    int
	Updated    int
	Refused    int
	Done       int // the last row that is settled and all before it are
	Errors     []ImportFault
	Failure    *ImportFailure // of a FAILED one
	FileKey    *string        // objects, while they are kept
	ArchiveKey *string
	ReportKey  *string
	Source     ValueSource // whose the values are
	Actor      string      // the person behind the call, or empty
	CreatedAt  time.Time
	FinishedAt *time.Time
}

// ImportFailure says why an import could not go on.
type ImportFailure struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// ImportFault is why a row was refused. It quotes nothing of the row: it outlives an erasure of its lead.
type ImportFault struct {
	Row    int    `json:"row"` // as a spreadsheet shows it: the first row of data is 2
	Column string `json:"column"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// ImportOutcome is what became of a row.
type ImportOutcome string

// Outcomes of a row.
const (
	RowCreated ImportOutcome = "created"
	RowUpdated ImportOutcome = "updated"
	RowRefused ImportOutcome = "refused"
)

// SettledRow is a row with its outcome.
type SettledRow struct {
	Row     int
	Outcome ImportOutcome
	Lead    *LeadID // of a dry run null
	Faults  []ImportFault
}
