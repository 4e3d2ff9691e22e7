package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// Send calls a message's provider: see dossier.Outgoing and dossier.SendResult.
type Send func(context.Context, dossier.Outgoing) (dossier.SendResult, error)

// SendMessage hands a queued message to send, unless by now it must not go: cancelled, its run paused or over, the
// lead opted out or closed; in quiet hours it waits for their end. All of this is judged, and the message marked
// as being sent, under the locks that a pause, a cancel or an opt-out takes too: after such a commit no call begins.
// Nothing is held while send calls, and the outcome is stored after it; of a call that a stop overtook the outcome
// counts. send is called at most once a message, except after errors that it returns, which mean that the provider did
// not take it. After a crash in between send is told so and only finds out; what nobody can find out leaves the message
// FAILED as outcome_unknown: it is never sent twice. The provider log takes messages in the commit itself, and those of
// test leads. publicURL is the base of links. Errors: ErrFenced, those of send.
func (db *DB) SendMessage(ctx context.Context, claim Claim, id dossier.MessageID, publicURL string, send Send) error {
	type ready struct {
		out    dossier.Outgoing
		remote bool
	}
	r, err := transact(ctx, db, claim.Workspace, "prepare message", func(tx *tx) (ready, error) {
		s, err := readySending(ctx, tx, claim, id)
		switch {
		case err != nil || s.over:
			return ready{}, err
		case s.config.Provider == providerLog:
			return ready{}, s.sent(ctx, tx, claim, dossier.SendResult{ProviderID: logID(id), From: s.config.From})
		case s.stored.SendingAt == nil:
			tx.deferExec(`UPDATE messages SET sending_at = $3 WHERE workspace_id = $1 AND id = $2`, tx.ws, id, tx.now)
		}
		out, err := s.outgoing(ctx, tx, s.stored.SendingAt, publicURL)
		return ready{out, true}, err
	})
	if err != nil || !r.remote {
		return err
	}
	result, err := send(ctx, r.out)
	switch {
	case err == nil:
		return db.settleSending(ctx, claim, id, result)
	case r.out.CalledAt == nil: // the provider did not take it: it may be offered again
		return orElse(db.releaseMessage(ctx, claim.Workspace, id), err)
	}
	return err
}

// providerLog sends nothing: it takes messages in the commit that stores them.
const providerLog = "log"

func logID(id dossier.MessageID) string { return providerLog + ":" + string(id) }

func (db *DB) releaseMessage(ctx context.Context, ws dossier.WorkspaceID, id dossier.MessageID) error {
	_, err := transact(ctx, db, ws, "release message", func(tx *tx) (none, error) {
		_, err := tx.Exec(ctx, `UPDATE messages SET sending_at = NULL WHERE workspace_id = $1 AND id = $2
				AND status = 'QUEUED'`, tx.ws, id)
		return none{}, err
	})
	return err
}

// settleSending stores what became of a message that send called for.
func (db *DB) settleSending(ctx context.Context, claim Claim, id dossier.MessageID, result dossier.SendResult) error {
	_, err := transact(ctx, db, claim.Workspace, "settle message", func(tx *tx) (none, error) {
		m, err := lockMessage(ctx, tx, id)
		switch {
		case dossier.KindOf(err) == dossier.NotFound: // deleted meanwhile: there is nothing to tell
			return none{}, finishJob(ctx, tx, claim, "message:"+string(id))
		case err != nil:
			return none{}, err
		case m.Status != dossier.MessageQueued:
			if err := settleStopped(ctx, tx, m, result); err != nil {
				return none{}, err
			}
			if err := finishJob(ctx, tx, claim, "message:"+string(id)); !errors.Is(err, ErrFenced) {
				return none{}, err
			}
			return none{}, nil // the stop ended the job too: what became of the message is known all the same
		}
		s := sending{message: m}
		if err := s.read(ctx, tx); err != nil {
			return none{}, err
		}
		switch {
		case result.Unknown:
			return none{}, s.failed(ctx, tx, claim,
				dossier.Coded(dossier.Internal, "outcome_unknown",
					"The provider was being called when the connection or the sender broke; the message may have "+
						"arrived and is not repeated"))
		case result.Refused != nil:
			return none{}, s.failed(ctx, tx, claim, result.Refused)
		}
		return none{}, s.sent(ctx, tx, claim, result)
	})
	return err
}

// settleStopped tells of a message that was stopped while its provider was being called, and left: nobody knew until
// now.
func settleStopped(ctx context.Context, tx *tx, m dossier.Message, result dossier.SendResult) error {
	report := dossier.DeliveryReceipt{Channel: dossier.Channel(m.Channel), ProviderID: result.ProviderID,
		Status: dossier.MessageSent}
	status, changes := report.Settles(m)
	if !changes || result.Unknown || result.Refused != nil {
		return nil
	}
	lead, err := lockLeadRef(ctx, tx, *m.LeadID)
	if err != nil {
		return err
	}
	m.From = dossier.OrNil(result.From)
	return settleReport(ctx, tx, lead, &m, report, status)
}

// sending is one message at the moment of its sending, in the transaction that holds it.
type sending struct {
	message dossier.Message
	stored  storedSending
	ref     leadRef
	lead    leadAndWorkspace
	run     dossier.RunStatus // empty: it belongs to none
	config  dossier.ChannelConfig
	over    bool // settled already: there is nothing to send now
}

// storedSending is what else is stored of a message that is to leave.
type storedSending struct {
	Purpose   dossier.MessagePurpose
	SendingAt *time.Time // a try before this one may have reached the provider
	Test      bool       // approved with a test key
	Template  []string
}

// outgoing is the message with what its provider needs besides.
func (s *sending) outgoing(ctx context.Context, tx *tx, calledAt *time.Time, publicURL string) (out dossier.Outgoing,
	err error) {
	out = dossier.Outgoing{Message: s.message, Provider: s.config, Company: s.lead.company(),
		Template: s.stored.Template, CalledAt: calledAt}
	out.Language = s.lead.Lead.Language(s.lead.Language)
	if out.Contact, err = messageLinks(ctx, tx, s.message, publicURL); err != nil {
		return out, err
	}
	if err := fillLinks(ctx, tx, s.lead, &out, publicURL); err != nil {
		return out, err
	}
	switch dossier.Channel(s.message.Channel) {
	case dossier.ChannelEmail:
		out.Thread, err = emailThread(ctx, tx, s.lead.ID)
	case dossier.ChannelWhatsApp:
		out.WindowOpen, err = windowOpen(ctx, tx, s.lead.ID)
	}
	return out, err
}

// readySending locks lead, run and message and settles every message that must not go now.
func readySending(ctx context.Context, tx *tx, claim Claim, id dossier.MessageID) (s sending, err error) {
	s.message, err = lockMessage(ctx, tx, id)
	if dossier.KindOf(err) == dossier.NotFound || err == nil && s.message.Status != dossier.MessageQueued {
		s.over = true
		return s, finishJob(ctx, tx, claim, "message:"+string(id))
	}
	if err != nil {
		return s, err
	}
	if err := s.read(ctx, tx); err != nil {
		return s, err
	}
	if why := s.forbidden(); why != "" {
		return s, s.cancelled(ctx, tx, claim, why)
	}
	if wait := s.notBefore(tx.now).Sub(tx.now); wait > earliness {
		return s, s.putOff(ctx, tx, claim, wait)
	}
	if s.config.Provider == "" {
		s.over = true
		return s, s.failed(ctx, tx, claim,
			dossier.Coded(dossier.Conflict, "channel_not_configured",
				"The workspace has no provider for the channel %s", s.message.Channel))
	}
	return s, nil
}

// read reads what decides whether the message may go; its lead is held, and its run is from now on.
func (s *sending) read(ctx context.Context, tx *tx) error {
	var run heldRun
	batch := &pgx.Batch{}
	queueOne(batch, &s.stored, "message", pgx.RowToStructByPos[storedSending], `SELECT purpose, sending_at,
			approved_test, template FROM messages WHERE workspace_id = $1 AND id = $2`,
		tx.ws, s.message.ID)
	queueOne(batch, &s.lead, "lead", pgx.RowToStructByName[leadAndWorkspace], selectLeadAndWorkspace+`$2`, tx.ws,
		*s.message.LeadID)
	if s.message.RunID != nil {
		run.queue(batch, tx, *s.message.RunID)
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	s.ref = leadRef{LeadID: s.lead.ID, ExternalLeadID: s.lead.ExternalLeadID}
	s.config = s.lead.Channels[dossier.Channel(s.message.Channel)]
	if s.message.RunID == nil {
		return nil
	}
	_, found, err := run.found()
	s.run = found.Status
	return err
}

// forbidden says why the message must not go at all, or "".
func (s *sending) forbidden() string {
	if s.stored.Test && !s.lead.IsTest {
		return "It was approved with a test key"
	}
	if s.stored.Purpose == dossier.PurposeConfirmation {
		return ""
	}
	if why := s.lead.Unreachable(); why != "" {
		return why
	}
	switch {
	case s.run.Ended():
		return "The workflow run has ended"
	case s.run == dossier.RunPaused && s.stored.Purpose == dossier.PurposeOutreach:
		return "The workflow run is paused"
	}
	return ""
}

// notBefore is when the message may go: when it was planned for, outside quiet hours. A confirmation goes at once.
func (s *sending) notBefore(now time.Time) time.Time {
	if s.stored.Purpose == dossier.PurposeConfirmation {
		return now
	}
	due := now
	if s.message.ScheduledAt != nil && s.message.ScheduledAt.Sub(now) > earliness {
		due = *s.message.ScheduledAt
	}
	return s.lead.quiet().Next(due, dossier.Zone(s.lead.Zone))
}

func (s *sending) putOff(ctx context.Context, tx *tx, claim Claim, wait time.Duration) error {
	s.over = true
	due := tx.now.Add(wait)
	s.message.ScheduledAt = &due
	updateMessage(tx, s.message)
	if err := updateTimelineEntry(ctx, tx, s.message, dossier.ActionPending, "", Caller{}); err != nil {
		return err
	}
	return snoozeJob(ctx, tx, claim, wait, "not_due")
}

func (s *sending) cancelled(ctx context.Context, tx *tx, claim Claim, why string) error {
	s.over = true
	s.message.Status = dossier.MessageCancelled
	updateMessage(tx, s.message)
	if err := updateTimelineEntry(ctx, tx, s.message, dossier.ActionCancelled, "Message not sent: "+why,
		Caller{}); err != nil {
		return err
	}
	return finishJob(ctx, tx, claim, "message:"+string(s.message.ID))
}

func (s *sending) sent(ctx context.Context, tx *tx, claim Claim, result dossier.SendResult) error {
	s.message.Status, s.message.SentAt, s.message.From = dossier.MessageSent, &tx.now, dossier.OrNil(result.From)
	updateMessage(tx, s.message)
	tx.deferExec(`UPDATE messages m SET provider_message_id = $3 WHERE m.workspace_id = $1 AND m.id = $2`+
		providerIDFree, tx.ws, s.message.ID, dossier.OrNil(result.ProviderID))
	if err := settleMessage(ctx, tx, s.ref, s.message, dossier.ActionCompleted, "",
		dossier.EventMessageSent); err != nil {
		return err
	}
	return finishJob(ctx, tx, claim, "message:"+string(s.message.ID))
}

// providerIDFree is that no other message bears the provider's id $3 that message m is given. A provider that gives one
// id to two messages stops neither: the id stays the first's, and reports of the second find it by our own.
const providerIDFree = ` AND NOT EXISTS (SELECT FROM messages o WHERE o.workspace_id = m.workspace_id
	AND o.channel = m.channel AND o.direction = m.direction AND o.provider_message_id = $3 AND o.id <> m.id)`

func (s *sending) failed(ctx context.Context, tx *tx, claim Claim, why *dossier.Error) error {
	if err := failMessage(ctx, tx, s.ref, s.message, why); err != nil {
		return err
	}
	return finishJob(ctx, tx, claim, "message:"+string(s.message.ID))
}

// failMessage stores why a message did not leave, or came back, and plans what follows. Whoever opted out with the
// provider has opted out here too.
func failMessage(ctx context.Context, tx *tx, lead leadRef, m dossier.Message, why *dossier.Error) error {
	m.Status, m.ErrorCode, m.ErrorDetail = dossier.MessageFailed, &why.Code, &why.Message
	updateMessage(tx, m)
	if err := settleMessage(ctx, tx, lead, m, dossier.ActionFailed, "Message failed: "+why.Message,
		dossier.EventMessageFailed); err != nil {
		return err
	}
	if why.Code != "recipient_opted_out" {
		return nil
	}
	out := true
	return updateLead(ctx, tx, lead.LeadID, dossier.LeadUpdate{DidOptOut: &out}, 0, Caller{Source: dossier.SourceAgent})
}

// settleMessage tells of a message that left or failed, and plans what follows it.
func settleMessage(ctx context.Context, tx *tx, lead leadRef, m dossier.Message, status dossier.ActionLogStatus,
	summary string, event dossier.EventType) error {
	counts, err := countFollowUp(ctx, tx, m)
	if err != nil {
		return err
	}
	if err := updateTimelineEntry(ctx, tx, m, status, summary, Caller{}); err != nil {
		return err
	}
	if err := emitMessage(ctx, tx, event, lead, m); err != nil {
		return err
	}
	return planAfter(ctx, tx, m, counts)
}

// countFollowUp counts a follow-up or reminder against its cap, and says whether the message was one.
func countFollowUp(ctx context.Context, tx *tx, m dossier.Message) (bool, error) {
	if m.RunID == nil {
		return false, nil
	}
	tag, err := tx.Exec(ctx, `UPDATE workflow_runs r SET sent_count = sent_count + 1 FROM action_logs a
		WHERE r.workspace_id = $1 AND r.id = $2 AND a.workspace_id = $1 AND a.lead_id = $4 AND a.message_id = $3
		AND a.status = 'PENDING'
		AND a.input->>'trigger' IN ('FOLLOW_UP', 'REMINDER')`, tx.ws, m.RunID, m.ID, m.LeadID)
	return tag.RowsAffected() > 0, err
}

// planAfter is follow.after for a message whose run is not read yet.
func planAfter(ctx context.Context, tx *tx, m dossier.Message, counted bool) error {
	if m.RunID == nil {
		return nil
	}
	f, err := readNextTurn(ctx, tx, *m.RunID)
	if err != nil {
		return err
	}
	return f.planAfterMessage(ctx, tx, counted, m.Status == dossier.MessageRejected)
}
