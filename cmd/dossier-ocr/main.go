//go:build linux || darwin

// Command dossier-ocr reads the words of pictures. The parser starts it in its sandbox, gives it one page after the
// other and ends it by closing its input; it opens no file but its library and speaks to nobody else.
//
//	dossier-ocr LIBRARY
//
// It greets with a line "dossier-ocr PROTOCOL VERSION", VERSION being the library's. A page is a line "WIDTH HEIGHT"
// and as many grey pixels, row by row; the answer is a line of JSON. The networks are PP-OCRv4's (models/NOTICE).
package main

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// protocol changes when the parser must know.
const protocol = 1

// maxPixels caps a page: the parser sends at most 3,500 pixels a side.
const maxPixels = 16 << 20

var errMemory = errors.New("out of memory")

//go:embed models/detection.onnx
var detectionModel []byte

//go:embed models/recognition.onnx
var recognitionModel []byte

//go:embed models/characters.txt
var characters string

// reader holds the two networks: where lines are, and what they say.
type reader struct {
	detection, recognition *model
	letters                letters
}

// Answer is what a page gives: its words, or why there are none.
type Answer struct {
	Words []Word  `json:"words"`
	Error string  `json:"error,omitempty"` // "memory" or what the library says
	CPU   float64 `json:"cpu"`             // seconds that this process has used
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: dossier-ocr LIBRARY")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(library string, in io.Reader, out io.Writer) error {
	r, version, err := open(library)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "dossier-ocr %d %s\n", protocol, version); err != nil {
		return err
	}
	return r.serve(bufio.NewReaderSize(in, 1<<16), out)
}

// open loads the library and the networks.
func open(library string) (*reader, string, error) {
	o, err := openRuntime(library)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", library, err)
	}
	r := &reader{letters: newLetters(characters)}
	if r.detection, err = o.openFused(detectionModel, "x", "sigmoid_0.tmp_0"); err != nil {
		return nil, "", fmt.Errorf("model of detection: %w", err)
	}
	if r.recognition, err = o.openFused(recognitionModel, "x", "softmax_11.tmp_0"); err != nil {
		return nil, "", fmt.Errorf("model of recognition: %w", err)
	}
	return r, o.version, nil
}

// serve reads pages until its input ends.
func (r *reader) serve(in *bufio.Reader, out io.Writer) error {
	answers := json.NewEncoder(out)
	for {
		p, err := nextPage(in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var a Answer
		if a.Words, err = r.read(p); err != nil {
			a.Words, a.Error = nil, err.Error()
			if errors.Is(err, errMemory) {
				a.Error = "memory"
			}
		}
		a.CPU = cpuSeconds()
		if err := answers.Encode(a); err != nil {
			return err
		}
	}
}

func nextPage(in *bufio.Reader) (picture, error) {
	var p picture
	line, err := in.ReadString('\n')
	if err != nil {
		return p, err // io.EOF: there are no more
	}
	if _, err := fmt.Sscanf(line, "%d %d", &p.w, &p.h); err != nil {
		return p, fmt.Errorf("size of a page: %w", err)
	}
	if p.w < 1 || p.h < 1 || p.w > maxPixels || p.h > maxPixels || p.w*p.h > maxPixels {
		return p, fmt.Errorf("a page of %d by %d pixels", p.w, p.h)
	}
	p.pix = make([]uint8, p.w*p.h)
	if _, err := io.ReadFull(in, p.pix); err != nil {
		return p, fmt.Errorf("pixels of a page: %w", err)
	}
	return p, nil
}

func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}
