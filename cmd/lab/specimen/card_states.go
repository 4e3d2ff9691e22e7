package specimen

// The captions of dates on cards.
const (
	cardDates   = "3 DOB|4a ISS|4b EXP"
	wordedDates = "3 DATE OF BIRTH|4a ISSUED|4b EXPIRES"
	plainDates  = "DOB|ISS|EXP"
	longDates   = "DATE OF BIRTH|ISSUE DATE|EXPIRATION DATE"
	slashed     = "01/02/2006"
	dashed      = "01-02-2006"
)

// cardPlans are the 51 jurisdictions and, below them, designs that are still carried. Titles, captions and the shapes of
// numbers are theirs; names, numbers and pictures are invented.
var cardPlans = []cardPlan{
	{state: "AL", title: "ALABAMA", kind: "DRIVER LICENSE", number: "4d NO.", pattern: "0000000", dates: cardDates, layout: dashed, names: "numbered", form: "rows"},
	{state: "AK", title: "ALASKA", kind: "DRIVER LICENSE", number: "4d DL NO.", pattern: "0000000", dates: cardDates, layout: slashed, names: "numbered", form: "stacked"},
	{state: "AZ", title: "ARIZONA", kind: "DRIVER LICENSE", number: "4d DLN", pattern: "A00000000", dates: cardDates, layout: slashed, names: "numbered", form: "rows", tight: true},
	{state: "AR", title: "ARKANSAS", kind: "DRIVER'S LICENSE", number: "4d DLN.", pattern: "900000000", dates: cardDates, layout: slashed, names: "numbered", form: "dates"},
	{state: "CA", title: "CALIFORNIA", kind: "DRIVER LICENSE", number: "DL", pattern: "A0000000", dates: plainDates, layout: slashed, names: "lettered", form: "address"},
	{state: "CO", title: "COLORADO", kind: "DRIVER LICENSE", number: "4d DL NO", pattern: "00-000-0000", dates: cardDates, layout: slashed, names: "numbered", form: "stacked"},
	{state: "CT", title: "CONNECTICUT", kind: "DRIVER'S LICENSE", number: "4d DLN", pattern: "000000000", dates: "3 DOB|4a ISS|4b EXP", layout: slashed, names: "numbered", form: "dates", tight: true},
	{state: "DE", title: "DELAWARE", kind: "DRIVER LICENSE", number: "4d LIC. #", pattern: "0000000", dates: cardDates, layout: slashed, names: "numbered", form: "rows"},
	{state: "DC", title: "DISTRICT OF COLUMBIA", kind: "DRIVER LICENSE", number: "4d DLN", pattern: "0000000", dates: cardDates, layout: slashed, names: "numbered", form: "stacked"},
	{state: "FL", title: "FLORIDA", kind: "DRIVER LICENSE", number: "4d DLN", pattern: "A000-000-00-000-0", dates: cardDates, layout: slashed, names: "numbered", form: "address"},
	{state: "GA", title: "GEORGIA", kind: "DRIVER'S LICENSE", number: "4d DL NO.", pattern: "000000000", dates: cardDates, layout: slashed, names: "numbered", form: "rows"},
	{state: "HI", title: "HAWAII", kind: "DRIVER LICENSE", number: "4d NO.", pattern: "H00000000", dates: cardDates, layout: slashed, names: "numbered", form: "dates"},
	{state: "ID", title: "IDAHO", kind: "DRIVER'S LICENSE", number: "4d DLN", pattern: "AA000000A", dates: cardDates, layout: slashed, names: "numbered", form: "rows", tight: true},
	{state: "IL", title: "ILLINOIS", kind: "DRIVER'S LICENSE", number: "4d LIC. NO.:", pattern: "A000-0000-0000", dates: "3 DOB:|4a ISS:|4b EXP:", layout: slashed, names: "numbered", form: "dates"},
	{state: "IN", title: "INDIANA", kind: "DRIVER'S LICENSE", number: "4d DLN", pattern: "0000-00-0000", dates: cardDates, layout: slashed, names: "numbered", form: "rows"},
	{state: "IA", title: "IOWA", kind: "DRIVER'S LICENSE", number: "4d DL No", pattern: "000AA0000", dates: cardDates, layout: slashed, names: "numbered", form: "stacked"},
	{state: "KS", title: "KANSAS", kind: "DRIVER'S LICENSE", number: "4d LIC. NO.", pattern: "K00-00-0000", dates: cardDates, layout: slashed, names: "numbered", form: "address"},
	{state: "KY", title: "KENTUCKY", kind: "DRIVER LICENSE", number: "4d DL #", pattern: "A00-000-000", dates: cardDates, layout: slashed, names: "both", form: "rows"},
	{state: "LA", title: "LOUISIANA", kind: "DRIVER'S LICENSE", number: "4d NO.", pattern: "000000000", dates: cardDates, layout: slashed, names: "numbered", form: "dates"},
	{state: "ME", title: "MAINE", kind: "DRIVER'S LICENSE", number: "4d DLN", pattern: "0000000", dates: cardDates, layout: slashed, names: "numbered", form: "rows"},
	{state: "MD", title: "MARYLAND", kind: "DRIVER'S LICENSE", number: "4d DL#", pattern: "A-000-000-000-000", dates: wordedDates, layout: slashed, names: "worded", form: "stacked"},
	{state: "MA", title: "MASSACHUSETTS", kind: "DRIVER'S LICENSE", number: "4d NUMBER", pattern: "S00000000", dates: cardDates, layout: slashed, names: "numbered", form: "stacked"},
	{state: "MI", title: "MICHIGAN", kind: "DRIVER LICENSE", number: "4d LIC NO", pattern: "A 000 000 000 000", dates: cardDates, layout: dashed, names: "one", form: "dates"},
	{state: "MN", title: "MINNESOTA", kind: "DRIVER'S LICENSE", number: "4d DL#", pattern: "A000-000-000-000", dates: cardDates, layout: slashed, names: "numbered", form: "rows", tight: true},
	{state: "MS", title: "MISSISSIPPI", kind: "DRIVER LICENSE", number: "4d DLN", pattern: "800-00-0000", dates: cardDates, layout: slashed, names: "numbered", form: "rows"},
	{state: "MO", title: "MISSOURI", kind: "DRIVER LICENSE", number: "4d DL NO.", pattern: "A000000000", dates: cardDates, layout: slashed, names: "numbered", form: "dates"},
	{state: "MT", title: "MONTANA", kind: "DRIVER LICENSE", number: "4d DLN", pattern: "0000000000000", dates: cardDates, layout: slashed, names: "both", form: "rows", tight: true},
	{state: "NE", title: "NEBRASKA", kind: "DRIVER'S LICENSE", number: "4d LIC NO", pattern: "A00000000", dates: cardDates, layout: slashed, names: "numbered", form: "stacked"},
	{state: "NV", title: "NEVADA", kind: "DRIVER LICENSE", number: "4d DLN", pattern: "0000000000", dates: cardDates, layout: slashed, names: "numbered", form: "rows"},
	{state: "NH", title: "NEW HAMPSHIRE", kind: "DRIVER LICENSE", number: "4d DLN", pattern: "NHA00000000", dates: cardDates, layout: slashed, names: "numbered", form: "dates"},
	{state: "NJ", title: "NEW JERSEY", kind: "AUTO DRIVER LICENSE", number: "4d DL", pattern: "A0000 00000 00000", dates: cardDates, layout: dashed, names: "numbered", form: "dates"},
	{state: "NM", title: "NEW MEXICO", kind: "DRIVER'S LICENSE", number: "4d DLN", pattern: "000000000", dates: cardDates, layout: slashed, names: "numbered", form: "rows"},
	{state: "NY", title: "NEW YORK STATE", kind: "DRIVER LICENSE", number: "4d ID", pattern: "000 000 000", dates: "3 DOB|4a ISSUED|4b EXPIRES", layout: slashed, names: "two lines", form: "dates"},
	{state: "NC", title: "NORTH CAROLINA", kind: "DRIVER LICENSE", number: "4d DLN", pattern: "000000000000", dates: cardDates, layout: slashed, names: "numbered", form: "rows"},
	{state: "ND", title: "NORTH DAKOTA", kind: "DRIVER LICENSE", number: "4d DLN", pattern: "AAA-00-0000", dates: cardDates, layout: dashed, names: "numbered", form: "stacked"},
	{state: "OH", title: "OHIO", kind: "DRIVER LICENSE", number: "4d LICENSE NO.", pattern: "AA000000", dates: "3 BIRTHDATE|4a ISSUED|4b EXPIRES", layout: dashed, names: "numbered", form: "stacked"},
	{state: "OK", title: "OKLAHOMA", kind: "DRIVER LICENSE", number: "4d DLN", pattern: "A000000000", dates: cardDates, layout: slashed, names: "numbered", form: "rows"},
	{state: "OR", title: "OREGON", kind: "DRIVER LICENSE", number: "4d LIC#", pattern: "0000000", dates: cardDates, layout: slashed, names: "numbered", form: "address", tight: true},
	{state: "PA", title: "PENNSYLVANIA", kind: "DRIVER'S LICENSE", number: "4d DLN:", pattern: "00 000 000", dates: "3 DOB:|4a ISS:|4b EXP:", layout: slashed, names: "numbered", form: "dates"},
	{state: "RI", title: "RHODE ISLAND", kind: "DRIVER'S LICENSE", number: "4d LIC. #", pattern: "0000000", dates: cardDates, layout: slashed, names: "numbered", form: "rows"},
	{state: "SC", title: "SOUTH CAROLINA", kind: "DRIVER'S LICENSE", number: "4d DL #", pattern: "000000000", dates: cardDates, layout: slashed, names: "numbered", form: "rows", tight: true},
	{state: "SD", title: "SOUTH DAKOTA", kind: "DRIVER LICENSE", number: "4d DLN", pattern: "00000000", dates: cardDates, layout: slashed, names: "numbered", form: "stacked"},
	{state: "TN", title: "TENNESSEE", kind: "DRIVER LICENSE", number: "4d DL NO.", pattern: "000000000", dates: cardDates, layout: slashed, names: "numbered", form: "dates"},
	{state: "TX", title: "TEXAS", kind: "DRIVER LICENSE", number: "4d DL:", pattern: "00000000", dates: "3 DOB:|4a Iss:|4b Exp:", layout: slashed, names: "numbered", form: "rows"},
	{state: "UT", title: "UTAH", kind: "DRIVER LICENSE", number: "4d DL#", pattern: "000000000", dates: cardDates, layout: slashed, names: "numbered", form: "address"},
	{state: "VT", title: "VERMONT", kind: "DRIVER'S LICENSE", number: "4d LIC #", pattern: "00000000", dates: cardDates, layout: slashed, names: "numbered", form: "rows"},
	{state: "VA", title: "VIRGINIA", kind: "DRIVER'S LICENSE", number: "4d DL NO.", pattern: "A00000000", dates: cardDates, layout: slashed, names: "numbered", form: "stacked"},
	{state: "WA", title: "WASHINGTON", kind: "DRIVER LICENSE", number: "4d LIC#", pattern: "WDLAAAA000AA", dates: cardDates, layout: slashed, names: "numbered", form: "rows", tight: true},
	{state: "WV", title: "WEST VIRGINIA", kind: "DRIVER'S LICENSE", number: "4d DLN", pattern: "A000000", dates: cardDates, layout: slashed, names: "numbered", form: "dates"},
	{state: "WI", title: "WISCONSIN", kind: "DRIVER LICENSE", number: "4d DLN", pattern: "A000-0000-0000-00", dates: cardDates, layout: slashed, names: "numbered", form: "rows"},
	{state: "WY", title: "WYOMING", kind: "DRIVER LICENSE", number: "4d DLN", pattern: "000000-000", dates: cardDates, layout: slashed, names: "numbered", form: "stacked"},

	{state: "AL", title: "ALABAMA", kind: "DRIVER LICENSE", number: "NO.", pattern: "0000000", dates: "D.O.B.|ISS|EXP", layout: dashed, names: "one", form: "rows", previous: true},
	{state: "CT", title: "CONNECTICUT", kind: "OPERATOR LICENSE", number: "LICENSE NO.", pattern: "000000000", dates: "DATE OF BIRTH|ISSUED|EXPIRES", layout: slashed, names: "comma", form: "stacked", previous: true},
	{state: "GA", title: "GEORGIA", kind: "DRIVER'S LICENSE", number: "DL NO.", pattern: "000000000", dates: plainDates, layout: slashed, names: "two lines", form: "dates", previous: true},
	{state: "IN", title: "INDIANA", kind: "OPERATOR LICENSE", number: "LICENSE NUMBER", pattern: "0000-00-0000", dates: longDates, layout: slashed, names: "two lines", form: "stacked", previous: true},
	{state: "MI", title: "MICHIGAN", kind: "OPERATOR LICENSE", number: "LICENSE NO.", pattern: "A 000 000 000 000", dates: "BIRTHDATE|ISSUED|EXPIRES", layout: dashed, names: "one", form: "rows", previous: true},
	{state: "NJ", title: "NEW JERSEY", kind: "AUTO DRIVER LICENSE", number: "DL", pattern: "A0000 00000 00000", dates: plainDates, layout: dashed, names: "one", form: "dates", previous: true},
	{state: "NY", title: "NEW YORK STATE", kind: "DRIVER LICENSE", number: "ID:", pattern: "000 000 000", dates: "DOB:|ISSUED:|EXPIRES:", layout: "01-02-06", names: "comma", form: "dates", previous: true},
	{state: "OH", title: "OHIO", kind: "DRIVER LICENSE", number: "LICENSE NO.", pattern: "AA000000", dates: "BIRTHDATE|ISSUED|EXPIRES", layout: dashed, names: "one", form: "rows", previous: true},
	{state: "PA", title: "PENNSYLVANIA", kind: "DRIVER'S LICENSE", number: "DLN:", pattern: "00 000 000", dates: "DOB:|ISSUED:|EXPIRES:", layout: slashed, names: "two lines", form: "address", previous: true},
	{state: "TX", title: "TEXAS", kind: "DRIVER LICENSE", number: "DL", pattern: "00000000", dates: plainDates, layout: dashed, names: "two lines", form: "rows", previous: true},
	{state: "VA", title: "VIRGINIA", kind: "DRIVER'S LICENSE", number: "CUSTOMER NO.", pattern: "A00-00-0000", dates: "BORN|ISSUED|EXPIRES", layout: dashed, names: "captioned", form: "rows", previous: true},
	{state: "WI", title: "WISCONSIN", kind: "REGULAR DRIVER LICENSE", number: "DRIVER LICENSE NO.", pattern: "A000-0000-0000-00", dates: "DATE OF BIRTH|ISSUED|EXPIRES", layout: slashed, names: "two lines", form: "stacked", previous: true},
}
