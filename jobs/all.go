package jobs

import (
	"time"

	"github.com/dossierhq/dossier"
)

// All lists every payload. A test demands that each has a handler, another that none is missing here.
var All = []Job{
	Noop{},
	SweepJobs{},
	SweepIdempotencyKeys{},
	SweepRequests{},
	SweepObjects{},
	Erase{},
	ApplyRetention{},
	EraseWorkspace{},
	ExtractDocument{},
	DrawPage{},
	MatchDocument{},
	ValidateDocument{},
	JudgeLead{},
	FillDocument{},
	RunPipeline{},
	ExtractFigures{},
	ConsolidateSpread{},
	ExportAnalytics{},
	ImportLeads{},
	SendToEndpoint{},
	DeliverWebhook{},
	ReplayWebhook{},
	SweepEvents{},
	TakeTurn{},
	SendMessage{},
	FetchMedia{},
}

var specs = func() map[string]Spec {
	byKind := make(map[string]Spec, len(All))
	for _, job := range All {
		byKind[job.Spec().Kind] = job.Spec()
	}
	return byKind
}()

// SpecOf finds the declaration of a kind; not ok for a kind of a newer release.
func SpecOf(kind string) (Spec, bool) {
	spec, ok := specs[kind]
	return spec, ok
}

// Noop does nothing: it proves that the queue is alive and measures what it costs.
type Noop struct {
	Workspace dossier.WorkspaceID `json:"workspace"`
}

// Spec implements Job.
func (Noop) Spec() Spec {
	return Spec{Kind: "system.noop", Lane: LaneSystem, Timeout: 10 * time.Second, Tries: 3}
}
