package identity

import "testing"

// A longer word that is a caption but for a letter is one; a short word, and a name, is not.
func TestLooksCaption(t *testing.T) {
	for word, want := range map[string]bool{"vormamen": true, "v0mnamen": false, "narne": false, "holloway": false, "bernadette": false} {
		if got := looksCaption(word); got != want {
			t.Errorf("%s: %v", word, got)
		}
	}
}
