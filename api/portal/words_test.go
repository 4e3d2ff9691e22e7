package portal

import (
	"testing"

	"go.yaml.in/yaml/v4"
)

// A key of one language is one of the other.
func TestLanguages_have_the_same_keys(t *testing.T) {
	t.Parallel()
	read := func(name string) (words map[string]string) {
		if err := yaml.Load(mustReadPortal("lang/"+name), &words); err != nil {
			t.Fatal(err)
		}
		return words
	}
	english, other := read("en.yaml"), read("es.yaml")
	for key := range english {
		if other[key] == "" {
			t.Errorf("es.yaml has no %s", key)
		}
	}
	if len(other) != len(english) { // a key too much, or other places for values, does not start
		t.Errorf("es.yaml has %d keys, en.yaml %d", len(other), len(english))
	}
}

// A date that was given is said as people of the page's language write it; where the service has no words, as it is.
func TestPortalWords_day(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{"en": "Feb 28, 1980", "es-MX": "28 de febrero de 1980", "fr": "1980-02-28"} {
		if got := (portalWords{Lang: lang}).day("1980-02-28"); got != want {
			t.Errorf("%s: %s, want %s", lang, got, want)
		}
	}
}
