package report

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The page's style sheet gives these colours their real ones, for light and dark.
var (
	ink    = color.RGBA{1, 1, 1, 255}
	faint  = color.RGBA{2, 2, 2, 255}
	series = []color.RGBA{{3, 3, 3, 255}, {4, 4, 4, 255}}
	themed = strings.NewReplacer("#010101", "var(--ink)", "#020202", "var(--faint)", "#030303", "var(--first)", "#040404", "var(--second)")
)

// chart is figures with labels: one value for each label in each series.
type chart struct {
	labels []string
	names  []string // of the series
	values [][]float64
	lines  bool // over time; else horizontal bars, the first on top
}

// size of a drawing in points, which browsers scale to the width there is.
type size struct{ width, height vg.Length }

// svg draws the chart.
func (c chart) svg(s size) (template.HTML, error) {
	p := plot.New()
	style(p)
	var err error
	if c.lines {
		err = c.drawLines(p, s)
	} else {
		err = c.drawBars(p, s)
	}
	if err != nil {
		return "", err
	}
	canvas := vgsvg.NewWith(vgsvg.UseWH(s.width, s.height))
	p.Draw(draw.New(canvas))
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return "", err
	}
	drawing := out.String()
	drawing = themed.Replace(drawing[strings.Index(drawing, "<svg"):])
	if !c.lines {
		drawing = c.endLabels(drawing, p)
	}
	return template.HTML(strings.Replace(drawing, "<svg ", `<svg aria-hidden="true" `, 1)), nil // our own drawing; its texts are escaped by the library
}

// drawnText is a text of a drawing: its left end, the rest of its mark, and what it says.
var drawnText = regexp.MustCompile(`<text x="([-\d.]+)"([^>]*)>([^<]*)</text>`)

// endLabels lets the labels beside bars end where they are to end: a reader's letters may be wider than ours, and would run
// into the bars from the left.
func (c chart) endLabels(drawing string, p *plot.Plot) string {
	return drawnText.ReplaceAllStringFunc(drawing, func(found string) string {
		m := drawnText.FindStringSubmatch(found)
		label := html.UnescapeString(m[3])
		x, err := strconv.ParseFloat(m[1], 64)
		if err != nil || !slices.Contains(c.labels, label) && !slices.Contains(c.names, label) {
			return found
		}
		end := x + p.Y.Tick.Label.Width(label).Points()
		return fmt.Sprintf(`<text x="%.2f" text-anchor="end"%s>%s</text>`, end, m[2], m[3])
	})
}

func style(p *plot.Plot) {
	p.BackgroundColor = color.Transparent
	face := font.Font{Typeface: "Liberation", Variant: "Sans", Size: 11}
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Color, axis.Tick.Color = faint, faint
		axis.Tick.Label.Color, axis.Tick.Label.Font = ink, face
		axis.Padding = 0
	}
	p.Legend.TextStyle.Color, p.Legend.TextStyle.Font = ink, face
	p.Legend.Top, p.Legend.YOffs, p.Legend.Padding = true, 2, 3
	p.TextHandler = text.Plain{Fonts: font.DefaultCache}
}

func grid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Horizontal.Color, g.Vertical.Color = faint, faint
	g.Horizontal.Dashes, g.Vertical.Dashes = []vg.Length{1, 3}, []vg.Length{1, 3}
	return g
}

func (c chart) drawLines(p *plot.Plot, s size) error {
	g := grid()
	g.Vertical.Width = 0
	p.Add(g)
	for i, values := range c.values {
		points := make(plotter.XYs, len(values))
		for x, y := range values {
			points[x] = plotter.XY{X: float64(x), Y: y}
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return err
		}
		line.Color, line.Width = series[i], 1.6
		dots.Color, dots.Radius, dots.Shape = series[i], 2, []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}}[i]
		if i > 0 {
			line.Dashes = []vg.Length{4, 2} // told apart without colour too
		}
		p.Add(line)
		if len(values) <= 40 {
			p.Add(dots)
		}
		p.Legend.Add(c.names[i], line)
	}
	p.Legend.Left = true
	p.Y.Min, p.Y.Max = 0, top(c.values)*1.25
	p.Y.Tick.Marker = wholeTicks{}
	p.X.Tick.Marker = labelTicks{c.labels, max(1, int(math.Ceil(float64(len(c.labels))/math.Max(2, float64(s.width)/95))))}
	return nil
}

func (c chart) drawBars(p *plot.Plot, s size) error {
	g := grid()
	g.Horizontal.Width = 0
	p.Add(g)
	n := len(c.labels)
	thick := vg.Length(math.Min(16, float64(s.height-50)/float64(n)/float64(len(c.values))*0.7))
	for i, values := range c.values {
		upward := make(plotter.Values, n)
		for k, v := range values {
			upward[n-1-k] = v
		}
		bars, err := plotter.NewBarChart(upward, thick)
		if err != nil {
			return err
		}
		bars.Horizontal, bars.Color, bars.LineStyle.Width = true, series[i], 0
		bars.Offset = thick * vg.Length(float64(len(c.values)-1)/2-float64(i))
		p.Add(bars)
		if len(c.names) > 1 {
			p.Legend.Add(c.names[i], bars)
		}
	}
	labels := make([]string, n)
	for k, label := range c.labels {
		labels[n-1-k] = label
	}
	p.NominalY(labels...)
	p.Y.Tick.Length, p.Y.Tick.Width = 14, 0 // room between label and bar: a reader's fonts may be wider than ours
	p.X.Min, p.X.Max = 0, top(c.values)*1.08
	p.X.Tick.Marker = wholeTicks{}
	p.Y.Min, p.Y.Max = -0.6, float64(n)-0.4
	p.Legend.Top = false
	return nil
}

// top is the greatest value, at least 1.
func top(values [][]float64) float64 {
	most := 1.0
	for _, list := range values {
		for _, v := range list {
			most = math.Max(most, v)
		}
	}
	return most
}

// wholeTicks marks four or five round whole numbers.
type wholeTicks struct{}

// Ticks implements plot.Ticker.
func (wholeTicks) Ticks(low, high float64) []plot.Tick {
	step := math.Pow(10, math.Floor(math.Log10(math.Max(high-low, 1)/4)))
	for _, factor := range []float64{1, 2, 5, 10} {
		if (high-low)/(step*factor) <= 5 {
			step *= factor
			break
		}
	}
	step = math.Max(1, step)
	var ticks []plot.Tick
	for v := 0.0; v <= high; v += step {
		ticks = append(ticks, plot.Tick{Value: v, Label: whole(int(v))})
	}
	return ticks
}

// labelTicks names every so many places of a row of labels.
type labelTicks struct {
	labels []string
	every  int
}

// Ticks implements plot.Ticker.
func (t labelTicks) Ticks(float64, float64) []plot.Tick {
	var ticks []plot.Tick
	for i := 0; i < len(t.labels); i += t.every {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: t.labels[i]})
	}
	return ticks
}

// whole writes a number with thousands apart.
func whole(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// share is a part of a whole in percent.
func share(part, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(of))
}
