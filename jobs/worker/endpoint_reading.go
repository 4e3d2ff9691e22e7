package worker

import (
	"cmp"
	"context"
	"slices"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
)

// read fills the queue with the next page: behind what was read before or, with fromStart, from the oldest delivery on.
func (d *endpointSender) read(ctx context.Context) {
	if d.fromStart {
		d.cursor, d.fromStart, d.freed, d.rescan = 0, false, false, d.w.Now()
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

// idsInHand returns the deliveries that this sender has read or sent and whose results are not saved yet: the database
// still has them as waiting.
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
