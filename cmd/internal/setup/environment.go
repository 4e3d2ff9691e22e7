package setup

import (
	"os"
	"slices"
	"strings"
)

// TakeEnvironment returns the environment and takes it from where others would find it: programs that this one starts
// do not inherit the secrets, and /proc shows none. Call it first in main; what is returned is the only copy.
func TakeEnvironment() []string {
	environ := os.Environ()
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		if slices.ContainsFunc(variables, func(v variable) bool { return v.secret && v.name == name }) {
			_ = os.Unsetenv(name)
		}
	}
	wipe()
	seal()
	return environ
}
