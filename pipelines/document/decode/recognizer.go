package decode

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Recognizer is the program dossier-ocr and the library it needs. The zero value is none: pictures are then read by
// tesseract, which reads photographs and small print worse.
type Recognizer struct {
	Program string `json:"program"`
	Library string `json:"library"` // onnxruntime
	Missing bool   `json:"missing"` // it was looked for and is not there: readings say so
}

// Limits of the recognizer, per page and per process.
const (
	recognizerProtocol = "dossier-ocr 1 "
	recognizerStart    = 30 * time.Second
	recognizerFailures = 2 // pages, after which a document's other pages are read by tesseract
)

// recognizerEnvironment keeps the C library's memory small. What is larger than the threshold is given back when it is
// free; what is smaller lies in a heap that breaks up, so that a threshold twice as high takes 100 MiB more after ten
// pages. Large pages, where the kernel gives them, pay for the page faults of that. Go runs one thread at a time: a
// busy machine would have it start others, whose stacks count. Source: mallopt(3); GNU C Library, memory tunables.
var recognizerEnvironment = []string{"MALLOC_ARENA_MAX=1", "MALLOC_MMAP_THRESHOLD_=8388608",
	"MALLOC_TRIM_THRESHOLD_=67108864", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1", "GOGC=30", "GOMAXPROCS=1"}

// recognizer is dossier-ocr at work: one process for the pages of a document, in the parser's sandbox, started when the
// first page is at hand. A process that ends in the middle of a page costs that page, and the next one gets a new
// process.
type recognizer struct {
	Recognizer
	cpuSeconds int // that a process may use
	failed     int
	process    *recognizing
}

type recognizing struct {
	cmd     *exec.Cmd
	input   io.WriteCloser
	output  *bufio.Reader
	greeted bool
	pages   int     // that it was given
	cpu     float64 // seconds of the processor that it has used
}

// seenWord is a word as dossier-ocr saw it, with its box in pixels.
type seenWord struct {
	X0, Y0, X1, Y1 float64
	Text           string
	Confidence     float64
	Line           int
	Turned         bool // its line runs down the page
	Angle          float64
}

// available reports whether pages are worth giving to it.
func (r *recognizer) available() bool {
	return r != nil && r.Program != "" && r.failed < recognizerFailures
}

// prepare starts the process, which loads its networks while the page is made ready.
func (r *recognizer) prepare() {
	if !r.available() || r.process != nil {
		return
	}
	p := &recognizing{cmd: exec.CommandContext(context.Background(), r.Program, r.Library)}
	p.cmd.Env = recognizerEnvironment
	var err error
	if p.input, err = p.cmd.StdinPipe(); err != nil {
		r.failed = recognizerFailures
		return
	}
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		r.failed = recognizerFailures
		return
	}
	p.output = bufio.NewReaderSize(out, 1<<16)
	r.process = p
}

// read gives the words of a page. A page that a process failed at which had read others is read by a new one: what
// becomes of a page is the page's doing, and not that of those before it.
func (r *recognizer) read(g *image.Gray) ([]seenWord, error) {
	r.prepare()
	used := r.process != nil && r.process.pages > 0
	words, err := r.readOnce(g)
	if err != nil && used {
		r.prepare()
		words, err = r.readOnce(g)
	}
	if err != nil {
		r.failed++
	}
	return words, err
}

// readOnce has the process read a page, and ends it when it failed or has used much of its time.
func (r *recognizer) readOnce(g *image.Gray) ([]seenWord, error) {
	if r.process == nil {
		return nil, errors.New("dossier-ocr cannot be started")
	}
	words, err := r.process.page(g)
	if err != nil || 2*r.process.cpu > float64(r.cpuSeconds) {
		r.close() // the next page gets a process with all of its time
	}
	return words, err
}

// spent is the processor time of the process at hand, in seconds.
func (r *recognizer) spent() float64 {
	if r.process == nil {
		return 0
	}
	return r.process.cpu
}

// close ends the process.
func (r *recognizer) close() {
	if r == nil || r.process == nil {
		return
	}
	_ = r.process.input.Close() // it is gone anyway
	_ = r.process.cmd.Process.Kill()
	_ = r.process.cmd.Wait() // how it ended was seen by who read its answer
	r.process = nil
}

// page sends one page and waits for its words. One that works for too long is ended by the limit of its processor
// time; the clock is for one that hangs.
func (p *recognizing) page(g *image.Gray) ([]seenWord, error) {
	late := time.AfterFunc(stalled, func() { _ = p.cmd.Process.Kill() })
	defer late.Stop()
	p.pages++
	if !p.greeted {
		late.Reset(recognizerStart + stalled)
		greeting, err := p.output.ReadString('\n')
		if err != nil || !strings.HasPrefix(greeting, recognizerProtocol) {
			return nil, fmt.Errorf("dossier-ocr said %.60q: %w", greeting, errors.Join(err, errNoGreeting))
		}
		p.greeted = true
	}
	b := g.Bounds()
	if _, err := fmt.Fprintf(p.input, "%d %d\n", b.Dx(), b.Dy()); err != nil {
		return nil, err
	}
	for y := range b.Dy() {
		at := g.PixOffset(b.Min.X, b.Min.Y+y)
		if _, err := p.input.Write(g.Pix[at : at+b.Dx()]); err != nil {
			return nil, err
		}
	}
	line, err := p.output.ReadBytes('\n')
	if err != nil {
		return nil, err
	}
	var answer struct {
		Words []seenWord
		Error string
		CPU   float64
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return nil, err
	}
	p.cpu = max(p.cpu, answer.CPU)
	if answer.Error != "" {
		return nil, errors.New(answer.Error)
	}
	return answer.Words, nil
}

var errNoGreeting = errors.New("no greeting of this version")

// wordsSeen are the words of a page as tokens, and the line each stands in.
func wordsSeen(words []seenWord, p ocrPage) ([]text.Token, []string) {
	var tokens []text.Token
	var lines []string
	for _, w := range words {
		word := zerosToLetters(cleanWord(w.Text))
		if word == "" || w.X1 <= w.X0 || w.Y1 <= w.Y0 || w.Turned {
			continue
		}
		tokens = append(tokens, text.Token{Page: p.number, X0: w.X0 * p.unit, Y0: w.Y0 * p.unit, X1: w.X1 * p.unit,
			Y1:   w.Y1 * p.unit,
			Text: word, Confidence: min(max(w.Confidence, 0), 1), Method: text.MethodOCR})
		lines = append(lines, fmt.Sprint(w.Line))
	}
	return tokens, lines
}

// zeroInWord matches capitals among which stands a zero: the recognizer takes a round O for one, which no word holds.
var zeroInWord = lazyregexp.New(`^(?:[A-Z]+0)+[A-Z]*$`)

// zerosToLetters replaces zeros by the letter O in a word of capitals. Codes keep theirs: they hold more figures, or
// are as short as half a postcode.
func zerosToLetters(word string) string {
	if word == "T0" {
		return "TO"
	}
	if len(word) < 4 || strings.Count(word, "0") > 2 || !zeroInWord.MatchString(word) ||
		strings.Count(word, "0")*3 > len(word) {
		return word
	}
	return strings.ReplaceAll(word, "0", "O")
}
