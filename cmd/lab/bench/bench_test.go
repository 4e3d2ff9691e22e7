package bench

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/dossierhq/dossier/cmd/lab/cluster"
)

// open starts a stack on the tests' server, which ends with the test: what they ask of a measurement holds on any, and
// one of its own, with a log that is filled first, takes longer to come up than most of them last.
// TestMeasurements_reports has one.
func open(t *testing.T) *Stack {
	t.Helper()
	shared, err := cluster.Shared(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), shared.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// The measurements measure what they say: nothing is lost on the way, and the result is one JSON object.
func TestMeasurements(t *testing.T) {
	t.Parallel()
	s := open(t)
	noop, err := JobsNoop(t.Context(), s, 300)
	if err != nil {
		t.Fatal(err)
	}
	if noop.Ledgered.Jobs != 300 || noop.Plain.Jobs != 900 || noop.Ledgered.PerSecond <= 0 || noop.Ratio <= 0 {
		t.Errorf("%+v", noop)
	}
	idle, err := EnqueueToRun(t.Context(), s, 5)
	if err != nil {
		t.Fatal(err)
	}
	if idle.Ledgered.Samples != 5 || idle.Plain.Samples != 5 || idle.Ledgered.P50 <= 0 || idle.Ledgered.P95 < idle.Ledgered.P50 {
		t.Errorf("%+v", idle)
	}
	write, err := APIWrite(t.Context(), s, 300*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	read, err := APIRead(t.Context(), s, 300*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if len(write.Operations) != 3 || len(read.Operations) != 4 {
		t.Errorf("%d writes and %d reads were measured", len(write.Operations), len(read.Operations))
	}
	for _, operation := range append(write.Operations, read.Operations...) {
		if operation.PerSecond <= 0 || operation.Ratio <= 0 || operation.P99 < operation.P50 || operation.Failed != 0 {
			t.Errorf("%+v", operation)
		}
	}
	logged, err := RequestLog(t.Context(), s, 1, 300*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if len(logged.Reads) != 2 || logged.Logged == 0 || logged.Logged > logged.Made {
		t.Errorf("%+v", logged)
	}
	for _, read := range logged.Reads {
		if read.Rate.Median <= 0 || read.With.Failed+read.Without.Failed > 0 {
			t.Errorf("%+v", read)
		}
	}
	followUps, err := FollowUps(t.Context(), s, 20, 300*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if followUps.Sent != 20 || followUps.Doubles != 0 || followUps.Events != 20 || followUps.Planned != 20 || followUps.Seconds <= 0 || followUps.Ratio <= 0 || followUps.Busy.Failed != 0 {
		t.Errorf("%+v", followUps)
	}
	for _, result := range []any{noop, idle, write, read, logged, followUps} {
		if _, err := json.Marshal(result); err != nil {
			t.Error(err)
		}
	}
}

// Operations among other tenants' data are all answered as expected.
func TestAmongTenants(t *testing.T) {
	t.Parallel()
	s := open(t)
	o := Tenants{Leads: 300, Workspaces: 5, Rate: 30, For: 200 * time.Millisecond}
	write, err := APIWriteAmong(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	read, err := APIReadAmong(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(write.Operations) != 4 || len(read.Operations) != 8 {
		t.Errorf("%d writes and %d reads were measured", len(write.Operations), len(read.Operations))
	}
	for _, operation := range append(write.Operations, read.Operations...) {
		if operation.PerSecond <= 0 || operation.P99 < operation.P50 || operation.Failed != 0 || operation.Bytes == 0 {
			t.Errorf("%+v", operation)
		}
	}
}
