package dossier

import "testing"

func TestParseSize(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"2GiB": 2 << 30, "500 MiB": 500 << 20, "64KiB": 64 << 10, "1048577": 1048577} {
		got, err := ParseSize(text)
		if err != nil || got != want {
			t.Errorf("%s: %d %v", text, got, err)
		}
		if again, err := ParseSize(FormatSize(got)); err != nil || again != got {
			t.Errorf("%s is written as %s", text, FormatSize(got))
		}
	}
	for _, text := range []string{"", "0", "-1", "2GB", "1.5GiB", "GiB", "99999999999GiB"} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("%q was read as %d", text, got)
		}
	}
}
