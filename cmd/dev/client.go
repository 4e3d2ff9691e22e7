package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"

	"github.com/dossierhq/dossier"
)

// keyWorks asks the store whether a kept key still opens the workspace.
func (s *stack) keyWorks(ctx context.Context, text string) bool {
	prefix, ok := dossier.KeyPrefix(text)
	if !ok {
		return false
	}
	ws, key, err := s.services.DB.Authenticate(ctx, prefix, dossier.HashKey(text))
	return err == nil && ws == s.ws && key.RevokedAt == nil
}

// call makes one request as an integrator would and decodes the answer.
func (s *stack) call(ctx context.Context, method, path, contentType string, body io.Reader, answer any) error {
	request, err := http.NewRequestWithContext(ctx, method, s.url+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("x-api-key", s.key)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s %s", method, path, response.Status, data)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(data, answer)
}

func (s *stack) get(ctx context.Context, path string, answer any) error {
	return s.call(ctx, http.MethodGet, path, "", http.NoBody, answer)
}

func (s *stack) post(ctx context.Context, path string, body, answer any) error {
	return s.send(ctx, http.MethodPost, path, body, answer)
}

func (s *stack) send(ctx context.Context, method, path string, body, answer any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return s.call(ctx, method, path, "application/json", bytes.NewReader(data), answer)
}

// uploadFile is a file of the demonstration.
type uploadFile struct {
	name, contentType string
	data              []byte
}

// upload sends files to a lead, as a form of a browser does.
func (s *stack) upload(ctx context.Context, lead string, files []uploadFile, answer any) error {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := form.WriteField("leadId", lead); err != nil {
		return err
	}
	for _, file := range files {
		part, err := form.CreatePart(map[string][]string{
			"Content-Disposition": {fmt.Sprintf(`form-data; name="files"; filename=%q`, file.name)},
			"Content-Type":        {file.contentType}})
		if err != nil {
			return err
		}
		if _, err := part.Write(file.data); err != nil {
			return err
		}
	}
	if err := form.Close(); err != nil {
		return err
	}
	return s.call(ctx, http.MethodPost, "/api/v1/documents", form.FormDataContentType(), &body, answer)
}
