package dossier

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// ReviewCode names why somebody should look (review.md section 3).
type ReviewCode string

// Codes of reviews.
const (
	ReviewItem           ReviewCode = "item_needs_review"
	ReviewRule           ReviewCode = "rule_not_understood"
	ReviewFact           ReviewCode = "fact_doubted"
	ReviewTampering      ReviewCode = "tampering"
	ReviewUnread         ReviewCode = "document_unread"
	ReviewConflict       ReviewCode = "correction_conflict"
	ReviewSpreadVariance ReviewCode = "spread_variance"
	ReviewSpreadApproval ReviewCode = "spread_approval"
	ReviewDraft          ReviewCode = "draft_message"
	ReviewEscalation     ReviewCode = "escalation"
	ReviewSample         ReviewCode = "qa_sample"
	ReviewSecondOpinion  ReviewCode = "second_opinion"
)

const (
	// ReviewLease is how long a claim lasts that nobody renews.
	ReviewLease = 2 * time.Minute
	// DefaultAmountItem is the item whose value is the amount of a lead's reviews.
	DefaultAmountItem = "REQUESTED_AMOUNT"
	// DefaultReviewDue is one business day.
	DefaultReviewDue = 24 * time.Hour

	leastUrgent     = 6
	doubtedBelow    = 0.6 // of confidence (second-reader.md)
	maxReviewDetail = 500 // characters
)

// reviewKind is what is the same of all reviews of a code.
type reviewKind struct {
	priority  int // 1: the most urgent
	decisions []ReviewDecided
}

var reviewKinds = map[ReviewCode]reviewKind{
	ReviewTampering:      {1, []ReviewDecided{DecideAccept, DecideReject, DecideDismiss}},
	ReviewEscalation:     {1, []ReviewDecided{DecideAccept, DecideDismiss}},
	ReviewSecondOpinion:  {2, []ReviewDecided{DecideAccept, DecideReject}},
	ReviewSpreadApproval: {2, []ReviewDecided{DecideAccept, DecideReject, DecideDismiss}},
	ReviewConflict:       {3, []ReviewDecided{DecideAccept, DecideCorrect, DecideDismiss}},
	ReviewUnread:         {3, []ReviewDecided{DecideReject, DecideDismiss}},
	ReviewDraft:          {3, []ReviewDecided{DecideAccept, DecideReject}},
	ReviewItem:           {4, []ReviewDecided{DecideAccept, DecideReject, DecideCorrect, DecideDismiss}},
	ReviewRule:           {4, []ReviewDecided{DecideAccept, DecideReject, DecideCorrect, DecideDismiss}},
	ReviewSpreadVariance: {4, []ReviewDecided{DecideAccept, DecideReject, DecideDismiss}},
	ReviewFact:           {5, []ReviewDecided{DecideAccept, DecideCorrect, DecideDismiss}},
	ReviewSample:         {leastUrgent, []ReviewDecided{DecideAccept, DecideCorrect, DecideDismiss}},
}

// ReviewCodes are all of them, the most urgent first.
var ReviewCodes = []ReviewCode{ReviewTampering, ReviewEscalation, ReviewSecondOpinion, ReviewSpreadApproval,
	ReviewConflict, ReviewUnread, ReviewDraft, ReviewItem, ReviewRule, ReviewSpreadVariance, ReviewFact, ReviewSample}

// Valid reports whether c is a code of reviews.
func (c ReviewCode) Valid() bool { _, ok := reviewKinds[c]; return ok }

// Priority is how urgent reviews of the code are: 1 is first.
func (c ReviewCode) Priority() int { return reviewKinds[c].priority }

// Role is the least that a person needs to accept or reject a review of the code.
func (c ReviewCode) Role() Role {
	if c == ReviewSpreadApproval || c == ReviewSpreadVariance || c == ReviewSecondOpinion {
		return RoleApprover
	}
	return RoleReviewer
}

// ReviewState says whether anybody still needs to look.
type ReviewState string

// States of a review.
const (
	ReviewOpen     ReviewState = "OPEN"
	ReviewDone     ReviewState = "DECIDED"
	ReviewObsolete ReviewState = "OBSOLETE" // its cause has ended by itself
)

// Valid reports whether s is a state of reviews.
func (s ReviewState) Valid() bool { return s == ReviewOpen || s == ReviewDone || s == ReviewObsolete }

// ReviewDecided is what a person can decide.
type ReviewDecided string

// Decisions.
const (
	DecideAccept  ReviewDecided = "accept"
	DecideReject  ReviewDecided = "reject"
	DecideCorrect ReviewDecided = "correct"
	DecideDismiss ReviewDecided = "dismiss"
)

// Valid reports whether d is a decision.
func (d ReviewDecided) Valid() bool {
	return slices.Contains([]ReviewDecided{DecideAccept, DecideReject, DecideCorrect, DecideDismiss}, d)
}

// ReviewSubjectType is what a review is about.
type ReviewSubjectType string

// Subjects of reviews.
const (
	SubjectItem       ReviewSubjectType = "item" // the entry on the lead's checklist
	SubjectDocument   ReviewSubjectType = "document"
	SubjectFact       ReviewSubjectType = "fact" // of a document: its part and pointer
	SubjectSpread     ReviewSubjectType = "spread"
	SubjectMessage    ReviewSubjectType = "message"
	SubjectEscalation ReviewSubjectType = "escalation"
	SubjectLead       ReviewSubjectType = "lead" // of a second opinion on its erasure
)

// Valid reports whether t is a subject of reviews.
func (t ReviewSubjectType) Valid() bool {
	return slices.Contains([]ReviewSubjectType{SubjectItem, SubjectDocument, SubjectFact, SubjectSpread, SubjectMessage,
		SubjectEscalation, SubjectLead}, t)
}

// ReviewSort is an order of the queue.
type ReviewSort string

// Orders of the queue.
const (
	SortDue    ReviewSort = "due"
	SortAge    ReviewSort = "age"    // the oldest first
	SortAmount ReviewSort = "amount" // the largest first
)

// Valid reports whether s is an order of the queue.
func (s ReviewSort) Valid() bool { return s == SortDue || s == SortAge || s == SortAmount }

// ReviewSubject is what a review is about.
type ReviewSubject struct {
	Type    ReviewSubjectType
	ID      string
	Part    *int // of a fact
	Pointer *string
}

// ReviewClaim is who works on a review, and until when nobody else may.
type ReviewClaim struct {
	By    string
	Until time.Time
}

// ReviewDecision is what somebody decided.
type ReviewDecision struct {
	By         string
	At         time.Time
	Decision   ReviewDecided
	ReasonCode *string
	Note       *string
}

// Review is one reason for somebody to look at something.
type Review struct {
	ID        ReviewID
	Code      ReviewCode
	Detail    string
	Subject   ReviewSubject
	LeadID    LeadID
	LeadName  string
	ItemLabel *string
	Amount    *string // a number
	Priority  int
	CreatedAt time.Time
	DueAt     time.Time
	State     ReviewState
	Assignee  *string      // an address or a group
	Claim     *ReviewClaim // that has not ended
	Decision  *ReviewDecision
	Version   int // moves with state and cause
}

// CheckDecision refuses what does not suit the review, or gives no reason of the workspace's list where one is needed.
func (r Review) CheckDecision(d ReviewDecided, reason *string, reasons []string) error {
	if !slices.Contains(reviewKinds[r.Code].decisions, d) {
		return Coded(Invalid, "decision_not_possible", "A review of %s cannot be decided with %s; possible are %v",
			r.Code,
			d, reviewKinds[r.Code].decisions)
	}
	if reason == nil {
		if d == DecideReject {
			return InvalidFaults([]Fault{{Pointer: "/reasonCode", Code: "required",
				Detail: "reasonCode is required to reject"}})
		}
		return nil
	}
	if !slices.Contains(reasons, *reason) {
		return invalidAt("/reasonCode", "reasonCode must be one of review.reasonCodes of the workspace file: %v",
			reasons)
	}
	return nil
}

// ClaimedBy says that somebody else has a claim.
func ClaimedBy(c ReviewClaim) *Error {
	e := Coded(Conflict, "review_claimed", "%s has claimed this review until %s", c.By,
		c.Until.UTC().Format(time.RFC3339))
	e.Claim = &c
	return e
}

// ReviewMoved says that a review is not what the caller saw.
func ReviewMoved(r Review) *Error {
	if r.State != ReviewOpen {
		return Coded(Conflict, "review_moved", "This review is %s; read it again", r.State)
	}
	return Coded(Conflict, "review_moved", "This review has version %d now; read it again", r.Version)
}

// ReviewCause is a reason to have a review open. Causes of the same code and subject are one review. Mark changes when
// the cause is another one, so that a review that was decided is not opened again for the same cause.
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
