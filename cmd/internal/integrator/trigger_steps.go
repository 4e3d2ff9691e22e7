package integrator

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/url"
	"time"
)

// The steps of journeys that begin with documents, runs and reviews.

// specimen returns a step that uploads a file whose verdict is known.
func specimen(kind string) func(*journey, context.Context) error {
	return func(p *journey, ctx context.Context) error {
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

// reachableLead makes a lead that messages can be sent to.
func (p *journey) reachableLead(ctx context.Context) error {
	if p.lead != "" {
		return p.printStep("use the lead", p.lead)
	}
	return p.makeLead(ctx, map[string]any{"firstName": "Jordan", "lastName": "Sample", "isTest": true,
		"email": "jordan@example.com", "phoneNumber": "(212) 555-0123"})
}

// emailLead makes a lead that can be reached by email only.
func (p *journey) emailLead(ctx context.Context) error {
	if p.lead != "" {
		return p.printStep("use the lead", p.lead)
	}
	return p.makeLead(ctx, map[string]any{"firstName": "Jordan", "lastName": "Sample", "isTest": true,
		"email": "jordan@example.com"})
}

// sentEmail finds the email that was written to the lead.
func (p *journey) sentEmail(ctx context.Context) error {
	var sent struct {
		Messages []struct{ ID, Channel, Status string }
	}
	if err := p.Get(ctx, "/api/v1/leads/"+p.lead+"/messages", nil, &sent); err != nil {
		return err
	}
	for _, m := range sent.Messages {
		if m.Channel == "email" && m.Status == "SENT" {
			p.message = m.ID
			return p.printStep("an email has left", p.message)
		}
	}
	return errors.New("no email was sent to the lead: no agent of the workspace writes emails")
}

// writeBack delivers an email from the lead, as a mail gateway does.
func (p *journey) writeBack(ctx context.Context) error {
	from := fmt.Sprintf("jordan+%d@example.com", p.Now().UnixNano())
	if err := change("give the lead an address", map[string]any{"email": from})(p, ctx); err != nil {
		return err
	}
	err := p.handOver(ctx, map[string]any{"from": from, "subject": "My documents", "text": "I have a question."})
	if err != nil {
		return err
	}
	return p.printStep("the lead writes", p.lead)
}

// report returns a step that delivers a delivery status notification of the email (RFC 3464).
func report(text, status string) func(*journey, context.Context) error {
	return func(p *journey, ctx context.Context) error {
		err := p.handOver(ctx, map[string]any{"from": "mailer-daemon@example.com", "text": "A report is attached.",
			"inReplyTo": "log:" + p.message, // what the channel log calls a message, as it does all of test leads
			"attachments": []any{map[string]any{"filename": "report.txt", "contentType": "message/delivery-status",
				"content": []byte("Reporting-MTA: dns; mail.example.com\n\n" + status)}}})
		if err != nil {
			return err
		}
		return p.printStep(text, p.message)
	}
}

// handOver calls the workspace's inbound address as its mail gateway does; the address is the secret.
func (p *journey) handOver(ctx context.Context, mail map[string]any) error {
	if p.Inbound == "" {
		return errors.New("this event begins at the mail gateway: set DOSSIER_INBOUND_EMAIL to the address that " +
			"dossier workspaces show KEY names for email")
	}
	mail["messageId"] = fmt.Sprintf("<%d.%s@example.com>", p.Now().UnixNano(), p.lead)
	gateway := Client{URL: p.Inbound, Pause: p.Pause}
	return gateway.Send(ctx, http.MethodPost, "", mail, nil)
}

// advance returns a step that moves the lead's test clock forward: what is due in between happens.
func advance(by, says string) func(*journey, context.Context) error {
	return func(p *journey, ctx context.Context) error {
		if err := p.Send(ctx, http.MethodPost, "/api/v1/test/clock",
			map[string]any{"leadId": p.lead, "advance": by}, nil); err != nil {
			return err
		}
		return p.printStep("put the lead's clock "+says+" on", p.lead)
	}
}

// afterGrace exceeds the time for which deleted data is kept, unless the workspace's file sets a longer one.
var afterGrace = advance("768h", "32 days")

// correct corrects the bank of the statement.
func (p *journey) correct(ctx context.Context) error {
	correction := map[string]any{"part": 0, "pointer": "/institution", "value": "Played Bank"}
	if err := p.Send(ctx, http.MethodPut, "/api/v1/documents/"+p.document+"/corrections",
		map[string]any{"corrections": []any{correction}}, nil); err != nil {
		return err
	}
	return p.printStep("correct what was read", p.document)
}

func (p *journey) deleteDocument(ctx context.Context) error {
	return p.remove(ctx, "/api/v1/documents/"+p.document, "delete the document", p.document)
}

func (p *journey) deleteLead(ctx context.Context) error {
	return p.remove(ctx, "/api/v1/leads/"+p.lead, "delete the lead", p.lead)
}

func (p *journey) remove(ctx context.Context, path, text, id string) error {
	if err := p.Send(ctx, http.MethodDelete, path, nil, nil); err != nil {
		return err
	}
	return p.printStep(text, id)
}

// decide dismisses the review of the escalation.
func (p *journey) decide(ctx context.Context) error {
	var found struct {
		Reviews []struct {
			ID, Code string
			Version  int
		}
	}
	if err := p.Get(ctx, "/api/v1/reviews", url.Values{"leadId": {p.lead}, "code": {"escalation"}},
		&found); err != nil {
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
	return p.printStep("claim and dismiss the review", review.ID)
}

func (p *journey) export(ctx context.Context) error {
	var started struct{ JobID string }
	if err := p.Send(ctx, http.MethodPost, "/pipelines/run/export-analytics-csv", map[string]any{},
		&started); err != nil {
		return err
	}
	p.job = started.JobID
	return p.printStep("export analytics", p.job)
}

func (p *journey) startSpread(ctx context.Context) error {
	return p.makeSpread(ctx, "spread the statements", map[string]any{"leadId": p.lead})
}

// spreadOfAnother asks for a spread of a business that none of the statements belongs to, so that it fails.
func (p *journey) spreadOfAnother(ctx context.Context) error {
	return p.makeSpread(ctx, "spread another business", map[string]any{"leadId": p.lead,
		"entityName": "Nobody's Business LLC"})
}

func (p *journey) makeSpread(ctx context.Context, text string, body map[string]any) error {
	var made struct{ Spread struct{ ID string } }
	if err := p.Send(ctx, http.MethodPost, "/api/v1/spreads", body, &made); err != nil {
		return err
	}
	p.spread = made.Spread.ID
	return p.printStep(text, p.spread)
}

// spreadDone waits for the figures.
func (p *journey) spreadDone(ctx context.Context) error {
	var now struct {
		Spread struct{ Status, Error string }
	}
	for end := p.Now().Add(eventTimeout); ctx.Err() == nil && p.Now().Before(end); p.pause(ctx, idle/2) {
		if err := p.Get(ctx, "/api/v1/spreads/"+p.spread, nil, &now); err != nil {
			return err
		}
		switch now.Spread.Status {
		case "COMPLETE":
			return p.printStep("the spread is complete", p.spread)
		case "FAILED":
			return errors.New("the spread failed: " + now.Spread.Error)
		}
	}
	return fmt.Errorf("the spread was not made within %s; does a worker run?", eventTimeout)
}

func (p *journey) submit(ctx context.Context) error {
	if err := p.Send(ctx, http.MethodPost, "/api/v1/spreads/"+p.spread+"/submit", nil, nil); err != nil {
		return err
	}
	return p.printStep("submit the spread", p.spread)
}

// approve approves the spread. Where four eyes are required no API key may approve, and the step waits for a person.
func (p *journey) approve(ctx context.Context) error {
	err := p.Send(ctx, http.MethodPost, "/api/v1/spreads/"+p.spread+"/approve", nil, nil)
	var problem *Problem
	switch {
	case errors.As(err, &problem) && problem.Code == "second_person_needed":
		p.patience = approvalTimeout
		return p.printStep("approve it, signed in, at "+p.URL+"/console/spreads/"+p.spread, p.spread)
	case err != nil:
		return err
	}
	return p.printStep("approve the spread", p.spread)
}

// unreachableURL is an address that never resolves (RFC 2606).
const unreachableURL = "https://receiver.invalid/"

// registerAt returns a step that registers a webhook for test events, which is removed at the end.
func registerAt(address string) func(*journey, context.Context) error {
	return func(p *journey, ctx context.Context) error {
		var made struct{ WebhookID string }
		err := p.Send(ctx, http.MethodPost, "/save-webhook", map[string]any{"url": address,
			"events": []string{"webhook.test"}, "description": "played by dossier trigger"}, &made)
		if err != nil {
			return err
		}
		p.webhook = made.WebhookID
		p.after = append(p.after, func() error {
			return p.Send(context.WithoutCancel(ctx), http.MethodDelete, "/api/v1/webhooks/"+p.webhook, nil, nil)
		})
		return p.printStep("register a webhook", p.webhook)
	}
}

// registerGone registers a webhook whose receiver, in this process, answers 410 Gone.
func (p *journey) registerGone(ctx context.Context) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	gone := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) })}
	go func() { _ = gone.Serve(listener) }() // ends with Close
	p.after = append(p.after, gone.Close)
	err = registerAt("http://"+listener.Addr().String()+"/")(p, ctx)
	var problem *Problem
	if errors.As(err, &problem) && problem.Status == http.StatusBadRequest {
		return fmt.Errorf("the service lets no webhook reach this machine, where this journey's receiver is: %w", err)
	}
	return err
}

func (p *journey) testWebhook(ctx context.Context) error {
	if err := p.Send(ctx, http.MethodPost, "/api/v1/webhooks/"+p.webhook+"/test", nil, nil); err != nil {
		return err
	}
	return p.printStep("send it a test", p.webhook)
}
