package api

import (
	"embed"
	"fmt"
	"path"
	"strings"

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/language"
)

//go:embed portal
var portalFiles embed.FS

// portalWords is what the portal says in one language, by key. Another language is another file in portal/lang.
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

// portalLanguages are the languages there are; English, which stands for all others, first.
type portalLanguages struct {
	words   []portalWords
	matcher language.Matcher
}

func loadPortalLanguages() (portalLanguages, error) {
	files, err := portalFiles.ReadDir("portal/lang")
	if err != nil {
		return portalLanguages{}, err
	}
	var all portalLanguages
	for _, file := range files {
		data, err := portalFiles.ReadFile(path.Join("portal/lang", file.Name()))
		if err != nil {
			return all, err
		}
		words := portalWords{Lang: strings.TrimSuffix(file.Name(), ".yaml")}
		if err := yaml.Load(data, &words.text); err != nil {
			return all, fmt.Errorf("portal/lang/%s: %w", file.Name(), err)
		}
		all.words = append(all.words, words)
		if words.Lang == "en" {
			last := len(all.words) - 1
			all.words[0], all.words[last] = all.words[last], all.words[0]
		}
	}
	var tags []language.Tag
	for _, words := range all.words {
		tag, err := language.Parse(words.Lang)
		if err != nil {
			return all, fmt.Errorf("portal/lang/%s.yaml: %w", words.Lang, err)
		}
		tags = append(tags, tag)
	}
	for i, tag := range tags {
		all.words[i].countries = countriesIn(tag)
	}
	all.matcher = language.NewMatcher(tags)
	return all, nil
}

// pick is the language a browser asks for.
func (l portalLanguages) pick(acceptLanguage string) portalWords {
	_, index := language.MatchStrings(l.matcher, acceptLanguage)
	return l.words[index]
}
