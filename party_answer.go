package dossier

import (
	"encoding/json"
	"strings"
)

// Answer is one filled item of a lead's checklist.
type Answer struct {
	Code      string
	Label     string
	FieldType FieldType
	Value     json.RawMessage
}

// Add takes what an answer says of the business or its owners. What an item asks is read from its type, else from
// the words of its code and label; an answer to anything else is not a name and is left out.
func (p *Party) Add(a Answer) {
	if a.FieldType == FieldAddress {
		var address Address
		if json.Unmarshal(a.Value, &address) == nil && address.Street != "" {
			p.Addresses = append(p.Addresses, address)
		}
		return
	}
	var text string
	if json.Unmarshal(a.Value, &text) != nil || strings.TrimSpace(text) == "" {
		return
	}
	asks := strings.ToLower(strings.ReplaceAll(a.Code, "_", " ") + " " + a.Label)
	switch {
	case a.FieldType == FieldEIN:
		p.EINs = append(p.EINs, text)
	case !strings.Contains(asks, "name") && !strings.Contains(asks, "dba"):
	case containsAny(asks, "owner", "guarantor", "partner", "principal", "member", "signer", "applicant", "borrower", "spouse"):
		p.Owners = append(p.Owners, text)
	case containsAny(asks, "business", "legal", "company", "trade", "dba", "entity"):
		p.Businesses = append(p.Businesses, text)
	}
}

func containsAny(s string, words ...string) bool {
	for _, word := range words {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}
