package dossier

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// MaskAccounts leaves the last four of each account's number in the data of an event, as …6789: of every accountNumber,
// of the account of entries, of the words that their sources and the citations of reasons cite, and of what a reason
// says of them, as a value and in its sentence. Everything else stays as it was written.
func MaskAccounts(data []byte) ([]byte, error) {
	if !bytes.Contains(data, []byte("account")) || !accountMark.Match(data) { // nearly no event has the word
		return data, nil
	}
	m := accountMasker{}
	if bytes.Contains(data, []byte(`"citations":`)) {
		var tree any
		if err := json.Unmarshal(data, &tree); err != nil {
			return nil, err
		}
		m.find(tree)
	}
	return m.mask(data, accountPlace{})
}

// accountMark is what data has in which a number of an account can stand.
var accountMark = regexp.MustCompile(`"accountNumber":|"account":|/accountNumber"|/account"|account_number"`)

// accountMasker knows the numbers of accounts that reasons name: their sentences hold them too.
type accountMasker struct {
	numbers []string
}

// accountFacts are the facts that reasons name whose value is a number of an account.
var accountFacts = map[any]bool{"account_number": true, "full_account_number": true}

// find collects the numbers that reasons name.
func (m *accountMasker) find(value any) {
	switch v := value.(type) {
	case map[string]any:
		if text, ok := v["value"].(string); ok && accountFacts[v["fact"]] && text != "" {
			m.numbers = append(m.numbers, text)
		}
		for _, member := range v {
			m.find(member)
		}
	case []any:
		for _, element := range v {
			m.find(element)
		}
	}
}

// accountPlace is where a value stands, as far as it decides what numbers of accounts are.
type accountPlace struct {
	entry    bool // an element of entries
	number   bool // a number of an account
	cites    bool // the sources of facts
	source   bool // the source of a number of an account
	list     bool // the list of entries
	citation bool // a citation of a number of an account
	named    bool // the values of a reason about a number of an account
	said     bool // a sentence that may hold one
}

// accountPointer is a pointer to a number of an account, as sources are named by.
var accountPointer = regexp.MustCompile(`/(accountNumber|entries/\d+/account)$`)

// accountSentences are the members that hold sentences of reasons.
var accountSentences = map[string]bool{"isValidReason": true, "validationError": true, "reason": true}

func (p accountPlace) member(name string) accountPlace {
	switch {
	case p.cites:
		return accountPlace{source: accountPointer.MatchString(name)}
	case p.source, p.citation:
		return accountPlace{number: name == "text"}
	case p.named && name == "value":
		return accountPlace{number: true}
	}
	return accountPlace{number: name == "accountNumber" || p.entry && name == "account", cites: name == "sources",
		list: name == "entries", said: accountSentences[name]}
}

// in is the place of an object, told by its own members.
func (p accountPlace) in(members []member) accountPlace {
	for _, m := range members {
		var text string
		switch {
		case m.name != "pointer" && m.name != "fact", json.Unmarshal(m.value, &text) != nil:
		case m.name == "pointer":
			p.citation = accountPointer.MatchString(text)
		default:
			p.named = accountFacts[text]
		}
	}
	return p
}

func (m accountMasker) mask(value json.RawMessage, at accountPlace) (json.RawMessage, error) {
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
		at = at.in(members)
		for i, part := range members {
			if members[i].value, err = m.mask(part.value, at.member(part.name)); err != nil {
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
			if elements[i], err = m.mask(e, accountPlace{entry: at.list, number: at.number}); err != nil {
				return nil, err
			}
		}
		return append(append([]byte{'['}, bytes.Join(asBytes(elements), []byte{','})...), ']'), nil
	case '"':
		return m.text(value, at)
	}
	return value, nil
}

// text masks a text that is a number of an account, or a sentence with those that reasons name.
func (m accountMasker) text(value json.RawMessage, at accountPlace) (json.RawMessage, error) {
	if !at.number && (!at.said || len(m.numbers) == 0) {
		return value, nil
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		return nil, err
	}
	if at.number {
		return json.Marshal(MaskAccount(text))
	}
	masked := text
	for _, number := range m.numbers {
		masked = strings.ReplaceAll(masked, number, MaskAccount(number))
	}
	if masked == text {
		return value, nil
	}
	return json.Marshal(masked)
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
