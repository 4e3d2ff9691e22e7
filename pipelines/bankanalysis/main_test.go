package bankanalysis

import (
	"os"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
)

func TestMain(m *testing.M) {
	if sandbox.ChildMain() {
		return
	}
	os.Exit(documenttest.Run(m))
}
