// node --test test, after tsc: the compiled client against a server of its own.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { once } from "node:events";
import { after, test } from "node:test";
import { Dossier, NotGenuine, Problem, verify } from "../dist/index.js";

const servers = [];
after(() => servers.forEach((server) => server.close()));

/** A client of a server that answers by the number of the request, its address and its body. */
async function client(answer) {
  const seen = [];
  const waits = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    seen.push({ key: request.headers["idempotency-key"], body });
    const [status, headers, value] = answer(seen.length, request.url, body);
    response.writeHead(status, headers).end(JSON.stringify(value));
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const sleep = async (wait) => void waits.push(wait);
  return { seen, waits, api: new Dossier(`http://127.0.0.1:${server.address().port}/`, "dsr_test_key", { sleep }) };
}

test("a repeat carries its first key and waits as it was told", async () => {
  const { api, seen, waits } = await client((n) => [[429, { "Retry-After": "7" }, {}], [503, {}, {}], [201, {}, { lead: { id: "one" } }]][n - 1]);
  const made = await api.createLead({ firstName: "Ann", lastName: null });
  assert.equal(made.lead.id, "one");
  assert.equal(new Set(seen.map((one) => one.key)).size, 1);
  assert.deepEqual(new Set(seen.map((one) => one.body)), new Set(['{"firstName":"Ann","lastName":null}']));
  assert.equal(waits[0], 7000);
  assert.equal(waits.length, 2);
});

test("a problem has its code", async () => {
  const { api, seen } = await client(() => [404, {}, { code: "lead_not_found", detail: "No such lead" }]);
  await assert.rejects(api.readLead("a/b"), (error) => error instanceof Problem && error.code === "lead_not_found" && error.status === 404);
  assert.equal(seen.length, 1);
});

test("a wait beyond patience ends the call", async () => {
  const { api, seen } = await client(() => [429, { "Retry-After": "3600" }, { code: "rate_limited", detail: "slow" }]);
  await assert.rejects(api.listAgents(), (error) => error.code === "rate_limited");
  assert.equal(seen.length, 1);
});

test("pages are walked", async () => {
  const { api } = await client((_, url) =>
    url.includes("token=second") ? [200, {}, [{ id: "3" }]] : [200, { "X-Next-Token": "second" }, [{ id: "1" }, { id: "2" }]]);
  let all = "";
  for await (const lead of api.listLeadsAll({ tags: ["a", "b"] })) all += lead.id;
  assert.equal(all, "123");
});

test("a file is sent whole, again", async () => {
  const { api, seen } = await client((n) => (n === 1 ? [503, { "Retry-After": "0" }, {}] : [201, {}, { documents: [{ id: "d" }] }]));
  await api.createDocuments({ leadId: "lead", files: [{ name: "a.pdf", data: new Blob(["some bytes"], { type: "application/pdf" }) }] });
  assert.equal(seen.length, 2);
  for (const { body } of seen) {
    assert.match(body, /name="leadId"\r\n\r\nlead\r\n[^]*name="files"; filename="a.pdf"\r\nContent-Type: application\/pdf\r\n\r\nsome bytes\r\n/);
  }
});

test("a delivery is verified", async () => {
  const key = Buffer.from("0123456789abcdef0123456789abcdef");
  const secret = "whsec_" + key.toString("base64");
  const body = '{"id":"e","type":"lead.erased","data":{}}';
  const signature = createHmac("sha256", key).update("e.1000." + body).digest("base64");
  const headers = { "Webhook-Id": "e", "webhook-timestamp": "1000", "webhook-signature": "v1,AAAA v1," + signature };
  assert.equal((await verify(body, headers, ["whsec_AAAA", secret], 1_100_000)).type, "lead.erased");
  for (const [sent, secrets, now] of [[body + " ", secret, 1_100_000], [body, secret, 2_000_000], [body, "whsec_AAAA", 1_100_000]]) {
    await assert.rejects(verify(sent, headers, secrets, now), NotGenuine);
  }
});
