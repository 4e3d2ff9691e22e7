package api

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// The checks of a body are its method Faults: with another name, or another letter, nobody would call them.
func TestFaults_hook(t *testing.T) {
	t.Parallel()
	misnamed, hooks := regexp.MustCompile(`(?mi)^func \(.*\) (faults\w*)\(\) .*\[\]dossier\.Fault`), 0
	for _, room := range []string{".", "portal", "console", "signin", "web"} {
		files, err := filepath.Glob(filepath.Join(room, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range misnamed.FindAllSubmatch(source, -1) {
				if hooks++; string(found[1]) != "Faults" {
					t.Errorf("%s: %s would never be called, it must be Faults", file, found[1])
				}
			}
		}
	}
	if hooks < 20 {
		t.Errorf("only %d bodies with checks of their own were found", hooks)
	}
}
