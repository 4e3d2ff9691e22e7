package dossier

import (
	"fmt"
	"strconv"
	"strings"
)

// Limits is how many of each thing a workspace may have, so that none of them harms the others.
type Limits struct {
	Webhooks         int   // live registrations
	APIKeys          int   // that are neither revoked nor expired
	ChecklistItems   int   // of a lead, the template's included
	Documents        int   // of a lead
	DocumentBytes    int64 // of a lead
	InboundPerMinute int   // messages that providers hand over
}

// DefaultLimits hold where the workspace file names none.
var DefaultLimits = Limits{Webhooks: 50, APIKeys: 100, ChecklistItems: 500, Documents: 200, DocumentBytes: 2 << 30, InboundPerMinute: 120}

// OrDefault has the default wherever l has no number.
func (l Limits) OrDefault() Limits {
	fill := func(n *int, or int) {
		if *n == 0 {
			*n = or
		}
	}
	fill(&l.Webhooks, DefaultLimits.Webhooks)
	fill(&l.APIKeys, DefaultLimits.APIKeys)
	fill(&l.ChecklistItems, DefaultLimits.ChecklistItems)
	fill(&l.Documents, DefaultLimits.Documents)
	fill(&l.InboundPerMinute, DefaultLimits.InboundPerMinute)
	if l.DocumentBytes == 0 {
		l.DocumentBytes = DefaultLimits.DocumentBytes
	}
	return l
}

// LimitReached refuses what would be one too many. name is the limit's key in the workspace file.
func LimitReached(name, limit string) *Error {
	return Coded(Conflict, "limit_reached", "This would be more than the workspace's limit %s: %s; remove some, or raise the limit in the workspace file", name, limit)
}

var sizeUnits = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

// ParseSize reads a number of bytes: 2GiB, 500MiB, 64KiB or 1048576.
func ParseSize(text string) (int64, error) {
	factor, digits := int64(1), strings.TrimSpace(text)
	for _, unit := range sizeUnits {
		if rest, ok := strings.CutSuffix(digits, unit.name); ok {
			factor, digits = unit.bytes, strings.TrimSpace(rest)
			break
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 1 || n > (1<<60)/factor {
		return 0, fmt.Errorf("%q is no size; write 2GiB, 500MiB, 64KiB or a number of bytes", text)
	}
	return n * factor, nil
}

// FormatSize writes a size in the largest unit that leaves it whole.
func FormatSize(bytes int64) string {
	for _, unit := range sizeUnits {
		if bytes >= unit.bytes && bytes%unit.bytes == 0 {
			return strconv.FormatInt(bytes/unit.bytes, 10) + unit.name
		}
	}
	return strconv.FormatInt(bytes, 10)
}
