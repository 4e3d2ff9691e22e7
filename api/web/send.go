package web

import (
	"bytes"
	"encoding/json"

	"github.com/gofiber/fiber/v2"
)

// Send writes an answer as JSON. Text is written as it is: no escaping of < > &.
func Send(c *fiber.Ctx, status int, answer any) error {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return err
	}
	c.Status(status).Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	c.Response().SetBodyRaw(body.Bytes())
	return nil
}

// NoContent is the answer of a DELETE.
func NoContent(c *fiber.Ctx) error {
	c.Status(fiber.StatusNoContent)
	return nil
}
