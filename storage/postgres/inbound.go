package postgres

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// Inbound is a message that a provider handed over. Its files are stored; From is normalized.
type Inbound struct {
	Channel    dossier.Channel
	From       string
	To         *string
	Subject    *string
	Text       string
	ProviderID string // the provider's id of the message: a repeat has the same
	InReplyTo  *string
	Files      []NewFile
	LeftAside  []string              // names of files that are no documents
	Refused    []dossier.RefusedFile // files that are not kept
	Media      []Media               // files that the provider keeps until they are fetched
	Confirmed  bool                  // the provider has confirmed an opt-out or opt-in itself
	// the gateway does not vouch for the sender: nothing is taken from the words but an opt-out
	Doubtful bool
}

// Media is a file of an inbound message that its provider keeps.
type Media struct {
	URL         string `json:"url"`
	ContentType string `json:"contentType"`
}

// Received is what became of an inbound message. LeadID is nil for a sender nobody knows: the message is kept.
type Received struct {
	MessageID dossier.MessageID
	LeadID    *dossier.LeadID
	Repeated  bool
}

// ReceiveMessage keeps a message of a lead and does what it asks: an opt-out word opts out at once, values are put on
// open items, files become documents, and the agent of an open run answers. All in one commit; a repeat of the same
// provider id changes nothing. rules understand the message.
func (db *DB) ReceiveMessage(ctx context.Context, ws dossier.WorkspaceID, in Inbound,
	rules dossier.InboundRules) (Received, error) {
	return transact(ctx, db, ws, "receive message", func(tx *tx) (Received, error) {
		lead, err := findSender(ctx, tx, in)
		if err != nil {
			return Received{}, err
		}
		if lead != "" {
			if _, err := lockLeadRef(ctx, tx, lead); err != nil {
				return Received{}, err
			}
		}
		m, fresh, err := storeInbound(ctx, tx, in, lead)
		if err != nil || !fresh {
			return Received{m.ID, m.LeadID, true}, err
		}
		received := Received{MessageID: m.ID, LeadID: m.LeadID}
		if lead == "" {
			return received, emitMessage(ctx, tx, dossier.EventMessageReceived, leadRef{}, m)
		}
		return received, handleInbound(ctx, tx, in, rules, &m)
	})
}

// findSender finds the lead that wrote: the one whose message is answered, else the one with this address that was
// written to last.
func findSender(ctx context.Context, tx *tx, in Inbound) (lead dossier.LeadID, err error) {
	if in.InReplyTo != nil {
		err = tx.QueryRow(ctx, `SELECT l.id FROM messages m JOIN leads l ON l.workspace_id = m.workspace_id
			AND l.id = m.lead_id AND l.deleted_at IS NULL
			WHERE m.workspace_id = $1 AND m.channel = $2 AND m.direction = 'OUTBOUND'
			AND m.provider_message_id = $3`, tx.ws, in.Channel, *in.InReplyTo).Scan(&lead)
		if err == nil || !errors.Is(err, pgx.ErrNoRows) {
			return lead, err
		}
	}
	err = tx.QueryRow(ctx, `SELECT l.id FROM leads l WHERE l.workspace_id = $1 AND l.deleted_at IS NULL
		AND `+addressColumn(in.Channel)+` = $2
		ORDER BY (SELECT max(m.created_at) FROM messages m WHERE m.workspace_id = $1 AND m.lead_id = l.id
		AND m.direction = 'OUTBOUND') DESC NULLS LAST,
			l.is_test, l.created_at DESC, l.id DESC LIMIT 1`, tx.ws, folded(in)).Scan(&lead)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return lead, err
}

func addressColumn(channel dossier.Channel) string {
	if channel == dossier.ChannelEmail {
		return "l.email_folded"
	}
	return "l.phone_number"
}

func folded(in Inbound) string {
	if in.Channel == dossier.ChannelEmail {
		return strings.ToLower(in.From)
	}
	return in.From
}

// storeInbound stores the message, or finds the one that was stored before.
func storeInbound(ctx context.Context, tx *tx, in Inbound, lead dossier.LeadID) (m dossier.Message, fresh bool,
	err error) {
	id := newID[dossier.MessageID]()
	tag, err := tx.Exec(ctx, `INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status,
		from_address,
		to_address, subject, body,
			provider_message_id, in_reply_to, created_at, updated_at, media, authenticated)
		VALUES (@workspace, @id, @leadId, 'INBOUND', @channel, 'RECEIVED', @fromAddress, @toAddress, @subject, @body,
			@providerMessageId, @inReplyTo, @now, @now, @media, @authenticated)
		ON CONFLICT (workspace_id, channel, direction, provider_message_id)
		WHERE provider_message_id IS NOT NULL DO NOTHING`,
		pgx.NamedArgs{"workspace": tx.ws, "id": id, "leadId": dossier.OrNil(lead), "channel": in.Channel,
			"fromAddress": in.From, "toAddress": in.To, "subject": masked(in.Subject),
			"body": dossier.MaskSecrets(in.Text), "providerMessageId": in.ProviderID, "inReplyTo": in.InReplyTo,
			"now": tx.now, "media": mediaJSON(in.Media), "authenticated": !in.Doubtful})
	if err != nil {
		return m, false, err
	}
	m, err = oneOf(ctx, tx, "message", pgx.RowToStructByName[dossier.Message], `SELECT `+messageColumns+`
		FROM messages m
		WHERE m.workspace_id = $1 AND m.channel = $2 AND m.direction = 'INBOUND'
		AND m.provider_message_id = $3`, tx.ws, in.Channel, in.ProviderID)
	return m, tag.RowsAffected() == 1, err
}

// handleInbound does what a message of a known lead asks.
func handleInbound(ctx context.Context, tx *tx, in Inbound, rules dossier.InboundRules, m *dossier.Message) error {
	lead, err := lockLeadRef(ctx, tx, *m.LeadID)
	if err != nil {
		return err
	}
	run, err := answeringRun(ctx, tx, lead.LeadID)
	if err != nil {
		return err
	}
	if run != nil {
		m.RunID, m.AgentID = &run.ID, &run.AgentID
	}
	if err := createAttachedDocuments(ctx, tx, lead, in, m); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `UPDATE messages SET workflow_run_id = $3, agent_id = $4, document_ids = $5
			WHERE workspace_id = $1 AND id = $2`,
		tx.ws, m.ID, m.RunID, m.AgentID, nonNil(m.DocumentIDs)); err != nil {
		return err
	}
	if err := logInbound(ctx, tx, in, *m); err != nil {
		return err
	}
	if err := emitMessage(ctx, tx, dossier.EventMessageReceived, lead, *m); err != nil {
		return err
	}
	if robot.MatchString(in.From) {
		return nil // two programs that answer each other never end
	}
	consented, err := handleConsent(ctx, tx, in, rules, *m)
	if err != nil || consented || in.Doubtful { // an agent that answers would tell whoever wrote what the lead has
		return err
	}
	if err := applyReplyValues(ctx, tx, rules, *m, in.Text); err != nil {
		return err
	}
	if len(in.Media) > 0 { // the answer waits for them
		_, err := enqueue(ctx, tx, jobs.FetchMedia{Workspace: tx.ws, Message: m.ID}, staging{subject: string(m.ID)})
		return err
	}
	if run == nil {
		return nil
	}
	// Not staged under the run's id: a pause ends what the run has queued, and replies are still answered.
	_, err = enqueue(ctx, tx, jobs.TakeTurn{Workspace: tx.ws, Run: run.ID, Reply: m.ID}, staging{subject: string(m.ID)})
	return err
}

var robot = regexp.MustCompile(`(?i)^(mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?)([+._-].*)?@`)

// answeringRun is the open run whose agent answers: one that is there for questions, else the newest. Nil: none.
func answeringRun(ctx context.Context, tx *tx, lead dossier.LeadID) (*dossier.Run, error) {
	runs, err := collect(ctx, tx, pgx.RowToStructByName[dossier.Run], `SELECT `+runColumns+` FROM workflow_runs
		WHERE workspace_id = $1 AND lead_id = $2 AND status IN ('ACTIVE', 'PAUSED')
		ORDER BY workflow_type = 'SUPPORT' DESC, created_at DESC, id DESC LIMIT 1`, tx.ws, lead)
	if err != nil || len(runs) == 0 {
		return nil, err
	}
	return &runs[0], nil
}

// createAttachedDocuments makes documents of the files, which take the way of every upload, and notes which of them
// cannot be used.
func createAttachedDocuments(ctx context.Context, tx *tx, lead leadRef, in Inbound, m *dossier.Message) error {
	up := Upload{LeadID: lead.LeadID, Source: dossier.SourcePortal, Files: in.Files}
	var documents []dossier.Document
	refused, room := in.Refused, documentRoom{}
	if len(in.Files) > 0 {
		holdLimit(tx, string(lead.LeadID))
		var err error
		if room, err = readRoom(ctx, tx, lead.LeadID); err != nil {
			return err
		}
	}
	for _, file := range in.Files {
		if !room.reserve(file.Size) {
			refused = append(refused, dossier.RefusedFile{Name: file.Filename, Why: dossier.RefusedLimit})
			continue // its object has no row: the sweep takes it
		}
		if !dossier.ReadableFile(file.Filename, file.MimeType) {
			refused = append(refused, dossier.RefusedFile{Name: file.Filename, Why: dossier.RefusedType})
		}
		d, err := createDocument(ctx, tx, lead, up, file)
		if err != nil {
			return err
		}
		documents, m.DocumentIDs = append(documents, d), append(m.DocumentIDs, d.ID)
	}
	if len(refused) > 0 {
		tx.deferExec(
			`UPDATE messages SET refused = $3 WHERE workspace_id = $1 AND id = $2`, tx.ws, m.ID, mustJSON(refused))
	}
	if len(documents) == 0 {
		return nil
	}
	_, err := logUpload(ctx, tx, up, documents)
	return err
}

// wordsShown is how much of what somebody wrote a summary repeats.
const wordsShown = 100

// summaryOf adds the first words of a text to what happened.
func summaryOf(what, words string) string { return summaryWithin(what, words, wordsShown) }

// summaryWithin repeats at most so many characters.
func summaryWithin(what, words string, shown int) string {
	runes := []rune(strings.Join(strings.Fields(words), " "))
	switch {
	case len(runes) == 0:
		return what
	case len(runes) > shown:
		runes = append(runes[:shown], []rune("...")...)
	}
	return what + ": " + string(runes)
}

func logInbound(ctx context.Context, tx *tx, in Inbound, m dossier.Message) error {
	input := map[string]any{"channel": m.Channel, "messageId": m.ID}
	if len(in.LeftAside) > 0 {
		input["leftAside"] = in.LeftAside
	}
	if len(in.Refused) > 0 {
		input["refused"] = in.Refused
	}
	id, err := logAction(ctx, tx, dossier.ActionLog{LeadID: *m.LeadID, RunID: m.RunID, AgentID: m.AgentID,
		Type:    dossier.ActionInboundMessage,
		Summary: summaryOf("The lead wrote ("+m.Channel+")", dossier.QuestionText(m.Body)), DocumentIDs: m.DocumentIDs},
		input)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE action_logs SET message_id = $3 WHERE workspace_id = $1 AND id = $2`, tx.ws, id, m.ID)
	return err
}

// handleConsent opts the lead out or in when its message is one of the words for it, and confirms that once. An
// opt-out holds for every lead of this address: it is the person who gave or took consent.
func handleConsent(ctx context.Context, tx *tx, in Inbound, rules dossier.InboundRules, m dossier.Message) (bool,
	error) {
	optOut, optIn := dossier.Consent(m.Body)
	if !optOut && (!optIn || in.Doubtful) {
		return false, nil
	}
	leads, err := collect(ctx, tx, pgx.RowTo[dossier.LeadID], `SELECT l.id FROM leads l
		WHERE l.workspace_id = $1 AND l.deleted_at IS NULL AND (l.id = $2
		OR `+addressColumn(in.Channel)+` = $3) AND l.did_opt_out <> $4
		ORDER BY l.id = $2 DESC, l.id`, tx.ws, *m.LeadID, folded(in), optOut)
	if err != nil {
		return false, err
	}
	if len(leads) == 0 {
		// STOP once more needs no answer; YES of a lead that never opted out is an answer to something
		return optOut, nil
	}
	for _, lead := range leads {
		if err := updateLead(ctx, tx, lead, dossier.LeadUpdate{DidOptOut: &optOut}, 0,
			Caller{Source: dossier.SourceAgent}); err != nil {
			return false, err
		}
	}
	if in.Confirmed {
		return true, nil
	}
	return true, confirmConsent(ctx, tx, in, rules, m, optOut)
}

// confirmConsent answers an opt-out or opt-in: the one message that goes to a lead that opted out.
func confirmConsent(ctx context.Context, tx *tx, in Inbound, rules dossier.InboundRules, m dossier.Message,
	optedOut bool) error {
	lead, err := readLeadAndWorkspace(ctx, tx, *m.LeadID)
	if err != nil {
		return err
	}
	subject, body := rules.Confirm(lead.Lead.Language(lead.Language), lead.company(), optedOut)
	reply := dossier.Message{ID: newID[dossier.MessageID](), LeadID: m.LeadID, Direction: dossier.MessageOutbound,
		Channel: string(in.Channel),
		Status:  dossier.MessageQueued, To: &in.From, Body: body, ScheduledAt: &tx.now, CreatedAt: tx.now,
		UpdatedAt: tx.now}
	if in.Channel == dossier.ChannelEmail {
		reply.Subject = &subject
	}
	insertMessage(tx, newMessage{Message: reply, Purpose: dossier.PurposeConfirmation})
	return stageSending(ctx, tx, reply)
}

func masked(subject *string) *string {
	if subject == nil {
		return nil
	}
	kept := dossier.MaskSecrets(*subject)
	return &kept
}

// applyReplyValues puts what the lead wrote onto open items where it is valid; what is not stays words. words are those
// of the message before its secrets were masked.
func applyReplyValues(ctx context.Context, tx *tx, rules dossier.InboundRules, m dossier.Message, words string) error {
	locked, err := lockLead(ctx, tx, *m.LeadID)
	if err != nil {
		return err
	}
	locked.checklist.Resolve()
	var items []dossier.ItemUpdate
	for _, item := range rules.Values(&locked.checklist, words, locked.region) {
		if entry := locked.checklist.Entry(item.Code); entry != nil {
			if _, problem := dossier.ParseItemValue(entry.Item, item.Value, locked.region); problem.None() {
				items = append(items, item)
			}
		}
	}
	if len(items) == 0 {
		return nil
	}
	return updateLead(ctx, tx, *m.LeadID, dossier.LeadUpdate{Items: items}, 0, Caller{Source: dossier.SourceAgent})
}
