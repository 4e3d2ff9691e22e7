package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// migrations is where the schema stands, in this checkout and in every release.
const migrations = "storage/postgres/migrations"

// testRelease runs the programs of an earlier release (a tag or a commit) while the schema of this checkout is migrated
// under them, then runs that release's tests of the store and the worker on the new schema: the earlier release must
// work during an upgrade and after a rollback. With "load" it leaves out the tests.
func testRelease(ctx context.Context, args []string) error {
	if len(args) == 0 || len(args) > 2 || len(args) == 2 && args[1] != "load" {
		return errors.New("name the release before, a tag or a commit: make before RELEASE=v1.2.0")
	}
	if err := setup(ctx, true); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "dossier-before-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := checkOut(ctx, args[0], dir); err != nil {
		return err
	}
	if err := upgrade(ctx, args[0], dir); err != nil || len(args) == 2 {
		return err
	}
	if err := copySchema(dir); err != nil {
		return err
	}
	fmt.Printf("The tests of %s on the schema of this checkout\n", args[0])
	test := exec.CommandContext(ctx, "go", "test", "-count=1", "-p=1", "-timeout=1h", "./storage/postgres",
		"./jobs/worker")
	test.Dir, test.Stdout, test.Stderr = dir, os.Stdout, os.Stderr
	return test.Run()
}

// checkOut writes the files of a release into an empty directory.
func checkOut(ctx context.Context, release, dir string) error {
	archive := filepath.Join(dir, "release.tar")
	for _, step := range [][]string{
		{"git", "archive", "--output", archive, release}, {"tar", "-x", "-f", archive, "-C", dir},
	} {
		if out, err := exec.CommandContext(ctx, step[0], step[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("the files of %s: %w: %s", release, err, out)
		}
	}
	return nil
}

// copySchema replaces a release's migrations by those of this checkout.
func copySchema(dir string) error {
	old := filepath.Join(dir, migrations)
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	return os.CopyFS(old, os.DirFS(migrations))
}
