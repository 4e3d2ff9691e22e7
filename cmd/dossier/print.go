package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// show prints a result: value as one line of JSON with --json, else what people writes.
func (a *app) show(value any, people func(w io.Writer)) error {
	if !a.json {
		people(a.out)
		return nil
	}
	encoder := json.NewEncoder(a.out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// done is the JSON of a command that changes something and has nothing else to tell.
type done struct {
	Success bool `json:"success"`
}

// table writes rows in aligned columns under a heading; none, when there are no rows.
func table(w io.Writer, none, heading string, rows [][]string) {
	if len(rows) == 0 {
		fmt.Fprintln(w, none)
		return
	}
	aligned := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(aligned, strings.Join(strings.Fields(heading), "\t"))
	for _, row := range rows {
		for i := range row {
			row[i] = printable(row[i])
		}
		fmt.Fprintln(aligned, strings.Join(row, "\t"))
	}
	_ = aligned.Flush() // to a terminal or a file that the next write would report
}

// pairs writes names and values, one a line. Empty values are left out.
func pairs(w io.Writer, namesAndValues ...string) {
	aligned := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i := 0; i+1 < len(namesAndValues); i += 2 {
		if namesAndValues[i+1] != "" {
			fmt.Fprintf(aligned, "%s\t%s\n", namesAndValues[i], printable(namesAndValues[i+1]))
		}
	}
	_ = aligned.Flush()
}

// printable shows control characters of stored text as spaces: they would move the cursor, recolor the screen or break
// a table.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, s)
	if s == "" {
		return "-"
	}
	return s
}

// short keeps a column narrow.
func short(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	return string(runes[:limit-3]) + "..."
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05")
}

func stampOf(t *time.Time) string {
	if t == nil {
		return ""
	}
	return stamp(*t)
}

// count writes "1 job", "3 jobs".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, found := strings.CutSuffix(noun, "y"); found && !strings.HasSuffix(stem, "e") {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
