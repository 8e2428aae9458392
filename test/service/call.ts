import { Agent, request as open, type IncomingHttpHeaders } from "node:http";
import { gunzipSync } from "node:zlib";
import type { RunningService } from "#service/index.ts";

// Plain node:http adds no headers and decodes nothing.

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Whether the message ended as HTTP requires. */
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

/** Sends one request and reads the whole response. Rejects if the connection is lost before the headers. */
export function call(service: RunningService, path: string, options: CallOptions = {}): Promise<Received> {
  const { method = "GET", key = "key-a", body } = options;
  const headers = { ...(key === null ? {} : { "X-API-Key": key }), ...options.headers };
  return new Promise((resolve, reject) => {
    const request = open(service.url + path, { method, headers, agent }, (response) => {
      // From here on, a lost connection is part of the response.
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

// oxlint-disable-next-line typescript/no-explicit-any -- the tests examine the raw response in any form
export type Wire = any;

export function jsonOf(received: Received): Wire {
  const body = received.headers["content-encoding"] === "gzip" ? gunzipSync(received.body) : received.body;
  return JSON.parse(body.toString());
}

/** GET with a JSON response and any status. */
export async function get(
  service: RunningService,
  path: string,
  options: CallOptions = {},
): Promise<{ readonly status: number; readonly json: Wire; readonly headers: IncomingHttpHeaders }> {
  const received = await call(service, `/api/v1${path}`, options);
  return { status: received.status, json: jsonOf(received), headers: received.headers };
}

/** POST of a time series query for JSON. */
export async function query(
  service: RunningService,
  body: object,
  options: CallOptions = {},
): Promise<{ readonly status: number; readonly json: Wire; readonly headers: IncomingHttpHeaders }> {
  const received = await callQuery(service, body, {
    ...options,
    headers: { Accept: "application/json", ...options.headers },
  });
  return { status: received.status, json: jsonOf(received), headers: received.headers };
}

export function callQuery(service: RunningService, body: object, options: CallOptions = {}): Promise<Received> {
  return call(service, "/api/v1/measurements/query", {
    method: "POST",
    body: JSON.stringify(body),
    ...options,
    headers: { "Content-Type": "application/json", ...options.headers },
  });
}
