package dossier

import "net/netip"

// internalRanges are the addresses no webhook may reach: everything the IANA special-purpose registries
// do not call globally reachable, what cloud platforms answer metadata on, and the forms that carry
// an IPv4 address inside an IPv6 one.
var internalRanges = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("10.0.0.0/8"),
	netip.MustParsePrefix("100.64.0.0/10"), // shared address space; also one cloud's metadata
	netip.MustParsePrefix("127.0.0.0/8"),
	netip.MustParsePrefix("168.63.129.16/32"), // a cloud's platform service behind a public address
	netip.MustParsePrefix("169.254.0.0/16"),
	netip.MustParsePrefix("172.16.0.0/12"),
	netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"),
	netip.MustParsePrefix("192.31.196.0/24"),
	netip.MustParsePrefix("192.52.193.0/24"),
	netip.MustParsePrefix("192.88.99.0/24"),
	netip.MustParsePrefix("192.168.0.0/16"),
	netip.MustParsePrefix("192.175.48.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("224.0.0.0/4"),
	netip.MustParsePrefix("240.0.0.0/4"),

	netip.MustParsePrefix("2001::/23"), // protocol assignments, Teredo and benchmarking among them
	netip.MustParsePrefix("2001:db8::/32"),
	netip.MustParsePrefix("2002::/16"), // 6to4
	netip.MustParsePrefix("2620:4f:8000::/48"),
	netip.MustParsePrefix("3fff::/20"),
}

// globalUnicast holds every public IPv6 address. What lies outside it (loopback, link-local, unique
// local, multicast, NAT64, discard, segment routing, and whatever is assigned next) is internal.
var globalUnicast = netip.MustParsePrefix("2000::/3")

// BlockedAddress reports whether a webhook may not connect to ip. An address in allow is let through,
// unless it carries an IPv4 address (NAT64, 6to4, IPv4-compatible) that is itself blocked: allowing the
// NAT64 prefix of an IPv6-only network must not open its private IPv4 side.
// An address that is not valid or names a zone is blocked.
func BlockedAddress(ip netip.Addr, allow []netip.Prefix) bool {
	if !ip.IsValid() || ip.Zone() != "" {
		return true
	}
	ip = ip.Unmap()
	if inner, ok := carriedIPv4(ip); ok && BlockedAddress(inner, allow) {
		return true
	}
	if anyContains(allow, ip) {
		return false
	}
	if ip.Is6() && !globalUnicast.Contains(ip) {
		return true
	}
	return anyContains(internalRanges, ip)
}

func anyContains(ranges []netip.Prefix, ip netip.Addr) bool {
	for _, r := range ranges {
		if r.Contains(ip) {
			return true
		}
	}
	return false
}

var (
	nat64       = netip.MustParsePrefix("64:ff9b::/96")
	nat64Local  = netip.MustParsePrefix("64:ff9b:1::/48")
	sixToFour   = netip.MustParsePrefix("2002::/16")
	compatible  = netip.MustParsePrefix("::/96")
	translated  = netip.MustParsePrefix("::ffff:0:0:0/96")
	unspecified = netip.IPv6Unspecified()
)

// carriedIPv4 unwraps the IPv4 address inside an IPv6 one (RFC 6052, RFC 3056, RFC 4291, RFC 2765).
// The local NAT64 prefix is read with its address in the last four bytes, the common choice.
func carriedIPv4(ip netip.Addr) (netip.Addr, bool) {
	if !ip.Is6() || ip == unspecified || ip == netip.IPv6Loopback() {
		return netip.Addr{}, false
	}
	b := ip.As16()
	switch {
	case sixToFour.Contains(ip):
		return netip.AddrFrom4([4]byte(b[2:6])), true
	case nat64.Contains(ip), nat64Local.Contains(ip), compatible.Contains(ip), translated.Contains(ip):
		return netip.AddrFrom4([4]byte(b[12:16])), true
	}
	return netip.Addr{}, false
}
