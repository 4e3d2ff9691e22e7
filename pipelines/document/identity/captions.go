package identity

// The captions of identity documents, folded, in the languages that are written in Latin letters: the surest first, as
// the first that has a value gives it. Sources: the card design standard of the AAMVA, annex A; ICAO 9303 part 4; the
// register of documents of the Council of the European Union.
var (
	birthCaptions = []string{"date of birth", "dob", "3dob", "3 dob", "d0b", "d o b", "birth date", "birthdate",
		"date de naissance",
		"fecha de nacimiento", "geburtsdatum", "geburtstag", "ne e le", "nee le", "ne le", "data di nascita",
		"data de nascimento",
		"geboortedatum", "geboren am", "fecha de nac", "nacimiento", "fodelsedatum", "fodelsetid", "fodselsdato",
		"syntymaaika",
		"data urodzenia", "data nasterii", "datum narozeni", "datum rojstva", "datum rodenja", "sunniaeg",
		"szuletesi ido",
		"dzimsanas datums", "gimimo data", "dogum tarihi", "petsa ng kapanganakan", "born", "birth", "3"}
	expiryCaptions = []string{"licence expiry", "license expiry", "card expiry",
		"date of expiration", "date of expiry", "expiration date", "expiry date", "card expires",
		"expires", "expires on",
		"exp", "expiration", "expiry", "4b", "valid till", "validity nt", "validity", "valid until", "valid thru",
		"valid to", "date d expiration",
		"date de fin de validite", "date d expir",
		"expire le", "fecha de caducidad", "fecha de vencimiento", "vencimiento", "caduca", "vence", "validez",
		"valido hasta", "data di scadenza",
		"scadenza", "gultig bis", "gueltig bis", "geldig tot", "vervalt op", "data de validade", "validade",
		"valido ate", "giltigt till och med",
		"sista giltighetsdag", "giltigt", "voimassa", "viimeinen voimassaolopaiva", "utloper", "udlober",
		"data uplywu waznosci", "termin waznosci",
		"valabilitate", "platnost do", "velja do", "vrijedi do", "kehtiv kuni", "gecerlilik tarihi"}
	issueCaptions = []string{"date of issue", "issue date", "issued", "doi", "iss", "lss", "1ss", "resident since",
		"4a", "date de delivrance", "delivre le",
		"delivree le", "fecha de expedicion", "fecha de emision", "expedicion", "emision", "data di rilascio",
		"rilasciato il", "emissione", "issuing",
		"ausstellungsdatum", "datum der ausstellung", "ausgestellt am", "datum van afgifte", "data de emissao",
		"data de expedicao", "issued on",
		"utfardat", "utfardandedag", "utstedt", "udstedt", "udstedelsesdato", "myonnetty", "myontamispaiva",
		"data wydania", "emis", "data eliberarii",
		"datum vydani", "datum izdaje", "datum izdavanja", "valjaandmise kuupaev", "verilis tarihi",
		"petsa ng pagkakaloob"}
	// "sumame" is what OCR reads in small print
	lastCaptions = []string{"surname", "sumame", "last name", "family name", "apellidos", "ln", "1ln", "1 ln",
		"apellido", "cognome", "nachname", "familienname", "name surname nom", "name sumame nom",
		"name surname", "name sumame", "naam",
		"apelido", "apelidos", "apelido s", "sobrenome", "achternaam",
		"nom", "efternamn", "etternavn", "efternavn", "sukunimi", "nazwisko",
		"nume", "prijmeni", "priimek",
		"prezime", "perekonnanimi", "uzvards", "pavarde", "soyadi", "apelyido"}
	firstCaptions = []string{"given names", "given name", "given name s", "given", "first name", "first names",
		"forenames", "forename s", "fn", "2fn",
		"2 fn", "nombres", "prenoms", "prenom s", "prenom", "nombre", "vornamen", "vorname", "vorname n", "voornamen",
		"nome", "nome s", "fornamn", "fornavn",
		"etunimet", "imiona", "imie", "prenume", "jmeno", "ime", "eesnimi", "vards", "vardas", "adi", "pangalan",
		"names"}
	cardNumberCaptions = []string{"national identification number", "identity number",
		"id no", "id number", "document no", "card no", "identity card no",
		"identity card number", "ausweisnr", "ausweisnummer",
		"documentnummer", "kaartnr", "numero de documento", "no documento", "numero carta",
		"numer dowodu"}
	licenceCaptions = []string{"4d dlno", "4ddlno", "dlno", "lic #", "lic no", "license no", "licence no",
		"license number",
		"licence number", "dl no", "dl number", "cdl no", "dln", "ndl", "4d num", "num lic", "num", "4d",
		"dl id", "dl", "cdl", "oln", "lic", "driver license no", "operator license no", "customer id",
		"customer identifier", "customer no", "cust id", "crn", "no registro", "n registro",
		"num registro", "driver no", "driver number", "id no", "id number", "id", "permit no", "number",
		"5", "no"}
)
