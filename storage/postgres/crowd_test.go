package postgres

import (
	"testing"
	"testing/synctest"
	"time"
)

// While a crowd is there one is inside at a time, though nobody waits long for one that is stuck.
func TestCrowd(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		before func(c *crowd) // with one inside
		waits  time.Duration
	}{
		{"no crowd", func(*crowd) {}, 0},
		{"a crowd that has gone", func(c *crowd) { c.seen(); time.Sleep(crowdLasts + time.Nanosecond) }, 0},
		{"a crowd, and one inside for a moment", func(c *crowd) {
			c.seen()
			leave := c.enter()
			time.AfterFunc(3*time.Millisecond, leave)
		}, 3 * time.Millisecond},
		{"a crowd, and one inside that is stuck", func(c *crowd) { c.seen(); c.enter() }, crowdWait},
		{"a crowd, and one after the other", func(c *crowd) { c.seen(); c.enter()(); c.enter()() }, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCrowd()
				c.enter() // before the crowd: counts for nobody
				test.before(c)
				began := time.Now()
				leave := c.enter()
				if waited := time.Since(began); waited != test.waits {
					t.Errorf("waited %s, want %s", waited, test.waits)
				}
				leave()
				synctest.Wait()
			})
		})
	}
	var none *crowd
	none.enter()() // of whoever gives way to no crowd
}
