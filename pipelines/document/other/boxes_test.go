package other

import "testing"

// A caption that OCR garbled is the one that its letters are most like; another box's, or what may be two, is none.
func TestBoxCaption(t *testing.T) {
	for _, c := range []struct {
		form, cell, want string
	}{
		{"W-2", "1 Wage i th cmnsatn", "wages"},
		{"W-2", "2 Federal incme tax witheld", "federalTaxWithheld"},
		{"W-2", "a Emplyees SSA numbr", "ssn"},
		{"W-2", "16 State wage , tip", ""},
		{"W-2", "4 Social security tax witheld", ""},
		{"W-2", "Ironbark Outfitters LLC", ""},
		{"1099-NEC", "RECIPIENT 'S nam", "name"},
		{"1099-INT", "4 Federa l income tax withheld", "federalTaxWithheld"},
		{"1099-INT", "5 State tax withheld", ""},
		{"W-9", "2 Busines s ame/disregarded entity name i f differen t from above", "entityName"},
		{"W-4", "1 Wages", ""},
	} {
		if got := boxCaption(c.cell, boxesOf(c.form)); got != c.want {
			t.Errorf("%s %q is %q, want %q", c.form, c.cell, got, c.want)
		}
	}
}
