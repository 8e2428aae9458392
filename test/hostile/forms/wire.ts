import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { START_MS } from "../meant.ts";
import { always, scenario, type Scenario, whenNew } from "../scenario.ts";
import { answerOf, type Asked, type Reply } from "../server.ts";

// Transport and status of responses.

const body = (asked: Asked): Buffer => Buffer.from(String(answerOf(asked.rows()).body));
const packed = (bytes: Buffer | Uint8Array, encoding: string): Reply => ({
  body: bytes,
  headers: { "Content-Encoding": encoding },
});

/** Sends the bytes after headers that may contradict them. */
const raw =
  (head: (body: Buffer) => readonly string[], more: (body: Buffer) => Buffer = (bytes) => bytes, isOpen = false) =>
  (asked: Asked): Reply => ({
    ...answerOf(asked.rows()),
    send(response, bytes) {
      const whole = Buffer.from(bytes);
      const lines = [...head(whole), "Content-Type: application/json", `Date: ${new Date().toUTCString()}`, "", ""];
      const sent = Buffer.concat([Buffer.from(lines.join("\r\n")), more(whole)]);
      if (isOpen) response.socket?.write(sent);
      else response.socket?.end(sent);
    },
  });

const complete =
  (status: number) =>
  (asked: Asked): Reply => ({ ...answerOf(asked.rows()), status });
const empty =
  (status: number, text = "", headers = {}): (() => Reply) =>
  () => ({ status, body: text, headers });

const NEW_CELLS: readonly (readonly [string, (asked: Asked) => Reply])[] = [
  ["204 with a body", (asked) => raw(() => ["HTTP/1.1 204 No Content", "Connection: close"])(asked)],
  ["205", empty(205)],
  ["202 with a job", empty(202, '{"status":"queued","job_id":"a1"}')],
  ["206 with half of the rows", (asked) => ({ ...answerOf(asked.rows().slice(0, 500)), status: 206 })],
  ["203 with all rows", complete(203)],
  ["304", empty(304)],
  ["300 with a list", empty(300, "[]")],
  ["400 once", empty(400, '{"error":"bad request"}')],
  ["404 of a proxy", empty(404, "<html>no such page</html>", { "Content-Type": "text/html" })],
  ["404 with a code", empty(404, '{"message":"not found","code":"NOT_FOUND","details":{}}')],
  ["408", empty(408, '{"error":"time"}')],
  ["409", empty(409, '{"error":"conflict"}')],
  ["410", empty(410)],
  ["421", empty(421)],
  ["425", empty(425)],
  ["429 with an invalid Retry-After", empty(429, "", { "Retry-After": "soon" })],
  ["429 with a Retry-After in the past", empty(429, "", { "Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT" })],
  ["500 with rows", complete(500)],
  ["500 with an empty response", empty(500, '{"data":[],"count":0}')],
  ["501", empty(501)],
  ["507", empty(507)],
  ["520 of a proxy", empty(520, "<html>origin error</html>", { "Content-Type": "text/html" })],
  ["599", empty(599)],
  ["999", empty(999)],
  ["an HTML page as JSON", () => ({ body: "<!doctype html><h1>Sign in</h1>" })],
  [
    "an HTML page as text, after white space",
    () => ({ headers: { "Content-Type": "text/plain" }, body: "\n\n <html></html>" }),
  ],
  ["JSON as HTML", (asked) => ({ ...answerOf(asked.rows()), headers: { "Content-Type": "text/html" } })],
  ["gzip in gzip", (asked) => packed(gzipSync(gzipSync(body(asked))), "gzip")],
  ["gzip without Content-Encoding", (asked) => ({ body: gzipSync(body(asked)) })],
  ["gzip without the last byte", (asked) => packed(gzipSync(body(asked)).subarray(0, -1), "gzip")],
  ["gzip without its checksum", (asked) => packed(gzipSync(body(asked)).subarray(0, -8), "gzip")],
  ["gzip with a flipped bit", (asked) => packed(flipped(gzipSync(body(asked))), "gzip")],
  [
    "gzip with garbage after the end",
    (asked) => packed(Buffer.concat([gzipSync(body(asked)), Buffer.from("xyz")]), "gzip"),
  ],
  ["Content-Length too large, closed", raw((b) => ["HTTP/1.1 200 OK", `Content-Length: ${b.length + 100}`])],
  ["Content-Length too small", raw((b) => ["HTTP/1.1 200 OK", `Content-Length: ${b.length - 100}`])],
  ["two Content-Lengths", raw((b) => ["HTTP/1.1 200 OK", `Content-Length: ${b.length}`, "Content-Length: 7"])],
  ["Content-Length is negative", raw(() => ["HTTP/1.1 200 OK", "Content-Length: -1"])],
  [
    "Content-Length is 0",
    raw(
      () => ["HTTP/1.1 200 OK", "Content-Length: 0", "Connection: close"],
      () => Buffer.alloc(0),
    ),
  ],
  ["another protocol", raw(() => ["SSH-2.0-OpenSSH_9.7"])],
  ["HTTP/3.0", raw((b) => ["HTTP/3.0 200 OK", `Content-Length: ${b.length}`])],
  [
    "headers of a megabyte",
    raw((b) => ["HTTP/1.1 200 OK", `X-Long: ${"x".repeat(1_000_000)}`, `Content-Length: ${b.length}`]),
  ],
  [
    "closed without a response",
    (asked) => ({ ...answerOf(asked.rows()), send: (response) => void response.socket?.end() }),
  ],
  [
    "reset without a response",
    (asked) => ({ ...answerOf(asked.rows()), send: (response) => void response.socket?.resetAndDestroy() }),
  ],
  ["reset in the middle", (asked) => reset(asked, 0.5)],
  ["reset at the last byte", (asked) => reset(asked, 1)],
  [
    "chunks without an end, closed",
    raw(
      () => ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked"],
      (b) => Buffer.concat([Buffer.from(`${b.length.toString(16)}\r\n`), b, Buffer.from("\r\n")]),
    ),
  ],
];

function flipped(bytes: Buffer): Buffer {
  bytes[Math.floor(bytes.length / 2)]! ^= 0x10;
  return bytes;
}

function reset(asked: Asked, share: number): Reply {
  return {
    ...answerOf(asked.rows()),
    send(response, bytes) {
      const end = share === 1 ? bytes.length - 1 : Math.floor(bytes.length * share);
      response.write(bytes.subarray(0, end), () => void response.socket?.resetAndDestroy());
    },
  };
}

const SOUND: readonly (readonly [string, (asked: Asked) => Reply])[] = [
  ["201", complete(201)],
  ["gzip without a request for it", (asked) => packed(gzipSync(body(asked)), "gzip")],
  [
    "gzip in two parts",
    (asked) => {
      const bytes = body(asked);
      return packed(Buffer.concat([gzipSync(bytes.subarray(0, 4_000)), gzipSync(bytes.subarray(4_000))]), "gzip");
    },
  ],
  ["x-gzip", (asked) => packed(gzipSync(body(asked)), "x-gzip")],
  ["deflate", (asked) => packed(deflateSync(body(asked)), "deflate")],
  ["brotli", (asked) => packed(brotliCompressSync(body(asked)), "br")],
  ["the encoding identity", (asked) => packed(body(asked), "identity")],
  ["text/plain", (asked) => ({ body: body(asked), headers: { "Content-Type": "text/plain" } })],
  [
    "application/problem+json",
    (asked) => ({ body: body(asked), headers: { "Content-Type": "application/problem+json" } }),
  ],
  [
    "a named character set",
    (asked) => ({ body: body(asked), headers: { "Content-Type": 'application/json; charset="utf-8"' } }),
  ],
  ["no type", raw((b) => ["HTTP/1.1 200 OK", `Content-Length: ${b.length}`, "Connection: close"])],
];

/** Never readable: everything is reported as failed, or the job gives up, after few requests. */
const ALWAYS: readonly (readonly [string, (asked: Asked) => Reply])[] = [
  ["204 with a body", (asked) => raw(() => ["HTTP/1.1 204 No Content", "Connection: close"])(asked)],
  [
    "206 with half of the rows",
    (asked) => ({ ...answerOf(asked.rows().slice(0, asked.rows().length / 2)), status: 206 }),
  ],
  ["400", empty(400, '{"error":"bad request"}')],
  ["404 with a code", empty(404, '{"message":"not found","code":"NOT_FOUND","details":{}}')],
  ["409", empty(409, '{"error":"conflict"}')],
  ["413 with a negative limit", empty(413, '{"error":"the limit is -5 data points"}')],
  ["413 with a limit of 1", empty(413, '{"error":"the limit is 1 data point"}')],
  ["413 with a limit of 1e30", empty(413, '{"error":"the limit is 1e30 data points"}')],
  ["414", empty(414)],
  ["422", empty(422, '{"detail":[{"msg":"field required"}]}')],
  ["429", empty(429, "", { "Retry-After": "0" })],
  ["502", empty(502)],
  ["599", empty(599)],
  ["999", empty(999)],
  ["307 to itself", empty(307, "", { Location: "/api/v1/measurements/query" })],
  ["302 to an HTML page", empty(302, "", { Location: "/login" })],
  ["an HTML page", () => ({ headers: { "Content-Type": "text/html" }, body: "<html>Sign in</html>" })],
  ["gzip without the last byte", (asked) => packed(gzipSync(body(asked)).subarray(0, -1), "gzip")],
  ["reset in the middle", (asked) => reset(asked, 0.5)],
];

const isOfStation =
  (station: number) =>
  (asked: Asked): boolean =>
    asked.stations.includes(station);
const hourMs = START_MS + 6 * 3_600_000;
const isOfHour = (asked: Asked): boolean => asked.startMs < hourMs + 3_600_000 && asked.endMs > hourMs;

export const WIRE: readonly Scenario[] = [
  ...NEW_CELLS.map(([form, reply]) => scenario(`wire: ${form}, of new cells`, whenNew(reply), { expected: "later" })),
  ...SOUND.map(([form, reply]) => scenario(`wire: ${form}`, always(reply))),
  ...ALWAYS.map(([form, reply]) =>
    scenario(`wire: ${form}, always`, always(reply), {
      expected: "any",
      isLong: true,
      words: ["--wait-for-service", "10s"],
      mostRequests: 320,
    }),
  ),
  ...[400, 404, 408, 413, 422, 500, 503].map((status) =>
    scenario(
      `wire: ${status} for one station`,
      always((asked) => (isOfStation(1)(asked) ? { status, body: '{"error":"no"}' } : answerOf(asked.rows()))),
      { expected: (station) => station === 1, isLong: true, mostRequests: 900, words: ["--wait-for-service", "10s"] },
    ),
  ),
  ...[400, 408, 500].map((status) =>
    scenario(
      `wire: ${status} for one hour of all stations`,
      always((asked) => (isOfHour(asked) ? { status, body: '{"error":"no"}' } : answerOf(asked.rows()))),
      { expected: "any", isLong: true, mostRequests: 900, words: ["--wait-for-service", "10s"] },
    ),
  ),
];
