// Package daemon holds what the private servers of cmd/lab/cluster and
// cmd/lab/gateway have in common: they outlive the process that started them, so whoever
// comes next must find out whether one still runs, and take turns with others who look.
package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Lock waits for the file lock at path and returns the way to let it go. The kernel lets it go
// when the holder dies. Locking again in the same process waits, too.
func Lock(ctx context.Context, path string) (func(), error) {
	for {
		unlock, err := TryLock(path)
		if err == nil || !errors.Is(err, ErrLocked) {
			return unlock, err
		}
		if err := Pause(ctx, 20*time.Millisecond); err != nil {
			return nil, fmt.Errorf("another process holds %s: %w", path, err)
		}
	}
}

// ErrLocked says that another process holds the lock.
var ErrLocked = errors.New("locked by another process")

// TryLock takes the file lock at path, or returns ErrLocked at once.
func TryLock(path string) (func(), error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return func() { _ = file.Close() }, nil
	}
	_ = file.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, ErrLocked
	}
	return nil, fmt.Errorf("lock %s: %w", path, err)
}

// Pause waits for d or for the end of ctx.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// RunsIn reports whether process pid lives and has dir as its working directory, as both servers
// do with their data. A process id is re-used, after a reboot or in a container even soon, so the
// id alone says nothing; and a killed server stays a zombie where nobody reaps it.
func RunsIn(pid int, dir string) bool {
	if pid <= 1 {
		return false
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	if _, err := os.Stat("/proc/self"); err == nil {
		cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
		return err == nil && cwd == real
	}
	// No /proc, as on macOS: both servers have the directory among their arguments.
	out, err := exec.Command("ps", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && (strings.Contains(string(out), dir) || strings.Contains(string(out), real))
}

// FreePort checks that nobody listens on 127.0.0.1:want. A want of 0 asks for any free port.
func FreePort(want int) (int, error) {
	listener, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(want)))
	if err != nil {
		return 0, fmt.Errorf("port %d is taken: stop what listens there, or choose another port", want)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// WriteFile writes a file for this user only that is whole or not there, whenever we are killed.
func WriteFile(path string, text []byte) error {
	if err := os.WriteFile(path+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// LastLine is the last line of a program's output that is not blank.
func LastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// Memory is a file system in memory for what tests may lose, "" where there is none of 4 GiB, or TMPDIR names another
// place. To make the files of one more database takes a hundredth of the time there that it takes on a disk.
func Memory() string {
	const dir = "/dev/shm"
	var of syscall.Statfs_t
	if os.Getenv("TMPDIR") != "" || syscall.Statfs(dir, &of) != nil || of.Blocks*uint64(of.Bsize) < 4<<30 {
		return ""
	}
	return dir
}

// PrivateDir is a directory for this user's shared test servers, in memory where there is enough. It refuses one that
// another user put there first: it sits in a directory everyone may write to, and holds passwords.
func PrivateDir(name string) (string, error) {
	return private(cmp.Or(Memory(), os.TempDir()), name)
}

// PrivateTemp is a PrivateDir that lies with the temporary files: for what takes long to make.
func PrivateTemp(name string) (string, error) { return private(os.TempDir(), name) }

func private(in, name string) (string, error) {
	dir := filepath.Join(in, name+"-"+strconv.Itoa(os.Getuid()))
	err := os.Mkdir(dir, 0o700)
	if err == nil {
		return dir, nil
	}
	info, statErr := os.Lstat(dir)
	if statErr != nil {
		return "", err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.IsDir() || (int(stat.Uid) != os.Getuid() && os.Getuid() != 0) {
		return "", fmt.Errorf("%s belongs to someone else: remove it", dir)
	}
	return dir, nil
}
