package reading

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/llm"
)

var (
	//go:embed prompts/facts.v2.txt
	factsWords string
	factsAsked = llm.Prompt{Name: "facts.v2", Text: factsWords}
)

// DocumentTimeout is how long a model may take over one document, all questions together.
const DocumentTimeout = 30 * time.Second

// Reader asks one model about documents of one workspace.
type Reader struct {
	Model    *llm.Model
	About    llm.About // the document
	Settings dossier.ReadingSettings
	Budget   llm.Budget // of the day; nil: none

	// Draw draws a page as a PNG of a width, for models that may see pictures; nil: there are none.
	Draw func(ctx context.Context, page text.Page, width int) ([]byte, error)

	// Named reads the file by the rules again, as the documents that a model says it has, in their order; nil: what a
	// model names has only the facts that it gives.
	Named func(ctx context.Context, parts []dossier.DocumentPart) (*dossier.Extraction, error)
}

// Outcome is what a model gave for one file: Apply puts it into an extraction.
type Outcome struct {
	Use      dossier.ModelUse
	Warnings []dossier.FactWarning
	Taken    []Taken
	Doubts   []Doubt
	Drops    []Drop
	types    []typed
}

// Drop is an answer that does not count, and why.
type Drop struct {
	Part    int
	Pointer string
	Why     string
}

// Taken is a fact that counts.
type Taken struct {
	Part    int // the document of the file
	Pointer string
	Value   any
	Source  dossier.Source
}

// Doubt is a fact that the rules read and a model reads otherwise, both printed.
type Doubt struct {
	Part         int
	Pointer      string
	Rules, Model string
	Source       dossier.Source // of what the model reads
}

// Fill asks for what the rules left open in a file, and with check again for what they found. It changes nothing.
// Whatever goes wrong with the model is a warning: the rules' reading stands.
func (r Reader) Fill(ctx context.Context, e dossier.Extraction, pages []text.Page) Outcome {
	ctx, cancel := context.WithTimeout(ctx, DocumentTimeout)
	defer cancel()
	pages = withoutSSNs(pages)
	o := Outcome{Use: dossier.ModelUse{Name: r.Model.Name()}}
	s := &session{reader: r, outcome: &o, tokensLeft: r.Settings.OrDefault().TokensPerDocument}
	s.askTypes(ctx, e, pages)
	s.rereadNamed(ctx)
	docs := withTypes(e, o.types).Documents
	var asking sync.WaitGroup
	parts := make([]*part, len(docs))
	for i, d := range docs {
		parts[i] = newPart(i, d, pages, r.Settings.Model == dossier.ReadingCheck)
		parts[i].images = r.Draw != nil && r.Settings.Images
		for _, chunk := range parts[i].chunks() {
			o.Use.Asked += len(chunk.wanted)
			asking.Go(func() {
				q := chunk.question()
				q.Pictures = r.pictures(ctx, chunk.pages)
				chunk.answers, chunk.failed = s.ask(ctx, q)
			})
		}
	}
	asking.Wait()
	for _, p := range parts {
		p.groundAnswers(&o)
	}
	s.warn()
	return o
}

// pictures returns pictures of the pages whose words were recognized in one, if the workspace allows it. A page that
// cannot be drawn or blacked out is sent as text only.
func (r Reader) pictures(ctx context.Context, pages []text.Page) []llm.Picture {
	var shown []llm.Picture
	for _, page := range pages {
		if r.Draw == nil || !r.Settings.Images || !isRecognized(page) {
			continue
		}
		picture, err := r.Draw(ctx, page, pictureWidth(page))
		if err == nil && picture != nil {
			picture, err = blackOut(picture, page)
		}
		if err == nil && picture != nil {
			shown = append(shown, llm.Picture{Page: page.Number, PNG: picture})
		}
	}
	return shown
}

// session is one file's questions.
type session struct {
	reader  Reader
	outcome *Outcome

	mu                  sync.Mutex
	tokensLeft          int // tokens of the document
	budgetSpent, failed bool
}

// ask puts one question and decodes the answers; false when there are none.
func (s *session) ask(ctx context.Context, q llm.Question) ([]byte, bool) {
	q.About, q.Budget = s.reader.About, s.budget
	a, err := s.reader.Model.Ask(ctx, q)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.outcome.Use.Tokens += a.Tokens
	switch {
	case err == nil:
		return a.JSON, false
	case errors.Is(err, llm.ErrBudget):
		s.budgetSpent = true
	case errors.Is(err, llm.ErrDropped):
		s.outcome.Use.Dropped++
	case errors.Is(err, llm.ErrPromptInjection): // a person's
	default:
		s.failed = true
	}
	return nil, true
}

// budget reserves tokens of both the document's and the day's budget.
func (s *session) budget(ctx context.Context, tokens int) (func(int), bool) {
	s.mu.Lock()
	if s.tokensLeft < tokens {
		s.mu.Unlock()
		return nil, false
	}
	s.tokensLeft -= tokens
	s.mu.Unlock()
	settle := func(int) {}
	if s.reader.Budget != nil {
		given, ok := s.reader.Budget(ctx, tokens)
		if !ok {
			return nil, false
		}
		settle = given
	}
	return func(used int) {
		settle(used)
		s.mu.Lock()
		s.tokensLeft += tokens - used
		s.mu.Unlock()
	}, true
}

func (s *session) warn() {
	if s.failed {
		s.outcome.Warnings = append(s.outcome.Warnings, dossier.FactWarning{Code: "model_unavailable",
			Detail: "The language model gave no answer; the reading by rules stands. Reprocess the document to ask " +
				"again."})
	}
	if s.budgetSpent {
		s.outcome.Warnings = append(s.outcome.Warnings, dossier.FactWarning{Code: "model_budget",
			Detail: "The budget for language models is used up; the reading by rules stands. Reprocess the document " +
				"to ask again."})
	}
}

// part is one document of the file with what it is asked for.
type part struct {
	index  int
	doc    dossier.ReadDocument
	facts  map[string]any
	paper  *paper // made when there is an answer to look for
	pages  []text.Page
	wanted []string // open, and with check those that were read too
	pieces []*chunk
	images bool // pages are shown as pictures too
}

func newPart(index int, d dossier.ReadDocument, pages []text.Page, check bool) *part {
	p := &part{index: index, doc: d, facts: treeOf(d.Facts)}
	for _, page := range pages {
		if page.Number >= d.Pages[0] && page.Number <= d.Pages[1] {
			p.pages = append(p.pages, page)
		}
	}
	for _, at := range p.pointers() {
		if isOpen(p.doc, p.facts, at) || check && isWorthChecking(p.doc, at) {
			p.wanted = append(p.wanted, at)
		}
	}
	return p
}

// preparedPages returns the part's pages, indexed for finding quotes.
func (p *part) preparedPages() *paper {
	if p.paper == nil {
		p.paper = newPaper(p.pages)
	}
	return p.paper
}

// chunk is a group of a part's pages that fits into one question.
type chunk struct {
	of      *part
	wanted  []string
	pages   []text.Page
	answers []byte
	failed  bool
}

const (
	maxChunk    = 24_000 // bytes of words that one question holds
	maxPictures = 3      // pages of one question that are shown as pictures
)

func (p *part) chunks() []*chunk {
	if len(p.wanted) == 0 {
		return nil
	}
	size, shown := maxChunk, 0
	for _, page := range p.pages {
		n := len(document.PageText(page))
		if n == 0 {
			continue
		}
		if size+n > maxChunk || p.images && shown == maxPictures {
			p.pieces, size, shown = append(p.pieces, &chunk{of: p, wanted: p.wanted}), 0, 0
		}
		if isRecognized(page) {
			shown++
		}
		last := p.pieces[len(p.pieces)-1]
		last.pages, size = append(last.pages, page), size+n
	}
	return p.pieces
}

func (c *chunk) question() llm.Question {
	task := fmt.Sprintf("The document is a %s. Facts wanted: %s", c.of.doc.DocType, strings.Join(c.wanted, " "))
	if slices.Contains(c.wanted, anyLine) {
		task += "\n" + anyLine + ": of every numbered line that prints an amount, as /lines/7 or /lines/1a"
	}
	if st := c.of.doc.Facts.Statement; st != nil {
		if st.Unit > 1 {
			task += fmt.Sprintf("\nFigures are printed in units of %d: multiply them.", st.Unit)
		}
		task += columnsOf(st.Statements)
	}
	return llm.Question{Kind: "facts", Prompt: factsAsked, Task: task, Text: document.TextOf(c.pages),
		Schema:    factsSchema,
		MaxAnswer: 24_000}
}

// columnsOf describes to the model which column of a statement each pointer refers to.
func columnsOf(s dossier.Statements) string {
	var b strings.Builder
	for _, kind := range statementsOf(s) {
		for i, c := range kind.columns {
			said := func(day *string) string {
				if day == nil {
					return "?"
				}
				return *day
			}
			fmt.Fprintf(&b, "\nThe column /statements/%s/%d is %q, from %s to %s.", kind.name, i, c.Label,
				said(c.Start), said(c.End))
		}
	}
	return b.String()
}

var factsSchema = llm.Object(map[string]any{"answers": map[string]any{"type": "array",
	"items": llm.Object(map[string]any{
		"pointer": map[string]any{"type": "string"},
		"value":   map[string]any{"type": "string"},
		"page":    map[string]any{"type": "integer"},
		"text":    map[string]any{"type": "string", "description": "copied from the page"},
	}, "pointer", "value", "page", "text")}}, "answers")

// groundAnswers checks the answers about a part and records those that count. A fact that is answered in two ways
// counts as not answered.
func (p *part) groundAnswers(o *Outcome) {
	var answers []Answer
	for _, c := range p.pieces {
		var a struct {
			Answers []Answer `json:"answers"`
		}
		switch {
		case c.failed:
		case !llm.DecodeStrict(c.answers, &a):
			o.Use.Dropped++
		default:
			answers = append(answers, a.Answers...)
		}
	}
	taken, given := boxesOf(p.doc), map[string]Taken{}
	var order []string
	for _, a := range answers {
		g, err := p.ground(a, taken)
		if err != nil {
			o.Use.Dropped++
			o.Drops = append(o.Drops, Drop{p.index, a.Pointer, err.Error()})
			continue
		}
		g.Source.Prompt = factsAsked.Name
		if had, ok := given[a.Pointer]; ok {
			if fmt.Sprint(had.Value) != fmt.Sprint(g.Value) {
				o.Use.Dropped += 2
				o.Drops = append(o.Drops, Drop{p.index, a.Pointer, "it was answered in two ways"})
				given[a.Pointer] = Taken{}
			}
			continue
		}
		given[a.Pointer], order = g, append(order, a.Pointer)
		if isOpen(p.doc, p.facts, a.Pointer) {
			taken[a.Pointer] = boxOf(g.Source)
		}
	}
	for _, at := range order {
		p.record(o, given[at])
	}
}

func (p *part) ground(a Answer, taken map[string]box) (Taken, error) {
	f, known := factAt(p.doc.DocType, a.Pointer)
	if !known || !p.isWanted(a.Pointer) {
		return Taken{}, errUnknown
	}
	unit := int64(1)
	if st := p.doc.Facts.Statement; st != nil {
		unit = st.Unit
	}
	g, err := p.preparedPages().ground(f, a, taken, unit)
	return Taken{p.index, a.Pointer, g.value, g.source}, err
}

// record takes an answer where the fact is open. Where the rules read another value, it records a doubt.
func (p *part) record(o *Outcome, t Taken) {
	switch {
	case t.Pointer == "":
	case isOpen(p.doc, p.facts, t.Pointer):
		o.Use.Taken++
		o.Taken = append(o.Taken, t)
	default:
		have := valueAt(p.facts, t.Pointer)
		if said := fmt.Sprint(t.Value); !document.SameFact(have, said) {
			o.Doubts = append(o.Doubts, Doubt{p.index, t.Pointer, fmt.Sprint(have), said, t.Source})
		}
	}
}

// treeOf returns facts as decoded JSON.
func treeOf(f dossier.Facts) map[string]any {
	tree := map[string]any{}
	if raw, err := json.Marshal(f); err == nil {
		_ = json.Unmarshal(raw, &tree) // our own
	}
	return tree
}
