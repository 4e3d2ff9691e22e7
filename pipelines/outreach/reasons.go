package outreach

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

// The reasons why an item is not right are written in English, by whoever judges it. ReasonIn says one in another
// language; not ok: there are no words for this one, and a message must not quote it.
func ReasonIn(language dossier.Language, reason string) (words string, ok bool) {
	reason = strings.TrimRight(reason, ". ")
	if language != dossier.Spanish {
		return reason, true
	}
	file := ""
	if found := ofFileForm.FindStringSubmatch(reason); found != nil {
		file, reason = found[1]+": ", found[2]
	}
	for _, r := range spanishReasons {
		if found := r.form.FindStringSubmatchIndex(reason); found != nil {
			words := string(r.form.ExpandString(nil, r.words, reason, found))
			return file + spanishJoints.Replace(words), true
		}
	}
	return "", false
}

// reason says in the message's language why an item is not right, or "".
func (s situation) reason(entry *dossier.ChecklistEntry) string {
	reason := dossier.Text(entry.ValidationError)
	if reason == "" {
		return ""
	}
	words, ok := ReasonIn(s.language(), reason)
	if !ok {
		return s.translate("not_accepted")
	}
	return dateForm.ReplaceAllStringFunc(words, func(day string) string { return dayIn(s.language(), day) })
}

var (
	dateForm      = regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}\b`)
	spanishMonths = [...]string{"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"}
)

// dayIn says a date YYYY-MM-DD as people write it. What is no date stays as it is.
func dayIn(language dossier.Language, day string) string {
	date, err := time.Parse(time.DateOnly, day)
	switch {
	case err != nil:
		return day
	case language == dossier.Spanish:
		return fmt.Sprintf("%d de %s de %d", date.Day(), spanishMonths[date.Month()-1], date.Year())
	}
	return date.Format("Jan 2, 2006")
}

// ofFileForm is a reason with the name of the file it is about in front.
var ofFileForm = regexp.MustCompile(`^(\S[^:]*\.[A-Za-z0-9]{2,5}): (.+)$`)

// spanishJoints are the English words between values that are quoted as they are.
var spanishJoints = strings.NewReplacer(`" or "`, `" o "`, "The document", "El documento")

type saidReason struct {
	form  *regexp.Regexp
	words string
}

// spanishReasons are those of checklist_value.go, then those of pipelines/judge, the usual ones first.
var spanishReasons = func() (list []saidReason) {
	for _, pair := range [][2]string{
		{`Must be a date .*`, `Debe ser una fecha con la forma AAAA-MM-DD`},
		{`Must be an EIN .*`, `Debe ser un EIN de nueve dígitos, como 12-3456789`},
		{`Must be a social security number .*`, `Debe ser un número de seguro social de nueve dígitos`},
		{`Must be an email address .*`, `Debe ser un correo electrónico, como nombre@ejemplo.com`},
		{`Must be a phone number`, `Debe ser un número de teléfono`},
		{`Must be one of: (.+)`, `Debe ser una de estas opciones: $1`},
		{`Must be some of: (.+)`, `Deben ser algunas de estas opciones: $1`},
		{`Must be a number`, `Debe ser un número`},
		{`Must be at least (\S+)`, `Debe ser al menos $1`},
		{`Must be at most (\S+)`, `Debe ser como máximo $1`},
		{`May have at most (\d+) characters`, `Puede tener como máximo $1 caracteres`},
		{`Must not be empty`, `No puede quedar vacío`},
		{`Does not have the expected form`, `No tiene la forma esperada`},
		{`(?:Must be an address: .*|An address has no .*|The address needs a .*)`, `La dirección no está completa`},

		{`(.+) was refused by a person`, `$1: no lo aceptó la persona que lo revisó`},
		{`(.+) could not be read: it is protected by a password; .*`, `$1: está protegido con contraseña; envíelo sin ella`},
		{`(.+) could not be read: the file is damaged; .*`, `$1: el archivo está dañado; envíelo de nuevo`},
		{`(.+) could not be read: this type of file is not supported; .*`, `$1: este tipo de archivo no sirve; envíe un PDF, una imagen, una hoja de cálculo, un documento de texto, un CSV o la exportación de un banco`},
		{`(.+) could not be read: the file is too large`, `$1: el archivo es demasiado grande`},
		{`(.+) could not be read: it has too many pages; .*`, `$1: tiene demasiadas páginas; envíe solo lo que se pidió`},
		{`(.+) could not be read\b.*`, `$1: no se pudo leer`},
		{`(\d+) of (\d+) months?: the latest statement ends on ([^,]+), in the future`, `$1 de $2 meses: el último estado de cuenta termina el $3, en el futuro`},
		{`(\d+) of (\d+) months?: the latest statement ends on ([^,]+), more than (\d+) days? before .+`, `$1 de $2 meses: el último estado de cuenta termina el $3, hace más de $4 días`},
		{`(\d+) of (\d+) months?: (\S+) to (\S+) is covered`, `$1 de $2 meses: tenemos del $3 al $4`},
		{`(\d+) of (\d+) tax years?: the latest return must be for (\d+) or later; there is (.+)`, `$1 de $2 años: la última declaración debe ser de $3 o posterior; tenemos la de $4`},
		{`(\d+) of (\d+) tax years?: there is (.+); the years must follow each other`, `$1 de $2 años: tenemos $3; los años deben ser seguidos`},
		{`[Tt]his is .+, not .+`, `no es el tipo de documento que pedimos`},
		{`[Tt]his is a personal document, .*`, `es un documento personal y pedimos uno del negocio`},
		{`[Tt]his is a business document, .*`, `es un documento del negocio y pedimos uno personal`},
		{`.* does not reconcile: .*`, `los saldos no cuadran`},
		{`The expiry date is ([^,]+), .*`, `la fecha de vencimiento es el $1`},
		{`The period is (\d\S+) to (\d\S+)\b.*`, `el período es del $1 al $2`},
		{`The .* is ("[^"]+"(?:, "[^"]+")*), not (.+)`, `aparece $1, no $2`},
		{`The year is (\d+)`, `el año es $1`},
		{`The (?:document's date|statement date|date of issue|end of .*|latest period's end) is (\d[\d-]+)\b.*`, `lleva fecha del $1`},
		{`The document is not signed`, `no está firmado`},
		{`The page is blank`, `la página está en blanco`},
	} {
		list = append(list, saidReason{regexp.MustCompile(`^(?:` + pair[0] + `)$`), pair[1]})
	}
	return list
}()
