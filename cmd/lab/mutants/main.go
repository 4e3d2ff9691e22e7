// Command mutants takes away, one after the other, what keeps a promise, and runs the test that is said to hold it: a
// test that passes all the same proves nothing. What is taken away stands in mutants.yaml. The checkout is not changed:
//
//	go run ./cmd/lab/mutants            all of them, some minutes
//	go run ./cmd/lab/mutants -only 17   those whose name begins so
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v4"
)

//go:embed mutants.yaml
var table []byte

// mutant is a promise that is not kept: in File, New stands where Old stood, which is there exactly once.
type mutant struct {
	Name, File, Old, New string
	Test                 string // "package TestName"; the name may be an expression
}

func main() {
	dir := flag.String("dir", ".", "the root of the checkout")
	only := flag.String("only", "", "the beginning of a name")
	flag.Parse()
	if err := run(context.Background(), *dir, *only, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dir, only string, out io.Writer) error {
	mutants, err := read()
	if err != nil {
		return err
	}
	survived := 0
	for _, m := range mutants {
		if !strings.HasPrefix(m.Name, only) {
			continue
		}
		caught, said, err := m.try(ctx, dir)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", m.Name, err)
		case caught:
			_, err = fmt.Fprintf(out, "caught    %s: %s\n", m.Name, m.Test)
		default:
			survived++
			_, err = fmt.Fprintf(out, "SURVIVED  %s: %s\n%s\n", m.Name, m.Test, said)
		}
		if err != nil {
			return err
		}
	}
	if survived > 0 {
		return fmt.Errorf("%d survived", survived)
	}
	return nil
}

func read() ([]mutant, error) {
	var mutants []mutant
	err := yaml.Unmarshal(table, &mutants)
	return mutants, err
}

// changed is the file with the mutation.
func (m mutant) changed(dir string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(m.File)))
	if err != nil {
		return nil, err
	}
	if n := bytes.Count(text, []byte(m.Old)); n != 1 {
		return nil, fmt.Errorf("%q is in %s %d times", m.Old, m.File, n)
	}
	return bytes.Replace(text, []byte(m.Old), []byte(m.New), 1), nil
}

// try runs the test on the changed file and reports whether a test failed. Error: the change does not compile, or no
// test ran.
func (m mutant) try(ctx context.Context, dir string) (caught bool, said string, err error) {
	work, err := os.MkdirTemp("", "mutant-")
	if err != nil {
		return false, "", err
	}
	defer func() { _ = os.RemoveAll(work) }()
	overlay, err := m.overlay(dir, work)
	if err != nil {
		return false, "", err
	}
	room, test, _ := strings.Cut(m.Test, " ")
	cmd := exec.CommandContext(ctx, "go", "test", "-count=1", "-v", "-overlay", overlay, "./"+room, "-run", test)
	cmd.Dir = dir
	answer, err := cmd.CombinedOutput()
	said = string(answer)
	switch {
	case strings.Contains(said, "--- FAIL: "):
		return true, said, nil
	case err != nil:
		return false, said, fmt.Errorf("%w\n%s", err, said)
	case !strings.Contains(said, "--- PASS: "):
		return false, said, errors.New("no test ran")
	}
	return false, said, nil
}

// overlay writes the changed file and what tells the go command to read it in the place of the other.
func (m mutant) overlay(dir, work string) (string, error) {
	text, err := m.changed(dir)
	if err != nil {
		return "", err
	}
	root, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	file, overlay := filepath.Join(work, "changed.go"), filepath.Join(work, "overlay.json")
	list, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, m.File): file}})
	if err != nil {
		return "", err
	}
	return overlay, errors.Join(os.WriteFile(file, text, 0o600), os.WriteFile(overlay, list, 0o600))
}
