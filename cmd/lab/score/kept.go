package score

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// readFile reads one file: from what is kept of it in the directory kept, else by decoding it.
func readFile(ctx context.Context, r *sandbox.Reader, path, kept string) (timedReading, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return timedReading{}, fmt.Errorf("score: %w", err)
	}
	started := time.Now()
	place := ""
	if kept != "" {
		sum := sha256.Sum256(content)
		place = filepath.Join(kept, hex.EncodeToString(sum[:])+".tokens")
		if got, err := readKept(place); err == nil {
			return timedReading{Reading: got, seconds: time.Since(started).Seconds()}, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return timedReading{}, fmt.Errorf("score %s: %w", path, err)
		}
	}
	got, err := r.Read(ctx, bytes.NewReader(content))
	if err != nil {
		return timedReading{}, fmt.Errorf("score %s: %w", path, err)
	}
	if place != "" && got.Tokens != nil {
		if err := os.WriteFile(place, got.Tokens, 0o600); err != nil {
			return timedReading{}, fmt.Errorf("score: %w", err)
		}
	}
	return timedReading{Reading: got, seconds: time.Since(started).Seconds()}, nil
}

// readKept extracts facts from what an earlier reading kept.
func readKept(place string) (sandbox.Reading, error) {
	tokens, err := os.ReadFile(place)
	if err != nil {
		return sandbox.Reading{}, err
	}
	decoded, err := text.DecodeTokens(tokens)
	if err != nil {
		return sandbox.Reading{}, err
	}
	extraction := document.Extract(decoded)
	return sandbox.Reading{Extraction: &extraction, Tokens: tokens}, nil
}
