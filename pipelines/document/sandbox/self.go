//go:build !race

package sandbox

import "os"

// ownProgram is the program that reads uploads: this one, started again.
func ownProgram() (string, error) { return os.Executable() }
