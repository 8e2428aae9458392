import { describe, expect, test } from "vitest";
import type { BodyVerdict } from "#main/client/scanner/bodyForms.ts";
import { saysNoData } from "#main/client/errors/bodyReport.ts";
import { clientOf, httpServer, never, QUERY } from "./servers.ts";
import { createRowScanner } from "#main/client/scanner/scanner.ts";
import { collector, scan } from "./oracle.ts";

/** All forms of a response with status 200 without rows, or with a message in addition to its rows. */

const ROW = '{"timestamp":"2026-01-01T00:00:00.000Z","station_id":"s1","ztd":1}';

const FORMS: readonly [body: string, verdict: BodyVerdict][] = [
  [`{"data":[${ROW}],"count":1}`, "rows"],
  [`{"data":[${ROW}]}`, "rows"],
  [`[${ROW}]`, "rows"],
  [`{"data":[${ROW}],"count":"1"}`, "rows"],
  [`{"data":[${ROW}],"error":null}`, "rows"],
  [`{"data":[${ROW}],"errors":[]}`, "rows"],
  [`{"data":[${ROW}],"error":{"code":0,"message":""}}`, "rows"],
  [`{"data":[${ROW}],"message":"1 row"}`, "rows"],
  [`{"data":[${ROW}],"status":"ok","success":true}`, "rows"],
  [`{"data":[${ROW}],"error":"deadline"}`, "unusable"],
  [`{"data":[${ROW}],"error":{"message":"deadline"}}`, "unusable"],
  ['{"data":[{"timestamp":1767225600000},{}]}', "unusable"],
  ['{"data":[],"count":0}', "nothing"],
  ['{"count":0,"data":[]}', "nothing"],
  [' {"data" : [ ] } ', "nothing"],
  ["[]", "nothing"],
  [" [ ] ", "nothing"],
  ['{"data":[],"count":"0","time":"2026-01-01T00:00:00.000Z"}', "nothing"],
  ['{"data":[],"count":0,"message":"No observations in this range"}', "nothing"],
  ['{"data":[],"count":0,"message":"ok","warnings":[],"error":""}', "nothing"],
  ['{"data":[],"count":0,"error":"the index is gone"}', "unusable"],
  ['{"data":[],"count":0,"error":{"code":"E17"}}', "unusable"],
  ['{"data":[],"count":0,"error":{"detail":{"inner":["the index is gone"]}}}', "unusable"],
  ['{"data":[],"count":0,"errors":["the index is gone"]}', "unusable"],
  ['{"data":[],"count":0,"errors":[{"message":"the index is gone"}]}', "unusable"],
  ['{"data":[],"count":0,"error":true}', "unusable"],
  ['{"data":[],"count":0,"success":false}', "unusable"],
  ['{"data":[],"count":0,"status":"failed"}', "unusable"],
  ['{"data":[],"count":0,"status":503}', "unusable"],
  ['{"data":[],"count":0,"message":"The database is being moved"}', "unusable"],
  ['{"data":[],"count":0,"warning":"shard 3 did not answer"}', "unusable"],
  ['{"data":[],"count":0,"code":"STORE_TIMEOUT"}', "unusable"],
  ['{"data":[],"count":0,"timeout":true}', "unusable"],
  ['{"data":[],"count":0,"debug":{"exception":"IOException"}}', "unusable"],
  ['{"data":[],"count":0,"diagnostics":[{"severity":"ERROR"}]}', "unusable"],
  ['{"data":[],"count":0,"statusText":"Service Unavailable"}', "unusable"],
  ['{"data":[],"count":0,"meta":{"shards_failed":2}}', "unusable"],
  ['{"data":[],"count":0,"retry_after":30}', "unusable"],
  ['{"data":[],"count":0,"took":12,"timeout":30,"request":{"on_error":"fail"},"shards_failed":0}', "nothing"],
  ['{"data":[],"count":0,"license":"No warranty: data may be missing or fail","code":"NO_DATA"}', "nothing"],
  ['{"data":[],"count":5}', "unusable"],
  ['{"data":[],"count":"5"}', "unusable"],
  ['{"data":[],"total_count":5}', "unusable"],
  ['{"count":0}', "nothing"],
  ['{"count":3}', "unusable"],
  ['{"data":null,"count":0}', "nothing"],
  ['{"data":null}', "unusable"],
  ['{"data":{}}', "unusable"],
  ['{"data":{},"count":0}', "unusable"],
  ['{"data":""}', "unusable"],
  ['{"error":"gone"}', "refused"],
  ['{"error":{"message":"gone"}}', "refused"],
  ['{"errors":["gone"]}', "refused"],
  ['{"message":"gone","code":"X","details":{}}', "refused"],
  ["{}", "unusable"],
  ["", "unusable"],
  [" \r\n\t ", "unusable"],
  ["\ufeff", "unusable"],
  ['{"hello":"world"}', "otherShape"],
];

test.each(FORMS)("%s is %s", (body, verdict) => {
  const bytes = Buffer.from(body);
  for (const cuts of [[], Array.from({ length: bytes.length }, (_, k) => k)]) {
    const { fault, rows } = scan(bytes, ["ztd"], cuts);
    expect(fault?.why ?? (rows > 0 ? "rows" : "nothing")).toBe(verdict);
  }
});

test.each([
  ["No data", true],
  ["no observations found for the requested range", true],
  ["There are no measurements available", true],
  ["Data not found", true],
  ["nothing found", true],
  ["empty result", true],
  ["Station not found", false],
  ["Not Found", false],
  ["no route matches /api/v1/measurements/query", false],
  ["no data: database unavailable", false],
  ["internal error, no data returned", false],
])("“%s” means that there is no data: %s", (message, expected) => {
  expect(saysNoData(message)).toBe(expected);
});

async function resultOf(status: number, body: string) {
  const server = await httpServer((_, response) => {
    response.writeHead(status, { "Content-Type": "application/json" }).end(body);
  });
  return clientOf(server.url).timeSeries(QUERY, { onRows() {} }, never);
}

test.each([
  ["page", { page: 1, pages: 8 }],
  ["hits", { hits: { total: 7 } }],
  ["numFound", { numFound: 7 }],
  ["rows_omitted", { rows_omitted: 6 }],
  ["limit_reached", { limit_reached: true }],
  ["scroll_id", { scroll_id: "x" }],
  ["shards_failed", { shards_failed: 1 }],
  ["skipped_stations", { skipped_stations: [{ id: "a", reason: "archive offline" }] }],
])("%s beside rows means that there are more", (_, beside) => {
  const { onRows } = collector(["ztd"]);
  const scanner = createRowScanner(["ztd"], onRows);
  scanner.push(Buffer.from(JSON.stringify({ data: [JSON.parse(ROW)], count: 1, ...beside })));
  expect(scanner.end()).toBeNull();
  const { isUnfinished, count } = scanner.words();
  expect(isUnfinished || (count ?? 0) > 1).toBe(true);
});

describe("over HTTP", () => {
  test.each([
    { Link: '</query?page=2>; rel="next"' },
    { "Content-Range": "items 0-0/7" },
    { "X-Total-Count": "7" },
    { "X-Truncated": "true" },
    { Warning: '299 - "result truncated"' },
  ])("%o means that there are more rows", async (headers) => {
    const server = await httpServer((_, response) => void response.writeHead(200, headers).end(`{"data":[${ROW}]}`));
    const result = await clientOf(server.url).timeSeries(QUERY, { onRows() {} }, never);
    expect(result).toMatchObject({ ok: true, value: { isUnfinished: true } });
  });

  test.each([
    [204, ""],
    [404, '{"error":"No data in this range"}'],
    [404, "no observations found"],
    [200, "[]"],
  ])("%i with %s is a response without rows", async (status, body) => {
    expect(await resultOf(status, body)).toMatchObject({ ok: true, value: { rows: 0, irregularities: {} } });
  });

  test.each([
    [404, '{"error":"Station not found"}', "notFound"],
    [200, "null", "unusable"],
    [200, "17", "unusable"],
    [200, "", "unusable"],
    [200, "{}", "unusable"],
    [200, '{"data":[],"count":0,"error":{"message":"the index is gone"}}', "unusable"],
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
