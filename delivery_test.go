package dossier

import (
	"testing"
	"time"
)

func TestSchedule_Next(t *testing.T) {
	s := DefaultSchedule()
	if len(s) != 10 {
		t.Fatalf("%d tries, want 10", len(s))
	}
	tests := []struct {
		name       string
		tries      int
		retryAfter time.Duration
		random     float64
		want       time.Duration
	}{
		{"first at once", 0, 0, 0.9, 0},
		{"shortest", 1, 0, 0, 4 * time.Second},
		{"middle", 1, 0, 0.5, 5 * time.Second},
		{"last", 9, 0, 0.5, 24 * time.Hour},
		{"Retry-After below base", 2, time.Second, 0, 5 * time.Minute},
		{"Retry-After inside", 2, 10 * time.Minute, 0, 10 * time.Minute},
		{"Retry-After up to an hour on short delays", 1, 45 * time.Minute, 0, 45 * time.Minute},
		{"Retry-After of ten years", 1, 10 * 365 * 24 * time.Hour, 0, time.Hour},
		{"Retry-After up to twice a long delay", 5, 24 * time.Hour, 0, 10 * time.Hour},
	}
	for _, tt := range tests {
		if got, more := s.Next(tt.tries, tt.retryAfter, tt.random); !more || got != tt.want {
			t.Errorf("%s: %s %v, want %s", tt.name, got, more, tt.want)
		}
	}
	if _, more := s.Next(10, 0, 0); more {
		t.Error("an eleventh try")
	}
	if got, _ := s.Next(4, 0, 0.999999); got <= 2*time.Hour || got > 2*time.Hour+24*time.Minute {
		t.Errorf("longest of 2 h is %s", got)
	}
}

func TestDelivery_Apply(t *testing.T) {
	failure := func(n int) Attempt {
		return Attempt{Number: n, StartedAt: webhookNow, Duration: time.Second, Status: 500, Error: ErrorHTTP5xx}
	}
	d := Delivery{Status: DeliveryPending, LeadID: "l"}
	for n := 1; n <= 9; n++ {
		d.Apply(failure(n), DefaultSchedule(), 0.5)
		if d.Status != DeliveryPending || d.NextAttemptAt == nil || d.HoldsBack() != (n < 4) {
			t.Fatalf("after try %d: %+v holds back %v", n, d, d.HoldsBack())
		}
	}
	if want := webhookNow.Add(time.Second + 24*time.Hour); !d.NextAttemptAt.Equal(want) {
		t.Errorf("last try at %s, want %s", d.NextAttemptAt, want)
	}
	d.Apply(failure(10), DefaultSchedule(), 0.5)
	if d.Status != DeliveryFailed || d.NextAttemptAt != nil || d.CompletedAt == nil || d.LastError != ErrorHTTP5xx {
		t.Fatalf("after the last try: %+v", d)
	}
	d.Redeliver(webhookNow)
	if d.Status != DeliveryPending || d.Tries != 0 || !d.HoldsBack() {
		t.Fatalf("redelivered: %+v", d)
	}
	d.Apply(Attempt{Number: 11, StartedAt: webhookNow, Status: 204}, DefaultSchedule(), 0.5)
	if d.Status != DeliverySucceeded || d.Attempts != 11 || d.LastError != "" || d.HoldsBack() {
		t.Fatalf("succeeded: %+v", d)
	}
}

func TestStreak_Fail(t *testing.T) {
	day := 24 * time.Hour
	tests := []struct {
		name     string
		failures []time.Duration
		want     bool
	}{
		{"one failure", []time.Duration{0}, false},
		{"one long ago and one now", []time.Duration{0, 6 * day}, false},
		{"a bad hour long ago and one now", []time.Duration{0, time.Hour, 6 * day}, false},
		{"half a day then five days", []time.Duration{0, 12 * time.Hour, 5 * day}, true},
		{"not five days yet", []time.Duration{0, day, 2 * day, 5*day - time.Second}, false},
	}
	for _, tt := range tests {
		var s Streak
		dead := false
		for _, at := range tt.failures {
			dead = s.Fail(webhookNow.Add(at))
		}
		if dead != tt.want {
			t.Errorf("%s: disabled %v, want %v", tt.name, dead, tt.want)
		}
	}
}

func TestBreaker_opensAfterFiveInARow(t *testing.T) {
	var b Breaker
	for range 4 {
		b.Record(webhookNow, false)
	}
	if b.State(webhookNow) != BreakerClosed {
		t.Fatal("open after 4")
	}
	if !b.Record(webhookNow, false) || b.State(webhookNow) != BreakerOpen {
		t.Fatal("not open after 5")
	}
	if ok, at := b.Allow(webhookNow.Add(29 * time.Second)); ok || !at.Equal(webhookNow.Add(30*time.Second)) {
		t.Errorf("open: allowed %v, ask again at %s", ok, at)
	}
}

func TestBreaker_opensWhenMostOfTwentyFail(t *testing.T) {
	var b Breaker
	for i := range 20 { // alternating: never two in a row, ten of twenty
		b.Record(webhookNow, i%2 == 0)
	}
	if b.State(webhookNow) != BreakerClosed {
		t.Fatal("open at exactly half")
	}
	var slow Breaker
	for i := range 40 { // three of four fail, but only seven within any minute
		slow.Record(webhookNow.Add(time.Duration(i)*7*time.Second), i%4 == 0)
	}
	if slow.State(webhookNow) != BreakerClosed {
		t.Fatal("failures older than a minute count")
	}
	for i := range 20 {
		b.Record(webhookNow, i%4 == 0)
	}
	if b.State(webhookNow) != BreakerOpen {
		t.Fatal("closed with most failing")
	}
}

func TestBreaker_oneProbe(t *testing.T) {
	var b Breaker
	for range 5 {
		b.Record(webhookNow, false)
	}
	at := webhookNow.Add(30 * time.Second)
	if ok, _ := b.Allow(at); !ok || b.State(at) != BreakerHalfOpen {
		t.Fatal("no probe after 30 s")
	}
	if ok, _ := b.Allow(at.Add(time.Second)); ok {
		t.Fatal("a second probe beside the first")
	}
	if ok, _ := b.Allow(at.Add(31 * time.Second)); !ok {
		t.Fatal("a probe that was never heard of is not replaced")
	}
	for _, lasting := range []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute, 5 * time.Minute, 5 * time.Minute} {
		b.Record(at, false)
		if !b.OpenUntil.Equal(at.Add(lasting)) {
			t.Fatalf("open for %s, want %s", b.OpenUntil.Sub(at), lasting)
		}
		at = b.OpenUntil
		if ok, _ := b.Allow(at); !ok {
			t.Fatal("no probe")
		}
	}
	if !b.Record(at, true) || b.State(at) != BreakerClosed || b.Row != 0 {
		t.Fatalf("a probe that succeeds closes it: %+v", b)
	}
}
