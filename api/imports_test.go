package api

import (
	"testing"

	"github.com/dossierhq/dossier/storage/objects/objectstest"
)

// What is sent is checked by its first row, and polled; a test key has imports of its own.
func TestImports(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	converse(t, s, "imports.txt", "tester", s.newTestKey(t))
}
