package document

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// FactAt is the fact at a JSON pointer as text; empty when there is none.
func FactAt(facts dossier.Facts, at string) string {
	raw, err := json.Marshal(facts)
	if err != nil {
		return ""
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return ""
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(at, "/"), "/") {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		switch have := v.(type) {
		case map[string]any:
			v = have[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(have) {
				return ""
			}
			v = have[i]
		default:
			return ""
		}
	}
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	out, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(out)
}

// SameFact compares two values: amounts as numbers, a masked number of a person with the whole one, everything else as
// folded text.
func SameFact(want, got any) bool {
	if want == nil || got == nil {
		return want == nil && got == nil
	}
	a, b := fmt.Sprint(want), fmt.Sprint(got)
	if strings.HasPrefix(b, "***-**-") {
		a = dossier.MaskSecrets(a)
	}
	if x, err := dossier.ParseAmount(a); err == nil && !strings.HasPrefix(a, "0") {
		if y, err := dossier.ParseAmount(b); err == nil {
			return x.Equal(y.Decimal)
		}
	}
	return text.Fold(a) == text.Fold(b)
}
