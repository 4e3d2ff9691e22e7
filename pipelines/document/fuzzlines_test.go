package document

import "testing"

func FuzzLines(f *testing.F) {
	f.Add("Beginning balance|$1.00", "03/04|PAYROLL|5.00|6.00", "Ending balance|6.00")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		if len(a)+len(b)+len(c) > 2000 {
			return
		}
		e := Extract(Decoded{PageCount: 1, Layer: LayerText, Pages: []Page{page(a, b, c)}})
		if len(e.Documents) == 0 {
			t.Error("a readable file has at least one document")
		}
	})
}
