package api

import (
	"fmt"
	"net/netip"
	"testing"
)

// Requests are counted by the client's address: the peer's, or what a trusted proxy says of it. Nobody chooses by
// himself whom he is counted as.
func TestPortal_client_address(t *testing.T) {
	t.Parallel()
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")}
	for _, test := range []struct {
		name    string
		trusted []netip.Prefix
		chain   func(i int) string // X-Forwarded-For of request i
		counted bool               // all requests as one client
	}{
		{"no proxy is trusted", nil, func(i int) string { return fmt.Sprintf("198.51.100.%d", i) }, true},
		{"the proxy says who", loopback, func(i int) string { return fmt.Sprintf("198.51.100.%d", i) }, false},
		{"a client adds addresses", loopback, func(i int) string { return fmt.Sprintf("192.0.2.%d, 198.51.100.7", i) }, true},
		{"two proxies", loopback, func(i int) string { return fmt.Sprintf("198.51.100.%d, 10.1.2.3", i) }, false},
		{"one IPv6 network", loopback, func(i int) string { return fmt.Sprintf("2001:db8::%d", i) }, true},
		{"nonsense", loopback, func(i int) string { return fmt.Sprintf("nobody-%d", i) }, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newTestServer(t, func(c *Config) { c.TrustedProxies = test.trusted })
			limited := false
			for i := range portalGuesses + 20 {
				limited = limited || s.do(t, "GET", "/portal/guess", "", "x-api-key", "", "X-Forwarded-For", test.chain(i)).Status == 429
			}
			if limited != test.counted {
				t.Errorf("counted as one client: %v", limited)
			}
		})
	}
}
