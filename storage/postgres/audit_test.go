package postgres_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// act is one call that is an administrative act.
type act struct {
	action  dossier.AuditAction
	subject string
	actor   string
	do      func(ctx context.Context) error
}

// acts are all of them, in an order in which each succeeds.
func acts(t *testing.T, h *hooks) []act {
	t.Helper()
	const who = "ann@lender.example"
	lead, entries := h.Lead(t, h.ws, dossier.FieldFile)
	docs, _, err := h.DB.CreateDocuments(t.Context(), h.ws, postgres.Upload{LeadID: lead, EntryID: entries[0], Source: dossier.SourceImported, Files: []postgres.NewFile{file("a.pdf", "a")}})
	if err != nil {
		t.Fatal(err)
	}
	h.Exec(t, `UPDATE documents SET extraction_status = 'completed', engine_version = 'old'`)
	staged := stage(t, h.Server, h.ws, 1)
	h.emit(t, dossier.EventLeadCreated, "")
	h.dispatch(t)
	delivery := pgtest.Value[string](t, h.Server, `SELECT id::text FROM deliveries`)
	w, err := h.DB.ReadWorkspace(t.Context(), h.ws)
	if err != nil {
		t.Fatal(err)
	}
	config := dossier.WorkspaceConfig{WorkspaceSettings: w.WorkspaceSettings}
	config.Name = "Another name"
	var key dossier.Key
	reprocess := func(ctx context.Context) error { _, err := h.DB.ReprocessDocument(ctx, h.ws, docs[0].ID); return err }
	leads, hook, whole, job := "lead:"+string(lead), "webhook:"+string(h.webhook.ID), "workspace:"+string(h.ws), "job:"+string(staged[0])
	return []act{
		{dossier.AuditKeyCreate, "", who, func(ctx context.Context) (err error) {
			key, _, err = h.DB.CreateKey(ctx, h.ws, postgres.NewKey{Name: "CRM"})
			return err
		}},
		{dossier.AuditKeyRevoke, "", who, func(ctx context.Context) error { return h.DB.RevokeKey(ctx, h.ws, key.ID) }},
		{dossier.AuditReveal, leads, who, func(ctx context.Context) error { _, err := h.DB.RevealChecklist(ctx, h.ws, lead); return err }},
		{dossier.AuditLinkRotate, leads, who, func(ctx context.Context) error { _, err := h.DB.RenewPortalLink(ctx, h.ws, lead, true); return err }},
		{dossier.AuditLinkOpen, leads, who, func(ctx context.Context) error { _, err := h.DB.OpenPortalLink(ctx, h.ws, lead, false); return err }},
		{dossier.AuditLinkRevoke, leads, who, func(ctx context.Context) error { return h.DB.RevokePortalLink(ctx, h.ws, lead) }},
		{dossier.AuditWebhookCreate, "", who, func(ctx context.Context) error {
			_, _, err := h.DB.CreateWebhook(ctx, h.ws, dossier.WebhookUpdate{URL: ptr("https://second.example/")})
			return err
		}},
		{dossier.AuditWebhookUpdate, hook, who, func(ctx context.Context) error {
			_, err := h.DB.UpdateWebhook(ctx, h.ws, h.webhook.ID, dossier.WebhookUpdate{Description: ptr("CRM")})
			return err
		}},
		{dossier.AuditWebhookRotate, hook, who, func(ctx context.Context) error { _, _, err := h.DB.RotateSecret(ctx, h.ws, h.webhook.ID); return err }},
		{dossier.AuditWebhookReplay, hook, who, func(ctx context.Context) error {
			_, err := h.DB.CreateReplay(ctx, h.ws, h.webhook.ID, dossier.Replay{Since: h.Clock.Now(), Until: h.Clock.Now(), Statuses: []dossier.DeliveryStatus{dossier.DeliveryFailed}})
			return err
		}},
		{dossier.AuditRedeliver, "delivery:" + delivery, who, func(ctx context.Context) error {
			_, err := h.DB.Redeliver(ctx, h.ws, dossier.DeliveryID(delivery))
			return err
		}},
		{dossier.AuditWebhookDisabled, hook, "system", func(context.Context) error { // by a worker, in nobody's name
			h.save(t, h.claim(t, "webhook.drain"), 410, h.next(t)...)
			return nil
		}},
		{dossier.AuditWebhookDelete, hook, who, func(ctx context.Context) error { return h.DB.DeleteWebhook(ctx, h.ws, h.webhook.ID) }},
		{dossier.AuditJobCancel, job, who, func(ctx context.Context) error { _, err := h.DB.CancelJob(ctx, staged[0]); return err }},
		{dossier.AuditJobRetry, job, who, func(ctx context.Context) error { _, err := h.DB.RetryJobNow(ctx, staged[0]); return err }},
		{dossier.AuditJobRetry, whole, who, func(ctx context.Context) error {
			h.Exec(t, `UPDATE jobs SET status = 'FAILED' WHERE id = $1`, staged[0])
			_, err := h.DB.RetryJobs(ctx, postgres.JobFilter{})
			return err
		}},
		{dossier.AuditReprocess, "document:" + string(docs[0].ID), who, reprocess},
		{dossier.AuditReprocess, whole, who, func(ctx context.Context) error {
			h.Exec(t, `UPDATE documents SET extraction_status = 'completed'`)
			_, err := h.DB.ReprocessOutdated(ctx, h.ws, "new", false, 10)
			return err
		}},
		{dossier.AuditReportsRepair, whole, who, func(ctx context.Context) error { return h.DB.RepairReports(ctx, h.ws) }},
		{dossier.AuditWorkspaceChange, whole, who, func(ctx context.Context) error {
			_, _, err := h.DB.ApplyWorkspace(ctx, config, false, false)
			return err
		}},
		{dossier.AuditWorkspaceDelete, whole, who, func(ctx context.Context) error { return h.DB.DeleteWorkspace(ctx, w.Key) }},
	}
}

// Each administrative act writes one entry in its own commit, which names who did it, to what, and in which request.
func TestAudit_every_act(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	ctx := postgres.WithRequestID(postgres.WithActor(t.Context(), "ann@lender.example"), "trace-17")
	seen := []dossier.AuditAction{dossier.AuditWorkspaceCreate} // TestAudit_of_a_file
	for _, a := range acts(t, h) {
		h.Exec(t, `DELETE FROM audit_entries`)
		if err := a.do(ctx); err != nil {
			t.Errorf("%s: %v", a.action, err)
		}
		entries, err := h.DB.AuditEntries(t.Context(), h.ws, dossier.Page{Limit: 10})
		if err != nil || len(entries) != 1 {
			t.Errorf("%s: %d entries (%v), want one", a.action, len(entries), err)
			continue
		}
		got := entries[0]
		if got.Action != a.action || got.Actor != a.actor || a.subject != "" && got.Subject != a.subject || got.Subject == "" {
			t.Errorf("%s of %s by %s: the entry says %s of %s by %s", a.action, a.subject, a.actor, got.Action, got.Subject, got.Actor)
		}
		manyJobs := a.action == dossier.AuditJobRetry && strings.HasPrefix(a.subject, "workspace:")
		if !manyJobs && a.actor != "system" && (got.RequestID == nil || *got.RequestID != "trace-17") {
			t.Errorf("%s: request %v", a.action, got.RequestID)
		}
		seen = append(seen, a.action)
	}
	for _, known := range dossier.AuditActions {
		if !slices.Contains(seen, known.Action) {
			t.Errorf("nothing does %s", known.Action)
		}
	}
}

// A file that changes something is an act; one that changes nothing, or is only tried, is none.
func TestAudit_of_a_file(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	config := dossier.WorkspaceConfig{WorkspaceSettings: dossier.WorkspaceSettings{Key: "lender", Name: "Lender", DefaultRegion: "US", Timezone: "UTC", Language: "en", QuietHours: dossier.QuietHours{From: "21:00", To: "08:00"}}}
	apply := func(dryRun bool) dossier.WorkspaceID {
		_, id, err := s.DB.ApplyWorkspace(t.Context(), config, dryRun, false)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	ws := apply(false)
	apply(false)
	config.Name = "Another lender"
	apply(true)
	entries, err := s.DB.AuditEntries(t.Context(), ws, dossier.Page{Limit: 10})
	if err != nil || len(entries) != 1 || entries[0].Action != dossier.AuditWorkspaceCreate || entries[0].Actor != "system" || entries[0].Detail["changes"] == nil {
		t.Errorf("%+v, %v", entries, err)
	}
}
