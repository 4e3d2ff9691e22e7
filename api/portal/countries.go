package portal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/text/unicode/norm"

	"github.com/dossierhq/dossier"
)

// portalCountry is a country as one language calls it.
type portalCountry struct {
	Region  string // ISO 3166 alpha-2
	Name    string
	Calling int
}

// countriesIn lists the countries of the world by their names in a language.
func countriesIn(tag language.Tag) []portalCountry {
	names := display.Regions(tag)
	var countries []portalCountry
	for code, calling := range dossier.PhoneRegions() {
		region, err := language.ParseRegion(code)
		if err != nil || !region.IsCountry() {
			continue
		}
		if name := names.Name(region); name != "" {
			countries = append(countries, portalCountry{code, name, calling})
		}
	}
	slices.SortFunc(countries, func(a, b portalCountry) int {
		return cmp.Compare(unaccented(a.Name),
			unaccented(b.Name))
	})
	return countries
}

// unaccented orders Åland with A.
func unaccented(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(name))
}

// PhoneCountries are the countries of a phone input with their calling codes.
func (i portalItem) PhoneCountries() []portalOption {
	var options []portalOption
	for _, c := range i.words.countries {
		options = append(options, portalOption{c.Region, fmt.Sprintf("%s (+%d)", c.Name, c.Calling),
			c.Region == i.Region})
	}
	return options
}

// AddressCountries are the countries of an address. One that is on file and in no list stays choosable.
func (i portalItem) AddressCountries() []portalOption {
	chosen := ""
	for _, part := range i.Parts {
		if part.Name == "country" {
			chosen = part.Value
		}
	}
	if chosen == "" {
		chosen = "US" // what an address without a country is taken for
	}
	var options []portalOption
	known := false
	for _, c := range i.words.countries {
		here := strings.EqualFold(c.Region, chosen) || strings.EqualFold(c.Name, chosen)
		known = known || here
		options = append(options, portalOption{c.Region, c.Name, here})
	}
	if !known {
		options = slices.Insert(options, 0, portalOption{chosen, chosen, true})
	}
	return options
}
