package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// Look is one first look at a lead's page on the screen of a phone, in a real browser without anything kept from before.
// The moments are milliseconds since the page was asked for.
type Look struct {
	Line        string  `json:"line"`
	Bytes       int     `json:"bytes"` // as they come over the wire
	Requests    int     `json:"requests"`
	Content     float64 `json:"firstContent"`
	Interactive float64 `json:"interactive"` // its script answers
}

// looks are the lines and processors that the page is looked at with.
var looks = []struct {
	line                  string
	slower                int // of the processor, times
	latency, bytesASecond int // milliseconds there and back; -1: as fast as it goes
}{
	{"as it is", 1, 0, -1},
	{"slow 3G: 400 ms, 50 kB/s; processor 6 times slower", 6, 400, 50_000},
}

// lookAt opens a page on each line; nothing where no Chromium is installed.
func lookAt(ctx context.Context, address string) (taken []Look, err error) {
	program, err := exec.LookPath("chromium")
	if err != nil {
		return nil, nil
	}
	b, err := startChromium(ctx, program)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.stop()) }()
	for _, l := range looks {
		look, err := b.look(address, l.slower, l.latency, l.bytesASecond)
		if err != nil {
			return nil, err
		}
		look.Line = l.line
		taken = append(taken, look)
	}
	return taken, nil
}

// chromium is a browser without a window that is told what to do over a pipe (DevTools protocol, flat sessions): the few
// commands of a look do not pay for a library in the released program.
type chromium struct {
	program *exec.Cmd
	end     context.CancelFunc
	home    string
	to      *os.File
	from    *bufio.Reader
	session string // of the page
	last    int    // command
}

const lookFor = 2 * time.Minute // at most

func startChromium(ctx context.Context, program string) (*chromium, error) {
	home, err := os.MkdirTemp("", "dossier-look-")
	if err != nil {
		return nil, err
	}
	b := &chromium{home: home}
	ctx, b.end = context.WithTimeout(ctx, lookFor)
	b.program = exec.CommandContext(ctx, program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage",
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-pipe", "--user-data-dir="+home)
	if err := b.connect(); err != nil {
		return nil, errors.Join(err, b.stop())
	}
	return b, nil
}

// connect starts the program with what it hears as file 3 and what it says as file 4.
func (b *chromium) connect() error {
	hears, to, err := os.Pipe()
	if err != nil {
		return err
	}
	from, says, err := os.Pipe()
	if err != nil {
		return err
	}
	b.to, b.from, b.program.ExtraFiles = to, bufio.NewReader(from), []*os.File{hears, says}
	err = b.program.Start()
	return errors.Join(err, hears.Close(), says.Close())
}

// stop ends the program. Its helpers may write into its home for a moment longer.
func (b *chromium) stop() error {
	defer b.end()
	if b.program.Process != nil {
		b.session = ""
		_ = b.call("Browser.close", parameters{}, nil)
		_ = b.program.Wait() // at the latest it is killed when its time is over
	}
	err := os.RemoveAll(b.home)
	for tries := 0; err != nil && tries < 100; tries++ {
		time.Sleep(50 * time.Millisecond)
		err = os.RemoveAll(b.home)
	}
	return err
}

type parameters map[string]any

// call is one command and its answer into result (nil: not wanted). What the browser tells besides is passed over.
func (b *chromium) call(method string, p parameters, result any) error {
	b.last++
	command := map[string]any{"id": b.last, "method": method, "params": p}
	if b.session != "" {
		command["sessionId"] = b.session
	}
	text, err := json.Marshal(command)
	if err != nil {
		return err
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		return fmt.Errorf("chromium: %s: %w", method, err)
	}
	for {
		text, err := b.from.ReadBytes(0)
		if err != nil {
			return fmt.Errorf("chromium: %s: %w", method, err)
		}
		var said struct {
			ID     int             `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  *struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		if err := json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &said); err != nil {
			return err
		}
		switch {
		case said.ID != b.last:
		case said.Error != nil:
			return fmt.Errorf("chromium: %s: %s", method, said.Error.Message)
		case result == nil:
			return nil
		default:
			return json.Unmarshal(said.Result, result)
		}
	}
}

// look opens a page in a new window.
func (b *chromium) look(address string, slower, latency, bytesASecond int) (Look, error) {
	b.session = ""
	var window struct {
		ID string `json:"targetId"`
	}
	var page struct {
		Session string `json:"sessionId"`
	}
	err := b.call("Target.createTarget", parameters{"url": "about:blank"}, &window)
	if err == nil {
		err = b.call("Target.attachToTarget", parameters{"targetId": window.ID, "flatten": true}, &page)
	}
	b.session = page.Session
	for _, command := range []struct {
		method string
		p      parameters
	}{
		{"Network.enable", parameters{}},
		{"Network.setCacheDisabled", parameters{"cacheDisabled": true}},
		{"Emulation.setDeviceMetricsOverride", parameters{"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": true}},
		{"Emulation.setCPUThrottlingRate", parameters{"rate": slower}},
		{"Network.emulateNetworkConditions", parameters{"offline": false, "latency": latency, "downloadThroughput": bytesASecond, "uploadThroughput": bytesASecond}},
		{"Page.navigate", parameters{"url": address}},
	} {
		if err == nil {
			err = b.call(command.method, command.p, nil)
		}
	}
	for err == nil {
		var look *Look
		if look, err = b.looked(); look != nil {
			return *look, err
		}
		time.Sleep(20 * time.Millisecond)
	}
	return Look{}, err
}

// looked is nil while the page is on its way.
func (b *chromium) looked() (*Look, error) {
	var answer struct {
		Result struct {
			Value *Look `json:"value"`
		} `json:"result"`
	}
	// The stream of events never ends: it is no part of the first look.
	err := b.call("Runtime.evaluate", parameters{"returnByValue": true, "expression": `(() => {
		const page = performance.getEntriesByType('navigation')[0], content = performance.getEntriesByName('first-contentful-paint')[0];
		if (!content || !page.domContentLoadedEventEnd || !document.documentElement.classList.contains('scripted')) return null;
		const files = [page, ...performance.getEntriesByType('resource')].filter((file) => !file.name.includes('/events?'));
		return {bytes: files.reduce((sum, file) => sum + file.transferSize, 0), requests: files.length,
			firstContent: content.startTime, interactive: page.domContentLoadedEventEnd};
	})()`}, &answer)
	return answer.Result.Value, err
}
