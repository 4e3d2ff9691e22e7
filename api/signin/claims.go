package signin

import (
	"context"
	"encoding/json"
	"strings"

	"golang.org/x/oauth2"

	"github.com/dossierhq/dossier"
)

// claims are what a token or the provider's userinfo says.
type claims map[string]json.RawMessage

func (c claims) text(name string) string {
	var s string
	_ = json.Unmarshal(c[name], &s) // of another type: not said
	return s
}

// groups are names in a list, or one name. Nil when the claim is not there.
func (c claims) groups(name string) []string {
	if _, said := c[name]; !said {
		return nil
	}
	list := []string{}
	if json.Unmarshal(c[name], &list) == nil {
		return list
	}
	if one := c.text(name); one != "" {
		return []string{one}
	}
	return []string{}
}

// unverified: the provider says that the address was never shown to be the person's. Some write it as a word.
func (c claims) unverified() bool {
	said := strings.Trim(string(c["email_verified"]), `"`)
	return said == "false"
}

// read checks an ID token (signature, issuer, audience, times, nonce) and completes what it does not say from the
// provider's userinfo. In a renewal there may be no ID token, and there is no nonce.
func (p *Provider) read(ctx context.Context, m *met, raw string, token *oauth2.Token, nonce string) (Identity, error) {
	said, subject := claims{}, ""
	switch {
	case raw != "":
		verified, err := m.verifier.Verify(ctx, raw)
		if err != nil {
			return Identity{}, p.notVerified(err)
		}
		if nonce != "" && verified.Nonce != nonce {
			return Identity{}, refused("This answer belongs to another sign-in")
		}
		if err := verified.Claims(&said); err != nil {
			return Identity{}, refused("The sign-in service's answer cannot be read")
		}
		if party := said.text("azp"); party != "" && party != p.cfg.ClientID || party == "" &&
			len(verified.Audience) > 1 {
			return Identity{}, refused("This answer was made for another service")
		}
		if verified.AccessTokenHash != "" && verified.VerifyAccessToken(token.AccessToken) != nil {
			return Identity{}, refused("The parts of the sign-in service's answer do not belong together")
		}
		subject = verified.Subject
	case nonce != "":
		return Identity{}, refused("The sign-in service's answer says nothing about who signed in")
	}
	if (said.text("email") == "" || said[p.cfg.GroupsClaim] == nil) && m.about.UserInfo != "" {
		if err := complete(ctx, m, said, subject, token); err != nil {
			return Identity{}, err
		}
	}
	email, ok := dossier.FoldEmail(said.text("email"))
	if !ok || said.unverified() {
		return Identity{}, refused("The sign-in service gives no verified email address for you")
	}
	return Identity{Email: email, Name: said.text("name"), Groups: said.groups(p.cfg.GroupsClaim),
		Renew: token.RefreshToken}, nil
}

// notVerified tells a token that does not hold from keys that could not be fetched.
func (p *Provider) notVerified(err error) error {
	if strings.Contains(err.Error(), "fetching keys") {
		return away(err)
	}
	return &dossier.Error{Kind: dossier.Forbidden, Code: "insufficient_scope",
		Message: "The sign-in service's answer does not hold", Cause: err}
}

// complete adds what the userinfo says beyond the ID token, which it does not overrule.
func complete(ctx context.Context, m *met, said claims, subject string, token *oauth2.Token) error {
	info, err := m.provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return away(err)
	}
	if subject != "" && info.Subject != subject { // OpenID Connect Core 5.3.2
		return refused("The parts of the sign-in service's answer are about different people")
	}
	more := claims{}
	if err := info.Claims(&more); err != nil {
		return away(err)
	}
	for name, value := range more {
		if _, known := said[name]; !known {
			said[name] = value
		}
	}
	return nil
}
