package api

import (
	"fmt"
	"strings"

	"github.com/dossierhq/dossier"
)

// reasonCodes is the schema of the codes of reasons: /docs shows what each says. A result that was told before
// there were codes has "".
func reasonCodes() object {
	var table strings.Builder
	table.WriteString(
		"Why a rule is met or not, or an item is not right. `isValidReason` and `validationError` say code and " +
			"`args` in a sentence; " +
			"names in code style below are members of `args`. Codes that ask for a person leave the item to a " +
			"review.\n\n| code | asks | says |\n|---|---|---|\n",
	)
	codes := []any{""}
	for _, code := range dossier.ReasonCodes() {
		codes = append(codes, string(code))
		sentence, asks := dossier.ReasonSample(code)
		fmt.Fprintf(&table, "| `%s` | %s | %s |\n", code, map[bool]string{true: "yes", false: ""}[asks], sentence)
	}
	return object{"type": "string", "description": table.String(), "enum": codes}
}
