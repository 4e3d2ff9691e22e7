package judge

import "github.com/dossierhq/dossier"

// ItemOf is an item of a lead's checklist as matching and judging see it.
func ItemOf(item dossier.FileItem) MatchItem {
	return MatchItem{Entry: item.EntryID, Code: item.Code, Label: item.Label, FieldType: item.FieldType,
		Config: item.Config, Rules: item.Rules, AgentInstructions: item.AgentInstructions,
		Whose: item.Whose}
}

// PartsOf returns the documents that were read in a file; none when it was not read.
func PartsOf(file dossier.ReadFile) []dossier.ReadDocument {
	if file.Extraction == nil {
		return nil
	}
	return file.Extraction.Documents
}

// OtherParts returns the documents of an item's other files that serve it.
func OtherParts(files []dossier.JudgedFile) []dossier.ReadDocument {
	var others []dossier.ReadDocument
	for _, f := range files {
		others = append(others, servingParts(f)...)
	}
	return others
}

// servingParts returns the documents of a file that serve its item, or all of them when the matcher named none.
func servingParts(f dossier.JudgedFile) []dossier.ReadDocument {
	all := PartsOf(f.ReadFile)
	if len(f.Parts) == 0 {
		return all
	}
	var parts []dossier.ReadDocument
	for _, i := range f.Parts {
		if i < len(all) {
			parts = append(parts, all[i])
		}
	}
	return parts
}

// NewJudge returns the rules that decide an item, applied as of today.
func NewJudge(today dossier.Day) dossier.Judge {
	return dossier.Judge{Item: judgeItemAsOf(today), AsksTogether: asksTogether, Together: rejudgeTogether(today)}
}

// judgeItemAsOf returns a function that gives the status of an item, and the reasons for it, as of today.
func judgeItemAsOf(today dossier.Day) func(dossier.FileItem, []dossier.JudgedFile) (dossier.ItemStatus,
	[]dossier.Reason) {
	return func(item dossier.FileItem, files []dossier.JudgedFile) (dossier.ItemStatus, []dossier.Reason) {
		judged := make([]JudgedDocument, len(files))
		for i, f := range files {
			judged[i] = JudgedDocument{Document: f.ID, Filename: f.Filename, Parts: servingParts(f)}
			if f.Result != nil {
				judged[i].Verdict = *f.Result
			}
			if f.ExtractionError != nil {
				judged[i].Failure = f.ExtractionError.Code
			}
			if f.Override != nil {
				judged[i].Override = &f.Override.Valid
			}
		}
		return JudgeItem(ItemOf(item), judged, today)
	}
}
