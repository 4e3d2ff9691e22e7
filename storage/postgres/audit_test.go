package postgres_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// act is one call that is an administrative act.
type act struct {
	action   dossier.AuditAction
	subject  string
	byNobody bool
	do       func(ctx context.Context) error
}

// acts are all of them, in an order in which each succeeds.
func acts(t *testing.T, h *hooks) []act {
	t.Helper()
	lead, entries := h.Lead(t, h.ws, dossier.FieldFile, dossier.FieldSSN)
	docs, _, err := h.DB.CreateDocuments(t.Context(), h.ws, postgres.Upload{LeadID: lead, EntryID: entries[0], Source: dossier.SourceImported, Files: []postgres.NewFile{file("a.pdf", "a")}})
	if err != nil {
		t.Fatal(err)
	}
	h.Exec(t, `UPDATE documents SET extraction_status = 'completed', engine_version = 'old'`)
	if err := h.DB.UpdateLead(t.Context(), h.ws, lead, item("SSN", `"123-45-6789"`), 0, postgres.Caller{}); err != nil {
		t.Fatal(err)
	}
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
	var hold dossier.Hold
	var party dossier.LeadParty
	var erasure dossier.Erasure
	second, _ := h.Lead(t, h.ws)
	reprocess := func(ctx context.Context) error { _, err := h.DB.ReprocessDocument(ctx, h.ws, docs[0].ID); return err }
	leads, hook, whole, job := "lead:"+string(lead), "webhook:"+string(h.webhook.ID), "workspace:"+string(h.ws), "job:"+string(staged[0])
	return []act{
		{dossier.AuditKeyCreate, "", false, func(ctx context.Context) (err error) {
			key, _, err = h.DB.CreateKey(ctx, h.ws, postgres.NewKey{Name: "CRM"})
			return err
		}},
		{dossier.AuditKeyRevoke, "", false, func(ctx context.Context) error { return h.DB.RevokeKey(ctx, h.ws, key.ID) }},
		{dossier.AuditReveal, leads, false, func(ctx context.Context) error { _, err := h.DB.RevealChecklist(ctx, h.ws, lead); return err }},
		{dossier.AuditLinkRotate, leads, false, func(ctx context.Context) error {
			_, err := h.DB.RenewPortalLink(ctx, h.ws, postgres.PortalOwner{Lead: lead}, true)
			return err
		}},
		{dossier.AuditLinkOpen, leads, false, func(ctx context.Context) error {
			_, err := h.DB.OpenPortalLink(ctx, h.ws, postgres.PortalOwner{Lead: lead}, false)
			return err
		}},
		{dossier.AuditLinkRevoke, leads, false, func(ctx context.Context) error {
			return h.DB.RevokePortalLink(ctx, h.ws, postgres.PortalOwner{Lead: lead})
		}},
		{dossier.AuditWebhookCreate, "", false, func(ctx context.Context) error {
			_, _, err := h.DB.CreateWebhook(ctx, h.ws, dossier.WebhookUpdate{URL: ptr("https://second.example/")})
			return err
		}},
		{dossier.AuditWebhookUpdate, hook, false, func(ctx context.Context) error {
			_, err := h.DB.UpdateWebhook(ctx, h.ws, h.webhook.ID, dossier.WebhookUpdate{Description: ptr("CRM")})
			return err
		}},
		{dossier.AuditWebhookRotate, hook, false, func(ctx context.Context) error { _, _, err := h.DB.RotateSecret(ctx, h.ws, h.webhook.ID); return err }},
		{dossier.AuditWebhookReplay, hook, false, func(ctx context.Context) error {
			_, err := h.DB.CreateReplay(ctx, h.ws, h.webhook.ID, dossier.Replay{Since: h.Clock.Now(), Until: h.Clock.Now(), Statuses: []dossier.DeliveryStatus{dossier.DeliveryFailed}})
			return err
		}},
		{dossier.AuditRedeliver, "delivery:" + delivery, false, func(ctx context.Context) error {
			_, err := h.DB.Redeliver(ctx, h.ws, dossier.DeliveryID(delivery))
			return err
		}},
		{dossier.AuditWebhookDisabled, hook, true, func(context.Context) error { // by a worker, in nobody's name
			h.save(t, h.claim(t, "webhook.drain"), 410, h.next(t)...)
			return nil
		}},
		{dossier.AuditWebhookDelete, hook, false, func(ctx context.Context) error { return h.DB.DeleteWebhook(ctx, h.ws, h.webhook.ID) }},
		{dossier.AuditJobCancel, job, false, func(ctx context.Context) error { _, err := h.DB.CancelJob(ctx, staged[0]); return err }},
		{dossier.AuditJobRetry, job, false, func(ctx context.Context) error { _, err := h.DB.RetryJobNow(ctx, staged[0]); return err }},
		{dossier.AuditJobRetry, whole, false, func(ctx context.Context) error {
			h.Exec(t, `UPDATE jobs SET status = 'FAILED' WHERE id = $1`, staged[0])
			_, err := h.DB.RetryJobs(ctx, postgres.JobFilter{})
			return err
		}},
		{dossier.AuditReprocess, "document:" + string(docs[0].ID), false, reprocess},
		{dossier.AuditReprocess, whole, false, func(ctx context.Context) error {
			h.Exec(t, `UPDATE documents SET extraction_status = 'completed'`)
			_, err := h.DB.ReprocessOutdated(ctx, h.ws, "new", false, 10)
			return err
		}},
		{dossier.AuditReportsRepair, whole, false, func(ctx context.Context) error { return h.DB.RepairReports(ctx, h.ws) }},
		{dossier.AuditWorkspaceChange, whole, false, func(ctx context.Context) error {
			_, _, err := h.DB.ApplyWorkspace(ctx, config, false, false)
			return err
		}},
		{dossier.AuditWorkspaceRotate, whole, false, func(ctx context.Context) error {
			_, err := h.DB.RotateInbound(ctx, h.ws, dossier.ChannelEmail)
			return err
		}},
		{dossier.AuditPersonAdd, whole, false, func(ctx context.Context) error {
			return h.DB.AddPerson(ctx, h.ws, "eve@lender.example", dossier.RoleReviewer)
		}},
		{dossier.AuditConsoleOpen, "", false, func(ctx context.Context) error {
			_, err := h.DB.CreateSignInLink(ctx, h.ws, "eve@lender.example", "")
			return err
		}},
		{dossier.AuditPersonDisable, "", false, func(ctx context.Context) error {
			return h.DB.DisablePerson(ctx, h.ws, "eve@lender.example")
		}},
		{dossier.AuditPartyCreate, leads, false, func(ctx context.Context) (err error) {
			party, err = h.DB.CreateParty(ctx, h.ws, lead, dossier.NewParty{Name: "Ann", Kind: dossier.PartyPerson, Role: dossier.PartyOwner})
			return err
		}},
		{dossier.AuditPartyUpdate, leads, false, func(ctx context.Context) error {
			_, err := h.DB.UpdateParty(ctx, h.ws, lead, party.ID, dossier.PartyChange{TaxIDLast4: dossier.Set("1234")})
			return err
		}},
		{dossier.AuditDocumentParty, "document:" + string(docs[0].ID), false, func(ctx context.Context) error {
			h.Exec(t, `UPDATE documents SET extraction = '{"documents": [{"docType": "other"}]}' WHERE id = $1`, docs[0].ID)
			_, err := h.DB.SetPartParty(ctx, h.ws, docs[0].ID, 0, &party.ID)
			return err
		}},
		{dossier.AuditOwnership, leads, false, func(ctx context.Context) error {
			_, err := h.DB.SaveOwnership(ctx, h.ws, lead, nil)
			return err
		}},
		{dossier.AuditDebts, leads, false, func(ctx context.Context) error { _, err := h.DB.SaveDebts(ctx, h.ws, lead, nil); return err }},
		{dossier.AuditPartyDelete, leads, false, func(ctx context.Context) error { return h.DB.DeleteParty(ctx, h.ws, lead, party.ID) }},
		{dossier.AuditDocumentDelete, "document:" + string(docs[0].ID), false, func(ctx context.Context) error { return h.DB.DeleteDocument(ctx, h.ws, docs[0].ID, false) }},
		{dossier.AuditDocumentErase, "document:" + string(docs[0].ID), false, func(ctx context.Context) error {
			_, err := h.DB.EraseDocument(ctx, h.ws, docs[0].ID, "asked")
			return err
		}},
		{dossier.AuditHoldCreate, leads, false, func(ctx context.Context) (err error) {
			hold, err = h.DB.CreateHold(ctx, h.ws, lead, "a case")
			return err
		}},
		{dossier.AuditHoldRelease, leads, false, func(ctx context.Context) error { return h.DB.ReleaseHold(ctx, h.ws, lead, hold.ID, postgres.Caller{}) }},
		{dossier.AuditLeadErase, leads, false, func(ctx context.Context) (err error) {
			erasure, err = h.DB.EraseLead(ctx, h.ws, lead, "asked", postgres.Caller{})
			return err
		}},
		{dossier.AuditErasureCancel, "", false, func(ctx context.Context) error { _, err := h.DB.CancelErasure(ctx, h.ws, erasure.ID); return err }},
		{dossier.AuditLeadDelete, "lead:" + string(second), false, func(ctx context.Context) error { return h.DB.DeleteLead(ctx, h.ws, second, false, postgres.Caller{}) }},
		{dossier.AuditWorkspaceDelete, whole, false, func(ctx context.Context) error { return h.DB.DeleteWorkspace(ctx, w.Key, "") }},
	}
}

// Each administrative act writes one entry in its own commit, which names who did it, by which key, from where, to what, and
// in which request; and all of them are one chain.
func TestAudit_every_act(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	key := dossier.KeyID(postgres.NewID())
	who := postgres.Actor{Type: dossier.ActorKey, ID: string(key), Name: "CRM", OnBehalfOf: "ann@lender.example", KeyID: key}
	call := postgres.Call{RequestID: postgres.NewID(), CallerRequestID: "trace-17", Address: "192.0.2.7"}
	ctx := postgres.WithCall(postgres.WithActor(t.Context(), who), call)
	seen := []dossier.AuditAction{dossier.AuditPageRead, dossier.AuditDocumentCorrect, // api: TestPages, TestCorrections
		dossier.AuditDocumentAttach, dossier.AuditDocumentDetach, dossier.AuditDocumentParts, // api: TestAssociations, TestParts
		dossier.AuditWorkspaceCreate, dossier.AuditDocumentRead, // TestAudit_of_a_file; api: TestAudit
		dossier.AuditHashMismatch,                              // jobs/worker: TestReprocess_exchanged_bytes
		dossier.AuditSessionCreate, dossier.AuditSessionRevoke, // api: TestPeople
		dossier.AuditSpreadSubmit, dossier.AuditSpreadReturn, dossier.AuditSpreadApprove, // api: TestAudit_of_reviewers
		dossier.AuditDocumentOverride,
		dossier.AuditReviewTakeOver, dossier.AuditReviewAssign, dossier.AuditReviewDecide, // api: TestReviews_claims
		dossier.AuditWorkspaceErase} // jobs/worker: TestErase_workspace
	for _, a := range acts(t, h) {
		before := len(entries(t, h.Server, h.ws))
		if err := a.do(ctx); err != nil {
			t.Errorf("%s: %v", a.action, err)
		}
		made := entries(t, h.Server, h.ws)
		if len(made) != before+1 {
			t.Errorf("%s: %d entries more, want one", a.action, len(made)-before)
			continue
		}
		got := made[0]
		if got.Action != a.action || a.subject != "" && got.Subject.Type+":"+got.Subject.ID != a.subject || got.Subject.ID == "" {
			t.Errorf("%s of %s: the entry says %s of %v", a.action, a.subject, got.Action, got.Subject)
		}
		if a.byNobody {
			if got.Actor.Type != dossier.ActorSystem || got.Actor.ID != nil || *got.Actor.Name != "dossier" || got.KeyID != nil {
				t.Errorf("%s: %+v", a.action, got.Actor)
			}
		} else {
			mine := dossier.AuditEntry{ID: got.ID, At: got.At, Action: got.Action, Subject: got.Subject, Details: got.Details, Position: got.Position, Hash: got.Hash,
				Actor: dossier.AuditActor{Type: dossier.ActorKey, ID: ptr(string(key)), Name: ptr("CRM")}, OnBehalfOf: ptr("ann@lender.example"),
				KeyID: &key, Address: &call.Address, RequestID: &call.RequestID, CallerRequestID: ptr("trace-17")}
			if diff := cmp.Diff(mine, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", a.action, diff)
			}
		}
		seen = append(seen, a.action)
	}
	for _, known := range dossier.AuditActions {
		if !slices.Contains(seen, known.Action) {
			t.Errorf("nothing does %s", known.Action)
		}
	}
	chain, err := h.DB.VerifyAudit(t.Context(), h.ws)
	if err != nil || chain.Broken != "" || chain.Entries != len(entries(t, h.Server, h.ws)) {
		t.Errorf("%+v, %v", chain, err)
	}
}

// entries are the newest of a workspace, at most 100.
func entries(t *testing.T, s *pgtest.Server, ws dossier.WorkspaceID) []dossier.AuditEntry {
	t.Helper()
	list, err := s.DB.AuditEntries(t.Context(), ws, postgres.AuditQuery{Page: dossier.Page{Limit: 100}})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Whoever changes or removes an entry, be it with the owner's rights, is found; and the programs' roles cannot at all.
func TestAudit_chain(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws, other := s.Workspace(t), s.Workspace(t)
	for i := range 5 {
		for _, tenant := range []dossier.WorkspaceID{ws, other} { // names with what JSON escapes
			who := postgres.WithActor(t.Context(), postgres.Actor{Type: dossier.ActorKey, ID: postgres.NewID(), Name: "a \"b\" \\ <c> \u00e4 \u2028 \t \U0001f600"})
			if err := s.DB.AuditNote(who, tenant, dossier.AuditDocumentRead, "document:"+postgres.NewID(), map[string]any{"n": i, "z": []string{"x\n"}, "a": map[string]any{}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	list := entries(t, s, ws)
	slices.Reverse(list)
	verify := func(want postgres.AuditChain) {
		t.Helper()
		if chain, err := s.DB.VerifyAudit(t.Context(), ws); err != nil || chain != want {
			t.Errorf("%+v, %v, want %+v", chain, err, want)
		}
	}
	verify(postgres.AuditChain{Entries: 5})
	conn, err := pgx.Connect(t.Context(), s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	for _, role := range []string{"dossier_app", "dossier_system"} {
		for _, statement := range []string{"UPDATE audit_entries SET actor = 'x'", "DELETE FROM audit_entries", "TRUNCATE audit_entries"} {
			if _, err := conn.Exec(t.Context(), "SET ROLE "+role); err != nil {
				t.Fatal(err)
			}
			if _, err := conn.Exec(t.Context(), statement); err == nil {
				t.Errorf("%s may %s", role, statement)
			}
			if _, err := conn.Exec(t.Context(), "RESET ROLE"); err != nil {
				t.Fatal(err)
			}
			if _, err := conn.Exec(t.Context(), statement); err == nil {
				t.Errorf("the owner may %s", statement)
			}
		}
	}
	s.Exec(t, `ALTER TABLE audit_entries DISABLE TRIGGER USER`)
	s.Exec(t, `UPDATE audit_entries SET detail = '{"n": 7}' WHERE id = $1`, list[2].ID)
	verify(postgres.AuditChain{Entries: 2, Broken: list[2].ID})
	s.Exec(t, `DELETE FROM audit_entries WHERE id = $1`, list[1].ID)
	verify(postgres.AuditChain{Entries: 1, Broken: list[2].ID})
	if chain, err := s.DB.VerifyAudit(t.Context(), other); err != nil || chain != (postgres.AuditChain{Entries: 5}) {
		t.Errorf("the other workspace: %+v, %v", chain, err)
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
	list := entries(t, s, ws)
	if len(list) != 1 || list[0].Action != dossier.AuditWorkspaceCreate || list[0].Actor.Type != dossier.ActorSystem || list[0].Details["changes"] == nil {
		t.Errorf("%+v", list)
	}
}
