package dossier_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	citedPage    = regexp.MustCompile(`\b([a-z][a-z0-9-]*)\.md\b(?:'s)?`)
	citedSection = regexp.MustCompile(`^,? ?(?:\(?sections? )([0-9]+)|^ ([0-9]+)\b`)
	sectionHead  = regexp.MustCompile(`(?m)^## ([0-9]+)\.`)
)

// specPages are the pages of docs/spec by name, each with the numbers of its sections.
func specPages(t *testing.T) map[string]map[string]bool {
	t.Helper()
	files, err := filepath.Glob("docs/spec/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("docs/spec holds no pages: %v", err)
	}
	pages := map[string]map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sections := map[string]bool{}
		for _, head := range sectionHead.FindAllStringSubmatch(string(text), -1) {
			sections[head[1]] = true
		}
		pages[strings.TrimSuffix(filepath.Base(file), ".md")] = sections
	}
	return pages
}

// A comment that cites a page of the specification cites one that is in docs/spec, and a section that the page has. The
// other pages of the repository are cited by their path or in capitals.
func TestCitations(t *testing.T) {
	pages := specPages(t)
	cited := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() && path != "." && (strings.HasPrefix(name, ".") || name == "node_modules") {
			return filepath.SkipDir
		}
		switch filepath.Ext(name) {
		case ".go", ".sql", ".yaml", ".md":
		default:
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for number, line := range strings.Split(string(text), "\n") {
			for _, at := range citedPage.FindAllStringSubmatchIndex(line, -1) {
				page, rest := line[at[2]:at[3]], line[at[1]:]
				if at[0] > 0 && strings.ContainsRune("/*.%", rune(line[at[0]-1])) {
					continue // a path, or a pattern of file names
				}
				sections, known := pages[page]
				if !known {
					t.Errorf("%s:%d cites %s.md, which is not in docs/spec", path, number+1, page)
					continue
				}
				cited++
				if m := citedSection.FindStringSubmatch(rest); m != nil && !sections[m[1]+m[2]] {
					t.Errorf("%s:%d cites section %s of %s.md, which it has not", path, number+1, m[1]+m[2], page)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if cited < 100 {
		t.Errorf("found %d citations: the test no longer sees them", cited)
	}
}
