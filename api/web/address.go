package web

import (
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// tokenInPath is the token of a path that opens something for whoever has it.
var tokenInPath = regexp.MustCompile(`^(/portal/|/unsubscribe/|/console/sign-in/|/inbound/[^/]*/)[^/]+`)

// ShownPath is the request's path as it may be told and written down: without the token that some hold.
func ShownPath(c *fiber.Ctx) string {
	path := c.Path()
	if strings.HasPrefix(path, "/api/") { // nearly all of them, and none has one
		return path
	}
	return tokenInPath.ReplaceAllString(path, "${1}***")
}

// PublicURL is the base of links: as configured, else as the caller wrote it. What a proxy forwards counts only from
// those that the operator named: anybody can write these headers.
func (d *Door) PublicURL(c *fiber.Ctx) string {
	if d.public != "" {
		return strings.TrimSuffix(d.public, "/")
	}
	scheme, host := "http", string(c.Request().Host())
	if c.Context().IsTLS() {
		scheme = "https"
	}
	if peer, err := netip.ParseAddr(c.IP()); err == nil && d.trusted(peer) {
		scheme, host = forwarded(c, "X-Forwarded-Proto", scheme), forwarded(c, "X-Forwarded-Host", host)
	}
	return scheme + "://" + host
}

// forwarded is what the nearest proxy wrote into a header, or what there is without it.
func forwarded(c *fiber.Ctx, header, without string) string {
	values := forwardedLines(c, header)
	if last := strings.TrimSpace(values[len(values)-1]); last != "" {
		return last
	}
	return without
}

// forwardedLines are the values of all lines of a header: some proxies add a line of their own. There is at least one.
func forwardedLines(c *fiber.Ctx, header string) []string {
	var lines []string
	for _, line := range c.Request().Header.PeekAll(header) {
		lines = append(lines, string(line))
	}
	return strings.Split(strings.Join(lines, ","), ",")
}

// Base is the path under which the service is published, without a slash at the end.
func (d *Door) Base(c *fiber.Ctx) string {
	public, err := url.Parse(d.PublicURL(c))
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(public.Path, "/")
}

// ClientAddress is who a request comes from, for counting: the peer, or behind proxies that the operator named the
// nearest address that is none of them. What a client writes into X-Forwarded-For by itself counts for nothing.
// One IPv6 network of 64 bits is one client.
func (d *Door) ClientAddress(c *fiber.Ctx) string {
	address, err := netip.ParseAddr(c.IP())
	if err != nil {
		return c.IP()
	}
	hops := forwardedLines(c, fiber.HeaderXForwardedFor)
	for i := len(hops) - 1; i >= 0 && d.trusted(address); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		address = hop
	}
	address = address.Unmap().WithZone("")
	if address.Is6() {
		network, err := address.Prefix(64)
		if err == nil {
			return network.String()
		}
	}
	return address.String()
}

func (d *Door) trusted(address netip.Addr) bool {
	for _, network := range d.proxies {
		if network.Contains(address.Unmap()) {
			return true
		}
	}
	return false
}
