package main

import (
	"fmt"
	"io"
	"time"
)

// progress says on the standard error how far a long command is: on a terminal in one line that is drawn over each
// second, elsewhere in a line for each step and one every half minute.
type progress struct {
	out   io.Writer
	drawn bool
	now   func() time.Time
	said  time.Time
	step  string
	done  int
	bytes int64
}

func (a *app) progress() *progress {
	return &progress{out: a.err, drawn: terminal(a.err), now: a.now}
}

// begin says what is done next.
func (p *progress) begin(step string) {
	p.step, p.done, p.bytes = step, 0, 0
	p.say(p.step)
}

// add counts an object of the step.
func (p *progress) add(bytes int64) {
	p.done, p.bytes = p.done+1, p.bytes+bytes
	every := 30 * time.Second
	if p.drawn {
		every = time.Second
	}
	if p.now().Sub(p.said) >= every {
		p.say(fmt.Sprintf("%s: %s, %d MB", p.step, count(p.done, "object"), p.bytes/1e6))
	}
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
