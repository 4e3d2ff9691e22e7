package api

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/jobs/channel"
	"github.com/dossierhq/dossier/pipelines/outreach"
	"github.com/dossierhq/dossier/storage/postgres"
)

// noReply is the TwiML that asks Twilio for nothing: answers go out as messages of their own.
const noReply = `<?xml version="1.0" encoding="UTF-8"?><Response></Response>`

// maxTwilioMedia is how many files a message may have.
const maxTwilioMedia = 10

// receiveTwilio takes a call of Twilio: a message of a lead, or a report on one of ours. Only Twilio and we know the
// account's token, so a call with a wrong signature is refused before anything of it is read.
func (s *Server) receiveTwilio(c *fiber.Ctx, ws dossier.Workspace, kind dossier.Channel,
	config dossier.ChannelConfig) error {
	raw, err := web.ReadBody(c, web.JSONLimit)
	if err != nil {
		return err
	}
	form, err := url.ParseQuery(string(raw))
	if err != nil {
		return dossier.Coded(dossier.Invalid, "validation_failed", "The body is not a form")
	}
	token := ""
	if s.Secret != nil {
		token = s.Secret(config.AuthTokenEnv)
	}
	if token == "" {
		s.Log.Error("calls of Twilio are refused: the variable that holds its token is not set", "workspace", ws.ID,
			"channel", kind, "variable", config.AuthTokenEnv)
	}
	if !channel.TwilioSigned(token, s.door.PublicURL(c)+c.OriginalURL(), form, c.Get("X-Twilio-Signature")) {
		return dossier.Coded(dossier.Forbidden, "invalid_signature",
			"The call has no valid signature of the channel's provider")
	}
	if form.Get("MessageStatus") != "" && form.Get("Body") == "" && form.Get("NumMedia") == "" {
		return s.reportTwilio(c, ws, kind, form)
	}
	if form.Get("MessageSid") == "" || form.Get("From") == "" {
		return dossier.Coded(dossier.Invalid, "validation_failed", "The call has no MessageSid or no From")
	}
	if _, err := s.db.ReceiveMessage(c.UserContext(), ws.ID, twilioInbound(ws, kind, form),
		outreach.Inbound); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "text/xml; charset=utf-8")
	return c.Status(fiber.StatusOK).SendString(noReply)
}

func twilioInbound(ws dossier.Workspace, kind dossier.Channel, form url.Values) postgres.Inbound {
	to := strings.TrimPrefix(form.Get("To"), "whatsapp:")
	in := postgres.Inbound{Channel: kind, From: address(kind, form.Get("From"), ws.DefaultRegion), To: &to,
		Text:       form.Get("Body"),
		ProviderID: form.Get("MessageSid"), Confirmed: form.Get("OptOutType") != ""}
	if answered := form.Get("OriginalRepliedMessageSid"); answered != "" {
		in.InReplyTo = &answered
	}
	n, _ := strconv.Atoi(form.Get("NumMedia"))
	for i := range min(n, maxTwilioMedia) {
		if file := form.Get("MediaUrl" + strconv.Itoa(i)); file != "" {
			in.Media = append(in.Media, postgres.Media{URL: file,
				ContentType: form.Get("MediaContentType" + strconv.Itoa(i))})
		}
	}
	return in
}

// reportTwilio stores what became of a message. Steps on the way there, and messages that are none of ours, are
// answered well: Twilio would only repeat them.
func (s *Server) reportTwilio(c *fiber.Ctx, ws dossier.Workspace, kind dossier.Channel, form url.Values) error {
	report := dossier.DeliveryReceipt{Channel: kind, ProviderID: form.Get("MessageSid"),
		Status: channel.TwilioStatus(form.Get("MessageStatus"))}
	if id := c.Query("message"); dossier.ValidID(id) {
		report.MessageID = dossier.MessageID(id)
	}
	if report.Status == dossier.MessageFailed {
		code, _ := strconv.Atoi(form.Get("ErrorCode"))
		report.Error = channel.TwilioError(code, form.Get("ErrorMessage"))
	}
	if report.Status != "" {
		if _, err := s.db.ReportMessage(c.UserContext(), ws.ID, report); err != nil &&
			dossier.KindOf(err) != dossier.NotFound {
			return err
		}
	}
	return noContent(c)
}
