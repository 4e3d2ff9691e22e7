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

// groups returns a list of names, or one name, as a list; nil when the claim is missing.
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

// emailUnverified reports whether the provider says that the address was not verified. Some providers write the claim
// as a string.
func (c claims) emailUnverified() bool {
	said := strings.Trim(string(c["email_verified"]), `"`)
	return said == "false"
}

// verify checks an ID token (signature, issuer, audience, times, nonce) and adds from the provider's userinfo what the
// token lacks. At a renewal there may be no ID token, and there is no nonce.
func (p *Provider) verify(ctx context.Context, m *metadata, raw string, token *oauth2.Token,
	nonce string) (Identity, error) {
	said, subject := claims{}, ""
	switch {
	case raw != "":
		verified, err := m.verifier.Verify(ctx, raw)
		if err != nil {
			return Identity{}, p.verificationError(err)
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
		if err := addUserInfo(ctx, m, said, subject, token); err != nil {
			return Identity{}, err
		}
	}
	email, ok := dossier.FoldEmail(said.text("email"))
	if !ok || said.emailUnverified() {
		return Identity{}, refused("The sign-in service gives no verified email address for you")
	}
	return Identity{Email: email, Name: said.text("name"), Groups: said.groups(p.cfg.GroupsClaim),
		Renew: token.RefreshToken}, nil
}

// verificationError distinguishes an invalid token from keys that could not be fetched.
func (p *Provider) verificationError(err error) error {
	if strings.Contains(err.Error(), "fetching keys") {
		return unavailable(err)
	}
	return &dossier.Error{Kind: dossier.Forbidden, Code: "insufficient_scope",
		Message: "The sign-in service's answer does not hold", Cause: err}
}

// addUserInfo adds claims of the userinfo endpoint that the ID token lacks; the token's own claims take precedence.
func addUserInfo(ctx context.Context, m *metadata, said claims, subject string, token *oauth2.Token) error {
	info, err := m.provider.UserInfo(ctx, oauth2.StaticTokenSource(token))
	if err != nil {
		return unavailable(err)
	}
	if subject != "" && info.Subject != subject { // OpenID Connect Core 5.3.2
		return refused("The parts of the sign-in service's answer are about different people")
	}
	more := claims{}
	if err := info.Claims(&more); err != nil {
		return unavailable(err)
	}
	for name, value := range more {
		if _, known := said[name]; !known {
			said[name] = value
		}
	}
	return nil
}
