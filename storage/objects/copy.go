package objects

import (
	"context"

	"github.com/minio/minio-go/v7"

	"github.com/dossierhq/dossier"
)

// Copy copies an object inside the store, if it still is the one that etag names (Info.ETag).
// Errors: NotFound, Precondition when it is another one.
func (s *Store) Copy(ctx context.Context, from, etag, to string) error {
	_, err := s.client.Client.CopyObject(ctx, minio.CopyDestOptions{Bucket: s.bucket, Object: to},
		minio.CopySrcOptions{Bucket: s.bucket, Object: from, MatchETag: etag})
	if minio.ToErrorResponse(err).StatusCode == 412 {
		return dossier.Errorf(dossier.Precondition, "The object %s is another one", from)
	}
	return fail("copy", err)
}
