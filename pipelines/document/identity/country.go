package identity

import (
	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// issuers are the names of countries in their own languages and in English, folded, as identity documents print them at
// their head. Source: ICAO 9303 part 3, section 5, and the register of documents of the Council of the European Union.
var issuers = []struct{ phrase, code string }{
	{"republik osterreich", "AUT"}, {"osterreich", "AUT"}, {"austria", "AUT"}, {"belgie", "BEL"}, {"belgique", "BEL"},
	{"belgien", "BEL"}, {"belgium", "BEL"},
	{"bulgaria", "BGR"}, {"hrvatska", "HRV"}, {"croatia", "HRV"}, {"kypros", "CYP"}, {"cyprus", "CYP"},
	{"ceska republika", "CZE"}, {"czech republic", "CZE"},
	{"danmark", "DNK"}, {"denmark", "DNK"}, {"eesti", "EST"}, {"estonia", "EST"}, {"suomi", "FIN"}, {"finland", "FIN"},
	{"france", "FRA"}, {"republique francaise", "FRA"},
	{"deutschland", "DEU"}, {"germany", "DEU"}, {"ellas", "GRC"}, {"hellenic republic", "GRC"}, {"magyarorszag", "HUN"},
	{"hungary", "HUN"}, {"island", "ISL"}, {"iceland", "ISL"},
	{"eire", "IRL"}, {"italia", "ITA"}, {"italy", "ITA"}, {"latvija", "LVA"}, {"latvia", "LVA"}, {"lietuva", "LTU"},
	{"lithuania", "LTU"}, {"luxembourg", "LUX"},
	{"malta", "MLT"}, {"koninkrijk der nederlanden", "NLD"}, {"netherlands", "NLD"}, {"norge", "NOR"}, {"noreg", "NOR"},
	{"norway", "NOR"}, {"rzeczpospolita polska", "POL"}, {"poland", "POL"},
	{"republica portuguesa", "PRT"}, {"portugal", "PRT"}, {"romania", "ROU"}, {"slovensko", "SVK"},
	{"slovenska republika", "SVK"}, {"slovakia", "SVK"}, {"slovenija", "SVN"}, {"slovenia", "SVN"},
	{"reino de espana", "ESP"}, {"spain", "ESP"}, {"sverige", "SWE"}, {"sweden", "SWE"}, {"schweiz", "CHE"},
	{"suisse", "CHE"}, {"svizzera", "CHE"}, {"switzerland", "CHE"},
	{"great britain", "GBR"}, {"northern ireland", "GBR"}, {"turkiye", "TUR"}, {"turkey", "TUR"}, {"ukraine", "UKR"},
	{"ukraina", "UKR"}, {"srbija", "SRB"}, {"serbia", "SRB"},
	{"republic of singapore", "SGP"}, {"singapore", "SGP"}, {"republic of korea", "KOR"}, {"japan", "JPN"},
	{"hong kong", "HKG"}, {"taiwan", "TWN"}, {"malaysia", "MYS"}, {"thailand", "THA"},
	{"viet nam", "VNM"}, {"indonesia", "IDN"}, {"pilipinas", "PHL"}, {"pakistan", "PAK"}, {"bangladesh", "BGD"},
	{"sri lanka", "LKA"}, {"nepal", "NPL"},
	{"indian union", "IND"}, {"government of india", "IND"}, {"instituto nacional electoral", "MEX"},
	{"instituto federal electoral", "MEX"},
	{"united arab emirates", "ARE"}, {"saudi arabia", "SAU"}, {"state of israel", "ISR"},
	{"arab republic of egypt", "EGY"}, {"royaume du maroc", "MAR"},
	{"south africa", "ZAF"}, {"federal republic of nigeria", "NGA"}, {"nigeria", "NGA"}, {"kenya", "KEN"},
	{"ghana", "GHA"},
	{"republica federativa do brasil", "BRA"}, {"republica argentina", "ARG"}, {"republica de chile", "CHL"},
	{"republica de colombia", "COL"}, {"republica del peru", "PER"},
	{"republica dominicana", "DOM"}, {"republica de guatemala", "GTM"}, {"republica de el salvador", "SLV"},
	{"republica de honduras", "HND"}, {"jamaica", "JAM"}, {"republica oriental del uruguay", "URY"},
	{"republica del ecuador", "ECU"}, {"republica de costa rica", "CRI"}, {"republica de panama", "PAN"},
	{"estado plurinacional de bolivia", "BOL"}, {"republica bolivariana de venezuela", "VEN"},
	{"republica del paraguay", "PRY"}, {"republica de nicaragua", "NIC"}, {"republik indonesia", "IDN"},
	{"kingdom of thailand", "THA"}, {"state of kuwait", "KWT"}, {"state of qatar", "QAT"},
	{"kingdom of bahrain", "BHR"}, {"sultanate of oman", "OMN"}, {"hashemite kingdom of jordan", "JOR"},
	{"bosna i hercegovina", "BIH"}, {"crna gora", "MNE"}, {"moldova", "MDA"}, {"belarus", "BLR"},
	{"kazakhstan", "KAZ"}, {"uzbekistan", "UZB"}, {"azerbaijan", "AZE"}, {"armenia", "ARM"},
	{"liechtenstein", "LIE"}, {"russian federation", "RUS"}, {"united republic of tanzania", "TZA"},
	{"republic of uganda", "UGA"}, {"ethiopia", "ETH"}, {"republique du senegal", "SEN"},
	{"republique de cote d ivoire", "CIV"}, {"republique du cameroun", "CMR"},
}

// monthsFirst are the countries whose documents print the month before the day.
var monthsFirst = map[string]bool{"USA": true, "PHL": true, "": true}

// issuingCountry is the country that a line names as the issuer, else empty.
func issuingCountry(l text.Line) string {
	s := text.Fold(l.Text())
	for _, c := range text.IssuingCountries {
		if text.HasWords(s, c.Phrase) {
			return c.Code
		}
	}
	for _, c := range issuers {
		if text.HasWords(s, c.phrase) {
			return c.code
		}
	}
	return ""
}

// setDateOrder reads dates with the day first on documents of countries other than the United States and those that
// print the month first. A state may have the name of a country within its own.
func (r *identityReader) setDateOrder() {
	for _, l := range r.lines {
		if r.Type == dossier.DocDriversLicense && text.StateCountry(text.StateNamed(l.Text())) == "USA" {
			return
		}
		if code := issuingCountry(l); code != "" {
			if !monthsFirst[code] {
				r.Order = text.DayFirst
			}
			return
		}
	}
}
