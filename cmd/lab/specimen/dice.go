package specimen

import (
	"hash/fnv"
	"math/rand/v2"
	"time"
)

// dice is a seeded source of choices. Each use takes a stream of its own by name, so that adding a choice in one
// place does not move all the others.
type dice struct{ *rand.Rand }

func roll(seed uint64, stream string) dice {
	h := fnv.New64a()
	_, _ = h.Write([]byte(stream))
	return dice{rand.New(rand.NewPCG(seed, h.Sum64()))}
}

// between is a number from lo to hi, both included.
func (d dice) between(lo, hi int) int { return lo + d.IntN(hi-lo+1) }

// chance is true p times in a hundred.
func (d dice) chance(p int) bool { return d.IntN(100) < p }

// digits is n decimal digits, the first not zero.
func (d dice) digits(n int) string {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte('0' + d.IntN(10))
	}
	out[0] = byte('1' + d.IntN(9))
	return string(out)
}

func (d dice) bytes(n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(d.IntN(256))
	}
	return out
}

func pick[T any](d dice, of []T) T { return of[d.IntN(len(of))] }

// date is midnight UTC of a day.
func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// monthEnd is the last day of t's month.
func monthEnd(t time.Time) time.Time { return date(t.Year(), t.Month()+1, 0) }

func iso(t time.Time) string { return t.Format("2006-01-02") }

// ptr is for facts, which are pointers because null is an answer.
func ptr[T any](v T) *T { return &v }
