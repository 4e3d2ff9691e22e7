// Package doctype says by which words each type of document is known. A type has one file, which classification reads
// (signs), matching (labels), the rules of checklist items (rule) and the second reader (title). What a document of a
// type says is read in the rooms of its readers.
//
// A line of a file is a key and its value; a remark begins with " # ":
//
//	name   what people call one: "a pay stub"
//	item   the type of the items that it serves
//	label  words by which labels of FILE items ask for it, as stems
//	rule   an expression of its name in rules
//	title  an expression of what it calls itself, folded
//	sign   a weight and a phrase, folded, that speaks for the type, or against it; "+" joins parts that all must stand
//	head   a sign that counts only in the top third of a page, where titles stand
package doctype

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

//go:embed *.txt
var files embed.FS

// Record is what is known of a type of document.
type Record struct {
	Type   dossier.DocType
	Name   string
	Item   dossier.FieldType
	Labels []string
	Rule   string             // empty: no rule names it alone
	Title  *lazyregexp.Regexp // nil: it has no title that tells it
	Signs  []Sign
}

// Sign is a phrase that speaks for a type, or with a negative weight against it.
type Sign struct {
	Weight float64
	Phrase string
	Parts  []string // of the phrase
	Head   bool
}

// All are the types in the order of dossier.DocTypes.
func All() []Record { return all() }

// Of is what is known of a type; of one that is not known nothing, and that it serves items that take any file.
func Of(t dossier.DocType) Record {
	for _, r := range all() {
		if r.Type == t {
			return r
		}
	}
	return Record{Type: t, Item: dossier.FieldFile}
}

// all reads the files once they are asked for: the parser's start does not wait for them.
var all = sync.OnceValue(func() []Record {
	records := make([]Record, len(dossier.DocTypes))
	for i, t := range dossier.DocTypes {
		records[i].Type = t
		data, err := files.ReadFile(string(t) + ".txt")
		if err != nil {
			panic(err) // the files are embedded, and a test reads each
		}
		for line := range strings.Lines(string(data)) {
			line, _, _ = strings.Cut(line, "# ")
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			if err := records[i].read(line); err != nil {
				panic(fmt.Errorf("%s.txt: %q: %w", t, line, err))
			}
		}
	}
	return records
})

// read takes one line of a file.
func (r *Record) read(line string) error {
	key, value, _ := strings.Cut(line, " ")
	value = strings.TrimSpace(value)
	switch key {
	case "name":
		r.Name = value
	case "item":
		r.Item = dossier.FieldType(value)
	case "label":
		r.Labels = append(r.Labels, value)
	case "rule":
		r.Rule = value
	case "title":
		r.Title = lazyregexp.New(value)
	case "sign", "head":
		weight, phrase, _ := strings.Cut(value, " ")
		n, err := strconv.ParseFloat(weight, 64)
		if err != nil {
			return err
		}
		r.Signs = append(r.Signs, Sign{n, phrase, strings.Split(phrase, "+"), key == "head"})
	default:
		return fmt.Errorf("no key %q", key)
	}
	return nil
}
