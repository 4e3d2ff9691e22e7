package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/mcp"
	"github.com/dossierhq/dossier/cmd/internal/integrator"
)

type mcpCommand struct {
	AllowWrites bool `help:"Also offer draft_message and request_item to a key with the scope write."`
}

// Run serves the Model Context Protocol on stdin and stdout until the other side ends.
func (c mcpCommand) Run(a *app) error {
	client, err := a.apiClient()
	if err != nil {
		return err
	}
	writes := c.AllowWrites
	if writes {
		if writes, err = mayWrite(a.ctx, client); err != nil {
			return err
		}
	}
	in, closes := a.in.(io.ReadCloser) // stdin does
	if !closes {
		in = io.NopCloser(a.in)
	}
	err = mcp.New(callsOf(client), dossier.APIVersion, writes).Run(a.ctx,
		&sdk.IOTransport{Reader: in, Writer: open{a.out}})
	if a.ctx.Err() != nil {
		return nil // it was interrupted
	}
	return err
}

// open stays so: what is written to ends with the program.
type open struct{ io.Writer }

func (open) Close() error { return nil }

// mayWrite asks whether the client's key has the scope write: tools that it may not use are not offered.
func mayWrite(ctx context.Context, client *integrator.Client) (bool, error) {
	var me struct {
		APIKey struct{ Scopes []dossier.Scope }
	}
	err := client.Get(ctx, "/api/v1/me", nil, &me)
	return slices.Contains(me.APIKey.Scopes, dossier.ScopeWrite) ||
		slices.Contains(me.APIKey.Scopes, dossier.ScopeAdmin), err
}

// callsOf makes a tool's calls with the client's key.
func callsOf(client *integrator.Client) mcp.API {
	return func(ctx context.Context, method, path string, body any) (json.RawMessage, error) {
		var answer json.RawMessage
		if method == http.MethodGet {
			err := client.Get(ctx, path, nil, &answer)
			return answer, err
		}
		err := client.Send(ctx, method, path, body, &answer)
		return answer, err
	}
}
