package dossier

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

var (
	// ssnInText is a social security number or ITIN as people write it; which of its matches is one, isSSN decides.
	SSNInText = regexp.MustCompile(`\d{3}([-–. ])\d{2}([-–. ])\d{4}`)
	// hiddenSSN is one whose first figures its writer has hidden already, in one of several ways. An account of which
	// more than five figures are hidden is none.
	hiddenSSN = regexp.MustCompile(`(^|[^\dXx*])(?:[Xx]{3}|\*{3})[-–. ]?(?:[Xx]{2}|\*{2})[-–. ]?(\d{4})\b`)
	// bareSSN are nine figures beside a caption that says what they are.
	bareSSN = regexp.MustCompile(`(?i)(?:ssn|social[ _-]?security|itin|tax[ _-]?payer[ _-]?id|\btax[ ` +
		`_-]?id)[^\d\n]{0,40}\d{9}|\d{9}[^\d\n]{0,24}(?:ssn|social[ _-]?security|itin)`)
	nineFigures = regexp.MustCompile(`\d{9}`)
)

// MaskSecrets replaces social security numbers and ITINs in words that are kept by ***-**-1234: ddd-dd-dddd, also with
// spaces, dots and en dashes, and nine figures beside a caption that says so. The whole number is kept sealed, on its
// checklist item only. EINs, phones, accounts and amounts are left alone. Links of leads are
// masked too (MaskLinks).
func MaskSecrets(text string) string {
	text = MaskLinks(text)
	if !strings.ContainsAny(text, "0123456789") {
		return text
	}
	text = hiddenSSN.ReplaceAllString(text, "${1}***-**-$2")
	text = maskMatches(text)
	return bareSSN.ReplaceAllStringFunc(text, func(said string) string {
		at := nineFigures.FindStringIndex(said)
		if !possibleSSN(said[at[0]:at[1]]) {
			return said
		}
		return said[:at[0]] + MaskSSN(said[at[0]:at[1]]) + said[at[1]:]
	})
}

// Marks that stand in stored and told text for the addresses that are keys: whoever has one of these acts for the lead.
// They are filled in at the moment of sending.
const (
	PortalLinkMark      = "{{portalLink}}"
	UnsubscribeLinkMark = "{{unsubscribeLink}}"
)

// portalTokenLength is that of 32 bytes in URL-safe base64.
const portalTokenLength = 43

var (
	portalLinkInText      = regexp.MustCompile(`https?://[^\s<>"']*?/portal/([A-Za-z0-9_-]{43,})`)
	unsubscribeLinkInText = regexp.MustCompile(`https?://[^\s<>"']*?/unsubscribe/[A-Za-z0-9_-]{60,}`)
)

// MaskLinks replaces the addresses of leads' pages and of their way out by their marks, as a reply holds them that
// quotes our mail, or an edit.
func MaskLinks(text string) string {
	if strings.Contains(text, "/portal/") {
		text = portalLinkInText.ReplaceAllStringFunc(text, func(link string) string {
			if len(link)-strings.LastIndexByte(link, '/') != len("/")+portalTokenLength {
				return link // somebody else's
			}
			return PortalLinkMark
		})
	}
	if strings.Contains(text, "/unsubscribe/") {
		text = unsubscribeLinkInText.ReplaceAllString(text, UnsubscribeLinkMark)
	}
	return text
}

// MaskSecretsJSON is MaskSecrets for the texts of a JSON value. The name of a member is the caption of its value, which
// may be a number. What is not JSON, or holds nothing to mask, is returned as it is.
func MaskSecretsJSON(raw json.RawMessage) json.RawMessage {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var tree any
	if decoder.Decode(&tree) != nil {
		return raw
	}
	masked, changed := maskTree(tree, "")
	if !changed {
		return raw
	}
	return jsonOf(masked)
}

// maskTree masks what stands below v, and v itself under its caption, and says whether anything changed.
func maskTree(v any, caption string) (any, bool) {
	changed := false
	switch v := v.(type) {
	case string:
		return maskNamed(v, caption)
	case json.Number:
		if masked, changed := maskNamed(v.String(), caption); changed {
			return masked, true
		}
	case []any:
		for i, item := range v {
			masked, was := maskTree(item, caption)
			v[i], changed = masked, changed || was
		}
	case map[string]any:
		for name, item := range v {
			masked, was := maskTree(item, name)
			v[name], changed = masked, changed || was
		}
	}
	return v, changed
}

func maskNamed(text, caption string) (any, bool) {
	masked := MaskSecrets(text)
	if named := caption + ": "; caption != "" && masked == text {
		if whole := MaskSecrets(named + text); strings.HasPrefix(whole, named) {
			masked = whole[len(named):]
		}
	}
	return masked, masked != text
}

func maskMatches(text string) string {
	var out strings.Builder
	from := 0
	for _, at := range SSNInText.FindAllStringSubmatchIndex(text, -1) {
		if text[at[2]:at[3]] != text[at[4]:at[5]] || !isSSN(text, at[0], at[1]) {
			continue
		}
		out.WriteString(text[from:at[0]])
		out.WriteString(MaskSSN(text[at[0]:at[1]]))
		from = at[1]
	}
	return out.String() + text[from:]
}

// isSSN says whether the figures from start to end stand alone, not inside a longer number, and could have been issued.
// Blanks part a number from its neighbours, as in a column of them, unless they stand inside it too.
func isSSN(text string, start, end int) bool {
	before := strings.TrimRight(text[:start], "-–. ")
	after := strings.TrimLeft(text[end:], "-–. ")
	spaced := text[start+3] == ' '
	inside := func(gap string, figure byte) bool {
		if !spaced && gap != "" && strings.TrimSpace(gap) == "" {
			return false
		}
		return figure >= '0' && figure <= '9' && len(gap) <= len("–") && !strings.Contains(gap, "\n")
	}
	if before != "" && inside(text[len(before):start], before[len(before)-1]) {
		return false
	}
	if after != "" && inside(text[end:len(text)-len(after)], after[0]) {
		return false
	}
	return possibleSSN(onlyDigits(text[start:end]))
}

// possibleSSN says whether nine figures can be a number of either kind: no area 000 or 666, no group 00, no serial
// 0000.
func possibleSSN(d string) bool {
	return d[:3] != "000" && d[:3] != "666" && d[3:5] != "00" && d[5:] != "0000"
}

// possibleITIN says whether nine figures are an individual taxpayer identification number. Source: IRS, Publication
// 1915.
func possibleITIN(d string) bool {
	group := d[3:5]
	return d[0] == '9' && (group >= "50" && group <= "65" || group >= "70" && group <= "88" || group >= "90" &&
		group <= "92" || group >= "94")
}

// MaskSSN shows the last four digits of a full number and nothing of anything else.
func MaskSSN(s string) string {
	if d := onlyDigits(s); len(d) == 9 {
		return "***-**-" + d[5:]
	}
	return "***-**-****"
}

func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}
