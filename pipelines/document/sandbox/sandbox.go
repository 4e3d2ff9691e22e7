// Package sandbox reads uploads in processes of their own, without network, with bounded time, memory and output.
// sandbox.go and process.go start them, parse.go is their other side.
package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
)

// Reading is the outcome of reading one file: an extraction, or a refusal.
type Reading struct {
	Extraction *dossier.Extraction // nil when refused
	Refusal    *refusal.Refusal    // nil when read
	Tokens     []byte              // the compressed Decoded, for DecodeTokens; nil when refused
	Thumbnail  []byte              // PNG of the first page, at most 240 pixels wide; nil when there is none
	PeakMiB    int64               // memory of the greediest process that read it
}

// Config is what a Reader needs to know of its surroundings: plain values.
type Config struct {
	Executable string            // the binary that calls ChildMain; empty: the running one
	CacheDir   string            // holds the compiled PDF engine between processes; must outlive them
	Tesseract  string            // path of tesseract; empty: scans and images are refused with ocr_unavailable
	OCR        decode.Recognizer // the zero value: pictures are read by tesseract alone
	Limits     decode.Limits
	Open       bool // read also where the kernel lacks a wall of the sandbox (Missing)
	Ahead      bool // keep a process ready for the next file: it is read sooner, for the memory of an idle process
}

// Reader reads files, each in a process of its own. It is safe for concurrent use and keeps no state
// between files. The caller bounds how many run at once.
type Reader struct {
	config Config
	warm   atomic.Bool
	read   atomic.Bool            // a file was read
	ahead  atomic.Pointer[parser] // waits for the next one
}

// NewReader checks the configuration; it starts nothing.
func NewReader(c Config) (*Reader, error) {
	if c.Executable == "" {
		self, err := ownProgram()
		if err != nil {
			return nil, fmt.Errorf("document reader: %w", err)
		}
		c.Executable = self
	}
	if c.CacheDir == "" {
		return nil, errors.New("document reader: CacheDir is required")
	}
	dir, err := filepath.Abs(c.CacheDir)
	if err != nil {
		return nil, fmt.Errorf("document reader: cache directory: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("document reader: cache directory: %w", err)
	}
	c.CacheDir = dir
	c.Limits = c.Limits.OrDefaults()
	return &Reader{config: c}, nil
}

// Find returns the path of a program on PATH, or "" when it is not installed: for Config.Tesseract.
func Find(program string) string {
	path, err := exec.LookPath(program)
	if err != nil {
		return ""
	}
	path, err = filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return path
}

// Warm compiles the PDF engine into the cache directory (about 3 s the first time, 0.1 s after). Call it at
// start; Read calls it when nobody did, and no earlier Reader of this program for this directory either.
func (r *Reader) Warm(ctx context.Context) error {
	if r.warm.Load() {
		return nil
	}
	_, refused, err := r.run(ctx, modeWarm, strings.NewReader(""), time.Minute)
	if err != nil {
		return fmt.Errorf("warm document reader: %w", err)
	}
	if refused != nil {
		return fmt.Errorf("warm document reader: %w", refused)
	}
	r.warm.Store(true)
	_ = os.WriteFile(r.warmMarker(), nil, 0o600) // without it the next program warms again
	return nil
}

// ready is Warm where that may be needed.
func (r *Reader) ready(ctx context.Context) error {
	if r.warm.Load() {
		return nil
	}
	if _, err := os.Stat(r.warmMarker()); err == nil {
		return nil
	}
	return r.Warm(ctx)
}

// requireWarm makes the next reading prepare the engine again: this one failed, perhaps because the compiled engine is
// missing.
func (r *Reader) requireWarm() {
	r.warm.Store(false)
	_ = os.Remove(r.warmMarker())
}

// warmMarker is the file whose presence shows that this version of the program has compiled its PDF engine.
func (r *Reader) warmMarker() string {
	program, err := os.Stat(r.config.Executable)
	if err != nil {
		return filepath.Join(r.config.CacheDir, "warm")
	}
	return filepath.Join(r.config.CacheDir, fmt.Sprintf("warm-%x-%x", program.Size(), program.ModTime().UnixNano()))
}

// Read reads one file. A file that cannot be read gives a Reading with a Refusal; the error is for our own
// machinery only (no process could be started, ctx ended, file could not be fetched), and worth a retry.
func (r *Reader) Read(ctx context.Context, file io.Reader) (Reading, error) {
	if err := r.ready(ctx); err != nil {
		return Reading{}, err
	}
	limited := &cappedReader{from: file, left: r.config.Limits.MaxBytes}
	out, refused, err := r.run(ctx, modeRead, limited, r.config.Limits.OCRClock()+5*time.Second)
	switch {
	case limited.failed != nil:
		return Reading{}, fmt.Errorf("read document: fetch file: %w", limited.failed)
	case limited.over:
		return Reading{Refusal: refusal.New(refusal.TooLarge, "The file is larger than %d MiB.",
			r.config.Limits.MaxBytes>>20)}, nil
	case err != nil:
		return Reading{}, fmt.Errorf("read document: %w", err)
	case refused != nil:
		return Reading{Refusal: refused, PeakMiB: out.peakMiB}, nil
	}
	return Reading{Extraction: out.Extraction, Refusal: out.Refusal, Tokens: out.Tokens, Thumbnail: out.Thumbnail,
		PeakMiB: out.peakMiB}, nil
}

// Reextract applies the rules of this version to the tokens that an earlier reading kept, in a process of its own too:
// nothing is parsed, and no OCR runs. The Reading has no tokens and no thumbnail: those of the first one stay good.
// Errors are those of Read; damaged tokens are one too.
func (r *Reader) Reextract(ctx context.Context, kept []byte) (Reading, error) {
	out, refused, err := r.run(ctx, modeReextract, bytes.NewReader(kept), r.config.Limits.TextTime+5*time.Second)
	if err != nil {
		return Reading{}, fmt.Errorf("read kept tokens: %w", err)
	}
	return Reading{Extraction: out.Extraction, Refusal: refused, PeakMiB: out.peakMiB}, nil
}

// Parts is Reextract with the documents that a person says the file has.
func (r *Reader) Parts(ctx context.Context, kept []byte, parts []dossier.DocumentPart) (Reading, error) {
	order, err := json.Marshal(parts)
	if err != nil {
		return Reading{}, err
	}
	out, refused, err := r.run(ctx, modeParts,
		io.MultiReader(bytes.NewReader(append(order, '\n')), bytes.NewReader(kept)),
		r.config.Limits.TextTime+5*time.Second)
	if err != nil {
		return Reading{}, fmt.Errorf("read parts: %w", err)
	}
	return Reading{Extraction: out.Extraction, Refusal: refused, PeakMiB: out.peakMiB}, nil
}

// Probe has a parser process try what it must not be able to do, and returns how many ways it tried and what it
// reached: nothing, where the sandbox holds.
func (r *Reader) Probe(ctx context.Context) (int, []string, error) {
	out, refused, err := r.run(ctx, modeProbe, strings.NewReader(""), time.Minute)
	if err == nil && refused != nil {
		err = refused
	}
	var reached []string
	for what, escaped := range out.Probe {
		if escaped {
			reached = append(reached, what)
		}
	}
	slices.Sort(reached)
	return len(out.Probe), reached, err
}

// cappedReader streams a file to the parser and notes whether it was cut or failed.
type cappedReader struct {
	from   io.Reader
	left   int64
	over   bool
	failed error
}

func (c *cappedReader) Read(p []byte) (int, error) {
	if c.left < int64(len(p)) {
		p = p[:max(c.left, 1)] // one byte past the cap shows that there is more
	}
	n, err := c.from.Read(p)
	if c.left -= int64(n); c.left < 0 {
		c.over = true
		return 0, io.EOF
	}
	if err != nil && err != io.EOF {
		c.failed = err
		return n, io.EOF
	}
	return n, err
}

// maxOutput caps what a parser process may answer.
const maxOutput = 32 << 20

// report is the parser's answer on its standard output.
type report struct {
	Extraction *dossier.Extraction `json:"extraction,omitempty"`
	Refusal    *refusal.Refusal    `json:"refusal,omitempty"`
	Tokens     []byte              `json:"tokens,omitempty"`
	Thumbnail  []byte              `json:"thumbnail,omitempty"`
	Probe      map[string]bool     `json:"probe,omitempty"`
	PageImages [][]byte            `json:"pageImages,omitempty"` // for the reading page only

	peakMiB int64
}

// peakOf is the most memory that a process or one that it started took, in MiB.
func peakOf(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss >> 10 // Linux counts in KiB
}

// causeOfDeath turns the end of a parser process into a refusal; nil when it is our fault, not the file's.
func causeOfDeath(late bool, state *os.ProcessState, stderr string) *refusal.Refusal {
	status, _ := state.Sys().(syscall.WaitStatus)
	switch {
	case late, status.Signaled() && status.Signal() == syscall.SIGXCPU:
		return refusal.New(refusal.Timeout, "Reading the file took too long.")
	case strings.Contains(stderr, "out of memory"), strings.Contains(stderr, "cannot allocate memory"):
		return refusal.New(refusal.Memory, "Reading the file takes more memory than one document may use.")
	case state.ExitCode() == exitOurFault, machineShort(stderr):
		return nil
	case status.Signaled() && status.Signal() == syscall.SIGKILL:
		return refusal.New(refusal.Timeout,
			"Reading the file took more time or memory than one document may use.")
	case status.Signaled() && !faults[status.Signal()]:
		return nil // somebody ended it: it says nothing of the file
	}
	return refusal.New(refusal.Corrupt, "The file's structure is damaged and cannot be read.")
}

// machineShort reports whether a program says that the machine could not give it a thread, a process or a descriptor:
// many programs that start at once may want more than there are, and the next try finds them.
func machineShort(stderr string) bool {
	return slices.ContainsFunc([]string{"failed to create new OS thread", "newosproc", "pthread_create failed",
		"resource temporarily unavailable", "too many open files"}, func(s string) bool {
		return strings.Contains(stderr, s)
	})
}

// faults are the signals by which a program ends that a file led astray.
var faults = map[syscall.Signal]bool{syscall.SIGSEGV: true, syscall.SIGBUS: true, syscall.SIGABRT: true,
	syscall.SIGILL: true, syscall.SIGFPE: true, syscall.SIGTRAP: true, syscall.SIGSYS: true, syscall.SIGXFSZ: true}

// cappedBuffer keeps the first limit bytes, notes that there were more, and never blocks the writer.
type cappedBuffer struct {
	bytes.Buffer
	limit int
	over  bool
}

func (b *cappedBuffer) Write(p []byte) (int, error) {
	if room := b.limit - b.Len(); len(p) > room {
		b.over = true
		b.Buffer.Write(p[:max(room, 0)])
		return len(p), nil
	}
	return b.Buffer.Write(p)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if len(line) > 200 {
		line = line[:200]
	}
	return line
}
