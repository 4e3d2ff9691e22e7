package jobs

import (
	"embed"
	"encoding/json"
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

// Pipeline is what can be run by name, with JSON Schemas (2020-12) of its parameters and its result.
type Pipeline struct {
	ID          string
	Description string
	Parameters  json.RawMessage
	Result      json.RawMessage
}

// Pipelines lists the built-in pipelines in the order of decisions.md. Parameters are checked against their schema
// by the API; ids in them must exist in the workspace when the run is started.
var Pipelines = []Pipeline{
	builtIn(PipelineExtractDocument, "Reads one stored document and returns its facts with their sources."),
	builtIn(PipelineClassifyDocument, "Says what each document in a stored file is, and why."),
	builtIn(PipelineMatchDocuments, "Says which items of a lead's checklist its documents serve, and why."),
	builtIn(PipelineValidateDocument,
		"Checks a document against the rules of an item, or against rules given in natural language."),
	builtIn(PipelineAnalyzeBankStatements, "Analyses the bank statements of a lead or given ones, month by month."),
	builtIn(PipelineSpreadFinancials, "Spreads a lead's financial documents; the same as creating a spread."),
	builtIn(PipelineExportAnalyticsCSV, "Writes the workspace's analytics as a CSV file."),
}

//go:embed schemas/*.json
var schemas embed.FS

// builtIn is a pipeline with the schemas of its file, schemas/<id>.json.
func builtIn(id, description string) Pipeline {
	var of struct{ Parameters, Result json.RawMessage }
	data, err := schemas.ReadFile("schemas/" + id + ".json")
	if err == nil {
		err = json.Unmarshal(data, &of)
	}
	if err != nil {
		panic(err) // it is part of the program
	}
	return Pipeline{id, description, of.Parameters, of.Result}
}
