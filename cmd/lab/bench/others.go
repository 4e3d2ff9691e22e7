package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"
)

// othersEvery is the time between calls of backgroundCallers.
const othersEvery = 10 * time.Millisecond

// backgroundCallers call the API at a steady pace, as customers do who have nothing to do with what is measured.
type backgroundCallers struct {
	targets []target
	leads   []string
}

// othersLeads is over how many leads the calls are spread: the timeline of a single one would grow with every call, and
// so would the cost of reading it.
const othersLeads = 50

func (s *Stack) newOthers(base, key string) (backgroundCallers, error) {
	var o backgroundCallers
	for range othersLeads {
		lead, err := makeLead(base, key)
		if err != nil {
			return o, err
		}
		o.leads = append(o.leads, lead)
	}
	o.targets = []target{
		{name: "readLead", method: "GET", url: base + "/api/v1/leads/LEAD", key: key, status: 200},
		{name: "readChecklist", method: "GET", url: base + "/api/v1/leads/LEAD/checklist", key: key, status: 200},
		{name: "createActivity", method: "POST", url: base + "/api/v1/activity", key: key,
			body: `{"leadId":"LEAD","eventType":"call","title":"A call"}`, status: 201},
	}
	return o, nil
}

// makeLead makes a lead with one question.
func makeLead(base, key string) (string, error) {
	var made struct {
		Lead struct {
			ID string `json:"id"`
		} `json:"lead"`
	}
	post := target{method: "POST", url: base + "/api/v1/leads", key: key, body: `{"firstName":"Ann"}`, status: 201}
	if err := call(post, &made); err != nil {
		return "", err
	}
	post.url += "/" + made.Lead.ID + "/checklist-items"
	post.body = `{"label":"Legal name","fieldType":"TEXT"}`
	var item json.RawMessage
	return made.Lead.ID, call(post, &item)
}

// target is call number i.
func (o backgroundCallers) target(i int) target {
	t, lead := o.targets[i%len(o.targets)], i/len(o.targets)%len(o.leads)
	t.leads = o.leads[lead : lead+1]
	return t
}

// run calls in turn until the time or ctx ends. A call that is late does not delay the next: each has its own moment.
func (o backgroundCallers) run(ctx context.Context, most time.Duration) (Load, error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	var mu sync.Mutex
	var took []time.Duration
	failed := 0
	var done sync.WaitGroup
	began := time.Now()
	tick := time.NewTicker(othersEvery)
	defer tick.Stop()
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			done.Wait()
			if len(took) == 0 {
				return Load{}, fmt.Errorf("no call of the API was answered (%d others)", failed)
			}
			load := loadOf(took, time.Since(began))
			load.Failed = failed
			return load, nil
		case <-tick.C:
		}
		done.Go(func() {
			start := time.Now()
			var answer json.RawMessage
			err := call(o.target(i), &answer)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed++
				return
			}
			took = append(took, time.Since(start))
		})
	}
}

// loadOf makes the figures of calls that took so long.
func loadOf(all []time.Duration, over time.Duration) Load {
	if len(all) == 0 {
		return Load{}
	}
	slices.Sort(all)
	at := func(p float64) float64 { return round(float64(all[int(p*float64(len(all)-1))].Microseconds()) / 1000) }
	return Load{PerSecond: round(float64(len(all)) / over.Seconds()), P50: at(.5), P95: at(.95), P99: at(.99)}
}
