package chart

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"
)

// autoscaler is how Kubernetes scales what KEDA hands to it: the arithmetic of the horizontal pod autoscaler
// (k8s.io/kubernetes/pkg/controller/podautoscaler: GetExternalPerPodMetricReplicas and
// normalizeDesiredReplicasWithBehaviors), for one external metric of the type AverageValue.
type autoscaler struct {
	min, max   int
	perPod     float64 // targetQueryValue
	shrink     int     // stabilizationWindowSeconds of scaleDown
	upPercent  int     // and the others: policies, each over its seconds
	upPods     int
	upPeriod   int
	downShare  int
	downPeriod int

	wishes  []event // what the metric asked for
	changes []event // of replicas
}

type event struct{ at, n int }

// tick is how often the controller looks, seconds; tolerance is how far the metric may be off before it does anything;
// starting is how long a new pod takes until it works.
const (
	tick      = 15
	tolerance = 0.1
	starting  = 30
)

// step is the number of pods that the controller wants at a moment.
func (a *autoscaler) step(at, pods int, metric float64) int {
	wish := pods
	if ratio := metric / (a.perPod * float64(pods)); math.Abs(1-ratio) > tolerance {
		wish = int(math.Ceil(metric / a.perPod))
	}
	a.wishes = append(a.wishes, event{at, wish})
	recent := wish
	for _, w := range a.wishes {
		if w.at > at-a.shrink {
			recent = max(recent, w.n)
		}
	}
	switch {
	case wish > pods:
		before := pods - a.changed(at, a.upPeriod, +1)
		most := max(int(math.Ceil(float64(before)*(1+float64(a.upPercent)/100))), before+a.upPods)
		wish = min(wish, max(most, pods))
	case recent < pods:
		before := pods + a.changed(at, a.downPeriod, -1)
		wish = max(recent, min(int(float64(before)*(1-float64(a.downShare)/100)), pods))
	default:
		wish = pods
	}
	wish = min(max(wish, a.min), a.max)
	if wish != pods {
		a.changes = append(a.changes, event{at, wish - pods})
	}
	return wish
}

// changed is how many pods were added (sign 1) or taken away (-1) in the last seconds.
func (a *autoscaler) changed(at, seconds, sign int) int {
	sum := 0
	for _, c := range a.changes {
		if c.at > at-seconds && c.n*sign > 0 {
			sum += c.n * sign
		}
	}
	return sum
}

// scaled is what the chart gives KEDA for a worker in the profile of high availability.
func scaled(t *testing.T, worker string, values ...string) *autoscaler {
	t.Helper()
	args := append(profiles["high-availability"][:4:4], values...)
	spec := objects(t, mustTemplate(t, newest, args...))["ScaledObject dossier-worker-"+worker]["spec"].(map[string]any)
	behavior := spec["advanced"].(map[string]any)["horizontalPodAutoscalerConfig"].(map[string]any)["behavior"].(map[string]any)
	up, down := behavior["scaleUp"].(map[string]any), behavior["scaleDown"].(map[string]any)
	ups, downs := up["policies"].([]any), down["policies"].([]any)
	percent, pods, less := ups[0].(map[string]any), ups[1].(map[string]any), downs[0].(map[string]any)
	trigger := spec["triggers"].([]any)[0].(map[string]any)
	if trigger["metricType"] != "AverageValue" || percent["type"] != "Percent" || pods["type"] != "Pods" || less["type"] != "Percent" ||
		up["stabilizationWindowSeconds"] != 0 || percent["periodSeconds"] != pods["periodSeconds"] {
		t.Fatalf("this model knows no such scaler: %v", spec)
	}
	perPod, err := strconv.ParseFloat(trigger["metadata"].(map[string]any)["targetQueryValue"].(string), 64)
	if err != nil {
		t.Fatal(err)
	}
	return &autoscaler{min: spec["minReplicaCount"].(int), max: spec["maxReplicaCount"].(int), perPod: perPod,
		shrink: down["stabilizationWindowSeconds"].(int), upPercent: percent["value"].(int), upPods: pods["value"].(int),
		upPeriod: pods["periodSeconds"].(int), downShare: less["value"].(int), downPeriod: less["periodSeconds"].(int)}
}

// second is one line of a recording: jobs that arrived and that ended by then, and how many were due or ran.
type second struct{ arrived, ended, waiting, running int }

// recording reads testdata/lanes.csv.
func recording(t *testing.T) []second {
	t.Helper()
	file, err := os.Open("testdata/lanes.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	reader := csv.NewReader(file)
	reader.Comment = '#'
	lines, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var all []second
	for _, line := range lines[1:] {
		var n [5]int
		for i, text := range line {
			if n[i], err = strconv.Atoi(text); err != nil {
				t.Fatal(err)
			}
		}
		for len(all) < n[0] { // a recorder may miss a second
			all = append(all, second{n[1], n[2], n[3], n[4]})
		}
	}
	return all
}

// run is what became of a lane.
type ran struct {
	waiting []float64 // due or running, each second
	pods    []int
	turns   int // from growing to shrinking or back
	drained int // the second after which nothing waited; -1: it never ended
}

// play lets jobs arrive, so many each second, at pods that each end some a second.
func play(a *autoscaler, arrivals []float64, perPod float64, seconds int) ran {
	var r ran
	pods, ready, waiting, way := a.min, float64(a.min), 0.0, 0
	var starts []event
	r.drained = -1
	for at := range seconds {
		if at < len(arrivals) {
			waiting += arrivals[at]
		}
		for len(starts) > 0 && starts[0].at <= at {
			ready += float64(starts[0].n)
			starts = starts[1:]
		}
		waiting = max(0, waiting-min(ready, float64(pods))*perPod)
		if at%tick == 0 {
			next := a.step(at, pods, math.Round(waiting))
			if next != pods {
				if direction := sign(next - pods); direction != way {
					if way != 0 {
						r.turns++
					}
					way = direction
				}
			}
			if next > pods {
				starts = append(starts, event{at + starting, next - pods})
			}
			if next < pods {
				ready = min(ready, float64(next))
			}
			pods = next
		}
		if waiting < 1 && at >= len(arrivals) && r.drained < 0 {
			r.drained = at
		}
		r.waiting, r.pods = append(r.waiting, waiting), append(r.pods, pods)
	}
	return r
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

// TestScaling lets a tenfold burst of a recorded one loose on the workers of the high-availability profile, scaled as
// KEDA and Kubernetes would scale what the chart gives them: they drain it in minutes and go back to where they were, up
// once and down once.
func TestScaling(t *testing.T) {
	t.Parallel()
	seen := recording(t)
	arrivals, perPod := arrivalsOf(seen)

	// The model's lane is the recorded one: one pod, as it was, is done when it was done.
	alone := play(&autoscaler{min: 1, max: 1, perPod: 1}, arrivals, perPod, len(seen))
	recorded := busyUntil(seen)
	if math.Abs(float64(busyUntilOf(alone)-recorded)) > 15 {
		t.Errorf("the model's one pod is busy until second %d, the recorded one was until %d", busyUntilOf(alone), recorded)
	}

	burst := make([]float64, len(arrivals))
	for i := range arrivals {
		burst[i] = 10 * arrivals[i]
	}
	a := scaled(t, "documents")
	r := play(a, burst, perPod, 3600)
	top, most := 0, 0.0
	for i := range r.pods {
		top, most = max(top, r.pods[i]), max(most, r.waiting[i])
	}
	fixed := play(&autoscaler{min: a.min, max: a.min, perPod: 1}, burst, perPod, 3600)
	t.Logf("%.1f jobs/s a pod, burst of %.0f jobs, at most %.0f wait; %d to %d pods; idle after %d s, with %d pods after %d s; back at %d pods in the end, %d turns",
		perPod, sum(burst), most, a.min, top, busyUntilOf(r), a.min, busyUntilOf(fixed), r.pods[len(r.pods)-1], r.turns)
	if top <= 2*a.min || top > a.max || r.turns != 1 || r.pods[len(r.pods)-1] != a.min {
		t.Errorf("%d to %d pods with %d turns, %d in the end: want one way up and one down", a.min, top, r.turns, r.pods[len(r.pods)-1])
	}
	if until, without := busyUntilOf(r), busyUntilOf(fixed); r.drained < 0 || until-burstEnd(arrivals) > (without-burstEnd(arrivals))/2 {
		t.Errorf("the burst is drained after %d s, without a scaler after %d", until, without)
	}

	// Bursts that come again every four minutes: a scaler that shrinks at once comes and goes with each.
	var waves []float64
	for range 12 {
		waves = append(waves, burst...)
		waves = append(waves, make([]float64, 60)...)
	}
	slow := play(scaled(t, "documents"), waves, perPod, len(waves)+3600)
	hasty := play(scaled(t, "documents", "--set", "workers.documents.scaling.shrinkAfter=0"), waves, perPod, len(waves)+3600)
	t.Logf("12 bursts, one every four minutes: %d turns; %d without shrinkAfter", slow.turns, hasty.turns)
	if hasty.turns < 20 || slow.turns > hasty.turns/2 {
		t.Errorf("bursts every four minutes turn the scaler %d times, %d times without shrinkAfter: want at most half", slow.turns, hasty.turns)
	}
}

// arrivalsOf are the jobs that arrived in each second, and how many one pod ended a second while some waited.
func arrivalsOf(seen []second) (arrivals []float64, perPod float64) {
	before, busy, ended := second{}, 0, 0
	for i, s := range seen {
		arrivals = append(arrivals, float64(s.arrived-before.arrived))
		if i > 0 && before.waiting > 0 {
			busy++
			ended += s.ended - before.ended
		}
		before = s
	}
	return arrivals, float64(ended) / float64(busy)
}

// busyUntil is the last second of a recording in which more waited than one pod ends in a moment.
func busyUntil(seen []second) int {
	last := 0
	for i, s := range seen {
		if s.waiting > 10 {
			last = i
		}
	}
	return last
}

func busyUntilOf(r ran) int {
	last := 0
	for i, n := range r.waiting {
		if n > 10 {
			last = i
		}
	}
	return last
}

// burstEnd is the second after which only what always comes arrives.
func burstEnd(arrivals []float64) int {
	last := 0
	for i, n := range arrivals {
		if n >= 10 {
			last = i
		}
	}
	return last
}

func sum(list []float64) (total float64) {
	for _, n := range list {
		total += n
	}
	return total
}
