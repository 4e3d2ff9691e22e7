//go:build !linux && !darwin

package main

import (
	"fmt"
	"os"
)

// main says that the parser must do without: the library can be loaded on Linux and macOS only.
func main() {
	fmt.Fprintln(os.Stderr, "dossier-ocr runs on Linux and macOS only")
	os.Exit(1)
}
