package webhooks

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/dossierhq/dossier"
)

// Config is what a Client may reach. The zero value reaches every public address.
type Config struct {
	Allow       []netip.Prefix   // networks besides the public ones
	Deny        []netip.Prefix   // networks that are never called, allowed or public
	Ports       []int            // nil: any
	Concurrency int              // connections kept per endpoint when idle; 0 means 64
	Resolver    *net.Resolver    // nil: the system's
	RootCAs     *x509.CertPool   // nil: the system's
	HeadTimeout time.Duration    // 0 means dossier.AttemptTimeout
	Now         func() time.Time // nil: time.Now
}

// Client is the one way to a customer's URL: deliveries, tests and replays all go through it. It uses no
// proxy (one would be dialled in place of the checked address), follows no redirect, keeps no cookies and
// checks the address of every connection after the name is resolved, so a name cannot change its
// address between check and use.
type Client struct {
	config      Config
	bodyTimeout time.Duration // for reading a body after its head has decided
	http        *http.Client
	opened      atomic.Int64
	reused      atomic.Int64
}

const (
	maxResponseHead = 64 << 10
	maxIdle         = 30 * time.Second // idle connections skip the address check, so they do not live long
)

// NewClient makes a Client. It is safe for concurrent use; a process needs one.
func NewClient(config Config) *Client {
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Concurrency == 0 {
		config.Concurrency = 64
	}
	if config.HeadTimeout == 0 {
		config.HeadTimeout = dossier.AttemptTimeout
	}
	c := &Client{config: config, bodyTimeout: 2 * time.Second}
	dialer := &net.Dialer{Resolver: config.Resolver, KeepAlive: 15 * time.Second, ControlContext: c.checkAddress}
	transport := &http.Transport{
		Proxy:                  nil,
		DialContext:            dialPlain(dialer),
		DialTLSContext:         dialTLS(dialer, &tls.Config{RootCAs: config.RootCAs, MinVersion: tls.VersionTLS12}),
		DisableCompression:     true, // a small compressed body could unpack to a large one
		MaxIdleConns:           4096,
		MaxIdleConnsPerHost:    config.Concurrency,
		IdleConnTimeout:        maxIdle,
		MaxResponseHeaderBytes: maxResponseHead,
		Protocols:              new(http.Protocols),
	}
	// One request per connection at a time: a connection that hangs then holds back one delivery, not all.
	transport.Protocols.SetHTTP1(true)
	c.http = &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c
}

// Stats counts connections: opened anew and used again.
type Stats struct{ Opened, Reused int64 }

// Stats returns the counts since the start.
func (c *Client) Stats() Stats { return Stats{c.opened.Load(), c.reused.Load()} }

var errBlocked = errors.New("address is not public")

// checkAddress runs for every connection with the concrete address about to be dialled.
// What it cannot read it refuses.
func (c *Client) checkAddress(_ context.Context, network, address string, _ syscall.RawConn) error {
	if network != "tcp4" && network != "tcp6" {
		return errBlocked
	}
	target, err := netip.ParseAddrPort(address)
	if err != nil || dossier.BlockedAddress(target.Addr(), c.config.Allow) {
		return errBlocked
	}
	if slices.ContainsFunc(c.config.Deny,
		func(network netip.Prefix) bool { return network.Contains(target.Addr().Unmap()) }) {
		return errBlocked
	}
	if c.config.Ports != nil && !slices.Contains(c.config.Ports, int(target.Port())) {
		return errBlocked
	}
	return nil
}

// absolute makes a name with a dot absolute, so that no search domain of this machine is tried on it.
func absolute(address string) string {
	host, port, err := net.SplitHostPort(address)
	_, notIP := netip.ParseAddr(host)
	if err != nil || notIP == nil || !strings.Contains(host, ".") || strings.HasSuffix(host, ".") {
		return address
	}
	return net.JoinHostPort(host+".", port)
}

func dialPlain(dialer *net.Dialer) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		return dialer.DialContext(ctx, network, absolute(address))
	}
}

// dialTLS connects and shakes hands itself, so that the phase an attempt ended in is known.
func dialTLS(dialer *net.Dialer, config *tls.Config) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		raw, err := dialer.DialContext(ctx, network, absolute(address))
		if err != nil {
			return nil, err
		}
		phaseOf(ctx).set(phaseTLS)
		named := config.Clone()
		named.ServerName = host
		conn := tls.Client(raw, named)
		if err := conn.HandshakeContext(ctx); err != nil {
			raw.Close()
			return nil, err
		}
		return conn, nil
	}
}

// phase is how far an attempt has come. The dial runs in a goroutine of its own, hence the atomic.
type phase struct{ at atomic.Int32 }

const (
	phaseDNS int32 = iota
	phaseConnect
	phaseTLS
	phaseSent
)

func (p *phase) set(to int32) {
	if p != nil {
		p.at.Store(to)
	}
}

type phaseKey struct{}

func phaseOf(ctx context.Context) *phase {
	p, _ := ctx.Value(phaseKey{}).(*phase)
	return p
}

// trace makes ctx note the phase of its request and count its connection.
func (c *Client) trace(ctx context.Context) (context.Context, *phase) {
	p := &phase{}
	ctx = context.WithValue(ctx, phaseKey{}, p)
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		ConnectStart: func(string, string) { p.set(phaseConnect) },
		GotConn: func(info httptrace.GotConnInfo) {
			p.set(phaseSent)
			if info.Reused {
				c.reused.Add(1)
				return
			}
			c.opened.Add(1)
		},
	}), p
}

// errHeadTimeout is the cause of a request cancelled for want of a response head.
var errHeadTimeout = errors.New("no response head in time")

// classify names an error by the phase it happened in. Only the class leaves the process: addresses and
// messages of the network stack would tell a tenant about hosts it cannot see.
func classify(p *phase, err error) dossier.ErrorClass {
	if errors.Is(err, errBlocked) {
		return dossier.ErrorBlockedAddress
	}
	switch p.at.Load() {
	case phaseDNS:
		return dossier.ErrorDNS
	case phaseConnect:
		return dossier.ErrorConnect
	case phaseTLS:
		return dossier.ErrorTLS
	}
	switch {
	case errors.Is(err, errHeadTimeout):
		return dossier.ErrorTimeoutHead
	case strings.Contains(err.Error(), "response headers exceeded"): // net/http has no value for it
		return dossier.ErrorTooLarge
	}
	return dossier.ErrorReset
}

// statusClass judges a response head. "" is success.
func statusClass(status int) dossier.ErrorClass {
	switch {
	case status >= 200 && status < 300:
		return ""
	case status >= 300 && status < 400:
		return dossier.ErrorRedirect
	case status >= 400 && status < 500:
		return dossier.ErrorHTTP4xx
	}
	return dossier.ErrorHTTP5xx
}

// retryAfter reads a Retry-After header: seconds or an HTTP date. What cannot be read, lies in the past or
// is negative counts as absent (0); a number too large to count is the longest duration.
func retryAfter(header string, now time.Time) time.Duration {
	const longest = time.Duration(1<<63 - 1)
	seconds, err := strconv.ParseInt(header, 10, 64)
	if errors.Is(err, strconv.ErrRange) && seconds > 0 || seconds > int64(longest/time.Second) {
		return longest
	}
	if err == nil {
		return max(0, time.Duration(seconds)*time.Second)
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return max(0, at.Sub(now))
}
