package api

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/dossierhq/dossier/api/web"
)

// While another tenant calls too, a second call of one tenant waits for its first; the other's do not.
func TestShares_of_calls(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	s.API.shares = web.NewShares(1, time.Hour, s.Clock.Now)
	entered, release := make(chan struct{}), make(chan struct{})
	goOn := sync.OnceFunc(func() { close(release) })
	t.Cleanup(goOn)
	s.API.pause = func(context.Context, time.Duration) { close(entered); <-release } // inside a rotation
	other := s.newKey(t, s.Server.Workspace(t))
	hook := valueAt(t, s.do(t, "POST", "/save-webhook", `{"url": "https://hooks.example/"}`).Body, "webhookId")
	ask := func(key string) int { return s.do(t, "GET", "/api/v1/leads", "", "x-api-key", key).Status }
	if got := ask(other); got != 200 {
		t.Fatal(got)
	}
	var calls sync.WaitGroup
	statuses := make([]int, 2)
	calls.Go(func() { statuses[0] = s.do(t, "POST", "/api/v1/webhooks/"+hook+"/rotate-secret", "").Status })
	<-entered
	s.Clock.Advance(2 * time.Second) // for which it is at work
	if got := ask(other); got != 200 {
		t.Fatal(got)
	}
	calls.Go(func() { statuses[1] = ask(s.Key) })
	for end := time.Now().Add(20 * time.Second); s.API.shares.Waiting(s.Workspace) == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the second call does not wait for the first")
		}
	}
	if got := ask(other); got != 200 {
		t.Errorf("the other tenant's call: %d", got)
	}
	goOn()
	calls.Wait()
	if statuses[0] != 200 || statuses[1] != 200 {
		t.Errorf("the calls of the crowd ended with %v", statuses)
	}
}
