package text

import "strings"

// states are the names that issuing states print on their cards (folded), with their codes. Longer names
// that hold a shorter one stand first.
var states = []struct{ name, code, country string }{
	{"west virginia", "WV", "USA"}, {"district of columbia", "DC", "USA"}, {"new hampshire", "NH", "USA"},
	{"new jersey", "NJ", "USA"}, {"new mexico", "NM", "USA"}, {"new york", "NY", "USA"},
	{"north carolina", "NC", "USA"}, {"north dakota", "ND", "USA"}, {"south carolina", "SC", "USA"},
	{"south dakota", "SD", "USA"}, {"rhode island", "RI", "USA"}, {"puerto rico", "PR", "USA"},
	{"alabama", "AL", "USA"}, {"alaska", "AK", "USA"}, {"arizona", "AZ", "USA"}, {"arkansas", "AR", "USA"},
	{"california", "CA", "USA"}, {"colorado", "CO", "USA"}, {"connecticut", "CT", "USA"}, {"delaware", "DE", "USA"},
	{"florida", "FL", "USA"}, {"georgia", "GA", "USA"}, {"hawaii", "HI", "USA"}, {"idaho", "ID", "USA"},
	{"illinois", "IL", "USA"}, {"indiana", "IN", "USA"}, {"iowa", "IA", "USA"}, {"kansas", "KS", "USA"},
	{"kentucky", "KY", "USA"},
	{"louisiana", "LA", "USA"}, {"maine", "ME", "USA"}, {"maryland", "MD", "USA"}, {"massachusetts", "MA", "USA"},
	{"michigan", "MI", "USA"}, {"minnesota", "MN", "USA"}, {"mississippi", "MS", "USA"}, {"missouri", "MO", "USA"},
	{"montana", "MT", "USA"}, {"nebraska", "NE", "USA"}, {"nevada", "NV", "USA"}, {"ohio", "OH", "USA"},
	{"oklahoma", "OK", "USA"}, {"oregon", "OR", "USA"}, {"pennsylvania", "PA", "USA"}, {"tennessee", "TN", "USA"},
	{"texas", "TX", "USA"}, {"utah", "UT", "USA"}, {"vermont", "VT", "USA"}, {"virginia", "VA", "USA"},
	{"washington", "WA", "USA"}, {"wisconsin", "WI", "USA"}, {"wyoming", "WY", "USA"}, {"guam", "GU", "USA"},
	{"british columbia", "BC", "CAN"}, {"ontario", "ON", "CAN"}, {"quebec", "QC", "CAN"}, {"alberta", "AB", "CAN"},
	{"manitoba", "MB", "CAN"}, {"saskatchewan", "SK", "CAN"}, {"nova scotia", "NS", "CAN"},
	{"new brunswick", "NB", "CAN"}, {"newfoundland and labrador", "NL", "CAN"}, {"prince edward island", "PE", "CAN"},
	{"northwest territories", "NT", "CAN"}, {"nunavut", "NU", "CAN"}, {"yukon", "YT", "CAN"},
	{"new south wales", "NSW", "AUS"}, {"queensland", "QLD", "AUS"}, {"western australia", "WA", "AUS"},
	{"south australia", "SA", "AUS"}, {"tasmania", "TAS", "AUS"},
}

// StateNamed is the code of the state that a line names: the whole line, or its beginning ("CALIFORNIA DRIVER
// LICENSE", "STATE OF OHIO").
func StateNamed(text string) string {
	folded := Fold(text)
	for _, lead := range []string{"state of ", "commonwealth of ", "the great state of ", "province of "} {
		folded = strings.TrimPrefix(folded, lead)
	}
	squeezed := strings.ReplaceAll(folded, " ", "")
	for _, s := range states {
		if HasWords(folded, s.name) && (len(strings.Fields(folded)) <= 6) ||
			squeezed == strings.ReplaceAll(s.name, " ", "") {
			return s.code
		}
	}
	return ""
}

func StateCountry(code string) string {
	for _, s := range states {
		if s.code == code {
			return s.country
		}
	}
	return ""
}

// IssuingCountries are phrases that documents of a country print.
var IssuingCountries = []struct{ Phrase, Code string }{
	{"united states of america", "USA"}, {"u s citizenship and immigration", "USA"}, {"permanent resident", "USA"},
	{"usa", "USA"},
	{"united kingdom", "GBR"}, {"dvla", "GBR"}, {"driving licence uk", "GBR"},
	{"canada", "CAN"}, {"australia", "AUS"}, {"new zealand", "NZL"},
	{"republique francaise", "FRA"}, {"bundesrepublik deutschland", "DEU"},
	{"federal republic of germany", "DEU"}, {"ireland", "IRL"}, {"espana", "ESP"}, {"repubblica italiana", "ITA"},
	{"estados unidos mexicanos", "MEX"}, {"mexico", "MEX"}, {"nederland", "NLD"},
	{"republic of india", "IND"}, {"philippines", "PHL"}, {"brasil", "BRA"}, {"people s republic of china", "CHN"},
	{"peoples republic of china", "CHN"}, {"utopia", "UTO"},
}
