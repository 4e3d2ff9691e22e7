package main

import (
	"fmt"
	"io"
	"time"
)

// progress prints to the standard error how far a long command is: on a terminal one line that is redrawn every second,
// otherwise one line per step and one every half minute.
type progress struct {
	out   io.Writer
	drawn bool
	now   func() time.Time
	said  time.Time
	step  string
	unit  string // of what is counted
	all   int    // 0: nobody knows
	done  int
	bytes int64
}

func (a *app) progress() *progress {
	return &progress{out: a.err, drawn: terminal(a.err), now: a.now}
}

// begin says what is done next.
func (p *progress) begin(step string) { p.beginOf(step, "object", 0) }

// beginOf says what is done next, to how many.
func (p *progress) beginOf(step, unit string, all int) {
	p.step, p.unit, p.all, p.done, p.bytes = step, unit, all, 0, 0
	p.say(p.step)
}

// add counts one of the step.
func (p *progress) add(bytes int64) {
	p.bytes += bytes
	p.reach(p.done + 1)
}

// reach says how many of the step are done.
func (p *progress) reach(done int) {
	p.done = done
	every := 30 * time.Second
	if p.drawn {
		every = time.Second
	}
	if p.now().Sub(p.said) >= every {
		p.say(p.line())
	}
}

// grow says how many bytes of a step that counts nothing else are done.
func (p *progress) grow(bytes int64) {
	p.bytes = bytes
	p.reach(0)
}

func (p *progress) line() string {
	if p.done == 0 && p.bytes > 0 {
		return fmt.Sprintf("%s: %d MB", p.step, p.bytes/1e6)
	}
	line := fmt.Sprintf("%s: %s", p.step, count(p.done, p.unit))
	if p.all > 0 {
		line = fmt.Sprintf("%s: %d of %s, %d %%", p.step, p.done, count(p.all, p.unit), 100*p.done/p.all)
	}
	if p.bytes > 0 {
		line += fmt.Sprintf(", %d MB", p.bytes/1e6)
	}
	return line
}

// end takes the line off the terminal.
func (p *progress) end() {
	if p.drawn {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

func (p *progress) say(line string) {
	p.said = p.now()
	if p.drawn {
		fmt.Fprint(p.out, "\r\x1b[K"+line)
		return
	}
	fmt.Fprintln(p.out, line)
}
