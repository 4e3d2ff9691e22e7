package sandbox

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// childName is the name (argv[0]) a parser process runs under: no user types it by accident.
const childName = "dossier-parser"

// Modes of a parser process.
const (
	modeRead      = "read"
	modeShow      = "show" // read, and return page images
	modeWarm      = "warm"
	modeDraw      = "draw"      // draw one page; its order stands before the file, in a line
	modeReextract = "reextract" // apply the rules to kept tokens
	modeParts     = "parts"     // the same, with the parts that stand before them, in a line
	modeProbe     = "probe"     // try what a parser must not be able to do
)

// exitOurFault is the exit code for faults that are not the file's.
const exitOurFault = 70

// childOptions is what the parent tells a parser process, as its only argument.
type childOptions struct {
	Mode      string            `json:"mode"`
	CacheDir  string            `json:"cacheDir"`
	Tesseract string            `json:"tesseract"`
	OCR       decode.Recognizer `json:"ocr"`
	Limits    decode.Limits     `json:"limits"`
	Ahead     bool              `json:"ahead"` // there is no file yet: the time until it comes is used
	Open      bool              `json:"open"`  // walls that the kernel does not have are done without
}

// childEnvironment lets a parser process collect no garbage before it holds this much: most files are read by then.
var childEnvironment = []string{"GODEBUG=madvdontneed=1", "GOGC=off", "GOMEMLIMIT=128MiB"}

// ChildMain runs the parser when this process was started as one, and then does not return. Otherwise it
// returns false at once. Call it first in every main (and in TestMain), before anything is opened.
func ChildMain() bool {
	if len(os.Args) != 2 || os.Args[0] != childName {
		return false
	}
	var o childOptions
	if err := json.Unmarshal([]byte(os.Args[1]), &o); err != nil {
		failOurs(fmt.Errorf("options: %w", err))
	}
	if err := enterSandbox(o.Limits, o.Open); err != nil {
		failOurs(err)
	}
	atFirstCollection(func() {
		debug.SetGCPercent(100)
		// What the program itself holds (its variables, threads and compiled engines) takes some 150 MiB of the default
		// limit. The collector must work hard before the rest is full.
		debug.SetMemoryLimit(int64(o.Limits.DataMiB) << 20 * 3 / 5)
	})
	out := runChild(o)
	answered.Do(func() { writeReport(out) })
	return true
}

// atFirstCollection calls f when garbage was collected for the first time.
func atFirstCollection(f func()) {
	garbage := new([16]byte)
	runtime.AddCleanup(garbage, func(f func()) { f() }, f)
}

// answered makes sure that one report is written: the result, or the timeout that overtook it.
var answered sync.Once

func writeReport(out report) {
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		failOurs(err)
	}
	os.Exit(0)
}

// failOurs ends the parser for a fault that is not the file's.
func failOurs(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(exitOurFault)
}

// runChild does the work of a parser process.
func runChild(o childOptions) report {
	if o.Mode == modeWarm {
		if err := decode.Warm(o.CacheDir); err != nil {
			failOurs(err)
		}
		return report{}
	}
	if o.Mode == modeProbe {
		return report{Probe: probeSandbox(o)}
	}
	var clock *stopwatch
	w := decode.NewDecoder(decode.Options{
		CacheDir: o.CacheDir, Tesseract: o.Tesseract, OCR: o.OCR, Limits: o.Limits, Show: o.Mode == modeShow,
		OCRStarts: func() { clock.startOCR() },
	})
	if o.Ahead {
		_ = w.OpenPDF() // who needs it gets the error
	}
	data, started := input(o)
	clock = started
	switch o.Mode {
	case modeReextract:
		return reextract(data)
	case modeParts:
		return reextractParts(data)
	case modeDraw:
		return drawPage(w, data)
	}
	return read(w, data)
}

// input is the file on standard input. The time that is left for it begins with its first byte: a process may be
// started long before there is a file.
func input(o childOptions) ([]byte, *stopwatch) {
	in := bufio.NewReader(os.Stdin)
	_, err := in.Peek(1)
	clock := newStopwatch(o.Limits)
	if err == nil {
		var data []byte
		if data, err = io.ReadAll(in); err == nil {
			return data, clock
		}
	}
	if err != io.EOF {
		failOurs(fmt.Errorf("standard input: %w", err))
	}
	return nil, clock
}

// reextract applies the rules again to the tokens kept of a document.
func reextract(kept []byte) report {
	decoded, err := text.DecodeTokens(kept)
	if err != nil {
		failOurs(err)
	}
	return extracted(decoded, document.Extract(decoded))
}

// reextractParts applies the rules again to kept tokens, with the documents as a person divided and named them.
func reextractParts(data []byte) report {
	head, kept, _ := bytes.Cut(data, []byte{'\n'})
	var parts []dossier.DocumentPart
	if err := json.Unmarshal(head, &parts); err != nil {
		failOurs(fmt.Errorf("parts: %w", err))
	}
	decoded, err := text.DecodeTokens(kept)
	if err != nil {
		failOurs(err)
	}
	return extracted(decoded, document.ExtractParts(decoded, parts))
}

// extracted is the answer to kept tokens; with new ones where a version kept numbers of people.
func extracted(decoded text.Decoded, extraction dossier.Extraction) report {
	if !text.HideSecrets(&decoded, &extraction) {
		return report{Extraction: &extraction}
	}
	tokens, err := text.EncodeTokens(decoded) // kept by a version that kept numbers of people
	if err != nil {
		failOurs(err)
	}
	return report{Extraction: &extraction, Tokens: tokens}
}

// probeSandbox tries to leave the sandbox and reports what worked. Operators see it in "doctor".
func probeSandbox(o childOptions) map[string]bool {
	escaped := map[string]bool{}
	_, err := os.ReadFile("/etc/passwd")
	escaped["read files of the system"] = err == nil
	err = os.WriteFile(filepath.Join(o.CacheDir, "probe"), []byte("x"), 0o600)
	escaped["write to its cache"] = err == nil
	err = os.WriteFile("/tmp/dossier-probe", []byte("x"), 0o600)
	escaped["write to /tmp"] = err == nil
	escaped["open a socket"] = onAnyThread(func() bool {
		conn, err := (&net.Dialer{}).DialContext(context.Background(), "udp", "127.0.0.1:9")
		if conn != nil {
			_ = conn.Close()
		}
		return err == nil
	})
	err = syscall.Setpgid(0, 0)
	escaped["leave its process group"] = err == nil
	probeSystem(escaped)
	return escaped
}

// onAnyThread reports whether try succeeds on one of several threads, which are all there at the same time: the process
// had some before it entered the sandbox.
func onAnyThread(try func() bool) bool {
	const threads = 4 // each has a stack that counts as memory
	var there, done sync.WaitGroup
	var succeeded atomic.Bool
	there.Add(threads)
	for range threads {
		done.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			there.Done()
			there.Wait()
			if try() {
				succeeded.Store(true)
			}
		})
	}
	done.Wait()
	return succeeded.Load()
}

// read decodes one file and applies the rules to it.
func read(w *decode.Decoder, data []byte) report {
	decoded, err := w.Decode(data)
	w.Close()
	var fault *decode.EngineFault
	if errors.As(err, &fault) {
		failOurs(err)
	}
	if err != nil {
		return report{Refusal: refusal.Of(err)}
	}
	extraction := document.Extract(decoded)
	text.HideSecrets(&decoded, &extraction)
	tokens, err := text.EncodeTokens(decoded)
	if err != nil {
		failOurs(err)
	}
	if w.Thumbnail == nil && len(decoded.Pages) > 0 && decoded.Pages[0].Layer == text.LayerNative {
		w.Thumbnail = decode.ThumbnailOf(decode.Sketch(decoded.Pages[0]))
	}
	return report{Extraction: &extraction, Tokens: tokens, Thumbnail: w.Thumbnail, PageImages: w.Images}
}

// stopwatch ends the process with a timeout refusal when its time is over. OCR gets more time than text.
type stopwatch struct {
	timer  *time.Timer
	limits decode.Limits
	ocr    sync.Once
}

func newStopwatch(l decode.Limits) *stopwatch {
	return &stopwatch{limits: l, timer: time.AfterFunc(l.TextTime, func() {
		answered.Do(func() {
			writeReport(report{Refusal: refusal.New(refusal.Timeout, "Reading the file took too long.")})
		})
	})}
}

// startOCR gives the process the longer time, once.
func (s *stopwatch) startOCR() {
	s.ocr.Do(func() { s.timer.Reset(s.limits.OCRClock()) })
}
