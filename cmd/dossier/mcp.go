package main

import (
	"context"
	"encoding/json"
	"net/http"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/mcp"
	"github.com/dossierhq/dossier/cmd/internal/integrator"
)

type mcpCommand struct {
	AllowWrites bool `help:"Also offer draft_message and request_item; the key needs the scope write."`
}

// Run serves the Model Context Protocol on stdin and stdout until the other side ends.
func (c mcpCommand) Run(a *app) error {
	client, err := a.caller()
	if err != nil {
		return err
	}
	err = mcp.New(callsOf(client), dossier.APIVersion, c.AllowWrites).Run(a.ctx, &sdk.StdioTransport{})
	if a.ctx.Err() != nil {
		return nil // it was interrupted
	}
	return err
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
