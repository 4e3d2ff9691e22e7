package postgres

import (
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"github.com/dossierhq/dossier"
)

// factsVersion begins every encoded report. A new layout takes the next number, and a migration that marks all leads
// as changed.
const factsVersion = 1

// What an item's states are called in facts: their place here. New ones are appended.
var (
	factStatuses = []dossier.ItemStatus{dossier.ItemTodo, dossier.ItemCompleted, dossier.ItemInvalid, dossier.ItemSkipped, dossier.ItemNeedsReview}
	factSources  = []dossier.ValueSource{"", dossier.SourceAgent, dossier.SourceImported, dossier.SourceManual, dossier.SourcePortal}
)

// errFacts says that facts are not what encodeFacts writes.
var errFacts = errors.New("the facts of a report are damaged (dossier analytics verify --repair makes them again)")

// encodeFacts is a report without its lead's id and creation: numbers as varints, texts with their length before them,
// moments in microseconds since the creation. The same report has the same bytes.
func encodeFacts(r dossier.LeadReport) ([]byte, error) {
	b := make([]byte, 0, 128+64*len(r.Items))
	b = append(b, factsVersion)
	for _, text := range []*string{r.FirstName, r.LastName, r.Email, r.PhoneNumber} {
		b = appendFactText(b, text)
	}
	for _, at := range []*time.Time{r.CompletedAt, r.NotInterestedAt, r.OptOutAt} {
		b = appendFactTime(b, at, r.CreatedAt)
	}
	for _, c := range r.Channels {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(c.Inbound)), uint64(c.Outbound))
		for _, at := range []*time.Time{c.FirstInboundAt, c.FirstOutboundAt, c.LastInboundAt, c.LastOutboundAt} {
			b = appendFactTime(b, at, r.CreatedAt)
		}
	}
	for _, n := range []int{r.Interventions.DocumentOverrides, r.Interventions.Escalations, r.Interventions.ManualUpdates, r.Interventions.MessageEdits, r.Interventions.MessageRejects} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = binary.AppendUvarint(b, uint64(len(r.Items)))
	for _, item := range r.Items {
		status, source := slices.Index(factStatuses, item.Status), slices.Index(factSources, item.Source)
		if status < 0 || source < 0 {
			return nil, errors.New("facts know no status " + string(item.Status) + " with source " + string(item.Source))
		}
		state := byte(status)<<4 | byte(source)<<1
		if item.Required {
			state |= 1
		}
		b = append(appendFactBytes(b, []byte(item.Code)), state)
		b = appendFactTime(appendFactBytes(b, item.Value), &item.UpdatedAt, r.CreatedAt)
	}
	return b, nil
}

func appendFactText(b []byte, text *string) []byte {
	if text == nil {
		return append(b, 0)
	}
	return append(binary.AppendUvarint(b, uint64(len(*text))+1), *text...)
}

// appendFactBytes writes nil as absent, as appendFactText does.
func appendFactBytes(b, text []byte) []byte {
	if text == nil {
		return append(b, 0)
	}
	return append(binary.AppendUvarint(b, uint64(len(text))+1), text...)
}

func appendFactTime(b []byte, at *time.Time, created time.Time) []byte {
	if at == nil {
		return append(b, 0)
	}
	return binary.AppendVarint(append(b, 1), at.UnixMicro()-created.UnixMicro())
}
