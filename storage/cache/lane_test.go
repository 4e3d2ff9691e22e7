package cache

import (
	"sync"
	"testing"
)

// While one process tells the queue that a lane is paused and Redis forgets it again and again, another never reads the
// word beside a lane that looks resumed: that would be taken for somebody's act on the dashboard.
func TestLanePaused_one_moment(t *testing.T) {
	t.Parallel()
	c, _ := open(t)
	const writers, rounds = 4, 500
	var wait sync.WaitGroup
	for range writers {
		wait.Go(func() {
			for range rounds {
				if err := c.SetLanePaused(t.Context(), "system", true, "w"); err != nil {
					t.Error(err)
					return
				}
				if err := c.Client().FlushDB(t.Context()).Err(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range writers * rounds {
		if paused, word, err := c.LanePaused(t.Context(), "system"); err != nil || word == "w" && !paused {
			t.Errorf("paused %v beside the word %q, %v", paused, word, err)
			break
		}
	}
	wait.Wait()
}
