package admin

import (
	"context"
	"net/http"
	"slices"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/record"
)

// Lane is a lane with its backlog by the ledger. The dashboard shows what was handed to the workers; of a shared lane
// that is little, and the rest awaits admission.
type Lane struct {
	Lane           jobs.Lane    `json:"lane"`
	Paused         bool         `json:"paused"`
	ChangedAt      *record.Time `json:"changedAt"` // when it was last paused or resumed
	ChangedBy      *string      `json:"changedBy"`
	Shared         bool         `json:"shared"`         // its workspaces take turns
	WorkspaceLimit *int         `json:"workspaceLimit"` // jobs of one workspace at once; null: no limit
	InTurn         int          `json:"inTurn"`         // due, waiting for their workspace's turn; counted up to 10,000
	Queued         int          `json:"queued"`         // due, in the queue; counted up to 10,000
	Running        int          `json:"running"`
	OldestSeconds  float64      `json:"oldestSeconds"` // of those that wait
	Shares         []Share      `json:"shares"`
}

// Share is what differs for one workspace of a shared lane.
type Share struct {
	WorkspaceID dossier.WorkspaceID `json:"workspaceId"`
	Weight      int                 `json:"weight"`
	Limit       *int                `json:"limit"` // null: the lane's
}

// Lanes reads and switches lanes.
type Lanes struct {
	Read  func(ctx context.Context, lanes []jobs.Lane) ([]Lane, error)
	Pause func(ctx context.Context, lane jobs.Lane, paused bool, by string) error
}

func (cfg Config) lanes(w http.ResponseWriter, r *http.Request) {
	cfg.answerLanes(w, r, jobs.Lanes)
}

// switchLane is POST /lanes/{lane}/pause and /resume: whoever sends it again changes nothing.
func (cfg Config) switchLane(paused bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		lane := jobs.Lane(r.PathValue("lane"))
		if !slices.Contains(jobs.Lanes, lane) {
			http.Error(w, "There is no such lane.", http.StatusNotFound)
			return
		}
		if err := cfg.Lanes.Pause(r.Context(), lane, paused, cfg.User); err != nil {
			cfg.away(w, err)
			return
		}
		cfg.answerLanes(w, r, []jobs.Lane{lane})
	}
}

func (cfg Config) answerLanes(w http.ResponseWriter, r *http.Request, lanes []jobs.Lane) {
	states, err := cfg.Lanes.Read(r.Context(), lanes)
	if err != nil {
		cfg.away(w, err)
		return
	}
	answer(w, http.StatusOK, states)
}

func (cfg Config) away(w http.ResponseWriter, err error) {
	cfg.Log.Warn("lanes cannot be read or changed", "error", err)
	w.Header().Set("Retry-After", "5")
	http.Error(w, "The ledger cannot be reached.", http.StatusServiceUnavailable)
}
