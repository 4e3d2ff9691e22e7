package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// firstEventLimit is how long a newcomer may take from opening README.md to a verified event, by language.
const firstEventLimit = time.Minute

// officialLibraries is the repository of the official libraries, of all languages, as a Go module.
const officialLibraries = "github.com/standard-webhooks/standard-webhooks/libraries@v0.0.1"

// receiver is a section of docs/first-event.md.
type receiver struct {
	language string   // its heading
	tool     string   // without which it cannot be tried
	file     string   // name of the program
	program  string   // its text
	prepare  []string // commands that get the library
	run      string   // the command that starts it
}

var receiverTools = map[string]string{"Go": "go", "TypeScript": "npm", "Python": "python3"}

// commands are those of README.md: what goes before them, and the two.
type commands struct{ before, listen, trigger string }

// firstEvents does by the clock what README.md tells somebody to do while `make demo` runs, once for each language.
func firstEvents(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(data, "dev.env")); err != nil {
		return errors.New("nothing runs here: start make demo in another shell, and wait until it says Ready")
	}
	var slow, absent []string
	for _, language := range []string{"Go", "TypeScript", "Python"} {
		if _, err := exec.LookPath(receiverTools[language]); err != nil {
			fmt.Printf("%-10s  NOT TRIED: %s is not installed\n", language, receiverTools[language])
			absent = append(absent, language)
			continue
		}
		began := time.Now()
		tries, cancel := context.WithTimeout(ctx, 2*firstEventLimit)
		said, err := firstEvent(tries, language)
		cancel()
		if err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
		took := time.Since(began)
		fmt.Printf("%-10s  %4.1f s  %s\n", language, took.Seconds(), said)
		if took > firstEventLimit {
			slow = append(slow, language)
		}
	}
	if len(slow) > 0 {
		return fmt.Errorf("longer than %s: %s", firstEventLimit, strings.Join(slow, ", "))
	}
	fmt.Printf("%d of 3 languages, each within %s\n", 3-len(absent), firstEventLimit)
	return nil
}

// firstEvent goes from reading README.md to an event that the official library of the language has verified.
func firstEvent(ctx context.Context, language string) (string, error) {
	began := time.Now()
	do, err := readmeCommands("README.md")
	if err != nil {
		return "", err
	}
	program, err := receiverOf(filepath.FromSlash("docs/first-event.md"), language)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "first-event-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := program.install(ctx, dir); err != nil {
		return "", err
	}
	library := time.Since(began)
	listening, err := startFollowed(ctx, ".", do.before+"\nexec "+do.listen)
	if err != nil {
		return "", err
	}
	defer listening.end()
	secret, err := listening.line(`signing secret: (whsec_\S+)`)
	if err != nil {
		return "", err
	}
	received, err := startFollowed(ctx, dir, "exec "+program.run, "WEBHOOK_SECRET="+secret)
	if err != nil {
		return "", err
	}
	defer received.end()
	triggered, err := startFollowed(ctx, ".", do.before+"\nexec "+do.trigger)
	if err != nil {
		return "", err
	}
	defer triggered.end()
	event, err := triggered.line(`^lead\.created +(\S+)$`)
	if err != nil {
		return "", err
	}
	if _, err := received.line(`^verified lead\.created (` + regexp.QuoteMeta(event) + `)$`); err != nil {
		return "", err
	}
	return fmt.Sprintf("verified lead.created %s (the library was there after %.1f s)", event, library.Seconds()), nil
}

var fence = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// readmeCommands are the two commands of the section The first event.
func readmeCommands(path string) (commands, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return commands{}, err
	}
	_, section, _ := strings.Cut(string(text), "\n## The first event\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var out commands
	if block := fence.FindStringSubmatch(section); block != nil && block[1] == "sh" {
		lines := strings.Split(strings.TrimSpace(block[2]), "\n")
		if len(lines) == 3 {
			out = commands{lines[0], strings.TrimSuffix(lines[1], " &"), lines[2]}
		}
	}
	if !strings.Contains(out.listen, " listen ") || !strings.Contains(out.trigger, " trigger ") {
		return out, fmt.Errorf("%s has no section The first event with a line of settings and the two commands", path)
	}
	return out, nil
}

// receiverOf reads the section of a language: a block of commands, the last of which starts the program, and the
// program after its name.
func receiverOf(path, language string) (receiver, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return receiver{}, err
	}
	_, section, _ := strings.Cut(string(text), "\n## "+language+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	blocks := fence.FindAllStringSubmatch(section, -1)
	name := regexp.MustCompile("(?m)^`([\\w.]+)`:$").FindStringSubmatch(section)
	if len(blocks) != 2 || name == nil {
		return receiver{}, fmt.Errorf("%s has no section %s with commands and a program", path, language)
	}
	lines := strings.Split(strings.TrimSpace(blocks[0][2]), "\n")
	last := len(lines) - 1
	run, found := strings.CutPrefix(lines[last], "WEBHOOK_SECRET=whsec_... ")
	if !found {
		return receiver{}, fmt.Errorf("%s, %s: the last command does not set WEBHOOK_SECRET", path, language)
	}
	return receiver{language: language, tool: receiverTools[language], file: name[1], program: blocks[1][2],
		prepare: lines[:last], run: run}, nil
}

// install writes the program into a directory and gets its library.
func (r receiver) install(ctx context.Context, dir string) error {
	if err := os.WriteFile(filepath.Join(dir, r.file), []byte(r.program), 0o600); err != nil {
		return err
	}
	said, err := shell(ctx, dir, strings.Join(r.prepare, " && "))
	if err == nil || r.language != "Python" {
		if err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(r.prepare, " && "), err, said)
		}
		return nil
	}
	// Where pip has no registry: the same library, from the repository of all of them.
	where, err := exec.CommandContext(ctx, "go", "mod", "download", "-json", officialLibraries).Output()
	var module struct{ Dir string }
	if err == nil {
		err = json.Unmarshal(where, &module)
	}
	if err != nil {
		return fmt.Errorf("pip cannot get the library:\n%s", said)
	}
	fmt.Printf("%-10s  pip cannot get the library here; it is taken from the repository of the official libraries\n",
		r.language)
	return os.CopyFS(filepath.Join(dir, "standardwebhooks"),
		os.DirFS(filepath.Join(module.Dir, "python", "standardwebhooks")))
}

func shell(ctx context.Context, dir, script string) (string, error) {
	command := exec.CommandContext(ctx, "bash", "-euc", script)
	command.Dir, command.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	said, err := command.CombinedOutput()
	return string(said), err
}

// followed is a running program whose output is read line by line.
type followed struct {
	command *exec.Cmd
	lines   *bufio.Scanner
	said    strings.Builder
}

// startFollowed starts a script in a process group of its own, so that ending it ends all that it started.
func startFollowed(ctx context.Context, dir, script string, environ ...string) (*followed, error) {
	f := &followed{command: exec.CommandContext(ctx, "bash", "-euc", script)}
	f.command.Dir, f.command.Env = dir, append(os.Environ(), environ...)
	f.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	f.command.Cancel = func() error { return syscall.Kill(-f.command.Process.Pid, syscall.SIGKILL) }
	out, into := io.Pipe()
	f.command.Stdout, f.command.Stderr = into, into
	f.lines = bufio.NewScanner(out)
	if err := f.command.Start(); err != nil {
		return nil, err
	}
	go func() { _ = into.CloseWithError(f.command.Wait()) }() // never fails
	return f, nil
}

// line waits for a line that matches, and returns what is in its parentheses.
func (f *followed) line(pattern string) (string, error) {
	wanted := regexp.MustCompile(pattern)
	for f.lines.Scan() {
		if found := wanted.FindStringSubmatch(f.lines.Text()); found != nil {
			return found[1], nil
		}
		f.said.WriteString(f.lines.Text() + "\n")
	}
	return "", fmt.Errorf("it ended (%w) without a line %s; it said\n%s", errors.Join(f.lines.Err(), io.EOF), pattern,
		f.said.String())
}

func (f *followed) end() { _ = f.command.Cancel() }
