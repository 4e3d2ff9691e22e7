package jobs

import (
	"time"

	"github.com/dossierhq/dossier"
)

// RunPipeline does one step of a pipeline run. A chain stages itself again for its next step, so a crash
// repeats one step and never the ones before it.
type RunPipeline struct {
	Workspace dossier.WorkspaceID   `json:"workspace"`
	Run       dossier.PipelineRunID `json:"run"`
}

// Spec implements Job.
func (RunPipeline) Spec() Spec {
	return Spec{Kind: "pipeline.run", Lane: LanePipeline, Timeout: 10 * time.Minute, Tries: 3}
}

// Ids of the built-in pipelines (decisions.md section 7).
const (
	PipelineExtractDocument       = "extract-document"
	PipelineClassifyDocument      = "classify-document"
	PipelineMatchDocuments        = "match-documents"
	PipelineValidateDocument      = "validate-document"
	PipelineAnalyzeBankStatements = "analyze-bank-statements"
	PipelineSpreadFinancials      = "spread-financials"
	PipelineExportAnalyticsCSV    = "export-analytics-csv"
)

// Pipeline is what can be run by name: its steps, and JSON Schemas (2020-12) of parameters and result.
type Pipeline struct {
	ID          string
	Description string
	Steps       []string
	Parameters  string
	Result      string
}

const (
	schemaID  = `{"type":"string","format":"uuid"}`
	schemaIDs = `{"type":"array","items":{"type":"string","format":"uuid"},"maxItems":500}`
)

// Pipelines lists the built-in pipelines in the order of decisions.md. Parameters are checked against their schema
// by the API; ids in them must exist in the workspace when the run is started.
var Pipelines = []Pipeline{
	{
		ID: PipelineExtractDocument, Description: "Reads one stored document and returns its facts with their sources.",
		Parameters: `{"type":"object","properties":{"documentId":` + schemaID + `},"required":["documentId"],"additionalProperties":false}`,
		Result:     `{"type":"object","properties":{"engineVersion":{"type":"string"},"mimeType":{"type":"string"},"pageCount":{"type":"integer"},"layer":{"enum":["text","scanned","image","native"]},"documents":{"type":"array","items":{"type":"object"}}}}`,
	},
	{
		ID: PipelineClassifyDocument, Description: "Says what each document in a stored file is, and why.",
		Parameters: `{"type":"object","properties":{"documentId":` + schemaID + `},"required":["documentId"],"additionalProperties":false}`,
		Result:     `{"type":"object","properties":{"documents":{"type":"array","items":{"type":"object","properties":{"docType":{"type":"string"},"fieldType":{"type":"string"},"pages":{"type":"array","items":{"type":"integer"}},"confidence":{"type":"number"},"evidence":{"type":"array","items":{"type":"string"}}}}}}}`,
	},
	{
		ID: PipelineMatchDocuments, Description: "Says which items of a lead's checklist its documents serve, and why.",
		Parameters: `{"type":"object","properties":{"leadId":` + schemaID + `,"documentIds":` + schemaIDs + `},"required":["leadId"],"additionalProperties":false}`,
		Result:     `{"type":"object","properties":{"matches":{"type":"array","items":{"type":"object","properties":{"documentId":{"type":"string"},"leadChecklistItemId":{"type":"string"},"code":{"type":"string"},"label":{"type":"string"},"score":{"type":"number"},"reason":{"type":"string"}}}},"unmatched":{"type":"array","items":{"type":"string"}}}}`,
	},
	{
		ID: PipelineValidateDocument, Description: "Checks a document against the rules of an item, or against rules given in natural language.",
		Parameters: `{"type":"object","properties":{"documentId":` + schemaID + `,"leadChecklistItemId":` + schemaID + `,"rules":{"type":"array","items":{"type":"string","minLength":1,"maxLength":10000},"maxItems":100}},"required":["documentId"],"additionalProperties":false}`,
		Result:     `{"type":"object","properties":{"otherNotes":{"type":"string"},"overallValid":{"type":"boolean"},"validationResults":{"type":"array","items":{"type":"object","properties":{"ruleName":{"type":"string"},"isValid":{"type":"boolean"},"isValidReason":{"type":"string"}}}}}}`,
	},
	{
		ID: PipelineAnalyzeBankStatements, Description: "Analyses the bank statements of a lead or given ones, month by month.",
		Parameters: `{"type":"object","properties":{"leadId":` + schemaID + `,"documentIds":` + schemaIDs + `},"anyOf":[{"required":["leadId"]},{"required":["documentIds"]}],"additionalProperties":false}`,
		Result:     `{"type":"object","properties":{"accounts":{"type":"array","items":{"type":"object"}},"months":{"type":"array","items":{"type":"object"}}}}`,
	},
	{
		ID: PipelineSpreadFinancials, Description: "Spreads a lead's financial documents; the same as creating a spread.",
		Parameters: `{"type":"object","properties":{"leadId":` + schemaID + `,"documentIds":` + schemaIDs + `,"entityName":{"type":"string","maxLength":255},"currency":{"type":"string","pattern":"^[A-Z]{3}$"},"fiscalYearEndMonth":{"type":"integer","minimum":1,"maximum":12},"externalId":{"type":"string","maxLength":255}},"required":["leadId"],"additionalProperties":false}`,
		Result:     `{"type":"object","properties":{"schemaVersion":{"const":2},"spreadId":{"type":"string"},"statements":{"type":"object"}}}`,
	},
	{
		ID: PipelineExportAnalyticsCSV, Description: "Writes the workspace's analytics as a CSV file.",
		Parameters: `{"type":"object","properties":{"start":{"type":"string","format":"date-time"},"end":{"type":"string","format":"date-time"}},"additionalProperties":false}`,
		Result:     `{"type":"object","properties":{"downloadUrl":{"type":"string","format":"uri"},"expiresAt":{"type":"string","format":"date-time"}}}`,
	},
}
