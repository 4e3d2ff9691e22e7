package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The image fetches the library that `make setup` does, by the same hash.
func TestRuntimePackages_image(t *testing.T) {
	dockerfile, err := os.ReadFile("../../../deploy/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	for arch, p := range runtimePackages {
		if want := "name=" + p.name + "; want=" + strings.TrimPrefix(p.integrity, "sha512-") + " ;;"; !strings.Contains(string(dockerfile), arch+") "+want) {
			t.Errorf("the image does not fetch %s for %s by its hash", p.name, arch)
		}
	}
}

// Only what was pinned is unpacked, and only the library.
func TestFetchedRuntime(t *testing.T) {
	dir := t.TempDir()
	archive := filepath.Join(dir, "package.tgz")
	var b bytes.Buffer
	zipped := gzip.NewWriter(&b)
	files := tar.NewWriter(zipped)
	for name, content := range map[string]string{"package/index.js": "x", "package/" + runtimeFile: "library"} {
		if err := files.WriteHeader(&tar.Header{Name: name, Size: int64(len(content)), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		if _, err := files.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(archive, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := verify(archive, runtimePackages["amd64"].integrity); err == nil || !strings.Contains(err.Error(), "do not use it") {
		t.Errorf("another package was taken: %v", err)
	}
	to := t.TempDir()
	if err := unpackOne(archive, runtimeFile, to); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(to)
	if err != nil || len(entries) != 1 || entries[0].Name() != runtimeFile {
		t.Errorf("%v, %v", entries, err)
	}
}
