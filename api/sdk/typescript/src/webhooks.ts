import type { EventData } from "./types.js";

/** An event of one type, with its data. */
export interface EventOf<T extends keyof EventData> {
  id: string;
  type: T;
  timestamp: string;
  workspaceId: string;
  livemode?: boolean;
  apiVersion?: string;
  data: EventData[T];
}

/** Any event: `event.type` says which, and with it what `event.data` holds. */
export type DossierEvent = { [T in keyof EventData]: EventOf<T> }[keyof EventData];

/** How many seconds a delivery's timestamp may be from this machine's clock. */
export const tolerance = 300;

/** The delivery was not signed with one of the secrets, or is too old. */
export class NotGenuine extends Error {
  override name = "NotGenuine";
}

/** Headers as fetch, Node or a plain object have them. */
export type HeadersLike = Headers | Record<string, string | string[] | undefined>;

/**
 * Reads a delivery that one of the secrets signed (Standard Webhooks 1.0). `body` is the text as it came; know repeats by
 * the event's id.
 */
export async function verify(
  body: string | Uint8Array,
  headers: HeadersLike,
  secrets: string | readonly string[],
  now: number = Date.now(),
): Promise<DossierEvent> {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const id = header(headers, "webhook-id");
  const stamp = header(headers, "webhook-timestamp");
  if (id === "" || !/^\d+$/.test(stamp)) {
    throw new NotGenuine("a header is missing or damaged");
  }
  if (Math.abs(now / 1000 - Number(stamp)) > tolerance) {
    throw new NotGenuine("the delivery is too old, or a clock is wrong");
  }
  const signed = new TextEncoder().encode(`${id}.${stamp}.${text}`);
  for (const secret of typeof secrets === "string" ? [secrets] : secrets) {
    const raw = decoded(secret.replace(/^whsec_/, ""));
    if (raw === null) {
      throw new Error("the secret is not whsec_ followed by base64");
    }
    const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const one of header(headers, "webhook-signature").split(" ")) {
      const signature = one.startsWith("v1,") ? decoded(one.slice(3)) : null;
      if (signature !== null && (await crypto.subtle.verify("HMAC", key, signature, signed))) {
        return JSON.parse(text) as DossierEvent;
      }
    }
  }
  throw new NotGenuine("no signature matches");
}

function header(headers: HeadersLike, name: string): string {
  if (headers instanceof Headers) {
    return headers.get(name) ?? "";
  }
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return (Array.isArray(found) ? found.join(" ") : found) ?? "";
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  } catch {
    return null;
  }
}
