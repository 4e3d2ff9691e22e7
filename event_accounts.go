package dossier

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// MaskAccounts leaves the last four of each account's number in the data of an event, as …6789: of every accountNumber, of the
// account of entries, and of the words that their sources cite. Everything else stays as it was written.
func MaskAccounts(data []byte) ([]byte, error) {
	if !bytes.Contains(data, []byte(`"accountNumber":`)) && !bytes.Contains(data, []byte(`"account":`)) {
		return data, nil
	}
	return maskAccounts(data, accountPlace{})
}

// accountPlace is where a value stands, as far as it decides what numbers of accounts are.
type accountPlace struct {
	entry  bool // an element of entries
	number bool // a number of an account
	cites  bool // the sources of facts
	source bool // the source of a number of an account
	list   bool // the list of entries
}

// accountPointer is a pointer to a number of an account, as sources are named by.
var accountPointer = regexp.MustCompile(`/(accountNumber|entries/\d+/account)$`)

func (p accountPlace) member(name string) accountPlace {
	switch {
	case p.cites:
		return accountPlace{source: accountPointer.MatchString(name)}
	case p.source:
		return accountPlace{number: name == "text"}
	}
	return accountPlace{number: name == "accountNumber" || p.entry && name == "account", cites: name == "sources", list: name == "entries"}
}

func maskAccounts(value json.RawMessage, at accountPlace) (json.RawMessage, error) {
	value = bytes.TrimSpace(value)
	if len(value) == 0 {
		return value, nil
	}
	switch value[0] {
	case '{':
		members, err := membersOf(value)
		if err != nil {
			return nil, err
		}
		for i, m := range members {
			if members[i].value, err = maskAccounts(m.value, at.member(m.name)); err != nil {
				return nil, err
			}
		}
		return writeMembers(members), nil
	case '[':
		var elements []json.RawMessage
		if err := json.Unmarshal(value, &elements); err != nil {
			return nil, err
		}
		for i, e := range elements {
			var err error
			if elements[i], err = maskAccounts(e, accountPlace{entry: at.list, number: at.number}); err != nil {
				return nil, err
			}
		}
		return append(append([]byte{'['}, bytes.Join(asBytes(elements), []byte{','})...), ']'), nil
	case '"':
		if !at.number {
			return value, nil
		}
		var text string
		if err := json.Unmarshal(value, &text); err != nil {
			return nil, err
		}
		return json.Marshal(MaskAccount(text))
	}
	return value, nil
}

func asBytes(elements []json.RawMessage) [][]byte {
	list := make([][]byte, len(elements))
	for i, e := range elements {
		list[i] = e
	}
	return list
}

// MaskAccount is a number of an account with only its last four: …6789. A name without digits stays as it is.
func MaskAccount(text string) string {
	if !strings.ContainsAny(text, "0123456789") {
		return text
	}
	var last []rune
	for _, r := range text {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
			last = append(last, r)
		}
	}
	return "…" + string(last[max(0, len(last)-4):])
}
