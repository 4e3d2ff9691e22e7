package record_test

import (
	"testing"

	"github.com/dossierhq/dossier/storage/record"
)

// Canonical writes what RFC 8785 wants: names in order of their UTF-16 units, the shortest escapes, nothing else.
func TestCanonical(t *testing.T) {
	t.Parallel()
	got, err := record.Canonical(map[string]any{
		"\u20ac": "Euro Sign", "\r": "CR", "1": "One", "\U0001f600": "Emoji", "\u0080": "Control", "\ufb33": "Hebrew",
		"a": []any{true, nil, 7, "\u20ac$\x0f\nA'B\"\\<\u2028"},
	})
	want := "{\"\\r\":\"CR\",\"1\":\"One\",\"a\":[true,null,7,\"\u20ac$\\u000f\\nA'B\\\"\\\\<\u2028\"]," +
		"\"\u0080\":\"Control\",\"\u20ac\":\"Euro Sign\",\"\U0001f600\":\"Emoji\",\"\ufb33\":\"Hebrew\"}"
	if err != nil || string(got) != want {
		t.Errorf("%s, %v\nwant %s", got, err, want)
	}
	if _, err := record.Canonical(1.5); err == nil {
		t.Error("a fraction was taken: its digits are not agreed on here")
	}
}
