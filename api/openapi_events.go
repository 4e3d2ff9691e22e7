package api

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// webhooks writes the section of that name: one entry per event type. dossier.EventTypes is the list, record.EventData
// the shape of each one's data, events.yaml its meaning.
func (b *specBuilder) webhooks() error {
	section := object{}
	for _, event := range dossier.EventTypes() {
		summary, data := b.events[event], record.EventData(event)
		if summary == "" || data == nil {
			return fmt.Errorf("the event %s has no words in openapi/events.yaml, or no data in storage/record", event)
		}
		section[string(event)] = object{"post": object{"summary": summary, "tags": []any{"Events"}, "security": []any{},
			"requestBody": object{"required": true,
				"content": jsonContent(b.eventSchema(event, data), eventExample(event).Request)},
			"responses": object{"2XX": object{"description": "You have it. Anything else is tried again."}},
		}}
	}
	for event := range b.events {
		if !event.Known() {
			return fmt.Errorf("openapi/events.yaml describes %s, which is no event", event)
		}
	}
	b.document["webhooks"] = section
	return nil
}

// eventSchema describes the whole body of an event.
func (b *specBuilder) eventSchema(event dossier.EventType, data any) object {
	id := object{"$ref": "#/components/schemas/Id"}
	return object{"type": "object",
		"required": []any{"id", "type", "timestamp", "workspaceId", "livemode", "apiVersion", "data"},
		"properties": object{
			"id": id, "workspaceId": id,
			"type":      object{"type": "string", "const": string(event)},
			"timestamp": object{"$ref": "#/components/schemas/Timestamp"},
			"livemode":  object{"type": "boolean", "description": "False for test leads and what test keys made."},
			"apiVersion": object{"type": "string",
				"description": "`info.version` of this document when the event happened."},
			"data": b.schemas.of(reflect.TypeOf(data), forAnswer),
		}}
}

// anyEvent describes what all events have. Those of releases before have no livemode and no apiVersion.
func anyEvent() object {
	id := object{"$ref": "#/components/schemas/Id"}
	return object{"type": "object", "required": []any{"id", "type", "timestamp", "workspaceId", "data"},
		"description": "The body of an event. `type` says which, and so what `data` is: see the events under webhooks.",
		"properties": object{"id": id, "type": object{"$ref": "#/components/schemas/EventType"},
			"timestamp": object{"$ref": "#/components/schemas/Timestamp"}, "workspaceId": id,
			"livemode": object{"type": "boolean"}, "apiVersion": object{"type": "string"},
			"data": object{"type": "object"}}}
}

// eventExample is an event that a test sent: openapi/events/<type>.json.
func eventExample(event dossier.EventType) example {
	body, err := openapiFiles.ReadFile("openapi/events/" + string(event) + ".json")
	if err != nil {
		return example{}
	}
	return example{Request: json.RawMessage(body)}
}
