import { gzipSync } from "node:zlib";
import { openService } from "../support/openService.ts";
import { afterAll, describe, expect, test } from "vitest";
import { createClient } from "#main/client/index.ts";
import { LIMIT_STYLES, NO_DATA_STYLES, RETRY_AFTER_STYLES } from "#service/options.ts";
import type { TimeSeriesQuery } from "#shared/service/query.ts";
import type { Variable } from "#shared/service/variables.ts";
import { formatUtc } from "#shared/time/utc.ts";
import { columnsFor, readWhole, type RowTable } from "./oracle.ts";
import { clientOf, httpServer, never } from "./servers.ts";
import { valueOf } from "../support/valueOf.ts";

/** The client against the reference service, over real HTTP. */

const KEY = "demo-key";
const service = await openService({ seed: 7 });
const client = createClient({ baseUrl: `${service.url}/api/v1/`, apiKey: () => KEY, stallMs: 20_000 });
afterAll(() => client.close());
const stations = valueOf(await client.allStations({}, never));
const ids = stations.items.map((station) => station.id);

function query(variables: readonly Variable[], days: number, more: Partial<TimeSeriesQuery> = {}): TimeSeriesQuery {
  const endMs = Date.UTC(2026, 0, 10);
  return {
    stationIds: ids.slice(0, 3),
    variables,
    startMs: endMs - days * 86_400_000,
    endMs,
    intervalSeconds: null,
    raw: false,
    ...more,
  };
}

async function table(q: TimeSeriesQuery): Promise<RowTable> {
  const rows: RowTable = {};
  const columns = columnsFor(q.variables);
  const result = await client.timeSeries(
    q,
    {
      onRows(block) {
        const list = (rows[block.stationId] ??= []);
        block.timesMs.forEach((timeMs, i) =>
          list.push([timeMs, ...columns.map((v) => (block.scalars[v] ?? block.texts[v])![i]!)]),
        );
      },
    },
    never,
  );
  if (!result.ok) throw new Error(result.error.message);
  expect(result.value.rows).toBe(Object.values(rows).flat().length);
  expect(Math.abs(result.value.serverTimeMs! - service.now())).toBeLessThan(60_000);
  return rows;
}

/** The same query by plain HTTP and JSON.parse. */
async function plainly(q: TimeSeriesQuery): Promise<RowTable> {
  const response = await fetch(`${service.url}/api/v1/measurements/query`, {
    method: "POST",
    headers: { "X-API-Key": KEY, "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({
      station_ids: q.stationIds,
      data_vars: q.variables,
      start_time: formatUtc(q.startMs),
      end_time: formatUtc(q.endMs),
      raw: q.raw,
      interval_seconds: q.intervalSeconds,
    }),
  });
  return readWhole(new Uint8Array(await response.arrayBuffer()), q.variables)!.table;
}

describe("a time series", () => {
  test.each([1, null])(
    "of %s decimals equals that of JSON.parse in every mode and with every form of missing values",
    async (decimals) => {
      for (const noData of NO_DATA_STYLES) {
        service.configure({ decimals, noData });
        for (const q of [
          query(["ztd", "ztd_sigma", "pwv"], 0.2),
          query(["pwv", "el", "snr"], 0.01),
          query(["ztd"], 2, { intervalSeconds: 900, raw: true }),
        ]) {
          expect(await table(q)).toStrictEqual(await plainly(q));
        }
      }
      service.configure({ decimals: 1, noData: "null" });
    },
  );

  test("has its limit parsed in every form of the service", async () => {
    for (const limitStyle of LIMIT_STYLES) {
      service.configure({ limitStyle });
      const result = await client.timeSeries(query(["ztd"], 300), { onRows() {} }, never);
      const limitPoints = limitStyle === "absent" ? null : 100_000;
      expect(result).toMatchObject({ ok: false, error: { kind: "tooLarge", limitPoints } });
    }
    service.configure({ limitStyle: "commas" });
  });

  test("of another organization is forbidden, and an unknown station is reported", async () => {
    const stranger = query(["ztd"], 1, { stationIds: ["00000000-0000-4000-8000-000000000000"] });
    const result = await client.timeSeries(stranger, { onRows() {} }, never);
    expect(result).toMatchObject({ ok: false, error: { kind: "forbidden" } });
    expect(await client.station(stranger.stationIds[0]!, "EGM2008", never)).toMatchObject({
      ok: false,
      error: { kind: "notFound" },
    });
  });
});

test("every form of Retry-After gives a bounded wait or none", async () => {
  const [demo] = service.organizations.filter((o) => o.name === "demo");
  service.setOrganization("demo", { maxConcurrent: 0 });
  for (const retryAfterStyle of RETRY_AFTER_STYLES) {
    service.configure({ retryAfterStyle });
    const result = await client.allNetworks(never);
    if (result.ok) throw new Error("accepted despite the limit");
    const wait = result.error.retryAfterMs;
    expect(result.error.kind).toBe("busy");
    expect(wait === null || (wait >= 0 && wait <= 600_000)).toBe(true);
  }
  service.configure({ retryAfterStyle: "seconds" });
  service.setOrganization("demo", { maxConcurrent: demo!.maxConcurrent });
});

test("a station, networks and nearest rows are complete", async () => {
  const one = await client.station(ids[3]!, "EGM2008", never);
  expect(one).toMatchObject({ ok: true, value: { id: ids[3], heightReference: "EGM2008" } });
  const networks = await client.allNetworks(never);
  expect(networks.ok && networks.value.items.length).toBe(6);
  const { rows, missingStationIds } = valueOf(
    await client.nearest(
      { stationIds: "all", variables: ["ztd"], timeMs: Date.UTC(2026, 0, 10), withinSeconds: 3_600, raw: false },
      never,
    ),
  );
  expect([...rows.map((r) => r.stationId), ...missingStationIds].toSorted()).toStrictEqual(ids.toSorted());
});

test("rows reach the caller with progress while the body is still arriving", async () => {
  const rows = Array.from({ length: 20_000 }, (_, k) =>
    JSON.stringify({ timestamp: new Date(k * 30_000).toISOString(), station_id: "s1", ztd: k }),
  );
  const body = `{"data":[${rows.join(",")}],"count":20000}`;
  const packed = gzipSync(body);
  const held: (() => void)[] = [];
  const server = await httpServer((_, response) => {
    response.writeHead(200, { "Content-Encoding": "gzip", "Content-Type": "application/json" });
    response.write(packed.subarray(0, packed.length - 1_000));
    held.push(() => response.end(packed.subarray(packed.length - 1_000)));
  });
  let seen = 0;
  let progress = 0;
  const result = await clientOf(server.url).timeSeries(
    { stationIds: ["s1"], variables: ["ztd"], startMs: 0, endMs: 1e9, intervalSeconds: null, raw: false },
    {
      onRows(block) {
        seen += block.timesMs.length;
        if (seen > 8_000) held.pop()?.();
      },
      onProgress(bodyBytes, rowsSoFar) {
        expect(bodyBytes).toBeGreaterThan(progress);
        expect(rowsSoFar).toBeGreaterThanOrEqual(seen);
        progress = bodyBytes;
      },
    },
    never,
  );
  expect(result).toMatchObject({ ok: true, value: { rows: 20_000, bodyBytes: body.length, irregularities: {} } });
  expect(seen).toBe(20_000);
});
