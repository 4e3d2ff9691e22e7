package main

import (
	"context"
	"fmt"
	"time"

	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/jobs"
)

// sampleLead describes a made-up lead of the console: what is sent for it, and the state it is brought into.
type sampleLead struct {
	first, last, business string
	amount                int
	files                 func(business string) []uploadFile
	answers               map[string]any // of the record
	trouble               string         // an agent asks for help
	run                   string         // name of the agent that works on it
	spread                string         // "", DRAFT, SUBMITTED
}

// sampleTag marks made-up leads, so that a second start adds none.
const sampleTag = "made-up"

// makeSampleLeads makes leads in every state, with documents that are accepted, refused, doubtful and unreadable.
func (s *stack) makeSampleLeads(ctx context.Context, tell func(string, ...any)) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	var there []struct{ ID string }
	if err := s.get(ctx, "/api/v1/leads?limit=1&tags="+sampleTag, &there); err != nil || len(there) > 0 {
		return err
	}
	agents, workflow, err := s.sampleAgents(ctx)
	if err != nil {
		return err
	}
	stories := sampleLeads()
	for i, one := range stories {
		if err := s.makeSampleLead(ctx, i, one, agents, workflow); err != nil {
			return fmt.Errorf("%s: %w", one.business, err)
		}
	}
	tell("%d made-up leads wait in the console, in every state", len(stories))
	return nil
}

// sampleAgents returns the ids of the workspace's agents by name, and of its first workflow.
func (s *stack) sampleAgents(ctx context.Context) (map[string]string, string, error) {
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

func (s *stack) makeSampleLead(ctx context.Context, i int, one sampleLead, agents map[string]string,
	workflow string) error {
	var made struct{ Lead struct{ ID string } }
	err := s.post(ctx, "/api/v1/leads", map[string]any{"firstName": one.first, "lastName": one.last,
		"businessName": one.business, "email": fmt.Sprintf("lead%03d@example.com", i),
		"phoneNumber": fmt.Sprintf("(212) 555-%04d", 200+i), "tags": []string{sampleTag},
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
		if err := s.makeSampleSpread(ctx, lead, one.spread == "SUBMITTED"); err != nil {
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

// makeSampleSpread spreads a lead's statements once they are read, and submits the spread when asked to.
func (s *stack) makeSampleSpread(ctx context.Context, lead string, submit bool) error {
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

// statementFiles returns n monthly bank statements of a business, the latest of last month. The balances of the one
// numbered broken do not reconcile.
func statementFiles(n, broken int) func(string) []uploadFile {
	return func(business string) []uploadFile {
		now, layouts := time.Now(), specimen.BankLayouts()
		var files []uploadFile
		for back := n; back >= 1; back-- {
			month := time.Date(now.Year(), now.Month()-time.Month(back), 1, 0, 0, 0, 0, time.UTC)
			one := specimen.BankStatement(specimen.BankOptions{Seed: uint64(month.Unix()) + uint64(len(business)),
				Layout: layouts[(len(business)+n)%len(layouts)], Month: month, Business: true,
				Holder: business, Entries: 18, Broken: back == broken})
			files = append(files, uploadFile{"statement-" + month.Format("2006-01") + ".pdf", one.MimeType, one.Data})
		}
		return files
	}
}

// specimenFiles returns specimens of the given kinds.
func specimenFiles(kinds ...string) func(string) []uploadFile {
	return func(string) []uploadFile {
		var files []uploadFile
		for _, kind := range kinds {
			if k, ok := specimen.FindKnown(kind); ok {
				files = append(files, uploadFile{k.Filename, k.MimeType, k.Draw(time.Now())})
			}
		}
		return files
	}
}

// borrowerFiles returns the financial statements of a specimen borrower.
func borrowerFiles(name string) func(string) []uploadFile {
	return func(string) []uploadFile {
		var files []uploadFile
		for _, b := range specimen.Borrowers() {
			if b.Name != name {
				continue
			}
			for i, one := range b.Documents {
				files = append(files, uploadFile{fmt.Sprintf("statements-%d%s", i+1, extension(one.MimeType)),
					one.MimeType,
					one.Data})
			}
		}
		return files
	}
}

func extension(mimeType string) string {
	switch mimeType {
	case "application/pdf":
		return ".pdf"
	case "text/csv":
		return ".csv"
	}
	return ".xlsx"
}

// sampleLeads are the leads, in the order in which they come.
func sampleLeads() []sampleLead {
	closed := func(status string) map[string]any { return map[string]any{"status": status} }
	return []sampleLead{
		{first: "Ben", last: "Sample", business: "Sample Roofing LLC", amount: 85000, files: statementFiles(3, 0)},
		{first: "Carla", last: "Muster", business: "Muster Dental LLC", amount: 240000, files: statementFiles(3, 2)},
		{first: "Dmitri", last: "Doe", business: "Doe Trucking LLC", amount: 60000, files: statementFiles(2, 0)},
		{first: "Elena", last: "Roe", business: "Roe Brewery LLC", amount: 410000,
			files:  borrowerFiles("quickbooks_accrual"),
			spread: "SUBMITTED"},
		{first: "Farid", last: "Tester", business: "Tester Print Shop LLC", amount: 35000,
			files: specimenFiles("drivers_license_expired")},
		{first: "Grace", last: "Specimen", business: "Specimen Florist LLC", amount: 28000,
			files: specimenFiles("encrypted")},
		{first: "Hiro", last: "Placeholder", business: "Placeholder Garage LLC", amount: 52000,
			trouble: "The lead asks whether an online bank's statements will do."},
		{first: "Ines", last: "Sample", business: "Sample Plumbing LLC", amount: 120000,
			files: specimenFiles("tax_return_1120s")},
		{first: "Jonas", last: "Muster", business: "Muster Landscaping LLC", amount: 75000, run: "Max"},
		{first: "Kavya", last: "Doe", business: "Doe Bakery LLC", amount: 90000, files: specimenFiles("unreadable")},
		{first: "Liam", last: "Roe", business: "Roe Garage LLC", amount: 300000,
			files:  borrowerFiles("s_corporation_three_years"),
			spread: "DRAFT"},
		{first: "Maya", last: "Tester", business: "Tester Dental LLC", amount: 150000, files: statementFiles(3, 1)},
		{first: "Noor", last: "Specimen", business: "Specimen Trucking LLC", amount: 45000},
		{first: "Oscar", last: "Placeholder", business: "Placeholder Brewery LLC", amount: 500000,
			files: borrowerFiles("overlapping_sources"), spread: "DRAFT"},
		{first: "Priya", last: "Sample", business: "Sample Florist LLC", amount: 22000,
			answers: closed("NOT_INTERESTED")},
		{first: "Ada", last: "Muster", business: "Muster Roofing LLC", amount: 68000,
			files: specimenFiles("drivers_license", "bank_statement")},
		{first: "Ben", last: "Doe", business: "Doe Dental LLC", amount: 210000,
			files: statementFiles(3, 0), trouble: "Two owners disagree."},
		{first: "Carla", last: "Roe", business: "Roe Print Shop LLC", amount: 31000,
			answers: map[string]any{"didOptOut": true}},
		{first: "Dmitri", last: "Tester", business: "Tester Plumbing LLC", amount: 99000, run: "Ava"},
		{first: "Elena", last: "Specimen", business: "Specimen Landscaping LLC", amount: 47000,
			files: specimenFiles("bank_statement_unbalanced")},
		{first: "Farid", last: "Placeholder", business: "Placeholder Roofing LLC", amount: 130000,
			files: statementFiles(3, 0), answers: closed("COMPLETED")},
		{first: "Grace", last: "Sample", business: "Sample Brewery LLC", amount: 260000,
			files: borrowerFiles("negative_equity"), spread: "SUBMITTED"},
		{first: "Hiro", last: "Muster", business: "Muster Garage LLC", amount: 58000,
			files: specimenFiles("drivers_license")},
		{first: "Ines", last: "Doe", business: "Doe Florist LLC", amount: 19000, run: "Max"},
		{first: "Jonas", last: "Roe", business: "Roe Dental LLC", amount: 175000, files: statementFiles(1, 0)},
		{first: "Kavya", last: "Tester", business: "Tester Bakery LLC", amount: 83000,
			trouble: "The lead wants a call about the rate."},
		{first: "Liam", last: "Specimen", business: "Specimen Plumbing LLC", amount: 66000,
			files: specimenFiles("tax_return_1040")},
		{first: "Maya", last: "Placeholder", business: "Placeholder Trucking LLC", amount: 320000,
			files: specimenFiles("profit_and_loss", "balance_sheet"), spread: "DRAFT"},
		{first: "Noor", last: "Sample", business: "Sample Garage LLC", amount: 40000,
			answers: closed("NOT_INTERESTED")},
		{first: "Oscar", last: "Muster", business: "Muster Brewery LLC", amount: 145000, files: statementFiles(3, 0)},
	}
}
