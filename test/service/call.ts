import { Agent, request as open, type IncomingHttpHeaders } from "node:http";
import { gunzipSync } from "node:zlib";
import type { RunningService } from "#service/index.ts";

// Plain node:http: no header is added that a test did not ask for, and nothing is decoded behind its back.

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Whether the message ended as HTTP says it must. */
  readonly isComplete: boolean;
}

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** null sends no key. */
  readonly key?: string | null;
  readonly body?: string | Uint8Array;
}

const agent = new Agent({ keepAlive: false });

/** Sends one request and reads the whole answer. Rejects where the connection is lost before there is a head. */
export function call(service: RunningService, path: string, options: CallOptions = {}): Promise<Answer> {
  const { method = "GET", key = "key-a", body } = options;
  const headers = { ...(key === null ? {} : { "X-API-Key": key }), ...options.headers };
  return new Promise((resolve, reject) => {
    const request = open(service.url + path, { method, headers, agent }, (response) => {
      // From here on a lost connection is part of the answer.
      request.removeListener("error", reject);
      request.on("error", () => undefined);
      const pieces: Buffer[] = [];
      const done = (): void =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: Buffer.concat(pieces),
          isComplete: response.complete,
        });
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("end", done);
      response.on("error", done);
    });
    request.on("error", reject);
    request.end(body);
  });
}

// oxlint-disable-next-line typescript/no-explicit-any -- the wire is what these tests look at, whatever its shape
export type Wire = any;

export function jsonOf(answer: Answer): Wire {
  const body = answer.headers["content-encoding"] === "gzip" ? gunzipSync(answer.body) : answer.body;
  return JSON.parse(body.toString());
}

/** GET whose answer is JSON, whatever its status. */
export async function get(
  service: RunningService,
  path: string,
  options: CallOptions = {},
): Promise<{ readonly status: number; readonly json: Wire; readonly headers: IncomingHttpHeaders }> {
  const answer = await call(service, `/api/v1${path}`, options);
  return { status: answer.status, json: jsonOf(answer), headers: answer.headers };
}

/** POST of a time series query that asks for JSON. */
export async function query(
  service: RunningService,
  body: object,
  options: CallOptions = {},
): Promise<{ readonly status: number; readonly json: Wire; readonly headers: IncomingHttpHeaders }> {
  const answer = await callQuery(service, body, {
    ...options,
    headers: { Accept: "application/json", ...options.headers },
  });
  return { status: answer.status, json: jsonOf(answer), headers: answer.headers };
}

export function callQuery(service: RunningService, body: object, options: CallOptions = {}): Promise<Answer> {
  return call(service, "/api/v1/measurements/query", {
    method: "POST",
    body: JSON.stringify(body),
    ...options,
    headers: { "Content-Type": "application/json", ...options.headers },
  });
}
