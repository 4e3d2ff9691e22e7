package outreach

import (
	"regexp"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
)

// catalogue is what agents say, by language. {names} in braces are filled in by translate. A message is put together of
// an opening, items and a closing; it holds facts of the lead's record only, promises nothing, and links to nothing but
// the lead's own page.
var catalogue = map[dossier.Language]map[string]string{
	dossier.English: {
		"hi": "Hi {name}, ", "hi_there": "Hi there, ", "dear": "Dear {name}, ",
		"first":       "this is {agent} from {company}. To complete your file we need:",
		"again":       "{agent} from {company} again. A few things are still missing:",
		"again_one":   "{agent} from {company} again. One thing is still missing:",
		"short":       "a short reminder. We are still waiting for:",
		"last":        "this is my last reminder. We can go on with your file as soon as we have:",
		"refused":     "thank you for what you sent. A few things are not right yet:",
		"refused_one": "thank you for what you sent. One thing is not right yet:",
		"reminder":    "a friendly reminder from {company}.",
		"reminder_of": "a friendly reminder from {company}. We are still waiting for:",
		"where":       "You can send everything here: {link}",
		"where_one":   "You can send it here: {link}",
		"reply":       "Simply reply to this message.",
		"stop":        "Reply STOP to opt out.",
		"more":        " and {n} more",
		"explain":     "I am happy to explain {what}.",
		"complaint":   "I am sorry about this. I have asked a colleague to look into it and to get back to you.",
		"person":      "of course. I have asked a colleague to get in touch with you.",
		"declined":    "thank you for telling us. A colleague will look at it; you need not do anything.",
		"noted":       "thank you, noted: {what}.",
		"none_left":   " Nothing else is missing.",
		"still_open":  " Still open:",
		"document":    "thank you, your document arrived and will be checked now.",
		"documents":   "thank you, your {n} documents arrived and will be checked now.",
		"cannot_open": "I cannot open {files}: please send a PDF, a photo (JPEG or PNG), or an Excel, Word or " +
			"CSV file.",
		"too_many_files": "We could not keep {files}: we have as many files from you as we can take. Please ask us " +
			"to remove some.",
		"too_large":      "{files} is too large for an email: please send it in smaller parts.",
		"too_large_here": "{files} is too large for an email. You can upload it here: {link}",
		"why":            "this is not right yet:",
		"here":           "here you go.",
		"missing":        "this is what we still need:",
		"all_there":      "we have everything we need from you at the moment. Thank you!",
		"promised":       "thank you. Whenever you are ready.",
		"question":       "thank you for your question. I have passed it on to a colleague, who will get back to you.",
		"unclear":        "thank you for your message. I have passed it on to a colleague, who will get back to you.",
		"thanks":         "thank you for your message.",
		"about":          "about '{label}': {help}.",
		"about_quote":    "about '{label}', {company} writes: \"{help}\".",
		"have":           "yes, '{label}' is complete.",
		"checking":       "'{label}' arrived and is being checked.",
		"not_yet":        "'{label}' has not arrived yet.",
		"not_right":      "'{label}' arrived, but is not right yet ({reason}).",
		"not_accepted":   "it does not meet what is asked",
		"help_EIN":       "the nine-digit number that the IRS gave the business, such as 12-3456789",
		"regards":        "Thank you,",
		"subject":        "{company}: what we still need from you",
		"opted_out":      "{company}: you will receive no more messages from us. Reply START if you change your mind.",
		"opted_in": "{company}: welcome back, you will receive our messages again. Reply STOP at any time to " +
			"end them.",
		"choice":       "{company}: your choice was noted",
		"and":          " and ",
		"your_choices": "Possible answers: {options}",
	},
	// A letter that the alphabet of text messages lacks (GSM 03.38: á, í, ó, ú) makes a text cost more than twice as
	// much. These words do without, where they can go into one.
	dossier.Spanish: {
		"hi": "Hola, {name}: ", "hi_there": "Hola: ", "dear": "Estimado/a {name}: ",
		"first":       "le escribe {agent}, de {company}. Para completar su expediente necesitamos:",
		"again":       "le escribe de nuevo {agent}, de {company}. Faltan algunas cosas:",
		"again_one":   "le escribe de nuevo {agent}, de {company}. Falta una cosa:",
		"short":       "un breve recordatorio. Seguimos esperando:",
		"last":        "este es nuestro recordatorio final. Su expediente puede continuar en cuanto tengamos:",
		"refused":     "gracias por responder. Hay algunas cosas que corregir:",
		"refused_one": "gracias por responder. Hay una cosa que corregir:",
		"reminder":    "un recordatorio de {company}.",
		"reminder_of": "un recordatorio de {company}. Seguimos esperando:",
		"where":       "Puede enviarlo todo con este enlace: {link}",
		"where_one":   "Puede enviarlo con este enlace: {link}",
		"reply":       "Puede responder a este mensaje.",
		"stop":        "Responda STOP para dejar de recibir mensajes.",
		"more":        " y otras {n} cosas",
		"explain":     "Con gusto le explico {what}.",
		"complaint":   "lo siento mucho. He pedido a un compañero que lo revise y se comunique con usted.",
		"person":      "por supuesto. He pedido a un compañero que se comunique con usted.",
		"declined": "gracias por avisarnos. He pedido a un compañero que lo revise; usted no tiene que hacer " +
			"nada.",
		"noted":      "gracias, anotado: {what}.",
		"none_left":  " No falta nada.",
		"still_open": " Pendiente:",
		"document":   "gracias, recibimos su documento y lo estamos revisando.",
		"documents":  "gracias, recibimos sus {n} documentos y los estamos revisando.",
		"cannot_open": "No se puede abrir {files}. Por favor, mande un PDF, una foto (JPEG o PNG) o un archivo " +
			"de Excel, Word o CSV.",
		"too_many_files": "No pudimos guardar {files}: ya tenemos todos los archivos suyos que podemos recibir. " +
			"Pídanos quitar algunos.",
		"too_large":      "{files} es demasiado grande para un correo. Por favor, divida el archivo.",
		"too_large_here": "{files} es demasiado grande para un correo. Puede subirlo con este enlace: {link}",
		"why":            "esto es lo que hay que corregir:",
		"here":           "con gusto.",
		"missing":        "esto es lo que falta:",
		"all_there":      "por ahora tenemos todo lo que necesitamos de usted. ¡Gracias!",
		"promised":       "gracias. Cuando pueda.",
		"question":       "gracias por su pregunta. La he pasado a un compañero para que le responda.",
		"unclear":        "gracias por su mensaje. Lo he pasado a un compañero para que le responda.",
		"thanks":         "gracias por su mensaje.",
		"about":          "sobre «{label}»: {help}.",
		"about_quote":    "sobre «{label}», estas son las indicaciones de {company}: «{help}».",
		"have":           "ya tenemos «{label}», gracias.",
		"checking":       "recibimos «{label}» y lo estamos revisando.",
		"not_yet":        "no hemos recibido «{label}».",
		"not_right":      "recibimos «{label}», pero hay algo que corregir ({reason}).",
		"not_accepted":   "no cumple con lo que se pide",
		"help_EIN":       "es la clave de nueve cifras que el IRS le dio a su negocio, como 12-3456789",
		"regards":        "Gracias,",
		"subject":        "{company}: lo que aún necesitamos de usted",
		"opted_out":      "{company}: ya no le enviaremos mensajes. Responda START si cambia de idea.",
		"opted_in": "{company}: gracias por volver, le enviaremos mensajes otra vez. Responda STOP para dejar " +
			"de recibirlos.",
		"choice":       "{company}: hemos anotado su decisión",
		"and":          " y ",
		"your_choices": "Respuestas posibles: {options}",
	},
}

// translate gives one of the service's own sentences in a language, with {names} filled in from pairs of name and
// value.
func translate(language dossier.Language, name string, pairs ...string) string {
	words, ok := catalogue[language]
	if !ok {
		words = catalogue[dossier.English]
	}
	for i := 0; i < len(pairs); i += 2 {
		pairs[i] = "{" + pairs[i] + "}"
	}
	return strings.NewReplacer(pairs...).Replace(words[name])
}

func (s situation) translate(name string, pairs ...string) string {
	return translate(s.language(), name,
		append(pairs, "agent", s.Agent.Name, "company", s.Company, "link", s.Portal)...)
}

// language is the one to write in: a tag of the lead says it, else the lead's own last words do, else the workspace.
func (s situation) language() dossier.Language {
	inbound := s.Inbound
	if s.Question != nil {
		inbound = append([]string{s.Question.Body}, inbound...)
	}
	for _, words := range inbound {
		if language, sure := languageOf(words); sure {
			return s.Lead.Language(language)
		}
	}
	return s.Lead.Language(s.Default)
}

// isInMessageLanguage reports whether a text of the workspace is in the message's language. A text too short to tell
// counts as being in the workspace's language. The lead's page shows such texts in any language.
func (s situation) isInMessageLanguage(words string) bool {
	language, sure := languageOf(words)
	if !sure && s.Default.Valid() {
		language = s.Default
	} else if !sure {
		language = dossier.English
	}
	return language == s.language()
}

var (
	wordForm     = regexp.MustCompile(`\p{L}+`)
	spanishWords = strings.Fields("el la los las un una de del que qué en es por para con mi mis su sus yo usted " +
		"falta faltan hola gracias cuando cuándo dónde donde cómo como necesito necesitan envié enviar mañana está " +
		"son pero ya no sí y puedo")
	englishWords = strings.Fields("the a an of and or is are my your you i we our to for with what when where how " +
		"why this that it still need send thanks thank please will can did do not hi hello")
)

// languageOf tells Spanish from English by common words; false for short or mixed texts.
func languageOf(text string) (dossier.Language, bool) {
	english, spanish := 0, 0
	for _, word := range wordForm.FindAllString(strings.ToLower(dossier.QuestionText(text)), -1) {
		if slices.Contains(englishWords, word) {
			english++
		}
		if slices.Contains(spanishWords, word) {
			spanish++
		}
	}
	if strings.ContainsAny(text, "¿¡") {
		spanish += 2
	}
	switch {
	case spanish >= 2 && spanish > 2*english:
		return dossier.Spanish, true
	case english >= 2 && english > 2*spanish:
		return dossier.English, true
	}
	return "", false
}

// Confirm is the message that confirms a lead's choice to get no more messages, or to get them again.
func Confirm(language dossier.Language, company string, optedOut bool) (subject, body string) {
	body = "opted_in"
	if optedOut {
		body = "opted_out"
	}
	return translate(language, "choice", "company", company), translate(language, body, "company", company)
}

// Inbound is what the store asks about a lead's message.
var Inbound = dossier.InboundRules{Values: ValuesIn, Confirm: Confirm}
