package llm

import (
	"context"
	"fmt"
	"strings"

	"github.com/dossierhq/dossier"
)

// Reply asks what a lead's message wants. items are the codes and labels of what it may be about. A reading counts only
// with words of the message that it follows from. Errors: as of Rule.
func (m *Model) Reply(ctx context.Context, about About, message string, items map[string]string) (dossier.Reading,
	error) {
	text := linesOf(message)
	got, err := m.Ask(ctx, Question{Kind: "reply", About: about, Text: text, Schema: replySchema, Prompt: replyPrompt,
		// Go prints maps in order, so the question stays the same
		Task: fmt.Sprintf("What does the writer want? Items by code: %v", items)})
	if err != nil {
		return dossier.Reading{}, err
	}
	var a struct {
		Intent dossier.Intent `json:"intent"`
		Item   string         `json:"item"`
		Quote  string         `json:"quote"`
		Sure   bool           `json:"sure"`
	}
	if !DecodeStrict(got.JSON, &a) {
		return dossier.Reading{}, ErrDropped
	}
	if a.Intent == dossier.IntentUnknown {
		return dossier.Reading{Intent: a.Intent}, nil
	}
	if _, known := items[a.Item]; a.Item != "" && !known || text.find(a.Quote) == 0 || !known &&
		(a.Intent == dossier.IntentItem || a.Intent == dossier.IntentArrived) {
		return dossier.Reading{}, ErrDropped
	}
	for _, intent := range dossier.Intents() {
		if intent == a.Intent {
			return dossier.Reading{Intent: a.Intent, Code: a.Item, Sure: a.Sure}, nil
		}
	}
	return dossier.Reading{}, ErrDropped
}

func linesOf(words string) Text { return Text{{Number: 1, Lines: strings.Split(words, "\n")}} }

var replySchema = Object(map[string]any{
	"intent": map[string]any{"type": "string", "enum": dossier.Intents()},
	"item":   map[string]any{"type": "string", "description": "code of the item it is about, or empty"},
	"quote":  map[string]any{"type": "string", "description": "copied from the message"},
	"sure":   map[string]any{"type": "boolean"},
}, "intent", "item", "quote", "sure")
