// Types generated from the OpenAPI document hold a client: each line marked @ts-expect-error is one that must not compile.
import type { components, paths } from "./schema.js";

type Lead = components["schemas"]["Lead"];
type Update = paths["/api/v1/leads"]["put"]["requestBody"]["content"]["application/json"];
type Updated = paths["/api/v1/leads"]["put"]["responses"]["200"]["content"]["application/json"];
type Listed = paths["/api/v1/leads"]["get"]["responses"]["200"]["content"]["application/json"];
type Problem = components["schemas"]["Problem"];

const url = process.env.DOSSIER_URL;
const headers = { "x-api-key": process.env.DOSSIER_API_KEY ?? "", "Content-Type": "application/json" };

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(url + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  if (!response.ok) {
    const problem = (await response.json()) as Problem;
    throw new Error(`${problem.status} ${problem.code}: ${problem.message}`);
  }
  return (await response.json()) as T;
}

const made = await call<Updated>("POST", "/api/v1/leads", { firstName: "Ann", tags: ["typescript"] });
const lead: Lead = made.lead;

const update: Update = {
  leadId: lead.id,
  status: "COMPLETED",
  email: null,
  checklistItems: [{ code: "LEGAL_NAME", value: "Lee Foods LLC" }],
};
const updated = await call<Updated>("PUT", "/api/v1/leads", update);
const skipped = updated.checklistItems.flatMap((group) => group.items).filter((item) => item.status === "SKIPPED");
const listed = await call<Listed>("GET", "/api/v1/leads?tags=TypeScript");
console.log(`${updated.status}, ${skipped.length > 0 ? "skipped" : "nothing skipped"}, ${listed.length} listed, ${listed[0]?.nextFollowUp?.type ?? "no follow-up"}`);

// @ts-expect-error leadId is required
const nobody: Update = { firstName: "Ann" };
// @ts-expect-error a status that does not exist
const odd: Update = { leadId: lead.id, status: "DONE" };
// @ts-expect-error no such field
console.log(nobody, odd, lead.fullName);
