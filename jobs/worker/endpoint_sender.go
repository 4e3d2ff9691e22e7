package worker

import (
	"cmp"
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
	senderRescan  = 3 * time.Second  // between looks at what waits behind the last page read
)

// endpointSender makes the first tries of one endpoint's deliveries. Everything below belongs to one goroutine, the one
// that runs it; senders and the saver only send on channels. Being the only one per endpoint, it keeps order, cap and
// rate without asking anyone.
type endpointSender struct {
	w        *Worker
	claim    postgres.Claim
	endpoint postgres.Endpoint
	fresh    time.Time // when endpoint was read
	until    time.Time // nothing is started after that
	last     time.Time // until is never later
	stopped  error     // why nothing more is started: errDisabled, a Snooze, or a failure
	probe    bool      // the breaker is half open: one request decides

	queue []postgres.Outgoing     // by position, not sent yet
	leads map[dossier.LeadID]bool // with a delivery under way, or failed and not saved
	// with a delivery that waits for its retry since the oldest was read: later ones come after it
	blocked map[dossier.LeadID]bool
	cursor  int64     // last position read
	seen    int64     // highest position ever read: nothing behind it is in hand
	more    bool      // there may be something to read
	whole   bool      // the next read begins at the oldest: something older may have become free
	freed   bool      // so it was told; what is in hand is sent first
	rescan  time.Time // when that was last done

	sending map[dossier.DeliveryID]int // requests under way, with the bytes of their bodies
	unsaved []postgres.Tried
	saving  []postgres.Tried // being committed
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

// sendToEndpoint sends what waits for an endpoint, until nothing does or its slice is over; then its successor goes on.
func (w *Worker) sendToEndpoint(ctx context.Context, claim postgres.Claim, job jobs.SendToEndpoint) error {
	wake, leave := w.senders.register(job.Webhook)
	defer leave()
	d := &endpointSender{
		w: w, claim: claim, wake: wake, until: w.Now().Add(senderSlice), more: true, rescan: w.Now(),
		// not all at one moment: a new one needs some to begin
		last:  w.Now().Add(senderMost - time.Duration(rand.Int64N(int64(senderMost/2)))),
		leads: map[dossier.LeadID]bool{}, blocked: map[dossier.LeadID]bool{}, sending: map[dossier.DeliveryID]int{},
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
	leave() // before it looks for the last time: whoever finds no sender here from now on stages one
	_, err := w.db.FinishSender(ctx, claim, job.Webhook)
	return err
}

// errDisabled stops a sender whose endpoint was disabled or deleted.
var errDisabled = Snooze(0, "settle")

// refresh reads the endpoint again: its secrets, address or state may have changed.
func (d *endpointSender) refresh(ctx context.Context) error {
	asked := d.w.Now()
	e, err := d.w.db.Endpoint(ctx, d.endpoint.Workspace, d.endpoint.ID)
	if err != nil {
		return err
	}
	d.endpoint, d.fresh = e, asked
	if e.Deleted || !e.Enabled {
		d.stopped = errDisabled
		return nil
	}
	d.limit(e.RateLimit)
	if e.Breaker.OpenFor > 0 && d.next() < 0 {
		if d.read(ctx); d.next() < 0 {
			d.until, d.last = d.w.Now(), d.w.Now() // nothing may be sent: the probe is for a retry
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
	lastWork := d.w.Now()
	for {
		d.save(ctx)
		again := d.launch(ctx)
		if d.busy() || len(d.queue) > 0 {
			lastWork = d.w.Now()
		}
		if d.w.draining.Load() { // another worker goes on; what is under way here is waited for, lest it is sent twice
			d.until, d.last = d.w.Now(), d.w.Now()
		}
		if !d.w.Now().Before(d.until) {
			d.extendSlice(ctx)
		}
		if !d.busy() && (d.stopped != nil || !d.w.Now().Before(d.until)) {
			return
		}
		if !d.busy() && len(d.queue) == 0 && !d.more {
			if d.w.Now().Sub(lastWork) >= d.w.timing.idleTimeout {
				return
			}
			again = d.w.timing.idleTimeout
		}
		d.wait(ctx, again)
	}
}

// extendSlice lets it go on when its slice is over and nobody waits for its place: beginning anew holds up what waits.
func (d *endpointSender) extendSlice(ctx context.Context) {
	now := d.w.Now()
	if d.stopped != nil || !now.Before(d.last) || d.w.laneFull(jobs.LaneWebhook) {
		return
	}
	switches, err := d.w.db.LaneSwitches(ctx)
	paused := func(s postgres.LaneSwitch) bool { return s.Lane == jobs.LaneWebhook && s.Paused }
	if err != nil || slices.ContainsFunc(switches, paused) {
		d.last = now
		return
	}
	d.until = now.Add(min(senderStep, d.last.Sub(now)))
}

// laneFull reports whether a lane has no place for another job here.
func (w *Worker) laneFull(name jobs.Lane) bool {
	i := slices.IndexFunc(w.lanes, func(l *lane) bool { return l.name == name })
	return i < 0 || len(w.lanes[i].slots) == cap(w.lanes[i].slots)
}

// busy: something was sent and is not saved yet.
func (d *endpointSender) busy() bool {
	return len(d.sending) > 0 || len(d.unsaved) > 0 || d.saving != nil
}

// wait blocks until something happens, at most for the given time.
func (d *endpointSender) wait(ctx context.Context, atMost time.Duration) {
	timer := time.NewTimer(atMost)
	defer timer.Stop()
	done := ctx.Done()
	if d.stopped != nil {
		done = nil // known already; what is under way ends by itself
	}
	select {
	case r := <-d.results:
		d.receive(r)
		for len(d.results) > 0 {
			d.receive(<-d.results)
		}
	case c := <-d.saved:
		d.committed(c)
	case freed := <-d.wake: // what is new comes behind all it has read
		d.more, d.freed = true, d.freed || freed
	case <-done:
		d.stop(context.Cause(ctx))
	case <-timer.C:
		if !d.more { // else the next page is behind the last one
			d.more, d.whole = true, len(d.queue) == 0
		}
	}
}

// enqueue takes a delivery in hand. One whose lead has an earlier one that waits for its retry waits to be read after
// that: the earlier one may be free by now, but is not in hand.
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

// launch starts what may be sent now and returns when to look again if nothing happens before.
func (d *endpointSender) launch(ctx context.Context) time.Duration {
	if d.mayBeFree() {
		d.more, d.whole = true, true
	}
	if d.stopped == nil && d.wantsPage() {
		d.read(ctx)
	}
	for d.stopped == nil && d.w.Now().Before(d.until) && len(d.unsaved)+len(d.saving) < senderUnsaved {
		if d.w.Now().Sub(d.fresh) > jobs.EndpointKnown && !d.probe {
			if err := d.refresh(ctx); err != nil {
				d.stop(err)
			}
			continue
		}
		i := d.next()
		if i < 0 && d.wantsPage() {
			return 0 // a page of deliveries that all wait: on to the next
		}
		if i < 0 || d.probe && d.busy() {
			break
		}
		if wait := d.throttled(); wait > 0 {
			return wait
		}
		if !d.w.senders.acquire(d.endpoint.ID, d.w.Webhooks.Inflight) {
			return 20 * time.Millisecond // by our own requests, whose end wakes us, or by retries
		}
		d.send(ctx, i)
	}
	return time.Second
}

// mayBeFree reports whether something that was read before, and waited, may go now.
func (d *endpointSender) mayBeFree() bool {
	if d.freed && len(d.sending) == 0 && len(d.queue) == 0 || len(d.blocked) > 0 && !d.endpoint.Retrying {
		return true
	}
	return d.w.Now().Sub(d.rescan) > senderRescan
}

// wantsPage reports whether another page is to be read: there is one, and room for it.
func (d *endpointSender) wantsPage() bool {
	return d.more && len(d.queue) < senderBuffer/2 && d.inHand() < d.w.senders.byteShare()
}

// inHand is how many bytes of bodies wait in the queue or are being sent.
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

// throttled spends one of the endpoint's allowance, or says how long to wait for it.
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

// next is the first delivery in the queue whose lead has none under way, or -1.
func (d *endpointSender) next() int {
	return slices.IndexFunc(d.queue, func(o postgres.Outgoing) bool { return o.LeadID == "" || !d.leads[o.LeadID] })
}

func (d *endpointSender) send(ctx context.Context, i int) {
	o, e := d.queue[i], d.endpoint
	if i == 0 {
		d.queue[0].Body = nil // the place outlives what stood in it
		d.queue = d.queue[1:] // nearly always: the rest need not move
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

// receive takes an outcome. After a success the lead's next may go at once; after a failure only when the failure is
// committed, since the commit decides whether it has to wait.
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

// save commits the outcomes so far, in the background and one commit at a time: while one is written the next gathers.
func (d *endpointSender) save(ctx context.Context) {
	if d.saving != nil || len(d.unsaved) == 0 {
		return
	}
	batch := d.unsaved
	d.saving, d.unsaved = batch, nil
	endpoint, weigh := d.endpoint.ID, d.endpoint.Failing // which may be read again meanwhile
	go func() {
		saved, err := d.w.saveAttempts(context.WithoutCancel(ctx), d.claim, endpoint, batch, weigh)
		d.saved <- commit{saved, err}
	}()
}

// saveAttempts tries for as long as the claim can hold: what was sent and is not recorded is sent again.
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
		if lead := t.Delivery.LeadID; lead != "" { // later ones wait in the database, unless it says otherwise
			d.queue = slices.DeleteFunc(d.queue, func(o postgres.Outgoing) bool { return o.LeadID == lead })
			delete(d.leads, lead)
			d.more, d.whole = true, true
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

// read fills the queue with the next page: behind what was read before, or, now and then, from the oldest on, since
// what waited there may have become free.
func (d *endpointSender) read(ctx context.Context) {
	if d.whole {
		d.cursor, d.whole, d.freed, d.rescan = 0, false, false, d.w.Now()
		clear(d.blocked)
	}
	var except []dossier.DeliveryID
	if d.cursor < d.seen {
		except = d.idsInHand()
	}
	next, err := d.w.db.NextDeliveries(ctx, d.endpoint.Workspace, d.endpoint.ID, d.cursor, except,
		postgres.Room{Deliveries: senderBuffer, Bytes: d.w.senders.byteShare() - d.inHand()})
	if err != nil {
		d.stop(err)
		return
	}
	d.more = next.Full
	d.cursor = max(d.cursor, next.Last)
	d.seen = max(d.seen, d.cursor)
	for _, lead := range next.Blocked {
		d.blocked[lead] = true
	}
	for _, o := range next.Deliveries {
		d.enqueue(o)
	}
	slices.SortStableFunc(d.queue, func(a, b postgres.Outgoing) int { return cmp.Compare(a.Position, b.Position) })
}

// idsInHand are the deliveries this sender has in hand, which the database still calls waiting.
func (d *endpointSender) idsInHand() []dossier.DeliveryID {
	var ids []dossier.DeliveryID
	for id := range d.sending {
		ids = append(ids, id)
	}
	for _, list := range [][]postgres.Tried{d.unsaved, d.saving} {
		for _, t := range list {
			ids = append(ids, t.Delivery.ID)
		}
	}
	for _, o := range d.queue {
		ids = append(ids, o.ID)
	}
	return ids
}
