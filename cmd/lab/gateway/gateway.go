// Package gateway runs a private S3 server (versitygw on plain files) for `go run ./cmd/dev` and
// for tests. Production talks to a real S3 and does not link this package.
//
// The server is a program of its own, built once from its Go module, and not a library in our
// process, for three reasons: it changes the working directory of its process, it needs a
// fasthttp that Fiber v2 was never tested with, and test binaries stay small.
package gateway

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier/cmd/lab/daemon"
)

// server is the program that Start runs.
var server = daemon.Program{Package: "github.com/versity/versitygw/cmd/versitygw", Version: "v1.8.0"}

// Options of one gateway. Only Dir is needed.
type Options struct {
	Dir  string            // holds files/, meta/, credentials, gateway.pid, gateway.log; made when absent
	Port int               // on 127.0.0.1; 0 takes the last one again when it is free, else any
	Log  func(line string) // progress for people; nil is silent
}

// Gateway is an S3 server that answers.
type Gateway struct {
	Endpoint  string // http://127.0.0.1:port
	AccessKey string
	SecretKey string
	attached  bool
	daemon    daemon.Server
}

// Install builds the server's program unless it is there, about 40 s on two cores, and returns
// its path.
func Install(ctx context.Context, progress func(line string)) (string, error) {
	program, err := server.Install(ctx, progress)
	if err != nil {
		return "", fmt.Errorf("%w; or set S3_ENDPOINT to use another server", err)
	}
	return program, nil
}

// Start returns a running gateway on opts.Dir: it attaches to the one that runs there already or
// starts one, which then outlives this process until Stop. Objects survive restarts and kill -9.
// Every error is one line that names the fix.
func Start(ctx context.Context, opts Options) (*Gateway, error) {
	if opts.Log == nil {
		opts.Log = func(string) {}
	}
	g, err := start(ctx, opts)
	if err != nil {
		return nil, fmt.Errorf("object storage: %w", err)
	}
	return g, nil
}

func start(ctx context.Context, opts Options) (*Gateway, error) {
	program, err := Install(ctx, opts.Log)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(opts.Dir)
	if err != nil {
		return nil, err
	}
	g := &Gateway{}
	if g.AccessKey, g.SecretKey, err = credentials(ctx, dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(dir, "meta"), 0o700); err != nil {
		return nil, err
	}
	g.daemon = describe(dir)
	g.daemon.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"),
		"ROOT_ACCESS_KEY_ID=" + g.AccessKey, "ROOT_SECRET_ACCESS_KEY=" +
			g.SecretKey} // not as arguments, which everyone can read
	g.daemon.Command = func(port int) (string, []string) {
		return program, []string{"--port", address(port), "--quiet", "--keep-alive", "--health", "/-healthy",
			"posix", "--sidecar", filepath.Join(dir, "meta"), "--dir-perms", "0700", "--file-perms", "0600",
			g.daemon.Work}
	}
	port, attached, err := g.daemon.Start(ctx, opts.Port)
	if err != nil {
		return nil, err
	}
	g.Endpoint, g.attached = "http://"+address(port), attached
	opts.Log("Object storage listens at " + g.Endpoint)
	return g, nil
}

// describe is the part of the daemon that Stop needs. Its working directory is where versitygw
// moves to by itself.
func describe(dir string) daemon.Server {
	return daemon.Server{Name: "gateway", Dir: dir, Work: filepath.Join(dir, "files"), Ready: healthy}
}

func address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// credentials reads the keys of the gateway, or makes them on first use.
func credentials(ctx context.Context, dir string) (access, secret string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", "", err
	}
	unlock, err := daemon.Lock(ctx, filepath.Join(dir, "credentials.lock"))
	if err != nil {
		return "", "", err
	}
	defer unlock()
	path := filepath.Join(dir, "credentials")
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		text = fmt.Appendf(nil, "%s\n%s\n", rand.Text()[:20], rand.Text())
		err = daemon.WriteFile(path, text)
	}
	if err != nil {
		return "", "", err
	}
	keys := strings.Fields(string(text))
	if len(keys) != 2 {
		return "", "", fmt.Errorf("%s is damaged: remove it", path)
	}
	return keys[0], keys[1], nil
}

func healthy(ctx context.Context, port int) bool {
	return daemon.Answers(ctx, "http://"+address(port)+"/-healthy")
}

// Attached reports whether the gateway was running before Start.
func (g *Gateway) Attached() bool { return g.attached }

// Stop ends the server. What was stored stays. Stopping a stopped gateway does nothing.
func (g *Gateway) Stop() error {
	if err := g.daemon.Stop(); err != nil {
		return fmt.Errorf("object storage: %w", err)
	}
	return nil
}

// Shared returns the gateway that all test processes of a user share; it is left running, so that
// only the first pays for the start. `make clean` stops it. Buckets in it are the caller's to drop.
func Shared(ctx context.Context) (*Gateway, error) {
	dir, err := daemon.PrivateDir("dossier-objects")
	if err != nil {
		return nil, fmt.Errorf("object storage: %w", err)
	}
	return Start(ctx, Options{Dir: dir})
}

// StopShared ends the tests' gateway and removes its files.
func StopShared() error {
	dir, err := daemon.PrivateDir("dossier-objects")
	if err != nil {
		return fmt.Errorf("object storage: %w", err)
	}
	if err := (&Gateway{daemon: describe(dir)}).Stop(); err != nil {
		return err
	}
	return os.RemoveAll(dir)
}
