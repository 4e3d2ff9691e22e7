# Code generated from the OpenAPI document by make clients. DO NOT EDIT.

from __future__ import annotations

from typing import Any, Iterator, List, Optional, Sequence

from . import types as t
from ._transport import Download, Page, Transport, Upload, segment


class Client(Transport):
    """A client of one workspace: see the README."""

    def analytics(self, *, start: Optional[str] = None, end: Optional[str] = None, format: Optional[t.ReportFormat] = None, token: Optional[str] = None) -> t.AnalyticsResult:
        """Aggregate and per-lead analytics. `totals` cover every lead that was created from `start` to `end`, both included, and are on each page; `breakdown` has up to 500 leads a page, oldest first. Of messages those count that were received, or sent or delivered. Of checklist items those that are required and visible to the lead; `bySource` says who gave the completed ones. Counts are exact at every moment. After a change that touches more than 20,000 leads at once, such as one of everybody's checklist, the answer is 503 with `Retry-After` until they have been counted. With `format=csv` the same breakdown of all leads is written to a file, one row per lead. The answer comes when the file is whole; after 25 seconds it is 202 with the address to poll."""
        answer: t.AnalyticsResult = self._answer("GET", "/api/v0/analytics", query={"start": start, "end": end, "format": format, "token": token})
        return answer

    def analytics_all(self, *, start: Optional[str] = None, end: Optional[str] = None, format: Optional[t.ReportFormat] = None, token: Optional[str] = None) -> Iterator[t.ReportLead]:
        """Every entry of `analytics`, page by page."""

        def page(token_: Optional[str]) -> Page[t.ReportLead]:
            found = self.analytics(start=start, end=end, format=format, token=token_ or token)
            return Page(found.get("breakdown") or [], found.get("nextToken"))

        return self._each(page)

    def read_action_log(self, action_log_id: str) -> t.ActionLogAnswer:
        """Get an action log."""
        answer: t.ActionLogAnswer = self._answer("GET", f"/api/v1/action-logs/{segment(action_log_id)}")
        return answer

    def create_activity(self, body: t.ActivityBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.ActivityAnswer:
        """Create an activity entry. The entry is shown on the timeline and read by agents. A repeat without Idempotency-Key writes another."""
        answer: t.ActivityAnswer = self._answer("POST", "/api/v1/activity", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def list_agents(self) -> t.AgentsAnswer:
        """List agents. Oldest first."""
        answer: t.AgentsAnswer = self._answer("GET", "/api/v1/agents")
        return answer

    def list_keys(self, *, limit: Optional[int] = None, token: Optional[str] = None) -> t.KeysAnswer:
        """List API keys. Newest first, revoked ones too."""
        answer: t.KeysAnswer = self._answer("GET", "/api/v1/api-keys", query={"limit": limit, "token": token})
        return answer

    def list_keys_all(self, *, limit: Optional[int] = None, token: Optional[str] = None) -> Iterator[t.ApiKey]:
        """Every entry of `list_keys`, page by page."""

        def page(token_: Optional[str]) -> Page[t.ApiKey]:
            found = self.list_keys(limit=limit, token=token_ or token)
            return Page(found.get("apiKeys") or [], found.get("nextToken"))

        return self._each(page)

    def create_key(self, body: t.KeyBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.CreateKeyAnswer:
        """Create an API key. Writes an audit entry. Scopes default to read and write; write includes read, admin includes both."""
        answer: t.CreateKeyAnswer = self._answer("POST", "/api/v1/api-keys", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def revoke_key(self, api_key_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> None:
        """Revoke an API key. The key stops working within seconds. A repeat changes nothing. Writes an audit entry."""
        self._send("DELETE", f"/api/v1/api-keys/{segment(api_key_id)}", idempotency_key=idempotency_key, actor=actor)

    def artifact_content(self, artifact_id: str) -> Download:
        """Download an artifact. The raw file. The ETag is the SHA-256 of its bytes. An artifact that a regeneration replaced is gone."""
        return self._download("GET", f"/api/v1/artifacts/{segment(artifact_id)}/content")

    def list_audit(self, *, limit: Optional[int] = None, token: Optional[str] = None, action: Optional[t.AuditAction] = None, actor: Optional[str] = None, key_id: Optional[str] = None, subject_id: Optional[str] = None, since: Optional[str] = None, until: Optional[str] = None) -> t.AuditAnswer:
        """List administrative acts. Newest first. With a test key, those of test leads and of test keys."""
        answer: t.AuditAnswer = self._answer("GET", "/api/v1/audit", query={"limit": limit, "token": token, "action": action, "actor": actor, "keyId": key_id, "subjectId": subject_id, "since": since, "until": until})
        return answer

    def list_audit_all(self, *, limit: Optional[int] = None, token: Optional[str] = None, action: Optional[t.AuditAction] = None, actor: Optional[str] = None, key_id: Optional[str] = None, subject_id: Optional[str] = None, since: Optional[str] = None, until: Optional[str] = None) -> Iterator[t.AuditEntry]:
        """Every entry of `list_audit`, page by page."""

        def page(token_: Optional[str]) -> Page[t.AuditEntry]:
            found = self.list_audit(limit=limit, token=token_ or token, action=action, actor=actor, key_id=key_id, subject_id=subject_id, since=since, until=until)
            return Page(found.get("entries") or [], found.get("nextToken"))

        return self._each(page)

    def create_documents(self, *, files: Sequence[Upload], lead_id: str, lead_checklist_item_id: Optional[str] = None, metadata: Optional[str] = None, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.CreateDocumentsAnswer:
        """Upload documents. One to ten files of up to 100 MB each. A file with the same bytes on the same lead is stored once and answered with the first document and `duplicateOf`. A file nobody can read is accepted and then fails with a reason."""
        answer: t.CreateDocumentsAnswer = self._answer("POST", "/api/v1/documents", form={"files": files, "leadChecklistItemId": lead_checklist_item_id, "leadId": lead_id, "metadata": metadata}, idempotency_key=idempotency_key, actor=actor)
        return answer

    def presign_document(self, body: t.PresignBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.PresignAnswer:
        """Announce a direct upload. Answers where to PUT the bytes. The document is in no list until it is completed."""
        answer: t.PresignAnswer = self._answer("POST", "/api/v1/documents/presign", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def delete_document(self, document_id: str, *, erase: Optional[bool] = None, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.DeleteDocumentResult:
        """Delete a document. The items it served are judged again. Its file and facts are erased after a time of grace, as a deleted lead is."""
        answer: t.DeleteDocumentResult = self._answer("DELETE", f"/api/v1/documents/{segment(document_id)}", query={"erase": erase}, idempotency_key=idempotency_key, actor=actor)
        return answer

    def read_document(self, document_id: str, *, include_content: Optional[bool] = None) -> t.DocumentAnswer:
        """Get a document. With a fresh signed URL and, once read, its classification and facts."""
        answer: t.DocumentAnswer = self._answer("GET", f"/api/v1/documents/{segment(document_id)}", query={"includeContent": include_content})
        return answer

    def add_association(self, document_id: str, body: t.AssociationBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.DocumentAnswer:
        """Put a document on an item. A person's word; the machine does not take the document away again. It is matched and judged in the background. 200 when it was there already."""
        answer: t.DocumentAnswer = self._answer("POST", f"/api/v1/documents/{segment(document_id)}/associations", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def remove_association(self, document_id: str, association_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> None:
        """Take a document from an item. A person's word; the machine does not put it there again. The item is judged without it. Together with putting it on another item, this moves a document."""
        self._send("DELETE", f"/api/v1/documents/{segment(document_id)}/associations/{segment(association_id)}", idempotency_key=idempotency_key, actor=actor)

    def override_association(self, document_id: str, association_id: str, body: t.OverrideBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.OverrideAssociationResult:
        """Override the verdict on a document. A person's word about one document and one item. It stands until the document changes."""
        answer: t.OverrideAssociationResult = self._answer("PATCH", f"/api/v1/documents/{segment(document_id)}/associations/{segment(association_id)}", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def complete_document(self, document_id: str, body: t.CompleteBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.DocumentAnswer:
        """Complete a direct upload. Size and hash of what arrived are checked. A repeat changes nothing."""
        answer: t.DocumentAnswer = self._answer("POST", f"/api/v1/documents/{segment(document_id)}/complete", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def correct_document(self, document_id: str, body: t.CorrectionsBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.CorrectionsAnswer:
        """Correct the facts of a document. The whole set of corrections, which takes the place of the one before; an empty list takes all away. `facts` then show the corrected values, with `sources[pointer].method` `person`, and what the machine read stays in `corrections`. A value that is the machine's own is kept as `confirmed` and changes nothing. Checks, verdicts and items follow in the same commit, and spreads that use the document are regenerated. Corrections are kept when the document is read again; where a third value is read, the state is `conflict`. With `If-Match` (the ETag of the document) nothing changes unless it still holds. `effects` lists only what changes; of a spread the cells that its next round will show, with null where there is no figure."""
        answer: t.CorrectionsAnswer = self._answer("PUT", f"/api/v1/documents/{segment(document_id)}/corrections", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def erase_document(self, document_id: str, body: t.EraseBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.EraseDocumentResult:
        """Erase a document. As a lead is erased: the document is gone with the answer, its file and facts when the erasure is COMPLETE. Its items are judged again, and spreads that used it are made anew without it, FAILED when none is left."""
        answer: t.EraseDocumentResult = self._answer("POST", f"/api/v1/documents/{segment(document_id)}/erase", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def read_page_picture(self, document_id: str, page: str, *, width: Optional[int] = None) -> Download:
        """Get the picture of a page. A PNG of the page as people see it, drawn in the parser's sandbox and kept; tables, texts and mails are drawn too. What stands on the page at a share of its width and height (`extraction.pages`) stands there in the picture. The first call for a page waits for its drawing. Send the ETag as `If-None-Match` to fetch it only once. Pictures of identity documents and of pages with numbers that facts mask are noted in the audit (`document.page_read`)."""
        return self._download("GET", f"/api/v1/documents/{segment(document_id)}/pages/{segment(page)}", query={"width": width})

    def read_page_words(self, document_id: str, page: str) -> t.PageWordsAnswer:
        """Get the words of a page. The words or cells that were read on a page, in reading order, with the box of each in the unit of `extraction.pages`. A cell's box is its name, and `rect` is where it stands, as fractions of the page. Social security numbers are masked."""
        answer: t.PageWordsAnswer = self._answer("GET", f"/api/v1/documents/{segment(document_id)}/pages/{segment(page)}/words")
        return answer

    def set_document_parts(self, document_id: str, body: t.PartsBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.DocumentAnswer:
        """Say which documents a file has. Joins, splits and retypes the documents of a file. Each part is a range of pages, first and last; pages in no part stay out. The parts are read again as what they are said to be, and stay so when the document is reprocessed. Corrections of parts whose pages did not change are kept, others go."""
        answer: t.DocumentAnswer = self._answer("PUT", f"/api/v1/documents/{segment(document_id)}/parts", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def set_document_party(self, document_id: str, part: str, body: t.DocumentPartBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.DocumentAnswer:
        """Say whose a document of a file is. Reading finds it by name and number. What is said here stays, also when the file is read again; null says that it is nobody's."""
        answer: t.DocumentAnswer = self._answer("PATCH", f"/api/v1/documents/{segment(document_id)}/parts/{segment(part)}", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def reprocess_document(self, document_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.DocumentAnswer:
        """Read a document again."""
        answer: t.DocumentAnswer = self._answer("POST", f"/api/v1/documents/{segment(document_id)}/reprocess", idempotency_key=idempotency_key, actor=actor)
        return answer

    def list_erasures(self, *, limit: Optional[int] = None, token: Optional[str] = None, status: Optional[t.ErasureStatus] = None, lead_id: Optional[str] = None) -> t.ErasuresAnswer:
        """List erasures. Newest first. Deleting a lead or a document makes one, due after its grace."""
        answer: t.ErasuresAnswer = self._answer("GET", "/api/v1/erasures", query={"limit": limit, "token": token, "status": status, "leadId": lead_id})
        return answer

    def list_erasures_all(self, *, limit: Optional[int] = None, token: Optional[str] = None, status: Optional[t.ErasureStatus] = None, lead_id: Optional[str] = None) -> Iterator[t.Erasure]:
        """Every entry of `list_erasures`, page by page."""

        def page(token_: Optional[str]) -> Page[t.Erasure]:
            found = self.list_erasures(limit=limit, token=token_ or token, status=status, lead_id=lead_id)
            return Page(found.get("erasures") or [], found.get("nextToken"))

        return self._each(page)

    def read_erasure(self, erasure_id: str) -> t.ErasureAnswer:
        """Read an erasure."""
        answer: t.ErasureAnswer = self._answer("GET", f"/api/v1/erasures/{segment(erasure_id)}")
        return answer

    def cancel_erasure(self, erasure_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.ErasureAnswer:
        """Call an erasure off. One that is SCHEDULED or HELD. A lead that is deleted stays deleted, and its data is kept."""
        answer: t.ErasureAnswer = self._answer("POST", f"/api/v1/erasures/{segment(erasure_id)}/cancel", idempotency_key=idempotency_key, actor=actor)
        return answer

    def list_escalations(self, *, lead_id: Optional[str] = None, status: Optional[t.EscalationStatus] = None, limit: Optional[int] = None, token: Optional[str] = None) -> t.EscalationsAnswer:
        """List escalations. Newest first."""
        answer: t.EscalationsAnswer = self._answer("GET", "/api/v1/escalations", query={"leadId": lead_id, "status": status, "limit": limit, "token": token})
        return answer

    def list_escalations_all(self, *, lead_id: Optional[str] = None, status: Optional[t.EscalationStatus] = None, limit: Optional[int] = None, token: Optional[str] = None) -> Iterator[t.Escalation]:
        """Every entry of `list_escalations`, page by page."""

        def page(token_: Optional[str]) -> Page[t.Escalation]:
            found = self.list_escalations(lead_id=lead_id, status=status, limit=limit, token=token_ or token)
            return Page(found.get("escalations") or [], found.get("nextToken"))

        return self._each(page)

    def resolve_escalation(self, escalation_id: str, body: t.ResolveBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.EscalationAnswer:
        """Resolve an escalation. In the name of `x-actor`. Repeated it changes nothing."""
        answer: t.EscalationAnswer = self._answer("POST", f"/api/v1/escalations/{segment(escalation_id)}/resolve", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def list_events(self, *, after: Optional[str] = None, since: Optional[str] = None, type: Optional[t.EventType] = None, limit: Optional[int] = None, tail: Optional[bool] = None) -> t.EventsAnswer:
        """List events. Oldest first, in the order of their commits, of the last 30 days. Poll with the last `nextToken` as `after`: an event becomes readable only when no earlier one can still appear, so nothing is missed. On an empty page keep the token you have. To begin with what happens next, ask once for `tail=true&limit=1` and go on after that event."""
        answer: t.EventsAnswer = self._answer("GET", "/api/v1/events", query={"after": after, "since": since, "type": type, "limit": limit, "tail": tail})
        return answer

    def list_events_all(self, *, after: Optional[str] = None, since: Optional[str] = None, type: Optional[t.EventType] = None, limit: Optional[int] = None, tail: Optional[bool] = None) -> Iterator[t.Event]:
        """Every entry of `list_events`, page by page."""

        def page(token_: Optional[str]) -> Page[t.Event]:
            found = self.list_events(after=token_ or after, since=since, type=type, limit=limit, tail=tail)
            return Page(found.get("events") or [], found.get("nextToken"))

        return self._each(page)

    def list_imports(self, *, limit: Optional[int] = None, token: Optional[str] = None) -> t.ImportsAnswer:
        """List imports. Newest first, of the last 30 days. Errors of those that run are only in the single import."""
        answer: t.ImportsAnswer = self._answer("GET", "/api/v1/imports", query={"limit": limit, "token": token})
        return answer

    def list_imports_all(self, *, limit: Optional[int] = None, token: Optional[str] = None) -> Iterator[t.ImportView]:
        """Every entry of `list_imports`, page by page."""

        def page(token_: Optional[str]) -> Page[t.ImportView]:
            found = self.list_imports(limit=limit, token=token_ or token)
            return Page(found.get("imports") or [], found.get("nextToken"))

        return self._each(page)

    def create_import(self, *, file: Upload, archive: Optional[Upload] = None, dry_run: Optional[bool] = None, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.ImportAnswer:
        """Import leads. A CSV file in UTF-8 whose first row names the columns: the fields of a lead as they are created, `tags` and `documents` (several are separated by `;`), and `checklist.<CODE>` for values of the checklist. `documents` names files of `archive`, a ZIP. A row with the `externalLeadId` of a lead that is there changes that lead, and an empty cell leaves its field as it is; so the same file may be sent again. A row without it is always a new lead. What is wrong with the first row is answered here; a row that is wrong is refused alone: with a cell that looks like a formula (`formula_cell`) or is too long (`too_long`), a value that is not allowed (`invalid_value`), a code that is not there (`unknown_code`), a document that is not in the archive (`file_missing`). With a test key all leads are test leads."""
        answer: t.ImportAnswer = self._answer("POST", "/api/v1/imports", form={"archive": archive, "dryRun": dry_run, "file": file}, idempotency_key=idempotency_key, actor=actor)
        return answer

    def read_import(self, import_id: str) -> t.ImportAnswer:
        """Get an import. How far an import is. `errors` has the first 1,000; the report has all."""
        answer: t.ImportAnswer = self._answer("GET", f"/api/v1/imports/{segment(import_id)}")
        return answer

    def list_inbox(self, *, limit: Optional[int] = None, token: Optional[str] = None) -> t.MessagesAnswer:
        """List messages from unknown senders. What arrived from addresses and numbers of no lead, newest first."""
        answer: t.MessagesAnswer = self._answer("GET", "/api/v1/inbox", query={"limit": limit, "token": token})
        return answer

    def list_inbox_all(self, *, limit: Optional[int] = None, token: Optional[str] = None) -> Iterator[t.Message]:
        """Every entry of `list_inbox`, page by page."""

        def page(token_: Optional[str]) -> Page[t.Message]:
            found = self.list_inbox(limit=limit, token=token_ or token)
            return Page(found.get("messages") or [], found.get("nextToken"))

        return self._each(page)

    def list_leads(self, *, ids: Optional[Sequence[str]] = None, tags: Optional[Sequence[str]] = None, exclude_tags: Optional[Sequence[str]] = None, status: Optional[Sequence[t.LeadStatus]] = None, external_lead_id: Optional[str] = None, email: Optional[str] = None, phone_number: Optional[str] = None, q: Optional[str] = None, updated_since: Optional[str] = None, mode: Optional[t.Mode] = None, limit: Optional[int] = None, token: Optional[str] = None) -> Page[t.ListedLead]:
        """List leads. A bare array, newest first. The next page is in the headers `Link` (rel=\"next\") and `X-Next-Token`. Filters are combined; counts are of visible items."""
        return self._page("GET", "/api/v1/leads", query={"ids": ids, "tags": tags, "excludeTags": exclude_tags, "status": status, "externalLeadId": external_lead_id, "email": email, "phoneNumber": phone_number, "q": q, "updatedSince": updated_since, "mode": mode, "limit": limit, "token": token})

    def list_leads_all(self, *, ids: Optional[Sequence[str]] = None, tags: Optional[Sequence[str]] = None, exclude_tags: Optional[Sequence[str]] = None, status: Optional[Sequence[t.LeadStatus]] = None, external_lead_id: Optional[str] = None, email: Optional[str] = None, phone_number: Optional[str] = None, q: Optional[str] = None, updated_since: Optional[str] = None, mode: Optional[t.Mode] = None, limit: Optional[int] = None, token: Optional[str] = None) -> Iterator[t.ListedLead]:
        """Every entry of `list_leads`, page by page."""

        def page(token_: Optional[str]) -> Page[t.ListedLead]:
            found = self.list_leads(ids=ids, tags=tags, exclude_tags=exclude_tags, status=status, external_lead_id=external_lead_id, email=email, phone_number=phone_number, q=q, updated_since=updated_since, mode=mode, limit=limit, token=token_ or token)
            return found

        return self._each(page)

    def create_lead(self, body: t.CreateLeadBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.LeadAnswer:
        """Create a lead. Needs at least one of firstName, lastName, businessName, email, phoneNumber. Puts the workspace's checklist template on the lead and makes its portal link. A test key makes test leads."""
        answer: t.LeadAnswer = self._answer("POST", "/api/v1/leads", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def update_lead(self, body: t.UpdateLeadBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.LeadAnswer:
        """Update a lead. Changes only the fields that are present, and items of the checklist by code, in one call and one commit. `null` clears a field that may be empty. Writes one API_ACTIVITY action log with everything; an entry of `checklistItems` with an unknown code is in it with `success: false` and a `reason`, and the call succeeds. COMPLETED skips required items still open, IN_PROGRESS undoes exactly that. With `If-Match` nothing is changed unless the lead still has that `ETag`. With `x-actor` values count as given by a person."""
        answer: t.LeadAnswer = self._answer("PUT", "/api/v1/leads", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def delete_lead(self, lead_id: str, *, erase: Optional[bool] = None, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.DeleteLeadResult:
        """Delete a lead. The lead is hidden everywhere; its open runs are cancelled, messages and jobs stopped, its portal link ends. Its data is erased after a time of grace, 30 days unless the workspace says otherwise, and not before the floor of its retention."""
        answer: t.DeleteLeadResult = self._answer("DELETE", f"/api/v1/leads/{segment(lead_id)}", query={"erase": erase}, idempotency_key=idempotency_key, actor=actor)
        return answer

    def read_lead(self, lead_id: str) -> t.ReadLeadAnswer:
        """Get a lead. What update answers, and all documents of the lead with fresh signed URLs. The `ETag` is the lead's version, for `If-Match` of an update."""
        answer: t.ReadLeadAnswer = self._answer("GET", f"/api/v1/leads/{segment(lead_id)}")
        return answer

    def timeline(self, lead_id: str, *, limit: Optional[int] = None, token: Optional[str] = None) -> t.TimelineAnswer:
        """Read a lead's timeline. Newest first."""
        answer: t.TimelineAnswer = self._answer("GET", f"/api/v1/leads/{segment(lead_id)}/activity", query={"limit": limit, "token": token})
        return answer

    def timeline_all(self, lead_id: str, *, limit: Optional[int] = None, token: Optional[str] = None) -> Iterator[t.ActionLog]:
        """Every entry of `timeline`, page by page."""

        def page(token_: Optional[str]) -> Page[t.ActionLog]:
            found = self.timeline(lead_id, limit=limit, token=token_ or token)
            return Page(found.get("activity") or [], found.get("nextToken"))

        return self._each(page)

    def read_checklist(self, lead_id: str, *, reveal: Optional[bool] = None) -> List[t.ChecklistGroup]:
        """Get the lead's checklist. A bare array of groups in the template's order; items made for this lead are last, in the group ADDITIONAL_ITEMS. Hidden items are there with `visible` false. An SSN is masked; `reveal=true` shows it in full, needs the scope admin and writes an audit entry."""
        answer: List[t.ChecklistGroup] = self._answer("GET", f"/api/v1/leads/{segment(lead_id)}/checklist", query={"reveal": reveal})
        return answer

    def create_lead_item(self, lead_id: str, body: t.NewItemBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.LeadItemAnswer:
        """Create a checklist item for one lead. A one-off requirement; the template and other leads are not touched. Without a code one is made from the label."""
        answer: t.LeadItemAnswer = self._answer("POST", f"/api/v1/leads/{segment(lead_id)}/checklist-items", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def delete_lead_item(self, lead_id: str, checklist_item_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> None:
        """Delete a checklist item of one lead. Documents that served it stay with the lead."""
        self._send("DELETE", f"/api/v1/leads/{segment(lead_id)}/checklist-items/{segment(checklist_item_id)}", idempotency_key=idempotency_key, actor=actor)

    def change_lead_item(self, lead_id: str, checklist_item_id: str, body: t.ItemChangeBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.LeadItemAnswer:
        """Change a checklist item of one lead. Only what is present changes. With a new config, new rules or another party what the item holds is judged again."""
        answer: t.LeadItemAnswer = self._answer("PATCH", f"/api/v1/leads/{segment(lead_id)}/checklist-items/{segment(checklist_item_id)}", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def list_debts(self, lead_id: str) -> t.DebtsAnswer:
        """List what the parties owe. Debts are those that were given by hand; nothing is made of what lenders' statements print. A business without any counts interest and current maturities of its statements in a global cash flow."""
        answer: t.DebtsAnswer = self._answer("GET", f"/api/v1/leads/{segment(lead_id)}/debts")
        return answer

    def put_debts(self, lead_id: str, body: t.DebtsBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.DebtsAnswer:
        """Say what the parties owe. Replaces all debts that were given by hand. One with the id of such a debt is that debt, changed."""
        answer: t.DebtsAnswer = self._answer("PUT", f"/api/v1/leads/{segment(lead_id)}/debts", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def list_documents(self, lead_id: str, *, limit: Optional[int] = None, token: Optional[str] = None) -> Page[t.ListedDocument]:
        """List a lead's documents. A bare array, newest first. Signed URLs expire after 1 hour. The next page is in `Link` and `X-Next-Token`."""
        return self._page("GET", f"/api/v1/leads/{segment(lead_id)}/documents", query={"limit": limit, "token": token})

    def list_documents_all(self, lead_id: str, *, limit: Optional[int] = None, token: Optional[str] = None) -> Iterator[t.ListedDocument]:
        """Every entry of `list_documents`, page by page."""

        def page(token_: Optional[str]) -> Page[t.ListedDocument]:
            found = self.list_documents(lead_id, limit=limit, token=token_ or token)
            return found

        return self._each(page)

    def erase_lead(self, lead_id: str, body: t.EraseBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.EraseLeadResult:
        """Erase a lead. The lead is gone with the answer; the rest when the erasure is COMPLETE. While a hold stands it is HELD, and the lead stays. A repeat while it is open answers the same erasure. Works for a deleted lead that is not erased yet, too. With `dryRun` nothing changes, and 200 answers `counts`: what would go."""
        answer: t.EraseLeadResult = self._answer("POST", f"/api/v1/leads/{segment(lead_id)}/erase", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def create_escalation(self, lead_id: str, body: t.EscalationBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.EscalationAnswer:
        """Escalate a lead."""
        answer: t.EscalationAnswer = self._answer("POST", f"/api/v1/leads/{segment(lead_id)}/escalations", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def list_holds(self, lead_id: str, *, limit: Optional[int] = None, token: Optional[str] = None) -> t.HoldsAnswer:
        """List the holds of a lead. Newest first, released ones too."""
        answer: t.HoldsAnswer = self._answer("GET", f"/api/v1/leads/{segment(lead_id)}/holds", query={"limit": limit, "token": token})
        return answer

    def list_holds_all(self, lead_id: str, *, limit: Optional[int] = None, token: Optional[str] = None) -> Iterator[t.Hold]:
        """Every entry of `list_holds`, page by page."""

        def page(token_: Optional[str]) -> Page[t.Hold]:
            found = self.list_holds(lead_id, limit=limit, token=token_ or token)
            return Page(found.get("holds") or [], found.get("nextToken"))

        return self._each(page)

    def create_hold(self, lead_id: str, body: t.HoldBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.HoldAnswer:
        """Put a lead on hold. Erasures of the lead that have not begun are HELD. Works for a deleted lead that is not erased yet, too."""
        answer: t.HoldAnswer = self._answer("POST", f"/api/v1/leads/{segment(lead_id)}/holds", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def release_hold(self, lead_id: str, hold_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> None:
        """Release a hold. It stays in the list. With the last one, erasures that waited go on. A repeat changes nothing."""
        self._send("DELETE", f"/api/v1/leads/{segment(lead_id)}/holds/{segment(hold_id)}", idempotency_key=idempotency_key, actor=actor)

    def list_messages(self, lead_id: str, *, limit: Optional[int] = None, token: Optional[str] = None) -> t.MessagesAnswer:
        """List a lead's messages. Newest first, both directions."""
        answer: t.MessagesAnswer = self._answer("GET", f"/api/v1/leads/{segment(lead_id)}/messages", query={"limit": limit, "token": token})
        return answer

    def list_messages_all(self, lead_id: str, *, limit: Optional[int] = None, token: Optional[str] = None) -> Iterator[t.Message]:
        """Every entry of `list_messages`, page by page."""

        def page(token_: Optional[str]) -> Page[t.Message]:
            found = self.list_messages(lead_id, limit=limit, token=token_ or token)
            return Page(found.get("messages") or [], found.get("nextToken"))

        return self._each(page)

    def create_draft(self, lead_id: str, body: t.DraftBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.MessageAnswer:
        """Draft a message. A message to a lead that is not sent. A person approves, edits or rejects it, as an agent's draft."""
        answer: t.MessageAnswer = self._answer("POST", f"/api/v1/leads/{segment(lead_id)}/messages", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def read_ownership(self, lead_id: str) -> t.OwnershipAnswer:
        """See who owns whom. What was given by hand, and of every other pair what its newest Schedule K-1 says. A K-1 that would close a circle, or make the shares of a party more than the whole, is left out."""
        answer: t.OwnershipAnswer = self._answer("GET", f"/api/v1/leads/{segment(lead_id)}/ownership")
        return answer

    def put_ownership(self, lead_id: str, body: t.OwnershipBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.OwnershipAnswer:
        """Say who owns whom. Replaces all shares that were given by hand. Those of K-1s stay beside them; one for the same pair gives way. An entry with the source k1 must say what a K-1 says, and changes nothing."""
        answer: t.OwnershipAnswer = self._answer("PUT", f"/api/v1/leads/{segment(lead_id)}/ownership", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def list_parties(self, lead_id: str) -> t.PartiesAnswer:
        """List the parties of a lead. The primary one first, then the oldest first. There are at most 100."""
        answer: t.PartiesAnswer = self._answer("GET", f"/api/v1/leads/{segment(lead_id)}/parties")
        return answer

    def create_party(self, lead_id: str, body: t.PartyBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.PartyAnswer:
        """Add a party. Documents that were read before are looked through for those of the new party."""
        answer: t.PartyAnswer = self._answer("POST", f"/api/v1/leads/{segment(lead_id)}/parties", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def delete_party(self, lead_id: str, party_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> None:
        """Delete a party. Its shares go with it, and documents of it are nobody's again."""
        self._send("DELETE", f"/api/v1/leads/{segment(lead_id)}/parties/{segment(party_id)}", idempotency_key=idempotency_key, actor=actor)

    def update_party(self, lead_id: str, party_id: str, body: t.PartyChangeBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.PartyAnswer:
        """Change a party. Only what is present changes. A name that was given to the primary party no longer follows the lead's."""
        answer: t.PartyAnswer = self._answer("PATCH", f"/api/v1/leads/{segment(lead_id)}/parties/{segment(party_id)}", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def revoke_portal_link(self, lead_id: str, *, party_id: Optional[str] = None, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> None:
        """End the portal link. The page is closed at once. `POST` here makes another link, and so does the next message to the lead for its own page."""
        self._send("DELETE", f"/api/v1/leads/{segment(lead_id)}/portal-link", query={"partyId": party_id}, idempotency_key=idempotency_key, actor=actor)

    def renew_portal_link(self, lead_id: str, body: t.PortalLinkBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.PortalLinkAnswer:
        """Get or renew the portal link. An unexpired link is answered again; `rotate` ends it and makes another. With `partyId` it is the page of that party, which has the party's own items only; the lead's own page has those that name nobody or the primary party. Links of the other pages stay as they are."""
        answer: t.PortalLinkAnswer = self._answer("POST", f"/api/v1/leads/{segment(lead_id)}/portal-link", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def read_me(self) -> t.MeAnswer:
        """Who calls. A person with its session and roles, or an API key; the other is null."""
        answer: t.MeAnswer = self._answer("GET", "/api/v1/me")
        return answer

    def approve_message(self, message_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.MessageAnswer:
        """Approve a draft. It is sent at once, or at the end of the lead's quiet hours. Approved with a test key it is cancelled when its time comes."""
        answer: t.MessageAnswer = self._answer("POST", f"/api/v1/messages/{segment(message_id)}/approve", idempotency_key=idempotency_key, actor=actor)
        return answer

    def edit_message(self, message_id: str, body: t.EditBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.MessageAnswer:
        """Edit a draft. It stays a draft. Counted as an intervention."""
        answer: t.MessageAnswer = self._answer("POST", f"/api/v1/messages/{segment(message_id)}/edit", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def reject_message(self, message_id: str, body: t.RejectBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.MessageAnswer:
        """Reject a draft. It is not sent; the agent asks again at its next follow-up. Counted as an intervention."""
        answer: t.MessageAnswer = self._answer("POST", f"/api/v1/messages/{segment(message_id)}/reject", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def list_people(self) -> t.PeopleAnswer:
        """List people. Who has a role in the workspace, by address, the highest role of each: by the workspace's file, by `dossier people add`, or by a group at the last sign-in. For admins; not for test keys."""
        answer: t.PeopleAnswer = self._answer("GET", "/api/v1/people")
        return answer

    def list_requests(self, *, limit: Optional[int] = None, token: Optional[str] = None, status: Optional[str] = None, route: Optional[str] = None, key_id: Optional[str] = None, since: Optional[str] = None) -> t.RequestsAnswer:
        """List requests. Newest first, of the last seven days, and without bodies. A call is here within five seconds. Calls without a valid key, and those of leads' pages and of providers of messages, are not. With a test key, the calls of test keys."""
        answer: t.RequestsAnswer = self._answer("GET", "/api/v1/requests", query={"limit": limit, "token": token, "status": status, "route": route, "keyId": key_id, "since": since})
        return answer

    def list_requests_all(self, *, limit: Optional[int] = None, token: Optional[str] = None, status: Optional[str] = None, route: Optional[str] = None, key_id: Optional[str] = None, since: Optional[str] = None) -> Iterator[t.LoggedRequest]:
        """Every entry of `list_requests`, page by page."""

        def page(token_: Optional[str]) -> Page[t.LoggedRequest]:
            found = self.list_requests(limit=limit, token=token_ or token, status=status, route=route, key_id=key_id, since=since)
            return Page(found.get("requests") or [], found.get("nextToken"))

        return self._each(page)

    def list_reviews(self, *, state: Optional[t.ReviewState] = None, code: Optional[Sequence[t.ReviewCode]] = None, assignee: Optional[str] = None, lead_id: Optional[str] = None, q: Optional[str] = None, sort: Optional[t.ReviewSort] = None, mode: Optional[t.Mode] = None, limit: Optional[int] = None, token: Optional[str] = None) -> t.ReviewsAnswer:
        """List reviews. Open ones, what is due first, unless asked otherwise. `counts` are about all open reviews, whatever the list keeps; `mine` are those assigned to the caller or a group of its, or claimed by it."""
        answer: t.ReviewsAnswer = self._answer("GET", "/api/v1/reviews", query={"state": state, "code": code, "assignee": assignee, "leadId": lead_id, "q": q, "sort": sort, "mode": mode, "limit": limit, "token": token})
        return answer

    def list_reviews_all(self, *, state: Optional[t.ReviewState] = None, code: Optional[Sequence[t.ReviewCode]] = None, assignee: Optional[str] = None, lead_id: Optional[str] = None, q: Optional[str] = None, sort: Optional[t.ReviewSort] = None, mode: Optional[t.Mode] = None, limit: Optional[int] = None, token: Optional[str] = None) -> Iterator[t.Review]:
        """Every entry of `list_reviews`, page by page."""

        def page(token_: Optional[str]) -> Page[t.Review]:
            found = self.list_reviews(state=state, code=code, assignee=assignee, lead_id=lead_id, q=q, sort=sort, mode=mode, limit=limit, token=token_ or token)
            return Page(found.get("reviews") or [], found.get("nextToken"))

        return self._each(page)

    def next_review(self, body: t.NextReviewBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.ReviewAnswer:
        """Claim the next review. The most urgent one by priority, dueAt and createdAt that nobody has claimed and that is not assigned to somebody else. Never the same to two callers. 204 when there is none."""
        answer: t.ReviewAnswer = self._answer("POST", "/api/v1/reviews/next", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def review_quality(self, *, since: Optional[str] = None, until: Optional[str] = None, mode: Optional[t.Mode] = None) -> t.QualityAnswer:
        """Read how often readings are right. By docType and field: of the facts that somebody looked at who decided a `qa_sample` with accept or correct, and of those corrected outside of samples. A fact that a person corrected to another value is wrong. `interval` is that of Wilson, in which `share` lies with 95 % of confidence."""
        answer: t.QualityAnswer = self._answer("GET", "/api/v1/reviews/quality", query={"since": since, "until": until, "mode": mode})
        return answer

    def read_review(self, review_id: str) -> t.ReviewAnswer:
        """Read a review."""
        answer: t.ReviewAnswer = self._answer("GET", f"/api/v1/reviews/{segment(review_id)}")
        return answer

    def assign_review(self, review_id: str, body: t.AssignBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.ReviewAnswer:
        """Assign a review."""
        answer: t.ReviewAnswer = self._answer("POST", f"/api/v1/reviews/{segment(review_id)}/assign", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def claim_review(self, review_id: str, body: t.ClaimBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.ReviewAnswer:
        """Claim a review. For two minutes. One's own claim is extended. `takeOver` takes it from somebody else; the note goes to the lead's timeline."""
        answer: t.ReviewAnswer = self._answer("POST", f"/api/v1/reviews/{segment(review_id)}/claim", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def decide_review(self, review_id: str, body: t.DecideBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.ReviewAnswer:
        """Decide a review. Needs the claim, and the `version` that was read. `reject` needs a `reasonCode` of `review.reasonCodes`. In one commit it does what the subject's own operation does: | code | decisions | |---|---| | item_needs_review, rule_not_understood | accept: the documents that left it open are good, or the item is COMPLETED; reject: they are not, INVALID; correct, dismiss | | fact_doubted, correction_conflict | accept: the fact, or the person's correction, stands; correct, dismiss | | tampering | accept: it is genuine; reject: the document is good for no item; dismiss | | document_unread | reject: the document is good for no item; dismiss | | spread_approval, spread_variance | accept: approve the spread; reject: return it; dismiss. A variance of a spread that is not submitted is only closed. Of people it takes an approver | | draft_message | accept: approve; reject | | escalation | accept: resolve; dismiss | | qa_sample | accept, correct, dismiss | | second_opinion | accept, reject | `correct` carries no values: put the correction before, then decide. `dismiss` changes nothing else."""
        answer: t.ReviewAnswer = self._answer("POST", f"/api/v1/reviews/{segment(review_id)}/decide", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def release_review(self, review_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.ReviewAnswer:
        """Give a claim back. Without a claim it changes nothing."""
        answer: t.ReviewAnswer = self._answer("POST", f"/api/v1/reviews/{segment(review_id)}/release", idempotency_key=idempotency_key, actor=actor)
        return answer

    def renew_review(self, review_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.ReviewAnswer:
        """Renew a claim."""
        answer: t.ReviewAnswer = self._answer("POST", f"/api/v1/reviews/{segment(review_id)}/renew", idempotency_key=idempotency_key, actor=actor)
        return answer

    def list_sessions(self, *, limit: Optional[int] = None, token: Optional[str] = None) -> t.SessionsAnswer:
        """List sessions. Those of the workspace's people that have not ended, newest first."""
        answer: t.SessionsAnswer = self._answer("GET", "/api/v1/sessions", query={"limit": limit, "token": token})
        return answer

    def list_sessions_all(self, *, limit: Optional[int] = None, token: Optional[str] = None) -> Iterator[t.ListedSession]:
        """Every entry of `list_sessions`, page by page."""

        def page(token_: Optional[str]) -> Page[t.ListedSession]:
            found = self.list_sessions(limit=limit, token=token_ or token)
            return Page(found.get("sessions") or [], found.get("nextToken"))

        return self._each(page)

    def revoke_session(self, session_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.Success:
        """End a session. One's own, or as an admin any of the workspace's people. A repeat changes nothing. Writes an audit entry."""
        answer: t.Success = self._answer("POST", f"/api/v1/sessions/{segment(session_id)}/revoke", idempotency_key=idempotency_key, actor=actor)
        return answer

    def list_spreads(self, *, lead_id: str, limit: Optional[int] = None, token: Optional[str] = None) -> t.SpreadsAnswer:
        """List a lead's spreads. Newest first."""
        answer: t.SpreadsAnswer = self._answer("GET", "/api/v1/spreads", query={"leadId": lead_id, "limit": limit, "token": token})
        return answer

    def list_spreads_all(self, *, lead_id: str, limit: Optional[int] = None, token: Optional[str] = None) -> Iterator[t.Spread]:
        """Every entry of `list_spreads`, page by page."""

        def page(token_: Optional[str]) -> Page[t.Spread]:
            found = self.list_spreads(lead_id=lead_id, limit=limit, token=token_ or token)
            return Page(found.get("spreads") or [], found.get("nextToken"))

        return self._each(page)

    def create_spread(self, body: t.CreateSpreadBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.SpreadAnswer:
        """Start a spread. Takes the named documents, or all of the lead that hold a financial statement or a business tax return. Named documents that are still being read are awaited. The currency also decides on the paper of the report and the workbook, which is Letter for US and Canadian dollars and the money of other countries that use it, else A4. With partyId it is the spread of one party; without, on a lead of several parties, that of the primary one and of what is nobody's. With scope global it is the cash flow of all parties; it takes the newest finished spread of each business, starts those that are missing, and counts what owners get as K-1s say (distributions k1) or as their share of the cash available (entity). A repeat without Idempotency-Key starts another."""
        answer: t.SpreadAnswer = self._answer("POST", "/api/v1/spreads", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def read_spread(self, spread_id: str) -> t.SpreadAnswer:
        """Get a spread."""
        answer: t.SpreadAnswer = self._answer("GET", f"/api/v1/spreads/{segment(spread_id)}")
        return answer

    def list_adjustments(self, spread_id: str) -> t.AdjustmentsAnswer:
        """List the adjustments of a spread."""
        answer: t.AdjustmentsAnswer = self._answer("GET", f"/api/v1/spreads/{segment(spread_id)}/adjustments")
        return answer

    def put_adjustments(self, spread_id: str, body: t.AdjustmentsBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.AdjustedAnswer:
        """Adjust figures of a spread. Puts this list in the place of the adjustments the spread has, and re-consolidates it; an empty list removes them all. An adjustment gives a line of one period another value, or with moveTo reclassifies value (all of it when value is null) to another line of the statement. Lines only: totals, annualized columns and ratios follow. In the results an adjusted figure carries `adjusted` with the machine's figure; every regeneration applies the adjustments again."""
        answer: t.AdjustedAnswer = self._answer("PUT", f"/api/v1/spreads/{segment(spread_id)}/adjustments", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def approve_spread(self, spread_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.SpreadAnswer:
        """Approve the figures of a spread. Under four eyes (`review.fourEyes` holds spread_approval) another person than who submitted it must, by a session: API keys cannot. Approved already it changes nothing."""
        answer: t.SpreadAnswer = self._answer("POST", f"/api/v1/spreads/{segment(spread_id)}/approve", idempotency_key=idempotency_key, actor=actor)
        return answer

    def list_captions(self, spread_id: str) -> t.CaptionsAnswer:
        """List the caption mappings of a spread's lead."""
        answer: t.CaptionsAnswer = self._answer("GET", f"/api/v1/spreads/{segment(spread_id)}/caption-mappings")
        return answer

    def put_captions(self, spread_id: str, body: t.CaptionsBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.MappedAnswer:
        """Choose rows for captions. Puts this list in the place of the mappings the lead has and re-consolidates the spread. A caption that the template does not name, see `unmapped` in the results, goes to the row chosen here, in every later spread of the lead, too."""
        answer: t.MappedAnswer = self._answer("PUT", f"/api/v1/spreads/{segment(spread_id)}/caption-mappings", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def regenerate_spread(self, spread_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.SpreadAnswer:
        """Regenerate a spread. Re-consolidates a finished spread from already-extracted data. Results and artifacts stay until the new ones replace them, which happens at once."""
        answer: t.SpreadAnswer = self._answer("POST", f"/api/v1/spreads/{segment(spread_id)}/regenerate", idempotency_key=idempotency_key, actor=actor)
        return answer

    def spread_results(self, spread_id: str, *, include: Optional[Sequence[str]] = None) -> t.ResultsAnswer:
        """Get the results of a spread. Only rows that have figures appear. A period's `integrity` is `reconciled` when every printed total equals its calculation within rounding, `variance` when one does not, `incomplete` when printed lines are in no figure. A calculated row has `reliable` false when no printed total confirms what it rests on; `reported` is the printed total beside a `value` that is another, be it by rounding; a ratio on such figures has no value and a `reason`. While a spread is regenerated these are its previous results. A global spread has a row list for each year instead of statements."""
        answer: t.ResultsAnswer = self._answer("GET", f"/api/v1/spreads/{segment(spread_id)}/results", query={"include": include})
        return answer

    def return_spread(self, spread_id: str, body: t.ReturnBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.SpreadAnswer:
        """Return a spread."""
        answer: t.SpreadAnswer = self._answer("POST", f"/api/v1/spreads/{segment(spread_id)}/return", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def submit_spread(self, spread_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.SpreadAnswer:
        """Submit a spread for approval. Submitted or approved already it changes nothing."""
        answer: t.SpreadAnswer = self._answer("POST", f"/api/v1/spreads/{segment(spread_id)}/submit", idempotency_key=idempotency_key, actor=actor)
        return answer

    def advance_clock(self, body: t.ClockBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.ClockAnswer:
        """Put a lead's clock forward. A test lead's own time moves on, and what is due by then happens in its order and at its times: reminders, follow-ups, the end of quiet hours, of a link to the lead's page, of the grace of a deletion. The answer comes when all is done, or after 25 seconds with what has happened so far; call again then. What the lead, or you about the lead, do afterwards happens at its time."""
        answer: t.ClockAnswer = self._answer("POST", "/api/v1/test/clock", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def list_specimens(self) -> t.SpecimensAnswer:
        """List specimens. Files whose verdict is known before they are sent."""
        answer: t.SpecimensAnswer = self._answer("GET", "/api/v1/test/specimens")
        return answer

    def read_specimen(self, kind: str) -> Download:
        """Get a specimen. The file itself, with dates that fit today."""
        return self._download("GET", f"/api/v1/test/specimens/{segment(kind)}")

    def list_webhooks(self, *, limit: Optional[int] = None, token: Optional[str] = None) -> t.WebhooksAnswer:
        """List endpoints. Newest first."""
        answer: t.WebhooksAnswer = self._answer("GET", "/api/v1/webhooks", query={"limit": limit, "token": token})
        return answer

    def list_webhooks_all(self, *, limit: Optional[int] = None, token: Optional[str] = None) -> Iterator[t.Webhook]:
        """Every entry of `list_webhooks`, page by page."""

        def page(token_: Optional[str]) -> Page[t.Webhook]:
            found = self.list_webhooks(limit=limit, token=token_ or token)
            return Page(found.get("webhooks") or [], found.get("nextToken"))

        return self._each(page)

    def list_deliveries(self, *, webhook_id: Optional[str] = None, event_id: Optional[str] = None, status: Optional[t.DeliveryStatus] = None, type: Optional[t.EventType] = None, since: Optional[str] = None, limit: Optional[int] = None, token: Optional[str] = None) -> t.DeliveriesAnswer:
        """List deliveries of all endpoints. Newest first. With `eventId`, an event's way to every endpoint."""
        answer: t.DeliveriesAnswer = self._answer("GET", "/api/v1/webhooks/deliveries", query={"webhookId": webhook_id, "eventId": event_id, "status": status, "type": type, "since": since, "limit": limit, "token": token})
        return answer

    def list_deliveries_all(self, *, webhook_id: Optional[str] = None, event_id: Optional[str] = None, status: Optional[t.DeliveryStatus] = None, type: Optional[t.EventType] = None, since: Optional[str] = None, limit: Optional[int] = None, token: Optional[str] = None) -> Iterator[t.Delivery]:
        """Every entry of `list_deliveries`, page by page."""

        def page(token_: Optional[str]) -> Page[t.Delivery]:
            found = self.list_deliveries(webhook_id=webhook_id, event_id=event_id, status=status, type=type, since=since, limit=limit, token=token_ or token)
            return Page(found.get("deliveries") or [], found.get("nextToken"))

        return self._each(page)

    def read_delivery(self, delivery_id: str) -> t.DeliveryDetailAnswer:
        """Read a delivery with its attempts."""
        answer: t.DeliveryDetailAnswer = self._answer("GET", f"/api/v1/webhooks/deliveries/{segment(delivery_id)}")
        return answer

    def redeliver(self, delivery_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.DeliveryAnswer:
        """Send a delivery again. Due at once, whatever became of it, with its whole schedule before it and the same `webhook-id`."""
        answer: t.DeliveryAnswer = self._answer("POST", f"/api/v1/webhooks/deliveries/{segment(delivery_id)}/redeliver", idempotency_key=idempotency_key, actor=actor)
        return answer

    def delete_webhook(self, webhook_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> None:
        """Delete an endpoint. Deliveries that wait for it end as CANCELLED."""
        self._send("DELETE", f"/api/v1/webhooks/{segment(webhook_id)}", idempotency_key=idempotency_key, actor=actor)

    def read_webhook(self, webhook_id: str) -> t.WebhookAnswer:
        """Read an endpoint."""
        answer: t.WebhookAnswer = self._answer("GET", f"/api/v1/webhooks/{segment(webhook_id)}")
        return answer

    def list_webhook_deliveries(self, webhook_id: str, *, status: Optional[t.DeliveryStatus] = None, type: Optional[t.EventType] = None, since: Optional[str] = None, limit: Optional[int] = None, token: Optional[str] = None) -> t.DeliveriesAnswer:
        """List an endpoint's deliveries. Newest first."""
        answer: t.DeliveriesAnswer = self._answer("GET", f"/api/v1/webhooks/{segment(webhook_id)}/deliveries", query={"status": status, "type": type, "since": since, "limit": limit, "token": token})
        return answer

    def list_webhook_deliveries_all(self, webhook_id: str, *, status: Optional[t.DeliveryStatus] = None, type: Optional[t.EventType] = None, since: Optional[str] = None, limit: Optional[int] = None, token: Optional[str] = None) -> Iterator[t.Delivery]:
        """Every entry of `list_webhook_deliveries`, page by page."""

        def page(token_: Optional[str]) -> Page[t.Delivery]:
            found = self.list_webhook_deliveries(webhook_id, status=status, type=type, since=since, limit=limit, token=token_ or token)
            return Page(found.get("deliveries") or [], found.get("nextToken"))

        return self._each(page)

    def replay_webhook(self, webhook_id: str, body: t.ReplayBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.ReplayAnswer:
        """Send deliveries of a span again. Makes the deliveries that were created from `since` to `until` and ended as `status` due again, oldest first, with the same `webhook-id`. At most 100,000; the result says when more matched."""
        answer: t.ReplayAnswer = self._answer("POST", f"/api/v1/webhooks/{segment(webhook_id)}/replay", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def poll_replay(self, webhook_id: str, replay_id: str) -> t.ReplayPoll:
        """How far a replay is."""
        answer: t.ReplayPoll = self._answer("GET", f"/api/v1/webhooks/{segment(webhook_id)}/replays/{segment(replay_id)}")
        return answer

    def rotate_secret(self, webhook_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.RotateSecretAnswer:
        """Exchange the signing secret. The old secret signs beside the new one for 24 hours, so a receiver can change over without a gap."""
        answer: t.RotateSecretAnswer = self._answer("POST", f"/api/v1/webhooks/{segment(webhook_id)}/rotate-secret", idempotency_key=idempotency_key, actor=actor)
        return answer

    def test_webhook(self, webhook_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.TestWebhookAnswer:
        """Send a test event. A `webhook.test` event goes to this endpoint and to no other. Its delivery is found by `eventId` among the deliveries."""
        answer: t.TestWebhookAnswer = self._answer("POST", f"/api/v1/webhooks/{segment(webhook_id)}/test", idempotency_key=idempotency_key, actor=actor)
        return answer

    def list_runs(self, *, lead_id: str) -> t.RunsAnswer:
        """List the runs on a lead. The lead's full history, newest first, not paged."""
        answer: t.RunsAnswer = self._answer("GET", "/api/v1/workflow-runs", query={"leadId": lead_id})
        return answer

    def create_run(self, body: t.RunBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.RunAnswer:
        """Create a workflow run. The run is ACTIVE; depending on the type of its workflow the agent begins to write to the lead."""
        answer: t.RunAnswer = self._answer("POST", "/api/v1/workflow-runs", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def read_run(self, workflow_run_id: str) -> t.RunAnswer:
        """Get a workflow run."""
        answer: t.RunAnswer = self._answer("GET", f"/api/v1/workflow-runs/{segment(workflow_run_id)}")
        return answer

    def cancel_run(self, workflow_run_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.RunAnswer:
        """Cancel a workflow run. The agent stops and queued messages are cancelled. A cancelled run stays as it is."""
        answer: t.RunAnswer = self._answer("POST", f"/api/v1/workflow-runs/{segment(workflow_run_id)}/cancel", idempotency_key=idempotency_key, actor=actor)
        return answer

    def complete_run(self, workflow_run_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.RunAnswer:
        """Complete a workflow run. Where its workflow permits that by hand. Emits workflow_run.completed, then lead.completed when the workflow completes the lead. A completed run stays as it is."""
        answer: t.RunAnswer = self._answer("POST", f"/api/v1/workflow-runs/{segment(workflow_run_id)}/complete", idempotency_key=idempotency_key, actor=actor)
        return answer

    def pause_run(self, workflow_run_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.RunAnswer:
        """Pause a workflow run. Outreach stops and queued messages are cancelled; replies of the lead are still answered. A paused run stays as it is."""
        answer: t.RunAnswer = self._answer("POST", f"/api/v1/workflow-runs/{segment(workflow_run_id)}/pause", idempotency_key=idempotency_key, actor=actor)
        return answer

    def resume_run(self, workflow_run_id: str, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.RunAnswer:
        """Resume a workflow run. The agent looks at the lead anew; what was queued before the pause is not sent. An active run stays as it is."""
        answer: t.RunAnswer = self._answer("POST", f"/api/v1/workflow-runs/{segment(workflow_run_id)}/resume", idempotency_key=idempotency_key, actor=actor)
        return answer

    def list_workflows(self) -> t.WorkflowsAnswer:
        """List workflows. Oldest first. Those taken out of the configuration are not listed; their open runs go on."""
        answer: t.WorkflowsAnswer = self._answer("GET", "/api/v1/workflows")
        return answer

    def read_workspace(self) -> t.WorkspaceAnswer:
        """Read the workspace. As applied, with its file, as `dossier export` prints it. Applying the file changes nothing. For admins; not for test keys."""
        answer: t.WorkspaceAnswer = self._answer("GET", "/api/v1/workspace")
        return answer

    def list_pipelines(self) -> t.PipelinesAnswer:
        """List pipelines. Built-in ones and the workspace's chains, each with JSON Schemas of parameters and result."""
        answer: t.PipelinesAnswer = self._answer("GET", "/pipelines")
        return answer

    def cancel_pipeline(self, pipeline_id: str, *, job_id: str, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.PipelineRun:
        """Cancel a pipeline run."""
        answer: t.PipelineRun = self._answer("DELETE", f"/pipelines/run/{segment(pipeline_id)}", query={"jobId": job_id}, idempotency_key=idempotency_key, actor=actor)
        return answer

    def poll_pipeline(self, pipeline_id: str, *, job_id: str, wait: Optional[int] = None) -> t.PipelineRun:
        """Poll a pipeline result."""
        answer: t.PipelineRun = self._answer("GET", f"/pipelines/run/{segment(pipeline_id)}", query={"jobId": job_id, "wait": wait})
        return answer

    def start_pipeline(self, pipeline_id: str, body: t.PipelineBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.StartPipelineAnswer:
        """Start a pipeline run. Which parameters are wanted depends on the pipeline; `GET /pipelines` has their schemas. With `webhookId` the outcome is also sent to that registration."""
        answer: t.StartPipelineAnswer = self._answer("POST", f"/pipelines/run/{segment(pipeline_id)}", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer

    def save_webhook(self, body: t.WebhookBody, *, idempotency_key: Optional[str] = None, actor: Optional[str] = None) -> t.SaveWebhookAnswer:
        """Register an endpoint, or change one. Without `id` a registration is made and `url` is required. With `id` only what is sent is changed: without `headers` they stay, `[]` clears them. Header values are never shown again."""
        answer: t.SaveWebhookAnswer = self._answer("POST", "/save-webhook", body=body, idempotency_key=idempotency_key, actor=actor)
        return answer
