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
	// schemaHook is what every pipeline takes besides: the registration that gets the outcome.
	schemaHook = `"webhookId":` + schemaID
)

// Amounts are decimal strings; a figure names the entries (indexes into entries) and printed facts it stands on.
const (
	schemaFigure = `{"type":["object","null"],"properties":{"value":{"type":"string"},"formula":{"type":"string"},"entries":{"type":"array","items":{"type":"integer"}},"sources":{"type":"array","items":{"type":"object","properties":{"documentId":{"type":"string"},"part":{"type":"integer"},"pointer":{"type":"string"},"page":{"type":"integer"},"text":{"type":"string"}}}}}}`
	schemaCount  = `{"type":["integer","null"]}`
	schemaText   = `{"type":["string","null"]}`
	schemaMonths = `{"type":"array","items":{"type":"object","properties":{"month":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}$"},"currency":` + schemaText + `,"days":{"type":"integer"},"deposits":` + schemaFigure +
		`,"transfersIn":` + schemaFigure + `,"netDeposits":` + schemaFigure + `,"withdrawals":` + schemaFigure + `,"transfersOut":` + schemaFigure + `,"netWithdrawals":` + schemaFigure +
		`,"depositCount":` + schemaCount + `,"withdrawalCount":` + schemaCount + `,"averageDailyBalance":` + schemaFigure + `,"lowestBalance":` + schemaFigure + `,"negativeDays":` + schemaCount +
		`,"nsf":{"type":["object","null"],"properties":{"value":{"type":"integer"},"entries":{"type":"array","items":{"type":"integer"}}}}}}}`
	schemaBankAnalysis = `{"type":"object","properties":{"accounts":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"},"institution":` + schemaText + `,"accountNumber":` + schemaText +
		`,"name":` + schemaText + `,"holder":` + schemaText + `,"currency":` + schemaText + `,"from":` + schemaText + `,"to":` + schemaText + `,"days":{"type":"integer"},"monthsHeld":{"type":"integer"},"missingDays":{"type":"array","items":{"type":"string"}},"openingBalance":` + schemaFigure +
		`,"closingBalance":` + schemaFigure + `,"averageDailyBalance":` + schemaFigure + `,"lowestBalance":` + schemaFigure + `,"months":` + schemaMonths + `}}},"months":` + schemaMonths +
		`,"counterparties":{"type":"array","items":{"type":"object"}},"recurring":{"type":"array","items":{"type":"object"}},"transfers":{"type":"array","items":{"type":"object"}},"entries":{"type":"array","items":{"type":"object"}},"warnings":{"type":"array","items":{"type":"string"}}}}`
)

// Pipelines lists the built-in pipelines in the order of decisions.md. Parameters are checked against their schema
// by the API; ids in them must exist in the workspace when the run is started.
var Pipelines = []Pipeline{
	{
		ID: PipelineExtractDocument, Description: "Reads one stored document and returns its facts with their sources.",
		Parameters: `{"type":"object","properties":{"documentId":` + schemaID + `,` + schemaHook + `},"required":["documentId"],"additionalProperties":false}`,
		Result:     `{"type":"object","properties":{"engineVersion":{"type":"string"},"mimeType":{"type":"string"},"pageCount":{"type":"integer"},"layer":{"enum":["text","scanned","image","native"]},"documents":{"type":"array","items":{"type":"object"}}}}`,
	},
	{
		ID: PipelineClassifyDocument, Description: "Says what each document in a stored file is, and why.",
		Parameters: `{"type":"object","properties":{"documentId":` + schemaID + `,` + schemaHook + `},"required":["documentId"],"additionalProperties":false}`,
		Result:     `{"type":"object","properties":{"documents":{"type":"array","items":{"type":"object","properties":{"docType":{"type":"string"},"fieldType":{"type":"string"},"pages":{"type":"array","items":{"type":"integer"}},"confidence":{"type":"number"},"evidence":{"type":"array","items":{"type":"string"}}}}}}}`,
	},
	{
		ID: PipelineMatchDocuments, Description: "Says which items of a lead's checklist its documents serve, and why.",
		Parameters: `{"type":"object","properties":{"leadId":` + schemaID + `,"documentIds":` + schemaIDs + `,` + schemaHook + `},"required":["leadId"],"additionalProperties":false}`,
		Result:     `{"type":"object","properties":{"matches":{"type":"array","items":{"type":"object","properties":{"documentId":{"type":"string"},"leadChecklistItemId":{"type":"string"},"code":{"type":"string"},"label":{"type":"string"},"score":{"type":"number"},"reason":{"type":"string"}}}},"unmatched":{"type":"array","items":{"type":"string"}}}}`,
	},
	{
		ID: PipelineValidateDocument, Description: "Checks a document against the rules of an item, or against rules given in natural language.",
		Parameters: `{"type":"object","properties":{"documentId":` + schemaID + `,"leadChecklistItemId":` + schemaID + `,"rules":{"type":"array","items":{"type":"string","minLength":1,"maxLength":10000},"maxItems":100},` + schemaHook + `},"required":["documentId"],"additionalProperties":false}`,
		Result:     `{"type":"object","properties":{"otherNotes":{"type":"string"},"overallValid":{"type":"boolean"},"validationResults":{"type":"array","items":{"type":"object","properties":{"ruleName":{"type":"string"},"isValid":{"type":"boolean"},"isValidReason":{"type":"string"}}}}}}`,
	},
	{
		ID: PipelineAnalyzeBankStatements, Description: "Analyses the bank statements of a lead or given ones, month by month.",
		Parameters: `{"type":"object","properties":{"leadId":` + schemaID + `,"documentIds":` + schemaIDs + `,` + schemaHook + `},"anyOf":[{"required":["leadId"]},{"required":["documentIds"]}],"additionalProperties":false}`,
		Result:     schemaBankAnalysis,
	},
	{
		ID: PipelineSpreadFinancials, Description: "Spreads a lead's financial documents; the same as creating a spread.",
		Parameters: `{"type":"object","properties":{"leadId":` + schemaID + `,"documentIds":` + schemaIDs + `,"entityName":{"type":"string","maxLength":255},"currency":{"type":"string","pattern":"^[A-Z]{3}$"},"fiscalYearEndMonth":{"type":"integer","minimum":1,"maximum":12},"externalId":{"type":"string","maxLength":255},` + schemaHook + `},"required":["leadId"],"additionalProperties":false}`,
		Result:     `{"type":"object","properties":{"schemaVersion":{"const":2},"spreadId":{"type":"string"},"statements":{"type":"object"}}}`,
	},
	{
		ID: PipelineExportAnalyticsCSV, Description: "Writes the workspace's analytics as a CSV file.",
		Parameters: `{"type":"object","properties":{"start":{"type":"string","format":"date-time"},"end":{"type":"string","format":"date-time"},` + schemaHook + `},"additionalProperties":false}`,
		Result:     `{"type":"object","properties":{"downloadUrl":{"type":["string","null"],"format":"uri","description":"made for this answer; null in events, and when the file is kept no more, after 7 days"},"expiresAt":{"type":["string","null"],"format":"date-time"}}}`,
	},
}
