// Package setup turns the environment into a Config and opens what it names. Every program uses it, so that a
// variable means the same everywhere. Rooms take plain values and never read the environment.
package setup

import (
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/objects"
)

// Config is the configuration of any Dossier program (decisions.md section 10). Zero values work where a default
// is given.
type Config struct {
	DatabaseURL string         // DATABASE_URL, with the login of the programs
	MigrateURL  string         // DATABASE_MIGRATE_URL, with the owner's; empty: DatabaseURL
	ListenURL   string         // DATABASE_LISTEN_URL, past a pooler in transaction mode; empty: DatabaseURL
	AnyLogin    bool           // the owner may work too: of cmd/dev, no variable
	RedisURL    string         // REDIS_URL
	Objects     objects.Config // S3_ENDPOINT and the other S3 variables

	Addr         string // DOSSIER_ADDR (127.0.0.1:8080)
	PipelineAddr string // DOSSIER_PIPELINE_ADDR; empty: the same
	PublicURL    string // DOSSIER_PUBLIC_URL; required by the API and the worker
	PipelineURL  string // DOSSIER_PIPELINE_PUBLIC_URL, how callers reach the second address; empty: PublicURL
	OpsAddr      string // DOSSIER_OPS_ADDR (127.0.0.1:9090)
	OpsURL       string // DOSSIER_OPS_URL: where people reach the operators' pages; the console links them for admins
	OpsUser      string // DOSSIER_OPS_USER (operator)
	OpsPassword  string // DOSSIER_OPS_PASSWORD; empty: loopback only

	PortalLanguages string // DOSSIER_PORTAL_LANGUAGES: directory with the leads' page in further languages

	SecretKeys [][]byte       // DOSSIER_SECRET_KEY: 32 bytes in base64; after a comma older ones, still read
	Lanes      []jobs.Lane    // DOSSIER_LANES; empty: all
	SandboxOff bool           // DOSSIER_PARSER_SANDBOX: required (default) or off
	LogFormat  string         // DOSSIER_LOG: json or text
	Level      *slog.LevelVar // DOSSIER_LOG_LEVEL (info); changed while the process runs
	Data       string         // DOSSIER_DATA (.data), cmd/dev only
	Migrate    bool           // DOSSIER_MIGRATE
	PoolSize   int            // DOSSIER_DB_POOL (16)

	// DOSSIER_OIDC_*; no issuer: links of the command line alone
	MCPWrites bool // /mcp offers tools that write

	OIDCIssuer, OIDCClientID, OIDCClientSecret, OIDCGroupsClaim string

	RateLimit       int // DOSSIER_RATE_LIMIT, a minute and key (600); 0: none
	RateLimitUpload int // DOSSIER_RATE_LIMIT_UPLOADS (60); 0: none
	RateLimitAuth   int // DOSSIER_RATE_LIMIT_AUTH, failed authentications a minute and address (60); 0: none

	CORSOrigins    []string       // DOSSIER_CORS_ORIGINS, whose pages may call the API; none by default
	TrustedProxies []netip.Prefix // DOSSIER_TRUSTED_PROXIES: networks whose X-Forwarded-For names the client

	WebhookAllow    []netip.Prefix   // DOSSIER_WEBHOOK_ALLOW: networks besides the public ones
	WebhookDeny     []netip.Prefix   // DOSSIER_WEBHOOK_DENY: networks that are public and yet not to be called
	WebhookSchedule dossier.Schedule // DOSSIER_WEBHOOK_SCHEDULE; default decisions.md section 6
	WebhookInflight int              // DOSSIER_WEBHOOK_INFLIGHT, per endpoint (10)

	AgentRate  int // DOSSIER_AGENT_RATE: turns of agents a second, of all workers together (200)
	ImportRate int // DOSSIER_IMPORT_RATE: rows of tables a second that a worker makes into leads (370)

	LLMURL, LLMModel, LLMKey string // DOSSIER_LLM_URL, _MODEL, _KEY; no URL: the offline rules

	Release string // of the program, for others to see: Version, no variable

	set     []setting // what was set, for Print
	environ []string
}

// variable is one environment variable: how its value enters a Config.
type variable struct {
	name   string
	secret bool
	rule
}

// rule is what a variable may hold: how it is read, and what it looks like to those who cannot read it (Known).
type rule struct {
	pattern string                              // regular expression, also of JavaScript; empty: any text
	read    func(c *Config, value string) error // nil: of no program here
}

type setting struct{ name, value string }

var variables = []variable{
	{"DATABASE_URL", true, text(func(c *Config) *string { return &c.DatabaseURL })},
	{"DATABASE_MIGRATE_URL", true, text(func(c *Config) *string { return &c.MigrateURL })},
	{"DATABASE_LISTEN_URL", true, text(func(c *Config) *string { return &c.ListenURL })},
	{"REDIS_URL", true, text(func(c *Config) *string { return &c.RedisURL })},
	{"S3_ENDPOINT", false, text(func(c *Config) *string { return &c.Objects.Endpoint })},
	{"S3_ACCESS_KEY", true, text(func(c *Config) *string { return &c.Objects.AccessKey })},
	{"S3_SECRET_KEY", true, text(func(c *Config) *string { return &c.Objects.SecretKey })},
	{"S3_BUCKET", false, text(func(c *Config) *string { return &c.Objects.Bucket })},
	{"S3_REGION", false, text(func(c *Config) *string { return &c.Objects.Region })},
	{"S3_PUBLIC_ENDPOINT", false, text(func(c *Config) *string { return &c.Objects.PublicEndpoint })},
	{"DOSSIER_ADDR", false, text(func(c *Config) *string { return &c.Addr })},
	{"DOSSIER_PIPELINE_ADDR", false, text(func(c *Config) *string { return &c.PipelineAddr })},
	{"DOSSIER_PUBLIC_URL", false, publicURL(func(c *Config) *string { return &c.PublicURL })},
	{"DOSSIER_PIPELINE_PUBLIC_URL", false, publicURL(func(c *Config) *string { return &c.PipelineURL })},
	{"DOSSIER_PORTAL_LANGUAGES", false, text(func(c *Config) *string { return &c.PortalLanguages })},
	{"DOSSIER_OPS_ADDR", false, text(func(c *Config) *string { return &c.OpsAddr })},
	{"DOSSIER_OPS_USER", false, text(func(c *Config) *string { return &c.OpsUser })},
	{"DOSSIER_OPS_URL", false, publicURL(func(c *Config) *string { return &c.OpsURL })},
	{"DOSSIER_OPS_PASSWORD", true, text(func(c *Config) *string { return &c.OpsPassword })},
	{"DOSSIER_SECRET_KEY", true, rule{"", secretKeys}},
	{"DOSSIER_LANES", false, rule{"", lanes}},
	{"DOSSIER_PARSER_SANDBOX", false, rule{"^(required|off)$", sandboxOff}},
	{"DOSSIER_LOG", false, rule{"^(json|text)$", logFormat}},
	{"DOSSIER_LOG_LEVEL", false, rule{"^(debug|info|warn|error)$", logLevel}},
	{"DOSSIER_DATA", false, text(func(c *Config) *string { return &c.Data })},
	{"DOSSIER_MIGRATE", false, flag(func(c *Config) *bool { return &c.Migrate })},
	{"DOSSIER_DB_POOL", false, number(2, func(c *Config) *int { return &c.PoolSize })},
	{"DOSSIER_RATE_LIMIT", false, number(0, func(c *Config) *int { return &c.RateLimit })},
	{"DOSSIER_RATE_LIMIT_UPLOADS", false, number(0, func(c *Config) *int { return &c.RateLimitUpload })},
	{"DOSSIER_RATE_LIMIT_AUTH", false, number(0, func(c *Config) *int { return &c.RateLimitAuth })},
	{"DOSSIER_OIDC_ISSUER", false, text(func(c *Config) *string { return &c.OIDCIssuer })},
	{"DOSSIER_OIDC_CLIENT_ID", false, text(func(c *Config) *string { return &c.OIDCClientID })},
	{"DOSSIER_OIDC_CLIENT_SECRET", true, text(func(c *Config) *string { return &c.OIDCClientSecret })},
	{"DOSSIER_OIDC_GROUPS_CLAIM", false, text(func(c *Config) *string { return &c.OIDCGroupsClaim })},
	{"DOSSIER_MCP_WRITES", false, flag(func(c *Config) *bool { return &c.MCPWrites })},
	{"DOSSIER_CORS_ORIGINS", false, rule{"^https?://", origins}},
	{"DOSSIER_TRUSTED_PROXIES", false, networks(func(c *Config) *[]netip.Prefix { return &c.TrustedProxies })},
	{"DOSSIER_WEBHOOK_ALLOW", false, networks(func(c *Config) *[]netip.Prefix { return &c.WebhookAllow })},
	{"DOSSIER_WEBHOOK_DENY", false, networks(func(c *Config) *[]netip.Prefix { return &c.WebhookDeny })},
	{"DOSSIER_WEBHOOK_SCHEDULE", false, rule{`^([0-9.]+(h|m|s|ms))+( *, *([0-9.]+(h|m|s|ms))+)*$`, schedule}},
	{"DOSSIER_WEBHOOK_INFLIGHT", false, number(1, func(c *Config) *int { return &c.WebhookInflight })},
	{"DOSSIER_AGENT_RATE", false, number(1, func(c *Config) *int { return &c.AgentRate })},
	{"DOSSIER_IMPORT_RATE", false, number(1, func(c *Config) *int { return &c.ImportRate })},
	{"DOSSIER_LLM_URL", false, text(func(c *Config) *string { return &c.LLMURL })},
	{"DOSSIER_LLM_MODEL", false, text(func(c *Config) *string { return &c.LLMModel })},
	{"DOSSIER_LLM_KEY", true, text(func(c *Config) *string { return &c.LLMKey })},
	// Of clients, the benchmarks and the tests; known to all programs so that one file can hold everything.
	{"DOSSIER_URL", false, rule{}}, {"DOSSIER_PIPELINE_URL", false, rule{}}, {"DOSSIER_API_KEY", true, rule{}},
	{"DOSSIER_TEST_API_KEY", true, rule{}}, {"DOSSIER_INBOUND_EMAIL", true, rule{}},
	{"DOSSIER_SAMPLES", false, rule{}}, {"DOSSIER_LONG", false, rule{}},
}

// Known is a variable of the programs, for what is written before they start: the schema of the chart's values.
type Known struct {
	Name    string
	Secret  bool
	Pattern string // regular expression that its values match; empty: any text
}

// KnownSettings lists the variables that programs read, in the order of their table.
func KnownSettings() []Known {
	var known []Known
	for _, v := range variables {
		if v.read != nil {
			known = append(known, Known{v.name, v.secret, v.pattern})
		}
	}
	return known
}

// Read makes a Config of an environment, as os.Environ gives it. All that is wrong is said at once, each with the
// variable's name. An unknown DOSSIER_ variable is wrong: it is a setting someone believes to be in force.
func Read(environ []string) (Config, error) {
	c := Config{
		Level: new(slog.LevelVar),
		Addr:  "127.0.0.1:8080", OpsAddr: "127.0.0.1:9090", OpsUser: "operator", Data: ".data", PoolSize: 16,
		RateLimit: 600, RateLimitUpload: 60, RateLimitAuth: 60, WebhookSchedule: dossier.DefaultSchedule(),
		WebhookInflight: 10, AgentRate: 200, ImportRate: 370, Release: Version(),
		Objects: objects.Config{Bucket: "dossier", Region: "us-east-1"},
	}
	c.environ = environ
	var wrong []string
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		i := slices.IndexFunc(variables, func(v variable) bool { return v.name == name })
		switch {
		case i < 0 && strings.HasPrefix(name, "DOSSIER_"):
			wrong = append(wrong, fmt.Sprintf("%s is not a variable of Dossier%s", name, similar(name)))
		case i < 0 || value == "":
		default:
			if read := variables[i].read; read != nil {
				if err := read(&c, value); err != nil {
					wrong = append(wrong, fmt.Sprintf("%s %v", name, err))
				}
			}
			c.set = append(c.set, setting{name, shown(variables[i], value)})
		}
	}
	if len(wrong) > 0 {
		slices.Sort(wrong)
		return c, fmt.Errorf("the environment is wrong: %s", strings.Join(wrong, "; "))
	}
	return c, nil
}

// Secret finds a variable of the environment that a workspace's configuration names (passwordEnv, authTokenEnv), or "".
func (c Config) Secret(name string) string {
	for _, pair := range c.environ {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value
		}
	}
	return ""
}

// similar names the variable that was probably meant.
func similar(name string) string {
	for _, v := range variables {
		if strings.ReplaceAll(v.name, "_", "") == strings.ReplaceAll(strings.TrimSuffix(name, "S"), "_", "") ||
			strings.TrimSuffix(v.name, "S") == strings.TrimSuffix(name, "S") || strings.HasPrefix(v.name, name) {
			return "; did you mean " + v.name + "?"
		}
	}
	return ""
}

// Need says which of the named variables are not set: an error for people, or nil.
func (c Config) Need(names ...string) error {
	var absent []string
	for _, name := range names {
		if !slices.ContainsFunc(c.set, func(s setting) bool { return s.name == name }) {
			absent = append(absent, name)
		}
	}
	if len(absent) == 0 {
		return nil
	}
	return fmt.Errorf("%s must be set (go run ./cmd/dev needs none of the services)", strings.Join(absent, ", "))
}

// Print logs what is set, secrets only as "set".
func (c Config) Print(log *slog.Logger) {
	args := make([]any, 0, 2*len(c.set))
	slices.SortFunc(c.set, func(a, b setting) int { return strings.Compare(a.name, b.name) })
	for _, s := range c.set {
		args = append(args, s.name, s.value)
	}
	log.Info("configuration", args...)
}

func shown(v variable, value string) string {
	if v.secret {
		return "set"
	}
	if u, err := url.Parse(value); err == nil && u.User != nil {
		return u.Redacted()
	}
	return value
}

func text(field func(c *Config) *string) rule {
	return rule{"", func(c *Config, value string) error { *field(c) = value; return nil }}
}

func number(least int, field func(c *Config) *int) rule {
	return rule{`^[0-9]+$`, func(c *Config, value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < least {
			return fmt.Errorf("must be a whole number of at least %d, not %q", least, value)
		}
		*field(c) = n
		return nil
	}}
}

func flag(field func(c *Config) *bool) rule {
	return rule{`^(true|false)$`, func(c *Config, value string) error {
		on, err := strconv.ParseBool(value)
		if err != nil {
			return fmt.Errorf("must be true or false, not %q", value)
		}
		*field(c) = on
		return nil
	}}
}

func publicURL(field func(*Config) *string) rule {
	return rule{`^https?://`, func(c *Config, value string) error {
		u, err := url.Parse(value)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return fmt.Errorf("must be a URL like https://dossier.example.com, not %q", value)
		}
		*field(c) = strings.TrimSuffix(value, "/")
		return nil
	}}
}

// secretKeys never repeats the value: it may be almost right.
func secretKeys(c *Config, value string) error {
	for part := range strings.SplitSeq(value, ",") {
		key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(part))
		if err != nil || len(key) != 32 {
			return fmt.Errorf("must be 32 bytes in base64 (openssl rand -base64 32 makes one)")
		}
		c.SecretKeys = append(c.SecretKeys, key)
	}
	return nil
}

func lanes(c *Config, value string) error {
	for part := range strings.SplitSeq(value, ",") {
		lane := jobs.Lane(strings.TrimSpace(part))
		if !slices.Contains(jobs.Lanes, lane) {
			return fmt.Errorf("names an unknown lane %q; the lanes are %v", lane, jobs.Lanes)
		}
		c.Lanes = append(c.Lanes, lane)
	}
	return nil
}

func logFormat(c *Config, value string) error {
	if value != "json" && value != "text" {
		return fmt.Errorf("must be json or text, not %q", value)
	}
	c.LogFormat = value
	return nil
}

func logLevel(c *Config, value string) error {
	if err := c.Level.UnmarshalText([]byte(value)); err != nil {
		return fmt.Errorf("must be debug, info, warn or error, not %q", value)
	}
	return nil
}

// Settings are the variables that are set, by name, as they may be shown: of secrets only that they are.
func (c Config) Settings() map[string]string {
	shown := map[string]string{}
	for _, s := range c.set {
		shown[s.name] = s.value
	}
	return shown
}

func sandboxOff(c *Config, value string) error {
	if value != "required" && value != "off" {
		return fmt.Errorf("must be required or off, not %q", value)
	}
	c.SandboxOff = value == "off"
	return nil
}

// origins takes what a browser sends as Origin: scheme and host, nothing behind them. "*" would let every page in
// the world spend a key that a visitor's browser holds.
func origins(c *Config, value string) error {
	for part := range strings.SplitSeq(value, ",") {
		origin := strings.TrimSpace(part)
		u, err := url.Parse(origin)
		if err != nil || u.Host == "" || origin != u.Scheme+"://"+u.Host || u.Scheme != "http" && u.Scheme != "https" {
			return fmt.Errorf("must be origins like https://app.example.com (no path, no *), not %q", part)
		}
		c.CORSOrigins = append(c.CORSOrigins, origin)
	}
	return nil
}

func networks(field func(*Config) *[]netip.Prefix) rule {
	return rule{`^[0-9a-fA-F.:]+/[0-9]+( *, *[0-9a-fA-F.:]+/[0-9]+)*$`, func(c *Config, value string) error {
		for part := range strings.SplitSeq(value, ",") {
			network, err := netip.ParsePrefix(strings.TrimSpace(part))
			if err != nil {
				return fmt.Errorf("must be networks like 10.0.0.0/8, not %q", part)
			}
			*field(c) = append(*field(c), network)
		}
		return nil
	}}
}

func schedule(c *Config, value string) error {
	c.WebhookSchedule = nil
	for part := range strings.SplitSeq(value, ",") {
		delay, err := time.ParseDuration(strings.TrimSpace(part))
		if err != nil || delay < 0 {
			return fmt.Errorf("must be durations like 0s,5s,5m,2h, not %q", part)
		}
		c.WebhookSchedule = append(c.WebhookSchedule, delay)
	}
	return nil
}
