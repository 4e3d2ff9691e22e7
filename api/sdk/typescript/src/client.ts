import type { ProblemCode } from "./types.js";

/** How the client is set up. */
export interface Options {
  /** How often a request is made at most. */
  tries?: number;
  /** How many milliseconds one repeat may be put off; a longer Retry-After ends the call. */
  maxWait?: number;
  /** What makes the requests, when not the global fetch. */
  fetch?: typeof fetch;
  /** How a repeat waits, for tests. */
  sleep?: (milliseconds: number) => Promise<void>;
}

/** What changes one call. */
export interface CallOptions {
  /** Names a write: within 24 hours the same name gets the first answer again. */
  idempotencyKey?: string;
  /** Email address of the person behind the call. */
  actor?: string;
  signal?: AbortSignal;
}

/** One page of a list; `nextToken` is null on the last. */
export interface Page<T> {
  items: T[];
  nextToken: string | null;
}

/** A file to upload. A Blob of the disk (Node: `fs.openAsBlob`) is read while it is sent. */
export interface Upload {
  name: string;
  data: Blob;
}

/** A file that is being read. */
export interface Download {
  body: ReadableStream<Uint8Array>;
  contentType: string;
  filename: string | null;
}

/** One thing wrong with a request: at a JSON pointer into its body, or in a parameter. */
export interface Fault {
  code: string;
  detail: string;
  pointer?: string;
  parameter?: string;
}

/** An error that the service answered (RFC 9457). `code` says which. */
export class Problem extends Error {
  override name = "Problem";
  readonly status: number;
  readonly code: ProblemCode | "unknown";
  readonly title: string;
  readonly detail: string;
  readonly requestId: string;
  readonly errors: Fault[];
  /** How many milliseconds the service asks to wait; null when it does not. */
  readonly retryAfter: number | null;

  constructor(status: number, body: Record<string, unknown>, retryAfter: number | null) {
    const text = (name: string): string => (typeof body[name] === "string" ? body[name] : "");
    super(`${text("detail")} (${status} ${text("code")}, request ${text("requestId") || "unknown"})`);
    this.status = status;
    this.code = (text("code") || "unknown") as ProblemCode | "unknown";
    this.title = text("title");
    this.detail = text("detail");
    this.requestId = text("requestId");
    this.errors = Array.isArray(body["errors"]) ? (body["errors"] as Fault[]) : [];
    this.retryAfter = retryAfter;
  }
}

/** One operation. */
export interface Call {
  method: string;
  path: string;
  query?: Record<string, unknown>;
  body?: unknown;
  form?: Record<string, unknown>;
}

/** Makes requests: repeats reuse one Idempotency-Key and wait as long as Retry-After says. */
export class Transport {
  readonly #base: string;
  readonly #key: string;
  readonly #options: Options;

  constructor(url: string, key: string, options: Options = {}) {
    this.#base = url.replace(/\/+$/, "");
    this.#key = key;
    this.#options = options;
  }

  protected async answer<T>(call: Call, options: CallOptions): Promise<T> {
    return (await (await this.#do(call, options)).json()) as T;
  }

  protected async page<T>(call: Call, options: CallOptions): Promise<Page<T>> {
    const response = await this.#do(call, options);
    return { items: (await response.json()) as T[], nextToken: response.headers.get("X-Next-Token") };
  }

  protected async send(call: Call, options: CallOptions): Promise<void> {
    await (await this.#do(call, options)).arrayBuffer();
  }

  protected async download(call: Call, options: CallOptions): Promise<Download> {
    const response = await this.#do(call, options);
    const named = /filename="([^"]*)"/.exec(response.headers.get("Content-Disposition") ?? "");
    return {
      body: response.body ?? new ReadableStream<Uint8Array>(),
      contentType: response.headers.get("Content-Type") ?? "application/octet-stream",
      filename: named?.[1] ?? null,
    };
  }

  protected async *each<T>(fetchPage: (token: string | null) => Promise<Page<T>>): AsyncGenerator<T, void, undefined> {
    let token: string | null = null;
    for (;;) {
      const found: Page<T> = await fetchPage(token);
      yield* found.items;
      if (!found.nextToken || found.nextToken === token) {
        return;
      }
      token = found.nextToken;
    }
  }

  async #do(call: Call, options: CallOptions): Promise<Response> {
    const headers = new Headers({ "x-api-key": this.#key });
    if (call.method !== "GET") {
      headers.set("Idempotency-Key", options.idempotencyKey ?? crypto.randomUUID());
    }
    if (options.actor !== undefined) {
      headers.set("x-actor", options.actor);
    }
    const tries = this.#options.tries ?? 4;
    const maxWait = this.#options.maxWait ?? 60_000;
    for (let attempt = 1; ; attempt++) {
      let wait = Math.min(500 * 2 ** (attempt - 1), maxWait);
      try {
        return await this.#once(call, headers, options.signal);
      } catch (error) {
        if (attempt >= tries || options.signal?.aborted === true) {
          throw error;
        }
        if (error instanceof Problem) {
          wait = error.retryAfter ?? wait;
          const again = [429, 502, 503, 504].includes(error.status) || error.code === "idempotency_in_progress";
          if (!again || wait > maxWait) {
            throw error;
          }
        } else if (!(error instanceof TypeError)) {
          throw error; // fetch says with a TypeError that the network failed
        }
      }
      await (this.#options.sleep ?? pause)(wait);
    }
  }

  async #once(call: Call, headers: Headers, signal: AbortSignal | undefined): Promise<Response> {
    const sent = new Headers(headers);
    const request: RequestInit = { method: call.method, headers: sent, redirect: "error" };
    if (signal !== undefined) {
      request.signal = signal;
    }
    if (call.form !== undefined) {
      request.body = form(call.form);
    } else if (call.body !== undefined) {
      sent.set("Content-Type", "application/json");
      request.body = JSON.stringify(call.body);
    }
    const response = await (this.#options.fetch ?? fetch)(this.#base + call.path + query(call.query), request);
    if (!response.ok) {
      throw await problem(response);
    }
    return response;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function query(parameters: Record<string, unknown> = {}): string {
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null) {
      values.set(name, Array.isArray(value) ? value.join(",") : String(value));
    }
  }
  const text = values.toString();
  return text === "" ? "" : "?" + text;
}

/** Fields stand before files, so that these can be streamed. */
function form(parts: Record<string, unknown>): FormData {
  const out = new FormData();
  const files: Array<[string, Upload]> = [];
  for (const [name, value] of Object.entries(parts)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (isUpload(one)) {
        files.push([name, one]);
      } else if (one !== undefined && one !== null) {
        out.append(name, String(one));
      }
    }
  }
  for (const [name, file] of files) {
    out.append(name, file.data, file.name);
  }
  return out;
}

function isUpload(value: unknown): value is Upload {
  return typeof value === "object" && value !== null && "data" in value && value.data instanceof Blob;
}

async function problem(response: Response): Promise<Problem> {
  let body: Record<string, unknown> = {};
  try {
    body = JSON.parse(await response.text()) as Record<string, unknown>;
  } catch {
    body = { detail: `the answer is no problem document: ${response.status} ${response.statusText}` };
  }
  body = { requestId: response.headers.get("X-Request-Id") ?? "", ...body };
  return new Problem(response.status, body, retryAfter(response.headers.get("Retry-After")));
}

function retryAfter(text: string | null): number | null {
  if (text === null) {
    return null;
  }
  if (/^\d+$/.test(text)) {
    return Number(text) * 1000;
  }
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
