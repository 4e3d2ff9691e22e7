package scripted

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// question is what a model is asked about facts.
type question struct {
	Task     string `json:"task"`
	Document []struct {
		Page  int      `json:"page"`
		Lines []string `json:"lines"`
	} `json:"document"`
}

// answer is one fact.
type answer struct {
	Pointer string `json:"pointer"`
	Value   string `json:"value"`
	Page    int    `json:"page"`
	Text    string `json:"text"`
}

// readQuestion parses a request with or without pictures, and returns the kind of the question and the question.
func readQuestion(raw []byte) (kind string, q question, ok bool) {
	var request struct {
		Messages []struct{ Content json.RawMessage }
		Format   struct {
			Schema struct{ Name string } `json:"json_schema"`
		} `json:"response_format"`
	}
	if json.Unmarshal(raw, &request) != nil || len(request.Messages) == 0 {
		return "", q, false
	}
	content := request.Messages[len(request.Messages)-1].Content
	var words string
	if json.Unmarshal(content, &words) != nil {
		var parts []struct{ Text string }
		if json.Unmarshal(content, &parts) != nil || len(parts) == 0 {
			return "", q, false
		}
		words = parts[0].Text
	}
	return request.Format.Schema.Name, q, json.Unmarshal([]byte(words), &q) == nil
}

var (
	pointers = regexp.MustCompile(`/[A-Za-z][A-Za-z0-9/*]*`)
	columns  = regexp.MustCompile(`(/statements/\w+/\d+) is .*, from (\S+) to (\S+)\.`)
)

// wanted are the pointers that are asked for; for any line of a return those that are known.
func (q question) wanted(known Facts) []string {
	asked, _, _ := strings.Cut(q.Task, "\n")
	var all []string
	for _, at := range pointers.FindAllString(asked, -1) {
		if stem, any := strings.CutSuffix(at, "*"); any {
			for _, pointer := range known.sorted() {
				if strings.HasPrefix(pointer, stem) {
					all = append(all, pointer)
				}
			}
			continue
		}
		all = append(all, at)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// known maps a question's pointer to the one that known facts use: columns of statements are identified by their days.
func (q question) known(pointer string) string {
	for _, c := range columns.FindAllStringSubmatch(q.Task, -1) {
		if rest, ok := strings.CutPrefix(pointer, c[1]+"/"); ok {
			return columnAt(c[1][:strings.LastIndexByte(c[1], '/')], c[2], c[3]) + "/" + rest
		}
	}
	return pointer
}

func columnAt(statement, from, to string) string { return statement + "/" + from + ".." + to }
