package office

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// Text is read in the character set that its bytes show, of the banks' exports of many countries.
func TestText_charsets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set  encoding.Encoding
		text string
	}{
		"UTF-8":                    {unicode.UTF8, "Datum;Müller\n"},
		"UTF-8 with a mark":        {unicode.UTF8BOM, "Datum;Müller\n"},
		"UTF-16":                   {unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "Datum;Müller\n"},
		"UTF-16, the other way":    {unicode.UTF16(unicode.BigEndian, unicode.UseBOM), "Datum;Müller €\n"},
		"Western Europe":           {charmap.Windows1252, "Datum;Überweisung Müller à 5 €\n"},
		"Poland":                   {charmap.Windows1250, "Data;Wpłata własna, opłata\n"},
		"Czechia":                  {charmap.Windows1250, "Účet;převod;mzda;měsíc;důchod\n"},
		"Russia":                   {charmap.Windows1251, "Дата;Сумма;Остаток на счёте\n"},
		"Israel":                   {charmap.Windows1255, "תאריך;סכום;יתרה\n"},
		"Japan":                    {japanese.ShiftJIS, "お取引日,お引出し,残高\n"},
		"Japan, as Unix writes it": {japanese.EUCJP, "お取引日,お引出し,残高\n"},
		"Korea":                    {korean.EUCKR, "거래일자,출금금액,입금금액,잔액\n"},
		"China":                    {simplifiedchinese.GB18030, "交易日期,摘要,支出金额,余额\n"},
	} {
		data, err := c.set.NewEncoder().Bytes([]byte(c.text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := Text(data); got != c.text {
			t.Errorf("%s: %q, want %q", name, got, c.text)
		}
	}
}

// Lines end in many ways; bytes that are no text of any kind do no harm.
func TestText_damaged(t *testing.T) {
	t.Parallel()
	if got := Text([]byte("a\rb\r")); got != "a\nb\n" {
		t.Errorf("old Macintosh: %q", got)
	}
	for _, data := range [][]byte{nil, {0xff}, {0xff, 0xfe}, {0xff, 0xfe, 0x41}, {0xfe, 0xff, 0xd8, 0x00}, []byte(strings.Repeat("\x81", 50)), []byte("\n\x81")} {
		if got := Text(data); strings.Contains(got, "\x81") {
			t.Errorf("%x: %q", data, got)
		}
	}
	if !LooksUTF16([]byte{0xff, 0xfe}) || LooksUTF16([]byte{0xff}) || LooksUTF16([]byte("ab")) {
		t.Error("the mark of UTF-16")
	}
}
