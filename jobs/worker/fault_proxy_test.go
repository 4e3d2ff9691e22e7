package worker

import (
	"net"
	"net/url"
	"sync"
	"testing"
	"time"
)

// proxy stands between a client and its server and does to their connections what networks and restarts do.
type proxy struct {
	listener net.Listener
	target   string

	mu    sync.Mutex
	conns map[net.Conn]bool
	fault fault
	clear chan struct{} // closed when the fault is over
	left  int           // pieces that pass, either way, before everything is cut; 0: no end
}

// fault is what happens to connections. The zero value: nothing.
type fault struct {
	down    bool          // refused, and those there are cut
	freeze  bool          // open, and nothing passes: half-open
	swallow bool          // requests pass, answers do not
	delay   time.Duration // of each piece, either way
	rate    int           // bytes a second, either way
}

// newProxy starts one before the server of a URL and returns the URL that leads through it.
func newProxy(t *testing.T, server string) (*proxy, string) {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{target: u.Host, conns: map[net.Conn]bool{}, clear: make(chan struct{})}
	if p.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	go p.accept()
	t.Cleanup(func() { _ = p.listener.Close(); p.set(fault{down: true}) })
	u.Host = p.listener.Addr().String()
	return p, u.String()
}

// set begins a fault, or with the zero value ends it.
func (p *proxy) set(f fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.clear)
	p.clear = make(chan struct{})
	p.fault = f
	if f.down {
		for conn := range p.conns {
			_ = conn.(*net.TCPConn).SetLinger(0) // a reset, not a goodbye
			_ = conn.Close()
		}
	}
}

// cutAfter cuts everything off before the n-th piece from now; 0: never.
func (p *proxy) cutAfter(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = n
}

// ends reports whether this piece is the one before which everything ends.
func (p *proxy) ends() bool {
	p.mu.Lock()
	ends := p.left == 1
	p.left = max(p.left-1, 0)
	p.mu.Unlock()
	if ends {
		p.set(fault{down: true})
	}
	return ends
}

// cut breaks the connections there are; new ones pass.
func (p *proxy) cut() { p.set(fault{down: true}); p.set(fault{}) }

func (p *proxy) now() (fault, chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fault, p.clear
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		go p.serve(client)
	}
}

func (p *proxy) serve(client net.Conn) {
	p.mu.Lock()
	p.conns[client] = true
	down := p.fault.down
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.conns, client)
		_ = client.Close()
	}()
	if down {
		return
	}
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	go func() { p.pump(server, client, false); _ = server.Close() }()
	p.pump(client, server, true)
}

// pump carries one direction.
func (p *proxy) pump(to, from net.Conn, answers bool) {
	buffer := make([]byte, 4096)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		if p.ends() {
			return
		}
		f, clear := p.now()
		for f.freeze {
			<-clear
			f, clear = p.now()
		}
		wait := f.delay
		if f.rate > 0 {
			wait += time.Duration(n) * time.Second / time.Duration(f.rate)
		}
		if wait > 0 {
			select {
			case <-time.After(wait):
			case <-clear:
			}
		}
		if f.swallow && answers {
			continue
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}
