//go:build !race

package documenttest

// Raced: this program was built with the race detector, which multiplies the memory it takes.
const Raced = false
