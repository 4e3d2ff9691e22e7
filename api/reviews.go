package api

import (
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/pipelines/judge"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

type reviewsQuery struct {
	State    dossier.ReviewState  `query:"state"`
	Code     []dossier.ReviewCode `query:"code"`
	Assignee string               `query:"assignee" check:"max=255"`
	LeadID   dossier.LeadID       `query:"leadId"`
	Q        string               `query:"q" check:"max=255"`
	Sort     dossier.ReviewSort   `query:"sort"`
	Mode     *dossier.Mode        `query:"mode"`
	paging
}

// reviewCounts are about all open reviews, whatever the list keeps.
type reviewCounts struct {
	Open    int                        `json:"open"`
	Mine    int                        `json:"mine"`
	Overdue int                        `json:"overdue"`
	ByCode  map[dossier.ReviewCode]int `json:"byCode"`
}

type reviewsAnswer struct {
	success
	Reviews   []record.Review `json:"reviews"`
	Counts    reviewCounts    `json:"counts"`
	NextToken *string         `json:"nextToken"`
}

type reviewAnswer struct {
	success
	Review record.Review `json:"review"`

	// for which the workspace lets one reject; where a review is read
	ReasonCodes []string `json:"reasonCodes,omitempty"`
}

// qualityQuery is the query of GET /api/v1/reviews/quality.
type qualityQuery struct {
	Since *time.Time    `query:"since"`
	Until *time.Time    `query:"until"`
	Mode  *dossier.Mode `query:"mode"`
}

type fieldQuality struct {
	DocType  dossier.DocType `json:"docType"`
	Field    string          `json:"field"`
	LookedAt int             `json:"lookedAt"`
	Right    int             `json:"right"`
	Share    float64         `json:"share"`
	Interval [2]float64      `json:"interval"` // in which the share lies with 95 % of confidence
}

type qualityAnswer struct {
	success
	Quality []fieldQuality `json:"quality"`
}

// reviewQuality answers how often what was read is right, by what people looked at.
func (s *Server) reviewQuality(c *fiber.Ctx) error {
	q, err := query[qualityQuery](c)
	if err != nil {
		return err
	}
	list, err := s.db.ReviewQuality(c.UserContext(), workspace(c), q.Since, q.Until, modeOf(c, q.Mode))
	if err != nil {
		return err
	}
	answer := qualityAnswer{success: yes, Quality: []fieldQuality{}}
	for _, l := range list {
		share, low, high := l.Share()
		answer.Quality = append(answer.Quality, fieldQuality{l.DocType, l.Field, l.LookedAt, l.Right, share,
			[2]float64{low, high}})
	}
	return send(c, fiber.StatusOK, answer)
}

// modeOf is which leads a list is about that takes a mode: live ones, for a test key test ones, when it is not said.
func modeOf(c *fiber.Ctx, said *dossier.Mode) dossier.Mode {
	return leadsQuery{Mode: said}.mode(callerOf(c).key.IsTest)
}

// listReviews answers the queue, what is due first unless asked otherwise, with what is open in all.
func (s *Server) listReviews(c *fiber.Ctx) error {
	q, err := query[reviewsQuery](c)
	if err != nil {
		return err
	}
	page, err := q.page(c)
	if err != nil {
		return err
	}
	list, counts, err := s.db.Reviews(c.UserContext(), workspace(c), postgres.ReviewFilter{State: q.State,
		Codes:    q.Code,
		Assignee: q.Assignee, LeadID: q.LeadID, Q: q.Q, Sort: q.Sort, Mode: modeOf(c, q.Mode)}, page)
	if err != nil {
		return err
	}
	list, next := pageEnd(c, page, list,
		func(r dossier.Review) dossier.Cursor { return dossier.Cursor{At: r.CreatedAt, ID: string(r.ID)} })
	answer := reviewsAnswer{success: yes, Reviews: []record.Review{}, NextToken: next,
		Counts: reviewCounts{counts.Open, counts.Mine, counts.Overdue, counts.ByCode}}
	for _, r := range list {
		answer.Reviews = append(answer.Reviews, record.OfReview(r, s.Now()))
	}
	return send(c, fiber.StatusOK, answer)
}

// withReview does something to the review of the path and answers it.
func (s *Server) withReview(c *fiber.Ctx, do func(dossier.ReviewID) (dossier.Review, error)) error {
	id, err := pathID[dossier.ReviewID](c, "reviewId")
	if err != nil {
		return err
	}
	r, err := do(id)
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, reviewAnswer{success: yes, Review: record.OfReview(r, s.Now())})
}

func (s *Server) readReview(c *fiber.Ctx) error {
	id, err := pathID[dossier.ReviewID](c, "reviewId")
	if err != nil {
		return err
	}
	r, err := s.db.ReadReview(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	w, err := s.db.ReadWorkspace(c.UserContext(), workspace(c))
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, reviewAnswer{success: yes, Review: record.OfReview(r, s.Now()),
		ReasonCodes: w.Review.OrDefault().ReasonCodes})
}

// nextReviewBody is the body of POST /api/v1/reviews/next; all of it is optional.
type nextReviewBody struct {
	Codes []dossier.ReviewCode `json:"codes" check:"max=50"`
	Mode  *dossier.Mode        `json:"mode"`
}

// nextReview claims the most urgent review for the caller. 204 when there is none.
func (s *Server) nextReview(c *fiber.Ctx) error {
	body, err := decodeOrEmpty[nextReviewBody](c)
	if err != nil {
		return err
	}
	r, err := s.db.NextReview(c.UserContext(), workspace(c), body.Codes, modeOf(c, body.Mode))
	if dossier.KindOf(err) == dossier.NotFound {
		return noContent(c)
	}
	if err != nil {
		return err
	}
	return send(c, fiber.StatusOK, reviewAnswer{success: yes, Review: record.OfReview(r, s.Now())})
}

// claimBody is the body of POST /api/v1/reviews/{reviewId}/claim; all of it is optional.
type claimBody struct {
	TakeOver bool    `json:"takeOver"`
	Note     *string `json:"note" check:"max=10000"`
}

// claimReview gives the caller a review for two minutes. takeOver takes it from somebody else, with a note.
func (s *Server) claimReview(c *fiber.Ctx) error {
	return s.withReview(c, func(id dossier.ReviewID) (dossier.Review, error) {
		body, err := decodeOrEmpty[claimBody](c)
		if err != nil {
			return dossier.Review{}, err
		}
		note := strings.TrimSpace(dossier.Text(body.Note))
		if body.TakeOver && note == "" {
			return dossier.Review{}, dossier.InvalidFaults([]dossier.Fault{{Pointer: "/note", Code: "required",
				Detail: "note is required to take a review over"}})
		}
		return s.db.ClaimReview(c.UserContext(), workspace(c), id, body.TakeOver, note)
	})
}

func (s *Server) renewReview(c *fiber.Ctx) error {
	return s.withReview(c, func(id dossier.ReviewID) (dossier.Review, error) {
		return s.db.RenewReview(c.UserContext(), workspace(c), id)
	})
}

func (s *Server) releaseReview(c *fiber.Ctx) error {
	return s.withReview(c, func(id dossier.ReviewID) (dossier.Review, error) {
		return s.db.ReleaseReview(c.UserContext(), workspace(c), id)
	})
}

// assignBody is the body of POST /api/v1/reviews/{reviewId}/assign.
type assignBody struct {
	Assignee web.Optional[string] `json:"assignee" check:"email,max=255"`
}

func (s *Server) assignReview(c *fiber.Ctx) error {
	return s.withReview(c, func(id dossier.ReviewID) (dossier.Review, error) {
		body, err := decode[assignBody](c)
		if err != nil {
			return dossier.Review{}, err
		}
		if !body.Assignee.Set {
			return dossier.Review{}, dossier.InvalidFaults([]dossier.Fault{{Pointer: "/assignee", Code: "required",
				Detail: "assignee is required: an address, or null for nobody"}})
		}
		return s.db.AssignReview(c.UserContext(), workspace(c), id, dossier.Text(body.Assignee.Ptr()))
	})
}

// decideBody is the body of POST /api/v1/reviews/{reviewId}/decide.
type decideBody struct {
	Decision   dossier.ReviewDecided `json:"decision" check:"required"`
	ReasonCode *string               `json:"reasonCode" check:"max=255"`
	Note       *string               `json:"note" check:"max=10000"`
	Version    *int                  `json:"version" check:"required"`
}

// decideReview does what is decided about a review that the caller has claimed.
func (s *Server) decideReview(c *fiber.Ctx) error {
	return s.withReview(c, func(id dossier.ReviewID) (dossier.Review, error) {
		body, err := decode[decideBody](c)
		if err != nil {
			return dossier.Review{}, err
		}
		by, err := changedBy(c)
		if err != nil {
			return dossier.Review{}, err
		}
		if err := s.mayDecide(c, id, body.Decision); err != nil {
			return dossier.Review{}, err
		}
		return s.db.DecideReview(c.UserContext(), workspace(c), id, postgres.DecisionRequest{Decision: body.Decision,
			ReasonCode: body.ReasonCode, Note: body.Note, Version: *body.Version, By: by,
			Judge: func(zone string) dossier.Judge { return judge.NewJudge(s.today(zone)) }})
	})
}

// mayDecide refuses a person whose role does not approve what the review is about. Its code never changes.
func (s *Server) mayDecide(c *fiber.Ctx, id dossier.ReviewID, d dossier.ReviewDecided) error {
	who := callerOf(c)
	if who.person == nil || d == dossier.DecideDismiss || d == dossier.DecideCorrect {
		return nil
	}
	r, err := s.db.ReadReview(c.UserContext(), workspace(c), id)
	if err == nil && !who.person.Role.AtLeast(r.Code.Role()) {
		err = dossier.Errorf(dossier.Forbidden, "To decide about %s needs the role %s", r.Code, r.Code.Role())
	}
	return err
}
