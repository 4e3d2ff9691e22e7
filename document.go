package dossier

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"time"
)

// ExtractionStatus says how far the reading of a document is (api.md, Document metadata).
type ExtractionStatus string

// States of reading.
const (
	ExtractionPending    ExtractionStatus = "pending"
	ExtractionProcessing ExtractionStatus = "processing"
	ExtractionCompleted  ExtractionStatus = "completed"
	ExtractionFailed     ExtractionStatus = "failed"
)

// ExtractionError is why a file cannot be read. Codes: encrypted, corrupt, unsupported_type, too_large,
// too_many_pages, timeout, memory, ocr_unavailable (decisions.md section 3).
type ExtractionError struct {
	Code   string
	Detail string
}

// ValueSource says who gave a value or a file (api.md, Source values). The zero value is "nobody yet".
type ValueSource string

// Sources.
const (
	SourceAgent    ValueSource = "agent"
	SourceImported ValueSource = "imported"
	SourceManual   ValueSource = "manual"
	SourcePortal   ValueSource = "portal"
)

// Limits of uploads (decisions.md section 1; resources.md section 10: 100 MB is 104,857,600 bytes).
const (
	MaxUploadBytes = 104_857_600
	MaxUploadFiles = 10
)

// Document is one stored file of a lead.
type Document struct {
	ID               DocumentID
	LeadID           LeadID
	Filename         string
	MimeType         string
	Size             int64
	SHA256           []byte
	ObjectKey        string
	ExternalID       *string
	Source           ValueSource
	RequestedEntryID *EntryID   // the item the sender named
	PagePartyID      *PartyID   // whose page it came through; nil: the lead's own, or none
	UploadedAt       *time.Time // nil: announced by presign, bytes not here yet
	ExtractionStatus ExtractionStatus
	ExtractionError  *ExtractionError
	Extraction       *Extraction // the facts that count; nil until completed, and in lists
	// MachineExtraction is what was read, while corrections are laid over it; nil: Extraction is.
	MachineExtraction *Extraction
	Corrections       []Correction   // nil in lists
	Parts             []DocumentPart // that a person says the file has; nil: the machine finds them
	ThumbnailKey      *string
	CreatedAt         time.Time
	UpdatedAt         time.Time
	PartParties       map[int]PartyID // whose the documents of the file are, by index
	DuplicateOf       *DocumentID     // set in the answer to an upload of the same bytes
	Asked             *Review         // set in the answer to who overrides under four eyes: it waits
	Associations      []Association
}

// Tag is a strong ETag of what people work on: it moves with the extraction, the corrections, and what the document
// serves. The sources, most of an extraction, are not hashed: they follow from file, engine and corrections.
func (d *Document) Tag() string {
	var read Extraction
	if d.Extraction != nil {
		read = *d.Extraction
		read.Documents = slices.Clone(read.Documents)
		for i := range read.Documents {
			read.Documents[i].Sources = nil
		}
	}
	sum := sha256.Sum256(jsonOf([]any{d.ExtractionStatus, read, d.Corrections, d.Parts, d.Associations}))
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// Association is one document serving one item of the lead's checklist.
type Association struct {
	ID         AssociationID
	DocumentID DocumentID
	EntryID    EntryID
	Code       string // of the item
	Label      string // of the item
	Requested  bool   // the sender named the item
	Parts      []int  // which documents of the file serve the item, by index
	Score      float64
	Reason     string
	Result     *ValidationResult // nil until judged
	Override   *Override         // a person's word, which wins
}

// Valid is what counts: the person's word if there is one, else the judge's.
func (a Association) Valid() bool {
	if a.Override != nil {
		return a.Override.Valid
	}
	return a.Result != nil && a.Result.OverallValid
}

// Override is a person's decision about an association.
type Override struct {
	Valid bool
	By    string
	Note  string
	At    time.Time
}

// FileItem is an item of a lead's checklist that takes files, with what matching and judging need of it.
type FileItem struct {
	EntryID           EntryID
	Code              string
	Label             string
	FieldType         FieldType
	IsRequired        bool
	Config            ItemConfig
	Rules             []string // in natural language
	AgentInstructions string
	Status            ItemStatus
	Reasons           []Reason
	PartyID           *PartyID
	Whose             *Party // a party other than the primary one; nil: the lead
}

// ReadFile is a stored file as matching and judging see it: what it is called and what was read.
type ReadFile struct {
	ID               DocumentID
	ObjectKey        string
	Filename         string
	ExtractionStatus ExtractionStatus
	ExtractionError  *ExtractionError
	Extraction       *Extraction // nil unless completed
	RequestedEntryID *EntryID
}

// JudgedFile is a file that serves an item, with the verdict on it.
type JudgedFile struct {
	ReadFile
	Parts    []int             // which documents of the file serve the item, by index
	Result   *ValidationResult // nil: not judged, or not readable
	JudgedAt *time.Time        // when the verdict was given
	Override *Override
}

// FileMatch says that a file serves an item, and why.
type FileMatch struct {
	DocumentID DocumentID
	EntryID    EntryID
	Score      float64
	Reason     string
	Parts      []int // which documents of the file serve the item, by index
}

// Judge decides the state of an item from all files that serve it. It has no effects: the store calls it inside the
// transaction that holds the lead, so that two documents judged at once cannot both miss the other.
type Judge struct {
	// Item says the state and why it is not COMPLETED (validationError says the first reason), else none.
	Item func(item FileItem, files []JudgedFile) (ItemStatus, []Reason)
	// AsksTogether reports whether a rule of the item asks of several documents together.
	AsksTogether func(FileItem) bool
	// Together gives the verdicts that are others now than they were given, since such rules ask of what serves the
	// item now. whose is who the documents are compared with.
	Together func(item FileItem, whose Party, files []JudgedFile) map[DocumentID]ValidationResult
}

// DocumentPart is a document that a person says a file has.
type DocumentPart struct {
	Pages   [2]int  `json:"pages"`             // first and last, from 1
	DocType DocType `json:"docType,omitempty"` // empty: what the pages say
}

// CheckParts says what is wrong with the parts that a person gives a file, by JSON pointer into the request.
func (e Extraction) CheckParts(parts []DocumentPart) error {
	pages := max(e.PageCount, len(e.Pages))
	for i, p := range parts {
		at := fmt.Sprintf("/parts/%d/pages", i)
		switch {
		case p.Pages[0] < 1 || p.Pages[1] < p.Pages[0]:
			return invalidAt(at, "must be the first and the last page, from 1")
		case p.Pages[1] > pages:
			return invalidAt(at, "the file has %d pages", pages)
		}
		for _, o := range parts[:i] {
			if p.Pages[0] <= o.Pages[1] && o.Pages[0] <= p.Pages[1] {
				return invalidAt(at, "shares a page with another part")
			}
		}
	}
	if len(parts) == 0 {
		return invalidAt("/parts", "must name at least one part")
	}
	return nil
}

// CorrectionsOfParts are the corrections of parts whose pages stay as they are, under their new places; others go.
func (e Extraction) CorrectionsOfParts(set []Correction, parts []DocumentPart) []Correction {
	kept := []Correction{}
	for _, c := range set {
		if c.Part >= len(e.Documents) {
			continue
		}
		was := e.Documents[c.Part]
		k := slices.IndexFunc(parts, func(p DocumentPart) bool {
			return p.Pages == was.Pages && (p.DocType == "" || p.DocType == was.DocType)
		})
		if k >= 0 {
			c.Part = k
			kept = append(kept, c)
		}
	}
	return kept
}

// KnownDocType reports whether t is a type of document; the empty one is none said.
func KnownDocType(t DocType) bool { return t == "" || slices.Contains(DocTypes, t) }
