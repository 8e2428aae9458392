import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { START_MS } from "../meant.ts";
import { always, scenario, type Scenario, whenNew } from "../scenario.ts";
import { answerOf, type Asked, type Reply } from "../server.ts";

// How an answer travels, and under what status.

const body = (asked: Asked): Buffer => Buffer.from(String(answerOf(asked.rows()).body));
const packed = (bytes: Buffer | Uint8Array, encoding: string): Reply => ({
  body: bytes,
  headers: { "Content-Encoding": encoding },
});

/** Bytes as they are, behind a head that says something else of them. */
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

const honest =
  (status: number) =>
  (asked: Asked): Reply => ({ ...answerOf(asked.rows()), status });
const empty =
  (status: number, text = "", headers = {}): (() => Reply) =>
  () => ({ status, body: text, headers });

const OF_NEW_CELLS: readonly (readonly [string, (asked: Asked) => Reply])[] = [
  ["204 with a body", (asked) => raw(() => ["HTTP/1.1 204 No Content", "Connection: close"])(asked)],
  ["205", empty(205)],
  ["202 and a job", empty(202, '{"status":"queued","job_id":"a1"}')],
  ["206 with half of the rows", (asked) => ({ ...answerOf(asked.rows().slice(0, 500)), status: 206 })],
  ["203 with all rows", honest(203)],
  ["304", empty(304)],
  ["300 with a list", empty(300, "[]")],
  ["400 once", empty(400, '{"error":"bad request"}')],
  ["404 of a proxy", empty(404, "<html>no such page</html>", { "Content-Type": "text/html" })],
  ["404 and a code", empty(404, '{"message":"not found","code":"NOT_FOUND","details":{}}')],
  ["408", empty(408, '{"error":"time"}')],
  ["409", empty(409, '{"error":"conflict"}')],
  ["410", empty(410)],
  ["421", empty(421)],
  ["425", empty(425)],
  ["429 with a long word", empty(429, "", { "Retry-After": "soon" })],
  ["429 in the past", empty(429, "", { "Retry-After": "Thu, 01 Jan 1970 00:00:00 GMT" })],
  ["500 with rows", honest(500)],
  ["500 with an empty answer", empty(500, '{"data":[],"count":0}')],
  ["501", empty(501)],
  ["507", empty(507)],
  ["520 of a proxy", empty(520, "<html>origin error</html>", { "Content-Type": "text/html" })],
  ["599", empty(599)],
  ["999", empty(999)],
  ["a page as JSON", () => ({ body: "<!doctype html><h1>Sign in</h1>" })],
  ["a page as text, after a blank", () => ({ headers: { "Content-Type": "text/plain" }, body: "\n\n <html></html>" })],
  ["JSON as a page", (asked) => ({ ...answerOf(asked.rows()), headers: { "Content-Type": "text/html" } })],
  ["gzip in gzip", (asked) => packed(gzipSync(gzipSync(body(asked))), "gzip")],
  ["gzip that is not named", (asked) => ({ body: gzipSync(body(asked)) })],
  ["gzip, cut by a byte", (asked) => packed(gzipSync(body(asked)).subarray(0, -1), "gzip")],
  ["gzip without its sum", (asked) => packed(gzipSync(body(asked)).subarray(0, -8), "gzip")],
  ["gzip, a bit flipped", (asked) => packed(flipped(gzipSync(body(asked))), "gzip")],
  ["gzip and more behind", (asked) => packed(Buffer.concat([gzipSync(body(asked)), Buffer.from("xyz")]), "gzip")],
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
  ["no HTTP", raw(() => ["SSH-2.0-OpenSSH_9.7"])],
  ["HTTP/3.0", raw((b) => ["HTTP/3.0 200 OK", `Content-Length: ${b.length}`])],
  [
    "a head of a megabyte",
    raw((b) => ["HTTP/1.1 200 OK", `X-Long: ${"x".repeat(1_000_000)}`, `Content-Length: ${b.length}`]),
  ],
  ["nothing, and closed", (asked) => ({ ...answerOf(asked.rows()), send: (response) => void response.socket?.end() })],
  [
    "reset at once",
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
  ["201", honest(201)],
  ["gzip, though it was not asked for", (asked) => packed(gzipSync(body(asked)), "gzip")],
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
  ["identity by name", (asked) => packed(body(asked), "identity")],
  ["text/plain", (asked) => ({ body: body(asked), headers: { "Content-Type": "text/plain" } })],
  [
    "application/problem+json",
    (asked) => ({ body: body(asked), headers: { "Content-Type": "application/problem+json" } }),
  ],
  [
    "a character set by name",
    (asked) => ({ body: body(asked), headers: { "Content-Type": 'application/json; charset="utf-8"' } }),
  ],
  ["no type", raw((b) => ["HTTP/1.1 200 OK", `Content-Length: ${b.length}`, "Connection: close"])],
];

/** No form of these ends as rows: everything is told to have failed, or the job to have given up, with few requests. */
const FOR_EVER: readonly (readonly [string, (asked: Asked) => Reply])[] = [
  ["204 with a body", (asked) => raw(() => ["HTTP/1.1 204 No Content", "Connection: close"])(asked)],
  [
    "206 with half of the rows",
    (asked) => ({ ...answerOf(asked.rows().slice(0, asked.rows().length / 2)), status: 206 }),
  ],
  ["400", empty(400, '{"error":"bad request"}')],
  ["404 and a code", empty(404, '{"message":"not found","code":"NOT_FOUND","details":{}}')],
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
  ["302 to a page", empty(302, "", { Location: "/login" })],
  ["a page", () => ({ headers: { "Content-Type": "text/html" }, body: "<html>Sign in</html>" })],
  ["gzip, cut by a byte", (asked) => packed(gzipSync(body(asked)).subarray(0, -1), "gzip")],
  ["reset in the middle", (asked) => reset(asked, 0.5)],
];

const isOfStation =
  (station: number) =>
  (asked: Asked): boolean =>
    asked.stations.includes(station);
const hourMs = START_MS + 6 * 3_600_000;
const isOfHour = (asked: Asked): boolean => asked.startMs < hourMs + 3_600_000 && asked.endMs > hourMs;

export const WIRE: readonly Scenario[] = [
  ...OF_NEW_CELLS.map(([form, reply]) =>
    scenario(`wire: ${form}, of new cells`, whenNew(reply), { expected: "later" }),
  ),
  ...SOUND.map(([form, reply]) => scenario(`wire: ${form}`, always(reply))),
  ...FOR_EVER.map(([form, reply]) =>
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
