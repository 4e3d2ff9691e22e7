package embedded

import (
	"context"
	"path/filepath"

	"github.com/dossierhq/dossier/cmd/lab/gateway"
	"github.com/dossierhq/dossier/storage/objects"
)

// startObjects runs the S3 gateway on <data>/objects and makes the bucket.
func startObjects(ctx context.Context, opts Options) (map[string]string, func() error, error) {
	g, err := gateway.Start(ctx, gateway.Options{Dir: filepath.Join(opts.Data, "objects"), Log: opts.Log})
	if err != nil {
		return nil, nil, err
	}
	bucket := opts.Getenv("S3_BUCKET")
	if bucket == "" {
		bucket = "dossier"
	}
	cfg := objects.Config{Endpoint: g.Endpoint, AccessKey: g.AccessKey, SecretKey: g.SecretKey, Bucket: bucket,
		Region: "us-east-1"}
	store, err := objects.Open(cfg)
	if err == nil {
		err = store.EnsureBucket(ctx)
	}
	if err != nil {
		_ = g.Stop()
		return nil, nil, err
	}
	return map[string]string{
		"S3_ENDPOINT": cfg.Endpoint, "S3_ACCESS_KEY": cfg.AccessKey, "S3_SECRET_KEY": cfg.SecretKey,
		"S3_BUCKET": cfg.Bucket, "S3_REGION": cfg.Region,
	}, g.Stop, nil
}
