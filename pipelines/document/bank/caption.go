package bank

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// bankKind is what a captioned amount of a bank statement is.
type bankKind int

const (
	bankNone        bankKind = iota
	bankOpening              // balance at the period's start
	bankClosing              // balance at its end
	bankCurrent              // "new balance", "current balance": the closing one when no better caption is there
	bankBalance              // "balance on <date>": opening or closing by its date
	bankDeposits             // money in, under a caption that says deposits or additions
	bankCredits              // money in, under a caption that says credits alone
	bankWithdrawals          // money out
	bankDebits               // money out, under a caption that says debits alone
	bankChecks               // checks paid
	bankFees                 // service charges
	bankInterest             // interest paid
	bankAvailable            // available balance
	bankMinimum              // lowest balance of the period
)

// credits and debits say which way a kind moves the balance.
func (k bankKind) credits() bool {
	return k == bankDeposits || k == bankCredits || k == bankInterest
}

func (k bankKind) debits() bool {
	return k == bankWithdrawals || k == bankDebits || k == bankChecks || k == bankFees
}

// bankPhrases are whole captions, after cleaning. Order matters: the first that matches wins.
var bankPhrases = []struct {
	kind    bankKind
	pattern *lazyregexp.Regexp
}{
	{bankNone, lazyregexp.New(`\b(average|collected|ytd|year to date|minimum required|required|transfer fee|to ` +
		`avoid|rate|yield)\b`)},
	{bankMinimum, lazyregexp.New(`^(minimum|lowest|low) (daily |ledger |account )*balance( this period)?$`)},
	{bankAvailable, lazyregexp.New(`^(total |your )?avail(able)? bal(ance)?$|^balance available$|^available funds$`)},
	{bankOpening, lazyregexp.New(`^(your |account |statement |my )*(beginning|opening|open|starting|start|previous` +
		`|prior|initial|last|begin|brought forward|bal fwd)( statement| account| ledger| period| month| months| day| ` +
		`market| cash)* (balance|bal)( forward| brought forward| this period| last statement| this statement)*$`)},
	{bankOpening, lazyregexp.New(`^(opening |beginning |previous )?balance (brought )?forward( from (the |your ` +
		`|last |previous |prior )*(statement|period|month))?$|^brought forward$|^balance b f$|^b f$`)},
	{bankOpening, lazyregexp.New(`^(your )?balance (from )?(on |at )?(the )?(last|previous|prior|beginning|start` +
		`|starting)( of)?( your| the| this| last)?( statement| period| month)*$|^(last|previous|prior) (statement ` +
		`)?balance$`)},
	{bankOpening, lazyregexp.New(`^(saldovortrag|ubertrag|alter (konto)?stand|startsaldo|saldo iniziale|beginsaldo)$`)},
	{bankOpening, lazyregexp.New(`^(votre )?(ancien|vieux) solde( crediteur| debiteur)?$|^(votre )?solde (anterieur` +
		`|de depart|de debut|au debut|en debut de (periode|mois)|a reporter)$` +
		`|^report( du)? solde( anterieur| precedent)?$|^solde reporte$`)},
	{bankOpening, lazyregexp.New(`^(vorig|oud|begin) ?saldo$|^saldo (vorig|oud)( afschrift)?$|^saldo (previo` +
		`|precedente|contabile iniziale|iniziale|al inicio)( del periodo)?$|^(ingaende|inngaende|primo) saldo$` +
		`|^anfangsbestand$`)},
	{bankOpening, lazyregexp.New(`^(previous|prior|last) statement$`)},
	{bankClosing, lazyregexp.New(`^(votre )?nouveau solde( crediteur| debiteur)?( en (?:euros?|eur))?$` +
		`|^(votre )?solde (de fin|en fin` +
		`|a nouveau|a la fin)( de (periode|mois))?$|^(nieuw|huidig|eind) ?saldo$|^saldo nieuw$`)},
	{bankClosing, lazyregexp.New(`^nuevo saldo$|^saldo (nuevo|al corte|al cierre|contabile finale|atual)( del ` +
		`periodo)?$|^(utgaende|ultimo) saldo$|^endbestand$`)},
	{bankClosing, lazyregexp.New(`^(this|current) statement$`)},
	{bankClosing, lazyregexp.New(`^(schlusssaldo|neuer (konto)?stand|abschlusssaldo|saldo finale|eindsaldo)$`)},
	{bankOpening, lazyregexp.New(`^solde (d ouverture|douverture|precedent|initial|reporte)$|^saldo (de operacion ` +
		`)?(inicial|anterior)$|^((dein|ihr) )?(alter|anfangs)\s?(kontostand|saldo)$|^anfangssaldo$`)},
	{bankClosing, lazyregexp.New(`^(your |account |statement |my )*(ending|closing|end|final|statement ending` +
		`|close)( statement| account| ledger| period| month| day| cash)* (balance|bal)( this period| this statement` +
		`| forward| carried forward)*$`)},
	{bankClosing, lazyregexp.New(`^(your )?balance (on |at )?(the )?(this|end|ending|close|closing)( of)?( your| ` +
		`the| this)?( statement| period| month| business)*$|^(this|new) statement balance$`)},
	{bankClosing, lazyregexp.New(`^(closing |total )?balance carried forward$|^carried forward$|^balance c f$`)},
	{bankClosing, lazyregexp.New(`^solde (de cloture|final|de fermeture)$|^saldo (final|actual)$|^((dein|ihr) ` +
		`)?(neuer|end)\s?(kontostand|saldo)$|^endsaldo$`)},
	{bankClosing, lazyregexp.New(`^solde( crediteur| debiteur)? en (euros?|eur)$|^saldo a su favor$` +
		`|^saldo disponivel$`)},
	{bankBalance, lazyregexp.New(`^solde( crediteur| debiteur)?( au)?$|^(kontostand|saldo)( am| per| vom| zum| um| ` +
		`uhr| auszug| nr| eur)*$`)},
	{bankCurrent, lazyregexp.New(`^(your )?(new|current|present|ledger)( account| statement| ledger)? balance$` +
		`|^statement balance$|^balance today$|^laatste saldo$|^dernier solde$|^aktueller (konto)?stand$`)},
	{bankOpening, lazyregexp.New(`^(?:sakuma atlikums|algsaldo|pociatocny zostatok|pradinis likutis|sold initial)$`)},
	{bankClosing, lazyregexp.New(`^(?:beigu atlikums|loppsaldo|konecny zostatok|galutinis likutis|sold final)$`)},
	{bankOpening, lazyregexp.New(`^saldo (awal|poczatkowe|pradziai)$|^letzter kontostand$|^alkusaldo$` +
		`|^pocatecni zustatek$|^nyito egyenleg$|^acilis bakiyesi$`)},
	{bankClosing, lazyregexp.New(`^saldo (akhir|koncowe|pabaigai)$|^loppusaldo$|^konecny zustatek$|^zaro egyenleg$` +
		`|^kapanis bakiyesi$`)},
	{bankOpening, lazyregexp.New(`^(?:(?:остаток|баланс) на начало(?: периода)?|входящии остаток)$`)},
	{bankOpening, lazyregexp.New(`^saldo (?:fra|fran) (?:forrige )?(?:kontoutskrift|kontoutdrag|kontoutdraget)$` +
		`|^(?:b f|b fwd|bal b f|brought fwd|bal fwd|opening ledger) balance$|^balance b fwd$`)},
	{bankClosing, lazyregexp.New(`^saldo i (?:deres|din) (?:dis)?fav[oø]r$|^(?:c f|bal c f) balance$` +
		`|^balance (?:c fwd|(?:at|as at|on) (?:the )?(?:period|statement) end)$`)},
	{bankClosing, lazyregexp.New(`^(?:(?:остаток|баланс) на конец(?: периода)?|исходящии остаток)$`)},
	{bankBalance, lazyregexp.New(`^(your |account |ledger |statement |personal |joint |business |current |savings ` +
		`|pot )*balance( on| as of| at| as at)?$`)},
	{bankBalance, lazyregexp.New(`^(usd|eur|gbp|cad|aud|nzd|sgd|hkd|chf|inr|jpy|sek|nok|dkk|pln)$`)},
	{bankInterest, lazyregexp.New(`^(total |plus |gross |net )?(interest|dividends?)( and dividends?)? ?(paid` +
		`|earned|credited|payment|credit|payments)?( this (period|statement|month)| to you)*$|^(interest|dividend) ` +
		`(paid|earned|credited)( this (period|statement))?$`)},
	{bankFees, lazyregexp.New(`^(less |total |minus )*(net |monthly |account |bank |other |overdraft |nsf |atm ` +
		`|transaction )*(service |maintenance |analysis )?(charges?|fees?)( and (other )?(charges?|fees?` +
		`|service charges?))?( assessed| charged| paid)?( this (statement period|period|statement|month))?$`)},
	{bankChecks, lazyregexp.New(`^(less |total |minus |paper |other |regular )*(checks?|cheques?|share drafts` +
		`|drafts|checks? and substitute checks?)( paid| written| cleared| posted| drawn| presented| processed)?( ` +
		`and substitute checks?)?( this (statement period|period|statement|month))?$`)},
}

// Words that captions of money in and money out are made of. A caption is one of these kinds when all its
// words are in its set and one is a key word.
var (
	inKeys  = text.WordSet("deposits deposit deposited additions added credits credit receipts")
	outKeys = text.WordSet("withdrawals withdrawal withdrawn subtractions deductions deducted debits debit " +
		"payments purchases disbursements outgoings")
	bankFillers = text.WordSet("into total totals your all other and & plus less add minus subtract of this period " +
		"statement during amount amounts for the at end in out to from number sum by we you paid account items misc " +
		"miscellaneous customer additional new")
	inWords = text.WordSet("electronic direct atm mobile ach transfers transfer incoming cash wire money interest " +
		"branch counter teller card remote online eft cheque cheques check checks received automatic preauthorized " +
		"loan payroll paper internet regular bank digital zelle refunds returns adjustments")
	outWords = text.WordSet("electronic atm ach transfers transfer outgoing cash wire money card checks check " +
		"cheques cheque eft charges fees online automatic preauthorized pos point sale bill payment pin visa " +
		"mastercard banking service paper internet external regular bank point-of-sale loan digital zelle recurring " +
		"returned items teller branch")
)

// captionRead is a caption understood: kind, whether it names a whole ("Deposits and additions") or a part
// ("ATM withdrawals"), the count and the date printed within.
type captionRead struct {
	kind  bankKind
	part  bool
	count *int
	date  *text.Date
}

var (
	countsInCaption = lazyregexp.New(`\(?\b\d{1,4}\b\)?`)
	// figureBefore is the end of what stands left of a caption in a summary of two columns: a rate.
	figureBefore    = lazyregexp.New(`^\s*\d+(?:[.,]\d+\s*%?|\s*%)\s+`)
	pluralInCaption = lazyregexp.New(`(\pL)\((?:s|S|es)\)`) // "8 Credit(s)"
	// unitInCaption is that of "Balance ($)", and as OCR reads it.
	unitInCaption = lazyregexp.New(`\((?:\$|S|£|€|₹|[A-Z]{3}|EUROS)\)`)
	captionTail   = lazyregexp.New(`\b(au|vom|per|am|zum|al|le|on|as of|as at|at|from|through|to|for|op|dne` +
		`|em|den|pr|del)$`)
	captionHead = lazyregexp.New(`^(on|as of|the|your|=|\+) `)
)

// readBankCaption understands the text before (or above) an amount.
func readBankCaption(s string, order text.DateOrder) captionRead {
	var c captionRead
	s = innerCapital.ReplaceAllString(joinedLetters(pluralInCaption.ReplaceAllString(s, "${1}s")), "$1 $2")
	dates := text.FindDates(s, order)
	for i := len(dates) - 1; i >= 0; i-- {
		d := dates[i].Date
		if d.Day > 0 {
			c.date = &d
		}
		s = s[:dates[i].From] + " " + s[dates[i].To:]
	}
	s = figureBefore.ReplaceAllString(s, "")
	if n := countsInCaption.FindAllString(s, -1); len(n) == 1 || len(n) > 1 && strings.HasSuffix(s, n[len(n)-1]) {
		count, err := strconv.Atoi(strings.Trim(n[len(n)-1], "()"))
		if err == nil {
			c.count = &count
		}
	}
	s = unitInCaption.ReplaceAllString(s, " ")
	folded := text.Fold(countsInCaption.ReplaceAllString(s, " "))
	folded = strings.TrimSpace(captionTail.ReplaceAllString(folded, ""))
	folded = captionHead.ReplaceAllString(folded, "")
	folded = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(folded, "& "), "of "))
	folded = strings.ReplaceAll(folded, "cheque", "check")
	whole := strings.ReplaceAll(folded, " & ", " and ")
	if kind, ok := kindOfPhrase(whole); ok {
		c.kind = kind
		return c
	}
	c.kind, c.part = movementKind(folded)
	return c
}

// phrases are the kinds of whole captions that were looked for, since a statement prints the same ones on every page
// and several readers ask for them.
var phrases struct {
	sync.Mutex
	kinds map[string]phraseKind
}

// mostPhrases is how many captions are remembered.
const mostPhrases = 4096

// phraseKind is a kind, and whether a phrase gave it.
type phraseKind struct {
	kind  bankKind
	found bool
}

// kindOfPhrase is the kind of a whole caption after cleaning, by the first of bankPhrases that matches.
func kindOfPhrase(caption string) (bankKind, bool) {
	phrases.Lock()
	defer phrases.Unlock()
	k, known := phrases.kinds[caption]
	if known {
		return k.kind, k.found
	}
	for _, p := range bankPhrases {
		if p.pattern.MatchString(caption) {
			k = phraseKind{p.kind, true}
			break
		}
	}
	if phrases.kinds == nil || len(phrases.kinds) >= mostPhrases {
		phrases.kinds = map[string]phraseKind{}
	}
	phrases.kinds[strings.Clone(caption)] = k
	return k.kind, k.found
}

// movementKind reads captions of money in and out by their words, and reports whether it is only of a part.
func movementKind(folded string) (bankKind, bool) {
	words := rejoined(strings.Fields(folded))
	if len(words) == 0 || len(words) > 9 {
		return bankNone, false
	}
	if k, ok := fixedMovements[folded]; ok {
		return k, false
	}
	m := movementWords{caption: folded, inFits: true, outFits: true}
	for _, w := range words {
		m.word(w)
	}
	switch {
	case m.in > 0 && m.out == 0 && m.inFits && m.deposit:
		return bankDeposits, m.part
	case m.in > 0 && m.out == 0 && m.inFits:
		return bankCredits, m.part
	case m.out > 0 && m.in == 0 && m.outFits && (m.withdrawal || strings.Contains(folded, "checks")):
		whole := slices.ContainsFunc(wholeWithdrawals, func(all string) bool { return text.HasWords(folded, all) })
		return bankWithdrawals, m.part && !whole
	case m.out > 0 && m.in == 0 && m.outFits:
		return bankDebits, m.part
	}
	return bankNone, false
}

// wholeWithdrawals name all money out, though each of their words alone is a part of it.
var wholeWithdrawals = []string{"checks and debits", "checks & debits", "checks and other debits",
	"checks & other debits", "checks and withdrawals"}

// movementWords counts the words of a caption that speak of money in and out.
type movementWords struct {
	caption             string
	in, out             int
	inFits, outFits     bool // no word speaks against money in, or out
	deposit, withdrawal bool // named by more than "credits" or "debits"
	part                bool // "ATM withdrawals"
}

func (m *movementWords) word(w string) {
	switch {
	case inKeys[w] && !(w == "credit" && strings.Contains(m.caption, "credit card")):
		m.in++
		m.outFits = m.outFits && outWords[w]
		m.deposit = m.deposit || w != "credits" && w != "credit"
	case outKeys[w]:
		m.out++
		m.part = m.part || w == "debit" && strings.Contains(m.caption, "debit card")
		m.inFits = m.inFits && inWords[w]
		m.withdrawal = m.withdrawal || w != "debits" && w != "debit"
	case bankFillers[w]:
	default:
		m.part = true
		m.inFits, m.outFits = m.inFits && inWords[w], m.outFits && outWords[w]
	}
}

// rejoined joins the halves of words that OCR tore apart: "credit s and in terest".
func rejoined(words []string) []string {
	known := func(w string) bool { return inKeys[w] || outKeys[w] || bankFillers[w] || inWords[w] || outWords[w] }
	var out []string
	for i := 0; i < len(words); i++ {
		if i+1 < len(words) && !known(words[i+1]) && known(words[i]+words[i+1]) {
			out = append(out, words[i]+words[i+1])
			i++
			continue
		}
		out = append(out, words[i])
	}
	return out
}

var fixedMovements = map[string]bankKind{
	"money in": bankDeposits, "total money in": bankDeposits, "paid in": bankDeposits, "total paid in": bankDeposits,
	"payments in":       bankDeposits,
	"total payments in": bankDeposits, "receipts": bankDeposits, "total receipts": bankDeposits,
	"payments received": bankDeposits, "amounts paid in": bankDeposits,
	"payments receipts": bankDeposits, "your deposits": bankDeposits, "total amounts credited": bankCredits,
	"total in":  bankDeposits,
	"money out": bankWithdrawals, "total money out": bankWithdrawals, "paid out": bankWithdrawals,
	"total paid out": bankWithdrawals, "payments out": bankWithdrawals,
	"withdrawn": bankWithdrawals, "total payments out": bankWithdrawals, "total withdrawn": bankWithdrawals,
	"total amounts debited": bankDebits, "total out": bankWithdrawals,
	"total payments": bankWithdrawals, "total des depots": bankDeposits, "total des retraits": bankWithdrawals,
	"total depositos": bankDeposits, "total retiros": bankWithdrawals,
	"summe gutschriften": bankCredits, "summe belastungen": bankDebits, "total des credits": bankCredits,
	"total des debits": bankDebits, "total gutschriften": bankCredits, "total belastungen": bankDebits,
	"total abonos": bankCredits, "total cargos": bankDebits, "depositos": bankDeposits, "retiros": bankWithdrawals,
	"depositos abonos": bankDeposits, "retiros cargos": bankWithdrawals, "totale entrate": bankCredits,
	"totale uscite":            bankDebits,
	"eingehende transaktionen": bankDeposits, "ausgehende transaktionen": bankWithdrawals, "totaal bij": bankCredits,
	"totaal af": bankDebits, "totaal bijgeschreven": bankCredits, "totaal afgeschreven": bankDebits,
	"total outgoings": bankWithdrawals, "outgoings": bankWithdrawals, "total incoming": bankDeposits,
	"total outgoing": bankWithdrawals, "incoming": bankDeposits, "outgoing": bankWithdrawals,
	"total de entradas": bankDeposits, "total de saidas": bankWithdrawals, "entradas": bankDeposits,
	"saidas": bankWithdrawals, "entrate": bankDeposits, "uscite": bankWithdrawals,
	"total des operations creditrices": bankCredits, "total des operations debitrices": bankDebits,
	"total credits": bankCredits, "total debits": bankDebits,
	"abonos": bankCredits, "cargos": bankDebits, "ingresos": bankDeposits, "total retiros cargos": bankWithdrawals,
	"total depositos abonos": bankDeposits,
	"insattningar":           bankDeposits, "uttag": bankWithdrawals, "summa insattningar": bankDeposits,
	"summa uttag":            bankWithdrawals,
	"total abonos recibidos": bankCredits, "total ingresos": bankDeposits, "total adeudos": bankDebits,
	"total haber": bankCredits, "total debe": bankDebits, "totale avere": bankCredits, "totale dare": bankDebits,
	"summe zahlungseingange": bankCredits, "summe zahlungsausgange": bankDebits, "summe haben": bankCredits,
	"summe soll": bankDebits, "gesamtumsatz haben": bankCredits, "gesamtumsatz soll": bankDebits,
	"total de depositos": bankDeposits, "total de retiros": bankWithdrawals, "total de abonos": bankCredits,
	"total de cargos": bankDebits, "depositos y abonos": bankDeposits, "retiros y cargos": bankWithdrawals,
	"total de creditos": bankCredits, "total de debitos": bankDebits, "total creditos": bankCredits,
	"total debitos": bankDebits, "total entradas": bankDeposits, "total saidas": bankWithdrawals,
	"total accrediti": bankCredits, "total addebiti": bankDebits, "totale accrediti": bankCredits,
	"totale addebiti": bankDebits, "total haberes": bankCredits, "total de ingresos": bankDeposits,
	"total de egresos": bankWithdrawals, "total bijgeschreven": bankCredits, "total afgeschreven": bankDebits,
	"mutasi kredit": bankCredits, "mutasi debet": bankDebits, "mutasi debit": bankDebits,
	"total gastos": bankWithdrawals, "total de gastos": bankWithdrawals, "total egresos": bankWithdrawals,
	"suma uznan": bankCredits, "suma obciazen": bankDebits, "suma wplywow": bankDeposits,
	"suma wydatkow": bankWithdrawals, "innskudd": bankDeposits, "inn pa konto": bankDeposits,
	"ut av konto": bankWithdrawals, "indbetalinger": bankDeposits, "udbetalinger": bankWithdrawals,
	"purchases": bankNone, "payments": bankNone, "card purchases": bankWithdrawals, "total purchases": bankNone,
	"credit": bankCredits, "debit": bankDebits,
}
