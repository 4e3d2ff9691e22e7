package daemon

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Debian is a program of a Debian package that is wanted without what its package would start.
type Debian struct{ Package, Program string }

// Install returns the path of the program: the machine's own, else one taken out of the package, which is fetched once
// into the user's cache and not installed. Error: there is neither the program nor apt-get.
func (d Debian) Install(ctx context.Context, progress func(line string)) (string, error) {
	if path, err := exec.LookPath(d.Program); err == nil {
		return path, nil
	}
	cache, err := cacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "debian-"+d.Package)
	program := filepath.Join(dir, "usr/bin", d.Program)
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	unlock, err := Lock(ctx, dir+".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		return "", fmt.Errorf("there is no %s on this machine: install it", d.Program)
	}
	progress("Fetching " + d.Program + " of the package " + d.Package)
	return program, d.fetch(ctx, dir)
}

// fetch takes the package apart beside its final place, so that what was cut off is not found.
func (d Debian) fetch(ctx context.Context, dir string) error {
	fresh := dir + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return err
	}
	if err := os.MkdirAll(fresh, 0o700); err != nil {
		return err
	}
	download := func() error { return d.run(ctx, fresh, "apt-get", "-q", "download", d.Package) }
	if download() != nil { // the lists of packages may be missing
		_ = d.run(ctx, fresh, "apt-get", "-q", "update")
		if err := download(); err != nil {
			return err
		}
	}
	files, err := filepath.Glob(filepath.Join(fresh, "*.deb"))
	if err != nil || len(files) != 1 {
		return fmt.Errorf("apt-get download %s left %v %w", d.Package, files, err)
	}
	if err := d.run(ctx, fresh, "dpkg-deb", "-x", files[0], "."); err != nil {
		return err
	}
	if err := os.Rename(fresh, dir); err != nil {
		return err
	}
	return os.Remove(filepath.Join(dir, filepath.Base(files[0])))
}

func (d Debian) run(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %s", name, LastLine(string(out)))
	}
	return nil
}
