package api

import (
	"bytes"
	"net/mail"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/pipelines/outreach"
	"github.com/dossierhq/dossier/storage/postgres"
)

// inboundLimit is what a message with its attachments in base64 may have.
const inboundLimit = 36 << 20

// inboundBody is a message as a mail gateway, or a development tool, hands it over (resources.md section 4).
type inboundBody struct {
	From        string              `json:"from" check:"required"`
	To          *string             `json:"to"`
	Subject     *string             `json:"subject" check:"max=1000"`
	Text        string              `json:"text" check:"max=100000"`
	MessageID   string              `json:"messageId" check:"required"`
	InReplyTo   *string             `json:"inReplyTo"`
	Attachments []inboundAttachment `json:"attachments" check:"max=50"`

	// of an email: the gateway's word that the sender is who it says
	Authenticated *bool `json:"authenticated" check:"notnull"`
}

type inboundAttachment struct {
	Filename    string `json:"filename" check:"required"`
	ContentType string `json:"contentType" check:"required"`
	Content     string `json:"content" check:"required,max=37000000"` // base64
}

type inboundAnswer struct {
	success
	MessageID dossier.MessageID `json:"messageId"`
	LeadID    *dossier.LeadID   `json:"leadId"`
}

func (b inboundBody) Faults() []dossier.Fault {
	var faults []dossier.Fault
	if strings.TrimSpace(b.Text) == "" && len(b.Attachments) == 0 {
		faults = append(faults, dossier.Fault{Pointer: "/text", Code: "required",
			Detail: "text is required unless there are attachments"})
	}
	return faults
}

// receiveMessage takes a message from a provider. The token in the address is the secret: there is no API key. A
// message that was delivered before is answered alike and changes nothing.
func (s *Server) receiveMessage(c *fiber.Ctx) error {
	channel := dossier.Channel(c.Params("channel"))
	ws, err := s.db.WorkspaceByInboundToken(c.UserContext(), channel, c.Params("token"))
	if err != nil {
		return err
	}
	if err := s.door.LimitOpen(c, "inbound:"+string(ws.ID), ws.Limits.OrDefault().InboundPerMinute); err != nil {
		return err
	}
	config, ok := ws.Channels[channel]
	if !ok {
		return dossier.Errorf(dossier.NotFound, "This workspace has no channel of this name")
	}
	if config.Provider == "twilio" {
		return s.receiveTwilio(c, ws, channel, config)
	}
	mail, body, err := s.readMail(c, ws.ID)
	if err != nil {
		s.discardFiles(c, mail.stored())
		return err
	}
	if report, ok := bounceOf(body); ok && channel == dossier.ChannelEmail {
		m, err := s.db.ReportMessage(c.UserContext(), ws.ID, report)
		if err == nil || dossier.KindOf(err) != dossier.NotFound {
			s.discardFiles(c, mail.stored())
			if err != nil {
				return err
			}
			return send(c, fiber.StatusAccepted, inboundAnswer{yes, m.ID, m.LeadID})
		}
	}
	if body.Authenticated != nil && channel != dossier.ChannelEmail {
		s.discardFiles(c, mail.stored())
		return dossier.InvalidFaults([]dossier.Fault{{Pointer: "/authenticated", Code: "unknown_field",
			Detail: "authenticated is for email only"}})
	}
	in, err := s.inbound(c, ws, channel, body, mail)
	if err != nil {
		s.discardFiles(c, mail.stored())
		return err
	}
	received, err := s.db.ReceiveMessage(c.UserContext(), ws.ID, in, outreach.Inbound)
	if err != nil || received.Repeated || received.LeadID == nil {
		s.discardFiles(c, in.Files)
	}
	if err != nil {
		return err
	}
	return send(c, fiber.StatusAccepted, inboundAnswer{yes, received.MessageID, received.LeadID})
}

// inbound gives the message the form the store takes. What is too large for an email is not kept, and said to be so:
// the words beside it are.
func (s *Server) inbound(c *fiber.Ctx, ws dossier.Workspace, channel dossier.Channel, body inboundBody,
	mail *mailReader) (postgres.Inbound, error) {
	in := postgres.Inbound{Channel: channel, From: address(channel, body.From, ws.DefaultRegion), To: body.To,
		Subject: body.Subject, Text: body.Text,
		ProviderID: body.MessageID, InReplyTo: body.InReplyTo,
		Doubtful: unverifiedSender(ws.Channels[channel], body.Authenticated)}
	for i, a := range body.Attachments[:min(len(body.Attachments), len(mail.files))] {
		f := &mail.files[i]
		// they may come after the content
		f.file.Filename, f.file.MimeType = web.FileName(a.Filename), web.MediaType(a.ContentType)
		size, stored := f.file.Size, f.file.SHA256 != nil
		if !stored {
			size = int64(len(f.head))
		}
		switch {
		case f.tooBig:
			in.Refused = append(in.Refused, dossier.RefusedFile{Name: f.file.Filename, Why: dossier.RefusedSize})
			continue
		case dossier.Decoration(f.file.Filename, f.file.MimeType, size):
			in.LeftAside = append(in.LeftAside, f.file.Filename)
			if stored {
				s.discardFiles(c, []postgres.NewFile{f.file})
			}
			continue
		case !stored:
			if err := s.storeMail(c, f, bytes.NewReader(f.head)); err != nil {
				return in, err
			}
		}
		in.Files = append(in.Files, f.file)
	}
	return in, nil
}

// unverifiedSender reports whether nobody vouches for the sender of a message. Messages of the provider "log" come from
// a developer and are believed.
func unverifiedSender(config dossier.ChannelConfig, authenticated *bool) bool {
	if authenticated == nil {
		return config.Provider != "log"
	}
	return !*authenticated
}

// discardFiles removes what no document will name; what is left over the sweep finds.
func (s *Server) discardFiles(c *fiber.Ctx, files []postgres.NewFile) {
	for _, file := range files {
		if err := s.Objects.Delete(c.UserContext(), file.ObjectKey); err != nil {
			s.Log.Warn("attachment not removed", "document", file.ID)
		}
	}
}

// address is a sender in the form leads are kept in: a plain email address, a number in E.164.
func address(channel dossier.Channel, from, region string) string {
	from = strings.TrimSpace(from)
	if channel == dossier.ChannelEmail {
		if parsed, err := mail.ParseAddress(from); err == nil {
			return parsed.Address
		}
		return from
	}
	number, _ := dossier.NormalizePhone(strings.TrimPrefix(from, "whatsapp:"), region)
	return number
}
