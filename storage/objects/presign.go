package objects

import (
	"context"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// LinkTTL is how long a presigned URL works.
const LinkTTL = time.Hour

// PresignGet returns a URL that anyone may GET for LinkTTL. The answer is a download named
// filename, never shown in the browser: what was uploaded is not ours to trust. An object that is
// not there is not noticed. It asks no service.
func (s *Store) PresignGet(ctx context.Context, key, filename, contentType string) (string, error) {
	answer := url.Values{"response-content-disposition": {mime.FormatMediaType("attachment",
		map[string]string{"filename": filename})}}
	if contentType != "" {
		answer.Set("response-content-type", contentType)
	}
	u, err := s.public.PresignedGetObject(ctx, s.bucket, key, LinkTTL, answer)
	if err != nil {
		return "", fail("presign get", err)
	}
	return u.String(), nil
}

// Upload is a request that a client makes to store one object.
type Upload struct {
	Method  string            // PUT
	URL     string            // good for LinkTTL
	Headers map[string]string // to be sent as they are; Content-Length is sent by every client by itself
}

// PresignPut returns the request that stores exactly size bytes of one content type under key:
// both are part of the signature, so nothing larger can be put there.
func (s *Store) PresignPut(ctx context.Context, key, contentType string, size int64) (Upload, error) {
	signed := http.Header{"Content-Type": {contentType}, "Content-Length": {strconv.FormatInt(size, 10)}}
	u, err := s.public.PresignHeader(ctx, http.MethodPut, s.bucket, key, LinkTTL, nil, signed)
	if err != nil {
		return Upload{}, fail("presign put", err)
	}
	return Upload{Method: http.MethodPut, URL: u.String(), Headers: map[string]string{"Content-Type": contentType}}, nil
}
