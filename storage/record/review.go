package record

import (
	"encoding/json"
	"time"

	"github.com/dossierhq/dossier"
)

// Review is one reason for somebody to look (review.md section 3).
type Review struct {
	ID        dossier.ReviewID    `json:"id"`
	Code      dossier.ReviewCode  `json:"code"`
	Detail    string              `json:"detail"`
	Subject   ReviewSubject       `json:"subject"`
	LeadID    dossier.LeadID      `json:"leadId"`
	LeadName  string              `json:"leadName"`
	ItemLabel *string             `json:"itemLabel"`
	Amount    *json.Number        `json:"amount"`
	Priority  int                 `json:"priority"` // 1 is the most urgent
	CreatedAt Time                `json:"createdAt"`
	DueAt     Time                `json:"dueAt"`
	State     dossier.ReviewState `json:"state"`
	Assignee  *string             `json:"assignee"`
	Claim     *ReviewClaim        `json:"claim"` // null once it has ended
	Decision  *ReviewDecision     `json:"decision"`
	Version   int                 `json:"version"`
}

// ReviewSubject is what a review is about.
type ReviewSubject struct {
	Type    dossier.ReviewSubjectType `json:"type"`
	ID      string                    `json:"id"`
	Part    *int                      `json:"part,omitempty"`
	Pointer *string                   `json:"pointer,omitempty"`
}

// ReviewClaim is who works on a review.
type ReviewClaim struct {
	By    string `json:"by"`
	Until Time   `json:"until"`
}

// ReviewDecision is what somebody decided.
type ReviewDecision struct {
	By         string                `json:"by"`
	At         Time                  `json:"at"`
	Decision   dossier.ReviewDecided `json:"decision"`
	ReasonCode *string               `json:"reasonCode"`
	Note       *string               `json:"note"`
}

// ReviewEvent is the data of review.*.
type ReviewEvent struct {
	LeadRef
	Review Review `json:"review"`
}

// OfReview shapes a review as it is at a moment.
func OfReview(r dossier.Review, now time.Time) Review {
	shown := Review{ID: r.ID, Code: r.Code, Detail: r.Detail,
		Subject: ReviewSubject{r.Subject.Type, r.Subject.ID, r.Subject.Part, r.Subject.Pointer},
		LeadID:  r.LeadID, LeadName: r.LeadName, ItemLabel: r.ItemLabel, Priority: r.Priority,
		CreatedAt: Time(r.CreatedAt), DueAt: Time(r.DueAt), State: r.State, Assignee: r.Assignee, Version: r.Version}
	if r.Amount != nil {
		amount := json.Number(*r.Amount)
		shown.Amount = &amount
	}
	if r.State == dossier.ReviewOpen {
		shown.Claim = OfClaim(r.Claim, now)
	}
	if d := r.Decision; d != nil {
		shown.Decision = &ReviewDecision{d.By, Time(d.At), d.Decision, d.ReasonCode, d.Note}
	}
	return shown
}

// OfClaim shapes a claim that has not ended.
func OfClaim(c *dossier.ReviewClaim, now time.Time) *ReviewClaim {
	if c == nil || !c.Until.After(now) {
		return nil
	}
	return &ReviewClaim{c.By, Time(c.Until)}
}
