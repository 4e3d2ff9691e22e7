package text

import "github.com/dossierhq/dossier"

// ColumnWidth is how wide a column of a page of cells is in the coordinates of its tokens. A row is 1 high.
const ColumnWidth = 10

// Unit is what a page, and the boxes on it, are measured in.
func (p Page) Unit() dossier.PageUnit {
	switch {
	case p.Layer == LayerImage:
		return dossier.UnitPixel
	case p.Layer == LayerNative && (p.Name != "" || len(p.Tokens) > 0 && p.Tokens[0].Method == MethodCell):
		return dossier.UnitCell
	}
	return dossier.UnitPoint
}

// SizesOf are the sizes of a file's pages, so that who draws one can scale the boxes on it. A page of cells is as wide
// as it has columns and as high as it has rows.
func SizesOf(pages []Page) []dossier.PageSize {
	sizes := make([]dossier.PageSize, len(pages))
	for i, p := range pages {
		s := dossier.PageSize{Page: p.Number, Width: hundredth(p.Width), Height: hundredth(p.Height), Unit: p.Unit(),
			Rotation: p.Rotation}
		if s.Unit == dossier.UnitCell {
			s.Width /= ColumnWidth
		}
		sizes[i] = s
	}
	return sizes
}
