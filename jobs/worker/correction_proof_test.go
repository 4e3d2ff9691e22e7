package worker

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// proof is a service with the readings of many specimens, each in a lead of its own, twice: as the reader read it, and
// with one fact falsified.
type proof struct {
	*bench
	apiOf
	journey   journey
	falsified sync.Map // leads of falsified readings
}

// apiOf is an API on a bench.
type apiOf struct{ url, key string }

// proven is one specimen.
type proven struct {
	name         string
	right, wrong dossier.Extraction
	words        []byte
	pages        []text.Page
	pointer      string
	value        json.RawMessage // as it was read
	docs         [2]dossier.DocumentID
	leads        [2]dossier.LeadID
	entries      [2]dossier.EntryID
	spreads      [2]dossier.SpreadID // none of what cannot be spread
}

func newProof(t *testing.T) *proof {
	b := setup(t)
	p := &proof{bench: b, journey: journey{bench: b, objects: objectstest.New(t)}}
	w, err := New(Config{DB: b.pg.DB, Redis: b.redis, Objects: p.journey.objects, Now: b.pg.Clock.Now, Log: testLog(t), Drain: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	w.timing, w.schedule = normalTiming, nil // a job that takes its time keeps its lease
	p.onlyFigures(w)
	b.run(w)
	p.apiOf = b.serveAPI(t, p.journey.objects)
	return p
}

// onlyFigures spares the files of spreads of which only the cells are compared: they are most of the work.
func (p *proof) onlyFigures(w *Worker) {
	whole := w.handlers[jobs.ConsolidateSpread{}.Spec().Kind]
	w.handlers[whole.spec.Kind] = handle(func(ctx context.Context, claim postgres.Claim, job jobs.ConsolidateSpread) error {
		in, ok, err := w.db.SpreadInput(ctx, job.Workspace, job.Spread, job.Round)
		if _, falsified := p.falsified.Load(in.Spread.LeadID); err != nil || !ok || !falsified {
			return whole.do(ctx, claim)
		}
		results, aside, err := w.consolidate(in)
		if err != nil {
			return whole.do(ctx, claim)
		}
		return w.db.FinishSpread(ctx, claim, job, postgres.FinishedSpread{Results: &results, Documents: aside})
	})
}

// serveAPI serves the API of a bench until the test ends.
func (b *bench) serveAPI(t *testing.T, store *objects.Store) (a apiOf) {
	t.Helper()
	server, err := api.New(api.Config{DB: b.pg.DB, Cache: b.redis, Objects: store, Now: b.pg.Clock.Now, Log: testLog(t)})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener, nil) }()
	t.Cleanup(func() {
		if err := server.Shutdown(context.WithoutCancel(b.t.Context())); err != nil {
			t.Log(err)
		}
		<-ended
	})
	a.url = "http://" + listener.Addr().String()
	if _, a.key, err = b.pg.DB.CreateKey(t.Context(), b.ws, postgres.NewKey{Name: "proof", Scopes: []dossier.Scope{dossier.ScopeWrite}}); err != nil {
		t.Fatal(err)
	}
	return a
}

// drawn are specimens of all kinds that need no recognizer of pictures.
func drawn(i int) specimen.Specimen {
	seed := uint64(7000 + i)
	pick := func(of []string) string { return of[i/5%len(of)] }
	switch i % 5 {
	case 0:
		return specimen.BankStatement(specimen.BankOptions{Seed: seed, Layout: pick(specimen.BankLayouts()), Business: i%2 == 0, Broken: i%35 == 0, Entries: 8})
	case 1:
		return specimen.FinancialStatement(specimen.StatementOptions{Seed: seed, Layout: pick(specimen.StatementLayouts())})
	case 2:
		return specimen.TaxReturn(specimen.TaxOptions{Seed: seed, Form: pick(specimen.TaxForms())})
	case 3:
		return specimen.BankCSV(specimen.BankOptions{Seed: seed, Layout: pick(specimen.BankCSVLayouts()), Entries: 8})
	}
	return specimen.Trap(seed, pick(specimen.Traps()))
}

// said is a fact that a person could correct.
type said struct {
	pointer string
	value   json.RawMessage
}

// falsifiable are the texts, amounts, dates and flags of a part, in a fixed order.
func falsifiable(part dossier.ReadDocument) []said {
	raw, _ := json.Marshal(part.Facts)
	var facts any
	_ = json.Unmarshal(raw, &facts)
	var all []said
	var walk func(at string, value any)
	walk = func(at string, value any) {
		switch v := value.(type) {
		case map[string]any:
			for name, inner := range v {
				walk(at+"/"+strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1"), inner)
			}
		case []any:
			for i, inner := range v {
				walk(at+"/"+strconv.Itoa(i), inner)
			}
		case string, bool:
			text, _ := json.Marshal(v)
			all = append(all, said{at, text})
		}
	}
	walk("", facts)
	slices.SortFunc(all, func(a, b said) int { // what rules and spreads look at comes first
		return cmp.Or(cmp.Compare(strings.Count(a.pointer, "/entries/"), strings.Count(b.pointer, "/entries/")), cmp.Compare(a.pointer, b.pointer))
	})
	return all
}

// lies are other values of the type of a fact.
func lies(value json.RawMessage) []string {
	if string(value) == "true" {
		return []string{"false"}
	}
	if string(value) == "false" {
		return []string{"true"}
	}
	return []string{`"12345.67"`, `"2019-02-03"`, `"Somebody Else Inc"`, `"1999"`}
}

// falsify reads a specimen as if it said something else in one place: the checks are those of the false facts.
func (s *proven) falsify(i int) bool {
	facts := falsifiable(s.right.Documents[0])
	for k := range facts {
		fact := facts[(i*31+k)%min(len(facts), 60)]
		for _, lie := range lies(fact.value) {
			set := []dossier.Correction{{Pointer: fact.pointer, Value: json.RawMessage(lie)}}
			back := []dossier.Correction{{Pointer: fact.pointer, Value: fact.value}}
			if s.right.CheckCorrections(set) != nil || s.right.CheckCorrections(back) != nil || lie == string(fact.value) {
				continue
			}
			wrong, _ := s.right.Correct(set)
			if source, read := s.right.Documents[0].Sources[fact.pointer]; read {
				wrong.Documents[0].Sources[fact.pointer] = source
			} else {
				delete(wrong.Documents[0].Sources, fact.pointer)
			}
			s.wrong, s.pointer, s.value = wrong, fact.pointer, back[0].Value
			return true
		}
	}
	return false
}

func (p *proof) put(t *testing.T, s *proven, k int, e dossier.Extraction) {
	t.Helper()
	var entries []dossier.EntryID
	kind := e.Documents[0].FieldType
	if kind != dossier.FieldBankStatement && kind != dossier.FieldTaxReturn && kind != dossier.FieldID {
		kind = dossier.FieldFile
	}
	s.leads[k], entries = p.pg.Lead(t, p.ws, kind)
	if k == 1 {
		p.falsified.Store(s.leads[k], true)
	}
	s.entries[k] = entries[0]
	p.pg.Exec(t, `UPDATE checklist_items SET validation_rules = ARRAY['The statement balances reconcile', 'The closing balance is at least $1,000',
		'The document is in the name of the applicant', 'The document is from the last 10 years'] WHERE lead_id = $1`, s.leads[k])
	id := dossier.DocumentID(postgres.NewID())
	key := string(p.ws) + "/documents/" + string(id)
	if _, err := p.journey.objects.Put(t.Context(), key+tokensOf, "application/octet-stream", bytes.NewReader(s.words), int64(len(s.words))); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(id))
	p.pg.Exec(t, `INSERT INTO documents (workspace_id, id, lead_id, filename, mime_type, size, sha256, object_key, tokens_key, source, uploaded_at, extraction_status,
			extraction, created_at, updated_at)
		VALUES ($1, $2, $3, $4, 'application/pdf', 1, $5, $6, $7, 'imported', $8, 'completed', $9, $8, $8)`,
		p.ws, id, s.leads[k], s.name, sum[:], key, key+tokensOf, p.pg.Clock.Now(), e)
	p.pg.Exec(t, `INSERT INTO document_associations (workspace_id, id, lead_id, document_id, entry_id, requested, score, reason, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, true, 1, '', now(), now())`, p.ws, postgres.NewID(), s.leads[k], id, s.entries[k])
	s.docs[k] = id
	if _, err := p.pg.DB.StageJobs(t.Context(), p.ws, jobs.ValidateDocument{Workspace: p.ws, Document: id}); err != nil {
		t.Fatal(err)
	}
	p.spread(t, s, k)
}

// spread starts the spread of a specimen; there is none of what the machine takes for nothing financial.
func (p *proof) spread(t *testing.T, s *proven, k int) {
	t.Helper()
	spread, err := p.pg.DB.CreateSpread(t.Context(), p.ws, postgres.NewSpread{LeadID: s.leads[k]})
	switch {
	case err == nil:
		s.spreads[k] = spread.ID
	case dossier.KindOf(err) != dossier.Invalid:
		t.Fatal(err)
	}
}

// correct sends a set and returns the effects.
func (a apiOf) correct(t *testing.T, id dossier.DocumentID, set []map[string]any, dry bool) postgres.CorrectionEffects {
	t.Helper()
	body, _ := json.Marshal(map[string]any{"corrections": set, "dryRun": dry})
	request, err := http.NewRequestWithContext(t.Context(), "PUT", a.url+"/api/v1/documents/"+string(id)+"/corrections", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("x-api-key", a.key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, _ := io.ReadAll(response.Body)
	var answer struct{ Effects postgres.CorrectionEffects }
	if err := json.Unmarshal(text, &answer); err != nil || response.StatusCode != 200 {
		t.Fatalf("%s: %d %s", body, response.StatusCode, text)
	}
	return answer.Effects
}

// state is all that rests on a document, without ids and times: facts, checks, warnings, verdicts, its item, and the
// figures of its spread.
func (p *proof) state(t *testing.T, s *proven, k int) string {
	t.Helper()
	text := pgtest.Value[string](t, p.pg, `SELECT jsonb_build_object('facts', jsonb_path_query_array(d.extraction, '$.documents[*].facts'),
		'checks', jsonb_path_query_array(d.extraction, '$.documents[*].checks'), 'warnings', jsonb_path_query_array(d.extraction, '$.documents[*].warnings'),
		'verdicts', a.validation_result, 'valid', a.overall_valid, 'item', e.status, 'reasons', e.reasons)::text
		FROM documents d JOIN document_associations a ON a.document_id = d.id JOIN checklist_entries e ON e.id = a.entry_id WHERE d.id = $1`, s.docs[k])
	if s.spreads[k] != "" {
		text += pgtest.Value[string](t, p.pg, `SELECT status || coalesce(error, '') || coalesce((results::jsonb - 'generatedAt')::text, '') FROM spreads WHERE id = $1`, s.spreads[k])
	}
	for _, id := range []string{string(s.docs[k]), string(s.leads[k]), string(s.entries[k]), string(s.spreads[k])} {
		if id != "" {
			text = strings.ReplaceAll(text, id, "ID")
		}
	}
	return withoutPlaces(text)
}

// withoutPlaces leaves away how a figure was read: a person's is not printed where the machine's was.
func withoutPlaces(text string) string {
	for _, name := range []string{`"text": "`, `"method": "`} {
		parts := strings.Split(text, name)
		for i := range parts[1:] {
			if at := strings.Index(parts[i+1], `"`); at >= 0 {
				parts[i+1] = parts[i+1][at:]
			}
		}
		text = strings.Join(parts, name)
	}
	return text
}

// bytesOf is what must not move when a person accepts: the facts, the results and the files of a spread.
func (p *proof) bytesOf(t *testing.T, s *proven) string {
	return pgtest.Value[string](t, p.pg, `SELECT d.extraction::text || a.validation_result::text || e.status || e.reasons::text || coalesce((SELECT results::text || s.round ||
			(SELECT coalesce(string_agg(encode(f.sha256, 'hex'), ' ' ORDER BY f.type), '') FROM artifacts f WHERE f.spread_id = s.id) FROM spreads s WHERE s.lead_id = d.lead_id), '')
		FROM documents d JOIN document_associations a ON a.document_id = d.id JOIN checklist_entries e ON e.id = a.entry_id WHERE d.id = $1`, s.docs[0])
}

// readAll reads specimens, two at a time, in their order; nil is one without a fact that can be falsified.
func readAll(t *testing.T) (next func() *proven) {
	ctx, taken := t.Context(), 0
	var lanes [2]chan *proven
	for lane := range lanes {
		lanes[lane] = make(chan *proven, 4)
		decoder := decode.NewDecoder(decode.Options{CacheDir: filepath.Join(os.TempDir(), "dossier-test-pdfium"), Limits: decode.Limits{}.OrDefaults()})
		go func() {
			for i := lane; ; i += len(lanes) {
				select {
				case lanes[lane] <- readSpecimen(decoder, i):
				case <-ctx.Done():
					return
				}
			}
		}()
	}
	return func() *proven {
		taken++
		return <-lanes[(taken-1)%len(lanes)]
	}
}

// readSpecimen reads the i-th specimen; nil of a picture, and of one without a fact that can be falsified.
func readSpecimen(decoder *decode.Decoder, i int) *proven {
	made := drawn(i)
	decoded, err := decoder.Decode(made.Data)
	if err != nil {
		return nil
	}
	read := document.Extract(decoded)
	text.HideSecrets(&decoded, &read)
	words, err := text.EncodeTokens(decoded)
	if err != nil {
		return nil
	}
	s := &proven{name: fmt.Sprintf("%d %s", i, made.Name), right: read, words: words, pages: decoded.Pages}
	if len(read.Documents) == 0 || !s.falsify(i) {
		return nil
	}
	return s
}

// Of each of 40 specimens, 300 where DOSSIER_LONG is set, one fact is falsified and corrected through the API: facts,
// checks, verdicts, items and the cells of spreads are then those of the reading that was never falsified, and the
// effects said so. Accepting all that was read changes no byte of facts, verdicts, results and reports.
func TestCorrections_proof(t *testing.T) {
	if testing.Short() {
		t.Skip("the readings of its specimens, once, without the race detector")
	}
	count := longer(40, 300)
	p := newProof(t)
	var all []*proven
	for next, drawn := readAll(t), 0; len(all) < count; drawn++ {
		if drawn > 3*count {
			t.Fatalf("only %d specimens have a fact to falsify", len(all))
		}
		s := next()
		if s == nil {
			continue
		}
		all = append(all, s)
		p.put(t, s, 0, s.right)
		p.put(t, s, 1, s.wrong)
	}
	p.journey.idle(t)
	cited := 0
	for _, s := range all {
		cited += p.cites(t, s, s.pages)
	}
	if cited < count {
		t.Errorf("only %d citations were looked up", cited)
	}
	before, moved, changed := map[*proven]string{}, 0, 0
	for _, s := range all {
		before[s] = p.bytesOf(t, s)
		was := p.state(t, s, 1)
		if was == p.state(t, s, 0) {
			t.Errorf("%s %s: the lie shows nowhere", s.name, s.pointer)
		}
		set := []map[string]any{{"part": 0, "pointer": s.pointer, "value": s.value}}
		dry := p.correct(t, s.docs[1], set, true)
		if p.state(t, s, 1) != was {
			t.Errorf("%s: a dry run changed something", s.name)
		}
		real := p.correct(t, s.docs[1], set, false)
		if diff := gocmp.Diff(dry, real); diff != "" {
			t.Errorf("%s: a dry run says other effects:\n%s", s.name, diff)
		}
		if s.spreads[1] == "" && s.spreads[0] != "" {
			p.spread(t, s, 1) // of a return that was taken for another form
		}
		moved += len(real.Items)
		for _, effect := range real.Spreads {
			changed += len(effect.Changes)
		}
	}
	p.journey.idle(t)
	for _, s := range all {
		if diff := gocmp.Diff(p.state(t, s, 0), p.state(t, s, 1)); diff != "" {
			t.Errorf("%s, %s corrected (-never falsified +corrected):\n%.3000s", s.name, s.pointer, diff)
		}
		p.accept(t, s, before[s])
	}
	t.Logf("%d items and %d cells of spreads followed", moved, changed)
	if moved < longer(4, 10) || changed < longer(20, 50) {
		t.Errorf("%d items and %d cells followed: the test no longer moves them", moved, changed)
	}
}

// cites looks up what the verdicts on a specimen cite: a box that is given holds the words that are quoted.
func (p *proof) cites(t *testing.T, s *proven, pages []text.Page) (cited int) {
	t.Helper()
	d, err := p.pg.DB.ReadDocument(t.Context(), p.ws, s.docs[0])
	if err != nil || len(d.Associations) != 1 || d.Associations[0].Result == nil {
		t.Fatalf("%s: %+v, %v", s.name, d.Associations, err)
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	for _, rule := range d.Associations[0].Result.Results {
		for _, c := range rule.Citations {
			if c.Box == nil && d.Extraction.Documents[c.Part].Derived[c.Pointer] != "" {
				continue
			}
			cited++
			said := ""
			for _, page := range pages {
				if c.Page == nil || page.Number != *c.Page {
					continue
				}
				for _, w := range page.Tokens {
					if inBox(w, c.Box) {
						said += w.Text
					}
				}
			}
			if said == "" && c.Text != "" || !strings.Contains(squeeze(said), squeeze(c.Text)) {
				t.Errorf("%s cites %q for %s at %v, where %q stands", s.name, c.Text, c.Pointer, c.Box, said)
			}
		}
	}
	return cited
}

func inBox(w text.Token, box any) bool {
	if cell, ok := box.(string); ok {
		return w.Cell == cell
	}
	corners, ok := box.([]any)
	if !ok || len(corners) != 4 {
		return false
	}
	var b [4]float64
	for i := range corners {
		b[i], _ = corners[i].(float64)
	}
	x, y := (w.X0+w.X1)/2, (w.Y0+w.Y1)/2
	return b[0] <= x && x <= b[2] && b[1] <= y && y <= b[3]
}

// accept says of every fact that it is right.
func (p *proof) accept(t *testing.T, s *proven, before string) {
	t.Helper()
	var set []map[string]any
	for _, fact := range falsifiable(s.right.Documents[0]) {
		one := []dossier.Correction{{Pointer: fact.pointer, Value: fact.value}}
		if len(set) < 100 && s.right.CheckCorrections(one) == nil { // the later entries of long lists are like the first
			set = append(set, map[string]any{"part": 0, "pointer": fact.pointer, "value": fact.value})
		}
	}
	effects := p.correct(t, s.docs[0], set, false)
	if len(effects.Checks)+len(effects.Items)+len(effects.Spreads) > 0 {
		t.Errorf("%s: accepting has effects: %+v", s.name, effects)
	}
	if after := p.bytesOf(t, s); after != before {
		at := 0
		for at < min(len(before), len(after)) && before[at] == after[at] {
			at++
		}
		t.Errorf("%s: accepting changed %.400q to %.400q", s.name, before[max(at-200, 0):], after[max(at-200, 0):])
	}
}
