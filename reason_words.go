package dossier

// reasonWording is one row of the table of reason codes: what it says, in each language there is, with places for
// its values.
type reasonWording struct {
	asks   bool // nothing was decided: a person is asked
	en, es string
}

func decides(en, es string) reasonWording { return reasonWording{false, en, es} }
func asks(en, es string) reasonWording    { return reasonWording{true, en, es} }

// reasonWords has every code: first those of rules about names and words, of dates and periods, of kinds, of how a
// file is made, of figures; then those of items, of typed values, and what would have to be so.
var reasonWords = map[ReasonCode]reasonWording{
	"rule_not_understood": asks("Rule not understood{model:tail.model}.", "no se entiende la regla{model:tail.model}."),
	"nothing_recognised":  asks("Nothing was recognised in the file.", "no se reconoció nada en el archivo."),
	"model_judged": decides(
		"A language model judges by {quote:q} (page {page}): {reason}",
		"un modelo de lenguaje juzga por {quote:q} (página {page}): {reason}",
	),
	"fact_missing": asks("No {fact:word} was read on the document.", "no se leyó en el documento: {fact:word}."),
	"name_same": decides(
		"The {caption:word} {printed:q} is {known:q}.",
		"{caption:word}: {printed:q} es {known:q}.",
	),
	"name_near": asks(
		"The {caption:word} {printed:q} is like {known:q} but not the same.",
		"{caption:word}: {printed:q} se parece a {known:q} pero no es igual.",
	),
	"name_other": decides(
		"The {caption:word} is {printed:q}, not {known:or}.",
		"aparece {printed:q}, no {known:or}.",
	),
	"name_missing": asks(
		"No {caption:word} is printed that could be read.",
		"no se pudo leer ningún nombre ({caption:word}).",
	),
	"name_unknown": asks(
		"The {caption:word} is {printed:q}, and no name of {who:orwords.who} is known to compare it with.",
		"aparece {printed:q}, y no se conoce ningún nombre de {who:orwords.who} con que compararlo.",
	),
	"name_is":        decides("The {caption:word} is {printed:q}.", "aparece {printed:q}."),
	"institution_is": decides("The institution is {printed:q}.", "la institución es {printed:q}."),
	"text_printed":   decides("{quote:q} is printed on the document.", "{quote:q} aparece en el documento."),
	"text_not_at_hand": asks(
		"{quote:q} is not among the facts of the document, and its text is not at hand.",
		"{quote:q} no está entre los datos del documento, y su texto no está disponible.",
	),
	"text_missing": decides(
		"{quote:q} is not found in the document's text.",
		"{quote:q} no aparece en el texto del documento.",
	),
	"address_same":    decides("The address {printed:q} has {known:q}.", "la dirección {printed:q} incluye {known:q}."),
	"address_in_text": decides("The document's text has {known:q}.", "el texto del documento incluye {known:q}."),
	"address_near": asks(
		"The address {printed:q} is like {known:q} but not the same.",
		"la dirección {printed:q} se parece a {known:q} pero no es igual.",
	),
	"address_other": decides(
		"The address {printed:q} is not {known:q}.",
		"la dirección {printed:q} no es {known:q}.",
	),
	"address_unknown": asks(
		"No address of the lead is known to compare with.",
		"no se conoce ninguna dirección con que comparar.",
	),
	"ein_is": decides("The EIN is {printed}.", "el EIN es {printed}."),
	"ein_unknown": asks(
		"The EIN is {printed}, and none is known to compare it with.",
		"el EIN es {printed}, y no se conoce ninguno con que compararlo.",
	),
	"birth_date": decides("The date of birth is {date:date}.", "la fecha de nacimiento es el {date:date}."),
	"expiry_date": decides(
		"The expiry date is {date:date}{date:ago}.",
		"la fecha de vencimiento es el {date:date}.",
	),
	"document_date": decides("The {caption:word} is {date:date}{date:ago}.", "lleva fecha del {date:date}."),
	"period": decides(
		"The period is {from:date} to {to:date}{:run}{ending:ending}{days:length}.",
		"el período es del {from:date} al {to:date}.",
	),
	"kind_is":    decides("The document is {:kind}.", "el documento es {:kind}."),
	"kind_other": decides("This is {:kind}, not {wanted:word.kind}.", "no es el tipo de documento que pedimos."),
	"kind_owner": decides(
		"This is {owner:word.owner} document, {wanted:word.owner} is wanted.",
		"es un documento {owner:word.owner} y pedimos uno {wanted:word.owner}.",
	),
	"kind_doubted": asks(
		"The type of the document was read with confidence {confidence:share} only.",
		"el tipo del documento se leyó con una confianza de solo {confidence:share}.",
	),
	"kind_unknown": asks("The type of the document was not recognised.", "no se reconoció el tipo del documento."),
	"return_blank": asks(
		"Neither a name nor a figure was read on {:kind}: it may not be filled in.",
		"no se leyó ni un nombre ni una cifra en {:kind}: puede que esté sin llenar.",
	),
	"country_is":     decides("The country of issue is {country}.", "el país que lo expidió es {country}."),
	"parts_included": decides("In it: {parts:words.kind}.", "contiene: {parts:words.kind}."),
	"parts_missing":  decides("Not in it: {parts:words.kind}.", "falta: {parts:words.kind}."),
	"form_is":        decides("The form is {form}.", "el formulario es {form}."),
	"year_is":        decides("The year is {year}.", "el año es {year}."),
	"audited":        decides("The statement is audited.", "el estado está auditado."),
	"not_audited":    decides("The statement is not audited.", "el estado no está auditado."),
	"audit_unread": asks(
		"Whether the figures are audited was not read on the document.",
		"no se leyó si las cifras están auditadas.",
	),
	"basis_is": decides("The accounting basis is {basis}.", "la base contable es {basis}."),
	"owner_is": decides("The document is {owner:word.owner} one.", "es un documento {owner:word.owner}."),
	"owner_unread": asks(
		"The document does not show whether it is a person's or a business's.",
		"el documento no muestra si es de una persona o de un negocio.",
	),
	"account_type": decides("The type of account is {type:q}.", "el tipo de cuenta es {type:q}."),
	"currency_is":  decides("The currency is {currency}.", "la moneda es {currency}."),
	"file_type":    decides("The file is {mimeType}.", "el archivo es {mimeType}."),
	"file_made":    decides("The file is {layer:word.layer}.", "el archivo es {layer:word.layer}."),
	"file_no_screen": decides(
		"The file is {layer:word.layer}, not an image of a screen.",
		"el archivo es {layer:word.layer}, no una imagen de una pantalla.",
	),
	"file_undecided": asks(
		"The file is {layer:word.layer}; whether it is {asked:word.layer} is not to be read from it.",
		"el archivo es {layer:word.layer}; no se puede saber si es {asked:word.layer}.",
	),
	"file_rows": decides(
		"The file is a table of rows ({mimeType}).",
		"el archivo es una tabla de filas ({mimeType}).",
	),
	"list_only": decides(
		"The document prints no period of its own, only transactions.",
		"el documento no muestra un período propio, solo movimientos.",
	),
	"list_undecided": asks(
		"The document's period or balances were not all found in print.",
		"no se encontraron el período y los saldos del documento.",
	),
	"statement_printed": decides(
		"The document prints its period ({from:date} to {to:date}) and its balances.",
		"el documento muestra su período ({from:date} al {to:date}) y sus saldos.",
	),
	"page_missing":     decides("A page is missing: {detail}.", "falta una página: {detail}."),
	"pages_complete":   decides("All pages are there: {detail}.", "están todas las páginas: {detail}."),
	"pages_incomplete": decides("Pages are missing: {detail}.", "faltan páginas: {detail}."),
	"pages_uncounted": asks(
		"{count:#page}, but no page numbers are printed to count by.",
		"{count:#page}, sin numeración que permita saber si están todas.",
	),
	"signed":     decides("The document is signed.", "está firmado."),
	"not_signed": decides("The document is not signed.", "no está firmado."),
	"signature_unread": asks(
		"Whether the document is signed is not to be read from its text.",
		"no se puede saber por el texto si está firmado.",
	),
	"read_clearly": decides(
		"The mean confidence of {facts:#fact} is {confidence:share}.",
		"la confianza media de {facts:#fact} es de {confidence:share}.",
	),
	"read_badly": decides(
		"The mean confidence of {facts:#fact} is only {confidence:share}.",
		"la confianza media de {facts:#fact} es de solo {confidence:share}.",
	),
	"read_doubtfully": asks(
		"The mean confidence of {facts:#fact} is only {confidence:share}.",
		"la confianza media de {facts:#fact} es de solo {confidence:share}.",
	),
	"nothing_to_judge_by": asks(
		"Nothing was read to judge the print by.",
		"no se leyó nada que permita juzgar la calidad de la impresión.",
	),
	"edited": asks(
		"The file shows a sign of editing: {detail}.",
		"el archivo muestra señales de edición: {detail}.",
	),
	"editing_unseen": asks(
		"Editing is not to be seen in {layer:word.layer}.",
		"no se puede ver si se editó: es {layer:word.layer}.",
	),
	"not_edited": decides(
		"No sign of editing was found in the file.",
		"no se encontraron señales de edición en el archivo.",
	),
	"balances_reconcile": decides("The balances reconcile: {detail}.", "los saldos cuadran: {detail}."),
	"balances_differ":    decides("The balances do not reconcile: {detail}.", "los saldos no cuadran."),
	"check_holds":        decides("{check:word.check} holds: {detail}.", "{check:word.check}: se cumple, {detail}."),
	"check_fails": decides(
		"{check:word.check} does not hold: {detail}.",
		"{check:word.check}: no se cumple, {detail}.",
	),
	"check_missing": asks(
		"The figures for this were not found on the document.",
		"no se encontraron en el documento las cifras para esto.",
	),
	"account_reconciles": decides(
		"{account:account} reconciles: {sum} = {closing:money}.",
		"{account:account}: los saldos cuadran, {sum} = {closing:money}.",
	),
	"account_differs": decides(
		"{account:account} does not reconcile: {sum} = {total:money}, but {closing:money} is printed.",
		"los saldos no cuadran.",
	),
	"account_figures": asks(
		"{account:account} prints no opening and closing balance with totals to check.",
		"{account:account}: no hay saldo inicial y final con totales que revisar.",
	),
	"figure_is": decides(
		"The {figure:word} is {value:money}{:how}, {op:word.op} {bound:money} is asked.",
		"{figure:word}: {value:money}; se pide {op:word.op} {bound:money}.",
	),
	"fact_shown":    decides("The {fact:word} is {value}.", "{fact:word}: {value}."),
	"earlier":       decides("{text}", "{text}"),
	"earlier_doubt": asks("{text}", "{text}"),

	"refused_by_person": decides(
		"{document:document} was refused by a person.",
		"{document:document}: no lo aceptó la persona que lo revisó.",
	),
	"unreadable": decides(
		"{document:document} could not be read: {failure:word.failure}.",
		"{document:document}: {failure:word.failure}.",
	),
	"unreadable_here": asks(
		"{document:document} could not be read ({failure:word.failure}).",
		"{document:document}: no se pudo leer ({failure:word.failure}).",
	),
	"no_period":   asks("No period was read on the statement.", "no se leyó ningún período en el estado de cuenta."),
	"no_tax_year": asks("No tax year was read on the return.", "no se leyó ningún año en la declaración."),
	"months_covered": decides(
		"{have} of {wanted:#month}: {from:date} to {to:date} is covered.",
		"{have} de {wanted:#month}: tenemos del {from:date} al {to:date}.",
	),
	"months_future": decides(
		"{have} of {wanted:#month}: the latest statement ends on {latest:date}, in the future.",
		"{have} de {wanted:#month}: el último estado de cuenta termina el {latest:date}, en el futuro.",
	),
	"months_old": decides(
		"{have} of {wanted:#month}: the latest statement ends on {latest:date}, more than {grace:#day} before "+
			"{today:date}.",
		"{have} de {wanted:#month}: el último estado de cuenta termina el {latest:date}, hace más de {grace:#day}.",
	),
	"years_old": decides(
		"{have} of {wanted:#tax year}: the latest return must be for {oldest} or later; there is {years:list}.",
		"{have} de {wanted:#tax year}: la última declaración debe ser de {oldest} o posterior; tenemos la de "+
			"{years:list}.",
	),
	"years_apart": decides(
		"{have} of {wanted:#tax year}: there is {years:list}; the years must follow each other.",
		"{have} de {wanted:#tax year}: tenemos {years:list}; los años deben ser seguidos.",
	),

	"value_text":  decides("Must be a text", "Debe ser un texto"),
	"value_empty": decides("Must not be empty", "No puede quedar vacío"),
	"value_long":  decides("May have at most {max} characters", "Puede tener como máximo {max} caracteres"),
	"value_date":  decides("Must be a date in the form YYYY-MM-DD", "Debe ser una fecha con la forma AAAA-MM-DD"),
	"value_ein": decides(
		"Must be an EIN of nine digits, such as 12-3456789",
		"Debe ser un EIN de nueve dígitos, como 12-3456789",
	),
	"value_ssn": decides(
		"Must be a social security number of nine digits",
		"Debe ser un número de seguro social de nueve dígitos",
	),
	"value_email": decides(
		"Must be an email address such as name@example.com",
		"Debe ser un correo electrónico, como nombre@ejemplo.com",
	),
	"value_phone":  decides("Must be a phone number", "Debe ser un número de teléfono"),
	"value_option": decides("Must be one of: {options:list}", "Debe ser una de estas opciones: {options:list}"),
	"value_options": decides(
		"Must be some of: {options:list}",
		"Deben ser algunas de estas opciones: {options:list}",
	),
	"value_choices":     decides("Must be an array of choices", "Debe ser una lista de opciones"),
	"value_no_choice":   decides("Choose at least one", "Elija al menos una"),
	"value_form":        decides("Does not have the expected form", "No tiene la forma esperada"),
	"value_number":      decides("Must be a number", "Debe ser un número"),
	"value_min":         decides("Must be at least {min:money}", "Debe ser al menos {min:money}"),
	"value_max":         decides("Must be at most {max:money}", "Debe ser como máximo {max:money}"),
	"value_address":     decides("Must be an address: an object with {parts:list}", "La dirección no está completa"),
	"value_address_key": decides("An address has no {key:q}; it has {parts:list}", "La dirección no está completa"),
	"value_address_part": decides(
		"The {key} must be a text of at most {max} characters",
		"La dirección no está completa",
	),
	"value_address_gap": decides("The address needs a {key}", "La dirección no está completa"),

	"if_statement_ended_from": decides(
		"the statement ended on or after {date:date}",
		"el estado de cuenta terminara el {date:date} o después",
	),
	"if_statement_ended_by": decides(
		"the statement ended on or before {date:date}",
		"el estado de cuenta terminara el {date:date} o antes",
	),
	"if_date_from": decides(
		"the {caption:word} was {date:date} or later",
		"{caption:word} fuera {date:date} o posterior",
	),
	"if_date_by": decides(
		"the {caption:word} was {date:date} or earlier",
		"{caption:word} fuera {date:date} o anterior",
	),
	"if_date": decides("the {caption:word} was {date:date}", "{caption:word} fuera {date:date}"),
	"if_figure_from": decides(
		"the {caption:word} was {value:money} or more",
		"{caption:word} fuera {value:money} o más",
	),
	"if_figure_to": decides(
		"the {caption:word} was {value:money} or less",
		"{caption:word} fuera {value:money} o menos",
	),
	"if_figure": decides("the {caption:word} was {value:money}", "{caption:word} fuera {value:money}"),
	"if_name":   decides("the {caption:word} was {known:q}", "{caption:word} fuera {known:q}"),
	"if_fact":   decides("the {caption:word} was {value}", "{caption:word} fuera {value}"),
	"if_kind":   decides("the document was {wanted:word.kind}", "el documento fuera {wanted:word.kind}"),
}
