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
	server := mcp.New(s.localCalls(c), dossier.APIVersion, s.MCPWrites && who.can(scopeWrite))
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server },
		&sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true, DisableLocalhostProtection: true})
	request, err := http.NewRequestWithContext(c.UserContext(), c.Method(), "http://dossier/mcp", bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header = headers
	answer := &bufferedResponse{header: http.Header{}, status: http.StatusOK}
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

// bufferedResponse is a http.ResponseWriter that keeps the answer in memory.
type bufferedResponse struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (k *bufferedResponse) Header() http.Header            { return k.header }
func (k *bufferedResponse) WriteHeader(status int)         { k.status = status }
func (k *bufferedResponse) Write(data []byte) (int, error) { return k.body.Write(data) }

// localCalls returns an API whose calls run operations inside this process, with the credentials of c's caller.
func (s *Server) localCalls(c *fiber.Ctx) mcp.API {
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
		call.Init2(localConn{from}, nil, false)
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

// localConn is the net.Conn of a call that comes from this process. from is the address of the real client.
type localConn struct{ from net.Addr }

func (localConn) Read([]byte) (int, error)         { return 0, io.EOF }
func (localConn) Write(p []byte) (int, error)      { return len(p), nil }
func (localConn) Close() error                     { return nil }
func (i localConn) LocalAddr() net.Addr            { return i.from }
func (i localConn) RemoteAddr() net.Addr           { return i.from }
func (localConn) SetDeadline(time.Time) error      { return nil }
func (localConn) SetReadDeadline(time.Time) error  { return nil }
func (localConn) SetWriteDeadline(time.Time) error { return nil }
