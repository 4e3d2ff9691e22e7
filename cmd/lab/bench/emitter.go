package bench

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
)

// emitter commits events as the product does in the commit of a change: the event and its place in the inbox in one
// round trip under row-level security, waiting for the disk, and dispatchers told soon after, for many commits
// together. The change itself is left out: what is measured is the way of an event.
type emitter struct {
	pool *pgxpool.Pool
	ws   dossier.WorkspaceID
	data []byte
	wake chan struct{}
}

// emitters is how many commits it makes at once.
const emitters = 24

func (s *Stack) emitter(ctx context.Context, ws dossier.WorkspaceID) (*emitter, error) {
	cfg, err := pgxpool.ParseConfig(s.URL)
	if err != nil {
		return nil, err
	}
	cfg.MaxConns = emitters + 1
	cfg.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "SET ROLE dossier_app")
		return err
	}
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, err
	}
	e := &emitter{pool: pool, ws: ws, data: eventData(0), wake: make(chan struct{}, 1)}
	go e.tell(ctx)
	return e, e.warm(ctx)
}

// eventData is of an event of a registration whose description has so many characters.
func eventData(ballast int) []byte {
	return []byte(`{"leadId":null,"externalLeadId":null,"webhook":{"id":"` + postgres.NewID() +
		`","url":"https://example.com/webhooks/dossier","headers":[],"isEnabled":true,"events":null,"description":"` +
		strings.Repeat("x", ballast) + `","rateLimit":null,"disabledReason":null}}`)
}

// heavy is the same emitter with larger events.
func (e *emitter) heavy(ballast int) *emitter {
	heavy := *e
	heavy.data = eventData(ballast)
	return &heavy
}

// warm makes the connections and has each commit an event that no endpoint gets, as those of a server have that did not
// start this moment.
func (e *emitter) warm(ctx context.Context) error {
	held := make([]*pgxpool.Conn, 0, emitters)
	defer func() {
		for _, conn := range held {
			conn.Release()
		}
	}()
	for range emitters {
		conn, err := e.pool.Acquire(ctx)
		if err != nil {
			return err
		}
		held = append(held, conn)
		if _, err := e.commit(ctx, conn, dossier.WebhookID(postgres.NewID())); err != nil {
			return err
		}
	}
	return nil
}

func (e *emitter) close() {
	close(e.wake)
	e.pool.Close()
}

// body is what is signed and sent.
func (e *emitter) body(id dossier.EventID) []byte {
	return dossier.EventBody(id, e.ws, dossier.EventWebhookTest, time.Now(), true, e.data)
}

// emit commits an event that one endpoint gets, and has it dispatched.
func (e *emitter) emit(ctx context.Context, hook dossier.WebhookID) (dossier.EventID, error) {
	id, err := e.commit(ctx, e.pool, hook)
	if err != nil {
		return "", err
	}
	select {
	case e.wake <- struct{}{}:
	default: // told already
	}
	return id, nil
}

// sender is a connection, or a pool of them.
type sender interface {
	SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults
}

func (e *emitter) commit(ctx context.Context, to sender, hook dossier.WebhookID) (dossier.EventID, error) {
	id := dossier.EventID(postgres.NewID())
	batch := &pgx.Batch{}
	batch.Queue("select set_config($1, $2, true)", "app.ws", string(e.ws))
	batch.Queue(`
		WITH e AS (INSERT INTO events (workspace_id, id, type, body, created_at) VALUES ($1, $2, $3, $4, $5))
		INSERT INTO event_inbox (workspace_id, event_id, type, also_webhook_id, created_at)
			VALUES ($1, $2, $3, $6, $5)`,
		string(e.ws), string(id), string(dossier.EventWebhookTest), string(e.body(id)), time.Now(), string(hook))
	return id, to.SendBatch(ctx, batch).Close()
}

// tell wakes the dispatcher, at most every two milliseconds.
func (e *emitter) tell(ctx context.Context) {
	for range e.wake {
		batch := &pgx.Batch{}
		batch.Queue("select set_config('synchronous_commit', 'off', true)")
		batch.Queue("select pg_notify('dossier_events', '')")
		if e.pool.SendBatch(ctx, batch).Close() != nil || !jobs.Sleep(ctx, 2*time.Millisecond) {
			return // the measurement is over
		}
	}
}
