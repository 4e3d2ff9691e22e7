package integrator

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"net/url"
)

// The steps of journeys that begin with documents, runs and reviews.

// specimen sends a file whose verdict is known.
func specimen(kind string) func(*play, context.Context) error {
	return func(p *play, ctx context.Context) error {
		var made file
		if err := p.Get(ctx, "/api/v1/test/specimens/"+kind, nil, &made); err != nil {
			return err
		}
		_, named, err := mime.ParseMediaType(made.header.Get("Content-Disposition"))
		if err != nil {
			return err
		}
		return p.deliver(ctx, map[string]string{"leadId": p.lead}, named["filename"], made.header.Get("Content-Type"),
			made.data)
	}
}

// reachableLead is a lead that a message can be written to.
func (p *play) reachableLead(ctx context.Context) error {
	if p.lead != "" {
		return p.say("use the lead", p.lead)
	}
	return p.makeLead(ctx, map[string]any{"firstName": "Jordan", "lastName": "Sample", "isTest": true,
		"email": "jordan@example.com", "phoneNumber": "(212) 555-0123"})
}

// advance puts the lead's own clock forward: what is due on the way happens.
func advance(by, says string) func(*play, context.Context) error {
	return func(p *play, ctx context.Context) error {
		if err := p.Send(ctx, http.MethodPost, "/api/v1/test/clock",
			map[string]any{"leadId": p.lead, "advance": by}, nil); err != nil {
			return err
		}
		return p.say("put the lead's clock "+says+" on", p.lead)
	}
}

// afterGrace is longer than what was deleted is kept, unless the workspace's file says more.
var afterGrace = advance("768h", "32 days")

// correct says that the statement is of another bank.
func (p *play) correct(ctx context.Context) error {
	correction := map[string]any{"part": 0, "pointer": "/institution", "value": "Played Bank"}
	if err := p.Send(ctx, http.MethodPut, "/api/v1/documents/"+p.document+"/corrections",
		map[string]any{"corrections": []any{correction}}, nil); err != nil {
		return err
	}
	return p.say("correct what was read", p.document)
}

func (p *play) deleteDocument(ctx context.Context) error {
	return p.remove(ctx, "/api/v1/documents/"+p.document, "delete the document", p.document)
}

func (p *play) deleteLead(ctx context.Context) error {
	return p.remove(ctx, "/api/v1/leads/"+p.lead, "delete the lead", p.lead)
}

func (p *play) remove(ctx context.Context, path, text, id string) error {
	if err := p.Send(ctx, http.MethodDelete, path, nil, nil); err != nil {
		return err
	}
	return p.say(text, id)
}

// decide dismisses the review of the escalation.
func (p *play) decide(ctx context.Context) error {
	var found struct {
		Reviews []struct {
			ID, Code string
			Version  int
		}
	}
	if err := p.Get(ctx, "/api/v1/reviews", url.Values{"leadId": {p.lead}, "code": {"escalation"}}, &found); err != nil {
		return err
	}
	if len(found.Reviews) == 0 {
		return errors.New("the escalation opened no review")
	}
	review := found.Reviews[0]
	path := "/api/v1/reviews/" + review.ID
	if err := p.Send(ctx, http.MethodPost, path+"/claim", nil, nil); err != nil {
		return err
	}
	if err := p.Send(ctx, http.MethodPost, path+"/decide",
		map[string]any{"decision": "dismiss", "version": review.Version}, nil); err != nil {
		return err
	}
	return p.say("claim and dismiss the review", review.ID)
}

func (p *play) export(ctx context.Context) error {
	var started struct{ JobID string }
	if err := p.Send(ctx, http.MethodPost, "/pipelines/run/export-analytics-csv", map[string]any{},
		&started); err != nil {
		return err
	}
	p.job = started.JobID
	return p.say("export analytics", p.job)
}

func (p *play) startSpread(ctx context.Context) error {
	var made struct{ Spread struct{ ID string } }
	if err := p.Send(ctx, http.MethodPost, "/api/v1/spreads", map[string]any{"leadId": p.lead}, &made); err != nil {
		return err
	}
	return p.say("spread the statements", made.Spread.ID)
}
