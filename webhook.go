package dossier

import (
	"encoding/base64"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Limits of a registration.
const (
	MaxWebhookURL         = 2048
	MaxWebhookHeaders     = 20
	MaxWebhookHeaderName  = 255
	MaxWebhookHeaderValue = 4096
	MaxWebhookText        = 255
	MaxWebhookRate        = 10_000
)

// SecretOverlap is how long a replaced secret keeps signing, so a receiver can change it without a gap.
const SecretOverlap = 24 * time.Hour

// WebhookSecret writes a signing secret: "whsec_" and the base64 of 32 random bytes (Standard Webhooks 1.0).
func WebhookSecret(random [32]byte) string {
	return "whsec_" + base64.StdEncoding.EncodeToString(random[:])
}

// Header is one header sent with every delivery of a webhook. Value is "" where a registration is read:
// values are write-only.
type Header struct {
	Key   string
	Value string
}

// Webhook is a registration: where a workspace's events are sent.
type Webhook struct {
	ID             WebhookID
	Workspace      WorkspaceID
	URL            string
	Headers        []Header
	Enabled        bool
	Events         []EventType // nil: all
	Mode           Mode
	Description    string
	RateLimit      int    // deliveries a second, 0 = no limit
	DisabledReason string // "" while enabled
	Breaker        Breaker
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// PlainHTTP reports whether what is sent to w, personal data too, can be read on the way: its address is http, and not
// of the machine itself.
func (w Webhook) PlainHTTP() bool {
	at, err := url.Parse(w.URL)
	if err != nil || !strings.EqualFold(at.Scheme, "http") {
		return false
	}
	address, err := netip.ParseAddr(at.Hostname())
	return !strings.EqualFold(at.Hostname(), "localhost") && (err != nil || !address.Unmap().IsLoopback())
}

// Reasons a webhook is disabled for.
const (
	DisabledGone     = "gone"           // it answered 410
	DisabledFailing  = "failing_5_days" // nothing but failures for five days
	DisabledByCaller = "disabled"       // isEnabled false was sent
)

// Wants reports whether an event is sent to w. A test goes to the registration it was asked for and to
// no other; an event with a registration of its own (a pipeline's webhookId) goes there whatever its
// Events, and to the others by theirs. Nothing goes where its Mode forbids it.
func (w Webhook) Wants(e Event) bool {
	if e.Type == EventWebhookTest {
		return e.Webhook == w.ID
	}
	if !w.Mode.Tells(e.IsTest) {
		return false
	}
	if e.Webhook == w.ID || w.Events == nil {
		return true
	}
	for _, t := range w.Events {
		if t == e.Type {
			return true
		}
	}
	return false
}

// WebhookUpdate is what a caller sent about a registration. A nil field was not sent. Events pointing to
// a nil slice means all, RateLimit pointing to 0 none. Allow are networks besides the public ones that the
// deployment lets URL name.
type WebhookUpdate struct {
	Allow       []netip.Prefix
	URL         *string
	Headers     *[]Header
	Enabled     *bool
	Events      *[]EventType
	Mode        *Mode
	Description *string
	RateLimit   *int
}

// NewWebhook makes a registration: enabled unless the caller says otherwise.
// Error: Invalid with every fault; url is required.
func NewWebhook(id WebhookID, ws WorkspaceID, u WebhookUpdate, now time.Time) (Webhook, error) {
	w := Webhook{ID: id, Workspace: ws, Enabled: true, Mode: ModeAll, CreatedAt: now}
	if u.URL == nil {
		missing := Fault{Pointer: "/url", Code: "required", Detail: "url is required when a webhook is created"}
		return w, InvalidFaults(append([]Fault{missing}, u.Faults()...))
	}
	return w, w.Update(u, now)
}

// Update changes what was sent and leaves the rest: headers not sent stay, an empty list clears them.
// Enabling clears the reason it was disabled for. Error: Invalid with every fault; w is then unchanged.
func (w *Webhook) Update(u WebhookUpdate, now time.Time) error {
	if faults := u.Faults(); len(faults) > 0 {
		return InvalidFaults(faults)
	}
	setIfSent(&w.URL, u.URL)
	setIfSent(&w.Headers, u.Headers)
	setIfSent(&w.Events, u.Events)
	setIfSent(&w.Mode, u.Mode)
	setIfSent(&w.Description, u.Description)
	setIfSent(&w.RateLimit, u.RateLimit)
	if u.Enabled != nil && *u.Enabled != w.Enabled {
		w.Enabled, w.DisabledReason, w.Breaker = *u.Enabled, "", Breaker{}
		if !w.Enabled {
			w.DisabledReason = DisabledByCaller
		}
	}
	w.UpdatedAt = now
	return nil
}

func setIfSent[T any](field, sent *T) {
	if sent != nil {
		*field = *sent
	}
}

// OfTestKey makes it one that a test key sent: such registrations hear of tests only. Error: Invalid, when it says
// otherwise.
func (u *WebhookUpdate) OfTestKey() error {
	if u.Mode != nil && u.Mode.Valid() && *u.Mode != ModeTest {
		return InvalidFaults([]Fault{{Pointer: "/mode", Code: "invalid_value",
			Detail: "mode must be test or left out: a webhook of a test key hears of tests only"}})
	}
	tests := ModeTest
	u.Mode = &tests
	return nil
}

// Faults lists everything wrong with what was sent.
func (u WebhookUpdate) Faults() []Fault {
	var faults []Fault
	if u.URL != nil {
		if f := urlFault(*u.URL, u.Allow); f != nil {
			faults = append(faults, *f)
		}
	}
	if u.Headers != nil {
		faults = append(faults, headerFaults(*u.Headers)...)
	}
	if u.Events != nil {
		faults = append(faults, eventFaults(*u.Events)...)
	}
	if u.Mode != nil && !u.Mode.Valid() {
		faults = append(faults, Fault{Pointer: "/mode", Code: "invalid_value",
			Detail: "mode must be live, test or all"})
	}
	if u.Description != nil && len([]rune(*u.Description)) > MaxWebhookText {
		faults = append(faults, Fault{Pointer: "/description", Code: "too_long",
			Detail: fmt.Sprintf("description may have %d characters", MaxWebhookText)})
	}
	if u.RateLimit != nil && (*u.RateLimit < 0 || *u.RateLimit > MaxWebhookRate) {
		faults = append(faults, Fault{Pointer: "/rateLimit", Code: "out_of_range",
			Detail: fmt.Sprintf("rateLimit is deliveries a second, from 1 to %d, or null for no limit",
				MaxWebhookRate)})
	}
	return faults
}

// urlFault checks a destination as far as its text tells. What its name resolves to is checked each time
// a connection is made, because names can change their address between the two.
func urlFault(raw string, allow []netip.Prefix) *Fault {
	bad := func(code, format string, args ...any) *Fault {
		return &Fault{Pointer: "/url", Code: code, Detail: fmt.Sprintf(format, args...)}
	}
	if len(raw) > MaxWebhookURL {
		return bad("too_long", "url may have %d characters", MaxWebhookURL)
	}
	if strings.ContainsFunc(raw, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' }) {
		return bad("invalid_url", "url may not hold spaces, control characters or backslashes")
	}
	u, err := url.Parse(raw)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" {
		return bad("invalid_url", "url must be an absolute http or https address such as https://example.com/hooks")
	}
	if u.User != nil {
		return bad("invalid_url", "url may not hold a user name or password; send credentials in headers")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return bad("invalid_url", "the port of url must be from 1 to 65535")
		}
	}
	if strings.HasSuffix(u.Host, ":") {
		return bad("invalid_url", "url names a port but gives none")
	}
	return hostFault(u.Hostname(), allow, bad)
}

// hostFault refuses literal addresses that are blocked, in every notation a resolver might accept.
func hostFault(host string, allow []netip.Prefix, bad func(code, format string, args ...any) *Fault) *Fault {
	if strings.Contains(host, "%") {
		return bad("invalid_url", "url may not name a network zone")
	}
	ip, err := netip.ParseAddr(host)
	literal := err == nil
	if !literal {
		ip, literal = parseLooseIPv4(host)
		if literal && !BlockedAddress(ip, allow) {
			return bad("invalid_url", "write the address in url as four decimal numbers")
		}
	}
	if literal && BlockedAddress(ip, allow) {
		return bad("blocked_address", "url points to an address that is not public")
	}
	if !literal && !hostName(host) {
		return bad("invalid_url", "the host of url is not a valid name; write names with other letters in their "+
			"xn-- form")
	}
	return nil
}

// hostName reports whether host is a DNS name: labels of letters, digits, - and _, whose last is no number.
func hostName(host string) bool {
	host = strings.TrimSuffix(host, ".")
	labels := strings.Split(host, ".")
	if len(host) > 253 || looseNumber(labels[len(labels)-1]) {
		return false
	}
	for _, label := range labels {
		if label == "" || len(label) > 63 {
			return false
		}
		for _, c := range []byte(label) {
			if !isAlphanumeric(c) && c != '-' && c != '_' {
				return false
			}
		}
	}
	return true
}

func isAlphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func looseNumber(s string) bool {
	_, err := strconv.ParseUint(strings.ToLower(s), 0, 64)
	return err == nil || s != "" && strings.Trim(s, "0123456789") == ""
}

// parseLooseIPv4 reads the notations inet_aton takes: 2130706433, 0x7f.1, 0177.0.0.1.
func parseLooseIPv4(host string) (netip.Addr, bool) {
	parts := strings.Split(strings.TrimSuffix(host, "."), ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var sum uint64
	for i, part := range parts {
		part = strings.ToLower(part)
		if strings.ContainsAny(part, "_o") && part != "0" {
			return netip.Addr{}, false
		}
		n, err := strconv.ParseUint(part, 0, 64)
		last := i == len(parts)-1
		room := uint64(1) << 8
		if last {
			room = uint64(1) << (8 * (5 - len(parts)))
		}
		if err != nil || n >= room {
			return netip.Addr{}, false
		}
		if last {
			sum |= n
		} else {
			sum |= n << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}), true
}

func headerFaults(headers []Header) []Fault {
	var faults []Fault
	if len(headers) > MaxWebhookHeaders {
		faults = append(faults, Fault{Pointer: "/headers", Code: "too_long",
			Detail: fmt.Sprintf("a webhook may have %d headers", MaxWebhookHeaders)})
	}
	for i, h := range headers {
		for _, f := range h.faults() {
			f.Pointer = fmt.Sprintf("/headers/%d%s", i, f.Pointer)
			faults = append(faults, f)
		}
	}
	return faults
}

// Usable reports whether h may be sent: the same rules as at registration, for rows older than a rule.
func (h Header) Usable() bool { return len(h.faults()) == 0 }

func (h Header) faults() []Fault {
	var faults []Fault
	if code, detail := headerNameFault(h.Key); code != "" {
		faults = append(faults, Fault{Pointer: "/key", Code: code, Detail: detail})
	}
	if len(h.Value) > MaxWebhookHeaderValue {
		faults = append(faults, Fault{Pointer: "/value", Code: "too_long",
			Detail: fmt.Sprintf("a header value may have %d bytes", MaxWebhookHeaderValue)})
	}
	if strings.ContainsFunc(h.Value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		faults = append(faults, Fault{Pointer: "/value", Code: "invalid_header",
			Detail: "a header value may not hold line breaks or other control characters"})
	}
	return faults
}

// headerNameFault refuses names that would change the request's framing, its target or its signature.
func headerNameFault(name string) (code, detail string) {
	switch {
	case name == "":
		return "required", "a header needs a key"
	case len(name) > MaxWebhookHeaderName:
		return "too_long", fmt.Sprintf("a header key may have %d characters", MaxWebhookHeaderName)
	case !token(name):
		return "invalid_header", "a header key may hold letters, digits and !#$%&'*+-.^_`|~ only"
	case reservedHeader(name):
		return "reserved_header", fmt.Sprintf("the header %s is set by the service and cannot be chosen", name)
	}
	return "", ""
}

// token is RFC 9110 section 5.6.2.
func token(s string) bool {
	for _, c := range []byte(s) {
		if !isAlphanumeric(c) && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}

// reservedHeader reports whether a caller may not choose the header name.
func reservedHeader(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "host", "connection", "transfer-encoding", "te", "upgrade", "trailer", "keep-alive", "expect":
		return true
	}
	for _, prefix := range []string{"content-", "proxy-", "webhook-"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

func eventFaults(events []EventType) []Fault {
	var faults []Fault
	for i, t := range events {
		if !t.Known() {
			faults = append(faults, Fault{Pointer: fmt.Sprintf("/events/%d", i), Code: "unknown_event",
				Detail: fmt.Sprintf("%q is no event; GET /docs lists them", string(t))})
		}
	}
	if len(events) > len(EventTypes()) {
		faults = append(faults, Fault{Pointer: "/events", Code: "too_long",
			Detail: "events names more events than there are"})
	}
	return faults
}

// Mode says of which leads something tells.
type Mode string

// Modes.
const (
	ModeLive Mode = "live" // of none that is a test
	ModeTest Mode = "test" // of test leads, and what test keys make, only
	ModeAll  Mode = "all"
)

// Valid reports whether m is one of the three.
func (m Mode) Valid() bool { return m == ModeLive || m == ModeTest || m == ModeAll }

// Tells reports whether this mode tells of test leads, or of the others.
func (m Mode) Tells(test bool) bool {
	return m != ModeLive && test || m != ModeTest && !test
}
