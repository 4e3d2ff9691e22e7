package render

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"

	"github.com/dossierhq/dossier"
)

// bookmark leads a reader's sidebar to the page on which a section begins.
type bookmark struct {
	title string // ASCII, without parentheses
	page  int    // from 0
}

var (
	kids    = regexp.MustCompile(`/Type /Pages\s+/Kids \[([0-9 R]+)\]`)
	pageRef = regexp.MustCompile(`(\d+) 0 R`)
	trailer = regexp.MustCompile(`trailer\n<<\n/Size (\d+)\n/Root (\d+) 0 R\n/Info (\d+) 0 R\n>>\n` +
		`startxref\n(\d+)\n%%EOF\s*$`)
)

// withBookmarks adds bookmarks, which maroto does not support, as an incremental update of the file (ISO 32000-1,
// 7.5.6): new objects and a new catalog are appended, the rest stays as it is. It also sets the language, and has
// readers show the title and the bookmarks.
func withBookmarks(data []byte, marks []bookmark) ([]byte, error) {
	end, list := trailer.FindSubmatch(data), kids.FindSubmatch(data)
	if end == nil || list == nil {
		return nil, dossier.Errorf(dossier.Internal, "the report has no trailer or no pages")
	}
	pages := pageRef.FindAllSubmatch(list[1], -1)
	size, _ := strconv.Atoi(string(end[1])) // the expression gives digits
	root := string(end[2])
	at := bytes.LastIndex(data, []byte("\n"+root+" 0 obj\n<<"))
	last := bytes.Index(data[max(at, 0):], []byte(">>\nendobj"))
	if at < 0 || last < 0 {
		return nil, dossier.Errorf(dossier.Internal, "the report has no catalog")
	}
	catalog := data[at+1 : at+last]

	out := bytes.NewBuffer(bytes.TrimRight(data, "\n"))
	out.WriteByte('\n')
	offsets := []int{out.Len()}
	fmt.Fprintf(out, "%s/Outlines %d 0 R\n/PageMode /UseOutlines\n/Lang (en)\n/ViewerPreferences <</DisplayDocTitle "+
		"true>>\n>>\nendobj\n", catalog, size)
	offsets = append(offsets, out.Len())
	fmt.Fprintf(out, "%d 0 obj\n<</Type /Outlines /First %d 0 R /Last %d 0 R /Count %d>>\nendobj\n", size, size+1,
		size+len(marks), len(marks))
	for i, m := range marks {
		if m.page >= len(pages) {
			return nil, dossier.Errorf(dossier.Internal, "the report has no page %d", m.page+1)
		}
		offsets = append(offsets, out.Len())
		fmt.Fprintf(out, "%d 0 obj\n<</Title (%s) /Parent %d 0 R /Dest [%s 0 R /Fit]", size+1+i, m.title, size,
			pages[m.page][1])
		if i > 0 {
			fmt.Fprintf(out, " /Prev %d 0 R", size+i)
		}
		if i < len(marks)-1 {
			fmt.Fprintf(out, " /Next %d 0 R", size+2+i)
		}
		out.WriteString(">>\nendobj\n")
	}
	table := out.Len()
	fmt.Fprintf(out, "xref\n%s 1\n%010d 00000 n \n%d %d\n", root, offsets[0], size, len(offsets)-1)
	for _, offset := range offsets[1:] {
		fmt.Fprintf(out, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(out, "trailer\n<<\n/Size %d\n/Root %s 0 R\n/Info %s 0 R\n/Prev %s\n>>\nstartxref\n%d\n%%%%EOF\n",
		size+len(offsets)-1, root, end[3], end[4], table)
	return out.Bytes(), nil
}
