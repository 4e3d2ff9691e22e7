package bench

import (
	"context"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
)

// redisCommands is how many commands Redis has run, those inside scripts included: an asynq call counts as several.
func (s *Stack) redisCommands(ctx context.Context) (int, error) {
	return s.redisInfo(ctx, "stats", "total_commands_processed")
}

// redisInfo is a number of Redis' own account of itself; 0 where it does not give it, as the one in process.
func (s *Stack) redisInfo(ctx context.Context, section, name string) (int, error) {
	info, err := s.Redis.Client().Info(ctx, section).Result()
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(info) {
		if number, ok := strings.CutPrefix(strings.TrimSpace(line), name+":"); ok {
			return strconv.Atoi(number)
		}
	}
	return 0, nil
}

// statements counts what a store asks of its database.
type statements struct{ commits, other atomic.Int64 }

// TraceQueryStart implements pgx.QueryTracer.
func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	s.count(data.SQL)
	return ctx
}

func (s *statements) count(sql string) {
	switch {
	case strings.HasPrefix(sql, "begin"), sql == "rollback", strings.HasPrefix(sql, "select set_config"):
	case sql == "commit":
		s.commits.Add(1)
	default:
		s.other.Add(1)
	}
}

// TraceQueryEnd implements pgx.QueryTracer.
func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart implements pgx.BatchTracer.
func (s *statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

// TraceBatchQuery implements pgx.BatchTracer.
func (s *statements) TraceBatchQuery(_ context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	s.count(data.SQL)
}

// TraceBatchEnd implements pgx.BatchTracer.
func (s *statements) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}
