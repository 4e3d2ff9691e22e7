package console

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// orderByLine puts the lines of a form into the form's order (2, 10, 16a, 16b, K-1) and labels them as the form does.
// Information returns (W-2, 1099) number boxes instead of lines.
func orderByLine(facts []fact) {
	first := slices.IndexFunc(facts, isLine)
	if first < 0 {
		return
	}
	last := first
	for last < len(facts) && isLine(facts[last]) {
		last++
	}
	lines := facts[first:last]
	slices.SortStableFunc(lines, func(a, b fact) int {
		x, y := lineName.FindStringSubmatch(a.Pointer), lineName.FindStringSubmatch(b.Pointer)
		if x == nil || y == nil {
			return 0
		}
		return cmp.Or(strings.Compare(x[1], y[1]), cmp.Compare(len(x[2]), len(y[2])), strings.Compare(x[2], y[2]),
			strings.Compare(x[3], y[3]))
	})
	boxes := slices.ContainsFunc(facts, func(f fact) bool {
		return f.Pointer == "/form" && formOfBoxes.MatchString(f.Value)
	})
	for i := range lines {
		if boxes {
			lines[i].Label, lines[i].Group = strings.Replace(lines[i].Label, "Line ", "Box ", 1), "Boxes"
		}
	}
}

func isLine(f fact) bool { return strings.HasPrefix(f.Pointer, "/lines/") }

// lineName is the number of a form's line: of which schedule, its number, its letters.
var lineName = regexp.MustCompile(`^/lines/([A-Za-z][A-Za-z0-9]*-|[A-Za-z]*)(\d+)(.*)$`)

// formOfBoxes are the forms by which payers say what they paid.
var formOfBoxes = regexp.MustCompile(`^(W-2|1099|1098|1095|5498|3921|3922)`)

// lineWords is the number of a form's line as one says it: 1a is "Line 1a", K-4 "Schedule K, line 4". Schedule L has
// columns, whose letter stands last: L-2aa is line 2a in column a.
func lineWords(number string) string {
	schedule, line, ok := strings.Cut(number, "-")
	if !ok || line == "" {
		return "Line " + number
	}
	switch schedule {
	case "M1", "M2":
		schedule = "M-" + schedule[1:]
	case "L":
		if end := len(line) - 1; end > 0 && strings.Contains("abcd", line[end:]) {
			return "Schedule L, line " + line[:end] + ", column " + line[end:]
		}
	}
	return "Schedule " + schedule + ", line " + line
}

// orderByTemplate labels the figures of statements as the spread template labels their rows, and puts them into its
// order; rows that it does not have come last.
func orderByTemplate(facts []fact, rows []Row) {
	place := map[string]int{}
	for i, r := range rows {
		place[r.Statement+" "+r.Key] = i + 1
	}
	where := func(f fact) int {
		statement, key, _ := rowOf(f.Pointer)
		return cmp.Or(place[statement+" "+key], len(rows)+1)
	}
	for i := range facts {
		f := &facts[i]
		statement, key, column := rowOf(f.Pointer)
		switch {
		case column != "":
			if at := place[statement+" "+key]; at > 0 {
				f.Label = rows[at-1].Label
			}
		case strings.Contains(f.Pointer, "/unmapped/") && (strings.HasSuffix(f.Pointer, "/row") ||
			strings.HasSuffix(f.Pointer, "/section")):
			statement, _, _ := strings.Cut(strings.TrimPrefix(f.Pointer, "/statements/"), "/")
			f.Raw = f.Value
			if at := place[statement+" "+f.Raw]; at > 0 {
				f.Value = rows[at-1].Label
			} else {
				f.Value = nameWords(f.Raw)
			}
		}
	}
	for first := 0; first < len(facts); {
		_, _, column := rowOf(facts[first].Pointer)
		last := first + 1
		for ; last < len(facts); last++ {
			if _, _, next := rowOf(facts[last].Pointer); next != column {
				break
			}
		}
		if column != "" {
			slices.SortStableFunc(facts[first:last], func(a, b fact) int { return where(a) - where(b) })
		}
		first = last
	}
}

// rowOf is the statement, the row and the column (its pointer) of a figure of a statement, or nothing:
// /statements/incomeStatement/0/values/rent.
func rowOf(pointer string) (statement, key, column string) {
	m := figureName.FindStringSubmatch(pointer)
	if m == nil {
		return "", "", ""
	}
	return m[2], m[3], m[1]
}

var figureName = regexp.MustCompile(`^(/statements/(\w+)/\d+)/values/([^/]+)$`)
