package bankanalysis

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// life makes up two accounts of one business over months, in the words of a bank of its own, and keeps what is true of
// them. It knows nothing of how they are analysed.
type life struct {
	r     *rand.Rand
	first dossier.Day
	moves [2][]move // by account: checking, savings
	say   map[string]string
}

// move is one entry. kind is what it is in truth: sale, transfer, nsf, payroll, rent, loan, insurance, shop.
type move struct {
	day    dossier.Day
	cents  int64
	kind   string
	words  string
	moment int // order within the day
}

// dialects are how banks describe the same things; %d is a number that differs each time.
var dialects = map[string][]string{
	"to savings":    {"ONLINE TRANSFER TO SAVINGS XX%d", "Transfer to SAV ...%d", "INTERNET XFER TO MMA %d", "TFR TO OWN %d0000"},
	"from checking": {"TRANSFER FROM CHECKING XX%d", "DEPOSIT TRANSFER %d", "XFER FROM DDA %d", "MOBILE TRANSFER REF %d"},
	"sale":          {"DEPOSIT COBALT FREIGHT INV %d", "WIRE TRANSFER IN ORIG COBALT FREIGHT %d", "ACH CREDIT COBALT FREIGHT %d", "ZELLE FROM COBALT FREIGHT %d"},
	"nsf":           {"NSF FEE %d", "RETURNED ITEM CHECK %d", "OVERDRAFT ITEM FEE %d", "NON-SUFFICIENT FUNDS CHARGE %d"},
	"payroll":       {"GUSTO PAYROLL %d", "ADP WAGE PAY %d", "ACH DEBIT PAYROLL SVC %d", "PAYCHEX RCX PAYROLL %d"},
	"rent":          {"ACH DEBIT ALDER REALTY RENT", "HOLLIS PROPERTY MGMT WEB PMT %d", "BILL PAY RENT SUITE", "ALDER PROPERTIES LLC %d"},
	"loan":          {"SWIFTBRIDGE LENDING PMT %d", "ALDER CAPITAL ACH %d", "KAPITUS SERVICING %d", "TRANSFER TO LOAN %d0000"},
	"insurance":     {"SAMPLE INSURANCE PREM %d", "STATE FARM RO %d", "HARBOR MUTUAL INS PMT", "AFLAC INSURANCE %d"},
	"shop":          {"POS PURCHASE HARBOR SUPPLY %d", "DEBIT CARD CORNER CAFE %d", "CHECKCARD PAPER DEPOT %d", "ADVANCE AUTO PARTS %d"},
}

func newLife(seed uint64) *life {
	l := &life{r: rand.New(rand.NewPCG(seed, 7)), first: day("2023-10-01"), say: map[string]string{}}
	for kind := range dialects {
		l.say[kind] = dialects[kind][l.r.IntN(len(dialects[kind]))]
	}
	return l
}

func (l *life) move(account int, d dossier.Day, cents int64, kind, words string) {
	text := l.say[words]
	if strings.Contains(text, "%d") {
		text = fmt.Sprintf(text, 1000+l.r.IntN(9000))
	}
	l.moves[account] = append(l.moves[account], move{d, cents, kind, text, len(l.moves[account])})
}

// live lets months go by.
func (l *life) live(months int) {
	rent, loan, pay := int64(180_000+l.r.IntN(90_000)), int64(21_000+l.r.IntN(9_000)), int64(240_000+l.r.IntN(90_000))
	end := l.first.AddMonths(months)
	for d := l.first + dossier.Day(l.r.IntN(5)); d < end; d += 7 {
		l.move(0, d, -loan, "loan", "loan")
	}
	for d := l.first + dossier.Day(l.r.IntN(9)); d < end; d += 14 {
		l.move(0, d, -pay-int64(l.r.IntN(20_000)), "payroll", "payroll")
	}
	for m := range months {
		from := l.first.AddMonths(m)
		on := func(n int) dossier.Day { return from + dossier.Day(n+l.r.IntN(3)) }
		l.move(0, on(0), -rent, "rent", "rent")
		l.move(0, on(14), -31_900, "insurance", "insurance")
		for range 3 + l.r.IntN(3) {
			l.move(0, from+dossier.Day(l.r.IntN(28)), int64(160_000+l.r.IntN(400_000)), "sale", "sale")
		}
		for range l.r.IntN(9) {
			l.move(0, from+dossier.Day(l.r.IntN(28)), -int64(700+l.r.IntN(30_000)), "shop", "shop")
		}
		for range l.r.IntN(3) {
			l.move(0, from+dossier.Day(l.r.IntN(28)), -3_500, "nsf", "nsf")
		}
		saved, d := int64(50_000+l.r.IntN(50_000)), from+dossier.Day(3+l.r.IntN(20))
		l.move(0, d, -saved, "transfer", "to savings")
		l.move(1, d+dossier.Day(l.r.IntN(3)), saved, "transfer", "from checking")
	}
	for a := range l.moves {
		slices.SortFunc(l.moves[a], func(x, y move) int { return cmp.Or(cmp.Compare(x.day, y.day), cmp.Compare(x.moment, y.moment)) })
	}
}

var openings = [2]int64{700_000, 20_000}

func money(cents int64) string { return decimal.New(cents, -2).StringFixed(2) }

// documents are the accounts' statements, one a month.
func (l *life) documents(months int) []File {
	var docs []File
	for a, number := range []string{"000111222", "777009988"} {
		balance := openings[a]
		for m := range months {
			from := l.first.AddMonths(m)
			to, opening, lines := from.MonthEnd(), money(balance), []string{}
			for _, one := range l.moves[a] {
				if one.day >= from && one.day <= to {
					lines, balance = append(lines, fmt.Sprintf("%s %s %s", one.day, money(one.cents), one.words)), balance+one.cents
				}
			}
			docs = append(docs, File{Document: dossier.DocumentID(fmt.Sprint(number, "-", m)), Read: []dossier.ReadDocument{statementOf(number, from.String(), to.String(), opening, lines...)}})
		}
	}
	return docs
}

// truth is what is so in each month: deposits, those without transfers, withdrawals, those without transfers, the average
// balance of the first account, its lowest, its negative days and the payments that were not covered.
func (l *life) truth(months int) (list [][]string) {
	ends := map[dossier.Day]int64{}
	balance := openings[0]
	for d, next := l.first, 0; d < l.first.AddMonths(months); d++ {
		for ; next < len(l.moves[0]) && l.moves[0][next].day == d; next++ {
			balance += l.moves[0][next].cents
		}
		ends[d] = balance
	}
	for m := range months {
		from := l.first.AddMonths(m)
		var in, inOwn, out, outOwn int64
		nsf, negative := 0, 0
		for a := range l.moves {
			for _, one := range l.moves[a] {
				if one.day < from || one.day > from.MonthEnd() {
					continue
				}
				own := one.kind == "transfer"
				switch {
				case one.cents > 0 && own:
					inOwn += one.cents
				case one.cents > 0:
					in += one.cents
				case own:
					outOwn -= one.cents
				default:
					out -= one.cents
				}
				if one.kind == "nsf" {
					nsf++
				}
			}
		}
		sum, lowest := int64(0), ends[from]
		for d := from; d <= from.MonthEnd(); d++ {
			sum, lowest = sum+ends[d], min(lowest, ends[d])
			if ends[d] < 0 {
				negative++
			}
		}
		average := decimal.New(sum, -2).DivRound(decimal.NewFromInt(int64(from.MonthEnd()-from+1)), 2)
		list = append(list, []string{from.String()[:7], money(in + inOwn), money(in), money(out + outOwn), money(out), average.StringFixed(2), money(lowest), fmt.Sprint(negative), fmt.Sprint(nsf)})
	}
	return list
}

// Accounts whose whole life is known, in the words of many banks: every month's figures are the true ones, the transfers
// are those between the two accounts and no other, and what recurs is found under its kind.
func TestAnalyze_known_life(t *testing.T) {
	const months = 5
	for seed := range uint64(40) {
		l := newLife(seed)
		l.live(months)
		got := Analyze(l.documents(months))
		if len(got.Accounts) != 2 || len(got.Warnings) != 0 {
			t.Fatalf("seed %d: %d accounts, %q", seed, len(got.Accounts), got.Warnings)
		}
		var list [][]string
		for i, m := range got.Months {
			own := got.Accounts[0].Months[i]
			list = append(list, []string{m.Month, m.Deposits.Value.String(), m.NetDeposits.Value.String(), m.Withdrawals.Value.String(), m.NetWithdrawals.Value.String(),
				own.Average.Value.String(), own.Lowest.Value.String(), fmt.Sprint(*own.NegativeDays), fmt.Sprint(m.NSF.Value)})
		}
		if diff := gocmp.Diff(l.truth(months), list); diff != "" {
			t.Errorf("seed %d in the words %q: -want +got\n%s", seed, l.say, diff)
		}
		if len(got.Transfers) != months {
			t.Errorf("seed %d: %d transfers, want %d in the words %q: %+v", seed, len(got.Transfers), months, l.say, got.Transfers)
		}
		found := map[string]string{}
		for _, r := range got.Recurring {
			found[r.Kind] = r.Direction + " " + r.Frequency
		}
		for kind, want := range map[string]string{"loan": "out weekly", "payroll": "out biweekly", "rent": "out monthly", "insurance": "out monthly"} {
			if found[kind] != want {
				t.Errorf("seed %d: %s is %q, want %q; in the words %q", seed, kind, found[kind], want, l.say[kind])
			}
		}
	}
}
