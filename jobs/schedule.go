package jobs

import (
	"slices"

	"github.com/dossierhq/dossier"
)

// Contender is a workspace whose jobs wait for their turn in a shared lane.
type Contender struct {
	Workspace dossier.WorkspaceID
	InFlight  int             // admitted and not over: in the queue or running
	Limit     int             // of InFlight; 0: none
	Weight    int             // its share against others'; 0 counts as 1
	Waiting   []dossier.JobID // what somebody waits for, oldest first
	Bulk      []dossier.JobID // what nobody waits for: a thousand documents read again
}

// bulkTurn is every so manieth turn of a lane, in which bulk work goes first: it comes last, but it comes.
const bulkTurn = 5

// Schedule chooses which jobs a lane admits next, at most free, in order. Whoever has the least in flight for its
// weight is next; among equals who has work that somebody waits for; among those the one that comes first in the round,
// in which contenders stand and which goes on behind the last workspace served. Nobody gets beyond its limit. turn
// counts the lane's turns so far.
func Schedule(contenders []Contender, free, turn int) []dossier.JobID {
	contenders = slices.Clone(contenders)
	var admitted []dossier.JobID
	for len(admitted) < free {
		bulkFirst := (turn+len(admitted))%bulkTurn == bulkTurn-1
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
		admitted = append(admitted, next.next(bulkFirst))
		contenders = append(slices.Delete(contenders, best, best+1), next) // its next turn is after all others'
	}
	return admitted
}

func (c Contender) ready() bool {
	return len(c.Waiting)+len(c.Bulk) > 0 && (c.Limit == 0 || c.InFlight < c.Limit)
}

// before compares two that could be next; of equals the first in the round is.
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
