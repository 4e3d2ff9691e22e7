package worker

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"golang.org/x/time/rate"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
)

const (
	senderSlice   = 10 * time.Second // then it ends, if other endpoints wait for its place
	senderStep    = 5 * time.Second  // how much longer it goes on while none does
	senderMost    = 50 * time.Second // in all, within the time of its job
	senderBuffer  = 256              // deliveries read ahead
	senderUnsaved = 512              // outcomes not committed yet, beyond which nothing is sent
	senderRescan  = 3 * time.Second  // between reads from the oldest delivery on
)

// endpointSender makes the first tries of one endpoint's deliveries. There is at most one per endpoint over all
// processes, so it keeps order, in-flight cap and rate without locks. Its fields belong to the goroutine that calls
// run; requests and commits run in goroutines of their own and report on results and saved.
type endpointSender struct {
	w        *Worker
	claim    postgres.Claim
	endpoint postgres.Endpoint
	readAt   time.Time // when endpoint was read
	sliceEnd time.Time // no request is started after that
	maxEnd   time.Time // sliceEnd is never later
	lastWork time.Time // when there was something to do
	stopped  error     // why no more requests are started: errDisabled, a Snooze, or a failure
	probe    bool      // the breaker is half open: one request decides

	queue []postgres.Outgoing     // read and not sent yet, by position in the feed
	leads map[dossier.LeadID]bool // that have a request under way, or one that failed and is not saved yet
	// blocked are the leads with a delivery that waits for its retry, as of the last read from the start: their later
	// deliveries have to wait.
	blocked   map[dossier.LeadID]bool
	cursor    int64     // last position read
	seen      int64     // highest position ever read
	more      bool      // there may be something to read
	fromStart bool      // the next read begins at the oldest position: deliveries there may no longer be blocked
	freed     bool      // another process said that they are not; what has been read is sent first
	rescan    time.Time // when the last read from the start was

	sending map[dossier.DeliveryID]int // requests under way, with the size of their bodies in bytes
	unsaved []postgres.Tried           // finished, not committed yet
	saving  []postgres.Tried           // being committed
	limiter *rate.Limiter
	results chan result
	saved   chan commit
	wake    <-chan bool
}

type result struct {
	postgres.Tried
	ok bool
}

type commit struct {
	postgres.Saved
	err error
}

// sendToEndpoint sends the deliveries that wait for an endpoint, until there are none or its time slice is over; then
// it stages its successor.
func (w *Worker) sendToEndpoint(ctx context.Context, claim postgres.Claim, job jobs.SendToEndpoint) error {
	wake, leave := w.senders.register(job.Webhook)
	defer leave()
	d := &endpointSender{
		w: w, claim: claim, wake: wake, sliceEnd: w.Now().Add(senderSlice), more: true, rescan: w.Now(),
		// Spread at random, so that not all senders of a process end, and are replaced, at the same time.
		maxEnd: w.Now().Add(senderMost - time.Duration(rand.Int64N(int64(senderMost/2)))),
		leads:  map[dossier.LeadID]bool{}, blocked: map[dossier.LeadID]bool{}, sending: map[dossier.DeliveryID]int{},
		results: make(chan result, w.Webhooks.Inflight), saved: make(chan commit, 1),
	}
	d.endpoint.Workspace, d.endpoint.ID = job.Workspace, job.Webhook
	if err := d.refresh(ctx); err != nil {
		return err
	}
	if d.stopped == nil {
		d.run(ctx)
	}
	if d.stopped != nil && d.stopped != errDisabled {
		return d.stopped
	}
	if d.stopped == errDisabled {
		if err := w.endDeliveries(ctx, job.Workspace, job.Webhook); err != nil {
			return err
		}
	}
	leave() // before the last look for work (FinishSender): whoever finds no sender from now on stages one
	_, err := w.db.FinishSender(ctx, claim, job.Webhook)
	return err
}

// errDisabled stops a sender whose endpoint was disabled or deleted.
var errDisabled = Snooze(0, "settle")

// refresh reads the endpoint again, since its secrets, address or state may have changed, and asks its breaker. It sets
// stopped when no request may be sent.
func (d *endpointSender) refresh(ctx context.Context) error {
	asked := d.w.Now()
	e, err := d.w.db.Endpoint(ctx, d.endpoint.Workspace, d.endpoint.ID)
	if err != nil {
		return err
	}
	d.endpoint, d.readAt = e, asked
	if e.Deleted || !e.Enabled {
		d.stopped = errDisabled
		return nil
	}
	d.limit(e.RateLimit)
	if e.Breaker.OpenFor > 0 && d.next() < 0 {
		if d.read(ctx); d.next() < 0 {
			d.sliceEnd, d.maxEnd = d.w.Now(), d.w.Now() // nothing to send here: leave the probe to a retry
			return nil
		}
	}
	wait, err := d.w.breakerWait(ctx, e)
	if err != nil {
		return err
	}
	if wait > 0 {
		d.stopped = Snooze(wait, "breaker_open")
	}
	d.probe = wait == 0 && e.Breaker.OpenFor > 0
	return nil
}

func (d *endpointSender) limit(perSecond int) {
	switch {
	case perSecond == 0:
		d.limiter = nil
	case d.limiter == nil:
		d.limiter = rate.NewLimiter(rate.Limit(perSecond), max(1, perSecond/10))
	case d.limiter.Limit() != rate.Limit(perSecond):
		d.limiter.SetLimit(rate.Limit(perSecond))
		d.limiter.SetBurst(max(1, perSecond/10))
	}
}

// run sends until it is stopped or has had nothing to do for a while, and returns when nothing is under way and
// everything is saved.
func (d *endpointSender) run(ctx context.Context) {
	d.lastWork = d.w.Now()
	for {
		again, done := d.step(ctx)
		if done {
			return
		}
		d.wait(ctx, again)
	}
}

// step does all that can be done now. It reports whether the sender is to end, or else when to look again if nothing
// happens before.
func (d *endpointSender) step(ctx context.Context) (again time.Duration, done bool) {
	d.save(ctx)
	if d.w.draining.Load() { // another worker goes on; what is under way here is waited for, lest it is sent twice
		d.sliceEnd, d.maxEnd = d.w.Now(), d.w.Now()
	}
	if !d.w.Now().Before(d.sliceEnd) {
		d.extendSlice(ctx) // before it sends: what has come would wait for the next event
	}
	again = d.launch(ctx)
	if d.busy() || len(d.queue) > 0 {
		d.lastWork = d.w.Now()
	}
	if d.busy() {
		return again, false
	}
	if d.stopped != nil || !d.w.Now().Before(d.sliceEnd) {
		return 0, true
	}
	if len(d.queue) == 0 && !d.more {
		return d.w.timing.idleTimeout, d.w.Now().Sub(d.lastWork) >= d.w.timing.idleTimeout
	}
	return again, false
}

// extendSlice prolongs the slice when it is over and no other job waits for the lane's slots: starting a new job would
// only delay the deliveries.
func (d *endpointSender) extendSlice(ctx context.Context) {
	now := d.w.Now()
	if d.stopped != nil || !now.Before(d.maxEnd) || d.w.laneFull(jobs.LaneWebhook) {
		return
	}
	switches, err := d.w.db.LaneSwitches(ctx)
	paused := func(s postgres.LaneSwitch) bool { return s.Lane == jobs.LaneWebhook && s.Paused }
	if err != nil || slices.ContainsFunc(switches, paused) {
		d.maxEnd = now
		return
	}
	d.sliceEnd = now.Add(min(senderStep, d.maxEnd.Sub(now)))
}

// busy reports whether something was sent and is not saved yet.
func (d *endpointSender) busy() bool {
	return len(d.sending) > 0 || len(d.unsaved) > 0 || d.saving != nil
}

// wait blocks until something happens, at most for the given time.
func (d *endpointSender) wait(ctx context.Context, atMost time.Duration) {
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	done := ctx.Done()
	if d.stopped != nil {
		done = nil // stopping already; requests under way end by themselves
	}
	select {
	case r := <-d.results:
		d.receive(r)
		for len(d.results) > 0 {
			d.receive(<-d.results)
		}
	case c := <-d.saved:
		d.committed(c)
	case freed := <-d.wake: // new deliveries come behind all that was read
		d.more, d.freed = true, d.freed || freed
	case <-done:
		d.stop(context.Cause(ctx))
	case <-timer.C:
		if !d.more { // otherwise the next read continues behind the last page
			d.more, d.fromStart = true, len(d.queue) == 0
		}
	}
}

// enqueue adds a delivery to the queue, unless its lead has an earlier one that waits for its retry: then it is read
// again later, after the earlier one.
func (d *endpointSender) enqueue(o postgres.Outgoing) {
	if o.LeadID == "" || !d.blocked[o.LeadID] {
		d.queue = append(d.queue, o)
	}
}

func (d *endpointSender) stop(err error) {
	if d.stopped == nil {
		d.stopped = err
	}
}

// launch starts all requests that may be sent now. It returns after what time to call it again if nothing happens
// before.
func (d *endpointSender) launch(ctx context.Context) time.Duration {
	if d.mayBeFree() {
		d.more, d.fromStart = true, true
	}
	if d.stopped == nil && d.wantsPage() {
		d.read(ctx)
	}
	for d.stopped == nil && d.w.Now().Before(d.sliceEnd) && len(d.unsaved)+len(d.saving) < senderUnsaved {
		if d.w.Now().Sub(d.readAt) > jobs.EndpointKnown && !d.probe {
			if err := d.refresh(ctx); err != nil {
				d.stop(err)
			}
			continue
		}
		i := d.next()
		if i < 0 && d.wantsPage() {
			return 0 // all deliveries of the page have to wait: read the next one
		}
		if i < 0 || d.probe && d.busy() {
			break
		}
		if wait := d.throttled(); wait > 0 {
			return wait
		}
		if !d.w.senders.acquire(d.endpoint.ID, d.w.Webhooks.Inflight) {
			return 20 * time.Millisecond // the cap is used up by own requests, whose end wakes us, or by retries
		}
		d.send(ctx, i)
	}
	return time.Second
}

// mayBeFree reports whether a delivery that had to wait when it was read may be sent now.
func (d *endpointSender) mayBeFree() bool {
	if d.freed && len(d.sending) == 0 && len(d.queue) == 0 || len(d.blocked) > 0 && !d.endpoint.Retrying {
		return true
	}
	return d.w.Now().Sub(d.rescan) > senderRescan
}

// wantsPage reports whether to read another page: there may be one, and there is room for it.
func (d *endpointSender) wantsPage() bool {
	return d.more && len(d.queue) < senderBuffer/2 && d.inHand() < d.w.senders.byteShare()
}

// inHand returns how many bytes of bodies are in the queue or being sent.
func (d *endpointSender) inHand() int {
	bytes := 0
	for i := range d.queue {
		bytes += len(d.queue[i].Body)
	}
	for _, body := range d.sending {
		bytes += body
	}
	return bytes
}

// throttled takes a token of the endpoint's rate limit and returns 0, or how long to wait for one.
func (d *endpointSender) throttled() time.Duration {
	if d.limiter == nil {
		return 0
	}
	now := d.w.Now()
	r := d.limiter.ReserveN(now, 1)
	wait := r.DelayFrom(now)
	if wait > 0 {
		r.CancelAt(now)
	}
	return wait
}

// next returns the index of the first delivery in the queue whose lead has no request under way, or -1.
func (d *endpointSender) next() int {
	return slices.IndexFunc(d.queue, func(o postgres.Outgoing) bool { return o.LeadID == "" || !d.leads[o.LeadID] })
}

func (d *endpointSender) send(ctx context.Context, i int) {
	o, e := d.queue[i], d.endpoint
	if i == 0 {
		d.queue[0].Body = nil // free it: the array lives on
		d.queue = d.queue[1:] // the usual case: nothing has to be moved
	} else {
		d.queue = slices.Delete(d.queue, i, i+1)
	}
	d.sending[o.ID] = len(o.Body)
	if o.LeadID != "" {
		d.leads[o.LeadID] = true
	}
	go func() {
		a, ok := d.w.attempt(ctx, e, o)
		d.w.senders.release(e.ID)
		d.results <- result{postgres.Tried{Delivery: o.Delivery, Attempt: a}, ok}
	}()
}

// receive takes the result of a request. After a success the lead's next delivery may be sent at once; after a failure
// only once the failure is committed, since the commit decides whether later deliveries have to wait for its retry.
func (d *endpointSender) receive(r result) {
	delete(d.sending, r.Delivery.ID)
	if !r.ok {
		return
	}
	d.unsaved = append(d.unsaved, r.Tried)
	if r.Attempt.OK() {
		delete(d.leads, r.Delivery.LeadID)
	}
}

// save commits the results so far, in the background and one commit at a time: meanwhile the next ones are collected.
func (d *endpointSender) save(ctx context.Context) {
	if d.saving != nil || len(d.unsaved) == 0 {
		return
	}
	batch := d.unsaved
	d.saving, d.unsaved = batch, nil
	endpoint, weigh := d.endpoint.ID, d.endpoint.Failing // copied, since d.endpoint may be read again meanwhile
	go func() {
		saved, err := d.w.saveAttempts(context.WithoutCancel(ctx), d.claim, endpoint, batch, weigh)
		d.saved <- commit{saved, err}
	}()
}

// saveAttempts saves attempts, and repeats that while the database is away and the claim may still hold: whatever is
// not saved will be sent a second time.
func (w *Worker) saveAttempts(ctx context.Context, claim postgres.Claim, id dossier.WebhookID, batch []postgres.Tried,
	weigh bool) (postgres.Saved, error) {
	ctx, cancel := context.WithTimeout(ctx, postgres.Lease)
	defer cancel()
	for {
		saved, err := w.db.SaveAttempts(ctx, claim, id, batch, weigh, w.Webhooks.Schedule)
		if dossier.KindOf(err) != dossier.Unavailable || !jobs.Sleep(ctx, 200*time.Millisecond) {
			return saved, err
		}
	}
}

func (d *endpointSender) committed(c commit) {
	batch := d.saving
	d.saving = nil
	if c.err != nil {
		d.stop(c.err)
		return
	}
	for _, t := range batch {
		if t.Attempt.OK() {
			continue
		}
		d.endpoint.Failing, d.endpoint.Retrying = true, true
		if lead := t.Delivery.LeadID; lead != "" { // the next read says whether its later deliveries have to wait
			d.queue = slices.DeleteFunc(d.queue, func(o postgres.Outgoing) bool { return o.LeadID == lead })
			delete(d.leads, lead)
			d.more, d.fromStart = true, true
		}
	}
	switch {
	case c.Disabled:
		d.stop(errDisabled)
	case !c.OpenUntil.IsZero():
		d.stop(Snooze(max(c.OpenUntil.Sub(d.w.Now()), time.Second), "breaker_open"))
	default:
		d.probe = false
	}
}
