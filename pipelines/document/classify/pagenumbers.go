package classify

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier"
)

// pageCheck says whether all pages of a document are there, by the numbers that they print ("page 2 of 4"). ok is false
// when they print none, when they disagree, or when a page without a number may be the one that is missing.
func pageCheck(pages []pageKind) (check dossier.FactCheck, ok bool) {
	of, silent, seen := 0, 0, map[int]bool{}
	for _, k := range pages {
		switch {
		case k.of == 0:
			silent++
			continue
		case of != 0 && k.of != of:
			return dossier.FactCheck{}, false
		}
		of, seen[k.number] = k.of, true
	}
	if of == 0 {
		return dossier.FactCheck{}, false
	}
	var missing []string
	for n := 1; n <= of; n++ {
		if !seen[n] {
			missing = append(missing, strconv.Itoa(n))
		}
	}
	check = dossier.FactCheck{Name: "all_pages_present", Passed: len(missing) == 0,
		Detail: fmt.Sprintf("page 1 of %d to page %d of %d", of, of, of)}
	if of == 1 {
		check.Detail = "page 1 of 1"
	}
	if !check.Passed {
		check.Detail = fmt.Sprintf("page %s of %d is not there", strings.Join(missing, ", "), of)
	}
	return check, check.Passed || silent == 0
}

// NotePages adds what the page numbers of a document say.
func NotePages(doc *dossier.ReadDocument, pages []pageKind) {
	check, ok := pageCheck(pages)
	if !ok {
		return
	}
	doc.Checks = append(doc.Checks, check)
	if !check.Passed {
		doc.Warnings = append(doc.Warnings,
			dossier.FactWarning{Code: "page_missing",
				Detail: strings.ToUpper(check.Detail[:1]) + check.Detail[1:] + "."})
	}
}
