package postgres

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// pool is connections whose statements are made in one working role. The login itself may do nothing. The role, like
// all other settings, is set inside each transaction, in the round trip that opens it, and ends with it: nothing stays
// on the connection, so a pooler may give the next transaction another one (transaction mode).
type pool struct {
	conns    *pgxpool.Pool
	settings []setting
}

// setting is a parameter of the session that holds until the transaction ends.
type setting struct{ name, value string }

// workingSettings are those of every transaction in role.
func workingSettings(role string) []setting {
	settings := []setting{
		{"role", role},
		{"statement_timeout", "30000"},
		{"idle_in_transaction_session_timeout", "60000"},
		{"random_page_cost", "1.1"}, // no disk that seeks: an index is worth its use
	}
	if role == "dossier_system" {
		// The queue's statements join a handful of ids to a table that may grow from nothing to millions within a
		// minute: a plan kept from the empty table would read all of it every time.
		settings = append(settings, setting{"plan_cache_mode", "force_custom_plan"})
	}
	return settings
}

func openPool(ctx context.Context, c Config, role string, size int) (*pool, error) {
	cfg, err := pgxpool.ParseConfig(c.URL)
	if err != nil {
		return nil, errURL("DATABASE_URL")
	}
	cfg.MaxConns = int32(size)
	cfg.ConnConfig.Tracer = c.Tracer
	cfg.MaxConnIdleTime = 5 * time.Minute
	cfg.ConnConfig.RuntimeParams["application_name"] = "dossier" // these two a pooler knows how to keep
	if c.Release != "" {
		cfg.ConnConfig.RuntimeParams["application_name"] = release + c.Release
	}
	cfg.ConnConfig.RuntimeParams["timezone"] = "UTC"
	// Behind a pooler the connection may have been another's, who listened.
	cfg.ConnConfig.OnNotification = func(*pgconn.PgConn, *pgconn.Notification) {}
	cfg.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		registerIDs(conn)
		return nil
	}
	conns, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, err
	}
	p := &pool{conns: conns, settings: workingSettings(role)}
	if _, err := p.Exec(ctx, "SELECT 1"); err != nil {
		p.Close()
		return nil, fmt.Errorf("connect to Postgres as %s: %w", role, err)
	}
	return p, nil
}

func errURL(variable string) error {
	return fmt.Errorf("%s cannot be read (its form is postgres://user:password@host:port/database)", variable)
}

// Close waits for running statements and closes the connections.
func (p *pool) Close() { p.conns.Close() }

// under are the pool's settings with others, which win.
func (p *pool) under(others ...setting) []setting {
	all := slices.Clone(p.settings)
	for _, other := range others {
		i := slices.IndexFunc(all, func(s setting) bool { return s.name == other.name })
		if i < 0 {
			all = append(all, other)
			continue
		}
		all[i] = other
	}
	return all
}

// SendBatch sends statements in one round trip and, when none of them begins one, one transaction, in the pool's role
// and under the settings.
func (p *pool) SendBatch(ctx context.Context, batch *pgx.Batch, under ...setting) pgx.BatchResults {
	all := &pgx.Batch{}
	queueSettings(all, p.under(under...))
	all.QueuedQueries = append(all.QueuedQueries, batch.QueuedQueries...)
	results := p.conns.SendBatch(ctx, all)
	if _, err := results.Exec(); err != nil {
		_ = results.Close() // says the same
		return failedBatch{err}
	}
	return results
}

// Exec runs one statement in the pool's role.
func (p *pool) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	results := p.SendBatch(ctx, singleBatch(sql, args))
	tag, err := results.Exec()
	if closed := results.Close(); err == nil {
		err = closed
	}
	return tag, err
}

// Query is Exec for rows.
func (p *pool) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return lastQuery(p.SendBatch(ctx, singleBatch(sql, args)))
}

// QueryRow is Exec for one row.
func (p *pool) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	rows, err := p.Query(ctx, sql, args...)
	return singleRow{rows, err}
}

// queueSettings adds the one statement that sets them all, so that it is planned once whatever their values are.
func queueSettings(batch *pgx.Batch, groups ...[]setting) {
	var sql strings.Builder
	var args []any
	for _, group := range groups {
		for _, set := range group {
			if sql.Len() == 0 {
				sql.WriteString("select ")
			} else {
				sql.WriteString(", ")
			}
			n := len(args)
			sql.WriteString("set_config($" + strconv.Itoa(n+1) + ", $" + strconv.Itoa(n+2) + ", true)")
			args = append(args, set.name, set.value)
		}
	}
	if len(args) > 0 {
		batch.Queue(sql.String(), args...)
	}
}
