// Package dossier is the client of Dossier's API, with nothing but the standard library.
//
// Types and operations are made from the service's OpenAPI document. Every write carries an Idempotency-Key, which
// stays the same over its repeats; 429 and 503 are repeated after their Retry-After. Errors of the service are
// *Problem, and errors.Is(err, CodeLeadNotFound) asks for one by its code.
package dossier

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Client calls the API with one key. It may be used by several goroutines.
type Client struct {
	// HTTP makes the requests; http.DefaultClient when it is nil.
	HTTP *http.Client
	// Tries is how often a request is made at most; 0 means 4.
	Tries int
	// MaxWait is how long one repeat may be put off; a longer Retry-After ends the call. 0 means a minute.
	MaxWait time.Duration
	// UserAgent names the caller to the service.
	UserAgent string

	base, key string
}

// New makes a client of the service at base, for example https://dossier.example.com.
func New(base, key string) *Client {
	return &Client{base: strings.TrimSuffix(base, "/"), key: key}
}

// CallOption changes one call.
type CallOption func(header http.Header)

// WithIdempotencyKey names a write: within 24 hours the same name gets the first answer again.
func WithIdempotencyKey(key string) CallOption {
	return func(header http.Header) { header.Set("Idempotency-Key", key) }
}

// WithActor names the person behind the call by email address.
func WithActor(email string) CallOption {
	return func(header http.Header) { header.Set("x-actor", email) }
}

// WithHeader sets any other header.
func WithHeader(name, value string) CallOption {
	return func(header http.Header) { header.Set(name, value) }
}

// Page is one page of a list. NextToken is empty on the last.
type Page[T any] struct {
	Items     []T
	NextToken string
}

// Content is a file that is being read. Close it.
type Content struct {
	io.ReadCloser
	ContentType string
	Filename    string
	Size        int64 // -1: unknown
}

// request is one operation.
type request struct {
	method, path string
	query        url.Values
	body         any
	parts        []part
}

func answer[T any](ctx context.Context, c *Client, r request, options []CallOption) (T, error) {
	var out T
	_, err := decode(ctx, c, r, options, &out)
	return out, err
}

func page[T any](ctx context.Context, c *Client, r request, options []CallOption) (Page[T], error) {
	var out Page[T]
	header, err := decode(ctx, c, r, options, &out.Items)
	out.NextToken = header.Get("X-Next-Token")
	return out, err
}

func send(ctx context.Context, c *Client, r request, options []CallOption) error {
	_, err := decode(ctx, c, r, options, nil)
	return err
}

func download(ctx context.Context, c *Client, r request, options []CallOption) (*Content, error) {
	response, err := c.do(ctx, r, options)
	if err != nil {
		return nil, err
	}
	out := &Content{ReadCloser: response.Body, ContentType: response.Header.Get("Content-Type"),
		Size: response.ContentLength}
	if _, params, err := mime.ParseMediaType(response.Header.Get("Content-Disposition")); err == nil {
		out.Filename = params["filename"]
	}
	return out, nil
}

// decode reads the JSON of an answer into out, with numbers as they were written.
func decode(ctx context.Context, c *Client, r request, options []CallOption, out any) (http.Header, error) {
	response, err := c.do(ctx, r, options)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if out == nil {
		_, err := io.Copy(io.Discard, response.Body)
		return response.Header, err
	}
	decoder := json.NewDecoder(response.Body)
	decoder.UseNumber()
	if err := decoder.Decode(out); err != nil {
		return response.Header, fmt.Errorf("the answer of %s %s: %w", r.method, r.path, err)
	}
	return response.Header, nil
}

// each walks the pages that fetch answers.
func each[T any](fetch func(token string) ([]T, string, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		token := ""
		for {
			items, next, err := fetch(token)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if next == "" || next == token {
				return
			}
			token = next
		}
	}
}

// do makes a request until it is answered, and turns what is no success into an error.
func (c *Client) do(ctx context.Context, r request, options []CallOption) (*http.Response, error) {
	header, err := c.header(r, options)
	if err != nil {
		return nil, err
	}
	tries := c.Tries
	if tries <= 0 {
		tries = 4
	}
	for try := 1; ; try++ {
		response, err := c.once(ctx, r, header)
		if err == nil {
			return response, nil
		}
		wait, again := c.again(err, try)
		if !again || try >= tries || !r.repeatable() || ctx.Err() != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), err)
		case <-time.After(wait):
		}
	}
}

func (c *Client) header(r request, options []CallOption) (http.Header, error) {
	header := http.Header{"X-Api-Key": {c.key}, "Accept": {"application/json, application/problem+json, */*"}}
	header.Set("User-Agent", strings.TrimSpace("dossier-go/"+APIVersion+" "+c.UserAgent))
	if r.method != http.MethodGet {
		var random [16]byte
		if _, err := rand.Read(random[:]); err != nil {
			return nil, err
		}
		header.Set("Idempotency-Key", fmt.Sprintf("%x", random))
	}
	for _, option := range options {
		option(header)
	}
	return header, nil
}

// once makes one try. Its error is a *Problem when the service answered.
func (c *Client) once(ctx context.Context, r request, header http.Header) (*http.Response, error) {
	body, size, contentType, err := r.open()
	if err != nil {
		return nil, err
	}
	address := c.base + r.path
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	call, err := http.NewRequestWithContext(ctx, r.method, address, body)
	if err != nil {
		return nil, err
	}
	call.Header = header.Clone()
	call.ContentLength = size
	if contentType != "" {
		call.Header.Set("Content-Type", contentType)
	}
	client := c.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	response, err := client.Do(call)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		defer func() { _ = response.Body.Close() }()
		return nil, readProblem(response)
	}
	return response, nil
}

// open is the body of one try.
func (r request) open() (io.Reader, int64, string, error) {
	switch {
	case r.parts != nil:
		return openParts(r.parts)
	case r.body != nil:
		data, err := json.Marshal(r.body)
		return bytes.NewReader(data), int64(len(data)), "application/json", err
	}
	return http.NoBody, 0, "", nil
}

func (r request) repeatable() bool {
	for _, p := range r.parts {
		if p.file != nil && p.file.Open == nil {
			return false
		}
	}
	return true
}

// again says whether what failed may pass the next time, and when that is tried.
func (c *Client) again(err error, try int) (time.Duration, bool) {
	longest := c.MaxWait
	if longest <= 0 {
		longest = time.Minute
	}
	wait := min(500*time.Millisecond<<min(try-1, 6), longest)
	var problem *Problem
	if !errors.As(err, &problem) {
		var bad *url.Error
		return wait, errors.As(err, &bad)
	}
	switch problem.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	case http.StatusConflict:
		return wait, problem.Code == CodeIdempotencyInProgress
	default:
		return 0, false
	}
	if problem.RetryAfter != nil {
		wait = *problem.RetryAfter
	}
	return wait, wait <= longest
}

// addQuery sets a parameter that is not zero.
func addQuery(values url.Values, name string, value any) {
	switch v := value.(type) {
	case string:
		set(values, name, v)
	case []string:
		set(values, name, strings.Join(v, ","))
	case int:
		if v != 0 {
			values.Set(name, strconv.Itoa(v))
		}
	case bool:
		if v {
			values.Set(name, "true")
		}
	case time.Time:
		if !v.IsZero() {
			values.Set(name, v.UTC().Format(time.RFC3339Nano))
		}
	default:
		set(values, name, wordsOf(reflect.ValueOf(value)))
	}
}

// wordsOf writes a word of a closed set, or several with commas.
func wordsOf(v reflect.Value) string {
	if v.Kind() != reflect.Slice {
		return v.String()
	}
	words := make([]string, v.Len())
	for i := range words {
		words[i] = v.Index(i).String()
	}
	return strings.Join(words, ",")
}

func set(values url.Values, name, value string) {
	if value != "" {
		values.Set(name, value)
	}
}

func textOf[T ~string](s *T) string {
	if s == nil {
		return ""
	}
	return string(*s)
}
