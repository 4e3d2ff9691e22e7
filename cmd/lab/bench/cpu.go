package bench

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// CPU is the processor time that one request, job or delivery cost, in microseconds, by who spent it. This process is
// the generator, the product and the receiver; what it started as workers is counted apart. On a machine that others
// use too it is steadier than a rate. All zero where /proc does not tell, or the database is elsewhere.
type CPU struct {
	Process  float64 `json:"process"`
	Worker   float64 `json:"worker,omitempty"`
	Postgres float64 `json:"postgres"`
	Redis    float64 `json:"redis"`
	Total    float64 `json:"total"`
}

// spent is processor time so far.
type spent struct{ process, worker, postgres, redis, storage time.Duration }

func (s *Stack) spent() spent {
	var total spent
	self := os.Getpid()
	selfName, _, _, _ := readStat("/proc/self/stat")
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		name, parent, own, children := readStat(path)
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		switch {
		case pid == self:
			total.process += own
		case pid == s.postmaster:
			total.postgres += own + children
		case parent == s.postmaster && s.postmaster != 0:
			total.postgres += own
		case parent == self && strings.HasPrefix(name, "redis"):
			total.redis += own
		case parent == self && name == selfName:
			total.worker += own
		case parent == self && strings.HasPrefix(name, "versitygw"):
			total.storage += own
		}
	}
	return total
}

// readStat reads a process' name, parent, and the time it and its ended children have used.
func readStat(path string) (name string, parent int, own, children time.Duration) {
	text, err := os.ReadFile(path)
	head, rest, found := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if err != nil || !found || len(fields) < 15 {
		return "", 0, 0, 0
	}
	ticks := func(i int) time.Duration {
		n, _ := strconv.Atoi(fields[i])
		return time.Duration(n) * 10 * time.Millisecond
	}
	_, name, _ = strings.Cut(head, "(")
	parent, _ = strconv.Atoi(fields[1])
	return name, parent, ticks(11) + ticks(12), ticks(13) + ticks(14)
}

// since is what each of n things cost since an earlier moment.
func (s *Stack) since(before spent, n int) CPU {
	now := s.spent()
	each := func(d time.Duration) float64 { return round(float64(d.Microseconds()) / float64(max(n, 1))) }
	cpu := CPU{Process: each(now.process - before.process), Worker: each(now.worker - before.worker),
		Postgres: each(now.postgres - before.postgres), Redis: each(now.redis - before.redis)}
	cpu.Total = round(cpu.Process + cpu.Worker + cpu.Postgres + cpu.Redis)
	return cpu
}

// findPostmaster notes the server's process when it runs on this machine.
func (s *Stack) findPostmaster(ctx context.Context, conn *pgx.Conn) {
	var pid int
	if err := conn.QueryRow(ctx,
		"SELECT pg_backend_pid() WHERE inet_client_addr() IS NULL OR inet_client_addr() = inet_server_addr()").Scan(
		&pid); err == nil {
		_, s.postmaster, _, _ = readStat("/proc/" + strconv.Itoa(pid) + "/stat")
	}
}
