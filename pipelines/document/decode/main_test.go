package decode_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.ChildMain()
	if len(os.Args) == 2 && os.Args[1] == "no library" { // the recognizer of TestRecognizer_lost: it dies of its first page
		fmt.Println("dossier-ocr 1 test")
		_, _ = os.Stdin.Read(make([]byte, 1))
		os.Exit(3)
	}
	os.Exit(m.Run())
}
