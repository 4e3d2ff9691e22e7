package jobs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
)

// of makes a contender: its name, how many are in flight, how many wait, how much bulk waits.
func of(name string, inFlight, waiting, bulk int) Contender {
	c := Contender{Workspace: dossier.WorkspaceID(name), InFlight: inFlight}
	for i := range waiting {
		c.Waiting = append(c.Waiting, dossier.JobID(fmt.Sprint(name, i+1)))
	}
	for i := range bulk {
		c.Bulk = append(c.Bulk, dossier.JobID(fmt.Sprint(name, "'", i+1)))
	}
	return c
}

func (c Contender) limited(limit int) Contender   { c.Limit = limit; return c }
func (c Contender) weighing(weight int) Contender { c.Weight = weight; return c }

func TestTakeTurns(t *testing.T) {
	for _, test := range []struct {
		name       string
		contenders []Contender
		free       int
		turn       int
		want       string
	}{
		{"nobody waits", []Contender{of("a", 3, 0, 0)}, 2, 0, ""},
		{"no room", []Contender{of("a", 0, 2, 0)}, 0, 0, ""},
		{"one alone has all the room, oldest first", []Contender{of("a", 0, 9, 0)}, 4, 0, "a1 a2 a3 a4"},
		{"one after the other", []Contender{of("a", 0, 3, 0), of("b", 0, 3, 0)}, 4, 0, "a1 b1 a2 b2"},
		{"whoever has less in flight first", []Contender{of("a", 2, 9, 0), of("b", 0, 9, 0)}, 3, 0, "b1 b2 a1"},
		{"a newcomer before a crowd", []Contender{of("a", 3, 9, 0), of("b", 0, 1, 0)}, 1, 0, "b1"},
		{"not beyond a limit", []Contender{of("a", 0, 9, 0).limited(2), of("b", 1, 9, 0).limited(1)}, 5, 0, "a1 a2"},
		{"twice the weight, twice as much in flight", []Contender{of("a", 0, 9, 0).weighing(2), of("b", 0, 9, 0)}, 6, 0, "a1 b1 a2 b2 a3 a4"},
		{"what somebody waits for before bulk, among equals", []Contender{of("a", 0, 0, 9), of("b", 0, 1, 0)}, 2, 0, "b1 a'1"},
		{"own work that somebody waits for before own bulk", []Contender{of("a", 0, 1, 9)}, 3, 0, "a1 a'1 a'2"},
		{"bulk does not wait behind another's crowd", []Contender{of("a", 0, 0, 9), of("b", 2, 9, 0)}, 1, 0, "a'1"},
		{"every fifth turn bulk goes first", []Contender{of("a", 0, 9, 9)}, 6, 0, "a1 a2 a3 a4 a'1 a5"},
		{"also among workspaces", []Contender{of("a", 0, 9, 0), of("b", 0, 0, 9)}, 1, 4, "b'1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, job := range Schedule(test.contenders, test.free, test.turn) {
				got = append(got, string(job))
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("admitted %v, want %s", got, test.want)
			}
		})
	}
}

// Whatever the crowd: no room is left while somebody may go, nobody exceeds a limit, nobody is admitted twice, and of two
// that still wait and may go, the one with less in flight was not passed over.
func TestTakeTurns_always(t *testing.T) {
	for seed := range uint64(2000) {
		random := rand.New(rand.NewPCG(seed, 8))
		var contenders []Contender
		waiting := 0
		for i := range 1 + random.IntN(6) {
			c := of(string(rune('a'+i)), random.IntN(4), random.IntN(5), random.IntN(3)).limited(random.IntN(5)).weighing(1 + random.IntN(3))
			contenders, waiting = append(contenders, c), waiting+len(c.Waiting)+len(c.Bulk)
		}
		free := random.IntN(8)
		admitted := Schedule(contenders, free, random.IntN(10))
		served := map[string]int{}
		for i, job := range admitted {
			if slices.Contains(admitted[:i], job) {
				t.Fatalf("seed %d: %s was admitted twice", seed, job)
			}
			served[string(job[:1])]++
		}
		mayGo := false
		for i := range contenders {
			c := &contenders[i]
			n := served[string(c.Workspace)]
			c.InFlight += n
			if n > 0 && c.Limit > 0 && c.InFlight > c.Limit {
				t.Errorf("seed %d: %s has %d in flight, its limit is %d", seed, c.Workspace, c.InFlight, c.Limit)
			}
			mayGo = mayGo || n < len(c.Waiting)+len(c.Bulk) && (c.Limit == 0 || c.InFlight < c.Limit)
		}
		if mayGo && len(admitted) < free {
			t.Errorf("seed %d: %d of %d places were given though somebody may go", seed, len(admitted), free)
		}
		for _, a := range contenders {
			for _, b := range contenders {
				left := len(b.Waiting)+len(b.Bulk) > served[string(b.Workspace)] && (b.Limit == 0 || b.InFlight < b.Limit)
				if served[string(a.Workspace)] > 0 && left && (a.InFlight-1)*b.Weight > b.InFlight*a.Weight {
					t.Errorf("seed %d: %s was served up to %d in flight while %s waits with %d", seed, a.Workspace, a.InFlight, b.Workspace, b.InFlight)
				}
			}
		}
	}
}
