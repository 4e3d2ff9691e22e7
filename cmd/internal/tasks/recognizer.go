package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/sandbox"
)

// runtimePackages are npm packages that carry onnxruntime for Linux, with the hashes npm publishes for them. Their
// licence is Apache-2.0; onnxruntime's is MIT. deploy/Dockerfile names the same.
var runtimePackages = map[string]struct{ name, integrity string }{
	"amd64": {"sherpa-onnx-linux-x64@1.13.8",
		"sha512-6plnhjagsSeTntCgnlag86hWbs/uZE9Crms1LgOb68/1nKsIQjMd+WG519m+aPwT6TrsBOiEMzrx41t8sL5L5g=="},
	"arm64": {"sherpa-onnx-linux-arm64@1.13.8",
		"sha512-Tlg7a70b/Wge3OF8IgTHF9jhSVCsLyKQKhwc4BsJ5A+dL/SrFtGBjzuHp4XeLhiiOT7afCxX5PdSn/D4c8Lnuw=="},
}

const runtimeFile = "libonnxruntime.so"

// setupRecognizer builds dossier-ocr where every program of this user finds it, and gets its library: the
// distribution's, else npm's. Without the library everything else works and pictures are read by Tesseract alone, so
// that is said and is no error.
func setupRecognizer(ctx context.Context) error {
	dir, err := sandbox.RecognizerDir()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if sandbox.FindRuntime(dir) == "" {
		if err := fetchRuntime(ctx, dir); err != nil {
			say("Photographs and small print will be read by Tesseract, which reads them worse: " + err.Error() +
				". Then run make setup again.")
			return nil
		}
	}
	fresh := filepath.Join(dir, fmt.Sprintf(".dossier-ocr-%d", os.Getpid()))
	defer func() { _ = os.Remove(fresh) }() // moved away when all went well
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", fresh, "./cmd/dossier-ocr")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build dossier-ocr: %w\n%s", err, out)
	}
	return os.Rename(fresh, filepath.Join(dir, "dossier-ocr")) // a reader that runs keeps the program it started
}

// fetchRuntime puts onnxruntime into a directory. Its errors name what to do.
func fetchRuntime(ctx context.Context, dir string) error {
	want, ok := runtimePackages[runtime.GOARCH]
	if !ok || runtime.GOOS != "linux" {
		return fmt.Errorf("there is no onnxruntime to fetch for %s on %s: install it as libonnxruntime.so in "+
			"/usr/local/lib", runtime.GOOS, runtime.GOARCH)
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return errors.New("neither onnxruntime nor npm, which would fetch it, is installed: install one of them")
	}
	say("Fetching onnxruntime for text recognition (npm pack " + want.name + ", 11 MB)")
	work, err := os.MkdirTemp("", "dossier-ocr-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	pack := exec.CommandContext(ctx, "npm", "pack", "--silent", want.name)
	pack.Dir = work
	out, err := pack.Output()
	if err != nil {
		return fmt.Errorf("npm pack %s failed: check the connection", want.name)
	}
	file := filepath.Join(work, filepath.Base(strings.TrimSpace(string(out))))
	if err := verify(file, want.integrity); err != nil {
		return err
	}
	return unpackOne(file, runtimeFile, dir)
}

// verify compares a file's SHA-512 with the one npm published.
func verify(file, integrity string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha512.New()
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	if got := "sha512-" + base64.StdEncoding.EncodeToString(sum.Sum(nil)); got != integrity {
		return fmt.Errorf("%s is not the package that was pinned (%s): do not use it", filepath.Base(file), got)
	}
	return nil
}

// unpackOne takes one file out of an archive.
func unpackOne(archive, name, dir string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	files := tar.NewReader(unzipped)
	for {
		entry, err := files.Next()
		if err != nil {
			return fmt.Errorf("%s has no %s: %w", filepath.Base(archive), name, err)
		}
		if path.Base(entry.Name) != name {
			continue
		}
		fresh, err := os.CreateTemp(dir, ".fetched-")
		if err != nil {
			return err
		}
		defer func() { _ = os.Remove(fresh.Name()) }() // moved away when all went well
		_, err = io.Copy(fresh, files)
		if err = errors.Join(err, fresh.Chmod(0o644), fresh.Close()); err != nil {
			return err
		}
		return os.Rename(fresh.Name(), filepath.Join(dir, name))
	}
}
