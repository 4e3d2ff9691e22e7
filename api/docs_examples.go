package api

import (
	_ "embed"
	"encoding/json"
)

//go:embed sdk/examples.json
var examplesText []byte

// clientExample is a call of an operation with each of our clients; cmd/lab/sdkgen writes them.
type clientExample struct{ Go, TypeScript, Python string }

// loadExamples are the examples by operationId.
func loadExamples() (map[string]clientExample, error) {
	var list map[string]clientExample
	err := json.Unmarshal(examplesText, &list)
	return list, err
}

// show puts the examples of our clients beside those for curl.
func (v docsView) show(examples map[string]clientExample) {
	for _, tag := range v.Tags {
		for i := range tag.Operations {
			tag.Operations[i].Client = examples[tag.Operations[i].ID]
		}
	}
}
