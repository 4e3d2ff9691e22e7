package channel

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

// TwilioURL is Twilio's API where a channel's configuration names no other (a region, a test double).
const TwilioURL = "https://api.twilio.com"

// twilioMessage is what Twilio answers of a message, or of an error.
type twilioMessage struct {
	SID         string `json:"sid"`
	Body        string `json:"body"`
	Status      string `json:"status"`
	From        string `json:"from"`
	DateCreated string `json:"date_created"` // RFC 2822

	Code    int    `json:"code"` // of an error
	Message string `json:"message"`
}

// twilio hands a message to Twilio. Twilio knows no idempotency key, so when an answer was lost it is asked for the
// message instead, and its report (StatusCallback) names our id.
func (c *Carriers) twilio(ctx context.Context, m dossier.Outgoing) (dossier.SendResult, error) {
	if m.CalledAt != nil {
		found, err := c.findMessage(ctx, m, *m.CalledAt)
		if err != nil {
			return dossier.SendResult{}, err // it is asked again: nothing was sent by asking
		}
		if found.ProviderID == "" {
			found.Unknown = true // Twilio's list may lag, so an absence proves nothing
		}
		return found, nil
	}
	form, problem := twilioForm(m)
	if problem != nil {
		return dossier.SendResult{Refused: problem}, nil
	}
	began := c.now()
	answer, status, err := c.callTwilio(ctx, http.MethodPost, m.Provider, nil, form)
	if err != nil {
		return c.resolveUnanswered(ctx, m, began, err)
	}
	return c.classifyAnswer(ctx, m, began, answer, status)
}

func twilioForm(m dossier.Outgoing) (url.Values, *dossier.Error) {
	form := url.Values{"To": {prefixed(m, dossier.Text(m.To))}}
	if strings.HasPrefix(m.Provider.From, "MG") {
		form.Set("MessagingServiceSid", m.Provider.From)
	} else {
		form.Set("From", prefixed(m, m.Provider.From))
	}
	if m.Contact.Report != "" {
		form.Set("StatusCallback", m.Contact.Report)
	}
	switch {
	case m.Channel != string(dossier.ChannelWhatsApp) || m.WindowOpen:
		form.Set("Body", m.Body)
	case len(m.Template) == 0:
		return nil, dossier.Coded(dossier.Conflict, "window_closed",
			"The lead last wrote more than 24 hours ago; WhatsApp then takes approved templates only, and the "+
				"message is not of one")
	default:
		variables := map[string]string{}
		for i, value := range m.Template {
			variables[strconv.Itoa(i+1)] = value
		}
		encoded, _ := json.Marshal(variables) // strings always encode
		form.Set("ContentSid", m.Provider.TemplateSID)
		form.Set("ContentVariables", string(encoded))
	}
	return form, nil
}

func prefixed(m dossier.Outgoing, number string) string {
	if m.Channel == string(dossier.ChannelWhatsApp) {
		return "whatsapp:" + strings.TrimPrefix(number, "whatsapp:")
	}
	return number
}

// classifyAnswer says what an answer means.
func (c *Carriers) classifyAnswer(ctx context.Context, m dossier.Outgoing, began time.Time, answer twilioMessage,
	status int) (dossier.SendResult, error) {
	switch {
	case status < 300 && answer.SID != "":
		return acceptedResult(m, answer), nil
	case status == http.StatusTooManyRequests:
		return dossier.SendResult{}, unavailable(nil, "Twilio wants a pause (error %d)", answer.Code)
	case status == http.StatusUnauthorized || status == http.StatusForbidden && answer.Code < 21000:
		return dossier.SendResult{}, unavailable(nil, "Twilio refuses the channel's accountSid and token (error %d)",
			answer.Code)
	case status >= 500 || status < 300:
		return c.resolveUnanswered(ctx, m, began, errors.New("Twilio answered "+strconv.Itoa(status)))
	}
	return dossier.SendResult{Refused: TwilioError(answer.Code, answer.Message)}, nil
}

// resolveUnanswered handles calls without a clear answer. Where the request cannot have arrived, Send may be repeated;
// otherwise it asks Twilio whether it has the message.
func (c *Carriers) resolveUnanswered(ctx context.Context, m dossier.Outgoing, began time.Time,
	cause error) (dossier.SendResult,
	error) {
	var op *net.OpError
	if errors.As(cause, &op) && op.Op == "dial" {
		return dossier.SendResult{}, unavailable(cause, "Twilio cannot be reached")
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	found, err := c.findMessage(ctx, m, began)
	if err != nil || found.ProviderID == "" {
		found.Unknown = true
	}
	return found, nil
}

// findMessage looks for a message that we may have sent since a moment.
func (c *Carriers) findMessage(ctx context.Context, m dossier.Outgoing, since time.Time) (dossier.SendResult, error) {
	since = since.Add(-5 * time.Second) // clocks differ
	query := url.Values{"To": {prefixed(m, dossier.Text(m.To))}, "DateSent>": {since.UTC().Format("2006-01-02")},
		"PageSize": {"50"}}
	var list struct {
		Messages []twilioMessage `json:"messages"`
	}
	status, err := c.request(ctx, http.MethodGet, m.Provider, query, nil, &list)
	if err != nil || status != http.StatusOK {
		return dossier.SendResult{}, unavailable(err, "Twilio cannot be asked for the message (status %d)", status)
	}
	for _, candidate := range list.Messages {
		created, err := time.Parse(time.RFC1123Z, candidate.DateCreated)
		if err == nil && !created.Before(since.Truncate(time.Second)) && isSameMessage(candidate, m) {
			return acceptedResult(m, candidate), nil
		}
	}
	return dossier.SendResult{}, nil
}

// isSameMessage reports whether a message of Twilio's list is m. The words of an approved template are the account's
// and may differ from ours; the template's values are the same.
func isSameMessage(candidate twilioMessage, m dossier.Outgoing) bool {
	if candidate.Body == m.Body {
		return true
	}
	for _, value := range m.Template {
		if !strings.Contains(candidate.Body, value) {
			return false
		}
	}
	return len(m.Template) > 0
}

func acceptedResult(m dossier.Outgoing, answer twilioMessage) dossier.SendResult {
	from := strings.TrimPrefix(answer.From, "whatsapp:")
	if from == "" {
		from = strings.TrimPrefix(m.Provider.From, "whatsapp:")
	}
	return dossier.SendResult{ProviderID: answer.SID, From: from}
}

func (c *Carriers) callTwilio(ctx context.Context, method string, config dossier.ChannelConfig, query,
	form url.Values) (answer twilioMessage, status int, err error) {
	status, err = c.request(ctx, method, config, query, form, &answer)
	return answer, status, err
}

// maxAnswer is what is read of an answer of Twilio.
const maxAnswer = 1 << 20

func (c *Carriers) request(ctx context.Context, method string, config dossier.ChannelConfig, query, form url.Values,
	into any) (int, error) {
	base := config.URL
	if base == "" {
		base = TwilioURL
	}
	target := strings.TrimSuffix(base, "/") + "/2010-04-01/Accounts/" + url.PathEscape(config.AccountSID) +
		"/Messages.json"
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, method, target, strings.NewReader(form.Encode()))
	if err != nil {
		return 0, err
	}
	request.SetBasicAuth(config.AccountSID, c.secret(config.AuthTokenEnv))
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response, err := c.client().Do(request)
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return response.StatusCode, err
	}
	_ = json.Unmarshal(data, into) // a proxy's page is judged by its status alone
	return response.StatusCode, nil
}
