// Package report lays analytics out as a page for people: one HTML file that asks nobody for anything, with a table
// behind each chart.
package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/analytics"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// Report is what a page is about.
type Report struct {
	Workspace string // its name
	Filter    dossier.ReportFilter
	Made      time.Time
	Summary   *analytics.Summary
}

// figure is a chart with its table.
type figure struct {
	ID, Title, About string
	Wide, Narrow     template.HTML
	Heads            []string
	Rows             [][]string
}

// tile is one number at the top.
type tile struct{ Name, Value, About string }

type view struct {
	Workspace, Range, Made string
	Tiles                  []tile
	Figures                []figure
}

// A drawing is about as wide as its place, so that its letters are as large as the page's.
var (
	across = size{1040, 260}
	half   = size{470, 240}
	narrow = size{330, 250}
)

// Write writes the page.
func Write(out io.Writer, r Report) error {
	v := view{Workspace: r.Workspace, Range: rangeText(r.Filter), Made: r.Made.UTC().Format("2 January 2006, 15:04 UTC"), Tiles: tiles(r.Summary)}
	for _, one := range []struct {
		figure
		chart
	}{overTime(r.Summary), funnel(r.Summary), channels(r.Summary), interventions(r.Summary), times(r.Summary)} {
		if len(one.labels) > 0 {
			var err error
			wide := half
			if one.lines {
				wide = across
			}
			if one.Wide, err = one.svg(wide); err != nil {
				return err
			}
			if one.Narrow, err = one.svg(narrow); err != nil {
				return err
			}
		}
		v.Figures = append(v.Figures, one.figure)
	}
	return page.Execute(out, v)
}

func rangeText(f dossier.ReportFilter) string {
	at := func(t *time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") }
	switch {
	case f.Start != nil && f.End != nil:
		return "Leads created from " + at(f.Start) + " to " + at(f.End)
	case f.Start != nil:
		return "Leads created since " + at(f.Start)
	case f.End != nil:
		return "Leads created until " + at(f.End)
	}
	return "All leads"
}

func tiles(s *analytics.Summary) []tile {
	all := s.Channels.All()
	median := "–"
	for _, p := range s.TimesToComplete() {
		if p.Percent == 50 {
			median = duration(p.Within)
		}
	}
	return []tile{
		{"Leads", whole(s.Leads), "without deleted and test leads"},
		{"Completed", whole(s.Funnel.Completed), share(s.Funnel.Completed, s.Leads) + " of all"},
		{"Messages", whole(all.Total()), whole(all.Inbound) + " in, " + whole(all.Outbound) + " out"},
		{"Median time to complete", median, "from creation to completion"},
	}
}

type drawn = struct {
	figure
	chart
}

func overTime(s *analytics.Summary) drawn {
	unit, periods := s.Periods()
	d := drawn{figure{ID: "time", Title: "Leads over time", About: "Leads created and leads completed, by " + unit + " (UTC).", Heads: []string{unitHead[unit], "Created", "Completed"}},
		chart{names: []string{"created", "completed"}, values: make([][]float64, 2), lines: true}}
	format := map[string]string{"day": "2 Jan", "week": "2 Jan 06", "month": "Jan 2006"}[unit]
	for _, p := range periods {
		d.labels = append(d.labels, p.Start.Format(format))
		d.values[0], d.values[1] = append(d.values[0], float64(p.Created)), append(d.values[1], float64(p.Completed))
		d.Rows = append(d.Rows, []string{p.Start.Format("2006-01-02"), whole(p.Created), whole(p.Completed)})
	}
	return d
}

var unitHead = map[string]string{"day": "Day", "week": "Week from", "month": "Month from"}

// counted is a figure of one number a row, with its share of a whole.
func counted(id, title, about, head string, of int, rows ...any) drawn {
	d := drawn{figure{ID: id, Title: title, About: about, Heads: []string{head, "Count"}}, chart{names: []string{title}, values: make([][]float64, 1)}}
	if of >= 0 {
		d.Heads = append(d.Heads, "Share of leads")
	}
	for i := 0; i+1 < len(rows); i += 2 {
		label, n := rows[i].(string), rows[i+1].(int)
		d.labels, d.values[0] = append(d.labels, label), append(d.values[0], float64(n))
		row := []string{label, whole(n)}
		if of >= 0 {
			row = append(row, share(n, of))
		}
		d.Rows = append(d.Rows, row)
	}
	return d
}

func funnel(s *analytics.Summary) drawn {
	f := s.Funnel
	return counted("funnel", "How far leads came", "Written to and answered: at least one message out, or in. Started: at least one required item is completed. Collected: all of them are.",
		"Step", s.Leads, "Leads", s.Leads, "Written to", f.Written, "Answered", f.Answered, "Started", f.Started, "Collected", f.Collected, "Completed", f.Completed)
}

func channels(s *analytics.Summary) drawn {
	d := drawn{figure{ID: "channels", Title: "Channels", About: "Messages received, and messages sent or delivered.", Heads: []string{"Channel", "In", "Out"}},
		chart{names: []string{"in", "out"}, values: make([][]float64, 2)}}
	for _, c := range []struct {
		of   dossier.Channel
		name string
	}{{dossier.ChannelSMS, "SMS"}, {dossier.ChannelEmail, "Email"}, {dossier.ChannelWhatsApp, "WhatsApp"}} {
		m := s.Channels.Of(c.of)
		d.labels = append(d.labels, c.name)
		d.values[0], d.values[1] = append(d.values[0], float64(m.Inbound)), append(d.values[1], float64(m.Outbound))
		d.Rows = append(d.Rows, []string{c.name, whole(m.Inbound), whole(m.Outbound)})
	}
	return d
}

func interventions(s *analytics.Summary) drawn {
	i := s.Interventions
	return counted("interventions", "Interventions", "What people did where an agent or a rule would have decided.", "Kind", -1,
		"Document overrides", i.DocumentOverrides, "Escalations", i.Escalations, "Manual updates", i.ManualUpdates, "Message edits", i.MessageEdits, "Message rejects", i.MessageRejects)
}

func times(s *analytics.Summary) drawn {
	list := s.TimesToComplete()
	unit, one := "hours", time.Hour
	if len(list) > 0 {
		switch longest := list[len(list)-1].Within; {
		case longest >= 96*time.Hour:
			unit, one = "days", 24*time.Hour
		case longest < 2*time.Hour:
			unit, one = "minutes", time.Minute
		}
	}
	d := drawn{figure{ID: "times", Title: "Time to complete", About: "Of the completed leads: the time within which so many were, in " + unit + ".", Heads: []string{"Share of completed leads", "Completed within"}},
		chart{names: []string{unit}, values: make([][]float64, 1)}}
	for _, p := range list {
		label := fmt.Sprintf("%d %%", p.Percent)
		d.labels, d.values[0] = append(d.labels, label), append(d.values[0], p.Within.Seconds()/one.Seconds())
		d.Rows = append(d.Rows, []string{label, duration(p.Within)})
	}
	return d
}

// duration is a time as people say it.
func duration(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%.1f days", d.Hours()/24)
	case d >= 2*time.Hour:
		return fmt.Sprintf("%.1f hours", d.Hours())
	}
	return fmt.Sprintf("%.0f minutes", d.Minutes())
}
