import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import type { Fault, RunningService } from "#service/index.ts";
import { call, callQuery, get, jsonOf, query, type Received, type Wire } from "./call.ts";
import { started, WORLD } from "./start.ts";

const IDS = WORLD.stations.slice(0, 2).map((s) => s.id);
const BODY = {
  start_time: "2026-01-01T00:00:00Z",
  end_time: "2026-01-01T06:00:00Z",
  station_ids: IDS,
  data_vars: ["ztd"],
};
const ACCEPT = { Accept: "application/json" };

const keyOf = (r: Wire): string => `${r.timestamp} ${r.station_id}`;
const sorted = (rows: Wire[]): Wire[] => rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));

async function withFault(
  fault: Fault,
  headers: Record<string, string> = ACCEPT,
): Promise<{ service: RunningService; response: Received }> {
  const service = await started({ faults: [{ fault, next: 1 }] });
  return { service, response: await callQuery(service, BODY, { headers }) };
}

describe("faults of the transport", () => {
  it("fault resetBefore: the connection is reset before the head", async () => {
    await expect(withFault({ kind: "resetBefore" })).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it("fault resetInside: the connection is reset within the body", async () => {
    const { service, response } = await withFault({ kind: "resetInside", afterBytes: 1000 });
    expect([response.status, response.isComplete, response.body.length <= 1000]).toEqual([200, false, true]);
    expect(service.stats.underWay).toBe(0);
  });

  it("fault truncated: a chunked body, or one shorter than its Content-Length", async () => {
    for (const how of ["chunked", "length"] as const) {
      const { response } = await withFault({ kind: "truncated", how, afterBytes: 1000 });
      expect([how, response.status, response.isComplete, response.body.length]).toEqual([how, 200, false, 1000]);
      expect("content-length" in response.headers).toBe(how === "length");
    }
  });

  it("fault truncated: a complete message with half of the JSON or gzip", async () => {
    const json = (await withFault({ kind: "truncated", how: "json", afterBytes: 1000 })).response;
    expect([json.isComplete, json.body.length]).toEqual([true, 1000]);
    const headers = { ...ACCEPT, "Accept-Encoding": "gzip" };
    const gzip = (await withFault({ kind: "truncated", how: "gzip", afterBytes: 1000 }, headers)).response;
    expect([gzip.isComplete, gzip.body.length]).toEqual([true, 1000]);
    expect(() => jsonOf(gzip)).toThrow("unexpected end of file");
  });

  it.each<Fault>([
    { kind: "drip", pieceBytes: 40_000, delayMs: 5 },
    { kind: "slow", delayMs: 30 },
  ])("fault $kind: the same body, later or in small chunks", async (fault) => {
    const { service, response } = await withFault(fault);
    expect(jsonOf(response)).toEqual((await query(service, BODY)).json);
  });

  it("fault html: a web page with status 200", async () => {
    const { response } = await withFault({ kind: "html" });
    expect([response.status, response.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(response.body.toString()).toMatch(/^<!doctype html>/);
  });

  it("fault redirect: to this origin or another, never with the key", async () => {
    const same = (await withFault({ kind: "redirect" })).response;
    expect([same.status, same.headers.location]).toEqual([307, "/api/v1/measurements/query"]);
    const other = (await withFault({ kind: "redirect", origin: "http://127.0.0.1:9", status: 302 })).response;
    expect([other.status, other.headers.location]).toEqual([302, "http://127.0.0.1:9/api/v1/measurements/query"]);
  });
});

describe("faults of the rows", () => {
  it.each<[Fault, (rows: Wire[], right: Wire[]) => unknown]>([
    [{ kind: "unsorted" }, (rows, right) => isDeepStrictEqual(sorted(rows), right) && !isDeepStrictEqual(rows, right)],
    [{ kind: "duplicated" }, (rows, right) => isDeepStrictEqual(sorted(rows), sorted([...right, ...right]))],
    [{ kind: "foreignStation" }, (rows) => rows.filter((r) => !IDS.includes(r.station_id)).length > 100],
    [{ kind: "outOfRange" }, (rows) => rows[0].timestamp < BODY.start_time && rows.at(-1).timestamp >= BODY.end_time],
  ])("fault %j: changes the rows in this way", async (fault, isSo) => {
    const { service, response } = await withFault(fault);
    expect(isSo(jsonOf(response).data, sorted((await query(service, BODY)).json.data))).toBe(true);
  });

  it("fault wrongCount: the rows are right, their count is not", async () => {
    const { service, response } = await withFault({ kind: "wrongCount", by: -3 });
    const right = (await query(service, BODY)).json;
    expect(jsonOf(response)).toEqual({ data: right.data, count: right.count - 3 });
  });
});

async function statusesWith(faultSeed: number): Promise<number[]> {
  const service = await started({ faults: [{ fault: { kind: "status", status: 503 }, probability: 0.3 }], faultSeed });
  for (let i = 0; i < 100; i++) await call(service, "/api/v1/networks");
  return service.stats.log.map((r) => r.status);
}

describe("times of faults", () => {
  it("fault rules: only some endpoints, only the next requests", async () => {
    const service = await started();
    service.setFaults([{ fault: { kind: "status", status: 503 }, endpoints: ["networks"], next: 2 }]);
    const statuses: number[] = [];
    for (const path of ["/stations", "/networks", "/networks", "/networks"])
      statuses.push((await get(service, path)).status);
    expect(statuses).toEqual([200, 503, 503, 200]);
    expect(service.stats.log.map((r) => r.faults)).toEqual([[], ["status"], ["status"], []]);
  });

  it("fault rules: at random, with the same result for the same seed", async () => {
    const [first, again, other] = [await statusesWith(1), await statusesWith(1), await statusesWith(2)];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    const failed = first.filter((status) => status === 503).length;
    expect(failed > 15 && failed < 45).toBe(true);
  });
});
