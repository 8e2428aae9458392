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

  it("fault drip: the same body, in small chunks", async () => {
    const { service, response } = await withFault({ kind: "drip", pieceBytes: 40_000, delayMs: 5 });
    expect(jsonOf(response)).toEqual((await query(service, BODY)).json);
  });

  it("fault slow: the same response, later", async () => {
    const { service, response } = await withFault({ kind: "slow", delayMs: 30 });
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
  it("fault wrongCount: the rows are right, their count is not", async () => {
    const { service, response } = await withFault({ kind: "wrongCount", by: -3 });
    const right = (await query(service, BODY)).json;
    expect(jsonOf(response)).toEqual({ data: right.data, count: right.count - 3 });
  });

  it("fault unsorted: the same rows in another order", async () => {
    const { service, response } = await withFault({ kind: "unsorted" });
    const right = (await query(service, BODY)).json.data.map(keyOf);
    const keys = jsonOf(response).data.map(keyOf);
    expect(keys).not.toEqual(right);
    expect(keys.toSorted()).toEqual(right.toSorted());
  });

  it("fault duplicated: every row twice", async () => {
    const { service, response } = await withFault({ kind: "duplicated" });
    const right = (await query(service, BODY)).json.data.flatMap((r: Wire) => [r, r]);
    expect(jsonOf(response).data.toSorted((a: Wire, b: Wire) => (keyOf(a) < keyOf(b) ? -1 : 1))).toEqual(
      right.toSorted((a: Wire, b: Wire) => (keyOf(a) < keyOf(b) ? -1 : 1)),
    );
  });

  it("fault foreignStation: rows of a station that was not requested", async () => {
    const { response } = await withFault({ kind: "foreignStation" });
    const foreign = jsonOf(response).data.filter((r: Wire) => !IDS.includes(r.station_id));
    expect(foreign.length).toBeGreaterThan(100);
  });

  it("fault outOfRange: rows before and after the requested range", async () => {
    const { response } = await withFault({ kind: "outOfRange" });
    const times = jsonOf(response).data.map((r: Wire) => Date.parse(r.timestamp));
    expect(times[0]).toBeLessThan(Date.parse(BODY.start_time));
    expect(times.at(-1)).toBeGreaterThanOrEqual(Date.parse(BODY.end_time));
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
