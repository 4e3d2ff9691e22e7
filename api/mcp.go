package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/gofiber/fiber/v2"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/valyala/fasthttp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/mcp"
	"github.com/dossierhq/dossier/api/web"
)

// serveMCP answers one request of the Model Context Protocol (streamable HTTP, without sessions). Tools call the
// operations of this server with the caller's own key, so scopes, walls and limits are those of any call.
func (s *Server) serveMCP(c *fiber.Ctx) error {
	if err := s.sameOrigin(c); err != nil {
		return err
	}
	who, err := s.authenticate(c)
	if err != nil {
		return err
	}
	body, err := web.ReadBody(c, web.JSONLimit)
	if err != nil {
		return err
	}
	headers := http.Header{}
	for key, values := range c.GetReqHeaders() {
		headers[http.CanonicalHeaderKey(key)] = values
	}
	server := mcp.New(s.inside(c), dossier.APIVersion, s.MCPWrites && who.can(scopeWrite))
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server },
		&sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true, DisableLocalhostProtection: true})
	request, err := http.NewRequestWithContext(c.UserContext(), c.Method(), "http://dossier/mcp", bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header = headers
	answer := &kept{header: http.Header{}, status: http.StatusOK}
	handler.ServeHTTP(answer, request)
	for key, values := range answer.header {
		for _, value := range values {
			c.Response().Header.Set(key, value)
		}
	}
	return c.Status(answer.status).Send(answer.body.Bytes())
}

// sameOrigin refuses pages of other sites: a browser sends their Origin. Error: Forbidden.
func (s *Server) sameOrigin(c *fiber.Ctx) error {
	origin := c.Get(fiber.HeaderOrigin)
	if origin == "" {
		return nil
	}
	ours, err := url.Parse(s.door.PublicURL(c))
	from, err2 := url.Parse(origin)
	if err != nil || err2 != nil || ours.Host != from.Host {
		return dossier.Coded(dossier.Forbidden, "cross_site_request", "This address is not for pages of other sites")
	}
	return nil
}

// kept is an answer in memory.
type kept struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (k *kept) Header() http.Header            { return k.header }
func (k *kept) WriteHeader(status int)         { k.status = status }
func (k *kept) Write(data []byte) (int, error) { return k.body.Write(data) }

// inside calls operations of this server as the caller of c.
func (s *Server) inside(c *fiber.Ctx) mcp.API {
	credentials := map[string]string{}
	for _, name := range []string{"x-api-key", fiber.HeaderAuthorization, "x-actor"} {
		if value := c.Get(name); value != "" {
			credentials[name] = value
		}
	}
	host, from := string(c.Request().Host()), c.Context().RemoteAddr()
	return func(_ context.Context, method, path string, body any) (json.RawMessage, error) {
		var sent []byte
		request := fasthttp.AcquireRequest()
		defer fasthttp.ReleaseRequest(request)
		request.Header.SetMethod(method)
		request.SetRequestURI(path)
		request.SetHost(host)
		for name, value := range credentials {
			request.Header.Set(name, value)
		}
		if body != nil {
			data, err := json.Marshal(body)
			if err != nil {
				return nil, err
			}
			request.Header.SetContentType(fiber.MIMEApplicationJSON)
			sent = data
		}
		var call fasthttp.RequestCtx
		call.Init2(inner{from}, nil, false)
		request.CopyTo(&call.Request)
		if sent != nil { // the server reads bodies as they come
			call.Request.SetBodyStream(bytes.NewReader(sent), len(sent))
		}
		s.app.Handler()(&call)
		answer := bytes.Clone(call.Response.Body())
		if status := call.Response.StatusCode(); status >= http.StatusMultipleChoices {
			var problem struct{ Code, Detail string }
			_ = json.Unmarshal(answer, &problem) // whatever it is, the status is said
			return nil, fmt.Errorf("%d %s: %s", status, problem.Code, problem.Detail)
		}
		return answer, nil
	}
}

// inner stands for the connection of a call that comes from this process.
type inner struct{ from net.Addr }

func (inner) Read([]byte) (int, error)         { return 0, io.EOF }
func (inner) Write(p []byte) (int, error)      { return len(p), nil }
func (inner) Close() error                     { return nil }
func (i inner) LocalAddr() net.Addr            { return i.from }
func (i inner) RemoteAddr() net.Addr           { return i.from }
func (inner) SetDeadline(time.Time) error      { return nil }
func (inner) SetReadDeadline(time.Time) error  { return nil }
func (inner) SetWriteDeadline(time.Time) error { return nil }
