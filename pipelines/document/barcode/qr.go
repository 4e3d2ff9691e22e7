package barcode

import (
	"cmp"
	"image"
	"math"
	"slices"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode/decoder"
	"github.com/makiuchi-d/gozxing/qrcode/detector"
)

// ReadQR finds the QR codes of a picture, however they lie. Source: ISO/IEC 18004.
//
// The library's own search compares each three of the marks that it finds, without an end in a picture full of marks:
// its samples and its correction are used, the search is this file's.
func ReadQR(g *image.Gray) []Code {
	if g.Bounds().Dx() < leastQR || g.Bounds().Dy() < leastQR {
		return nil
	}
	ink, err := inkOf(g)
	if err != nil {
		return nil
	}
	var codes []Code
	for _, corners := range cornersOf(marksOf(ink)) {
		if code, ok := decodeQR(ink, corners); ok && !slices.ContainsFunc(codes, code.says) {
			codes = append(codes, code)
		}
	}
	return codes
}

// What a picture is searched for: at least 21 modules of two pixels, marks whose middle is hit by every third line, and
// of a crowd of marks the surest.
const (
	leastQR     = 42
	markStep    = 3
	mostSeen    = 300
	mostMarks   = 24
	mostCorners = 8
)

func (c *Code) says(other Code) bool { return c.Text == other.Text }

// decodeQR reads the code between three marks. A panic of the library in a damaged code costs this code alone.
func decodeQR(ink *gozxing.BitMatrix, corners [3]*detector.FinderPattern) (code Code, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	info := detector.NewFinderPatternInfo(corners[0], corners[1], corners[2])
	grid, err := detector.NewDetector(ink).ProcessFinderPatternInfo(info)
	if err != nil {
		return Code{}, false
	}
	read, err := decoder.NewDecoder().Decode(grid.GetBits(), nil)
	if err != nil || read.GetText() == "" {
		return Code{}, false
	}
	code.Text = read.GetText()
	bottom, top, right := corners[0], corners[1], corners[2]
	edge := 3.5 * top.GetEstimatedModuleSize()
	xs := []float64{bottom.GetX(), top.GetX(), right.GetX(), bottom.GetX() + right.GetX() - top.GetX()}
	ys := []float64{bottom.GetY(), top.GetY(), right.GetY(), bottom.GetY() + right.GetY() - top.GetY()}
	b := image.Rect(int(slices.Min(xs)-edge), int(slices.Min(ys)-edge), int(slices.Max(xs)+edge),
		int(slices.Max(ys)+edge)).Intersect(image.Rect(0, 0, ink.GetWidth(), ink.GetHeight()))
	code.X0, code.Y0, code.X1, code.Y1 = b.Min.X, b.Min.Y, b.Max.X, b.Max.Y
	return code, true
}

// inkOf are the pixels darker than their surroundings, so that a shadow over half a code changes none.
func inkOf(g *image.Gray) (*gozxing.BitMatrix, error) {
	width, height := g.Rect.Dx(), g.Rect.Dy()
	ink, err := gozxing.NewBitMatrix(width, height)
	if err != nil {
		return nil, err
	}
	side := max(min(width, height)/24, 8)
	means := meansOf(g, side)
	limits := make([]uint8, len(means[0]))
	for y := range height {
		if y%side == 0 {
			setThresholds(means, y/side, limits)
		}
		row := g.Pix[y*g.Stride : y*g.Stride+width]
		for k, limit := range limits {
			for i, v := range row[k*side : min((k+1)*side, width)] {
				if v < limit {
					ink.Set(k*side+i, y)
				}
			}
		}
	}
	return ink, nil
}

// meansOf is the mean brightness of each square of a side.
func meansOf(g *image.Gray, side int) [][]int {
	width, height := g.Rect.Dx(), g.Rect.Dy()
	means := make([][]int, (height+side-1)/side)
	for i := range means {
		means[i] = make([]int, (width+side-1)/side)
		low := min((i+1)*side, height)
		for y := i * side; y < low; y++ {
			row := g.Pix[y*g.Stride : y*g.Stride+width]
			for k := range means[i] {
				for _, v := range row[k*side : min((k+1)*side, width)] {
					means[i][k] += int(v)
				}
			}
		}
		for k := range means[i] {
			means[i][k] /= (low - i*side) * (min((k+1)*side, width) - k*side)
		}
	}
	return means
}

// setThresholds sets the brightness below which each square of a row of squares is ink: the mean of the five by five
// around it, less what paper has of noise.
func setThresholds(means [][]int, row int, limits []uint8) {
	const noise = 16
	for k := range limits {
		sum, n := 0, 0
		for i := max(row-2, 0); i <= min(row+2, len(means)-1); i++ {
			for j := max(k-2, 0); j <= min(k+2, len(limits)-1); j++ {
				sum, n = sum+means[i][j], n+1
			}
		}
		limits[k] = uint8(max(sum/n-noise, 0))
	}
}

// marksOf are the marks of codes' corners that were seen twice or more, the surest first.
func marksOf(ink *gozxing.BitMatrix) []*detector.FinderPattern {
	search := detector.NewFinderPatternFinder(ink, nil)
	for y := 1; y < ink.GetHeight() && len(search.GetPossibleCenters()) < mostSeen; y += markStep {
		var runs [5]int // white and black by turns, the last is the one that is counted
		black := false
		for x := range ink.GetWidth() + 1 {
			dark := x < ink.GetWidth() && ink.Get(x, y)
			if dark == black {
				runs[4]++
				continue
			}
			if black && detector.FinderPatternFinder_foundPatternCross(runs[:]) {
				search.HandlePossibleCenter(runs[:], y, x)
			}
			copy(runs[:], runs[1:])
			runs[4], black = 1, dark
		}
	}
	marks := slices.DeleteFunc(slices.Clone(search.GetPossibleCenters()), func(p *detector.FinderPattern) bool {
		return p.GetCount() < 2
	})
	slices.SortStableFunc(marks, func(a, b *detector.FinderPattern) int { return b.GetCount() - a.GetCount() })
	return marks[:min(len(marks), mostMarks)]
}

// cornersOf are the threes of marks that lie as the corners of a code do, bottom left, top left and top right, those
// nearest to a square first.
func cornersOf(marks []*detector.FinderPattern) [][3]*detector.FinderPattern {
	type three struct {
		corners [3]*detector.FinderPattern
		off     float64
	}
	var found []three
	for i := range marks {
		for j := range i {
			for k := range marks {
				if k == i || k == j {
					continue
				}
				if off, ok := square(marks[k], marks[i], marks[j]); ok {
					corners := [3]*detector.FinderPattern{marks[i], marks[k], marks[j]}
					if cross(marks[k], marks[j], marks[i]) < 0 {
						corners[0], corners[2] = corners[2], corners[0]
					}
					found = append(found, three{corners, off})
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b three) int { return cmp.Compare(a.off, b.off) })
	var best [][3]*detector.FinderPattern
	for _, f := range found[:min(len(found), mostCorners)] {
		best = append(best, f.corners)
	}
	return best
}

func cross(from, a, b *detector.FinderPattern) float64 {
	return (a.GetX()-from.GetX())*(b.GetY()-from.GetY()) - (a.GetY()-from.GetY())*(b.GetX()-from.GetX())
}

// square reports whether a corner lies at a right angle between two others at like distances, of marks of a size, with
// the modules of a code between them; and how far off it is.
func square(corner, a, b *detector.FinderPattern) (float64, bool) {
	ax, ay := a.GetX()-corner.GetX(), a.GetY()-corner.GetY()
	bx, by := b.GetX()-corner.GetX(), b.GetY()-corner.GetY()
	long, wide := math.Hypot(ax, ay), math.Hypot(bx, by)
	sizes := []float64{corner.GetEstimatedModuleSize(), a.GetEstimatedModuleSize(), b.GetEstimatedModuleSize()}
	module := (sizes[0] + sizes[1] + sizes[2]) / 3
	if long < 10*module || wide < 10*module || long > 250*module || wide > 250*module {
		return 0, false
	}
	angle := math.Abs(ax*bx+ay*by) / (long * wide)
	legs := math.Abs(long-wide) / max(long, wide)
	unlike := 1 - slices.Min(sizes)/slices.Max(sizes)
	return angle + legs + unlike, angle < 0.35 && legs < 0.35 && unlike < 0.45
}
