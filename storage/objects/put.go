package objects

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"

	"github.com/minio/minio-go/v7"

	"github.com/dossierhq/dossier"
)

// partSize is that of multipart uploads, and how much of a body is held in memory at most twice.
// With an unknown size and no part size minio-go would plan for 5 TiB and hold 537 MiB.
const partSize = 8 << 20

// Stored says what Put stored.
type Stored struct {
	Size   int64  // bytes
	SHA256 string // 64 lower-case hexadecimal digits
}

// Put streams body to key and returns its size and SHA-256. It replaces what was there. limit is
// the largest size in bytes, 0 for none.
//
// Errors: TooLarge beyond the limit, Invalid when body ends before its announced end, Unavailable;
// an error of body as it is. After an error nothing is stored under key that was not there before.
func (s *Store) Put(ctx context.Context, key, contentType string, body io.Reader, limit int64) (Stored, error) {
	in := &measured{body: body, hash: sha256.New(), limit: limit}
	opts := minio.PutObjectOptions{ContentType: contentType, PartSize: partSize}
	if err := s.put(ctx, key, in, opts); err != nil {
		if in.err != nil {
			return Stored{}, in.err // the reader failed first; the client only passes that on
		}
		return Stored{}, fail("put", err)
	}
	return Stored{Size: in.size, SHA256: hex.EncodeToString(in.hash.Sum(nil))}, nil
}

// put sends what fits into one part as one request, which most documents do; the rest in parts.
func (s *Store) put(ctx context.Context, key string, in io.Reader, opts minio.PutObjectOptions) error {
	var head bytes.Buffer
	n, err := io.CopyN(&head, in, partSize)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if err == nil {
		_, err = s.client.Client.PutObject(ctx, s.bucket, key, io.MultiReader(&head, in), -1, opts)
		return err
	}
	_, err = s.client.Client.PutObject(ctx, s.bucket, key, bytes.NewReader(head.Bytes()), n, opts)
	return err
}

// measured hashes and counts what passes, and stops at the limit.
type measured struct {
	body  io.Reader
	hash  hash.Hash
	size  int64
	limit int64
	err   error // the first failure, other than the end
}

func (m *measured) Read(p []byte) (int, error) {
	if m.err != nil {
		return 0, m.err
	}
	n, err := m.body.Read(p)
	m.hash.Write(p[:n])
	m.size += int64(n)
	switch {
	case m.limit > 0 && m.size > m.limit:
		m.err = dossier.Errorf(dossier.TooLarge, "The file is larger than %d bytes", m.limit)
	case errors.Is(err, io.ErrUnexpectedEOF):
		// The client takes this error for a regular end and would store the torso as a whole.
		m.err = dossier.Errorf(dossier.Invalid, "The upload ended before all of it had arrived")
	case err != nil && !errors.Is(err, io.EOF):
		m.err = err
	}
	if m.err != nil {
		return 0, m.err
	}
	return n, err
}
