package dossier

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ReviewCause is why a review is to be open. Two causes of the same code and subject are one review; Mark tells whether
// it is still the same cause, so that what was decided is not asked again.
type ReviewCause struct {
	Code      ReviewCode
	Subject   ReviewSubject
	Detail    string
	Mark      string
	Key       string // of an operation on the subject, not shown
	ItemLabel *string
	DocTypes  []DocType
}

// DocumentCodes are the codes of reviews that a document causes.
var DocumentCodes = []ReviewCode{ReviewUnread, ReviewTampering, ReviewFact, ReviewConflict}

// ItemCodes are the codes of reviews that an item causes.
var ItemCodes = []ReviewCode{ReviewItem, ReviewRule}

// ItemCauses is why somebody is to look at an item; none unless it NEEDS_REVIEW. What nobody could read here is a
// review of its document.
func ItemCauses(id EntryID, label string, status ItemStatus, reasons []Reason) []ReviewCause {
	if status != ItemNeedsReview || len(reasons) > 0 && reasons[0].Code == "unreadable_here" {
		return nil
	}
	cause := ReviewCause{Code: ReviewItem, Subject: ReviewSubject{Type: SubjectItem, ID: string(id)},
		Detail: label + " needs a person's review.", Mark: string(jsonOf(reasons)), ItemLabel: &label}
	if said := ReasonsText(English, reasons); said != nil {
		cause.Detail = clipDetail(*said)
	}
	if slices.ContainsFunc(reasons, func(r Reason) bool { return r.Code == "rule_not_understood" }) {
		cause.Code = ReviewRule
	}
	return []ReviewCause{cause}
}

// ReviewCauses is why somebody is to look at a document or its facts, by what was read of it.
func (d *Document) ReviewCauses() []ReviewCause {
	subject := ReviewSubject{Type: SubjectDocument, ID: string(d.ID)}
	if d.ExtractionStatus == ExtractionFailed {
		cause := ReviewCause{Code: ReviewUnread, Subject: subject, Detail: d.Filename + " could not be read."}
		if d.ExtractionError != nil {
			cause.Detail = clipDetail(d.Filename + " could not be read: " + d.ExtractionError.Detail)
			cause.Mark = d.ExtractionError.Code
		}
		return []ReviewCause{cause}
	}
	if d.Extraction == nil || d.ExtractionStatus != ExtractionCompleted {
		return nil
	}
	var causes []ReviewCause
	var signs []string
	var types []DocType
	for i := range d.Extraction.Documents {
		part := &d.Extraction.Documents[i]
		types = append(types, part.DocType)
		for _, w := range part.Warnings {
			if w.Code == "possible_tampering" && !slices.Contains(signs, w.Detail) {
				signs = append(signs, w.Detail)
			}
		}
		causes = append(causes, d.doubts(i, part)...)
	}
	if len(signs) > 0 {
		all := strings.Join(signs, " ")
		causes = append(causes, ReviewCause{Code: ReviewTampering, Subject: subject,
			Detail: clipDetail(all), Mark: all, DocTypes: types})
	}
	for _, c := range d.Corrections {
		if c.State == CorrectionConflict {
			causes = append(causes, d.factCause(ReviewConflict, c.Part, c.Pointer,
				"A person corrected "+c.Pointer+"; the file reads otherwise now than it did then.",
				string(c.Value)+" "+string(c.MachineValue)))
		}
	}
	return causes
}

// doubts are the facts of a part of which the reader is not sure, but those that a person has spoken on.
func (d *Document) doubts(index int, part *ReadDocument) []ReviewCause {
	var causes []ReviewCause
	doubted := map[string]bool{}
	add := func(pointer, detail, mark string) {
		corrected := slices.ContainsFunc(d.Corrections,
			func(c Correction) bool { return c.Part == index && c.Pointer == pointer })
		if !doubted[pointer] && !corrected {
			doubted[pointer] = true
			causes = append(causes, d.factCause(ReviewFact, index, pointer, detail, mark))
		}
	}
	for _, w := range part.Warnings {
		if w.Pointer != "" {
			detail := w.Detail
			if accountPointer.MatchString(w.Pointer) {
				detail = w.Pointer + " was read in two ways." // no account number leaves in an event
			}
			add(w.Pointer, clipDetail(detail), w.Detail)
		}
	}
	for _, pointer := range slices.Sorted(maps.Keys(part.Sources)) {
		source := part.Sources[pointer]
		if source.Method != MethodPerson && source.Confidence > 0 && source.Confidence < doubtedBelow {
			add(pointer, fmt.Sprintf("%s was read with a confidence of %.2f.", pointer, source.Confidence), source.Text)
		}
	}
	return causes
}

func (d *Document) factCause(code ReviewCode, part int, pointer, detail, mark string) ReviewCause {
	cause := ReviewCause{Code: code, Detail: detail, Mark: mark,
		Subject: ReviewSubject{Type: SubjectFact, ID: string(d.ID), Part: &part, Pointer: &pointer}}
	if d.Extraction != nil && part < len(d.Extraction.Documents) {
		cause.DocTypes = []DocType{d.Extraction.Documents[part].DocType}
	}
	return cause
}

// VarianceCauses is why somebody is to look at a spread: its statements do not add up within the tolerance.
func VarianceCauses(id SpreadID, results *SpreadResults) []ReviewCause {
	if results == nil {
		return nil
	}
	var signs []string
	for _, w := range results.Warnings {
		if strings.HasSuffix(w.Code, "_variance") && !slices.Contains(signs, w.Detail) {
			signs = append(signs, w.Detail)
		}
	}
	if len(signs) == 0 {
		return nil
	}
	all := strings.Join(signs, " ")
	return []ReviewCause{{Code: ReviewSpreadVariance, Subject: ReviewSubject{Type: SubjectSpread, ID: string(id)},
		Detail: clipDetail(all), Mark: all}}
}

// clipDetail cuts a text that is longer than a review's detail may be.
func clipDetail(text string) string {
	runes := []rune(text)
	if len(runes) <= maxReviewDetail {
		return text
	}
	return string(runes[:maxReviewDetail-1]) + "…"
}
