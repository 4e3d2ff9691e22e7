package specimen

import (
	"fmt"
	"time"
)

// ManySources is a borrower of whom every year comes from several sources that agree: a return, a compilation, a
// comparative statement and an export, over and over until there are as many documents as asked for. With interim the
// last documents are statements of nine months and a quarter beside those of the year before, which makes four more
// periods. It is for measuring; its Spread is empty.
func ManySources(years, documents int, interim bool) Borrower {
	x := newBorrowing(fmt.Sprintf("%d_documents", documents), "many sources for every period", 117)
	shape := firmShape{revenue: 2_400_000, growth: 6, margin: 9, goods: 45}
	all := newBooks(x.d, firm(x.d), date(2024-years, time.December, 31), years, shape)
	layouts := []string{"compilation", "comparative", "quickbooks_accrual"}
	full := documents
	if interim {
		full -= documents / 10
	}
	for i := range full {
		b, source := all[i%years], i/years%(len(layouts)+1)
		if source == 0 {
			x.fileReturn("1120-S", b)
			continue
		}
		x.handIn(layoutOf(layouts[source-1]), periods{income: []books{b}, sheets: []books{b}}, uint64(i))
	}
	for i := full; i < documents; i++ {
		l := layoutOf("interim")
		p := l.inventInterim(roll(x.seed, "interim"), all[0].entity, 2024)
		x.handIn(l, p, uint64(i))
	}
	x.b.Spread = Spread{Currency: "USD"}
	return x.b
}
