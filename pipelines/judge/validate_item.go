package judge

import (
	"slices"

	"github.com/dossierhq/dossier"
)

// JudgedDocument is one file on an item with everything known about it.
type JudgedDocument struct {
	Document dossier.DocumentID
	Filename string
	Parts    []dossier.ReadDocument // the documents in it that serve the item; nil while it is not read
	// of Validate; the zero value while it is not judged: the document then does not count yet
	Verdict  dossier.ValidationResult
	Failure  string // extractionError's code when it could not be read, else ""
	Override *bool  // a person's word; it stands above the verdict
}

// JudgeItem says what state the documents of an item put it in, and why when it is not COMPLETED (the item's
// validationError says the first of them; none when there is nothing to say).
//
// COMPLETED: documents that pass every rule together meet the config. Another document that fails beside them
// does no harm. INVALID: they do not, and a document breaks a rule or a person refused it. NEEDS_REVIEW: they
// would if a person accepted what is unsure: a rule, a file that could not be read through no fault of the
// lead, a statement on which no period was read. TODO:
// nothing, or not yet enough, is there.
//
// A person's acceptance stands above every rule, the kind and the age of a document; it cannot make one month
// three.
func JudgeItem(item MatchItem, docs []JudgedDocument, today dossier.Day) (dossier.ItemStatus, []dossier.Reason) {
	var good, doubtful []JudgedDocument
	var refused, doubt, unread []dossier.Reason
	for _, d := range docs {
		state, why := d.state()
		if state == docGood && d.Override == nil && !measurable(item, d, today) {
			state, why = docDoubtful, []dossier.Reason{d.about(say(unmeasured[item.FieldType]))}
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
		return dossier.ItemCompleted, nil
	case refused != nil:
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
var unmeasured = map[dossier.FieldType]dossier.ReasonCode{
	dossier.FieldBankStatement: "no_period",
	dossier.FieldTaxReturn:     "no_tax_year",
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

// state returns how one document counts toward its item, with the reasons when it is not simply accepted.
func (d JudgedDocument) state() (docState, []dossier.Reason) {
	switch {
	case d.Override != nil && *d.Override:
		return docGood, nil
	case d.Override != nil:
		return docRefused, because("refused_by_person", "document", d.Filename)
	case unreadableHere[d.Failure]:
		return docDoubtful, because("unreadable_here", "document", d.Filename, "failure", d.Failure)
	case d.Failure != "":
		return docUnread, because("unreadable", "document", d.Filename, "failure", d.Failure)
	case d.Verdict.OverallValid:
		return docGood, nil
	}
	if broken := d.Verdict.Broken(); broken != nil {
		return docRefused, []dossier.Reason{d.about(broken.Reason)}
	}
	if doubt := d.Verdict.Doubt(); doubt != nil {
		return docDoubtful, []dossier.Reason{d.about(doubt.Reason)}
	}
	return docPending, nil // Validate gives a reason for everything it does not pass
}

// about adds the file to a reason. The counterfactual is left out: it is shown with the rule.
func (d JudgedDocument) about(why dossier.Reason) dossier.Reason {
	name := d.Filename
	if name == "" {
		name = "The document"
	}
	why = why.With("file", name)
	delete(why.Args, "wouldPass")
	return why
}

// unreadableHere are failures of this service, not of the lead's file: asking the lead for it again would not help.
var unreadableHere = map[string]bool{"ocr_unavailable": true, "timeout": true, "memory": true}

func because(code dossier.ReasonCode, args ...any) []dossier.Reason {
	return []dossier.Reason{say(code, args...)}
}

// firstOf returns a if it has reasons, else b.
func firstOf(a, b []dossier.Reason) []dossier.Reason {
	if len(a) > 0 {
		return a
	}
	return b
}

// meetsConfig reports whether documents, all of them accepted, are what the item asks for, and says what is
// missing.
func meetsConfig(item MatchItem, docs []JudgedDocument, today dossier.Day) (enough bool, missing []dossier.Reason) {
	if len(docs) == 0 {
		return false, nil
	}
	switch {
	case item.FieldType == dossier.FieldBankStatement && item.Config.Months != nil:
		return meetsMonths(*item.Config.Months, item.Config.Grace(), docs, today)
	case item.FieldType == dossier.FieldTaxReturn && item.Config.Years != nil:
		return meetsYears(*item.Config.Years, docs, today)
	}
	return true, nil
}
