import type { Worker } from "node:worker_threads";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { openThreadScanner } from "#main/client/scanner/thread/threadScanner.ts";
import type { Variable } from "#shared/service/variables.ts";
import { regularBody, strangeBody } from "./bodies.ts";
import { collector, type RowTable, scan, type Scanned } from "./oracle.ts";
import { clientOf, httpServer, never, QUERY } from "./servers.ts";

// Scanned in a thread, a body gives what it gives when it is scanned here.

const VARIABLES: readonly Variable[] = ["ztd", "ztd_sigma", "pwv", "el"];

const workers: Worker[] = [];
process.on("worker", (worker) => workers.push(worker));

async function scanInThread(
  body: Uint8Array,
  variables: readonly Variable[],
  cuts: readonly number[] = [],
): Promise<Scanned> {
  const { table, onRows } = collector(variables);
  const scanner = openThreadScanner(variables, onRows);
  try {
    const places = [0, ...cuts.toSorted((a, b) => a - b), body.length];
    for (let k = 1; k < places.length; k++) {
      const piece = Uint8Array.from(body.subarray(places[k - 1]!, places[k]!));
      if (!(await scanner.push(piece))) break;
      piece.fill(0x7b);
    }
    return { fault: await scanner.end(), table, rows: scanner.rows(), anomalies: scanner.anomalies };
  } finally {
    scanner.drop();
  }
}

function cutsOf(body: Buffer): number[] {
  return Array.from({ length: body.length / 50_000 }, (_, k) => k * 50_000);
}

/** Rows of several stations in turn, of many batches: what comes back lies in memory that is used again. */
function largeBody(rows: number): Buffer {
  const startMs = Date.UTC(2026, 0, 1);
  const lines = Array.from({ length: rows }, (_, i) => {
    const timestamp = new Date(startMs + Math.floor(i / 3) * 30_000).toISOString();
    return JSON.stringify({
      timestamp,
      station_id: `s${i % 3}`,
      ztd: 2_400 + (i % 977) / 10,
      pwv: i % 7 ? null : i / 8,
    });
  });
  return Buffer.from(`{"data":[${lines.join(",")}],"count":${rows}}`);
}

it("gives the rows, the counts and the faults that it gives without a thread", async () => {
  const body = fc.oneof(regularBody, strangeBody).map((text) => Buffer.from(text));
  const cuts = fc.array(fc.nat({ max: 1_000_000 }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(body, cuts, fc.nat(30), async (bytes, places, cutOff) => {
      const part = bytes.subarray(0, bytes.length - cutOff);
      const within = places.map((place) => place % (part.length + 1));
      expect(await scanInThread(part, VARIABLES, within)).toStrictEqual(scan(part, VARIABLES, within));
    }),
    { numRuns: 300 },
  );
});

it("gives the same for bodies of many batches, several at a time", async () => {
  const bodies = [60_000, 25_000, 40_001].map(largeBody);
  const found = await Promise.all(bodies.map((body) => scanInThread(body, ["ztd", "pwv"], cutsOf(body))));
  found.forEach((scanned, k) => expect(scanned).toStrictEqual(scan(bodies[k]!, ["ztd", "pwv"])));
  expect(found.map((scanned) => scanned.rows)).toEqual([60_000, 25_000, 40_001]);
});

it("stops at what is no answer, lets go of a body that is left, and tells what the receiver threw", async () => {
  const page = Buffer.from(`<html>${"x".repeat(3_000_000)}</html>`);
  const everyPlace = Array.from({ length: 40 }, (_, k) => k * 70_000);
  expect((await scanInThread(page, ["ztd"], everyPlace)).fault?.why).toBe("otherShape");

  const body = largeBody(30_000);
  const left = openThreadScanner(["ztd", "pwv"], () => {
    throw new Error("no more rows after it was left");
  });
  left.push(body.subarray(0, 100_000));
  left.drop();
  expect((await scanInThread(body, ["ztd", "pwv"])).rows).toBe(30_000);

  const full = openThreadScanner(["ztd"], () => {
    throw new Error("the disk is full");
  });
  full.push(body);
  await expect(full.end()).rejects.toThrow("the disk is full");
  full.drop();
});

it("says that an answer was not read where the thread came to its end, and reads the next in another one", async () => {
  const body = largeBody(3_000);
  const goOn = Promise.withResolvers<void>();
  const server = await httpServer(async (_, response) => {
    response.writeHead(200, { "Content-Type": "application/json" });
    response.write(body.subarray(0, 100_000));
    await goOn.promise;
    response.end(body.subarray(100_000));
  });
  const client = clientOf(server.url);
  const { table } = scan(body, ["ztd", "pwv"]);
  const ask = async (onProgress: () => void = () => {}): Promise<RowTable | string> => {
    const { table: found, onRows } = collector(["ztd", "pwv"]);
    const query = { ...QUERY, stationIds: ["s0", "s1", "s2"], variables: ["ztd", "pwv"] as const };
    const answer = await client.timeSeries(query, { onRows, onProgress, requestPoints: 400_000 }, never);
    return answer.ok ? found : answer.error.message;
  };
  const endThread = (): void =>
    void workers
      .at(-1)!
      .terminate()
      .then(() => goOn.resolve());

  await scanInThread(body, ["ztd"]);
  const running = workers.length;
  // The first of a program is scanned here, whatever becomes of the thread.
  expect(await ask(endThread)).toStrictEqual(table);
  expect(await ask()).toStrictEqual(table);
  expect(workers).toHaveLength(running + 1);
  expect(await ask(endThread)).toMatch(/could not be read to its end.*Nothing of it was kept; it is asked again\./s);
  expect(await ask()).toStrictEqual(table);
  expect(workers).toHaveLength(running + 2);
  await client.close();
});
