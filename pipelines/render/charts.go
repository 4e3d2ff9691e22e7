package render

import (
	"bytes"
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/johnfercher/maroto/v2/pkg/components/col"
	"github.com/johnfercher/maroto/v2/pkg/components/image"
	"github.com/johnfercher/maroto/v2/pkg/components/row"
	"github.com/johnfercher/maroto/v2/pkg/consts/extension"
	"github.com/johnfercher/maroto/v2/pkg/props"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/dossierhq/dossier"
)

const chartHeight = 52.0 // mm

// bar is one period of a chart; NaN: not available.
type bar struct {
	label  string
	value  float64 // for drawing only: every amount in the report is a decimal
	text   string  // the value as the tables have it; "": shortened
	absent string  // what stands in the place of a value: nothing said is "n/a"
}

// charts draws the four lines a credit officer looks at first, over the periods. One period is no line. They are one
// picture: the PDF library names pictures at random, and two could stand in the file in either order.
func (p *report) charts() error {
	if len(p.r.Ratios) < 2 {
		return nil
	}
	charts, missing, err := p.drawable()
	if err != nil {
		return err
	}
	if len(charts) == 0 {
		p.line(look{small: true}, omittedCharts(missing)...)
		return nil
	}
	rows := (len(charts) + 1) / 2
	height := float64(rows) * chartHeight
	note := omittedCharts(missing)
	// prints sharp
	picture := vgimg.NewWith(vgimg.UseWH(vg.Length(p.paper.width)*vg.Millimeter, vg.Length(height)*vg.Millimeter),
		vgimg.UseDPI(220))
	canvas := draw.New(picture)
	tiles := draw.Tiles{Rows: rows, Cols: 2, PadX: 6 * vg.Millimeter, PadY: 4 * vg.Millimeter}
	for i, chart := range charts {
		chart.Draw(tiles.At(canvas, i%2, i/2))
	}
	var out bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: picture}).WriteTo(&out); err != nil {
		return err
	}
	p.gap()
	if len(note) > 0 && p.used+height+p.measure(look{small: true}, note) > p.paper.height {
		p.used = p.paper.height // the note stays with the picture
	}
	p.add(height, row.New(height).Add(col.New(grid).Add(image.NewFromBytes(out.Bytes(), extension.Png,
		props.Rect{Center: true, Percent: 100}))))
	if len(note) > 0 {
		p.line(look{small: true}, note...)
	}
	return nil
}

// drawable are the charts with a value in some period, and the titles of the others.
func (p *report) drawable() (charts []*plot.Plot, missing []string, err error) {
	for _, key := range []string{"netRevenues", "ebitda", "dscr", "debtToWorth"} {
		title, bars := p.series(key)
		if !slices.ContainsFunc(bars, func(b bar) bool { return !math.IsNaN(b.value) }) {
			missing = append(missing, title)
			continue
		}
		chart, err := chartOf(title, bars)
		if err != nil {
			return nil, nil, err
		}
		charts = append(charts, chart)
	}
	return charts, missing, nil
}

// omittedCharts says which charts are not drawn, and why.
func omittedCharts(titles []string) []cellText {
	if len(titles) == 0 {
		return nil
	}
	return []cellText{left("Not drawn, for no period has a value: "+strings.Join(titles, "; "), grid)}
}

// series is a row of the income statement or a ratio, by period.
func (p *report) series(key string) (title string, bars []bar) {
	at := -1
	for i, ratio := range p.template.Ratios {
		if ratio.Key == key {
			at, title = i, ratio.Label
		}
	}
	if at < 0 {
		title = p.template.Row("incomeStatement", key).Label + ", " + p.r.Currency
	}
	for _, r := range p.r.Ratios {
		b := bar{label: p.shortLabel(r.PeriodID), value: math.NaN()}
		if at >= 0 && r.Values[at].Value != nil {
			b.value, _ = r.Values[at].Value.Float64()
			b.text = formatted(r.Values[at])
		} else if at >= 0 {
			b.absent = absent(r.Values[at])
		}
		if s := p.r.Statements.IncomeStatement.Period(r.PeriodID); at < 0 && s != nil {
			b.value, b.absent = drawnValue(s.Values, key)
		}
		bars = append(bars, b)
	}
	padLabels(bars)
	return title, bars
}

// padLabels gives all labels the same number of lines. The chart library centres each label, so a shorter one would be
// drawn lower.
func padLabels(bars []bar) {
	for _, b := range bars {
		if !strings.Contains(b.label, "\n") {
			continue
		}
		for i := range bars {
			if !strings.Contains(bars[i].label, "\n") {
				bars[i].label += "\n "
			}
		}
		return
	}
}

// drawnValue returns a figure as a chart shows it: no value where it is not reliable.
func drawnValue(values dossier.SpreadValues, key string) (value float64, absent string) {
	i := slices.IndexFunc(values, func(v dossier.SpreadValue) bool { return v.Key == key })
	switch {
	case i < 0:
		return math.NaN(), ""
	case values[i].Doubtful():
		return math.NaN(), notReliable
	}
	return values[i].Value.InexactFloat64(), ""
}

// shortLabel is the month a period ends in, with its length when it is not a year.
func (p *report) shortLabel(id string) string {
	for _, s := range statementSheets {
		x := p.r.Statements.Named(s.statement).Period(id)
		if x == nil {
			continue
		}
		start, end, err := span(*x)
		if err != nil {
			break
		}
		label := end.Format("Jan 06")
		if months := int(math.Round(end.Sub(start).Hours() / 24 / 30.44)); months != 12 {
			label += fmt.Sprintf("\n%d mo", months)
		}
		return label
	}
	return id
}

func span(p dossier.SpreadPeriod) (start, end time.Time, err error) {
	if start, err = time.Parse(time.DateOnly, p.Start); err != nil {
		return start, end, err
	}
	end, err = time.Parse(time.DateOnly, p.End)
	return start, end, err
}

// chartOf has a bar with its value for each period.
func chartOf(title string, bars []bar) (*plot.Plot, error) {
	values, names, tops := plotter.Values{}, []string{}, plotter.XYLabels{}
	for i, b := range bars {
		label := cmp.Or(b.text, shortAmount(b.value))
		if math.IsNaN(b.value) {
			b.value, label = 0, cmp.Or(strings.ReplaceAll(b.absent, " ", "\n"), "n/a")
		}
		values, names = append(values, b.value), append(names, b.label)
		tops.XYs, tops.Labels = append(tops.XYs, plotter.XY{X: float64(i), Y: max(b.value, 0)}),
			append(tops.Labels, label)
	}
	drawn, err := plotter.NewBarChart(values, vg.Points(min(34, 144/float64(len(bars)))))
	if err != nil {
		return nil, err
	}
	drawn.Color, drawn.LineStyle.Width = color.RGBA{R: 31, G: 58, B: 95, A: 255}, 0
	labels, err := plotter.NewLabels(tops)
	if err != nil {
		return nil, err
	}
	for i := range labels.TextStyle {
		labels.TextStyle[i].Font = sans(map[bool]float64{true: 6, false: 7}[len(bars) > 8])
		labels.TextStyle[i].XAlign = draw.XCenter
	}
	labels.Offset.Y = vg.Points(2)
	chart := emptyChart(title)
	chart.Add(drawn, labels)
	chart.NominalX(names...)
	chart.X.Min, chart.X.Max = -0.6, float64(len(bars))-0.4
	chart.Y.Min, chart.Y.Max = min(chart.Y.Min, 0), max(chart.Y.Max, 0)*1.15
	if chart.Y.Min == chart.Y.Max {
		chart.Y.Max = 1
	}
	return chart, nil
}

// emptyChart has the report's type and thin lines at the marks of the amounts.
func emptyChart(title string) *plot.Plot {
	chart := plot.New()
	chart.Title.Text, chart.Title.Padding = title, vg.Points(4)
	chart.Title.TextStyle.Font = sans(9)
	chart.X.Tick.Label.Font, chart.Y.Tick.Label.Font = sans(7), sans(7)
	chart.X.LineStyle.Width, chart.X.Tick.LineStyle.Width, chart.Y.LineStyle.Width, chart.Y.Tick.LineStyle.Width = 0, 0,
		0, 0
	chart.Y.Tick.Marker = plot.TickerFunc(ticks)
	lines := plotter.NewGrid()
	lines.Vertical.Width, lines.Horizontal.Color = 0, color.Gray{Y: 222}
	chart.Add(lines)
	return chart
}

func sans(points float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(points)}
}

// ticks are the marks of the default axis, with thousands and millions shortened.
func ticks(low, high float64) []plot.Tick {
	marks := slices.DeleteFunc(plot.DefaultTicks{}.Ticks(low, high), plot.Tick.IsMinor)
	for i := range marks {
		marks[i].Label = shortAmount(marks[i].Value)
	}
	return marks
}

func shortAmount(v float64) string {
	switch size := math.Abs(v); {
	case size >= 1e9:
		return fmt.Sprintf("%.4gB", v/1e9)
	case size >= 1e6:
		return fmt.Sprintf("%.4gM", v/1e6)
	case size >= 1e4:
		return fmt.Sprintf("%.4gK", v/1e3)
	case size >= 1e3:
		whole := strconv.FormatFloat(size, 'f', 0, 64)
		grouped := whole[:len(whole)-3] + "," + whole[len(whole)-3:]
		if v < 0 {
			return "-" + grouped
		}
		return grouped
	}
	return fmt.Sprintf("%.3g", v)
}
