// Package integrator is the command line of those who call the API: listen and trigger need nothing but the service's
// address and a key.
package integrator

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier/jobs"
)

// Client calls the API with one key.
type Client struct {
	URL, Key string

	// Pause waits, or ends with ctx; time's own when it is nil.
	Pause func(ctx context.Context, d time.Duration)
}

// Problem is an error the service answered.
type Problem struct {
	Status     int    `json:"status"`
	Code       string `json:"code"`
	Detail     string `json:"detail"`
	RequestID  string `json:"requestId"`
	retryAfter time.Duration
}

func (p *Problem) Error() string {
	text := fmt.Sprintf("%s (%d %s", p.Detail, p.Status, p.Code)
	if p.RequestID != "" {
		text += ", request " + p.RequestID
	}
	return text + ")"
}

// New makes a client from the variables DOSSIER_URL and DOSSIER_API_KEY. Error: one is missing.
func New(variable func(name string) string) (*Client, error) {
	c := &Client{URL: strings.TrimSuffix(variable("DOSSIER_URL"), "/"), Key: variable("DOSSIER_API_KEY")}
	address, err := url.Parse(c.URL)
	switch {
	case c.URL == "":
		return nil, errors.New("set DOSSIER_URL to the service's address, for example http://localhost:8080")
	case err != nil || address.Host == "":
		return nil, errors.New("DOSSIER_URL is not an address like http://localhost:8080")
	case c.Key == "":
		return nil, errors.New("set DOSSIER_API_KEY to a key of the workspace")
	}
	return c, nil
}

// Get reads path into out.
func (c *Client) Get(ctx context.Context, path string, query url.Values, out any) error {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return c.call(ctx, http.MethodGet, path, "", nil, out)
}

// Send makes a write with a JSON body, or none.
func (c *Client) Send(ctx context.Context, method, path string, body, out any) error {
	if body == nil {
		return c.call(ctx, method, path, "", nil, out)
	}
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return c.call(ctx, method, path, "application/json", data, out)
}

// upload sends one file to a lead.
func (c *Client) upload(ctx context.Context, fields map[string]string, name, contentType string, data []byte,
	out any) error {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for field, value := range fields {
		if err := form.WriteField(field, value); err != nil {
			return err
		}
	}
	part, err := form.CreatePart(textproto.MIMEHeader{"Content-Type": {contentType},
		"Content-Disposition": {fmt.Sprintf(`form-data; name="files"; filename=%q`, name)}})
	if err != nil {
		return err
	}
	if _, err := part.Write(data); err != nil {
		return err
	}
	if err := form.Close(); err != nil {
		return err
	}
	return c.call(ctx, http.MethodPost, "/api/v1/documents", form.FormDataContentType(), body.Bytes(), out)
}

const tries = 4

// call makes a request, again when the service is busy. A repeat carries the same Idempotency-Key.
func (c *Client) call(ctx context.Context, method, path, contentType string, body []byte, out any) error {
	var random [16]byte
	if _, err := rand.Read(random[:]); err != nil {
		return err
	}
	for try := 1; ; try++ {
		err := c.once(ctx, method, path, contentType, fmt.Sprintf("%x", random), body, out)
		var problem *Problem
		if !errors.As(err, &problem) || try == tries || ctx.Err() != nil ||
			problem.Status != http.StatusTooManyRequests && problem.Status != http.StatusServiceUnavailable {
			return err
		}
		c.pause(ctx, max(problem.retryAfter, 200*time.Millisecond))
	}
}

func (c *Client) once(ctx context.Context, method, path, contentType, repeat string, body []byte, out any) error {
	request, err := http.NewRequestWithContext(ctx, method, c.URL+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("x-api-key", c.Key)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	if method != http.MethodGet {
		request.Header.Set("Idempotency-Key", repeat)
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
	if response.StatusCode >= http.StatusMultipleChoices {
		return problemOf(response, data)
	}
	switch out := out.(type) {
	case nil:
		return nil
	case *file:
		*out = file{data, response.Header}
		return nil
	}
	return json.Unmarshal(data, out)
}

// file is an answer that is not JSON.
type file struct {
	data   []byte
	header http.Header
}

func problemOf(response *http.Response, data []byte) error {
	p := &Problem{}
	if json.Unmarshal(data, p) != nil || p.Code == "" {
		p = &Problem{Code: "unknown", Detail: "the service answered " + response.Status}
	}
	p.Status = response.StatusCode
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
		p.retryAfter = time.Duration(seconds) * time.Second
	}
	return p
}

func (c *Client) pause(ctx context.Context, d time.Duration) {
	if c.Pause != nil {
		c.Pause(ctx, d)
		return
	}
	jobs.Sleep(ctx, d)
}

// isUnavailable reports whether the service could not be reached, is restarting, or is overloaded.
func isUnavailable(err error) bool {
	var problem *Problem
	if errors.As(err, &problem) {
		return problem.Status >= http.StatusInternalServerError || problem.Status == http.StatusTooManyRequests
	}
	var failed *url.Error
	return errors.As(err, &failed) || errors.Is(err, io.ErrUnexpectedEOF)
}
