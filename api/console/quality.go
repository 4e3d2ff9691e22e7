package console

import (
	"math"
	"net/url"
	"time"
)

// qualityPage is how often what was read is right, by what people looked at.
type qualityPage struct {
	Rows    []quality
	Days    string
	Periods []filterLink
	Looked  int
	Right   int
	Months  []qualityMonth
	Samples int // that wait for a person
}

// qualityMonth is what people looked at in one month, all documents and fields together.
type qualityMonth struct {
	Name          string
	Looked, Right int
}

// Wrong is what people put right.
func (m qualityMonth) Wrong() int { return m.Looked - m.Right }

// Share is the share that was right, in percent.
func (m qualityMonth) Share() float64 {
	return math.Round(1000*float64(m.Right)/float64(max(m.Looked, 1))) / 10
}

const qualityMonths = 6 // that are shown, this one included

type quality struct {
	DocType, Field  string
	LookedAt, Right int
	Share           float64
	Interval        [2]float64
}

// Percent is the share as a person reads it.
func (q quality) Percent() float64 { return math.Round(q.Share*1000) / 10 }

// Low is the least that the share is likely to be, in percent.
func (q quality) Low() float64 { return math.Round(q.Interval[0]*1000) / 10 }

// High is the most.
func (q quality) High() float64 { return math.Round(q.Interval[1]*1000) / 10 }

// Tone says at which of them to look first.
func (q quality) Tone() string {
	switch {
	case q.Share >= 0.99:
		return "good"
	case q.Share >= 0.9:
		return "wait"
	}
	return "bad"
}

// Quality shows the accuracy of the reading by type of document and field, for a time that the address names.
func (v Visit) Quality() (Page, error) {
	data := qualityPage{Days: v.Query.Get("days")}
	since := ""
	for _, p := range []struct {
		days, label string
		back        time.Duration
	}{{"", "All time", 0}, {"30", "30 days", 30 * 24 * time.Hour}, {"7", "7 days", 7 * 24 * time.Hour}} {
		data.Periods = append(data.Periods, filterLink{Label: p.label, Count: -1, Current: p.days == data.Days,
			Address: with(v.Base+"/console/quality", url.Values{"days": {p.days}})})
		if p.days == data.Days && p.back > 0 {
			since = v.Now.Add(-p.back).UTC().Format(time.RFC3339)
		}
	}
	err := fill(v, with("/api/v1/reviews/quality", url.Values{"since": {since}}), func(a struct{ Quality []quality }) {
		data.Rows = a.Quality
	})
	for _, row := range data.Rows {
		data.Looked += row.LookedAt
		data.Right += row.Right
	}
	if err == nil && len(data.Rows) > 0 {
		err = data.overTime(v)
	}
	if err == nil {
		err = fill(v, "/api/v1/reviews?code=qa_sample&limit=1", func(a struct {
			Counts struct{ ByCode map[string]int }
		}) {
			data.Samples = a.Counts.ByCode["qa_sample"]
		})
	}
	return Page{File: "quality", Title: "Quality", Tab: "quality", Data: data}, err
}

// overTime reads the last months, each for itself.
func (p *qualityPage) overTime(v Visit) error {
	now := v.Now.UTC()
	for back := qualityMonths - 1; back >= 0; back-- {
		first := time.Date(now.Year(), now.Month()-time.Month(back), 1, 0, 0, 0, 0, time.UTC)
		month := qualityMonth{Name: first.Format("January 2006")}
		within := url.Values{"since": {first.Format(time.RFC3339)},
			"until": {first.AddDate(0, 1, 0).Format(time.RFC3339)}}
		err := fill(v, with("/api/v1/reviews/quality", within), func(a struct{ Quality []quality }) {
			for _, row := range a.Quality {
				month.Looked, month.Right = month.Looked+row.LookedAt, month.Right+row.Right
			}
		})
		if err != nil {
			return err
		}
		if len(p.Months) > 0 || month.Looked > 0 {
			p.Months = append(p.Months, month)
		}
	}
	return nil
}
