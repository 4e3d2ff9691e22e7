//go:build !linux

package sandbox

import (
	"errors"
	"os/exec"

	"github.com/dossierhq/dossier/pipelines/document/decode"
)

// startConfined starts a parser process without limits: they are Linux's. Other systems are for development.
func startConfined(cmd *exec.Cmd, _ childOptions) error { return cmd.Start() }

func enterSandbox(decode.Limits, bool) error { return nil }

// Missing says that there is no sandbox here.
func Missing() error { return errors.New("landlock and seccomp are Linux's") }

func probeSystem(map[string]bool) {}
