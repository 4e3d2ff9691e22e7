package jobs

import (
	"slices"

	"github.com/dossierhq/dossier"
)

// Contender is a workspace whose jobs await admission in a shared lane.
type Contender struct {
	Workspace dossier.WorkspaceID
	InFlight  int             // admitted and not over: in the queue or running
	Limit     int             // of InFlight; 0: none
	Weight    int             // its share against others'; 0 counts as 1
	Waiting   []dossier.JobID // what somebody waits for, oldest first
	Bulk      []dossier.JobID // what nobody waits for: a thousand documents read again
}

// bulkEvery: of each so many admissions of a lane, one prefers bulk work, so that bulk work never starves.
const bulkEvery = 5

// Schedule chooses which jobs a lane admits next, at most free, in order. The workspace with the fewest jobs in flight
// for its weight is next; among equals one with work that somebody waits for; among those the first of contenders,
// which the caller passes in round-robin order. No workspace gets beyond its limit. admitted is how many jobs the lane
// has admitted so far.
func Schedule(contenders []Contender, free, admitted int) []dossier.JobID {
	contenders = slices.Clone(contenders)
	var chosen []dossier.JobID
	for len(chosen) < free {
		bulkFirst := (admitted+len(chosen))%bulkEvery == bulkEvery-1
		best := -1
		for i, c := range contenders {
			if c.ready() && (best < 0 || c.before(contenders[best], bulkFirst)) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		next := contenders[best]
		chosen = append(chosen, next.next(bulkFirst))
		contenders = append(slices.Delete(contenders, best, best+1), next) // it goes to the end of the round
	}
	return chosen
}

func (c Contender) ready() bool {
	return len(c.Waiting)+len(c.Bulk) > 0 && (c.Limit == 0 || c.InFlight < c.Limit)
}

// before reports whether c goes before other; neither does when they are equal.
func (c Contender) before(other Contender, bulkFirst bool) bool {
	mine, theirs := c.InFlight*max(1, other.Weight), other.InFlight*max(1, c.Weight)
	if mine != theirs {
		return mine < theirs
	}
	if bulkFirst {
		return len(c.Bulk) > 0 && len(other.Bulk) == 0
	}
	return len(c.Waiting) > 0 && len(other.Waiting) == 0
}

// next takes the contender's next job, which counts as in flight from then on. There must be one.
func (c *Contender) next(bulkFirst bool) dossier.JobID {
	c.InFlight++
	from := &c.Waiting
	if len(c.Waiting) == 0 || bulkFirst && len(c.Bulk) > 0 {
		from = &c.Bulk
	}
	job := (*from)[0]
	*from = (*from)[1:]
	return job
}
