package jobs

import "time"

// Housekeeping belongs to no workspace. The schedule in jobs/worker stages it.

// SweepJobs deletes finished ledger rows when they are old enough.
type SweepJobs struct{}

// Spec implements Job.
func (SweepJobs) Spec() Spec {
	return Spec{Kind: "system.sweep-jobs", Lane: LaneSystem, Timeout: 5 * time.Minute, Tries: 3}
}

// ApplyRetention erases what is past the age to which its workspace keeps it.
type ApplyRetention struct{}

// Spec implements Job.
func (ApplyRetention) Spec() Spec {
	return Spec{Kind: "system.apply-retention", Lane: LaneSystem, Timeout: 15 * time.Minute, Tries: 3}
}

// SweepIdempotencyKeys deletes keys that have expired.
type SweepIdempotencyKeys struct{}

// Spec implements Job.
func (SweepIdempotencyKeys) Spec() Spec {
	return Spec{Kind: "system.sweep-idempotency-keys", Lane: LaneSystem, Timeout: 5 * time.Minute, Tries: 3}
}

// SweepRequests forgets requests that are old enough.
type SweepRequests struct{}

// Spec implements Job.
func (SweepRequests) Spec() Spec {
	return Spec{Kind: "system.sweep-requests", Lane: LaneSystem, Timeout: 5 * time.Minute, Tries: 3}
}

// SweepObjects deletes stored objects that no row names: what an upload leaves that died before its commit.
type SweepObjects struct{}

// Spec implements Job.
func (SweepObjects) Spec() Spec {
	return Spec{Kind: "system.sweep-objects", Lane: LaneSystem, Timeout: 15 * time.Minute, Tries: 3}
}
