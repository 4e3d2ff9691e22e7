package workers

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Every thread of a worker gives way, and so does what it starts; one that was started lower keeps its place.
func TestGiveWay(t *testing.T) {
	if os.Getenv("GIVE_WAY") == "" { // the priority of the other tests stays as it is
		for started, want := range map[string]string{"0": "10", "15": "15"} {
			child := exec.Command("nice", "-n", started, os.Args[0], "-test.run=^TestGiveWay$", "-test.v")
			child.Env = append(os.Environ(), "GIVE_WAY=1")
			out, err := child.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "all threads and children at "+want+"\n") {
				t.Errorf("started at %s: %v\n%s", started, err, out)
			}
		}
		return
	}
	if err := GiveWay(); err != nil {
		t.Fatal(err)
	}
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	var lowest string
	for _, thread := range threads {
		stat, err := os.ReadFile("/proc/self/task/" + thread.Name() + "/stat")
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		nice := strings.Fields(rest)[16] // proc(5): field 19
		if lowest != "" && nice != lowest {
			t.Errorf("threads at %s and %s", lowest, nice)
		}
		lowest = nice
	}
	out, err := exec.Command("nice").Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(string(out)); got != lowest {
		t.Errorf("a child at %s, threads at %s", got, lowest)
	}
	t.Logf("all threads and children at %s", lowest)
}
