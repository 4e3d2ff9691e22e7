package tax

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// The number in the box before an amount says whose it is; a number that the caption mentions is none of a box.
func TestOfOtherBox(t *testing.T) {
	for printed, want := range map[string]bool{
		"27|Other deductions|27|1,200":       false,
		"26|Other deductions|27|1,200":       true,
		"26|Subtract line|25|1,200":          false,
		"26|Other deductions|attach|1,200":   false,
		"26a|Qualified costs of a|26a|1,200": false,
	} {
		number, row := rowOfBoxes(printed)
		m := text.Money{First: len(row.Tokens) - 1, Last: len(row.Tokens) - 1}
		if got := ofOtherBox(row, m, number); got != want {
			t.Errorf("%s: %v", printed, got)
		}
	}
}

// rowOfBoxes is a row with the words between bars, and the number of the line that it is asked about, which stands first.
func rowOfBoxes(printed string) (number string, row text.Line) {
	for i, word := range strings.Fields(strings.ReplaceAll(printed, "|", " ")) {
		if i == 0 {
			number = word
			continue
		}
		row.Tokens = append(row.Tokens, text.Token{Text: word, X0: float64(40 * i), X1: float64(40*i + 30), Y1: 10})
	}
	return number, row
}
