package main

import (
	"io"
	"runtime"
	"runtime/debug"
	"strconv"

	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/storage/postgres"
)

type versionCommand struct{}

type version struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Modified bool   `json:"modified"` // built from a tree with uncommitted changes
	Time     string `json:"time"`     // of the commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Engine   string `json:"engine"` // of reading documents
	Schema   int64  `json:"schema"` // that this release works with
}

// Run prints what was built, from what.
func (versionCommand) Run(a *app) error {
	v := versionOf()
	return a.show(v, func(w io.Writer) {
		commit := v.Commit
		if v.Modified {
			commit += " (modified)"
		}
		pairs(w, "dossier", v.Version, "commit", commit, "committed", v.Time, "go", v.Go, "platform", v.Platform,
			"document engine", v.Engine, "schema", strconv.FormatInt(v.Schema, 10))
	})
}

func versionOf() version {
	v := version{Version: setup.Version(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Engine: document.EngineVersion, Schema: postgres.SchemaVersion()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			v.Commit = setting.Value
		case "vcs.time":
			v.Time = setting.Value
		case "vcs.modified":
			v.Modified = setting.Value == "true"
		}
	}
	return v
}
