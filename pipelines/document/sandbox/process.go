package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/dossierhq/dossier/pipelines/document/refusal"
)

// idleTime is how long a process that was started ahead waits for a file.
const idleTime = time.Minute

// lastWords is how long is waited for the input and the output of a process that is gone.
const lastWords = 2 * time.Second

// parser is a parser process, which reads one file and ends.
type parser struct {
	cmd    *exec.Cmd
	cancel context.CancelFunc // kills it
	input  io.WriteCloser
	stdout *cappedBuffer
	stderr *cappedBuffer
	ended  chan struct{}
	err    error // how it ended; known when ended is closed
}

// start starts a parser process. It reads its standard input when answer gives it one.
func (r *Reader) start(mode string, ahead bool) (*parser, error) {
	o := childOptions{Mode: mode, CacheDir: r.config.CacheDir, Tesseract: r.config.Tesseract, OCR: r.config.OCR,
		Limits: r.config.Limits, Ahead: ahead, Open: r.config.Open}
	options, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := &parser{cancel: cancel, ended: make(chan struct{}), stdout: &cappedBuffer{limit: maxOutput},
		stderr: &cappedBuffer{limit: 8 << 10},
		cmd:    exec.CommandContext(ctx, r.config.Executable)}
	p.cmd.Args = []string{childName, string(options)}
	p.cmd.Env = childEnvironment
	p.cmd.Dir = "/"
	p.cmd.Stdout, p.cmd.Stderr = p.stdout, p.stderr
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.Cancel = func() error { return syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }
	p.cmd.WaitDelay = lastWords
	p.input, err = p.cmd.StdinPipe()
	if err == nil {
		err = startConfined(p.cmd, o)
	}
	if err != nil {
		cancel()
		return nil, fmt.Errorf("start parser process: %w", err)
	}
	go func() {
		defer close(p.ended)
		p.err = p.cmd.Wait()
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) // whatever it left behind goes with it
	}()
	return p, nil
}

// run has a parser process answer, or returns the refusal that its death means.
func (r *Reader) run(ctx context.Context, mode string, stdin io.Reader, limit time.Duration) (report, *refusal.Refusal,
	error) {
	p, err := r.take(mode)
	if err != nil {
		return report{}, nil, err
	}
	if r.config.Ahead && mode == modeRead && r.read.Swap(true) { // one that reads a single file needs no second process
		r.startAhead()
	}
	out, refused, err := p.answer(ctx, stdin, limit)
	if err != nil && ctx.Err() == nil {
		r.requireWarm()
	}
	return out, refused, err
}

// take is the process that was started ahead, unless it is gone or does something else, or a new one.
func (r *Reader) take(mode string) (*parser, error) {
	if mode == modeRead {
		if p := r.ahead.Swap(nil); p != nil {
			select {
			case <-p.ended:
			default:
				return p, nil
			}
		}
	}
	return r.start(mode, false)
}

// startAhead starts the process for the next file. That it can't be started shows when that file comes.
func (r *Reader) startAhead() {
	p, err := r.start(modeRead, true)
	if err != nil {
		return
	}
	if !r.ahead.CompareAndSwap(nil, p) {
		p.discard()
		return
	}
	time.AfterFunc(idleTime, func() {
		if r.ahead.CompareAndSwap(p, nil) {
			p.discard()
		}
	})
}

// discard ends a process that waits for a file.
func (p *parser) discard() {
	p.cancel()
	_ = p.input.Close() // it is gone anyway
}

// answer gives the process its input and waits for what it says.
func (p *parser) answer(ctx context.Context, stdin io.Reader, limit time.Duration) (report, *refusal.Refusal, error) {
	defer p.cancel()
	var late atomic.Bool
	deadline := time.AfterFunc(limit, func() { late.Store(true); p.cancel() })
	defer deadline.Stop()
	defer context.AfterFunc(ctx, p.cancel)()
	given := make(chan struct{})
	go func() {
		defer close(given)
		_, _ = io.Copy(p.input, stdin) // stdin knows what was wrong with it, and a process that needs no more says why
		_ = p.input.Close()
	}()
	<-p.ended
	select {
	case <-given:
	case <-time.After(lastWords):
	}
	if ctx.Err() != nil {
		return report{}, nil, ctx.Err()
	}
	if p.err != nil && !errors.Is(p.err, exec.ErrWaitDelay) && !errors.Is(p.err, syscall.EPIPE) {
		refused := causeOfDeath(late.Load(), p.cmd.ProcessState, p.stderr.String())
		if refused == nil {
			return report{}, nil, fmt.Errorf("parser process: %w: %s", p.err, firstLine(p.stderr.String()))
		}
		return report{peakMiB: peakOf(p.cmd.ProcessState)}, refused, nil
	}
	if p.stdout.over {
		return report{}, refusal.New(refusal.TooLarge, "The file holds more text than can be kept."), nil
	}
	var out report
	if err := json.Unmarshal(p.stdout.Bytes(), &out); err != nil {
		return report{}, nil, fmt.Errorf("parser process answered badly: %w", err)
	}
	out.peakMiB = peakOf(p.cmd.ProcessState)
	return out, nil, nil
}
