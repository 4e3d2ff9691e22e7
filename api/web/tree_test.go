package web

import (
	"fmt"
	"strings"
	"testing"
)

// A body costs memory in keeping with what it says: one of too many values is refused before anything is built of it, and
// of one that has as many as it may, the values are built together.
func TestParseJSON_memory(t *testing.T) {
	for name, tt := range map[string]struct {
		body  string
		most  float64 // allocations
		taken bool
	}{
		"too many":    {"[" + strings.Repeat("1,", 1<<19-1) + "1]", 10, false},
		"too deep":    {strings.Repeat("[", 1<<19) + strings.Repeat("]", 1<<19), 10, false},
		"as many":     {"[" + strings.Repeat("1,", maxNodes-2) + "1]", 100, true},
		"in a string": {`["` + strings.Repeat("[1,", 1<<18) + `\""]`, 20, true},
		"no JSON":     {strings.Repeat(`"a" `, 1<<18), 20, false},
	} {
		var err error
		body := []byte(tt.body)
		allocations := testing.AllocsPerRun(3, func() { _, err = ParseJSON(body) })
		if allocations > tt.most || (err == nil) != tt.taken {
			t.Errorf("%s: %v allocations, %v", name, allocations, err)
		}
	}
}

// The names of a large object are told apart as those of a small one are, and what is there twice is named by its place.
func TestParseJSON_twice(t *testing.T) {
	t.Parallel()
	for _, names := range []int{1, fewNames - 1, fewNames, 500} {
		var object strings.Builder
		for i := range names {
			fmt.Fprintf(&object, `"n%d":[],`, i)
		}
		if _, err := ParseJSON([]byte(`{` + object.String() + `"last":1}`)); err != nil {
			t.Errorf("%d names: %v", names, err)
		}
		_, err := ParseJSON([]byte(`{"a":[{},{` + object.String() + fmt.Sprintf(`"n%d":1}]}`, names-1)))
		if want := fmt.Sprintf("a/1/n%d is there twice", names-1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// What is no JSON is told where it stops being so.
func TestParseJSON_faults(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"": "is empty", " \n": "is empty", `{"a":`: "ends too early", `["a"`: "ends too early", `{"a":1} {}`: "something after",
		`{"a":x}`: "byte 6", `{"a" 1}`: "byte 6", "[1,]": "byte 4", "\"\xff\"": "UTF-8",
		strings.Repeat(`{"a":`, maxDepth+1) + "1": "nested deeper", "[" + strings.Repeat("{},", maxNodes): "more than 50000 values",
	} {
		if _, err := ParseJSON([]byte(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %s", body, err, want)
		}
	}
	deep := strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1)
	if _, err := ParseJSON([]byte(deep)); err != nil {
		t.Errorf("as deep as it may be: %v", err)
	}
}
