import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { StallTimeout } from "#main/client/http/stallTimeout.ts";
import { CALLS, clientOf, EMPTY, httpServer, jsonResponse, KEY, QUERY, never, rawServer, STALL_MS } from "./servers.ts";

test("connections are reused after responses, compressed responses, errors and redirects", async () => {
  const packed = gzipSync(EMPTY);
  let n = 0;
  const server = await httpServer((request, response) => {
    if (request.url!.startsWith("/again")) response.end(EMPTY);
    else if (n++ % 4 === 1) response.writeHead(503).end('{"error":"later"}');
    else if (n % 4 === 3) response.writeHead(307, { Location: `/again${request.url}` }).end("there");
    else if (n % 4 === 0) response.writeHead(200, { "Content-Encoding": "gzip" }).end(packed);
    else response.end(EMPTY);
  });
  const client = clientOf(server.url);
  const kinds: (string | undefined)[] = [];
  for (let k = 0; k < 4; k++) for (const call of Object.values(CALLS)) kinds.push((await call(client))?.kind);
  expect(new Set(kinds)).toStrictEqual(new Set([undefined, "unavailable"]));
  // The pool opens a second connection if the first is about to become free.
  expect(server.opened()).toBeLessThanOrEqual(2);
});

test.each([1, 7, 40, 100_000])(
  "interim responses are read, 100 (Continue) too, in pieces of %d bytes",
  async (size) => {
    let n = 0;
    const server = await rawServer((socket) => {
      const interim = [
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 100\r\nX: y\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n",
        "",
      ];
      const bytes = Buffer.concat([Buffer.from(interim[n++ % 3]!), jsonResponse(EMPTY)]);
      const send = (from: number): void => {
        socket.write(bytes.subarray(from, from + size));
        if (from + size < bytes.length) setImmediate(send, from + size);
      };
      send(0);
    });
    const client = clientOf(server.url);
    for (let k = 0; k < 6; k++) expect(await CALLS["timeSeries"]!(client)).toBeNull();
    expect(server.opened()).toBeLessThanOrEqual(2);
  },
);

test("concurrent calls have separate connections and do not wait for each other", async () => {
  const waiting: (() => void)[] = [];
  const server = await httpServer((_, response) => {
    waiting.push(() => response.end(EMPTY));
    if (waiting.length === 20) for (const go of waiting) go();
  });
  const client = clientOf(server.url);
  const results = await Promise.all(Array.from({ length: 20 }, () => CALLS["timeSeries"]!(client)));
  expect(results.every((error) => error === null)).toBe(true);
  expect(server.opened()).toBe(20);
});

test("a body of another content is read only up to a limit", async () => {
  let written = 0;
  const server = await httpServer((_, response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, "x"))) written += 65_536;
    };
    response.on("drain", more);
    more();
  });
  const client = clientOf(server.url);
  expect(await CALLS["timeSeries"]!(client)).toMatchObject({ kind: "notTheService" });
  await expect.poll(server.closed).toBe(1);
  expect(written).toBeLessThan(20_000_000);
  // A page of the catalogue is read completely, up to a limit.
  expect(await CALLS["allStations"]!(client)).toMatchObject({ kind: "notTheService" });
  await expect.poll(server.closed).toBe(2);
  expect(written).toBeLessThan(150_000_000);
});

test("a slow reader does not count as a stall, only waiting for the network does", async () => {
  const row = '{"timestamp":"2026-01-01T00:00:00.000Z","station_id":"s1","ztd":1}';
  const server = await httpServer((_, response) => {
    response.write('{"data":[');
    let k = 0;
    const more = setInterval(() => {
      if (k++ < 12) response.write(`${k > 1 ? "," : ""}${Array.from({ length: 300 }, () => row).join(",")}`);
      else {
        clearInterval(more);
        response.end("]}");
      }
    }, 40);
  });
  let blocks = 0;
  const onRows = (): void => {
    blocks++;
    // Longer than the stall limit of the client, like a commit on a slow disk.
    const until = performance.now() + 500;
    while (performance.now() < until);
  };
  const result = await clientOf(server.url, KEY, STALL_MS).timeSeries(QUERY, { onRows }, never);
  expect(result).toMatchObject({ ok: true, value: { rows: 3_600 } });
  expect(blocks).toBeGreaterThan(1);
});

test("time in which this process was suspended does not end a request, but the connection has to prove itself soon", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "clearImmediate"] });
  onTestFinished(() => void vi.useRealTimers());
  let nowMs = 0;
  const pass = async (ms: number, suspendedMs = 0): Promise<void> => {
    nowMs += ms + suspendedMs;
    await vi.advanceTimersByTimeAsync(ms);
  };
  const stall = new StallTimeout(new AbortController().signal, 120_000, () => nowMs);
  const response = Promise.withResolvers<number>();
  const read = stall.wait(response.promise, (bytes) => bytes);
  // The timer is due while the computer sleeps for an hour.
  await pass(120_000, 3_600_000);
  await pass(9_000);
  expect(stall.stalled()).toBeNull();
  response.resolve(10);
  expect(await read).toBe(10);
  void stall.wait(new Promise<number>(() => {}), (bytes) => bytes);
  await pass(9_000);
  expect(stall.stalled()).toBeNull();
  await pass(2_000);
  expect(stall.stalled()).not.toBeNull();

  const lost = new StallTimeout(new AbortController().signal, 120_000, () => nowMs);
  void lost.wait(new Promise<number>(() => {}), (bytes) => bytes);
  await pass(120_000, 3_600_000);
  await pass(11_000);
  expect(lost.stalled()).not.toBeNull();
});
