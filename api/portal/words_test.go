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
