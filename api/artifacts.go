package api

import (
	"encoding/hex"
	"mime"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
)

// artifactContent answers the bytes of a file of a spread. Its ETag is the SHA-256 of the bytes, in hexadecimal.
func (s *Server) artifactContent(c *fiber.Ctx) error {
	id, err := pathID[dossier.ArtifactID](c, "artifactId")
	if err != nil {
		return err
	}
	a, err := s.db.ReadArtifact(c.UserContext(), workspace(c), id)
	if err != nil {
		return err
	}
	tag := `"` + hex.EncodeToString(a.SHA256) + `"`
	c.Set(fiber.HeaderETag, tag)
	c.Set(fiber.HeaderCacheControl, "private, no-cache")
	if tagMatches(c.Get(fiber.HeaderIfNoneMatch), tag) {
		c.Status(fiber.StatusNotModified)
		return nil
	}
	object, err := s.Objects.Get(c.UserContext(), a.ObjectKey)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, a.Type.ContentType())
	c.Set(fiber.HeaderContentDisposition, attachment(a.Title+a.Type.Extension()))
	return c.SendStream(object, int(a.Size)) // closes the object
}

// attachment names a download: plain for every client, and as it is for those that read RFC 6266.
func attachment(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, name)
	return mime.FormatMediaType("attachment", map[string]string{"filename": name})
}
