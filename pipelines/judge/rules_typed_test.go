package judge

import "testing"

const forPerson = "rule not understood: a person will be asked"

// Rules as people type them, with how each must be read: a reading that asks for less than the words do would pass what
// it must not, so such a rule is for a person.
func TestExplainRule_asTyped(t *testing.T) {
	for rule, want := range map[string]string{
		"stmt must be no older than 60 days":                   "the document's date is at most 60 days before the day of judging",
		"must not be older then 60 days":                       "the document's date is at most 60 days before the day of judging",
		"Statements older than 60 days are not accepted":       "the document's date is at most 60 days before the day of judging",
		"The statement's ending date must be within 45 days":   "the document's date is at most 45 days before the day of judging",
		"Must not be older than 90 days from application date": forPerson,
		"Dated within 30 days of the application":              forPerson,
		"Must be from 2024":                                    "the tax year is 2024",
		"Must be 2023 or later":                                "the tax year is 2023 or later",
		"must be last year's return":                           "the tax year is last year, or the year before while last year's return may still be open (until October 15)",
		"Must be a federal return":                             "the document is an income tax return",
		"Full account number must be shown":                    "the document shows the account number in full",
		"Account number must be visible":                       "the document shows the account number",
		"must show the owner's name":                           "the printed name is the name of an owner",
		"shows the company name":                               "the printed name is the name of the business",
		"statemnt must show the acount holder":                 "the document shows the name",
		"Matches borrower name":                                "the printed name is the name of the lead",
		"Business name must match the application":             "the printed name is the name of the business",
		"Owner's name must match":                              "the printed name is the name of an owner",
		"EIN must match the application":                       "the printed EIN is the business's",
		"Business address must match":                          "the printed address is an address of the lead",
		"Must be a US passport":                                "both: the document is a passport; and it was issued in the United States",
		"Driver's license or passport":                         "the document is a driver's license or a passport",
		"The bank statement or ID shows the owner's name":      "either: the printed name is the name of an owner; or the printed name is the name of an owner",
		"PDF only":                                    "the file is a PDF",
		"Screenshots are not allowed":                 "not: the file is a screenshot",
		"Personal accounts are not acceptable":        "not: the document is a personal one, not a business one",
		"Joint accounts acceptable":                   forPerson,
		"Closing bal > $5,000":                        "the closing balance is more than 5,000",
		"Minimum average daily balance of $2,500":     "the average daily balance is at least 2,500",
		"Ending balance cannot be below $0":           "the closing balance is at least 0",
		"Balance must never fall below $100":          "the lowest balance is at least 100",
		"balance must not fall below $100":            "the lowest balance is at least 100",
		"Must not have negative ending balance":       forPerson,
		"No withdrawals over $10,000":                 forPerson,
		"No deposits over 5k":                         forPerson,
		"No single deposit larger than 5,000":         forPerson,
		"Total withdrawals must not exceed $5,000":    "the total of withdrawals is at most 5,000",
		"Must have at least 10 deposits":              "the number of deposits is at least 10",
		"Monthly deposits of at least $25,000":        forPerson,
		"Ending balance over 5,000 and no NSFs":       "both: the closing balance is more than 5,000; and the number of NSF and overdraft entries is at most 0",
		"Must show beginning and ending balance":      "both: the document shows the opening balance; and the document shows the closing balance",
		"Every page of the statement must be present": "all pages are there, by their printed page numbers",
		"Balance sheet must balance":                  "total assets equal total liabilities and equity",
		"Balance sheet must be dated within 90 days":  "the document's date is at most 90 days before the day of judging",
		"In USD":                                                       "the currency is USD",
		"No online banking printouts":                                  forPerson,
		"Must be signed, dated and notarized":                          forPerson,
		"Gross profit must be at least 20%":                            forPerson,
		"Must include all schedules":                                   forPerson,
		"All pages included, even blank ones":                          forPerson,
		"Must not be an amended return":                                forPerson,
		"Only one account per statement":                               forPerson,
		"Beginning balance must match previous month's ending balance": forPerson,
	} {
		if got, _ := ExplainRule(rule); got != want {
			t.Errorf("%q\n is read as %s\n want       %s", rule, got, want)
		}
	}
}
