package main

import (
	"context"
	"errors"
	"testing"
)

// A target that found something is never run again; one that only ran out of its tool's time is, once.
func TestAgain(t *testing.T) {
	for _, tt := range []struct {
		name, out string
		failures  int // of the first runs
		runs      int
		ok        bool
	}{
		{"passed", "ok", 0, 1, true},
		{"found something", "--- FAIL: FuzzX\n context deadline exceeded\n Failing input written to testdata/fuzz/FuzzX/1", 1, 1, false},
		{"out of time", "--- FAIL: FuzzX\n context deadline exceeded", 1, 2, true},
		{"out of time twice", "--- FAIL: FuzzX\n context deadline exceeded", 2, 2, false},
		{"does not build", "undefined: y", 1, 1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			runs := 0
			_, err := retryOnce(func(context.Context) (string, error) {
				if runs++; runs <= tt.failures {
					return tt.out, errors.New("exit status 1")
				}
				return "ok", nil
			})(t.Context())
			if runs != tt.runs || (err == nil) != tt.ok {
				t.Errorf("%d runs and %v, want %d and success %v", runs, err, tt.runs, tt.ok)
			}
		})
	}
}
