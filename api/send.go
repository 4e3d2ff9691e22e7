package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// success is embedded first in answers that carry it.
type success struct {
	Success bool `json:"success"`
}

var yes = success{Success: true}

// send writes an answer as JSON. Text is written as it is: no escaping of < > &.
func send(c *fiber.Ctx, status int, answer any) error {
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

// noContent is the answer of a DELETE.
func noContent(c *fiber.Ctx) error {
	c.Status(fiber.StatusNoContent)
	return nil
}

// orEmpty makes a list that is written as [] and not as null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// compressFrom is the size from which an answer is worth compressing.
const compressFrom = 4 << 10

// finishAnswer gives reads a version tag, answers 304 where the caller has it already, and compresses large text.
func finishAnswer(c *fiber.Ctx) {
	response := c.Response()
	if response.IsBodyStream() || response.StatusCode() != fiber.StatusOK {
		return
	}
	if c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead {
		tag := string(response.Header.Peek(fiber.HeaderETag))
		if tag == "" {
			sum := sha256.Sum256(response.Body())
			tag = `W/"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
			c.Set(fiber.HeaderETag, tag)
		}
		if len(response.Header.Peek(fiber.HeaderCacheControl)) == 0 {
			c.Set(fiber.HeaderCacheControl, "private, no-cache")
		}
		if tagMatches(c.Get(fiber.HeaderIfNoneMatch), tag) {
			response.ResetBody()
			c.Status(fiber.StatusNotModified)
			return
		}
	}
	compress(c)
}

func compress(c *fiber.Ctx) {
	kind := string(c.Response().Header.ContentType())
	if !strings.Contains(kind, "json") && !strings.HasPrefix(kind, "text/") {
		return
	}
	c.Vary(fiber.HeaderAcceptEncoding)
	if len(c.Response().Body()) < compressFrom || !c.Context().Request.Header.HasAcceptEncoding("gzip") {
		return
	}
	packed := fasthttp.AppendGzipBytesLevel(nil, c.Response().Body(), fasthttp.CompressBestSpeed)
	c.Set(fiber.HeaderContentEncoding, "gzip")
	c.Response().SetBodyRaw(packed)
}

// tagMatches compares weakly (RFC 9110 section 8.8.3.2): a list of tags, or *.
func tagMatches(header, tag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || (candidate != "" && strings.TrimPrefix(candidate, "W/") == strings.TrimPrefix(tag, "W/")) {
			return true
		}
	}
	return false
}
