// Verify a delivery in Node. Only the standard library.
//
//   WEBHOOK_SECRET=whsec_... node verify.mjs <webhook-id> <webhook-timestamp> <webhook-signature> < body
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";

// body is a Buffer, exactly as it was received: parse the JSON only afterwards.
export function verify(secret, id, timestamp, signatures, body) {
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) throw new Error("too old or too new");
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const want = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  for (const signature of signatures.split(" ")) { // several while secrets are exchanged
    const [version, encoded = ""] = signature.split(",");
    const got = Buffer.from(encoded, "base64");
    if (version === "v1" && got.length === want.length && timingSafeEqual(got, want)) return;
  }
  throw new Error("no signature matches");
}

try {
  verify(process.env.WEBHOOK_SECRET, ...process.argv.slice(2, 5), readFileSync(0));
  console.log("genuine");
} catch (error) {
  console.log("refused:", error.message);
  process.exitCode = 1;
}
