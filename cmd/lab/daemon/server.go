package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"
)

// Server is a program that listens on one port of 127.0.0.1, keeps its data in its working
// directory and lives until it is stopped, whoever started it.
type Server struct {
	Name    string // of the files it leaves: <Name>.pid, <Name>.log
	Dir     string // for these files and the lock; made when absent
	Work    string // its working directory, no other server's
	Command func(port int) (program string, args []string)
	Env     []string // all of its environment
	Ready   func(ctx context.Context, port int) bool
}

// Start attaches to the server if it runs, else starts it, and returns its port once it answers.
// Port 0 takes the port of the last start again when it is free, else any: links handed out
// before a restart stay valid.
func (s Server) Start(ctx context.Context, port int) (listens int, attached bool, err error) {
	for _, dir := range []string{s.Dir, s.Work} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return 0, false, err
		}
	}
	unlock, err := Lock(ctx, s.file("lock"))
	if err != nil {
		return 0, false, err
	}
	defer unlock()
	if pid, port := s.state(); RunsIn(pid, s.Work) && s.await(ctx, port, func() bool {
		return !RunsIn(pid,
			s.Work)
	}) == nil {
		return port, true, nil
	}
	listens, err = s.launch(ctx, port)
	return listens, false, err
}

func (s Server) file(kind string) string { return filepath.Join(s.Dir, s.Name+"."+kind) }

func (s Server) state() (pid, port int) {
	text, err := os.ReadFile(s.file("pid"))
	if err != nil {
		return 0, 0
	}
	if _, err := fmt.Sscan(string(text), &pid, &port); err != nil {
		return 0, 0
	}
	return pid, port
}

// launch tries again when the server ended at once: a port we picked may have been taken by
// someone else in between.
func (s Server) launch(ctx context.Context, want int) (int, error) {
	var last error
	for range 3 {
		port, err := s.choosePort(ctx, want)
		if err != nil {
			return 0, err
		}
		if last = s.launchOn(ctx, port); last == nil {
			return port, nil
		}
		if !errors.Is(last, errEnded) || want != 0 {
			break
		}
	}
	return 0, last
}

// choosePort waits a second for the port of the last start: a killed server is no longer to be seen
// in the list of processes while the kernel still closes its sockets.
func (s Server) choosePort(ctx context.Context, want int) (int, error) {
	_, before := s.state()
	if want != 0 || before == 0 {
		return FreePort(want)
	}
	for range 100 {
		if port, err := FreePort(before); err == nil {
			return port, nil
		}
		if err := Pause(ctx, 10*time.Millisecond); err != nil {
			return 0, err
		}
	}
	return FreePort(0)
}

func (s Server) launchOn(ctx context.Context, port int) error {
	log, err := os.OpenFile(s.file("log"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	program, args := s.Command(port)
	cmd := exec.Command(program, args...) // no context: it outlives us
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = s.Work, s.Env, log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C reaches only us
	if err := cmd.Start(); err != nil {
		return err
	}
	var ended atomic.Bool
	go func() { _ = cmd.Wait(); ended.Store(true) }()
	if err := os.WriteFile(s.file("pid"), fmt.Appendf(nil, "%d\n%d\n", cmd.Process.Pid, port), 0o600); err != nil {
		return err
	}
	if err := s.await(ctx, port, ended.Load); err != nil {
		_ = cmd.Process.Kill()
		text, _ := os.ReadFile(s.file("log")) // only to say more
		return fmt.Errorf("%w: %s (see %s)", err, LastLine(string(text)), s.file("log"))
	}
	return nil
}

var errEnded = errors.New("the server ended")

// await returns when the server answers, or errEnded when its process has ended.
func (s Server) await(ctx context.Context, port int, ended func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		if s.Ready(ctx, port) {
			return nil
		}
		if ended() {
			return errEnded
		}
		if err := Pause(ctx, 10*time.Millisecond); err != nil {
			return fmt.Errorf("no answer on 127.0.0.1:%d: %w", port, err)
		}
	}
}

// Stop ends the server, whoever started it. What it stored stays. Stopping a stopped server does
// nothing.
func (s Server) Stop() error {
	pid, _ := s.state()
	if !RunsIn(pid, s.Work) {
		return nil
	}
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
		return fmt.Errorf("cannot stop process %d: %w", pid, err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for RunsIn(pid, s.Work) {
		if time.Now().After(deadline) {
			return syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}

// Answers reports whether a GET of url is answered with 200.
func Answers(ctx context.Context, url string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	_ = answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}
