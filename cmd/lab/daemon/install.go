package daemon

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
)

// Program is a main package of a Go module that is built on this machine when it is first needed.
type Program struct {
	Package string // import path of the main package
	Version string // pinned; a new one is built when it changes
	// Module, where its go.mod replaces others, which `go install` refuses: it is built in the module's own directory.
	Module string
}

// Install returns the path of the built program. It runs `go install` on first use, into the
// user's cache; afterwards it costs nothing. Processes that need it at the same time wait for the
// one that builds.
func (p Program) Install(ctx context.Context, progress func(line string)) (string, error) {
	cache, err := cacheDir()
	if err != nil {
		return "", err
	}
	name := path.Base(p.Package)
	dir := filepath.Join(cache, name+"-"+p.Version)
	program := filepath.Join(dir, name)
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	unlock, err := Lock(ctx, dir+".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	progress(fmt.Sprintf("Building %s %s from source, once; this takes a minute or two", name, p.Version))
	return program, p.build(ctx, program)
}

// build installs beside the final place: a program half written because we were killed must not
// be found by the next start.
func (p Program) build(ctx context.Context, program string) error {
	name := filepath.Base(program)
	if _, err := exec.LookPath("go"); err != nil {
		return fmt.Errorf("%s is not built yet and there is no go command on the PATH to build it", name)
	}
	fresh := filepath.Dir(program) + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return err
	}
	args, dir := []string{"install", "-ldflags", "-s -w", p.Package + "@" + p.Version}, os.TempDir() // outside our module
	if p.Module != "" {
		var err error
		if dir, err = Download(ctx, p.Module+"@"+p.Version); err != nil {
			return err
		}
		args = []string{"build", "-ldflags", "-s -w", "-o", filepath.Join(fresh, name), p.Package}
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOBIN="+fresh, "GOFLAGS=", "CGO_ENABLED=0", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s %s: %s", name, p.Version, LastLine(string(out)))
	}
	if err := os.Rename(filepath.Join(fresh, name), program); err != nil {
		return err
	}
	return os.RemoveAll(fresh)
}

// Download has the go command fetch a module, as path@version, into its own cache, and returns where it lies.
func Download(ctx context.Context, module string) (dir string, err error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	cmd.Dir = os.TempDir()
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("fetching %s: %w", module, err)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(out, &found); err != nil {
		return "", err
	}
	return found.Dir, nil
}

// cacheDir is below the user's cache, or below the temporary directory where there is no home.
func cacheDir() (string, error) {
	if cache, err := os.UserCacheDir(); err == nil {
		dir := filepath.Join(cache, "dossier")
		if err := os.MkdirAll(dir, 0o700); err == nil {
			return dir, nil
		}
	}
	return PrivateTemp("dossier-cache")
}
