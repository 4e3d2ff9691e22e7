package lazyregexp

import (
	"strings"
	"sync"
	"testing"
)

func TestRegexp(t *testing.T) {
	r := New(`(?P<word>[a-z]+)`)
	var many sync.WaitGroup
	for range 8 {
		many.Go(func() {
			if got := r.FindStringSubmatch("12 ab")[r.SubexpIndex("word")]; got != "ab" {
				t.Error(got)
			}
		})
	}
	many.Wait()
	if got := r.ReplaceAllStringFunc("ab 1", strings.ToUpper); got != "AB 1" {
		t.Error(got)
	}
}

// A wrong expression does not wait for its first use to be found.
func TestNew_wrong(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a wrong expression was taken")
		}
	}()
	New(`(`)
}
