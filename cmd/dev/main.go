// Command dev runs all of Dossier in one process, on embedded services where the environment names none:
//
//	go run ./cmd/dev [--addr A] [--data DIR] [--empty] [--seed N] [--model scripted[:SCRIPT] [--known DIR]]
//	go run ./cmd/dev demo [--once] [--document FILE]     the same, with one document's journey before your eyes
//
// When it is ready it writes DIR/dev.env, for `set -a; . .data/dev.env`.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/dossierhq/dossier/cmd/lab/scripted"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
)

func main() {
	if sandbox.ChildMain() {
		return // this process is the parser of one upload
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout)
	if errors.Is(err, errUsage) {
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "dev:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	addr, data string
	empty      bool
	seed       int
	demo       bool
	once       bool
	document   string
	model      string // scripted: a language model that knows one strange statement reads along
	known      string // directory of documents that it knows instead
	noWorker   bool   // tests run workers as processes of their own, to kill them
}

var errUsage = errors.New("usage")

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("dev", flag.ContinueOnError)
	flags.StringVar(&o.addr, "addr", "", "address of the API (DOSSIER_ADDR, 127.0.0.1:8080)")
	flags.StringVar(&o.data, "data", "", "directory of the data (DOSSIER_DATA, .data)")
	flags.BoolVar(&o.empty, "empty", false, "no demo workspace and no API key")
	flags.IntVar(&o.seed, "seed", 0, "make up this many leads")
	flags.StringVar(&o.model, "model", "", "scripted, or scripted:SCRIPT: have a model read along that knows one "+
		"statement in words that no rule knows; demo sends it")
	flags.StringVar(&o.known, "known", "",
		"what that model knows instead: the facts of expected.json in this directory")
	if len(args) > 0 && args[0] == "demo" {
		o.demo, args = true, args[1:]
		flags.BoolVar(&o.once, "once", false, "end after the journey")
		flags.StringVar(&o.document, "document", "", "send this file instead of generated bank statements")
	}
	if err := flags.Parse(args); err != nil {
		return o, errUsage
	}
	switch {
	case flags.NArg() > 0:
		fmt.Fprintf(os.Stderr, "dev: unknown argument %q; the only command is demo\n", flags.Arg(0))
		return o, errUsage
	case o.empty && (o.demo || o.seed > 0):
		fmt.Fprintln(os.Stderr, "dev: --empty leaves nothing for demo and --seed to work with")
		return o, errUsage
	case o.known != "" && o.model == "":
		fmt.Fprintln(os.Stderr, "dev: --known is for --model")
		return o, errUsage
	case o.model != "" && o.script() == "":
		fmt.Fprintf(os.Stderr, "dev: --model is scripted, or scripted: with one of %v\n", scripted.Scripts())
		return o, errUsage
	case o.seed < 0:
		fmt.Fprintln(os.Stderr, "dev: --seed must not be negative")
		return o, errUsage
	}
	return o, nil
}

func run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	began := time.Now()
	say := func(format string, values ...any) {
		fmt.Fprintf(out, "%6.2fs  %s\n", time.Since(began).Seconds(), fmt.Sprintf(format, values...))
	}
	s, err := start(ctx, o, say)
	if err != nil {
		return err
	}
	s.announce(out)
	if o.demo {
		if err := s.demonstrate(ctx, out, o.document); err != nil {
			return errors.Join(err, s.stop())
		}
		if o.model != "" {
			if err := s.demonstrateModel(ctx, out); err != nil {
				return errors.Join(err, s.stop())
			}
		}
	}
	if o.demo && !o.once {
		if err := s.makeSampleLeads(ctx, narrator(out)); err != nil {
			return errors.Join(err, s.stop())
		}
		fmt.Fprintf(out, "\n  Console     %s/console   sign in as one of two made-up people, without a password\n",
			s.url)
	}
	if !o.demo || !o.once {
		fmt.Fprintln(out, "\nReady. Ctrl-C stops it; the data stays.")
		select {
		case <-ctx.Done():
		case err = <-s.ended:
		}
	}
	return errors.Join(err, s.stop())
}
