-- What api.md says analytics are, counted from the raw tables without anything of ours: one JSON object a lead, as in
-- breakdown, in its order. The conditions are those of the test's template, written out by hand. $1 is the workspace.
WITH ts AS (
  SELECT 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text AS f
), lead AS (
  SELECT l.* FROM leads l WHERE l.workspace_id = $1 AND l.deleted_at IS NULL AND l.is_test = false
), answers AS (
  SELECT l.id AS lead_id,
         max(e.value #>> '{}') FILTER (WHERE e.code = 'ENTITY_TYPE') AS entity,
         bool_or(e.value IS NOT NULL AND e.value <> 'null') FILTER (WHERE e.code = 'EIN') AS has_ein
    FROM lead l LEFT JOIN checklist_entries e ON e.workspace_id = $1 AND e.lead_id = l.id
   GROUP BY l.id
), entry AS (
  SELECT e.lead_id, e.code, e.status, e.value, e.source, e.updated_at, i.lead_id IS NOT NULL AS own, i.position, g.position AS group_position,
         coalesce(upper(replace(g.key, ' ', '_')) || '.', '') || e.code AS name,
         i.is_required AND CASE e.code
           WHEN 'EIN' THEN coalesce(a.entity = 'LLC', false)
           WHEN 'OWNER_ID' THEN coalesce(a.entity <> 'SOLE', true)
           WHEN 'OWNER_NAME' THEN coalesce(a.entity = 'LLC', false) AND coalesce(a.has_ein, false)
           ELSE true END AS required
    FROM checklist_entries e
    JOIN checklist_items i ON i.id = e.item_id
    LEFT JOIN checklist_groups g ON g.id = i.group_id
    JOIN answers a ON a.lead_id = e.lead_id
   WHERE e.workspace_id = $1
), items AS (
  SELECT lead_id,
         jsonb_agg(jsonb_build_object('code', name, 'required', required, 'status', status, 'value', value, 'source', source,
           'updatedAt', to_char(updated_at AT TIME ZONE 'UTC', f)) ORDER BY group_position NULLS LAST, own, position) AS list,
         count(*) FILTER (WHERE required) AS required,
         count(*) FILTER (WHERE required AND status = 'COMPLETED') AS completed,
         count(*) FILTER (WHERE required AND status = 'COMPLETED' AND source = 'agent') AS agent,
         count(*) FILTER (WHERE required AND status = 'COMPLETED' AND source = 'imported') AS imported,
         count(*) FILTER (WHERE required AND status = 'COMPLETED' AND source = 'manual') AS manual,
         count(*) FILTER (WHERE required AND status = 'COMPLETED' AND source = 'portal') AS portal
    FROM entry, ts GROUP BY lead_id
), message AS (
  SELECT lead_id, channel, direction = 'INBOUND' AS inbound, CASE WHEN direction = 'INBOUND' THEN created_at ELSE sent_at END AS at
    FROM messages
   WHERE workspace_id = $1 AND (direction, status) IN (('INBOUND', 'RECEIVED'), ('OUTBOUND', 'SENT'), ('OUTBOUND', 'DELIVERED'))
), counted AS (
  SELECT l.id AS lead_id, c.channel,
         count(*) FILTER (WHERE m.inbound) AS i, count(*) FILTER (WHERE NOT m.inbound) AS o,
         min(m.at) FILTER (WHERE m.inbound) AS fi, min(m.at) FILTER (WHERE NOT m.inbound) AS fo,
         max(m.at) FILTER (WHERE m.inbound) AS li, max(m.at) FILTER (WHERE NOT m.inbound) AS lo
    FROM lead l CROSS JOIN (VALUES ('sms'), ('email'), ('whatsapp'), (NULL)) c(channel)
    LEFT JOIN message m ON m.lead_id = l.id AND (c.channel IS NULL OR m.channel = c.channel)
   GROUP BY l.id, c.channel
), said AS (
  SELECT lead_id, channel, i, o, jsonb_build_object('firstInboundAt', to_char(fi AT TIME ZONE 'UTC', f), 'firstOutboundAt', to_char(fo AT TIME ZONE 'UTC', f),
           'lastInboundAt', to_char(li AT TIME ZONE 'UTC', f), 'lastOutboundAt', to_char(lo AT TIME ZONE 'UTC', f)) AS times
    FROM counted, ts
), channels AS (
  SELECT lead_id, jsonb_object_agg(channel, times || jsonb_build_object('inbound', i, 'outbound', o)) AS list FROM said WHERE channel IS NOT NULL GROUP BY lead_id
), people AS (
  SELECT l.id AS lead_id, jsonb_object_agg(k.kind, (SELECT count(*) FROM interventions v WHERE v.workspace_id = $1 AND v.lead_id = l.id AND v.kind = k.kind)) AS list
    FROM lead l CROSS JOIN (VALUES ('documentOverrides'), ('escalations'), ('manualUpdates'), ('messageEdits'), ('messageRejects')) k(kind) GROUP BY l.id
)
SELECT coalesce(jsonb_agg(said.times || jsonb_build_object(
         'leadId', l.id, 'firstName', l.first_name, 'lastName', l.last_name, 'email', l.email, 'phoneNumber', l.phone_number,
         'createdAt', to_char(l.created_at AT TIME ZONE 'UTC', f), 'completedAt', to_char(l.completed_at AT TIME ZONE 'UTC', f),
         'notInterestedAt', to_char(l.not_interested_at AT TIME ZONE 'UTC', f), 'optedOutAt', to_char(l.opt_out_at AT TIME ZONE 'UTC', f),
         'totalMessages', said.i + said.o, 'inboundMessages', said.i, 'outboundMessages', said.o,
         'channels', channels.list, 'interventions', people.list, 'checklistItems', coalesce(items.list, '[]'),
         'completion', jsonb_build_object('totalRequired', coalesce(items.required, 0), 'totalCompleted', coalesce(items.completed, 0), 'bySource',
           jsonb_build_object('agent', coalesce(items.agent, 0), 'imported', coalesce(items.imported, 0), 'manual', coalesce(items.manual, 0), 'portal', coalesce(items.portal, 0)))
       ) ORDER BY l.created_at, l.id), '[]')::text
  FROM ts CROSS JOIN lead l
  JOIN said ON said.lead_id = l.id AND said.channel IS NULL
  JOIN channels ON channels.lead_id = l.id
  JOIN people ON people.lead_id = l.id
  LEFT JOIN items ON items.lead_id = l.id
