-- An entry of a checklist is written by whoever holds its lead, or has just made it, and goes before its lead and before
-- an item of its own. The two references were checked for each of the ten entries of a new lead, which cost more than
-- the rows, and all who made leads at once left their locks on the same items. Entries are changed one at a time: with
-- some room on its page a changed one stays on it, and the indexes as they are.

-- +goose Up
ALTER TABLE checklist_entries
  DROP CONSTRAINT IF EXISTS checklist_entries_workspace_id_lead_id_fkey,
  DROP CONSTRAINT IF EXISTS checklist_entries_workspace_id_item_id_fkey;
ALTER TABLE checklist_entries SET (fillfactor = 90);

-- +goose Down
ALTER TABLE checklist_entries RESET (fillfactor);
ALTER TABLE checklist_entries
  ADD FOREIGN KEY (workspace_id, lead_id) REFERENCES leads (workspace_id, id) ON DELETE CASCADE,
  ADD FOREIGN KEY (workspace_id, item_id) REFERENCES checklist_items (workspace_id, id);
