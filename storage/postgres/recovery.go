package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/dossierhq/dossier"
)

// Recovery says how a base backup and the WAL after it become a server's data of some moment.
type Recovery struct {
	Base    string    // directory that TakeBaseBackup wrote
	Data    string    // of the server to be; empty or not there
	Server  int       // major version of PostgreSQL
	To      time.Time // the last commit that comes back is not after it; zero: all that was archived comes back
	Command string    // PostgreSQL's restore_command: copies the archived file %f to %p
}

// Recovered is a server on the recovered data that nobody else reaches: it listens on a socket in a directory of its
// own, and archives nothing.
type Recovered struct {
	At      time.Time // of the last commit that came back, UTC; zero: none did after the base backup
	private string    // directory of the socket, the settings and the log
	command *exec.Cmd
	ended   chan struct{}
}

// Recover starts such a server; the caller awaits and stops it. Then the data is an ordinary server's. It runs
// `postgres` of the backup's version: as root, as the user who owns the data's directory. Errors: Invalid and Conflict,
// when the directory cannot be used.
func Recover(ctx context.Context, r Recovery) (*Recovered, error) {
	path, err := serverProgram("postgres", r.Server)
	if err != nil {
		return nil, err
	}
	as, err := r.fill()
	if err != nil {
		return nil, err
	}
	if err := VerifyBaseBackup(ctx, r.Data, r.Server); err != nil {
		return nil, err
	}
	if err := as.write(filepath.Join(r.Data, "recovery.signal"), ""); err != nil {
		return nil, err
	}
	private, err := os.MkdirTemp("", "dossier-recovery-")
	if err != nil {
		return nil, err
	}
	server := &Recovered{private: private, ended: make(chan struct{})}
	if err := errors.Join(as.own(private), as.write(filepath.Join(private, "postgresql.conf"), ""),
		as.write(filepath.Join(private, "ident"), ""),
		as.write(filepath.Join(private, "hba"), "local all all trust\n")); err != nil {
		return nil, errors.Join(err, os.RemoveAll(private))
	}
	if err := server.start(ctx, path, r, as); err != nil {
		return nil, errors.Join(err, os.RemoveAll(private))
	}
	return server, nil
}

// fill copies the base backup into the data's directory.
func (r Recovery) fill() (account, error) {
	if err := os.Mkdir(r.Data, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return account{}, err
	}
	as, err := ownerOf(r.Data)
	if err != nil {
		return as, err
	}
	there, err := os.ReadDir(r.Data)
	if err == nil && len(there) > 0 {
		err = dossier.Errorf(dossier.Conflict, "%s is not empty: name an empty directory", r.Data)
	}
	if err != nil {
		return as, err
	}
	return as, filepath.WalkDir(r.Base, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(r.Base, path)
		if err != nil {
			return err
		}
		target := filepath.Join(r.Data, name)
		switch {
		case name == ".":
			return os.Chmod(target, 0o700)
		case entry.IsDir():
			return errors.Join(os.Mkdir(target, 0o700), as.own(target))
		case entry.Type().IsRegular():
			return as.copy(path, target)
		}
		return dossier.Errorf(dossier.Invalid, "%s is neither a file nor a directory: a cluster with tablespaces of "+
			"its own is for PostgreSQL's tools", path)
	})
}

// account is the user that the server runs as.
type account struct {
	uid, gid int
	root     bool // we are, and become that user for it
}

// ownerOf is who a directory belongs to. Error: Invalid, when that is root, as whom PostgreSQL does not run.
func ownerOf(dir string) (account, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return account{}, err
	}
	as := account{uid: os.Geteuid(), gid: os.Getegid(), root: os.Geteuid() == 0}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && as.root {
		as.uid, as.gid = int(stat.Uid), int(stat.Gid)
	}
	if as.uid == 0 {
		return as, dossier.Errorf(dossier.Invalid, "PostgreSQL does not run as root, to whom %s belongs: run this as "+
			"the server's user, or make the directory first: install -d -o postgres -g postgres -m 700 %s", dir, dir)
	}
	return as, nil
}

func (a account) own(path string) error {
	if !a.root {
		return nil
	}
	return os.Lchown(path, a.uid, a.gid)
}

func (a account) write(path, text string) error {
	return errors.Join(os.WriteFile(path, []byte(text), 0o600), a.own(path))
}

func (a account) copy(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in) // the server brings what is not on disk yet there before it recovers
	return errors.Join(err, out.Close(), a.own(to))
}

// settings are given on the command line, so that those of the backed up server, which may name files, libraries and
// archives that are not here, have no say, and none stays in the data.
func (s *Recovered) settings(r Recovery) []string {
	set := map[string]string{
		"config_file": filepath.Join(s.private, "postgresql.conf"), "hba_file": filepath.Join(s.private, "hba"),
		"ident_file": filepath.Join(s.private, "ident"), "listen_addresses": "", "unix_socket_directories": s.private,
		"port": "5432", "ssl": "off", "shared_preload_libraries": "", "logging_collector": "off", "lc_messages": "C",
		"log_destination": "stderr", "timezone": "UTC", "primary_conninfo": "", "fsync": "on",
		"archive_mode":             "off",
		"hot_standby":              "off", // nobody may look at it, or wants its limits, before it is done
		"restore_command":          r.Command,
		"recovery_target_action":   "promote",
		"recovery_target_timeline": "latest",
	}
	if !r.To.IsZero() {
		// names of zones are not known yet
		set["recovery_target_time"] = r.To.UTC().Format("2006-01-02 15:04:05.999999-07")
	}
	args := []string{"-D", r.Data}
	for name, value := range set {
		args = append(args, "-c", name+"="+value)
	}
	return args
}

func (s *Recovered) start(ctx context.Context, path string, r Recovery, as account) error {
	log, err := os.OpenFile(s.log(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	s.command = exec.CommandContext(context.WithoutCancel(ctx), path, s.settings(r)...) // Stop ends it, in order
	s.command.Dir, s.command.Stdout, s.command.Stderr = s.private, log, log
	s.command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if as.root {
		s.command.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(as.uid), Gid: uint32(as.gid)}
	}
	if err := s.command.Start(); err != nil {
		return err
	}
	go func() { _ = s.command.Wait(); close(s.ended) }()
	return nil
}

func (s *Recovered) log() string { return filepath.Join(s.private, "log") }

// Await waits until all is replayed, as the owner of a URL. It may take hours: replayed hears again and again how many
// bytes of the WAL are. How many there will be, nobody knows before the archive has no more. Error: Invalid, when the
// WAL does not reach the wished moment.
func (s *Recovered) Await(ctx context.Context, owner string, replayed func(bytes int64)) error {
	here, err := s.URL(owner)
	if err != nil {
		return err
	}
	for {
		err := ownerConn(ctx, here, func(conn *pgx.Conn) error {
			var at *time.Time
			if err := conn.QueryRow(ctx, `SELECT pg_last_xact_replay_timestamp()`).Scan(&at); err != nil {
				return err
			}
			if at != nil {
				s.At = at.UTC()
			}
			return nil
		})
		var known *pgconn.PgError
		if err == nil || errors.As(err, &known) && known.Code != "57P03" { // cannot_connect_now
			return err
		}
		if text, err := os.ReadFile(s.log()); err == nil {
			replayed(walReplayed(string(text)))
		}
		select {
		case <-s.ended:
			return s.failure()
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// redoPlace is a place in the WAL that the log of a server names: where redo starts, and, every ten seconds since
// PostgreSQL 15 (log_startup_progress_interval), where it is.
var redoPlace = regexp.MustCompile(`redo (?:starts at|in progress.*current LSN:) ([0-9A-F]+)/([0-9A-F]+)`)

// walReplayed is how many bytes of the WAL were replayed, by the log of the server that does.
func walReplayed(log string) int64 {
	places := redoPlace.FindAllStringSubmatch(log, -1)
	if len(places) == 0 {
		return 0
	}
	return lsn(places[len(places)-1]) - lsn(places[0])
}

// lsn is a log sequence number, printed as two halves in hexadecimal, in bytes.
func lsn(match []string) int64 {
	high, _ := strconv.ParseInt(match[1], 16, 64) // redoPlace takes nothing else
	low, _ := strconv.ParseInt(match[2], 16, 64)
	return high<<32 + low
}

// failure is why the server ended.
func (s *Recovered) failure() error {
	text, err := os.ReadFile(s.log())
	if err != nil {
		return err
	}
	return recoveryFailure(string(text))
}

// recoveryFailure is why a server did not recover, by its log.
func recoveryFailure(log string) error {
	if strings.Contains(log, "recovery ended before configured recovery target was reached") {
		return dossier.Errorf(dossier.Invalid, "the archived WAL holds no commit after that time, so nobody knows "+
			"whether all before it is there: bring the rest of the WAL into the archive, name an earlier time, or "+
			"--to latest")
	}
	lines := slices.DeleteFunc(strings.Split(log, "\n"), func(line string) bool {
		asked := strings.Contains(line, "the database system is ") // what Await is answered until the end
		return asked || !strings.Contains(line, "FATAL:") && !strings.Contains(line, "PANIC:")
	})
	if len(lines) == 0 {
		lines = strings.Split(strings.TrimSpace(log), "\n")
	}
	return fmt.Errorf("PostgreSQL did not recover: %s", lines[len(lines)-1])
}

// URL leads a login of the server as it was to this one. It lets everybody in who reaches the socket, which only the
// server's own user and root do.
func (s *Recovered) URL(of string) (string, error) {
	u, err := url.Parse(of)
	if err != nil {
		return "", dossier.Errorf(dossier.Invalid, "a database's address must be a URL")
	}
	query := u.Query()
	query.Set("host", s.private)
	query.Set("port", "5432")
	query.Set("sslmode", "disable")
	u.Host, u.RawQuery = "", query.Encode()
	return u.String(), nil
}

// Stop ends the server and leaves its data as any server leaves it that was stopped.
func (s *Recovered) Stop() error {
	_ = s.command.Process.Signal(syscall.SIGINT) // fast; it may have ended
	<-s.ended
	return os.RemoveAll(s.private)
}
