package api

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// Without script every field and file goes by a plain form.
func walkPlain(t *testing.T, b browser, g portalGuest) {
	x := b.open(t, phone, g.URL+g.path, call("Emulation.setScriptExecutionDisabled", object{"value": true}))
	x.shot("plain-1")
	name, bank := g.entry(t, "LEGAL_NAME"), g.entry(t, "BANK_STATEMENTS")
	x.write("#in-"+name, "9 lives")
	x.click("#save-" + name)
	x.see(item(name)+"[data-state=INVALID] .reason", "Does not have the expected form")
	x.write("#in-"+name, "Bakery LLC")
	x.click("#save-" + name)
	x.see(item(name)+"[data-state=COMPLETED] .said", "Saved.")
	file, _ := scratch(t, "march.pdf", 1000)
	x.choose("#files-"+bank, file)
	x.click(item(bank) + " .upload > button")
	x.see(item(bank)+"[data-state=CHECKING]", "march.pdf")
	x.shot("plain-2-sent")
	x.fits("plain", 360, 320)
	x.run(phone.screen())
	x.click(item(bank) + " .documents button.plain:not(.scripts)")
	x.see(".notice", "The file was removed")
	x.asked(g)
}

// On a desktop too: every kind of answer, several files at once, a document that is refused and corrected, and the end.
func walkPlainDesktop(t *testing.T, b browser, g portalGuest) {
	x := b.open(t, desktop, g.URL+g.path, call("Emulation.setScriptExecutionDisabled", object{"value": true}))
	save := func(code string) string { return "#save-" + g.entry(t, code) }
	for code, answer := range map[string]string{"EIN": "12-3456789", "AMOUNT": "12,500", "MAIL": "ann@example.com", "SSN": "123-45-6789", "CALL": "(212) 555-0123", "BORN": "02281980"} {
		x.focus("in-" + g.entry(t, code)) // a click would choose a part of the date
		x.run(chromedp.KeyEvent(answer))
		x.click(save(code))
		x.see(item(g.entry(t, code))+"[data-state=COMPLETED] .said", "Saved.")
	}
	home, entity, uses, bank := g.entry(t, "HOME"), g.entry(t, "ENTITY_TYPE"), g.entry(t, "USES"), g.entry(t, "BANK_STATEMENTS")
	for part, text := range map[string]string{"street": "1 Main St", "city": "Troy", "state": "NY", "postalCode": "12180"} {
		x.write("#in-"+part+"-"+home, text)
	}
	x.click(save("HOME"))
	x.see(item(home)+"[data-state=COMPLETED] .given", "Troy, NY 12180")
	x.focus("in-" + entity)
	x.run(chromedp.KeyEvent("L"))
	x.click(save("ENTITY_TYPE"))
	x.see(item(g.entry(t, "PARTNERS")), "Number of partners") // the answer shows it
	x.click("#o0-" + uses)
	x.click("#o2-" + uses)
	x.click(save("USES"))
	x.see(item(uses)+"[data-state=COMPLETED] .given", "Inventory, Payroll")

	one, _ := scratch(t, "one.pdf", 1000)
	two, _ := scratch(t, "two.pdf", 2000)
	x.choose("#files-"+bank, one, two)
	x.click(item(bank) + " .upload > button")
	x.see(item(bank)+"[data-state=CHECKING] .documents", "one.pdf")
	x.see(item(bank)+" .documents", "two.pdf")
	g.judge(t, bank, "INVALID", "The account holder is Bob Example")
	x.run(chromedp.Navigate(g.URL + g.path))
	x.see(item(bank)+"[data-state=INVALID] .reason", "The account holder is Bob Example")
	x.shot("plain-3-desktop-refused")
	better, _ := scratch(t, "better.pdf", 3000)
	x.choose("#files-"+bank, better)
	x.click(item(bank) + " .upload > button")
	x.see(item(bank)+" .documents", "better.pdf")
	g.judge(t, bank, "COMPLETED", "")
	g.Exec(t, `UPDATE checklist_entries SET status = 'COMPLETED' WHERE lead_id = $1`, g.lead)
	x.run(chromedp.Navigate(g.URL + g.path))
	x.see(".finished", "All done, thank you")
	x.see(".summary", "12,500")
	x.fits("finished without script", 1280, 640)
	x.asked(g)
}
