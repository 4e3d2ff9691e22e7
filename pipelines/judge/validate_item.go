package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
)

// JudgedDocument is one file on an item with everything known about it.
type JudgedDocument struct {
	Document dossier.DocumentID
	Filename string
	Parts    []dossier.ReadDocument   // the documents in it that serve the item; nil while it is not read
	Verdict  dossier.ValidationResult // of Validate; the zero value while it is not judged: the document then does not count yet
	Failure  string                   // extractionError's code when it could not be read, else ""
	Override *bool                    // a person's word; it stands above the verdict
}

// JudgeItem says what state the documents of an item put it in, and why when it is not COMPLETED (the item's
// validationError: one sentence for the lead; "" when there is nothing to say).
//
// COMPLETED: documents that pass every rule together meet the config. Another document that fails beside them
// does no harm. INVALID: they do not, and a document breaks a rule or a person refused it. NEEDS_REVIEW: they
// would if a person accepted what is unsure: a rule, a file that could not be read through no fault of the
// lead, a statement on which no period was read. TODO:
// nothing, or not yet enough, is there.
//
// A person's acceptance stands above every rule, the kind and the age of a document; it cannot make one month
// three.
func JudgeItem(item MatchItem, docs []JudgedDocument, today dossier.Day) (dossier.ItemStatus, string) {
	var good, doubtful []JudgedDocument
	var refused, doubt, unread string
	for _, d := range docs {
		state, why := d.state()
		if state == docGood && d.Override == nil && !measurable(item, d, today) {
			state, why = docDoubtful, fmt.Sprintf("%s: %s%s.", d.name(), dossier.NeedsPerson, unmeasured[item.FieldType])
		}
		switch state {
		case docGood:
			good = append(good, d)
		case docDoubtful:
			doubtful = append(doubtful, d)
			doubt = firstOf(doubt, why)
		case docRefused:
			refused = firstOf(refused, why)
		case docUnread:
			unread = firstOf(unread, why)
		}
	}
	enough, missing := meetsConfig(item, good, today)
	switch {
	case enough:
		return dossier.ItemCompleted, ""
	case refused != "":
		return dossier.ItemInvalid, refused
	}
	if len(doubtful) > 0 {
		together := append(slices.Clone(good), doubtful...)
		if sufficient, _ := meetsConfig(item, together, today); sufficient {
			return dossier.ItemNeedsReview, doubt
		}
		_, missing = meetsConfig(item, together, today)
	}
	return dossier.ItemTodo, firstOf(missing, unread)
}

// unmeasured says what was not read of a document that passes its rules but cannot be counted.
var unmeasured = map[dossier.FieldType]string{
	dossier.FieldBankStatement: "no period was read on the statement",
	dossier.FieldTaxReturn:     "no tax year was read on the return",
}

// measurable reports whether a document shows what the item's config counts.
func measurable(item MatchItem, d JudgedDocument, today dossier.Day) bool {
	switch {
	case item.FieldType == dossier.FieldBankStatement && item.Config.Months != nil:
		return slices.ContainsFunc(d.Parts, func(part dossier.ReadDocument) bool {
			_, _, ok := statementSpan(part, today)
			return ok
		})
	case item.FieldType == dossier.FieldTaxReturn && item.Config.Years != nil:
		return slices.ContainsFunc(d.Parts, func(part dossier.ReadDocument) bool {
			return part.Facts.Tax != nil && part.Facts.Tax.TaxYear != nil
		})
	}
	return true
}

type docState int

const (
	docPending docState = iota
	docGood
	docDoubtful
	docRefused
	docUnread
)

// state says what one document is worth, and why when it is not simply good.
func (d JudgedDocument) state() (docState, string) {
	switch {
	case d.Override != nil && *d.Override:
		return docGood, ""
	case d.Override != nil:
		return docRefused, fmt.Sprintf("%s was refused by a person.", d.name())
	case unreadableHere[d.Failure]:
		return docDoubtful, fmt.Sprintf("%s%s could not be read (%s).", dossier.NeedsPerson, d.name(), failureWords(d.Failure))
	case d.Failure != "":
		return docUnread, fmt.Sprintf("%s could not be read: %s.", d.name(), failureWords(d.Failure))
	case d.Verdict.OverallValid:
		return docGood, ""
	}
	if broken := d.Verdict.Broken(); broken != nil {
		return docRefused, fmt.Sprintf("%s: %s", d.name(), broken.IsValidReason)
	}
	if doubt := d.Verdict.Doubt(); doubt != nil {
		return docDoubtful, fmt.Sprintf("%s: %s", d.name(), doubt.IsValidReason)
	}
	return docPending, "" // Validate gives a reason for everything it does not pass
}

func (d JudgedDocument) name() string {
	if d.Filename == "" {
		return "The document"
	}
	return d.Filename
}

// unreadableHere are failures that are ours, not the lead's: asking for the file again would not help.
var unreadableHere = map[string]bool{"ocr_unavailable": true, "timeout": true, "memory": true}

// failureHelp says extraction errors to the lead, with the fix.
var failureHelp = map[string]string{
	"encrypted":        "it is protected by a password; send it without one",
	"corrupt":          "the file is damaged; send it again",
	"unsupported_type": "this type of file is not supported; send a PDF, an image, a workbook, a text document, a CSV or a bank's export",
	"too_large":        "the file is too large",
	"too_many_pages":   "it has too many pages; send only what was asked for",
	"ocr_unavailable":  "reading images is not available here",
	"timeout":          "reading took too long",
	"memory":           "reading needed too much memory",
}

func failureWords(code string) string {
	if words, ok := failureHelp[code]; ok {
		return words
	}
	return strings.ReplaceAll(code, "_", " ")
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// meetsConfig reports whether documents, all of them accepted, are what the item asks for, and says what is
// missing.
func meetsConfig(item MatchItem, docs []JudgedDocument, today dossier.Day) (enough bool, missing string) {
	if len(docs) == 0 {
		return false, ""
	}
	switch {
	case item.FieldType == dossier.FieldBankStatement && item.Config.Months != nil:
		return meetsMonths(*item.Config.Months, item.Config.Grace(), docs, today)
	case item.FieldType == dossier.FieldTaxReturn && item.Config.Years != nil:
		return meetsYears(*item.Config.Years, docs, today)
	}
	return true, ""
}
