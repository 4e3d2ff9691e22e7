package dossier

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// RefusedFile is a file of a message that cannot be used, as the lead is told.
type RefusedFile struct {
	Name string        `json:"name"`
	Why  RefusalOfFile `json:"why"`
}

// RefusalOfFile is why a file of a message cannot be used.
type RefusalOfFile string

// Reasons.
const (
	RefusedType  RefusalOfFile = "type"  // kept as a document that nobody can read
	RefusedSize  RefusalOfFile = "size"  // not kept
	RefusedLimit RefusalOfFile = "limit" // not kept: the lead has as many documents as the workspace lets it have
)

// MaxMailFile is how large a file of an email may be, in bytes: as mail servers have it.
const MaxMailFile = 25 << 20

var (
	readTypes = []string{"application/pdf", "application/json", "application/xml", "application/rtf",
		"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		"application/vnd.openxmlformats-officedocument.wordprocessingml.document",
		"application/vnd.ms-excel", "application/msword",
		"application/vnd.oasis.opendocument.spreadsheet", "application/vnd.oasis.opendocument.text",
		"application/x-ofx", "application/ofx", "application/vnd.intu.qfx", "application/vnd.intu.qbo", "application/qif"}
	readPictures = []string{"image/png", "image/jpeg", "image/jpg", "image/pjpeg", "image/gif", "image/tiff", "image/webp", "image/bmp",
		"image/heic", "image/heif", "image/avif"}
	readExtensions = []string{".pdf", ".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".webp", ".bmp", ".heic", ".heif", ".avif",
		".xlsx", ".xls", ".ods", ".docx", ".doc", ".odt", ".rtf", ".csv", ".txt",
		".ofx", ".qfx", ".qbo", ".qif", ".sta", ".mt940", ".940", ".bai", ".bai2", ".xml"}
)

// ReadableFile says by name and type whether a file is of a kind that is read at all. What is in it is another question.
func ReadableFile(name, mimeType string) bool {
	kind := strings.ToLower(mimeType)
	return slices.Contains(readTypes, kind) || slices.Contains(readPictures, kind) || strings.HasPrefix(kind, "text/") ||
		slices.Contains(readExtensions, strings.ToLower(path.Ext(name)))
}

// How large a picture is at most that belongs to a signature: a tracking pixel or an icon by its size alone, a logo by its
// name too. A photograph of a document is larger.
const (
	maxIcon = 4 << 10
	maxLogo = 40 << 10
)

var (
	attendants = []string{"application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature", "application/pgp-keys",
		"text/vcard", "text/x-vcard", "text/directory", "text/calendar", "application/ics", "application/smil"}
	logoName = regexp.MustCompile(`(?i)^(?:image\d*|att\d+|outlook|logo|sig|signature|firma|icon|footer|banner|facebook|linkedin|twitter|instagram|youtube|whatsapp)(?:[-_ ().].*)?\.(?:png|gif|jpe?g|bmp)$`)
)

// Decoration says whether a file of a message is no document but part of how it looks or travels: a picture of a
// signature, a calling card, an invitation, a cryptographic signature.
func Decoration(name, mimeType string, size int64) bool {
	kind := strings.ToLower(mimeType)
	if slices.Contains(attendants, kind) {
		return true
	}
	return strings.HasPrefix(kind, "image/") && (size <= maxIcon || size <= maxLogo && logoName.MatchString(name))
}
