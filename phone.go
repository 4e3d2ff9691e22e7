package dossier

import "github.com/nyaruka/phonenumbers"

// NormalizePhone returns raw in E.164 by libphonenumber's rules; region (ISO 3166 alpha-2) is that of numbers
// without a country. It reports false for what does not parse or cannot be a number: such text is kept as given.
func NormalizePhone(raw, region string) (string, bool) {
	number, ok := parsePhone(raw, region)
	if !ok {
		return raw, false
	}
	return phonenumbers.Format(number, phonenumbers.E164), true
}

// PhoneTimezone returns the IANA zone of a number's area when there is exactly one, else "".
func PhoneTimezone(phone, region string) string {
	number, ok := parsePhone(phone, region)
	if !ok {
		return ""
	}
	zones, err := phonenumbers.GetTimezonesForNumber(number)
	if err != nil || len(zones) != 1 || zones[0] == phonenumbers.UNKNOWN_TIMEZONE {
		return ""
	}
	return zones[0]
}

func parsePhone(raw, region string) (*phonenumbers.PhoneNumber, bool) {
	number, err := phonenumbers.Parse(raw, region)
	if err != nil || !phonenumbers.IsPossibleNumber(number) {
		return nil, false
	}
	return number, true
}

// PhoneRegions returns the countries (ISO 3166 alpha-2) that have numbers of their own, with their calling codes.
func PhoneRegions() map[string]int {
	regions := map[string]int{}
	for region := range phonenumbers.GetSupportedRegions() {
		regions[region] = phonenumbers.GetCountryCodeForRegion(region)
	}
	return regions
}

// SplitPhone returns the country of a number in E.164 and the number as it is written there. It reports false for
// other text and for numbers of no country.
func SplitPhone(phone string) (region, national string, ok bool) {
	number, err := phonenumbers.Parse(phone, "ZZ")
	if err != nil {
		return "", "", false
	}
	region = phonenumbers.GetRegionCodeForNumber(number)
	if region == "" {
		// A possible number that nobody has yet: any country with its calling code writes it alike.
		region = phonenumbers.GetRegionCodeForCountryCode(int(number.GetCountryCode()))
	}
	return region, phonenumbers.Format(number, phonenumbers.NATIONAL), region != "" && region != "ZZ" && region != "001"
}
