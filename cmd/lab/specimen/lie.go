package specimen

import "fmt"

// Lie makes the text layer of a printed specimen say other characters than its pages show, as fonts without a right map
// do: all of it (an alphabet shifted by three), or what is set in the faces of a typewriter (letters of a far script).
// The truth is what the pages show. Specimens that were never drawn are returned as they are.
func Lie(s Specimen, all bool) Specimen {
	if s.sheet == nil || s.MimeType != mimePDF {
		return s
	}
	drawn := *s.sheet
	drawn.maps = map[face]int{mono: 0x1290, monoBold: 0x1290}
	if all {
		for f := range faces {
			drawn.maps[f] = 0x24
		}
		s.Truth.Layer = layerScanned
	}
	s.Name, s.Data, s.sheet = "lying_"+s.Name, drawn.pdf(), &drawn
	s.Truth.Traps = append(s.Truth.Traps[:len(s.Truth.Traps):len(s.Truth.Traps)],
		"the text layer says other characters than the page shows")
	return s
}

// toUnicode adds a map that says the printed characters are those from first on, and returns its entry of a font.
func (f *pdfFile) toUnicode(first int) string {
	n := f.stream("", fmt.Appendf(nil, `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CMapName /Lie def /CMapType 2 def
1 begincodespacerange <00> <FF> endcodespacerange
1 beginbfrange <21> <7E> <%04X> endbfrange
endcmap CMapName currentdict /CMap defineresource pop end end`, first))
	return fmt.Sprintf(" /ToUnicode %d 0 R", n)
}
