package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// Tried is a delivery as it was before an attempt, and the attempt. The attempt's Number is left to the store.
type Tried struct {
	Delivery dossier.Delivery
	Attempt  dossier.Attempt
}

// Saved is what SaveAttempts decided.
type Saved struct {
	Deliveries []dossier.Delivery // after the attempts, in their order
	Disabled   bool               // the endpoint was disabled by them
	OpenUntil  time.Time          // the breaker is open until then; zero: closed
}

// SaveAttempts records attempts at one endpoint in one commit: the log, where each delivery stands now, the endpoint's
// health, and for a first failure the job that makes the later tries. weigh says that the endpoint may have a record of
// failures, so successes count too; failures always count. schedule is when tries are made.
// A delivery that ended meanwhile (its endpoint was disabled or deleted) keeps its status; the attempt is logged.
// Error: ErrFenced, nothing is written then.
func (db *DB) SaveAttempts(ctx context.Context, claim Claim, webhook dossier.WebhookID, tried []Tried, weigh bool,
	schedule dossier.Schedule) (Saved, error) {
	tried = slices.Clone(tried) // the caller may read its own while this commits
	if !weigh && allSucceeded(tried) {
		saved, err := db.saveSuccesses(ctx, claim, tried, schedule)
		if err == nil || !retrySingly(err) {
			return saved, translate("save attempts", err)
		}
	}
	return transact(ctx, db, claim.Workspace, "save attempts", func(tx *tx) (Saved, error) {
		if err := holdClaim(ctx, tx, claim); err != nil {
			return Saved{}, err
		}
		return saveAttempts(ctx, tx, webhook, tried, weigh, schedule)
	})
}

// SaveRetry is SaveAttempts for the job of one delivery's later tries: in the same commit the job ends with the
// delivery, or waits for its next try.
func (db *DB) SaveRetry(ctx context.Context, claim Claim, tried Tried,
	schedule dossier.Schedule) (dossier.Delivery, error) {
	return transact(ctx, db, claim.Workspace, "save retry", func(tx *tx) (dossier.Delivery, error) {
		if err := holdClaim(ctx, tx, claim); err != nil {
			return dossier.Delivery{}, err
		}
		saved, err := saveAttempts(ctx, tx, tried.Delivery.WebhookID, []Tried{tried}, true, schedule)
		if err != nil {
			return dossier.Delivery{}, err
		}
		d := saved.Deliveries[0]
		if d.Status == dossier.DeliveryPending {
			return d, retryJob(ctx, tx, claim, d.NextAttemptAt.Sub(end(tried.Attempt)), string(tried.Attempt.Error),
				"The endpoint did not take the event")
		}
		return d, finishJob(ctx, tx, claim, "delivery:"+string(d.ID))
	})
}

func allSucceeded(tried []Tried) bool {
	return !slices.ContainsFunc(tried, func(t Tried) bool { return !t.Attempt.OK() || t.Delivery.Tries > 0 })
}

// saveSuccesses records first tries that succeeded, in one commit with those of other endpoints: nothing follows from
// them but their own rows.
func (db *DB) saveSuccesses(ctx context.Context, claim Claim, tried []Tried, schedule dossier.Schedule) (Saved, error) {
	saved := Saved{Deliveries: applied(tried, schedule)}
	_, err := db.saves.do(ctx, successes{claim, tried, saved.Deliveries})
	return saved, err
}

// successes is what one sender saves, under its job.
type successes struct {
	claim Claim
	tried []Tried
	after []dossier.Delivery
}

// saveGroup commits what several senders save at once, in the same few statements for all of a workspace. Jobs are held
// in the order of their ids, as heartbeats do.
func (db *DB) saveGroup(ctx context.Context, writes []successes) ([]none, error) {
	byOwner := map[dossier.WorkspaceID]successesOf{}
	for _, write := range slices.SortedFunc(slices.Values(writes),
		func(a, b successes) int { return cmp.Compare(a.claim.Job, b.claim.Job) }) {
		of := byOwner[write.claim.Workspace]
		of.jobs, of.epochs = append(of.jobs, write.claim.Job), append(of.epochs, write.claim.Epoch)
		of.tried, of.after = append(of.tried, write.tried...), append(of.after, write.after...)
		byOwner[write.claim.Workspace] = of
	}
	return retry(ctx, "save attempts", func() ([]none, error) {
		batch := &pgx.Batch{}
		for _, ws := range slices.Sorted(maps.Keys(byOwner)) {
			byOwner[ws].queue(batch, ws)
		}
		return make([]none, len(writes)), db.app.SendBatch(ctx, batch).Close()
	})
}

// successesOf is what senders of one workspace save.
type successesOf struct {
	jobs   []dossier.JobID
	epochs []int
	tried  []Tried
	after  []dossier.Delivery
}

// queue adds the statements: all or, when one of the claims is lost, an error.
func (s successesOf) queue(batch *pgx.Batch, ws dossier.WorkspaceID) {
	batch.Queue("select set_config($1, $2, true)", "app.ws", string(ws))
	batch.Queue(`WITH mine AS MATERIALIZED (SELECT j.id FROM unnest($1::uuid[], $2::int[]) AS held (id, epoch)
			JOIN jobs j ON j.id = held.id AND j.workspace_id = $3 AND j.epoch = held.epoch AND j.status = 'RUNNING'
				WHERE `+rowEstimateHint("held.epoch")+` ORDER BY j.id FOR SHARE OF j)
		SELECT CASE WHEN (SELECT count(*) FROM mine) < $4 THEN absent('claim') END`, s.jobs, s.epochs, ws, len(s.jobs))
	sql, args := attemptsWrite(ws, s.tried, s.after)
	batch.Queue(sql, args...)
}

// applied is each delivery after its attempt, which gets its number.
func applied(tried []Tried, schedule dossier.Schedule) []dossier.Delivery {
	after := make([]dossier.Delivery, len(tried))
	for i := range tried {
		t := &tried[i]
		t.Attempt.Number = t.Delivery.Attempts + 1
		after[i] = t.Delivery
		after[i].Apply(t.Attempt, schedule, rand.Float64())
	}
	return after
}

func saveAttempts(ctx context.Context, tx *tx, webhook dossier.WebhookID, tried []Tried, weigh bool,
	schedule dossier.Schedule) (Saved, error) {
	saved := Saved{Deliveries: make([]dossier.Delivery, len(tried))}
	for i := range tried {
		t := &tried[i]
		t.Attempt.Number = t.Delivery.Attempts + 1
		saved.Deliveries[i] = t.Delivery
		saved.Deliveries[i].Apply(t.Attempt, schedule, rand.Float64())
		weigh = weigh || !t.Attempt.OK()
	}
	if weigh {
		if err := weighAttempts(ctx, tx, webhook, tried, &saved); err != nil {
			return saved, err
		}
	}
	sql, args := attemptsWrite(tx.ws, tried, saved.Deliveries)
	tx.deferExec(sql, args...)
	return saved, stageFollowing(ctx, tx, tried, saved.Deliveries)
}

// holdClaim keeps the claim until the commit: nobody can take the job away meanwhile. Error: ErrFenced.
func holdClaim(ctx context.Context, tx *tx, claim Claim) error {
	tag, err := tx.Exec(ctx, `SELECT FROM jobs WHERE id = $1 AND workspace_id = $2 AND epoch = $3
		AND status = 'RUNNING' FOR SHARE`,
		claim.Job, claim.Workspace, claim.Epoch)
	if err == nil && tag.RowsAffected() == 0 {
		return ErrFenced
	}
	return err
}

// attemptRow is an attempt and its delivery after it.
type attemptRow struct {
	ID        dossier.DeliveryID     `json:"id"`
	Number    int                    `json:"number"`
	Tries     int                    `json:"tries"`
	StartedAt time.Time              `json:"started_at"`
	Duration  int64                  `json:"duration_ms"`
	Code      int                    `json:"code"`
	Error     dossier.ErrorClass     `json:"error"`
	Response  string                 `json:"response"`
	Status    dossier.DeliveryStatus `json:"status"`
	Due       *time.Time             `json:"due"`
	Completed *time.Time             `json:"completed_at"`
}

// attemptsWrite is the statement that writes the log and the deliveries of all.
func attemptsWrite(ws dossier.WorkspaceID, tried []Tried, after []dossier.Delivery) (string, []any) {
	rows := make([]attemptRow, len(tried))
	for i, t := range tried {
		a, d := t.Attempt, after[i]
		rows[i] = attemptRow{
			ID: d.ID, Number: a.Number, Tries: d.Tries, StartedAt: a.StartedAt, Duration: a.Duration.Milliseconds(),
			Code: a.Status, Error: a.Error, Response: a.Response,
			Status: d.Status, Due: d.NextAttemptAt, Completed: d.CompletedAt,
		}
	}
	return `
		WITH t AS (
			SELECT t.* FROM jsonb_to_recordset($2) AS t (id uuid, number int, tries int, started_at timestamptz,
				duration_ms int, code int, error text, response text, status text, due timestamptz,
					completed_at timestamptz)),
		d AS (
			UPDATE deliveries d SET status = t.status, attempts = t.number, tries = t.tries, next_attempt_at = t.due,
				last_status = t.code, last_error = t.error, completed_at = t.completed_at
			FROM t WHERE d.workspace_id = $1 AND d.id = t.id AND d.status = 'PENDING' AND ` +
		rowEstimateHint("t.number") + `)
		INSERT INTO attempts (workspace_id, delivery_id, number, started_at, duration_ms, status, error, response)
		SELECT $1, id, number, started_at, duration_ms, code, error, response FROM t`, []any{ws, rows}
}

// stageFollowing stages what the attempts make due: for each first failure the job of its later tries; for each
// delivery that no longer holds back its lead's later ones, the sender that takes those.
func stageFollowing(ctx context.Context, tx *tx, tried []Tried, after []dossier.Delivery) error {
	for i, d := range after {
		if d.Status == dossier.DeliveryPending && d.Tries == 1 {
			job := jobs.DeliverWebhook{Workspace: tx.ws, Webhook: d.WebhookID, Delivery: d.ID}
			// A delay, since the due time was reckoned by the clock of this worker, which may be wrong.
			if _, err := enqueue(ctx, tx, job, staging{delay: d.NextAttemptAt.Sub(end(tried[i].Attempt)),
				uniqueKey: "deliver:" + string(d.ID)}); err != nil {
				return err
			}
		}
		if tried[i].Delivery.Tries > 0 && tried[i].Delivery.HoldsBack() && !d.HoldsBack() {
			if err := releaseLead(ctx, tx, d); err != nil {
				return err
			}
		}
	}
	return nil
}

// releaseLead stages the endpoint's sender when deliveries of d's lead may have waited for d: when any wait. Whether
// one of them is of this lead would be asked of all, and there may be a million.
func releaseLead(ctx context.Context, tx *tx, d dossier.Delivery) error {
	// A dispatcher that still saw the retry stages no sender for what it dispatches: it is seen below, or the
	// dispatcher waits here and sees the lead free (stageBusy).
	lockSender(tx, d.WebhookID)
	var waits bool
	err := tx.QueryRow(ctx, `SELECT coalesce((SELECT true FROM deliveries WHERE workspace_id = $1 AND webhook_id = $2
		AND status = 'PENDING' AND tries = 0
		ORDER BY position LIMIT 1), false)`, tx.ws, d.WebhookID).Scan(&waits)
	if err != nil || !waits {
		return err
	}
	return stageSenders(ctx, tx, []dossier.Webhook{{Workspace: tx.ws, ID: d.WebhookID}})
}

// health is an endpoint's record of failures.
type health struct {
	streak  dossier.Streak
	breaker dossier.Breaker
}

// weighAttempts adds attempts to the endpoint's record, in the order they ended, and disables it when it answered 410
// or gave nothing but failures for five days.
func weighAttempts(ctx context.Context, tx *tx, webhook dossier.WebhookID, tried []Tried, saved *Saved) error {
	w, err := lockWebhook(ctx, tx, webhook)
	if dossier.KindOf(err) == dossier.NotFound {
		return nil // deleted meanwhile
	}
	if err != nil {
		return err
	}
	h := health{breaker: w.Breaker}
	if h.streak, err = readStreak(ctx, tx, webhook); err != nil {
		return err
	}
	reason := h.weigh(tried)
	if err := writeHealth(ctx, tx, webhook, h); err != nil {
		return err
	}
	if h.breaker.OpenFor > 0 {
		saved.OpenUntil = h.breaker.OpenUntil
	}
	if reason == "" || !w.Enabled {
		return nil
	}
	saved.Disabled = true
	for i, t := range tried { // what just failed is not failed for good: it can be replayed with the rest
		if !t.Attempt.OK() && saved.Deliveries[i].Status == dossier.DeliveryPending {
			d := &saved.Deliveries[i]
			d.Status, d.NextAttemptAt, d.CompletedAt = dossier.DeliverySkipped, nil, &tx.now
		}
	}
	return disableWebhook(ctx, tx, w, reason)
}

// weigh returns the reason to disable the endpoint, or "".
func (h *health) weigh(tried []Tried) string {
	ended := slices.Clone(tried)
	slices.SortStableFunc(ended, func(a, b Tried) int {
		return cmp.Compare(end(a.Attempt).UnixNano(),
			end(b.Attempt).UnixNano())
	})
	reason := ""
	for _, t := range ended {
		h.breaker.Record(end(t.Attempt), t.Attempt.OK())
		switch {
		case t.Attempt.OK():
			h.streak = dossier.Streak{}
		case t.Attempt.Gone():
			reason = dossier.DisabledGone
		case h.streak.Fail(end(t.Attempt)):
			reason = dossier.DisabledFailing
		}
	}
	return reason
}

func end(a dossier.Attempt) time.Time { return a.StartedAt.Add(a.Duration) }

func readStreak(ctx context.Context, tx *tx, webhook dossier.WebhookID) (dossier.Streak, error) {
	var first, last *time.Time
	err := tx.QueryRow(ctx, `SELECT failing_since, last_failure_at FROM webhooks WHERE workspace_id = $1 AND id = $2`,
		tx.ws, webhook).Scan(&first, &last)
	if err != nil || first == nil || last == nil {
		return dossier.Streak{}, err
	}
	return dossier.Streak{First: *first, Last: *last}, nil
}

// writeHealth stores the record; a healthy endpoint has none, so its successes cost no write.
func writeHealth(ctx context.Context, tx *tx, webhook dossier.WebhookID, h health) error {
	var breaker []byte
	if !h.breaker.Healthy(tx.now) {
		encoded, err := json.Marshal(h.breaker)
		if err != nil {
			return err
		}
		breaker = encoded
	}
	_, err := tx.Exec(ctx, `UPDATE webhooks SET failing_since = $3, last_failure_at = $4, breaker = $5
		WHERE workspace_id = $1 AND id = $2`,
		tx.ws, webhook, nullTime(h.streak.First), nullTime(h.streak.Last), breaker)
	return err
}

func nullTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// disableWebhook disables an endpoint for a reason of ours, tells the other endpoints and writes it into the audit.
func disableWebhook(ctx context.Context, tx *tx, w dossier.Webhook, reason string) error {
	w.Enabled, w.DisabledReason, w.UpdatedAt = false, reason, tx.now
	tx.deferExec(`UPDATE webhooks SET is_enabled = false, disabled_reason = $3, updated_at = $4
		WHERE workspace_id = $1 AND id = $2`, tx.ws, w.ID, reason, tx.now)
	audit(ctx, tx, dossier.AuditWebhookDisabled, webhookSubject(w.ID), map[string]any{"reason": reason})
	tx.test = w.Mode == dossier.ModeTest
	if err := emit(ctx, tx, dossier.EventWebhookDisabled, "", webhookData(w, tx.now)); err != nil {
		return err
	}
	return endDeliveriesSoon(ctx, tx, w)
}

// AdmitProbe asks an endpoint's breaker for leave to send. Closed: yes. Open: no, ask again at the time. Half open: yes
// for the one who asks first, whose attempt decides; for the others no. Error: NotFound.
func (db *DB) AdmitProbe(ctx context.Context, ws dossier.WorkspaceID,
	webhook dossier.WebhookID) (bool, time.Time, error) {
	var again time.Time
	admitted, err := transact(ctx, db, ws, "admit probe", func(tx *tx) (bool, error) {
		w, err := lockWebhook(ctx, tx, webhook)
		if err != nil {
			return false, err
		}
		ok, at := w.Breaker.Allow(tx.now)
		again = at
		if !ok || w.Breaker.OpenFor == 0 {
			return ok, nil
		}
		encoded, err := json.Marshal(w.Breaker)
		if err != nil {
			return false, err
		}
		_, err = tx.Exec(ctx, `UPDATE webhooks SET breaker = $3 WHERE workspace_id = $1 AND id = $2`, ws, webhook,
			encoded)
		return true, err
	})
	return admitted, again, err
}

// endDelivery is the ending of a delivery's job that ended without its delivery: the delivery ends with it.
func endDelivery(ctx context.Context, tx *tx, claim Claim, class, _ string) error {
	var job jobs.DeliverWebhook
	if err := json.Unmarshal(claim.Payload, &job); err != nil {
		return err
	}
	status := dossier.DeliveryFailed
	if class == "cancelled" {
		status = dossier.DeliveryCancelled
	}
	_, err := tx.Exec(ctx, `UPDATE deliveries SET status = $3, next_attempt_at = NULL, completed_at = $4
		WHERE workspace_id = $1 AND id = $2 AND status = 'PENDING'`,
		job.Workspace, job.Delivery, status, tx.now)
	return err
}
