package dossier_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	direct   = regexp.MustCompile(`(?m)^(?:require |\t)(\S+) v(\d+)\.(\d+)\.(\d+)\S*$`)
	language = regexp.MustCompile(`(?m)^go (\d+)\.(\d+)\.(\d+)$`)
	mended   = regexp.MustCompile(`(?m)^\| (\S+)(?: \(toolchain\))? \| [^|]+ \| (\d+\.\d+\.\d+)? ?\|`)
)

// The list of advisories names each direct dependency, none of them older than the release that mends what is known.
func TestAdvisories(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile("docs/advisories.md")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string][]string{"go": language.FindStringSubmatch(string(mod))[1:]}
	for _, m := range direct.FindAllStringSubmatch(string(mod), -1) {
		used[m[1]] = m[2:]
	}
	named := map[string]bool{}
	for _, m := range mended.FindAllStringSubmatch(string(list), -1) {
		named[m[1]] = true
		version, ok := used[m[1]]
		if !ok {
			t.Errorf("%s is no direct dependency", m[1])
			continue
		}
		if m[2] != "" && older(version, strings.Split(m[2], ".")) {
			t.Errorf("%s is %s; what is known of it is mended in %s", m[1], strings.Join(version, "."), m[2])
		}
	}
	for module := range used {
		if !named[module] {
			t.Errorf("docs/advisories.md does not name %s", module)
		}
	}
}

func older(version, than []string) bool {
	for i := range than {
		a, _ := strconv.Atoi(version[i])
		b, _ := strconv.Atoi(than[i])
		if a != b {
			return a < b
		}
	}
	return false
}
