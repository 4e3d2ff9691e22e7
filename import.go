package dossier

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

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

// ImportRow is one row of a table of leads, read.
type ImportRow struct {
	Row       int
	Update    LeadUpdate
	IsTest    *bool
	Documents []string // names of files in the archive
	Known     bool     // of a dry run: a row above makes its lead
}

// ExternalID is the id by which the row finds a lead that is there; empty: it makes a new one.
func (r ImportRow) ExternalID() string { return Text(trimmed(r.Update.ExternalLeadID).Value) }

// importFields read a cell of each column into the row; an error is an invalid_value. checklist.<CODE> is apart.
var importFields = map[string]func(r *ImportRow, cell string) error{
	"firstName":          text(func(u *LeadUpdate) *Patch[string] { return &u.FirstName }),
	"middleName":         text(func(u *LeadUpdate) *Patch[string] { return &u.MiddleName }),
	"lastName":           text(func(u *LeadUpdate) *Patch[string] { return &u.LastName }),
	"email":              text(func(u *LeadUpdate) *Patch[string] { return &u.Email }),
	"phoneNumber":        text(func(u *LeadUpdate) *Patch[string] { return &u.PhoneNumber }),
	"businessName":       text(func(u *LeadUpdate) *Patch[string] { return &u.BusinessName }),
	"website":            text(func(u *LeadUpdate) *Patch[string] { return &u.Website }),
	"externalLeadId":     text(func(u *LeadUpdate) *Patch[string] { return &u.ExternalLeadID }),
	"externalPortalLink": text(func(u *LeadUpdate) *Patch[string] { return &u.ExternalPortalLink }),
	"timezone":           text(func(u *LeadUpdate) *Patch[string] { return &u.Timezone }),
	"emailVerified":      truth(func(r *ImportRow) **bool { return &r.Update.EmailVerified }),
	"didOptOut":          truth(func(r *ImportRow) **bool { return &r.Update.DidOptOut }),
	"isTest":             truth(func(r *ImportRow) **bool { return &r.IsTest }),
	"decisionAt":         readDecision,
	"assigneeType":       readAssignee,
	"tags": func(r *ImportRow, cell string) error {
		tags := cellList(cell)
		r.Update.Tags = &tags
		return nil
	},
	"documents": func(r *ImportRow, cell string) error {
		r.Documents = cellList(cell)
		if len(r.Documents) > MaxUploadFiles {
			return fmt.Errorf("may name at most %d files", MaxUploadFiles)
		}
		return nil
	},
}

func text(of func(u *LeadUpdate) *Patch[string]) func(*ImportRow, string) error {
	return func(r *ImportRow, cell string) error {
		*of(&r.Update) = Set(cell)
		return nil
	}
}

func truth(of func(r *ImportRow) **bool) func(*ImportRow, string) error {
	return func(r *ImportRow, cell string) error {
		is, err := strconv.ParseBool(strings.ToLower(cell))
		if err != nil {
			return fmt.Errorf("must be true or false")
		}
		*of(r) = &is
		return nil
	}
}

func readDecision(r *ImportRow, cell string) error {
	at, err := time.Parse(time.RFC3339, cell)
	if err != nil {
		return fmt.Errorf("must be an ISO 8601 time with a zone, such as 2026-01-02T03:04:05Z")
	}
	r.Update.DecisionAt = Set(at.UTC())
	return nil
}

func readAssignee(r *ImportRow, cell string) error {
	who := AssigneeAgent
	switch cell {
	case "agent":
	case "manual":
		who = AssigneeHuman
	default:
		return fmt.Errorf("must be agent or manual")
	}
	r.Update.AssigneeType = &who
	return nil
}

// cellList splits a cell of several values.
func cellList(cell string) []string {
	list := []string{}
	for part := range strings.SplitSeq(cell, ";") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

const checklistColumn = "checklist."

// ImportHeader checks the first row of a table. What is wrong with it names the column.
func ImportHeader(header []string) []Fault {
	var f faults
	for i, name := range header {
		_, known := importFields[name]
		code, item := strings.CutPrefix(name, checklistColumn)
		switch {
		case slices.Contains(header[:i], name):
			f.add("/file", "duplicate_column", "file has the column %s twice", printableColumn(name))
		case name == "":
			f.add("/file", "unknown_column", "column %d of file has no name in the first row", i+1)
		case !known && (!item || code == ""):
			f.add("/file", "unknown_column", "file has a column %s; known are %s and checklist.<CODE>",
				printableColumn(name), strings.Join(ImportColumns(), ", "))
		}
		if len(f) == 20 {
			break
		}
	}
	return f
}

// ImportColumns names the columns a table may have besides those of the checklist.
func ImportColumns() []string {
	names := make([]string, 0, len(importFields))
	for name := range importFields {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func printableColumn(name string) string {
	if runes := []rune(name); len(runes) > 60 {
		name = string(runes[:60]) + "…"
	}
	return strconv.Quote(name)
}

// ReadImportRow reads the cells of one row. An empty cell leaves its field as it is. All faults of the row are found.
func ReadImportRow(header, cells []string, row int) (ImportRow, []ImportFault) {
	read := ImportRow{Row: row}
	var found []ImportFault
	fault := func(column, code, format string, args ...any) {
		found = append(found, ImportFault{row, column, code, fmt.Sprintf(format, args...)})
	}
	if len(cells) > len(header) && strings.Join(cells[len(header):], "") != "" {
		fault("", "invalid_value", "The row has %d cells, the first row names %d columns", len(cells), len(header))
	}
	for i, column := range header {
		if i >= len(cells) || strings.TrimSpace(cells[i]) == "" {
			continue
		}
		cell := strings.TrimSpace(cells[i])
		switch limit := importLimit(column); {
		case !utf8.ValidString(cell) || strings.ContainsRune(cell, 0):
			fault(column, "invalid_value", "%s must be valid text in UTF-8", column)
		case utf8.RuneCountInString(cell) > limit:
			fault(column, "too_long", "%s may have at most %d characters", column, limit)
		case looksLikeFormula(column, cells[i]):
			fault(column, "formula_cell", "%s begins like a formula of a spreadsheet; write the value itself", column)
		default:
			if err := read.put(column, cell); err != nil {
				fault(column, "invalid_value", "%s %v", column, err)
			}
		}
	}
	if len(found) > 0 {
		return read, found
	}
	return read, read.RowFaults(read.Update.Faults())
}

// importLimit is the most characters of a cell.
func importLimit(column string) int {
	switch column {
	case "website", "externalPortalLink":
		return MaxURL
	case "tags":
		return MaxTags * (MaxTag + 2)
	case "documents":
		return MaxUploadFiles * (MaxString + 2)
	}
	if strings.HasPrefix(column, checklistColumn) {
		return MaxText
	}
	return MaxString
}

// put reads one cell.
func (r *ImportRow) put(column, cell string) error {
	if read := importFields[column]; read != nil {
		return read(r, cell)
	}
	value, err := json.Marshal(cell)
	if strings.HasPrefix(cell, "{") && json.Valid([]byte(cell)) { // an address
		value = []byte(cell)
	}
	r.Update.Items = append(r.Update.Items,
		ItemUpdate{Code: strings.TrimPrefix(column, checklistColumn), Value: value})
	return err
}

// CellValues gives cells of items that take several choices as the list they mean.
func (r *ImportRow) CellValues(multiple func(code string) bool) {
	for i, item := range r.Update.Items {
		var cell string
		if multiple(item.Code) && json.Unmarshal(item.Value, &cell) == nil {
			r.Update.Items[i].Value = mustList(cellList(cell))
		}
	}
}

func mustList(list []string) json.RawMessage {
	data, _ := json.Marshal(list) // a list of texts is JSON
	return data
}

var (
	plainNumber = regexp.MustCompile(`^[+-]\d[\d,]*(\.\d+)?$`) // a negative number, a number in E.164
	phoneNumber = regexp.MustCompile(`^\+[\d ().-]+$`)
)

// looksLikeFormula reports a cell that a spreadsheet would compute when the report or an export is opened there.
func looksLikeFormula(column, cell string) bool {
	if !strings.ContainsAny(cell[:1], "=+-@\t\r") {
		return false
	}
	cell = strings.TrimSpace(cell)
	if cell == "" || !strings.ContainsAny(cell[:1], "=+-@") {
		return strings.ContainsAny(cell[:min(1, len(cell))], "=@")
	}
	return !plainNumber.MatchString(cell) && (column != "phoneNumber" || !phoneNumber.MatchString(cell))
}

// RowFaults says faults of a lead by the columns they are in.
func (r ImportRow) RowFaults(faults []Fault) []ImportFault {
	var found []ImportFault
	for _, f := range faults {
		column, _, _ := strings.Cut(strings.TrimPrefix(f.Pointer, "/"), "/")
		if rest, item := strings.CutPrefix(f.Pointer, "/checklistItems/"); item {
			index, _, _ := strings.Cut(rest, "/")
			if i, err := strconv.Atoi(index); err == nil && i < len(r.Update.Items) {
				column = checklistColumn + r.Update.Items[i].Code
			}
		}
		found = append(found, ImportFault{r.Row, column, f.Code, f.Detail})
	}
	return found
}

// OutcomeFaults says what is wrong with the values a row gives to the checklist: a code that is not there, a value that
// its item does not take.
func (r ImportRow) OutcomeFaults(outcomes []ItemOutcome) []ImportFault {
	var found []ImportFault
	for _, o := range outcomes {
		column := checklistColumn + o.Code
		switch {
		case o.Entry == nil:
			found = append(found, ImportFault{r.Row, column, "unknown_code",
				"No item of the lead's checklist has this code"})
		case o.Reason != "":
			found = append(found, ImportFault{r.Row, column, "invalid_value", o.Reason})
		case o.Entry.Status == ItemInvalid && len(o.Entry.Reasons) > 0:
			found = append(found, ImportFault{r.Row, column, "invalid_value",
				"The item does not take this value: " + o.Entry.Reasons[0].In(English)})
		}
	}
	return found
}

// ImportHeaderNames are the names of the columns as the first row of a table has them.
func ImportHeaderNames(cells []string) []string {
	names := make([]string, len(cells))
	for i, cell := range cells {
		names[i] = strings.TrimSpace(cell)
	}
	return names
}
