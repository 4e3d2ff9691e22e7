package render

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/dossierhq/dossier/cmd/lab/specimen"
)

// Names in many scripts are drawn with letters of a font that has them, and can be read in the file.
func TestReport_scripts(t *testing.T) {
	for _, name := range []string{"株式会社みなとや精工", "上海港湾贸易有限公司", "주식회사 한빛무역", "בית דפוס גליל בע\"מ", "شركة النور للتجارة",
		"साह्याद्री ऑटो पार्ट्स", "Ծաղիկ ՍՊԸ", "შპს მზიური", "Łódź Πέτρος Сыновья", "Tokyo 東京 Trading 株式会社",
		"บริษัท สยามการค้า จำกัด", "ບໍລິສັດ ລາວ", "ក្រុមហ៊ុន", "ကုမ္ပဏီ", "ኩባንያ", "প্রতিষ্ঠান", "ಕಂಪನಿ", "കമ്പനി", "ସଂସ୍ଥା", "සමාගම", "நிறுவனம்", "సంస్థ",
		"કંપની", "ਕੰਪਨੀ"} {
		ruler, err := newRuler()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range name {
			has := false
			for _, f := range ruler.faces {
				_, ok := ruler.ems(f, glyph{r, false})
				has = has || ok
			}
			if !has {
				t.Errorf("no font has %q of %s", r, name)
			}
		}
		r := spreadOf(t, specimen.ManySources(1, 1, false))
		r.EntityName = name
		got := norm.NFKC.String(textOf(t, reportOf(t, r), "-raw"))
		for word := range strings.FieldsSeq(norm.NFKC.String(name)) {
			if !strings.Contains(squeezed(got), squeezed(asDrawn(word))) && !strings.Contains(got, reversed(word)) {
				t.Errorf("the report lacks %q", word)
			}
		}
	}
}

// reversed is a word as it is drawn from right to left.
func reversed(s string) string {
	letters := []rune(s)
	for i, j := 0, len(letters)-1; i < j; i, j = i+1, j-1 {
		letters[i], letters[j] = letters[j], letters[i]
	}
	return string(letters)
}

// Arabic letters take the forms that their neighbours ask for, and lines the order in which they are drawn.
func TestVisual(t *testing.T) {
	for in, want := range map[string]string{
		"Acme Ltd": "Acme Ltd", "שלום": "םולש", "بيت": "\uFE96\uFEF4\uFE91", "لا": "\uFEFB", "دار": "\uFEAD\uFE8D\uFEA9", "AB שלום": "AB םולש",
		"लिमिटेड": "\u093Fल\u093Fमटेड", "इंजीनियरिंग": "इंजी\u093Fनय\u093Fरंग", "स्थिति": "\u093Fस्थ\u093Fत", "কোং": "\u09C7ক\u09BEং", "கொ": "\u0BC6க\u0BBE", "កេ": "\u17C1ក", "\u093F": "\u093F",
	} {
		if got := displayOrder(in); got != want {
			t.Errorf("%q is drawn as %+q, want %+q", in, got, want)
		}
	}
}
