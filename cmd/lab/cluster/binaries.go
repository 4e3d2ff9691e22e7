package cluster

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// oldest is the first major version whose SQL the migrations may use.
const oldest = 14

// installed is one set of server binaries.
type installed struct {
	dir   string
	major int
}

func (i installed) path(name string) string { return filepath.Join(i.dir, name) }

// binaries chooses the newest installed server, or the one that made the data in dir: data of
// one major version cannot be opened by another.
func binaries(dir string) (installed, error) {
	found := find()
	want, err := dataVersion(dir)
	if err != nil {
		return installed{}, err
	}
	if want == 0 {
		if len(found) == 0 || found[0].major < oldest {
			return installed{}, fmt.Errorf("postgres: no PostgreSQL %d or newer is installed: run `make setup`, or set DATABASE_URL", oldest)
		}
		return found[0], nil
	}
	for _, i := range found {
		if i.major == want {
			return i, nil
		}
	}
	return installed{}, fmt.Errorf("postgres: %s was made by PostgreSQL %d and %s installed: install postgresql-%d, or remove the directory to begin again",
		dir, want, majors(found), want)
}

func majors(found []installed) string {
	if len(found) == 0 {
		return "none is"
	}
	var names []string
	for _, i := range found {
		names = append(names, strconv.Itoa(i.major))
	}
	return "only " + strings.Join(names, ", ") + " is"
}

// dataVersion is the major version of the data in dir, 0 when there is none yet.
func dataVersion(dir string) (int, error) {
	text, err := os.ReadFile(filepath.Join(dir, "data", "PG_VERSION"))
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("postgres: %w", err)
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0, fmt.Errorf("postgres: %s/data/PG_VERSION is damaged: remove the directory to begin again", dir)
	}
	return major, nil
}

// find lists the installed servers, newest first, one per major version.
func find() []installed {
	var found []installed
	for _, dir := range candidates() {
		if i, ok := inspect(dir); ok && !slices.ContainsFunc(found,
			func(o installed) bool { return o.major == i.major }) {
			found = append(found, i)
		}
	}
	slices.SortFunc(found, func(a, b installed) int { return b.major - a.major })
	return found
}

// candidates are directories that may hold server binaries. What stands on the PATH is often a
// link or a wrapper script beside nothing else, so links are followed and pg_config is asked.
func candidates() []string {
	var dirs []string
	if path, err := exec.LookPath("postgres"); err == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			dirs = append(dirs, filepath.Dir(real))
		}
	}
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin",          // Debian, Ubuntu
		"/usr/pgsql-*/bin",                   // Red Hat
		"/usr/libexec/postgresql*",           // Alpine
		"/opt/homebrew/opt/postgresql@*/bin", // macOS
		"/usr/local/opt/postgresql@*/bin",
	} {
		matches, _ := filepath.Glob(pattern) // the pattern is well-formed
		dirs = append(dirs, matches...)
	}
	return dirs
}

var versionOutput = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

// inspect asks the server in dir for its version. A directory without initdb cannot make data.
func inspect(dir string) (installed, bool) {
	if _, err := os.Stat(filepath.Join(dir, "initdb")); err != nil {
		return installed{}, false
	}
	out, err := exec.Command(filepath.Join(dir, "postgres"), "--version").Output()
	if err != nil {
		return installed{}, false
	}
	match := versionOutput.FindSubmatch(out)
	if match == nil {
		return installed{}, false
	}
	major, err := strconv.Atoi(string(match[1]))
	return installed{dir: dir, major: major}, err == nil
}

// Installed reports whether this machine has a server that Start would take for a new cluster.
func Installed() bool {
	found := find()
	return len(found) > 0 && found[0].major >= oldest
}
