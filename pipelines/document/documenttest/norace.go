//go:build !race

package documenttest

// raced: this program was built with the race detector, which multiplies the memory it takes.
const raced = false
