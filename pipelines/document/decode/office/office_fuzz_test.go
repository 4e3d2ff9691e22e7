package office

import (
	"testing"

	"github.com/xuri/excelize/v2"
)

func FuzzDecodeXLSX(f *testing.F) {
	book := excelize.NewFile()
	for cell, value := range map[string]any{"A1": "Revenue", "B1": 1234.5, "A2": "2024-01-31", "B2": true} {
		if err := book.SetCellValue("Sheet1", cell, value); err != nil {
			f.Fatal(err)
		}
	}
	if err := book.MergeCell("Sheet1", "A3", "B4"); err != nil {
		f.Fatal(err)
	}
	data, err := book.WriteToBuffer()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data.Bytes())
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		_, _ = XLSX(data)
	})
}

func FuzzDecodeTXT(f *testing.F) {
	f.Add([]byte("Dear Sir,\n\thello\fpage two"))
	f.Add([]byte("\xff\xfeA\x00"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		_, _ = TXT(data)
	})
}
