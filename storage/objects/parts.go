package objects

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/cors"
)

// PartSize is the size in bytes of the parts of a direct upload, but the last. S3 takes none below 5 MiB.
const PartSize = 5 << 20

// BeginParts opens an upload in parts and returns its id.
func (s *Store) BeginParts(ctx context.Context, key, contentType string) (string, error) {
	id, err := s.client.NewMultipartUpload(ctx, s.bucket, key, minio.PutObjectOptions{ContentType: contentType})
	return id, fail("begin parts", err)
}

// PresignPart returns the request that stores one part of exactly size bytes; parts are numbered from 1. Sending a
// part again replaces it.
func (s *Store) PresignPart(ctx context.Context, key, uploadID string, number int, size int64) (Upload, error) {
	query := url.Values{"partNumber": {strconv.Itoa(number)}, "uploadId": {uploadID}}
	u, err := s.public.PresignHeader(ctx, http.MethodPut, s.bucket, key, LinkTTL, query,
		http.Header{"Content-Length": {strconv.FormatInt(size, 10)}})
	if err != nil {
		return Upload{}, fail("presign part", err)
	}
	return Upload{Method: http.MethodPut, URL: u.String(), Headers: map[string]string{}}, nil
}

// Parts returns the numbers of the parts that arrived, ascending. Error: NotFound (completed, aborted or never begun).
func (s *Store) Parts(ctx context.Context, key, uploadID string) ([]int, error) {
	stored, err := s.parts(ctx, key, uploadID)
	numbers := []int{}
	for _, p := range stored {
		numbers = append(numbers, p.PartNumber)
	}
	return numbers, err
}

func (s *Store) parts(ctx context.Context, key, uploadID string) ([]minio.ObjectPart, error) {
	const most = 1000
	listed, err := s.client.ListObjectParts(ctx, s.bucket, key, uploadID, 0, most)
	return listed.ObjectParts, fail("list parts", err)
}

// FinishParts makes the object of the parts that arrived. Whether they are all of it shows in its size.
// Error: NotFound (completed, aborted or never begun; or nothing arrived).
func (s *Store) FinishParts(ctx context.Context, key, uploadID string) error {
	stored, err := s.parts(ctx, key, uploadID)
	if err != nil {
		return err
	}
	var parts []minio.CompletePart
	for _, p := range stored {
		parts = append(parts, minio.CompletePart{PartNumber: p.PartNumber, ETag: p.ETag})
	}
	if len(parts) == 0 {
		return fail("finish parts", minio.ErrorResponse{Code: minio.NoSuchUpload, StatusCode: http.StatusNotFound})
	}
	_, err = s.client.CompleteMultipartUpload(ctx, s.bucket, key, uploadID, parts, minio.PutObjectOptions{})
	return fail("finish parts", err)
}

// AbortParts drops what arrived of an upload. Aborting what is not there is no error.
func (s *Store) AbortParts(ctx context.Context, key, uploadID string) error {
	err := s.client.AbortMultipartUpload(ctx, s.bucket, key, uploadID)
	if minio.ToErrorResponse(err).StatusCode == http.StatusNotFound {
		return nil
	}
	return fail("abort parts", err)
}

// PublicOrigin is the scheme and host under which browsers reach the service.
func (s *Store) PublicOrigin() string {
	u := s.public.EndpointURL()
	return u.Scheme + "://" + u.Host
}

// allowBrowsers lets pages of any origin send what a presigned URL allows: the URL is the authority, and no cookie
// goes with it. Services without this setting (MinIO) allow it anyway.
func (s *Store) allowBrowsers(ctx context.Context) error {
	err := s.client.SetBucketCors(ctx, s.bucket, cors.NewConfig([]cors.Rule{{
		AllowedOrigin: []string{"*"}, AllowedMethod: []string{http.MethodPut}, AllowedHeader: []string{"*"},
		MaxAgeSeconds: 3600,
	}}))
	if code := minio.ToErrorResponse(err).StatusCode; code == http.StatusNotImplemented ||
		code == http.StatusForbidden {
		return nil
	}
	return fail("allow browsers", err)
}
