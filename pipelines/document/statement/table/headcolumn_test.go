package table

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// placedLine is a line whose words begin at the places where they stand in a text of one width.
func placedLine(words string) Line {
	l := Line{Line: text.Line{Page: 1, Y1: 10}}
	runes := []rune(words)
	for i := 0; i < len(runes); i++ {
		if runes[i] == ' ' {
			continue
		}
		end := i
		for end < len(runes) && runes[end] != ' ' {
			end++
		}
		l.Tokens = append(l.Tokens, text.Token{Page: 1, X0: float64(5 * i), X1: float64(5 * end), Y1: 10,
			Text: string(runes[i:end]), Confidence: 1, Method: text.MethodText})
		i = end
	}
	return l
}

// headingsOf reads lines above columns that end at the places of a text of one width.
func headingsOf(rights []int, lines ...string) []string {
	b := Grid{near: 6}
	for _, right := range rights {
		b.Columns = append(b.Columns, text.Column{Right: float64(5 * right), Left: float64(5 * (right - 9)), Count: 9})
	}
	var above []Line
	for _, l := range lines {
		above = append(above, placedLine(l))
	}
	b.ReadHeadings(above, false, text.DayFirst)
	var out []string
	for _, p := range b.Periods {
		p.Settle(text.Date{})
		if p.Role == AnotherColumn || p.End == nil || p.Start == nil {
			out = append(out, "-")
			continue
		}
		out = append(out, p.Start.String()+".."+p.End.String())
	}
	return out
}

// What a title and a program print right of their first words stands over no column, whatever stands below it.
func TestReadHeadings_besideTitle(t *testing.T) {
	got := strings.Join(headingsOf([]int{46, 62, 84, 106},
		"Tischlerei Brandt GmbH      Betriebswirtschaftliche Auswertung                        Juni 2024",
		"                                  BWA-Nr. 1   BWA-Form DATEV-BWA   SKR 03   Werte in: EUR",
		"Bezeichnung                           Jun/2024        Jun/2023     Jan/2024-Jun/2024     Jan/2023-Jun/2023"), " ")
	if want := "2024-06-01..2024-06-30 2023-06-01..2023-06-30 2024-01-01..2024-06-30 2023-01-01..2023-06-30"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Headings that stand a blank apart are read from top to bottom; a percentage beside them is no period.
func TestReadHeadings_downwards(t *testing.T) {
	got := strings.Join(headingsOf([]int{46, 64, 78},
		"                            6 months ended 30 6 months ended 30",
		"                               September 2024    September 2023        Change",
		"                                       S$'000            S$'000             %"), " ")
	if want := "2024-04-01..2024-09-30 2023-04-01..2023-09-30 -"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	got = strings.Join(headingsOf([]int{46, 66, 78}, "          January - December 2023",
		"                                Jan - Dec 2023 Jan - Dec 2022 (PY) % Change"), " ")
	if want := "2023-01-01..2023-12-31 2022-01-01..2022-12-31 -"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Two dates with a remark between them, one blank apart, stand above two columns.
func TestHeadCells_remarkBetweenDates(t *testing.T) {
	var got []string
	for _, c := range headCells(placedLine("June 30, 2025 (unaudited) December 31, 2024").Line, text.MonthFirst) {
		got = append(got, text.Join(c.tokens))
	}
	if want := "June 30, 2025 (unaudited) | December 31, 2024"; strings.Join(got, " | ") != want {
		t.Errorf("got %q, want %s", got, want)
	}
}
