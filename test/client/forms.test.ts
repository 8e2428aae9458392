import { describe, expect, test } from "vitest";
import type { BodyVerdict } from "#main/client/scanner/bodyForms.ts";
import { clientOf, httpServer, never, QUERY } from "./servers.ts";
import { scan } from "./oracle.ts";

/**
 * The promise: a response is data if its rows can be read, whatever else it says; without readable data it is a failure.
 * Only a larger `count` and an `error` beside the rows make it one that lacks some.
 */

const ROW = '{"timestamp":"2026-01-01T00:00:00.000Z","station_id":"s1","ztd":1}';

type Meaning = BodyVerdict | "partial";

const FORMS: readonly [body: string, meaning: Meaning][] = [
  [`{"data":[${ROW}],"count":1}`, "data"],
  [`{"data":[${ROW}]}`, "data"],
  [`[${ROW}]`, "data"],
  [`{"data":[${ROW}],"count":"1"}`, "data"],
  [`{"data":[${ROW}],"error":null}`, "data"],
  [`{"data":[${ROW}],"error":{"code":0,"message":""}}`, "data"],
  [`{"data":[${ROW}],"status":"transferred","cursor":"end","failed_checks":4,"success":false}`, "data"],
  [`{"data":[${ROW}],"details":"Values before 2020 have degraded accuracy.","warnings":["truncated"]}`, "data"],
  [`{"data":[${ROW}],"count":2}`, "partial"],
  [`{"data":[${ROW}],"error":"deadline"}`, "partial"],
  [`{"data":[${ROW}],"error":{"message":"deadline"}}`, "partial"],
  ['{"data":[{"timestamp":1767225600000},{}]}', "unusable"],
  ['{"data":[],"count":0}', "data"],
  [' {"data" : [ ] } ', "data"],
  ["[]", "data"],
  ['{"data":[],"count":0,"status":"failed","message":"The database is being moved"}', "data"],
  ['{"data":[],"count":0,"error":"the index is gone"}', "partial"],
  ['{"data":[],"count":0,"error":{"detail":{"inner":["the index is gone"]}}}', "partial"],
  ['{"data":[],"count":0,"error":true}', "partial"],
  ['{"data":[],"count":5}', "partial"],
  ['{"count":0}', "data"],
  ['{"count":3}', "unusable"],
  ['{"data":null,"count":0}', "data"],
  ['{"data":null}', "data"],
  ['{"data":{}}', "unusable"],
  ['{"data":""}', "unusable"],
  ['{"error":"gone"}', "refused"],
  ['{"error":{"message":"gone"}}', "refused"],
  ['{"message":"gone","code":"X","details":{}}', "refused"],
  ["{}", "unusable"],
  ["", "unusable"],
  [" \r\n\t ", "unusable"],
  ["\ufeff", "unusable"],
  ['{"hello":"world"}', "otherShape"],
];

test.each(FORMS)("%s is %s", async (body, meaning) => {
  const bytes = Buffer.from(body);
  for (const cuts of [[], Array.from({ length: bytes.length }, (_, k) => k)]) {
    const { fault } = scan(bytes, ["ztd"], cuts);
    expect(fault?.why ?? "data").toBe(meaning === "partial" ? "data" : meaning);
  }
  const result = await resultOf(200, body);
  const isData = meaning === "data" || meaning === "partial";
  expect(result.ok ? result.value.isPartial : "failed").toBe(isData ? meaning === "partial" : "failed");
  // A user is told of an error that comes with the rows.
  const reported = result.ok && result.value.irregularities.reportedError === 1;
  expect(reported).toBe(isData && /"error":(?!null|\{"code":0)/.test(body));
});

const DATE = new Date(QUERY.endMs).toUTCString();

async function resultOf(status: number, body: string, headers: Readonly<Record<string, string>> = {}) {
  const server = await httpServer((_, response) => {
    response.writeHead(status, { "Content-Type": "application/json", Date: DATE, ...headers }).end(body);
  });
  return clientOf(server.url).timeSeries(QUERY, { onRows() {} }, never);
}

describe("over HTTP", () => {
  test("a copy that a proxy had kept is told", async () => {
    expect(await resultOf(200, `{"data":[${ROW}]}`, { Age: "600" })).toMatchObject({
      value: { isPartial: true, irregularities: { olderCopy: 1 } },
    });
  });

  test.each([
    [204, ""],
    [404, '{"error":"No data in this range"}'],
    [404, '{"error":"“Kallio” has no observations in this range."}'],
    [404, "no observations found"],
    [200, "[]"],
  ])("%i with %s is a response without rows", async (status, body) => {
    expect(await resultOf(status, body)).toMatchObject({
      ok: true,
      value: { rows: 0, irregularities: {}, serverTimeMs: QUERY.endMs },
    });
  });

  test.each([
    [404, '{"error":"Station not found"}', "notFound"],
    [200, "null", "unusable"],
    [200, "17", "unusable"],
    [200, "", "unusable"],
    [200, "{}", "unusable"],
    [200, '{"data":[],"count":0,"error":{"message":"The limit is 5,000 data points"}}', "tooLarge"],
    [200, "OK", "notTheService"],
  ])("%i with %s is a failure: %s", async (status, body, kind) => {
    expect(await resultOf(status, body)).toMatchObject({ ok: false, error: { kind } });
  });

  test("lists of the catalogue and nearest rows with an additional error are failures", async () => {
    const beside = { error: { message: "shard 3 did not answer" } };
    const page = {
      stations: [],
      networks: [],
      pagination: { page: 1, page_size: 200, total_items: 0, total_pages: 0 },
    };
    const server = await httpServer((_, response) => {
      response.end(JSON.stringify({ ...page, data: [], count: 0, missing_station_ids: ["s1"], ...beside }));
    });
    const client = clientOf(server.url);
    const nearest = { stationIds: ["s1"], variables: ["ztd" as const], timeMs: 0, withinSeconds: 60, raw: false };
    for (const result of [
      await client.allStations({}, never),
      await client.allNetworks(never),
      await client.nearest(nearest, never),
    ]) {
      expect(result).toMatchObject({ ok: false, error: { message: expect.stringContaining("shard 3") } });
    }
  });
});
