// Package objectstest gives a test a bucket of its own on a real S3 server: the one that
// TEST_S3_ENDPOINT names, else a private gateway that all tests of a user share. It is imported
// from _test.go files only.
package objectstest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/dossierhq/dossier/cmd/lab/gateway"
	"github.com/dossierhq/dossier/storage/objects"
)

// New returns an empty store that is gone after the test.
func New(t testing.TB) *objects.Store {
	t.Helper()
	store, err := objects.Open(Config(t))
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// Config is what New opens, for tests that start a whole process. The bucket exists.
func Config(t testing.TB) objects.Config {
	t.Helper()
	cfg := service(t)
	cfg.Bucket = "test-" + strings.ToLower(rand.Text())
	store, err := objects.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.EnsureBucket(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { remove(t, cfg) })
	return cfg
}

// Send puts a body to a presigned address, as a client does, and returns the status of the answer.
func Send(t testing.TB, to objects.Upload, body []byte) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), to.Method, to.URL, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range to.Headers {
		request.Header.Set(name, value)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode
}

func service(t testing.TB) objects.Config {
	t.Helper()
	if endpoint := os.Getenv("TEST_S3_ENDPOINT"); endpoint != "" {
		return objects.Config{Endpoint: endpoint, AccessKey: os.Getenv("TEST_S3_ACCESS_KEY"),
			SecretKey: os.Getenv("TEST_S3_SECRET_KEY")}
	}
	g, err := gateway.Shared(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return objects.Config{Endpoint: g.Endpoint, AccessKey: g.AccessKey, SecretKey: g.SecretKey}
}

// remove empties and drops the bucket; the store itself has no need to.
func remove(t testing.TB, cfg objects.Config) {
	ctx := context.Background() // that of the test has ended
	endpoint, err := url.Parse(cfg.Endpoint)
	if err != nil {
		t.Error(err)
		return
	}
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds: credentials.NewStaticV4(cfg.AccessKey, cfg.SecretKey, ""), Secure: endpoint.Scheme == "https",
		Region: "us-east-1", MaxRetries: 2,
	})
	if err != nil {
		t.Error(err)
		return
	}
	for object := range client.ListObjectsIter(ctx, cfg.Bucket, minio.ListObjectsOptions{Recursive: true}) {
		if object.Err == nil {
			_ = client.RemoveObject(ctx, cfg.Bucket, object.Key, minio.RemoveObjectOptions{})
		}
	}
	_ = client.RemoveBucket(ctx, cfg.Bucket) // a left-over bucket harms no other test
}
