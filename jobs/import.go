package jobs

import (
	"time"

	"github.com/dossierhq/dossier"
)

// ImportLeads makes the rows of a table into leads, a row a commit. Wherever it dies, the next try goes on behind the
// rows that are settled.
type ImportLeads struct {
	Workspace dossier.WorkspaceID `json:"workspace"`
	Import    dossier.ImportID    `json:"import"`
}

// Spec implements Job. A million rows take most of an hour.
func (ImportLeads) Spec() Spec {
	return Spec{Kind: "lead.import", Lane: LaneImport, Timeout: 2 * time.Hour, Tries: 25}
}

// ImportKey is where a part of an import is stored: its table, its archive, its report. id is a new one.
func ImportKey(ws dossier.WorkspaceID, id, part string) string {
	return string(ws) + "/imports/" + id + "/" + part
}

// What a downloaded report is called.
const ImportReportFilename = "import-report.csv"
