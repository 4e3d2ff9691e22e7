package channel

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/wneessen/go-mail"

	"github.com/dossierhq/dossier"
)

// mail hands an email to the workspace's mail server. Its Message-ID is made of our own id, so that a receiver
// recognises a repeat, replies name it, and a bounce finds its message.
func (c *Carriers) mail(ctx context.Context, m dossier.Outgoing) (dossier.SendResult, error) {
	if m.CalledAt != nil {
		return dossier.SendResult{Unknown: true}, nil // SMTP has no question "did you take it?"
	}
	letter, id, err := c.buildEmail(m)
	if err != nil {
		return refused("invalid_recipient", "The email cannot be written: %v", err), nil
	}
	server, err := c.mailServer(m.Provider)
	if err != nil {
		return dossier.SendResult{}, unavailable(err, "The mail server is not configured well")
	}
	if err := server.DialWithContext(ctx); err != nil {
		return dossier.SendResult{}, unavailable(err, "The mail server cannot be reached or refuses us")
	}
	defer func() { _ = server.Close() }()
	sendErr := server.Send(letter)
	if sendErr == nil || letter.IsDelivered() {
		return dossier.SendResult{ProviderID: id, From: sender(m.Provider.From)}, nil
	}
	return classifySMTPError(sendErr)
}

// classifySMTPError says what a failed SMTP dialogue means. Without an answer after the final dot the outcome is
// unknown; before it the server has accepted nothing.
func classifySMTPError(err error) (dossier.SendResult, error) {
	var failed *mail.SendError
	if !errors.As(err, &failed) {
		return dossier.SendResult{}, unavailable(err, "The mail server did not take the message")
	}
	code := failed.ErrorCode()
	switch {
	case code >= 500 && failed.Reason == mail.ErrSMTPRcptTo:
		return refused("invalid_recipient", "The mail server refuses the address (%d %s)", code,
			failed.EnhancedStatusCode()), nil
	case code >= 500:
		return refused("provider_refused", "The mail server refuses the message (%d %s)", code,
			failed.EnhancedStatusCode()), nil
	case code == 0 && failed.Reason == mail.ErrSMTPDataClose:
		return dossier.SendResult{Unknown: true}, nil
	}
	return dossier.SendResult{}, unavailable(err, "The mail server did not take the message")
}

func (c *Carriers) mailServer(config dossier.ChannelConfig) (*mail.Client, error) {
	options := []mail.Option{mail.WithPort(config.Port), mail.WithTimeout(Limit), mail.WithDSN(),
		mail.WithDSNRcptNotifyType(mail.DSNRcptNotifySuccess, mail.DSNRcptNotifyFailure),
		mail.WithDSNMailReturnType(mail.DSNMailReturnHeadersOnly)}
	switch {
	case config.Port == 465:
		options = append(options, mail.WithSSL())
	case loopback(config.Host):
		options = append(options, mail.WithTLSPolicy(mail.TLSOpportunistic))
	default: // a password and a lead's papers never travel in the open
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if config.Username != "" {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(config.Username),
			mail.WithPassword(c.secret(config.PasswordEnv)))
		if loopback(config.Host) {
			options = append(options, mail.WithSMTPAuth(mail.SMTPAuthPlainNoEnc))
		}
	}
	return mail.NewClient(config.Host, options...)
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// buildEmail writes the email: a plain and an HTML body, threading headers, and a one-click unsubscribe link.
func (c *Carriers) buildEmail(m dossier.Outgoing) (*mail.Msg, string, error) {
	letter := mail.NewMsg(mail.WithNoDefaultUserAgent())
	from := m.Provider.From
	if !strings.Contains(from, "<") && m.Company != "" {
		if err := letter.FromFormat(m.Company, from); err != nil {
			return nil, "", err
		}
	} else if err := letter.From(from); err != nil {
		return nil, "", err
	}
	if err := letter.To(dossier.Text(m.To)); err != nil {
		return nil, "", err
	}
	id := string(m.ID) + "@" + domain(from)
	letter.SetMessageIDWithValue(id)
	letter.SetDateWithValue(c.now())
	letter.Subject(dossier.Text(m.Subject))
	if n := len(m.Thread); n > 0 {
		letter.SetGenHeader("In-Reply-To", m.Thread[n-1])
		letter.SetGenHeader("References", strings.Join(m.Thread, " "))
	}
	if link := m.Contact.Unsubscribe; link != "" {
		letter.SetGenHeader("List-Unsubscribe", "<"+link+">")
		letter.SetGenHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	}
	page, err := htmlBody(m)
	if err != nil {
		return nil, "", err
	}
	letter.SetBodyString(mail.TypeTextPlain, plainBody(m))
	letter.AddAlternativeString(mail.TypeTextHTML, page)
	return letter, "<" + id + ">", nil
}

func plainBody(m dossier.Outgoing) string {
	body := m.Body + "\n"
	if m.Contact.Unsubscribe != "" {
		body += fmt.Sprintf("\n--\n%s\n%s: %s\n", m.Company, footerOf(m).leave, m.Contact.Unsubscribe)
	}
	return body
}

// sender is the plain address of "Name <address>".
func sender(from string) string {
	if open := strings.LastIndexByte(from, '<'); open >= 0 {
		return strings.TrimSuffix(from[open+1:], ">")
	}
	return from
}

func domain(from string) string {
	_, domain, ok := strings.Cut(sender(from), "@")
	if !ok {
		return "localhost"
	}
	return domain
}
