package statement

import "strings"

// sharedSuffix is what a program hangs onto the name of nearly every account, as the short name of the firm: " - KTP".
func sharedSuffix(rows []statementRow) string {
	counts := map[string]int{}
	for _, r := range rows {
		if at := strings.LastIndex(r.caption, " - "); at > 0 && !strings.Contains(r.caption[at+3:], " ") {
			counts[r.caption[at:]]++
		}
	}
	for suffix, n := range counts {
		if n >= 4 && 2*n > len(rows) {
			return suffix
		}
	}
	return ""
}
