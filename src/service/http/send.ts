import type { ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { createGzip } from "node:zlib";
import { MEDIA_JSON, MEDIA_NETCDF } from "#shared/service/query.ts";
import { spoil } from "../faults/spoil.ts";
import type { Faults } from "../faults/faults.ts";
import { acceptsGzip } from "./accept.ts";
import { errorBody, type Refusal } from "./refusal.ts";
import type { EndpointGroup } from "./route.ts";
import { BodyStream } from "./body.ts";

/** The connection of a response, and its faults. */
interface Outlet {
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
  readonly faults: Faults;
  /** Whether compression is enabled and the client accepts it. */
  readonly settings: { readonly gzip: boolean };
}

/** Below this, compression costs more than it saves. */
const GZIP_FROM_BYTES = 1_024;

/**
 * Sends the head of a response with status 200 and opens its body.
 *
 * @param length of the body in bytes; null if unknown
 */
export function openBody(outlet: Outlet, type: string, length: number | null): BodyStream {
  const { response, faults } = outlet;
  const isZipped =
    outlet.settings.gzip &&
    type !== MEDIA_NETCDF && // compressed within
    (length === null || length >= GZIP_FROM_BYTES) &&
    acceptsGzip(response.req.headers["accept-encoding"]);
  response.statusCode = 200;
  response.setHeader("Content-Type", type);
  response.setHeader("Vary", "Accept, Accept-Encoding");
  if (isZipped) response.setHeader("Content-Encoding", "gzip");
  else if (length !== null) response.setHeader("Content-Length", length);
  const { plain, wire } = spoil(response, faults, isZipped ? null : length);
  let target: Writable = wire;
  if (isZipped) {
    // Level 1: higher levels would take longer than creating the response.
    const gzip = createGzip({ level: 1 });
    gzip.pipe(wire);
    outlet.signal.addEventListener("abort", () => gzip.destroy(), { once: true });
    target = gzip;
  }
  return new BodyStream(plain(target), outlet.signal);
}

export async function sendJson(outlet: Outlet, value: unknown): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(value));
  const body = openBody(outlet, MEDIA_JSON, bytes.length);
  await body.write(bytes);
  body.end();
}

export function sendRefusal(response: ServerResponse, refusal: Refusal, group: EndpointGroup): void {
  const { type, text } = errorBody(refusal, group);
  response.writeHead(refusal.status, {
    ...refusal.headers,
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
}
