package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"github.com/valyala/fasthttp"
)

// AnalyticsResult says how long a page of analytics takes in a workspace of many leads, one caller at a time: the
// first, and then page after page to the end.
type AnalyticsResult struct {
	Name      string  `json:"name"`
	Machine   Machine `json:"machine"`
	Leads     int     `json:"leads"`
	Seeded    seeded  `json:"seeded"`
	Bytes     int     `json:"bytesPerPage"`
	First     Latency `json:"firstPageMs"`
	Pages     int     `json:"pages"`
	EarlyHalf Latency `json:"pagesOfTheFirstHalfMs"`
	LateHalf  Latency `json:"pagesOfTheSecondHalfMs"`
	Ranged    Latency `json:"firstPageOfARangeMs"`
	Changing  Latency `json:"firstPageWhile500LeadsChangedMs"` // and were not folded yet
}

// Analytics measures n leads; each page is read so many times.
func Analytics(ctx context.Context, s *Stack, n, samples int) (AnalyticsResult, error) {
	r := AnalyticsResult{Name: "analytics", Machine: s.About, Leads: n}
	var err error
	if r.Seeded, err = s.seedLeads(ctx, n); err != nil {
		return r, err
	}
	api, key, stop, err := s.startAPI()
	if err != nil {
		return r, err
	}
	defer stop()
	p := pager{url: api + "/api/v0/analytics", key: key, samples: samples}
	if _, err := p.get(""); err != nil { // opens connections
		return r, err
	}
	if r.First, err = p.sample(""); err != nil {
		return r, err
	}
	if r.Ranged, err = p.sample("?start=2024-02-01T10:20:30Z&end=2025-01-01T00:00:00%2B05:30"); err != nil {
		return r, err
	}
	if err := p.walk(&r); err != nil {
		return r, err
	}
	if err := s.touch(ctx); err != nil {
		return r, err
	}
	r.Changing, err = p.sample("")
	return r, err
}

type pager struct {
	url, key string
	samples  int
}

type analyticsPage struct {
	NextToken *string `json:"nextToken"`
	Totals    struct {
		Count int `json:"count"`
	} `json:"totals"`
	took  time.Duration
	bytes int
}

func (p pager) get(query string) (analyticsPage, error) {
	request, response := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	defer fasthttp.ReleaseRequest(request)
	defer fasthttp.ReleaseResponse(response)
	target{method: "GET", url: p.url + query, key: p.key}.write(request, 0)
	began := time.Now()
	if err := fasthttp.Do(request, response); err != nil {
		return analyticsPage{}, err
	}
	page := analyticsPage{took: time.Since(began), bytes: len(response.Body())}
	if response.StatusCode() != 200 {
		return page, fmt.Errorf("analytics: status %d: %.300s", response.StatusCode(), response.Body())
	}
	return page, json.Unmarshal(response.Body(), &page)
}

func (p pager) sample(query string) (Latency, error) {
	var took []time.Duration
	for range p.samples {
		page, err := p.get(query)
		if err != nil {
			return Latency{}, err
		}
		took = append(took, page.took)
	}
	return latency(took), nil
}

// walk follows the tokens to the end. Totals must be those of all leads on every page.
func (p pager) walk(r *AnalyticsResult) error {
	var took []time.Duration
	for query := ""; ; {
		page, err := p.get(query)
		if err != nil {
			return err
		}
		if page.Totals.Count != r.Leads {
			return fmt.Errorf("page %d counts %d leads, want %d", len(took)+1, page.Totals.Count, r.Leads)
		}
		took, r.Bytes = append(took, page.took), max(r.Bytes, page.bytes)
		if page.NextToken == nil {
			break
		}
		query = "?token=" + url.QueryEscape(*page.NextToken)
	}
	r.Pages = len(took)
	r.EarlyHalf, r.LateHalf = latency(took[:(len(took)+1)/2]), latency(took[len(took)/2:])
	return nil
}

// touch marks 500 leads as changed.
func (s *Stack) touch(ctx context.Context) error {
	return s.exec(ctx, `INSERT INTO report_changes SELECT workspace_id, id FROM leads WHERE workspace_id = $1
		ORDER BY id LIMIT 500`, s.Workspace)
}
