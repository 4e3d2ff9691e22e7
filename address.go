package dossier

import (
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	"github.com/nyaruka/phonenumbers"
)

// NormalizePhone returns raw in E.164 by libphonenumber's rules; region (ISO 3166 alpha-2) is that of numbers
// without a country. It reports false for what does not parse or cannot be a number: such text is kept as given.
func NormalizePhone(raw, region string) (string, bool) {
	number, ok := parsePhone(raw, region)
	if !ok {
		return raw, false
	}
	return phonenumbers.Format(number, phonenumbers.E164), true
}

// PhoneTimezone returns the IANA zone of a number's area when there is exactly one, else "".
func PhoneTimezone(phone, region string) string {
	number, ok := parsePhone(phone, region)
	if !ok {
		return ""
	}
	zones, err := phonenumbers.GetTimezonesForNumber(number)
	if err != nil || len(zones) != 1 || zones[0] == phonenumbers.UNKNOWN_TIMEZONE {
		return ""
	}
	return zones[0]
}

func parsePhone(raw, region string) (*phonenumbers.PhoneNumber, bool) {
	number, err := phonenumbers.Parse(raw, region)
	if err != nil || !phonenumbers.IsPossibleNumber(number) {
		return nil, false
	}
	return number, true
}

// PhoneRegions returns the countries (ISO 3166 alpha-2) that have numbers of their own, with their calling codes.
func PhoneRegions() map[string]int {
	regions := map[string]int{}
	for region := range phonenumbers.GetSupportedRegions() {
		regions[region] = phonenumbers.GetCountryCodeForRegion(region)
	}
	return regions
}

// SplitPhone returns the country of a number in E.164 and the number as it is written there. It reports false for
// other text and for numbers of no country.
func SplitPhone(phone string) (region, national string, ok bool) {
	number, err := phonenumbers.Parse(phone, "ZZ")
	if err != nil {
		return "", "", false
	}
	region = phonenumbers.GetRegionCodeForNumber(number)
	if region == "" {
		// A possible number that nobody has yet: any country with its calling code writes it alike.
		region = phonenumbers.GetRegionCodeForCountryCode(int(number.GetCountryCode()))
	}
	return region, phonenumbers.Format(number, phonenumbers.NATIONAL), region != "" && region != "ZZ" && region != "001"
}

var emailForm = regexp.MustCompile(
	`^[^\s@<>()\[\],;:"\\]+@[A-Za-z0-9\p{L}]([A-Za-z0-9\p{L}-]*[A-Za-z0-9\p{L}])?` +
		`(\.[A-Za-z0-9\p{L}]([A-Za-z0-9\p{L}-]*[A-Za-z0-9\p{L}])?)+$`)

// ValidEmail reports whether s is one plain address with a domain that has a dot: a lead is written to at it.
func ValidEmail(s string) bool {
	local, _, _ := strings.Cut(s, "@")
	return len(s) <= 254 && len(local) <= 64 && emailForm.MatchString(s) &&
		!strings.HasPrefix(local, ".") && !strings.HasSuffix(local, ".") && !strings.Contains(local, "..")
}

// ValidURL reports whether s is an absolute http or https URL with a host and no password in it.
func ValidURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil &&
		!strings.ContainsAny(s, " \t\r\n<>\"")
}

// IsAddress reports whether s is one email address and nothing else, as people are known by: of any domain.
func IsAddress(s string) bool {
	parsed, err := mail.ParseAddress(s)
	return err == nil && parsed.Address == s && len(s) <= 254
}

// FoldEmail is an address as people are known by, and whether it is one.
func FoldEmail(text string) (string, bool) {
	folded := strings.ToLower(strings.TrimSpace(text))
	return folded, IsAddress(folded)
}

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
