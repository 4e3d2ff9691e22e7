package main

import "github.com/alecthomas/kong"

// helpTexts are the help of arguments and flags that is longer than a line, by the name under which a tag cites it.
var helpTexts = kong.Vars{
	"backup_noobjects": "List the objects and leave their bytes where they are: for buckets that keep versions, or " +
		"are copied elsewhere.",
	"backup_note": "Make none, but note that your own tools made one: BackupStale and doctor go by it.",
	"backup_base": "Copy the files of the whole PostgreSQL server instead of the database: with the WAL that it " +
		"archives, restore --to puts back any later moment.",
	"sizing_costs": "What dossier bench cost printed on a machine like yours. Default: the measurement of " +
		"docs/sizing.md.",
	"sizing_busy": "The busiest hour of a month, in mean hours.",
	"restore_to":  "Moment to put a base backup back to, RFC 3339 with the zone; or latest: all that was archived.",
	"restore_data": "With --to: data directory of the server to be, empty or not there. As root, one that belongs to " +
		"the server's user.",
	"restore_command": "With --to: PostgreSQL's restore_command, which copies the archived file %f to %p.",
	"restore_erased": "What was erased since: the erasures log. It is erased again; what is long gone does no harm. " +
		"May be given several times.",
	"restore_nothing":  "Nothing was erased since the backup.",
	"restore_finish":   "Your own tools put the database back to a moment: begin the feed anew, and erase again.",
	"restore_drill":    "Restore into a database beside the real one, compare, and drop it; buckets are left alone.",
	"main_restore":     "Put a backup back, or try it: every row and file is compared.",
	"main_corrections": "Write what people corrected as cases for score.",
	"main_specimen":    "Make a file whose verdict is known; list names the kinds.",
	"main_listen":      "Send the workspace's events to an address of your own.",
	"main_mcp":         "Offer a workspace to agents, as MCP tools on stdin and stdout.",
	"erasures_log":     "Print what was erased of all workspaces, one line of JSON each: restore reads it.",
	"main_support": "Write what helps others to see what is wrong: versions, findings and counts, " +
		"nothing personal.",
	"analytics_verify": "Count everything again from the raw tables and print what analytics have otherwise.",
	"bench_of":         "Directory of files to read (documents), or how many leads (seed, analytics, csv, import).",
	"bench_n":          "How many jobs or samples; each measurement has its own default.",
	"bench_rate": "Events offered a second (webhooks); 0: as many as can be committed, or the measurement's " +
		"own.",
	"bench_leads": "Leads in the database (api-read, api-write): measures operations by name, at rates, among " +
		"other tenants' data.",
	"bench_tenants": "Workspaces that share these leads; the measured one has a tenth (api-read, api-write).",
	"bench_onlydir": "Only the files of the directory, none that are made for the measurement (documents).",
	"bench_keep": "Directory of a private server that is kept: what one call fills, others measure (seed, " +
		"analytics, csv).",
	"bench_way": "Only the ways whose names hold a word (two-tenants).",
	"bench_onserver": "Use the PostgreSQL server of DATABASE_URL, in a database that is dropped afterwards; " +
		"default is a private server.",
	"console_open": "Print a link that signs a person in once, within ten minutes. Writes an audit entry.",
	"console_role": "viewer, reviewer, approver or admin, for this session only. Default: the role that the " +
		"person has.",
	"people_add": "Give a person a role, beside what the workspace's file gives; who was disabled is let " +
		"in again.",
	"people_disable":      "Shut a person out at once, with all sessions.",
	"deliveries_timeline": "What became of one event, at every endpoint and in every try, in the order of time.",
	"doctor_fix": "Also repair: migrate, make the bucket, relay staged jobs, restart stuck ones, delete " +
		"orphaned objects and uploads.",
	"keys_scopes": "What it may do; write includes read, admin both. Default: read,write.",
	"lanes_share": "Say how much of a shared lane a workspace may have at once; without a workspace, each.",
	"lanes_weight": "1 to 100: a workspace of weight 2 gets twice the slots of one of weight 1 when both have " +
		"work. With --workspace.",
	"leads_list": "List what a lead and its agents wrote, oldest first; without a lead, what unknown senders " +
		"wrote.",
	"import_file": "The table; its first row names the columns: fields of a lead, tags, documents, " +
		"checklist.<CODE>.",
	"listen_events": "Only events of these types; lead.* stands for all of a kind. Default: all.",
	"listen_secret": "Sign with this secret. Default: one that belongs to the key, the same every time.",
	"listen_since":  "Begin after this event, or at this time (RFC 3339). Default: now.",
	"main_export":   "Print the file of a workspace; applying it changes nothing.",
	"main_simulate": "Play a workspace's agent against a scripted lead and print the conversation.",
	"main_score":    "Read a directory of files with known facts and count what is right.",
	"main_top":      "Watch what is going on: lanes, the busiest workspaces, slow statements.",
	"main_verify":   "Say whether a saved webhook delivery is genuine.",
	"portal_revoke": "End the address of a lead's own page; the next message to the lead brings another.",
	"read_rules":    "Also judge the file by this rule; may be given several times.",
	"read_out":      "With --html: write FILE.html for each file into this directory instead of stdout.",
	"reprocess_documents": "" +
		"These documents, whatever version read them; may be given several times. Without: all that " +
		"another version of the engine read.",
	"reprocess_tokens": "Apply the rules to the words that were kept, without parsing the files again: seconds " +
		"instead of hours, where only rules changed.",
	"simulate_lead": "What kind of person the lead is: helpful, silent, leaves or worried.",
	"verify_webhook_file": "The delivery; stdin when it is not given. Without --header: the request as it came, " +
		"headers, an empty line, the body. With --header: the body alone.",
	"verify_webhook_header": "" +
		"A header of the delivery; webhook-id, webhook-timestamp and webhook-signature are needed.",
	"verify_webhook_secret":     "Secret of the webhook; several while secrets are exchanged.",
	"verify_webhook_secretfile": "File with secrets, one a line: other users of the machine see arguments.",
	"read_reading": "off: rules alone; fill: the language model of DOSSIER_LLM_URL fills what they left open; " +
		"check: it is " +
		"asked again for what they found.",
	"read_prompts": "With --reading: write every question and answer to stderr, as it went over the wire.",
	"score_reading": "Modes to score side by side: off, fill, check. Fill and check ask the language model of " +
		"DOSSIER_LLM_URL.",
	"read_images": "With --reading: show the model pages that are pictures, with numbers of people blacked out. With " +
		"--show-prompts and --out the pictures that were sent are written there.",
	"score_alone": "With --reading: as if the rules had read nothing but what documents are, to see what a model " +
		"reads alone.",
	"score_scripted": "With --reading: ask no server, but a model that knows the set's facts and follows a script: " +
		"right, wrong, lying, quoting, obeying, slow, cutoff, busy, garbage, huge.",
	"score_keep": "Keep what files are decoded to in DIR, and read from there the next time: for work on " +
		"rules.",
	"secrets_reseal": "Seal every secret at rest with the newest key of DOSSIER_SECRET_KEY, so that older ones " +
		"can be dropped.",
	"workspaces_rotateinbound": "Give a channel a new address for inbound messages; the one before works for a day.",
	"workspaces_reason":        "Why it is erased; it stays when everything else is gone, and must name nobody.",
}
