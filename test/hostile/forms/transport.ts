import { brotliCompressSync, gzipSync } from "node:zlib";
import { START_MS } from "../meant.ts";
import { always, each, firstAndAlways, scenario, type Answer, type Scenario } from "../scenario.ts";
import { UNUSABLE, whenNew } from "../scenario.ts";
import { answerOf, type Asked, type Behaviour, type Reply } from "../server.ts";

// Status, headers, encodings and the connection.

const body = (asked: Asked): Buffer => Buffer.from(String(answerOf(asked.rows()).body));
const packed =
  (pack: (body: Buffer) => Uint8Array, encoding = "gzip"): Answer =>
  (asked) => ({ body: pack(body(asked)), headers: { "Content-Encoding": encoding } });
const typed =
  (type: string): Answer =>
  (asked) => ({ body: body(asked), headers: { "Content-Type": type } });
const empty =
  (status: number, text = "", headers = {}): Answer =>
  () => ({ status, body: text, headers });
const complete =
  (status: number): Answer =>
  (asked) => ({ ...answerOf(asked.rows()), status });
const joined = (...parts: readonly (string | Uint8Array)[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part)));

/** Sends the bytes after headers that may contradict them, and closes the connection. */
const raw =
  (head: (body: Buffer) => readonly string[], sent: (body: Buffer) => Uint8Array = (bytes) => bytes): Answer =>
  (asked) => ({
    ...answerOf(asked.rows()),
    send(response, bytes) {
      const whole = Buffer.from(bytes);
      const lines = [...head(whole), "Content-Type: application/json", `Date: ${new Date().toUTCString()}`, "", ""];
      response.socket?.end(joined(lines.join("\r\n"), sent(whole)));
    },
  });
const OK = "HTTP/1.1 200 OK";
const CHUNKED = [OK, "Transfer-Encoding: chunked"];
const chunk = (bytes: Buffer, length = bytes.length): Buffer => joined(`${length.toString(16)}\r\n`, bytes, "\r\n");

/** Truncates the body, with a regular end or a lost connection. */
const cut =
  (share: number, isReset: boolean): Answer =>
  (asked) => ({
    ...answerOf(asked.rows()),
    send(response, bytes) {
      const part = bytes.subarray(0, Math.max(1, Math.min(bytes.length - 1, Math.floor(bytes.length * share))));
      if (!isReset) return void response.end(part);
      response.write(part, () => void response.socket?.resetAndDestroy());
    },
  });

/** Sends the body in pieces until the client disconnects. */
const trickle =
  (bytes: number, everyMs: number): Answer =>
  (asked) => ({
    ...answerOf(asked.rows()),
    send(response, whole) {
      let at = 0;
      const timer = setInterval(() => {
        response.write(whole.subarray(at, (at += bytes)));
        if (at >= whole.length) response.end();
        if (at >= whole.length || response.destroyed) clearInterval(timer);
      }, everyMs);
      response.on("close", () => clearInterval(timer));
    },
  });

const bomb =
  (start: string, filling: string): Answer =>
  () => ({ headers: { "Content-Encoding": "gzip" }, body: gzipSync(start + filling.repeat(32_000_000)) });

/** Not the whole response, or not readable. */
const BROKEN: Readonly<Record<string, Answer>> = {
  "204 with a body": raw(() => ["HTTP/1.1 204 No Content", "Connection: close"]),
  "206 with some of the rows": (asked) => ({
    ...answerOf(asked.rows().slice(0, asked.rows().length / 2)),
    status: 206,
  }),
  "304": empty(304),
  "404 of a proxy": empty(404, "<html>no such page</html>", { "Content-Type": "text/html" }),
  "408": empty(408, '{"error":"time"}'),
  "425": empty(425),
  "429 with an invalid Retry-After": empty(429, "", { "Retry-After": "soon" }),
  "500 with rows": complete(500),
  "gzip without the last byte": packed((b) => gzipSync(b).subarray(0, -1)),
  "gzip with a flipped bit": packed((b) => gzipSync(b).map((byte, i) => (i === 1_000 ? byte ^ 0x10 : byte))),
  "Content-Length too small": raw((b) => [OK, `Content-Length: ${b.length - 100}`]),
  "another protocol": raw(() => ["SSH-2.0-OpenSSH_9.7"]),
  "headers of a megabyte": raw((b) => [OK, `X-Long: ${"x".repeat(1_000_000)}`, `Content-Length: ${b.length}`]),
  "HTTP/1.0, silently truncated": raw(
    () => ["HTTP/1.0 200 OK"],
    (b) => b.subarray(0, b.length / 2),
  ),
  "a chunk with a wrong length": raw(
    () => CHUNKED,
    (b) => joined(chunk(b, 0xfffff), "0\r\n\r\n"),
  ),
  "garbage after the response": (asked) => ({ body: joined(body(asked), " # end") }),
  "reset without a response": () => ({ send: (response) => void response.socket?.resetAndDestroy() }),
  truncated: cut(0.77, false),
  "reset in the middle": cut(0.5, true),
  "a string of 32 MB, compressed": bomb(`{"data":[{"ztd":"`, "9"),
};

const SOUND: Readonly<Record<string, Answer>> = {
  "gzip in two parts": packed((b) => joined(gzipSync(b.subarray(0, 4_000)), gzipSync(b.subarray(4_000)))),
  brotli: packed((b) => brotliCompressSync(b), "br"),
  "a named character set": typed('application/json; charset="utf-8"'),
  "HTTP/1.0, ended by the connection": raw(() => ["HTTP/1.0 200 OK"]),
  "a body within two seconds": trickle(100_000, 100),
};

/** Refusals that no repetition changes. */
const REFUSED: Readonly<Record<string, Answer>> = {
  "413 with a negative limit": empty(413, '{"error":"the limit is -5 data points"}'),
  "413 with a limit of 0": empty(413, '{"error":"the limit is 0 data points"}'),
  "422": empty(422, '{"detail":[{"msg":"field required"}]}'),
  "307 to itself": empty(307, "", { Location: "/api/v1/measurements/query" }),
  "302 to an HTML page": empty(302, "", { Location: "/login" }),
};

/** Exchanges the responses of two concurrent requests, once for each start time. */
const exchanged = (): Behaviour => {
  const seen = new Set<number>();
  let waiting: { readonly answer: (body: Uint8Array) => void; readonly body: Uint8Array } | null = null;
  return {
    series(asked) {
      if (asked.points > 3 * 2_880) return { status: 413, body: '{"error":"at most 8640 data points"}' };
      if (seen.has(asked.startMs)) return undefined;
      seen.add(asked.startMs);
      return {
        ...answerOf(asked.rows()),
        send(response, bytes) {
          const own = { answer: (other: Uint8Array) => void response.end(other), body: bytes };
          const other = waiting;
          waiting = other === null ? own : null;
          if (other !== null) {
            other.answer(bytes);
            own.answer(other.body);
            return;
          }
          setTimeout(() => {
            if (waiting !== own) return;
            waiting = null;
            own.answer(bytes);
          }, 1_000);
        },
      };
    },
  };
};

const hourMs = START_MS + 6 * 3_600_000;
const no = (status: number): Reply => ({ status, body: '{"error":"no"}' });
const PART = { ...UNUSABLE, mostRequests: 900 } as const;

export const TRANSPORT: readonly Scenario[] = [
  ...firstAndAlways("transport", BROKEN),
  ...each(["transport"], SOUND, always),
  ...each(["transport", "always"], REFUSED, always, UNUSABLE),
  scenario(
    "transport: pieces of one byte",
    always((asked) =>
      asked.points > 240 ? { status: 413, body: '{"error":"240 data points"}' } : trickle(1, 0)(asked),
    ),
    {
      stations: 1,
      isLong: true,
    },
  ),
  scenario("transport: 40 bytes a second, of new cells", whenNew(trickle(4, 100)), { isLong: true }),
  scenario("transport: the responses of two requests are exchanged, once", exchanged, { days: 4, expected: "later" }),
  scenario(
    "transport: redirected to another address, always",
    always(() => ({
      status: 307,
      send(response) {
        response.setHeader("Location", `http://localhost:${response.socket?.localPort}/api/v1/measurements/query`);
        response.end();
      },
    })),
    { expected: "any", prints: /redirects requests to/, mostRequests: 10 },
  ),
  ...each(
    ["transport", "for one station"],
    { "400": 400, "404": 404, "408": 408, "413": 413, "500": 500, "503": 503 },
    (status) => always((asked) => (asked.stations.includes(1) ? no(status) : answerOf(asked.rows()))),
    { ...PART, expected: (station) => station === 1 },
  ),
  ...each(
    ["transport", "for one hour of all stations"],
    { "400": 400, "408": 408, "500": 500 },
    (status) =>
      always((asked) =>
        asked.startMs < hourMs + 3_600_000 && asked.endMs > hourMs ? no(status) : answerOf(asked.rows()),
      ),
    PART,
  ),
];
