package main

import (
	"context"
	"fmt"
	"time"

	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/jobs"
)

// story is a lead as the console's first look shows it: what was sent for it, and what became of it.
type story struct {
	first, last, business string
	amount                int
	files                 func(business string) []sent
	answers               map[string]any // of the record
	trouble               string         // an agent asks for help
	run                   string         // name of the agent that works on it
	spread                string         // "", DRAFT, SUBMITTED
}

// deskTag marks made-up leads, so that a second start adds none.
const deskTag = "made-up"

// fillDesk makes leads in every state that a lead has, with documents that are accepted, refused, doubted and unread.
func (s *stack) fillDesk(ctx context.Context, tell func(string, ...any)) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	var there []struct{ ID string }
	if err := s.get(ctx, "/api/v1/leads?limit=1&tags="+deskTag, &there); err != nil || len(there) > 0 {
		return err
	}
	agents, workflow, err := s.deskAgents(ctx)
	if err != nil {
		return err
	}
	stories := deskStories()
	for i, one := range stories {
		if err := s.tellStory(ctx, i, one, agents, workflow); err != nil {
			return fmt.Errorf("%s: %w", one.business, err)
		}
	}
	tell("%d made-up leads wait in the console, in every state", len(stories))
	return nil
}

// deskAgents are the workspace's agents by name, and its first workflow.
func (s *stack) deskAgents(ctx context.Context) (map[string]string, string, error) {
	var agents struct{ Agents []struct{ ID, Name string } }
	var flows struct{ Workflows []struct{ ID string } }
	if err := s.get(ctx, "/api/v1/agents", &agents); err != nil {
		return nil, "", err
	}
	if err := s.get(ctx, "/api/v1/workflows", &flows); err != nil || len(flows.Workflows) == 0 {
		return nil, "", err
	}
	ids := map[string]string{}
	for _, a := range agents.Agents {
		ids[a.Name] = a.ID
	}
	return ids, flows.Workflows[0].ID, nil
}

func (s *stack) tellStory(ctx context.Context, i int, one story, agents map[string]string, workflow string) error {
	var made struct{ Lead struct{ ID string } }
	err := s.post(ctx, "/api/v1/leads", map[string]any{"firstName": one.first, "lastName": one.last,
		"businessName": one.business, "email": fmt.Sprintf("lead%03d@example.com", i),
		"phoneNumber": fmt.Sprintf("(212) 555-%04d", 200+i), "tags": []string{deskTag},
		"checklistItems": []map[string]any{{"code": "LEGAL_NAME", "value": one.business},
			{"code": "REQUESTED_AMOUNT", "value": one.amount}}}, &made)
	if err != nil {
		return err
	}
	lead := made.Lead.ID
	if one.files != nil {
		if _, err := s.demoUpload(ctx, lead, one.files(one.business)); err != nil {
			return err
		}
	}
	if one.trouble != "" {
		err := s.post(ctx, "/api/v1/leads/"+lead+"/escalations", map[string]any{"reason": one.trouble}, nil)
		if err != nil {
			return err
		}
	}
	if id := agents[one.run]; id != "" && workflow != "" {
		err := s.post(ctx, "/api/v1/workflow-runs", map[string]any{"leadId": lead, "agentId": id,
			"workflowId": workflow}, nil)
		if err != nil {
			return err
		}
	}
	if one.spread != "" {
		if err := s.deskSpread(ctx, lead, one.spread == "SUBMITTED"); err != nil {
			return err
		}
	}
	if one.answers == nil {
		return nil
	}
	body := map[string]any{"leadId": lead}
	for name, value := range one.answers {
		body[name] = value
	}
	return s.send(ctx, "PUT", "/api/v1/leads", body, nil)
}

// deskSpread spreads a lead's statements, once they are read, and hands the figures in when that is asked for.
func (s *stack) deskSpread(ctx context.Context, lead string, submit bool) error {
	type answer struct {
		Spread struct{ ID, Status string }
	}
	for {
		var list []struct {
			Metadata struct{ ExtractionStatus string }
		}
		if err := s.get(ctx, "/api/v1/leads/"+lead+"/documents", &list); err != nil {
			return err
		}
		read := true
		for _, d := range list {
			read = read && d.Metadata.ExtractionStatus != "pending" && d.Metadata.ExtractionStatus != "processing"
		}
		if read {
			break
		}
		if !jobs.Sleep(ctx, 200*time.Millisecond) {
			return ctx.Err()
		}
	}
	var got answer
	if err := s.post(ctx, "/api/v1/spreads", map[string]any{"leadId": lead}, &got); err != nil || !submit {
		return err
	}
	for got.Spread.Status != "COMPLETE" && got.Spread.Status != "FAILED" {
		if !jobs.Sleep(ctx, 200*time.Millisecond) {
			return ctx.Err()
		}
		if err := s.get(ctx, "/api/v1/spreads/"+got.Spread.ID, &got); err != nil {
			return err
		}
	}
	if got.Spread.Status == "FAILED" {
		return nil // the console shows that, too
	}
	return s.post(ctx, "/api/v1/spreads/"+got.Spread.ID+"/submit", map[string]any{}, nil)
}

// months are bank statements of a business, the latest last month; of those whose number is broken the balances do
// not reconcile.
func months(n, broken int) func(string) []sent {
	return func(business string) []sent {
		now, layouts := time.Now(), specimen.BankLayouts()
		var files []sent
		for back := n; back >= 1; back-- {
			month := time.Date(now.Year(), now.Month()-time.Month(back), 1, 0, 0, 0, 0, time.UTC)
			one := specimen.BankStatement(specimen.BankOptions{Seed: uint64(month.Unix()) + uint64(len(business)),
				Layout: layouts[(len(business)+n)%len(layouts)], Month: month, Business: true,
				Holder: business, Entries: 18, Broken: back == broken})
			files = append(files, sent{"statement-" + month.Format("2006-01") + ".pdf", one.MimeType, one.Data})
		}
		return files
	}
}

// known are files whose verdict is known before.
func known(kinds ...string) func(string) []sent {
	return func(string) []sent {
		var files []sent
		for _, kind := range kinds {
			if k, ok := specimen.FindKnown(kind); ok {
				files = append(files, sent{k.Filename, k.MimeType, k.Draw(time.Now())})
			}
		}
		return files
	}
}

// books are the statements of a borrower whose spread is known.
func books(name string) func(string) []sent {
	return func(string) []sent {
		var files []sent
		for _, b := range specimen.Borrowers() {
			if b.Name != name {
				continue
			}
			for i, one := range b.Documents {
				files = append(files, sent{fmt.Sprintf("statements-%d%s", i+1, ending(one.MimeType)), one.MimeType,
					one.Data})
			}
		}
		return files
	}
}

func ending(mimeType string) string {
	switch mimeType {
	case "application/pdf":
		return ".pdf"
	case "text/csv":
		return ".csv"
	}
	return ".xlsx"
}

// deskStories are the leads, in the order in which they come.
func deskStories() []story {
	closed := func(status string) map[string]any { return map[string]any{"status": status} }
	return []story{
		{first: "Ben", last: "Sample", business: "Sample Roofing LLC", amount: 85000, files: months(3, 0)},
		{first: "Carla", last: "Muster", business: "Muster Dental LLC", amount: 240000, files: months(3, 2)},
		{first: "Dmitri", last: "Doe", business: "Doe Trucking LLC", amount: 60000, files: months(2, 0)},
		{first: "Elena", last: "Roe", business: "Roe Brewery LLC", amount: 410000, files: books("quickbooks_accrual"),
			spread: "SUBMITTED"},
		{first: "Farid", last: "Tester", business: "Tester Print Shop LLC", amount: 35000,
			files: known("drivers_license_expired")},
		{first: "Grace", last: "Specimen", business: "Specimen Florist LLC", amount: 28000, files: known("encrypted")},
		{first: "Hiro", last: "Placeholder", business: "Placeholder Garage LLC", amount: 52000,
			trouble: "The lead asks whether an online bank's statements will do."},
		{first: "Ines", last: "Sample", business: "Sample Plumbing LLC", amount: 120000,
			files: known("tax_return_1120s")},
		{first: "Jonas", last: "Muster", business: "Muster Landscaping LLC", amount: 75000, run: "Max"},
		{first: "Kavya", last: "Doe", business: "Doe Bakery LLC", amount: 90000, files: known("unreadable")},
		{first: "Liam", last: "Roe", business: "Roe Garage LLC", amount: 300000,
			files:  books("s_corporation_three_years"),
			spread: "DRAFT"},
		{first: "Maya", last: "Tester", business: "Tester Dental LLC", amount: 150000, files: months(3, 1)},
		{first: "Noor", last: "Specimen", business: "Specimen Trucking LLC", amount: 45000},
		{first: "Oscar", last: "Placeholder", business: "Placeholder Brewery LLC", amount: 500000,
			files: books("overlapping_sources"), spread: "DRAFT"},
		{first: "Priya", last: "Sample", business: "Sample Florist LLC", amount: 22000,
			answers: closed("NOT_INTERESTED")},
		{first: "Ada", last: "Muster", business: "Muster Roofing LLC", amount: 68000,
			files: known("drivers_license", "bank_statement")},
		{first: "Ben", last: "Doe", business: "Doe Dental LLC", amount: 210000,
			files: months(3, 0), trouble: "Two owners disagree."},
		{first: "Carla", last: "Roe", business: "Roe Print Shop LLC", amount: 31000,
			answers: map[string]any{"didOptOut": true}},
		{first: "Dmitri", last: "Tester", business: "Tester Plumbing LLC", amount: 99000, run: "Ava"},
		{first: "Elena", last: "Specimen", business: "Specimen Landscaping LLC", amount: 47000,
			files: known("bank_statement_unbalanced")},
		{first: "Farid", last: "Placeholder", business: "Placeholder Roofing LLC", amount: 130000,
			files: months(3, 0), answers: closed("COMPLETED")},
		{first: "Grace", last: "Sample", business: "Sample Brewery LLC", amount: 260000,
			files: books("negative_equity"), spread: "SUBMITTED"},
		{first: "Hiro", last: "Muster", business: "Muster Garage LLC", amount: 58000, files: known("drivers_license")},
		{first: "Ines", last: "Doe", business: "Doe Florist LLC", amount: 19000, run: "Max"},
		{first: "Jonas", last: "Roe", business: "Roe Dental LLC", amount: 175000, files: months(1, 0)},
		{first: "Kavya", last: "Tester", business: "Tester Bakery LLC", amount: 83000,
			trouble: "The lead wants a call about the rate."},
		{first: "Liam", last: "Specimen", business: "Specimen Plumbing LLC", amount: 66000,
			files: known("tax_return_1040")},
		{first: "Maya", last: "Placeholder", business: "Placeholder Trucking LLC", amount: 320000,
			files: known("profit_and_loss", "balance_sheet"), spread: "DRAFT"},
		{first: "Noor", last: "Sample", business: "Sample Garage LLC", amount: 40000,
			answers: closed("NOT_INTERESTED")},
		{first: "Oscar", last: "Muster", business: "Muster Brewery LLC", amount: 145000, files: months(3, 0)},
	}
}
