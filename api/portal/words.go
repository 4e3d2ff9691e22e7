package portal

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/language"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
)

//go:embed lang page.html script style.css
var portalFiles embed.FS

// portalWords is what the portal says in one language, by key. Another language is another file, of ours in portal/lang
// or of the operator's.
type portalWords struct {
	Lang string
	text map[string]string

	countries []portalCountry
}

// T says key with its arguments.
func (w portalWords) T(key string, args ...any) string {
	if len(args) == 0 {
		return w.text[key]
	}
	return fmt.Sprintf(w.text[key], args...)
}

// language is the language without its region: es of es-MX.
func (w portalWords) language() string {
	base, _, _ := strings.Cut(w.Lang, "-")
	return base
}

// day writes a date as people do, where the service has the language's words for it.
func (w portalWords) day(date string) string {
	if language := dossier.Language(w.language()); language.Valid() {
		return dossier.FormatDay(language, date)
	}
	return date
}

// reason says why something is not right in the page's language; foreign when there are no words for it, and it stays
// in English.
func (w portalWords) reason(why dossier.Reason) (said string, foreign bool) {
	for _, language := range web.Languages {
		if w.language() == string(language) && !why.Foreign(language) {
			return why.In(language), false
		}
	}
	return why.In(dossier.English), w.language() != string(dossier.English)
}

// portalLanguages are the languages there are; English, which stands for all others, first.
type portalLanguages struct {
	words   []portalWords
	matcher language.Matcher
}

// ownLanguages are those of the program alone.
var ownLanguages = sync.OnceValues(func() (portalLanguages, error) { return loadPortalLanguages("") })

// loadPortalLanguages reads the languages of the program and those of an operator's directory ("": none), which may add
// languages and change words of ours. What a file of the operator's leaves out is said in our words of the same
// language, else in English. Error: a file that cannot be read, has words for nothing, or other places for values than
// English.
func loadPortalLanguages(dir string) (portalLanguages, error) {
	var all portalLanguages
	embedded, err := fs.Sub(portalFiles, "lang")
	if err != nil {
		return all, err
	}
	if err = all.add("en", mustReadPortal("lang/en.yaml")); err == nil { // first, for it measures the others
		err = all.read(embedded, "lang")
	}
	if err != nil || dir == "" {
		return all.matched(err)
	}
	return all.matched(all.read(os.DirFS(dir), dir))
}

// read adds the files of a directory.
func (l *portalLanguages) read(dir fs.FS, name string) error {
	files, err := fs.Glob(dir, "*.yaml")
	if err != nil || len(files) == 0 {
		return fmt.Errorf("%s has no file like fr.yaml", name)
	}
	for _, file := range files {
		data, err := fs.ReadFile(dir, file)
		if err == nil {
			err = l.add(strings.TrimSuffix(file, ".yaml"), data)
		}
		if err != nil {
			return fmt.Errorf("%s/%s: %w", name, file, err)
		}
	}
	return nil
}

// add puts words into their language, which it makes when it is new.
func (l *portalLanguages) add(lang string, data []byte) error {
	tag, err := language.Parse(lang)
	if err != nil {
		return fmt.Errorf("the name is no language: %w", err)
	}
	var text map[string]string
	if err := yaml.Load(data, &text); err != nil {
		return err
	}
	i := slices.IndexFunc(l.words, func(w portalWords) bool { return w.Lang == lang })
	if i < 0 {
		i = len(l.words)
		l.words = append(l.words, portalWords{Lang: lang, text: map[string]string{}, countries: countriesIn(tag)})
		if lang != "en" {
			maps.Copy(l.words[i].text, l.words[0].text)
		}
	}
	if len(l.words[0].text) == 0 {
		l.words[0].text = text
		return nil
	}
	for key, said := range text {
		english, known := l.words[0].text[key]
		if !known {
			return fmt.Errorf("the page never says %q", key)
		}
		if places := portalVerb.FindAllString(english, -1); !slices.Equal(places, portalVerb.FindAllString(said, -1)) {
			return fmt.Errorf("%s must have %v as in English: %q", key, places, said)
		}
		l.words[i].text[key] = said
	}
	return nil
}

var portalVerb = regexp.MustCompile(`%[a-z]`) // where a value goes

// matched makes the matcher when all words were read.
func (l portalLanguages) matched(err error) (portalLanguages, error) {
	var tags []language.Tag
	for _, words := range l.words {
		tags = append(tags, language.Make(words.Lang))
	}
	l.matcher = language.NewMatcher(tags)
	return l, err
}

// pick is the language a browser asks for.
func (l portalLanguages) pick(acceptLanguage string) portalWords {
	_, index := language.MatchStrings(l.matcher, acceptLanguage)
	return l.words[index]
}
