package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/objects"
)

// success is embedded first in answers that carry it.
type success struct {
	Success bool `json:"success"`
}

var yes = success{Success: true}

func send(c *fiber.Ctx, status int, answer any) error { return web.Send(c, status, answer) }

func noContent(c *fiber.Ctx) error { return web.NoContent(c) }

func pathID[ID ~string](c *fiber.Ctx, name string) (ID, error) { return web.PathID[ID](c, name) }

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
func finishAnswer(c *fiber.Ctx, now time.Time) {
	response := c.Response()
	if response.IsBodyStream() || response.StatusCode() != fiber.StatusOK {
		return
	}
	if c.Method() == fiber.MethodGet || c.Method() == fiber.MethodHead {
		tag := string(response.Header.Peek(fiber.HeaderETag)) // of a handler that knows when its answer is another one
		if tag == "" {
			version, _ := c.Locals(versionKey).(string)
			tag = contentTag(response.Body(), version, now)
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

// linkRenewal is how long an answer with signed URLs stays the same: half of what they are good for.
const linkRenewal = objects.LinkTTL / 2

// contentTag is the tag of what is shown. Signed URLs are new in every answer and do not count, but with them an answer
// is another one from time to time, so that nobody keeps one whose URLs have expired. The version that a lead's handler
// left under versionKey (leadTag) stands in front: If-Match asks for that part.
func contentTag(body []byte, version string, now time.Time) string {
	sum := sha256.New()
	signed := false
	for {
		end := bytes.Index(body, []byte("&X-Amz-Signature="))
		if end < 0 {
			break
		}
		text := bytes.LastIndexByte(body[:end], '"') + 1
		if query := bytes.IndexByte(body[text:end], '?'); query >= 0 {
			end, signed = text+query, true
		}
		sum.Write(body[:end])
		rest := bytes.IndexByte(body[end:], '"')
		if rest < 0 {
			break
		}
		body = body[end+rest:]
	}
	sum.Write(body)
	if signed {
		_, _ = fmt.Fprint(sum, now.Truncate(linkRenewal).Unix())
	}
	hash := base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:16])
	if version != "" {
		return strings.TrimSuffix(version, `"`) + "." + hash + `"`
	}
	return `W/"` + hash + `"`
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
		if candidate == "*" || (candidate != "" &&
			strings.TrimPrefix(candidate, "W/") == strings.TrimPrefix(tag, "W/")) {
			return true
		}
	}
	return false
}
