package decode_test

import (
	"os"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.ChildMain()
	os.Exit(m.Run())
}
