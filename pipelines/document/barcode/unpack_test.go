package barcode

import "testing"

// Words are text in four alphabets, bytes or numbers; words of no meaning end what is read.
func TestUnpack(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		words []int
		want  string
	}{
		"capital letters":        {[]int{1}, "AB"},
		"small letters":          {[]int{27, 32}, "Abc"},
		"a number":               {[]int{toNumbers, 1, 624, 434, 632, 282, 200}, "000213298174000"},
		"bytes":                  {[]int{toBytes, 97, 98}, "ab"},
		"back to text":           {[]int{toBytes, 97, toText, 1}, "aAB"},
		"a set of characters":    {[]int{eciCharset, 26, 1}, "AB"},
		"words without meaning":  {[]int{1, 928, 1}, "AB"},
		"none":                   {nil, ""},
		"a mode and nothing":     {[]int{toBytes}, ""},
		"a mode after the other": {[]int{toBytes, toText, 1}, "AB"},
	} {
		if got := unpack(tc.words); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
