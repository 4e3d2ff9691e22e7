// Package signin signs people in at an OpenID provider (OpenID Connect Core, authorization code flow with PKCE): it
// speaks to the provider and checks what it says. It keeps nothing: attempts and sessions are rows of the store.
package signin

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/dossierhq/dossier"
)

// Config says who the provider is.
type Config struct {
	Issuer       string // https, or http on this machine
	ClientID     string
	ClientSecret string
	GroupsClaim  string           // default "groups"
	Now          func() time.Time // default time.Now
	Client       *http.Client     // default: one with a time limit
}

// skew is how long after its expiry a token is still accepted, since the provider's clock may be behind.
const skew = 2 * time.Minute

// Provider is an OpenID provider. Its metadata is fetched at the first sign-in, so that the service starts while the
// provider is unreachable.
type Provider struct {
	cfg      Config
	mu       sync.Mutex
	metadata *metadata
}

// metadata is what the provider's discovery document says.
type metadata struct {
	provider *oidc.Provider
	verifier *oidc.IDTokenVerifier
	about    discovery
}

// discovery are the parts of a provider's metadata that the library does not read.
type discovery struct {
	Scopes    []string `json:"scopes_supported"`
	IssInCode bool     `json:"authorization_response_iss_parameter_supported"` // RFC 9207
	UserInfo  string   `json:"userinfo_endpoint"`
	Auth      []string `json:"token_endpoint_auth_methods_supported"`
}

// Identity is who signed in, as the provider says.
type Identity struct {
	Email  string // lower case
	Name   string
	Groups []string // nil: the provider did not say, in a renewal
	Renew  string   // token by which to ask later whether this still holds; empty when the provider gives none
}

// New makes a provider of its settings. It does not call it. Error: an issuer that is no address, or one in the clear.
func New(cfg Config) (*Provider, error) {
	issuer, err := url.Parse(cfg.Issuer)
	if err != nil || issuer.Host == "" {
		return nil, errors.New("DOSSIER_OIDC_ISSUER must be the provider's address, such as https://login.example.com")
	}
	if issuer.Scheme != "https" && (issuer.Scheme != "http" || !loopback(issuer.Hostname())) {
		return nil, errors.New("DOSSIER_OIDC_ISSUER must begin with https:// (http:// only on this machine)")
	}
	if cfg.ClientID == "" {
		return nil, errors.New("DOSSIER_OIDC_ISSUER needs DOSSIER_OIDC_CLIENT_ID, the name of this service at the " +
			"provider")
	}
	if cfg.GroupsClaim == "" {
		cfg.GroupsClaim = "groups"
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Client == nil {
		cfg.Client = &http.Client{Timeout: 10 * time.Second}
	}
	return &Provider{cfg: cfg}, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// discover fetches the provider's metadata once. Its keys are fetched again when a token is signed with an unknown one.
func (p *Provider) discover(ctx context.Context) (*metadata, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.metadata != nil {
		return p.metadata, nil
	}
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, p.cfg.Client), p.cfg.Issuer)
	if err != nil {
		return nil, unavailable(err)
	}
	m := &metadata{provider: provider}
	if err := provider.Claims(&m.about); err != nil {
		return nil, unavailable(err)
	}
	m.verifier = provider.Verifier(&oidc.Config{ClientID: p.cfg.ClientID,
		Now: func() time.Time { return p.cfg.Now().Add(-skew) }})
	p.metadata = m
	return m, nil
}

// unavailable wraps an error of a provider that is unreachable or answers nonsense: a retry may help.
func unavailable(err error) error {
	return &dossier.Error{Kind: dossier.Unavailable, Code: "unavailable",
		Message: "The sign-in service is away; try again shortly",
		Cause:   fmt.Errorf("openid provider: %w", err)}
}

func refused(format string, args ...any) error {
	return dossier.Errorf(dossier.Forbidden, format, args...)
}

func (p *Provider) oauth(m *metadata, redirect string) oauth2.Config {
	scopes := []string{oidc.ScopeOpenID, "email", "profile"}
	for _, wanted := range []string{"groups", oidc.ScopeOfflineAccess} {
		if slices.Contains(m.about.Scopes, wanted) {
			scopes = append(scopes, wanted)
		}
	}
	endpoint := m.provider.Endpoint()
	// what a provider takes that does not say (OpenID Connect Discovery, section 3)
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
	if p.cfg.ClientSecret == "" || len(m.about.Auth) > 0 && !slices.Contains(m.about.Auth, "client_secret_basic") {
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	return oauth2.Config{ClientID: p.cfg.ClientID, ClientSecret: p.cfg.ClientSecret, Endpoint: endpoint,
		RedirectURL: redirect, Scopes: scopes}
}

// deriveSecret derives a secret of one attempt from the secret of the browser that began it. Nobody without that secret
// can compute it, and each attempt has its own.
func deriveSecret(browser, state, what string) string {
	mac := hmac.New(sha256.New, []byte(browser))
	mac.Write([]byte(what + "\n" + state))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Begin returns the provider's address to which a browser is redirected. browser is a secret that only this browser
// has, state identifies the attempt; both are passed to Finish. Error: Unavailable.
func (p *Provider) Begin(ctx context.Context, redirect, browser, state string) (string, error) {
	m, err := p.discover(ctx)
	if err != nil {
		return "", err
	}
	oauth := p.oauth(m, redirect)
	return oauth.AuthCodeURL(state, oidc.Nonce(deriveSecret(browser, state, "nonce")),
		oauth2.S256ChallengeOption(deriveSecret(browser, state, "verifier"))), nil
}

// Finish returns who signed in, from what the provider sent back: the code and, where it sends one, its issuer. Errors:
// Unavailable; Forbidden, when the answer is invalid or the address is not verified.
func (p *Provider) Finish(ctx context.Context, redirect, browser, state, code, issuer string) (Identity, error) {
	m, err := p.discover(ctx)
	if err != nil {
		return Identity{}, err
	}
	if issuer != "" && issuer != p.cfg.Issuer || issuer == "" && m.about.IssInCode {
		return Identity{}, refused("This answer comes from another sign-in service")
	}
	ctx = oidc.ClientContext(ctx, p.cfg.Client)
	oauth := p.oauth(m, redirect)
	token, err := oauth.Exchange(ctx, code, oauth2.VerifierOption(deriveSecret(browser, state, "verifier")))
	if err != nil {
		return Identity{}, rejectionOr(err, refused("The sign-in service does not know this sign-in; try again"))
	}
	raw, _ := token.Extra("id_token").(string)
	about, err := p.verify(ctx, m, raw, token, deriveSecret(browser, state, "nonce"))
	if err != nil {
		return Identity{}, err
	}
	if about.Groups == nil {
		about.Groups = []string{}
	}
	return about, nil
}

// rejectionOr returns rejection when the provider rejected the request, else an Unavailable error.
func rejectionOr(err error, rejection error) error {
	var said *oauth2.RetrieveError
	if errors.As(err, &said) && said.Response != nil && said.Response.StatusCode < 500 &&
		said.Response.StatusCode != http.StatusTooManyRequests {
		return rejection
	}
	return unavailable(err)
}

// Renew asks the provider whether a sign-in is still valid, and for its current claims. Errors: Unauthorized, when the
// provider has blocked the person or ended the session; Unavailable.
func (p *Provider) Renew(ctx context.Context, renew string) (Identity, error) {
	m, err := p.discover(ctx)
	if err != nil {
		return Identity{}, err
	}
	ctx = oidc.ClientContext(ctx, p.cfg.Client)
	oauth := p.oauth(m, "")
	ended := dossier.Errorf(dossier.Unauthorized, "The sign-in service has ended this session; sign in again")
	token, err := oauth.TokenSource(ctx, &oauth2.Token{RefreshToken: renew}).Token()
	if err != nil {
		return Identity{}, rejectionOr(err, ended)
	}
	raw, _ := token.Extra("id_token").(string)
	about, err := p.verify(ctx, m, raw, token, "")
	if dossier.KindOf(err) == dossier.Forbidden {
		return Identity{}, ended
	}
	return about, err
}
