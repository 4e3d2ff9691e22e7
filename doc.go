// Package dossier is the domain: its types, their states and the rules that need nothing but them. It imports none of
// our packages, does no I/O and reads no clock: the time is an argument.
//
// # The model
//
//	Workspace ── a lender or broker: template of the checklist, agents, workflows, limits, keys
//	  ├─ Lead ── a person or business that must supply information and documents
//	  │    ├─ Checklist ── groups of entries, from the template and of the lead's own
//	  │    │    └─ ChecklistEntry ── a value, or files; TODO until what was supplied holds
//	  │    ├─ Document ── one stored file; reading it gives an Extraction
//	  │    │    └─ ReadDocument ── one document in the file: its kind, its facts, where each is printed
//	  │    ├─ Association ── one document serving one entry, and whether it meets the entry's rules
//	  │    ├─ Run ── one agent conducting one Workflow
//	  │    │    └─ Message ── between an agent and the lead
//	  │    ├─ Activity ── what happened, in words for people
//	  │    └─ Spread ── financial statements of the lead in the template's rows
//	  │         └─ Artifact ── a PDF, workbook or CSV made from them
//	  └─ Webhook ── where events are sent
//	       └─ Delivery ── one event on its way to one webhook
//
// # From an upload to a webhook
//
// A Document is stored with a job to read it, in one commit. What was read is matched with the entries that take files:
// an Association says which one a document serves, and each rule gives a RuleResult with the printed evidence. Results
// move the entry's ItemStatus; the lead's status follows from its escalations and its closing status (Lead.Status is
// computed, never stored). Each change is an Event in the commit that makes it, and each Event becomes a Delivery to
// every Webhook that asks for it, in order for each lead.
//
// # Words that are used everywhere
//
// Facts are what a document says, in a format of their own (facts.go): they are the same in the parser, in Postgres and
// in answers. Amount is money, a decimal that keeps the places it was printed with. An Error's message may be shown to
// a caller, and its code stands in the table of codes.go; every other error is ours. A Patch tells a field that was not
// sent from one that was sent as null.
package dossier
