package objects

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/minio/minio-go/v7"

	"github.com/dossierhq/dossier"
)

// fail gives an error of the client its kind. Whatever is not an answer of the service is a
// network that does not work: Unavailable. A cancelled context stays what it is, because it says
// something about our caller.
func fail(operation string, err error) error {
	var own *dossier.Error
	if err == nil || errors.As(err, &own) || errors.Is(err, context.Canceled) {
		return err
	}
	var answer minio.ErrorResponse
	if !errors.As(err, &answer) {
		return unavailable(operation, err)
	}
	switch {
	case answer.Code == minio.NoSuchBucket, answer.StatusCode >= http.StatusInternalServerError,
		answer.StatusCode == http.StatusTooManyRequests:
		return unavailable(operation, err)
	case answer.StatusCode == http.StatusNotFound, answer.Code == minio.NoSuchKey, answer.Code == minio.NoSuchUpload:
		return dossier.Errorf(dossier.NotFound, "The stored file is gone")
	}
	return fmt.Errorf("object storage: %s: %w", operation, err)
}

// unavailable shows callers one sentence and keeps the cause for the log.
func unavailable(operation string, cause error) error {
	return fmt.Errorf("%w: %s: %w", dossier.Errorf(dossier.Unavailable, "The object storage does not answer"),
		operation, cause)
}
