// Package objects keeps bytes in S3: uploaded documents, artifacts, exports. It knows no nouns of
// the product; what a key means stands in the row that names it, in storage/postgres.
package objects

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/url"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/dossierhq/dossier"
)

// Config names one bucket of one S3 service.
type Config struct {
	Endpoint       string // URL; a bare host:port means https
	PublicEndpoint string // URL under which browsers reach it; empty: Endpoint
	AccessKey      string
	SecretKey      string
	Bucket         string
	Region         string
}

// Store is one bucket. It is safe for concurrent use. Its errors are dossier errors: Unavailable
// when the service is away or fails, NotFound for a missing object; else Internal.
type Store struct {
	client *minio.Core
	public *minio.Client
	bucket string
	region string
}

// Open checks the configuration. It does not speak to the service: see Ping and EnsureBucket.
func Open(cfg Config) (*Store, error) {
	if cfg.Bucket == "" {
		return nil, fmt.Errorf("S3_BUCKET is empty")
	}
	if cfg.Region == "" {
		cfg.Region = "us-east-1"
	}
	client, err := connect("S3_ENDPOINT", cfg.Endpoint, cfg)
	if err != nil {
		return nil, err
	}
	public := client
	if cfg.PublicEndpoint != "" {
		if public, err = connect("S3_PUBLIC_ENDPOINT", cfg.PublicEndpoint, cfg); err != nil {
			return nil, err
		}
	}
	return &Store{client: &minio.Core{Client: client}, public: public, bucket: cfg.Bucket, region: cfg.Region}, nil
}

func connect(variable, endpoint string, cfg Config) (*minio.Client, error) {
	if !strings.Contains(endpoint, "://") {
		endpoint = "https://" + endpoint
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || strings.Trim(u.Path, "/") != "" {
		return nil, fmt.Errorf("%s must be a URL like http://host:9000 without a path", variable)
	}
	transport, err := minio.DefaultTransport(u.Scheme == "https")
	if err != nil {
		return nil, err
	}
	return minio.New(u.Host, &minio.Options{
		Transport:    guardedTransport{transport},
		Creds:        credentials.NewStaticV4(cfg.AccessKey, cfg.SecretKey, ""),
		Secure:       u.Scheme == "https",
		Region:       cfg.Region, // known, so that presigning asks nobody
		BucketLookup: minio.BucketLookupPath,
		MaxRetries:   3, // an outage is answered in about a second; the job or the caller tries again
	})
}

// EnsureBucket makes the bucket unless it is there. A new one takes direct uploads from browsers.
func (s *Store) EnsureBucket(ctx context.Context) error {
	ok, err := s.client.BucketExists(ctx, s.bucket)
	if err != nil {
		return fail("ensure bucket", err)
	}
	if ok {
		return nil
	}
	err = s.client.MakeBucket(ctx, s.bucket, minio.MakeBucketOptions{Region: s.region})
	if code := minio.ToErrorResponse(err).Code; code == minio.BucketAlreadyOwnedByYou ||
		code == minio.BucketAlreadyExists {
		return nil // another process was faster
	}
	if err != nil {
		return fail("ensure bucket", err)
	}
	return s.allowBrowsers(ctx)
}

// Ping reports whether the service answers and has the bucket. Error: Unavailable.
func (s *Store) Ping(ctx context.Context) error {
	ok, err := s.client.BucketExists(ctx, s.bucket)
	if err != nil {
		return fail("ping", err)
	}
	if !ok {
		return dossier.Errorf(dossier.Unavailable, "The object storage has no bucket %s", s.bucket)
	}
	return nil
}

// Info describes a stored object.
type Info struct {
	ETag        string // of these bytes, while they stay
	Key         string
	Size        int64 // bytes
	ContentType string
	Modified    time.Time // UTC, by the service's clock
}

// Object is an object's bytes as a stream. The caller closes it.
type Object struct {
	Info
	io.ReadCloser
}

// Read passes bytes on; a connection that breaks is Unavailable.
func (o *Object) Read(p []byte) (int, error) {
	n, err := o.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		err = fail("get", err)
	}
	return n, err
}

// Get opens an object. Error: NotFound.
func (s *Store) Get(ctx context.Context, key string) (*Object, error) {
	body, info, _, err := s.client.GetObject(ctx, s.bucket, key, minio.GetObjectOptions{})
	if err != nil {
		return nil, fail("get", err)
	}
	return &Object{Info: infoOf(key, info), ReadCloser: body}, nil
}

func infoOf(key string, info minio.ObjectInfo) Info {
	return Info{Key: key, ETag: info.ETag, Size: info.Size, ContentType: info.ContentType,
		Modified: info.LastModified.UTC()}
}

// Stat describes an object without reading it. Error: NotFound.
func (s *Store) Stat(ctx context.Context, key string) (Info, error) {
	info, err := s.client.StatObject(ctx, s.bucket, key, minio.StatObjectOptions{})
	if err != nil {
		return Info{}, fail("stat", err)
	}
	return infoOf(key, info), nil
}

// Delete removes an object. Deleting what is not there is no error.
func (s *Store) Delete(ctx context.Context, key string) error {
	err := fail("delete", s.client.RemoveObject(ctx, s.bucket, key, minio.RemoveObjectOptions{}))
	if dossier.KindOf(err) == dossier.NotFound {
		return nil
	}
	return err
}

// Erase removes every version of an object. What is not there is no error.
func (s *Store) Erase(ctx context.Context, key string) error {
	for version := range s.client.ListObjectsIter(ctx, s.bucket,
		minio.ListObjectsOptions{Prefix: key, WithVersions: true, Recursive: true}) {
		if version.Err != nil {
			break // a store without versions has no such list
		}
		if version.Key != key || version.VersionID == "" {
			continue
		}
		if err := fail("erase", s.client.RemoveObject(ctx, s.bucket, key,
			minio.RemoveObjectOptions{VersionID: version.VersionID})); err != nil &&
			dossier.KindOf(err) != dossier.NotFound {
			return err
		}
	}
	return s.Delete(ctx, key)
}

// List walks all objects whose key begins with prefix, in the order of their keys, a thousand per
// request. ContentType is not part of a listing. After an error it ends.
func (s *Store) List(ctx context.Context, prefix string) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		for info := range s.client.ListObjectsIter(ctx, s.bucket,
			minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
			if info.Err != nil {
				yield(Info{}, fail("list", info.Err))
				return
			}
			if !yield(infoOf(info.Key, info), nil) {
				return
			}
		}
	}
}

// AbortIncomplete drops the multipart uploads that began before a time and were never completed,
// whose parts would otherwise take space for ever and are in no listing. It returns how many.
func (s *Store) AbortIncomplete(ctx context.Context, before time.Time) (int, error) {
	return s.incomplete(ctx, before, func(upload minio.ObjectMultipartInfo) error {
		err := fail("abort upload", s.client.AbortMultipartUpload(ctx, s.bucket, upload.Key, upload.UploadID))
		if dossier.KindOf(err) == dossier.NotFound {
			return nil // somebody else has
		}
		return err
	})
}

// CountIncomplete counts what AbortIncomplete would drop.
func (s *Store) CountIncomplete(ctx context.Context, before time.Time) (int, error) {
	return s.incomplete(ctx, before, func(minio.ObjectMultipartInfo) error { return nil })
}

// incomplete calls do for the uploads that AbortIncomplete speaks of, and counts those for which it is well.
func (s *Store) incomplete(ctx context.Context, before time.Time, do func(minio.ObjectMultipartInfo) error) (int,
	error) {
	ctx, cancel := context.WithCancel(ctx) // ends the listing when we return early
	defer cancel()
	n := 0
	for upload := range s.client.ListIncompleteUploads(ctx, s.bucket, "", true) {
		if upload.Err != nil {
			return n, fail("list uploads", upload.Err)
		}
		if !upload.Initiated.Before(before) {
			continue
		}
		if err := do(upload); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
