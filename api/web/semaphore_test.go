package web

import (
	"context"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
)

// One tenant's crowd is no other's line: of those that wait, another workspace's request comes next.
func TestTurns_of_workspaces(t *testing.T) {
	t.Parallel()
	slots := NewFairSemaphore(1)
	working := slots.Acquire("crowd")
	crowd := []*Slot{slots.Acquire("crowd"), slots.Acquire("crowd"), slots.Acquire("crowd")}
	other := slots.Acquire("other")
	come := func(w *Slot) bool {
		select {
		case <-w.Granted:
			return true
		default:
			return false
		}
	}
	slots.Release(working)
	if !come(other) || come(crowd[0]) {
		t.Fatal("the other workspace waits behind the crowd")
	}
	slots.Release(other)
	if !come(crowd[0]) || come(crowd[1]) {
		t.Error("the crowd does not go on in its order")
	}
}

// Of large bodies few are decoded at once, those of one workspace after each other's; a small one waits for none.
func TestWithSlot_large_bodies(t *testing.T) {
	t.Parallel()
	door := NewDoor("", nil, nil, nil)
	door.Bodies.slots = NewFairSemaphore(1)
	begun, end := make(chan string, 8), make(chan struct{})
	app := fiber.New()
	app.Post("/:tenant", func(c *fiber.Ctx) error {
		c.Locals(BudgetKey, &door.Bodies)
		c.Locals(TenantKey, dossier.WorkspaceID(c.Params("tenant")))
		return WithSlot(c, c.Body(), func() error {
			begun <- strings.Clone(c.Params("tenant"))
			<-end
			return nil
		})
	})
	var all sync.WaitGroup
	post := func(tenant string, size int) {
		all.Go(func() {
			request := httptest.NewRequest("POST", "/"+tenant, strings.NewReader(strings.Repeat("1", size)))
			if answer, err := app.Test(request, -1); err != nil || answer.StatusCode != 200 {
				t.Errorf("%v, %v", answer, err)
			}
		})
	}
	waiting := func(n int) {
		for {
			door.Bodies.slots.mu.Lock()
			got := len(door.Bodies.slots.waiting)
			door.Bodies.slots.mu.Unlock()
			if got == n {
				return
			}
			runtime.Gosched()
		}
	}
	post("crowd", SmallBody+1)
	if got := <-begun; got != "crowd" {
		t.Fatal(got)
	}
	for i := range 3 {
		post("crowd", SmallBody+1)
		waiting(i + 1)
	}
	post("other", SmallBody+1)
	waiting(4)
	post("small", SmallBody)
	if got := <-begun; got != "small" {
		t.Errorf("%s began beside a large one", got)
	}
	end <- struct{}{} // of the large one or of the small one
	end <- struct{}{}
	if got := <-begun; got != "other" {
		t.Errorf("next is %s, want the other workspace", got)
	}
	close(end)
	all.Wait()
}

// A large body that does not get its turn in the time of its request is refused, and leaves the line.
func TestWithSlot_impatient(t *testing.T) {
	t.Parallel()
	door := NewDoor("", nil, nil, nil)
	door.Bodies.slots = NewFairSemaphore(0)
	app := fiber.New()
	app.Post("/", func(c *fiber.Ctx) error {
		c.Locals(BudgetKey, &door.Bodies)
		over, cancel := context.WithCancel(c.UserContext())
		cancel()
		c.SetUserContext(over)
		if err := WithSlot(c, c.Body(), func() error { return nil }); dossier.KindOf(err) != dossier.Unavailable {
			t.Error(err)
		}
		return nil
	})
	body := strings.NewReader(strings.Repeat("1", SmallBody+1))
	if _, err := app.Test(httptest.NewRequest("POST", "/", body), -1); err != nil {
		t.Fatal(err)
	}
	if n := len(door.Bodies.slots.waiting); n != 0 {
		t.Errorf("%d in line", n)
	}
}
