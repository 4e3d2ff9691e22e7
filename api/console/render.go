package console

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"io/fs"
	"path"
	"strings"
)

//go:embed all:pages script style
var files embed.FS

// templates are the pages by name, each with the frame and the parts it may use.
var templates = parsePages()

func parsePages() map[string]*template.Template {
	pages := map[string]*template.Template{}
	names, err := fs.Glob(files, "pages/*.html")
	if err != nil {
		panic(err) // the pattern is ours
	}
	for _, name := range names {
		page := strings.TrimSuffix(path.Base(name), ".html")
		if strings.HasPrefix(page, "_") {
			continue
		}
		pages[page] = template.Must(template.New(page).Funcs(words).ParseFS(files, "pages/_*.html", name))
	}
	return pages
}

// asset is a file that browsers may keep for ever: its name changes with its content.
type asset struct {
	name, kind string
	data       []byte
}

var (
	styleFile  = joinAsset("style", ".css", "text/css; charset=utf-8", "", "")
	scriptFile = joinAsset("script", ".js", "text/javascript; charset=utf-8", "'use strict';\n{\n", "}\n")
)

// joinAsset is the files of a folder, one after the other.
func joinAsset(folder, ending, kind, before, after string) asset {
	parts, err := files.ReadDir(folder)
	if err != nil {
		panic(err) // embedded: cannot be missing in a program that was built
	}
	joined := []byte(before)
	for _, part := range parts {
		data, err := files.ReadFile(folder + "/" + part.Name())
		if err != nil {
			panic(err)
		}
		joined = append(joined, data...)
	}
	joined = append(joined, after...)
	sum := sha256.Sum256(joined)
	return asset{folder + "." + hex.EncodeToString(sum[:6]) + ending, kind, joined}
}

// Asset is the file of a name, as pages link it.
func Asset(name string) (data []byte, kind string, ok bool) {
	for _, a := range []asset{styleFile, scriptFile} {
		if a.name == name {
			return a.data, a.kind, true
		}
	}
	return nil, "", false
}

// Policy is what a page may do: its own style, script and pictures, calls of the service, and nothing else.
const Policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; " +
	"trusted-types console"

// frame is what every template gets.
type frame struct {
	Visit
	Page
	Style, Script string
}

// Show writes a page.
func (p Page) Show(v Visit) ([]byte, error) {
	var out bytes.Buffer
	at := v.Base + "/console-assets/"
	err := templates[p.File].ExecuteTemplate(&out, "frame", frame{v, p, at + styleFile.name, at + scriptFile.name})
	return out.Bytes(), err
}
