package portal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/storage/postgres"
)

// portalPageView is what the page shows.
type portalPageView struct {
	portalWords
	Name           string // of the workspace
	Base           string // path of the page
	Brand, OnBrand template.CSS
	Style          template.CSS
	Script, Nonce  string
	Part           bool // for the script, which has the style already
	FirstName      string
	Notice         string
	NoticeProblem  bool // it says what went wrong
	Groups         []portalGroup
	Loose          portalItem
	Done, Total    int
	Finished       bool
	Pending        bool
	Version        string // of everything that can change by itself
	Stamp          string // of what it was read from

	Attention []portalItem // what needs a change, in the order of the page

	TroubleTitle, Trouble string // instead of the checklist
	AskLink               string // where a new link is asked for
	Back                  string // the page that the trouble kept from being shown
}

type portalGroup struct {
	ID, Name    string
	Done, Total int
	Items       []portalItem
}

// portalItem is one visible item. State is an item's status, or CHECKING while its files are read, or PART when
// something arrived and something is missing.
type portalItem struct {
	words              portalWords
	ID                 dossier.EntryID
	Base               string
	Kind               dossier.FieldType
	Label              string
	Required, Files    bool
	Instructions, Help string
	State, StateText   string
	Reason, Asked      string // why it was not accepted, with the printed evidence; the rule it breaks
	ToDo               string
	ReasonForeign      bool   // the reason is English on a page that is not
	Said               string // what became of the form before
	SaidProblem        bool   // it says what went wrong

	Value                              string
	InputType, InputMode, Autocomplete string
	Long, Wrong                        bool
	Hint                               string
	Parts                              []portalPart
	Options                            []portalOption
	Region                             string // of a phone number
	Given                              string // the answer in words

	Documents []portalDocument
	Awaited   []portalDocument `json:"-"` // announced and not here yet; only a page that is opened tells of them
	Accept    string
	pending   bool
}

// T says a key in the page's language; items carry it into their templates.
func (i portalItem) T(key string, args ...any) string { return i.words.T(key, args...) }

// MaxFiles and MaxMB are the limits of one upload.
func (portalItem) MaxFiles() int { return dossier.MaxUploadFiles }

// MaxMB is the largest file in MB.
func (portalItem) MaxMB() int { return dossier.MaxUploadBytes >> 20 }

// Settled items are folded away behind what was given.
func (i portalItem) Settled() bool {
	return !i.pending && dossier.ItemStatus(i.State).Done()
}

// ReasonTitle says whether something is missing or wrong.
func (i portalItem) ReasonTitle() string {
	if i.State == "PART" {
		return "why_part"
	}
	return "why"
}

// DescribedBy lists what says more about the input.
func (i portalItem) DescribedBy() string {
	ids := "state-" + string(i.ID)
	if i.Reason != "" {
		ids += " reason-" + string(i.ID)
	}
	if i.Hint != "" {
		ids += " hint-" + string(i.ID)
	}
	return ids
}

type portalPart struct {
	Name, Label, Value, Autocomplete string
	Missing                          bool
}

type portalOption struct {
	Value, Label string
	Chosen       bool
}

type portalDocument struct {
	words            portalWords
	ID               dossier.DocumentID
	Base             string
	Name, Size       string
	State, StateText string
	Reason           string
	ReasonForeign    bool
	Removable        bool
}

// T says a key in the page's language.
func (d portalDocument) T(key string, args ...any) string { return d.words.T(key, args...) }

var portalPage = template.Must(template.New("page.html").ParseFS(portalFiles, "page.html"))

// portalStyle is in the page itself: the first round trip shows it all.
var Style = template.CSS(mustReadPortal("style.css"))

// portalScript is the files of portal/script one after the other, served under a name that changes with its content.
var (
	portalScript     = joinPortalScript()
	portalScriptName = "script." + shortHash(portalScript) + ".js"
)

func joinPortalScript() []byte {
	files, err := portalFiles.ReadDir("script")
	if err != nil {
		panic(err) // embedded: cannot be missing in a program that was built
	}
	joined := []byte("'use strict';\n{\n")
	for _, file := range files {
		joined = append(joined, mustReadPortal("script/"+file.Name())...)
	}
	return append(joined, "}\n"...)
}

func mustReadPortal(name string) []byte {
	data, err := portalFiles.ReadFile(name)
	if err != nil {
		panic(err) // embedded: cannot be missing in a program that was built
	}
	return data
}

func shortHash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:6])
}

// render writes the page with a nonce of its own.
func (v portalPageView) render() ([]byte, error) {
	var out bytes.Buffer
	err := portalPage.Execute(&out, v)
	return out.Bytes(), err
}

// portalViewer makes the view of one page.
type portalViewer struct {
	words  portalWords
	base   string
	now    time.Time
	region string // of phone numbers without a country

	awaited []dossier.Document // files that were announced and are not here yet
}

// view shows what is visible; hidden items and what is meant for agents stay out.
func (p portalViewer) view(page postgres.PortalPage) portalPageView {
	v := portalPageView{portalWords: p.words, Name: page.Settings.Name, Base: p.base, FirstName: page.FirstName,
		Style: Style, Stamp: page.Stamp}
	v.Brand, v.OnBrand = web.BrandColors(page.Settings.Color)
	p.region, p.awaited = page.Region, page.Awaited
	for _, g := range page.Checklist.Groups {
		group := portalGroup{ID: g.ID, Name: g.Name}
		for _, entry := range g.Entries {
			if !entry.Visible {
				continue
			}
			item := p.item(entry)
			group.Total++
			if entry.Status.Done() && !item.pending {
				group.Done++
			}
			v.Pending = v.Pending || item.pending
			if item.Reason != "" {
				v.Attention = append(v.Attention, item)
			}
			group.Items = append(group.Items, item)
		}
		if group.Total > 0 {
			v.Groups = append(v.Groups, group)
			v.Done, v.Total = v.Done+group.Done, v.Total+group.Total
		}
	}
	v.Loose = p.loose(page.Loose)
	v.Pending = v.Pending || v.Loose.pending
	v.Finished = v.Total > 0 && page.Checklist.Done() && !v.Pending
	v.Version = v.version()
	return v
}

// version changes when anything on the page does.
func (v portalPageView) version() string {
	data, err := json.Marshal([]any{v.Groups, v.Loose, v.Finished, v.Pending})
	if err != nil {
		return "" // strings and numbers: cannot fail
	}
	return shortHash(data)
}

func (p portalViewer) loose(documents []dossier.Document) portalItem {
	item := portalItem{words: p.words, Base: p.base, Files: true, Awaited: p.awaitedFor("")}
	for _, d := range documents {
		shown, pending := p.document(d)
		item.pending = item.pending || pending
		item.Documents = append(item.Documents, shown)
	}
	return item
}

func (p portalViewer) item(e dossier.ChecklistEntry) portalItem {
	i := portalItem{words: p.words, ID: e.ID, Base: p.base, Kind: e.Item.FieldType, Label: e.Item.Label,
		Required: e.Item.IsRequired,
		Files:    e.Item.FieldType.TakesFiles(), State: string(e.Status),
		Instructions: dossier.Text(e.Item.ClientInstructions), Help: dossier.Text(e.Item.HelpText)}
	if i.Files {
		p.fillFiles(&i, e)
	} else {
		p.fillInput(&i, e)
	}
	p.explain(&i, e)
	for n, d := range i.Documents {
		if d.Reason == i.Reason || d.Name+": "+d.Reason == i.Reason {
			i.Documents[n].Reason = "" // it stands above already
		}
	}
	i.StateText = p.words.T("status." + i.State)
	i.Given = p.given(i)
	return i
}

// awaitedFor lists the files that are still to come for an item, or for none.
func (p portalViewer) awaitedFor(entry dossier.EntryID) (awaited []portalDocument) {
	for _, d := range p.awaited {
		if entry == "" && d.RequestedEntryID == nil || d.RequestedEntryID != nil && *d.RequestedEntryID == entry {
			awaited = append(awaited, portalDocument{words: p.words, ID: d.ID, Base: p.base, Name: d.Filename,
				Size:  fileSize(d.Size),
				State: "AWAITED", StateText: p.words.T("file.AWAITED"), Removable: true})
		}
	}
	return awaited
}

func (p portalViewer) fillFiles(i *portalItem, e dossier.ChecklistEntry) {
	i.Awaited = p.awaitedFor(e.ID)
	for _, d := range e.Documents {
		shown, pending := p.document(d)
		i.pending = i.pending || pending
		i.Documents = append(i.Documents, shown)
	}
	config := e.Item.Config
	switch {
	case config.Months != nil:
		i.Hint = p.words.T("hint.months", *config.Months)
	case config.Years != nil:
		i.Hint = p.words.T("hint.years", *config.Years)
	}
	if i.Kind != dossier.FieldFile {
		i.Accept = ".pdf,.csv,.xls,.xlsx,.ods,.doc,.docx,.odt,.rtf,.txt,.ofx,.qfx,.qbo,.qif,.sta,.mt940,.bai,.xml," +
			".heic,.heif,.avif,image/*"
	}
	switch {
	case i.pending:
		i.State = "CHECKING"
	case e.Status == dossier.ItemTodo && len(i.Documents) > 0:
		i.State = "PART"
	}
}

// explain gives the reason of a refusal and what to do about it.
func (p portalViewer) explain(i *portalItem, e dossier.ChecklistEntry) {
	refused := e.Status == dossier.ItemInvalid || i.State == "PART"
	if !refused || i.pending || len(e.Reasons) == 0 {
		return
	}
	why := e.Reasons[0]
	i.Wrong, i.Reason, i.ToDo = true, why.In(dossier.English), p.words.T("todo.field")
	switch {
	case i.Files:
		i.Wrong, i.ToDo = false, p.words.T("todo.file")
		i.Asked = askedRule(e, i.Reason)
		i.Reason, i.ReasonForeign = p.words.reason(why)
		if i.State == "PART" {
			i.ToDo = p.words.T("todo.part")
		}
	case i.Kind == dossier.FieldAddress && len(i.missing()) > 0:
		i.Reason = p.words.T("problem.missing", strings.Join(i.missing(), ", "))
	case p.words.language() != "en":
		i.Reason = p.words.T("problem." + string(i.Kind))
	}
}

// askedRule is the rule that a reason answers; "" when the reason comes from elsewhere.
func askedRule(e dossier.ChecklistEntry, reason string) string {
	for _, d := range e.Documents {
		for _, a := range d.Associations {
			if a.Result == nil {
				continue
			}
			for _, result := range a.Result.Results {
				if !result.IsValid && strings.Contains(reason, result.IsValidReason) {
					return result.RuleName
				}
			}
		}
	}
	return ""
}

// missing names the parts of an address that are needed and empty.
func (i portalItem) missing() (labels []string) {
	for _, part := range i.Parts {
		if part.Missing {
			labels = append(labels, part.Label)
		}
	}
	return labels
}

// checkedWithin is how long a document that was read may wait for its verdict before the page calls it received.
const checkedWithin = 5 * time.Minute

// document shows one file and whether its verdict is still to come.
func (p portalViewer) document(d dossier.Document) (portalDocument, bool) {
	shown := portalDocument{words: p.words, ID: d.ID, Base: p.base, Name: d.Filename, Size: fileSize(d.Size),
		State:     "RECEIVED",
		Removable: d.Source == dossier.SourcePortal}
	var result *dossier.ValidationResult
	valid := false
	if len(d.Associations) > 0 {
		result, valid = d.Associations[0].Result, d.Associations[0].Valid()
	}
	overridden := len(d.Associations) > 0 && d.Associations[0].Override != nil
	switch {
	case d.ExtractionStatus == dossier.ExtractionPending || d.ExtractionStatus == dossier.ExtractionProcessing:
		shown.State = "CHECKING"
	case valid:
		shown.State = "VALID"
	case overridden:
		shown.State = "INVALID"
	case d.ExtractionError != nil:
		shown.State, shown.Reason = "INVALID", p.words.T("unreadable."+d.ExtractionError.Code)
	case result == nil && p.now.Sub(d.UpdatedAt) < checkedWithin:
		shown.State = "CHECKING"
	case result != nil && result.NeedsReview():
		shown.State = "REVIEW"
	case result != nil:
		shown.State = "INVALID"
		if broken := result.Broken(); broken != nil {
			shown.Reason, shown.ReasonForeign = p.words.reason(broken.Reason)
		}
	}
	shown.StateText = p.words.T("file." + shown.State)
	return shown, shown.State == "CHECKING"
}

func fileSize(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d kB", (n+1023)>>10)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}

// item finds an item of the page by its id.
func (v portalPageView) item(id string) *portalItem {
	for g := range v.Groups {
		if i := slices.IndexFunc(v.Groups[g].Items, func(i portalItem) bool { return string(i.ID) == id }); i >= 0 {
			return &v.Groups[g].Items[i]
		}
	}
	return nil
}
