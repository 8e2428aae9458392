import { expect, test } from "vitest";
import type { NearestQuery } from "#shared/service/query.ts";
import { clientOf, httpServer, never } from "./servers.ts";
import { valueOf } from "../support/valueOf.ts";

const QUERY: NearestQuery = {
  stationIds: "all",
  variables: ["ztd", "el"],
  timeMs: Date.UTC(2026, 0, 1, 12),
  withinSeconds: 600,
  raw: false,
};

function respondingWith(body: unknown): ReturnType<typeof httpServer> {
  return httpServer((_, response) => response.end(typeof body === "string" ? body : JSON.stringify(body)));
}

test("parameters are encoded as in the specification", async () => {
  const server = await respondingWith({ time: "2026-01-01T12:00:00.000Z", data: [], missing_station_ids: [] });
  const client = clientOf(server.url);
  await client.nearest(QUERY, never);
  await client.nearest({ ...QUERY, stationIds: ["a", "b"], timeMs: null, raw: true }, never);
  expect(server.heads.map((head) => head.split(" ")[1])).toStrictEqual([
    "/api/v1/measurements/nearest?station_ids=all&data_vars=ztd,el&time=2026-01-01T12%3A00%3A00.000Z&within_seconds=600",
    "/api/v1/measurements/nearest?station_ids=a,b&data_vars=ztd,el&within_seconds=600&raw=true",
  ]);
});

test("rows in unusual forms are read, and those without a station or time discarded", async () => {
  const server = await respondingWith(`{"time":"2026-01-01T12:00:00.000Z","data":[
    {"timestamp":"2026-01-01T11:59:30.000Z","station_id":"a","display_name":"A","ztd":2301.5,"el":"45,12","prn":"G01,G02"},
    {"timestamp":"2026-01-01T11:59:30Z","receiver_id":"b","ztd":NaN,"el":null},
    {"timestamp":"2026-01-01T11:59:30Z","station_id":"c","ztd":"2300.5","prn":["G01","G02"]},
    {"timestamp":"soon","station_id":"d"}, {"timestamp":"2026-01-01T11:59:30Z"}, null
  ],"count":6}`);
  const result = await clientOf(server.url).nearest({ ...QUERY, stationIds: ["a", "b", "c", "d"] }, never);
  const timeMs = Date.UTC(2026, 0, 1, 11, 59, 30);
  expect(result).toMatchObject({
    ok: true,
    value: {
      momentsMs: [QUERY.timeMs],
      rows: [
        { stationId: "a", displayName: "A", timeMs, values: { ztd: 2301.5, el: "45,12", prn: "G01,G02" } },
        { stationId: "b", displayName: "", timeMs, values: { ztd: null, el: null, prn: null } },
        { stationId: "c", displayName: "", timeMs, values: { ztd: 2300.5, el: null, prn: "G01,G02" } },
      ],
      timelessIds: ["d"],
      receivedRows: 6,
      irregularities: { convertedValue: 2, unreadableTime: 2, foreignStation: 1 },
    },
  });
});

test("a long list is requested in parts with short addresses, each station once, and the parts are merged", async () => {
  const server = await httpServer((request, response) => {
    const ids = new URL(request.url!, "http://x").searchParams.get("station_ids")!.split(",");
    const [missing, ...found] = ids;
    response.end(
      JSON.stringify({
        time: `2026-01-01T12:00:0${server.heads.length}.000Z`,
        data: found.map((station_id) => ({ timestamp: "2026-01-01T11:59:30.000Z", station_id, ztd: 1 })),
        missing_station_ids: [missing],
      }),
    );
  });
  const ids = Array.from({ length: 500 }, (_, k) => `3f2b8a3e-1f0a-4c55-9d1b-${String(k).padStart(12, "0")}`);
  const { rows, missingStationIds, momentsMs } = valueOf(
    await clientOf(server.url).nearest({ ...QUERY, stationIds: [...ids, ids[0]!], timeMs: null }, never),
  );
  expect([...rows.map((row) => row.stationId), ...missingStationIds].toSorted()).toStrictEqual(ids);
  expect(momentsMs).toStrictEqual([1, 2, 3, 4].map((second) => Date.UTC(2026, 0, 1, 12, 0, second)));
  expect(server.heads).toHaveLength(4);
  expect(server.heads.every((head) => head.split(" ")[1]!.length <= 6_000)).toBe(true);
});

test("a failed part fails the call; an empty list sends no request", async () => {
  const server = await httpServer((_, response) => response.writeHead(403).end('{"error":"no"}'));
  const client = clientOf(server.url);
  expect(await client.nearest({ ...QUERY, stationIds: ["a"] }, never)).toMatchObject({ error: { kind: "forbidden" } });
  server.heads.length = 0;
  expect(await client.nearest({ ...QUERY, stationIds: [] }, never)).toMatchObject({ ok: true, value: { rows: [] } });
  expect(server.heads).toStrictEqual([]);
});

test("rows and missing stations have the requested ids in any spelling of the service", async () => {
  const ids = ["3f2b8a3e-1f0a-4c55-9d1b-0000000000aa", "3f2b8a3e-1f0a-4c55-9d1b-0000000000bb"];
  const server = await httpServer((_, response) => {
    const row = { timestamp: "2026-01-01T00:00:00.000Z", station_id: `{${ids[0]!.toUpperCase()}}`, ztd: 1 };
    const foreign = { ...row, station_id: "3f2b8a3e-1f0a-4c55-9d1b-0000000000cc" };
    response.end(JSON.stringify({ data: [row, foreign], missing_station_ids: [ids[1]!.replaceAll("-", "")] }));
  });
  const query = { stationIds: ids, variables: ["ztd" as const], timeMs: 0, withinSeconds: 60, raw: false };
  const result = await clientOf(server.url).nearest(query, never);
  expect(result).toMatchObject({ ok: true, value: { rows: [{ stationId: ids[0] }], missingStationIds: [ids[1]] } });
});
