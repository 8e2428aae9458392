import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { isTemporary, meaningOf } from "#main/planner/failures.ts";
import type { ServiceErrorKind } from "#shared/service/error.ts";
import { IS_GATE } from "../support/endurance.ts";
import { CALLS, clientOf, EMPTY, httpServer, jsonResponse, KEY, never, QUERY, rawServer, STALL_MS } from "./servers.ts";

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
const PAGE = "<!DOCTYPE html><html><body>Please log in</body></html>";
const gzipped = gzipSync(EMPTY);
const bomb = gzipSync(`{"data":[${" ".repeat(80_000_000)}],"count":0}`);
const deep = `{"x":${"[".repeat(50_000)}${"]".repeat(50_000)},${EMPTY.slice(1)}`;

function send(text: string | Buffer): (socket: Socket) => void {
  return (socket) => void socket.end(text);
}

function reset(text: string): (socket: Socket) => void {
  return (socket) => {
    socket.write(text);
    void delay(50).then(() => socket.resetAndDestroy());
  };
}

const stall = (text: string) => (socket: Socket) => void socket.write(text);

async function drip(socket: Socket): Promise<void> {
  socket.write(`${HEAD}Content-Length: 100000\r\n\r\n`);
  while (socket.writable) {
    socket.write(" ");
    await delay(20);
  }
}

/** Sends interim responses as fast as the client reads them. */
async function sendHints(socket: Socket): Promise<void> {
  while (socket.writable) {
    if (!socket.write("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(40))) await once(socket, "drain");
    await delay(1);
  }
}

/** What the server does, and the possible kinds of failure; null for none. */
const MISBEHAVIOUR: readonly [string, (socket: Socket) => void, (ServiceErrorKind | null)[]][] = [
  ["closes before a response", (socket) => socket.end(), ["network"]],
  ["resets before a response", (socket) => socket.resetAndDestroy(), ["network"]],
  ["closes within the headers", send("HTTP/1.1 200 O"), ["network"]],
  ["never responds", stall(""), ["network"]],
  ["stalls within the headers", stall("HTTP/1.1 200 OK\r\nContent-"), ["network"]],
  ["resets within the body", reset(`${HEAD}Content-Length: 500\r\n\r\n{"data":[`), ["network", "truncated"]],
  ["stalls within the body", stall(`${HEAD}Content-Length: 500\r\n\r\n{"data":[`), ["network"]],
  ["sends single bytes slowly", (socket) => void drip(socket), ["network"]],
  ["sends only interim responses", (socket) => void sendHints(socket), ["network"]],
  [
    "switches protocols",
    stall("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    ["notTheService"],
  ],
  // Whether the head is read before the end of the connection is a matter of time.
  [
    "states too large a length",
    send(`${HEAD}Content-Length: ${EMPTY.length + 9}\r\n\r\n${EMPTY}`),
    ["truncated", "network"],
  ],
  ["states too small a length", send(`${HEAD}Content-Length: 9\r\n\r\n${EMPTY}`), ["truncated", "notTheService"]],
  ["truncates a chunked body", send(`${HEAD}Transfer-Encoding: chunked\r\n\r\n9\r\n{"data":[\r\n`), ["truncated"]],
  [
    "sends an invalid chunk length",
    send(`${HEAD}Transfer-Encoding: chunked\r\n\r\n9\r\n{"data":[\r\nzz\r\n`),
    ["truncated"],
  ],
  [
    "truncates a body without length",
    send(`${HEAD}Connection: close\r\n\r\n${EMPTY.slice(0, 40)}`),
    ["truncated", "notTheService"],
  ],
  ["truncates gzip", send(jsonResponse(gzipped.subarray(0, -12), "Content-Encoding: gzip\r\n")), ["truncated"]],
  [
    "sends invalid gzip",
    send(jsonResponse(Buffer.from("no gzip at all"), "Content-Encoding: gzip\r\n")),
    ["truncated"],
  ],
  ["sends a decompression bomb", send(jsonResponse(bomb, "Content-Encoding: gzip\r\n")), ["notTheService"]],
  ["uses an unknown encoding", send(jsonResponse(EMPTY, "Content-Encoding: zip\r\n")), ["notTheService"]],
  ["uses another protocol", send("SSH-2.0-OpenSSH_9.6\r\n"), ["notTheService"]],
  [
    "sends endless headers",
    send(`HTTP/1.1 200 OK\r\n${"X-Filler: 1234567890\r\n".repeat(20_000)}\r\n`),
    ["notTheService"],
  ],
  ["sends an HTML page as JSON", send(jsonResponse(PAGE)), ["notTheService"]],
  [
    "sends an HTML page",
    send(jsonResponse(PAGE).toString().replace("application/json", "text/html; charset=utf-8")),
    ["notTheService"],
  ],
  [
    "sends NetCDF",
    send(jsonResponse("\x89HDF").toString("latin1").replace("application/json", "application/x-netcdf")),
    ["notTheService"],
  ],
  ["sends 204", send("HTTP/1.1 204 No Content\r\n\r\n"), ["notTheService", null]],
  ["sends an empty body", send(jsonResponse("")), ["notTheService", "unusable"]],
  ["sends other text", send(jsonResponse("data: []")), ["notTheService"]],
  ["sends other JSON", send(jsonResponse('{"hello":"world"}')), ["notTheService"]],
  ["sends a list", send(jsonResponse("[]")), ["notTheService", null]],
  ["sends garbage after the end", send(jsonResponse(`${EMPTY}garbage`)), ["notTheService", "truncated"]],
  ["sends an error with 200", send(jsonResponse('{"error":"the index is gone"}')), ["unavailable"]],
  [
    "sends an error of the catalogue with 200",
    send(jsonResponse('{"message":"gone","code":"X","details":{}}')),
    ["unavailable"],
  ],
  ["sends a limit with 200", send(jsonResponse('{"error":"The limit is 5,000 data points"}')), ["tooLarge"]],
  ["requires a login to the network", send("HTTP/1.1 511 Login\r\nContent-Length: 0\r\n\r\n"), ["notTheService"]],
  // Unusual but valid responses.
  ["sends a byte order mark", send(jsonResponse(`\ufeff${EMPTY}`)), [null]],
  ["nests deeply", send(jsonResponse(deep)), [null]],
  ["states the type text", send(jsonResponse(EMPTY).toString().replace("application/json", "text/plain")), [null]],
  ["states no type", send(jsonResponse(EMPTY).toString().replace("Content-Type: application/json\r\n", "")), [null]],
  ["sends gzip without a request for it", send(jsonResponse(gzipped, "Content-Encoding: gzip\r\n")), [null]],
  ["ends a complete body by closing", send(`${HEAD}Connection: close\r\n\r\n${EMPTY}`), [null]],
];

const ALL_CALLS = Object.entries(CALLS).map(([name, call], k) => ({ name, call, k }));
/** In the gate, the calls take turns. */
const isTurn = (k: number, i: number): boolean => !IS_GATE || i % ALL_CALLS.length === k;

describe.each(ALL_CALLS)("$name, where the server", ({ call, k }) => {
  test.concurrent.each(MISBEHAVIOUR.filter((_, i) => isTurn(k, i)))("%s", async (_name, answer, kinds) => {
    const server = await rawServer(answer);
    const error = await call(clientOf(server.url, KEY, kinds.includes("network") ? STALL_MS : undefined));
    expect(kinds).toContain(error?.kind ?? null);
    // A message for the user, and a cause for the log.
    expect(error === null || (/^[A-Z0-9].{20,}[.”]$/s.test(error.message) && error.cause !== null)).toBe(true);
  });
});

/** What a download does after a status: by its class, unless HTTP or the specification give it a meaning of its own. */
function reactionTo(status: number): string {
  if (status === 401 || status === 407) return "stop";
  if (status === 429) return "wait";
  const isAboutRequest = status >= 400 && status < 500 && ![408, 413, 425].includes(status);
  return isAboutRequest ? "isolate" : "narrow";
}

/** Whether the same request may succeed soon. */
const passesSoon = (status: number): boolean => [425, 429].includes(status) || (status >= 500 && status !== 511);

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const STATUSES = [206, 304, ...range(400, 431), 451, ...range(500, 511), 599];

describe("a status", () => {
  test.each(STATUSES)("%i is named in a sentence, and has the reaction of its class, with any body", async (status) => {
    const bodies = [
      '{"error":"Because so."}',
      '{"message":"Because so.","code":"X","details":{}}',
      "Because so.",
      PAGE,
      "",
    ];
    for (const { name, call, k } of ALL_CALLS) {
      for (const body of bodies.filter((_, i) => isTurn(k, i + status))) {
        const server = await httpServer((_, response) => {
          response.writeHead(status, { "Content-Type": body === PAGE ? "text/html" : "application/json" }).end(body);
        });
        const error = (await call(clientOf(server.url)))!;
        // Only a firewall refuses with a page: it knows nothing about the rights of the key.
        const reaction = status === 403 && body === PAGE ? "narrow" : reactionTo(status);
        expect({ name, status: error.status, reaction: meaningOf(error).reaction }).toStrictEqual({
          name,
          status,
          reaction,
        });
        expect(isTemporary(error)).toBe(passesSoon(status));
        expect(error.message).toContain(String(status));
        expect(error.message).not.toContain("<");
        // After a command, nothing retries automatically.
        expect(error.message).not.toMatch(/is (tried|asked) again|next one waits/i);
        expect(error.message.includes("Because so.")).toBe(body.includes("Because so.") && status !== 304);
      }
    }
  });

  test("with an endless error body is read up to a limit", async () => {
    const server = await httpServer((_, response) => {
      response.writeHead(503, { "Retry-After": "7" });
      const more = (): boolean => response.write("x".repeat(65_536)) && more();
      response.on("drain", more);
      more();
    });
    const error = await CALLS["timeSeries"]!(clientOf(server.url));
    expect(error).toMatchObject({ kind: "unavailable", retryAfterMs: 7_000 });
    expect(error!.message.length + error!.cause!.length).toBeLessThan(1_000);
  });

  test("with a slow error body uses the part that arrived", async () => {
    const server = await rawServer((socket) => {
      socket.write('HTTP/1.1 413 Large\r\nContent-Length: 9000\r\n\r\n{"error":"at most 5,000 data points"');
      const timer = setInterval(() => socket.write(" "), 5);
      socket.on("close", () => clearInterval(timer));
    });
    const error = await CALLS["timeSeries"]!(clientOf(server.url, KEY, STALL_MS));
    expect(error).toMatchObject({ kind: "tooLarge", limitPoints: 5_000 });
  });

  test("with a date in Retry-After is measured on the service's clock", async () => {
    const server = await httpServer((_, response) => {
      response.writeHead(429, {
        Date: "Thu, 01 Jan 2015 00:00:00 GMT",
        "Retry-After": "Thu, 01 Jan 2015 00:00:09 GMT",
      });
      response.end('{"error":"too many"}');
    });
    expect(await CALLS["nearest"]!(clientOf(server.url))).toMatchObject({ kind: "busy", retryAfterMs: 9_000 });
  });
});

describe("without a server", () => {
  test("a refused connection and an unknown name are network failures with different messages", async () => {
    const call = CALLS["allStations"]!;
    expect(await call(clientOf("http://127.0.0.1:1"))).toMatchObject({
      kind: "network",
      message: expect.stringContaining("refused"),
    });
    const unknown = await call(clientOf("http://no-such-host.invalid"));
    expect(unknown).toMatchObject({ kind: "network", message: expect.stringContaining("no-such-host.invalid") });
  });

  test("an invalid address fails every call with a message", async () => {
    const errors = await Promise.all(Object.values(CALLS).map((call) => call(clientOf("gnss.example.org"))));
    expect(errors.map((e) => [e?.kind, e?.message.includes("https://gnss.example.org")])).toStrictEqual(
      errors.map(() => ["invalid", true]),
    );
  });

  test("a call without a key, or with an invalid one, sends nothing", async () => {
    const server = await httpServer((_, response) => response.end(EMPTY));
    for (const key of [null, "", "two words", "line\nbreak", "ключ"]) {
      expect(await CALLS["timeSeries"]!(clientOf(server.url, key))).toMatchObject({
        kind: "unauthorized",
        status: null,
      });
    }
    expect(server.heads).toStrictEqual([]);
  });
});

describe("an endless response", () => {
  const ROW = `,{"timestamp":"2026-01-01T00:00:00.000Z","station_id":"a","ztd":2400}`;
  const ROWS = ROW.repeat(1_000);

  test.each([
    ["quickly", 0, 0],
    ["slowly", 20, 20],
  ])("is aborted when it arrives %s", async (_, afterPieces, waitMs) => {
    const server = await httpServer((_, response) => {
      response.writeHead(200, { "Content-Type": "application/json" }).write(`{"data":[${ROW.slice(1)}`);
      void (async () => {
        for (let n = 0; !response.destroyed; n++) {
          if (n >= afterPieces && waitMs > 0) await delay(waitMs);
          else await new Promise(setImmediate);
          if (!response.writableNeedDrain) response.write(n < afterPieces || waitMs === 0 ? ROWS : ROW.repeat(10));
        }
      })();
    });
    const client = clientOf(server.url, KEY, 200);
    const answer = await client.timeSeries(QUERY, { onRows() {}, usualBytes: 1_000 }, never);
    const message = expect.stringMatching(/^The answer of .* has no end and was discarded\.$/);
    expect(answer).toMatchObject({ ok: false, error: { kind: "truncated", message } });
    await expect.poll(server.closed).toBe(1);
  });
});

describe("an abort", () => {
  test.each([
    ["before the head", ""],
    ["inside the body", `${HEAD}Content-Length: 500\r\n\r\n{"data":[`],
  ])("%s ends the call at once and closes the connection", async (_, text) => {
    for (const call of Object.values(CALLS)) {
      const server = await rawServer((socket) => void socket.write(text));
      const stop = new AbortController();
      const answer = call(clientOf(server.url), stop.signal);
      await expect.poll(() => server.heads.length).toBe(1);
      stop.abort();
      expect(await answer).toMatchObject({ kind: "cancelled" });
      await expect.poll(server.closed).toBe(1);
    }
  });

  test("before a call sends nothing", async () => {
    const server = await httpServer((_, response) => response.end(EMPTY));
    const error = await CALLS["nearest"]!(clientOf(server.url), AbortSignal.abort());
    expect(error?.kind).toBe("cancelled");
    expect(server.heads).toStrictEqual([]);
  });
});

describe("the key", () => {
  test("is in the header of every request, and in no address, body or error, although the server repeats it", async () => {
    const server = await httpServer((_, response) => {
      response.writeHead(400, `Bad ${KEY}`, { "X-Echo": KEY, Location: `/${KEY}` });
      response.end(JSON.stringify({ error: `Key ${KEY} (${Buffer.from(KEY).toString("base64")}) may not do this` }));
    });
    const client = clientOf(server.url);
    for (const call of Object.values(CALLS)) {
      const error = await call(client);
      expect(JSON.stringify(error)).not.toContain(KEY);
      expect(JSON.stringify(error)).not.toContain(Buffer.from(KEY).toString("base64"));
      expect(error?.message).toContain("[key]");
    }
    for (const head of server.heads) expect(head.split(KEY)).toHaveLength(2);
    expect(server.heads.every((head) => head.includes(`"x-api-key":"${KEY}"`))).toBe(true);
  });
});
