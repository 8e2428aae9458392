import { describe, expect, it } from "vitest";
import { callQuery, query, type Wire } from "./call.ts";
import { NOW, started, WORLD } from "./start.ts";
import { tinyNetwork, tinyWorld, uuid } from "./tinyWorld.ts";

const DAY = { start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-02T00:00:00Z" };
const JSON_TYPE = { "Content-Type": "application/json", Accept: "application/json" };

/** A station of the simulated world with bad epochs and gaps in the first days of 2026. */
const BUSY = WORLD.stations.find((s) => {
  const states = new Set<string>();
  for (let t = Date.UTC(2026, 0, 1); t < Date.UTC(2026, 0, 12); t += 30_000) states.add(WORLD.explain(s, t));
  return s.nativeSeconds === 30 && states.has("convergence") && states.has("noSolution") && states.has("gap");
})!;
const BUSY_DAYS = { start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-12T00:00:00Z" };

const minute = (m: number, s = 0): string =>
  `2026-01-01T00:${String(m).padStart(2, "0")}:${String(s).padStart(2, "0")}.000Z`;

describe("2.5 rows", () => {
  it("2.5 row: timestamp, station_id, display_name, then the variables in the order of the request", async () => {
    const epochs = [{ time: minute(0), ztd: 2300.1, sigma: 1.5, pwv: 12.3 }];
    const service = await started({ world: tinyWorld([{ epochs }]) });
    const response = await callQuery(
      service,
      { ...DAY, station_ids: [uuid(1)], data_vars: ["pwv", "ztd", "ztd_sigma"] },
      { headers: JSON_TYPE },
    );
    expect(response.headers["content-type"]).toBe("application/json");
    expect(response.body.toString()).toBe(
      `{"data":[{"timestamp":"${minute(0)}","station_id":"${uuid(1)}","display_name":"Station 1","pwv":12.3,"ztd":2300.1,"ztd_sigma":1.5}],"count":1}`,
    );
  });

  it("2.5 timestamp: ISO 8601 UTC with milliseconds, over midnight, leap day and year end", async () => {
    const times = [
      "2023-12-31T23:59:59.999Z",
      "2024-02-29T00:00:00.000Z",
      "2024-03-01T00:00:00.001Z",
      "2038-01-19T03:14:08.010Z",
    ];
    const epochs = times.map((time, i) => ({ time, ztd: 2300 + i }));
    const service = await started({ world: tinyWorld([{ epochs }]), now: () => Date.UTC(2040, 0, 1) });
    const range = { start_time: "2023-01-01T00:00:00Z", end_time: "2039-01-01T00:00:00Z" };
    const { json } = await query(service, { ...range, station_ids: [uuid(1)], data_vars: ["ztd"] });
    expect(json.data.map((r: Wire) => r.timestamp)).toEqual(times);
  });

  it("2.4.1 numbers: every value of the world is transferred bit by bit, at any precision", async () => {
    const values = [0, 0.1, 2300, 2399.9, 2400.05, 99_999.9, 0.000_001, 1234.567_891];
    for (const [decimals, kept] of [
      [0, (v: number) => Math.round(v)],
      [1, (v: number) => Math.round(v * 10) / 10],
      [3, (v: number) => Math.round(v * 1000) / 1000],
      [null, (v: number) => v],
    ] as const) {
      const sent = values.map(kept);
      const epochs = sent.map((ztd, i) => ({ time: minute(i), ztd, sigma: ztd === 0 ? 0 : -ztd }));
      const service = await started({ world: tinyWorld([{ epochs }]), decimals });
      const { json } = await query(service, { ...DAY, station_ids: [uuid(1)], data_vars: ["ztd", "ztd_sigma"] });
      expect(json.data.map((r: Wire) => r.ztd)).toEqual(sent);
      expect(json.data.map((r: Wire) => r.ztd_sigma)).toEqual(sent.map((v) => (v === 0 ? 0 : -v)));
    }
  });

  it("2.4.2 satellites: strings of comma-separated values in the order of prn", async () => {
    const service = await started();
    const { json } = await query(service, {
      ...DAY,
      end_time: "2026-01-01T00:10:00Z",
      station_ids: [BUSY.id],
      data_vars: ["snr", "el", "az", "prn"],
    });
    expect(json.count).toBeGreaterThan(10);
    for (const row of json.data) {
      const truth = WORLD.satellites(BUSY, Date.parse(row.timestamp));
      expect([row.prn, row.el, row.az, row.snr]).toEqual([truth.prn, truth.el, truth.az, truth.snr]);
      const lengths = ["prn", "el", "az", "snr"].map((name) => row[name].split(",").length);
      expect(new Set(lengths).size).toBe(1);
    }
  });

  it("2.4.3 prn: is added to el, az or snr, and not to the others", async () => {
    const service = await started({ world: tinyWorld([{ epochs: [{ time: minute(0), ztd: 1 }] }]) });
    for (const [variables, fields] of [
      [["el"], ["el", "prn"]],
      [["az"], ["az", "prn"]],
      [
        ["ztd", "snr"],
        ["ztd", "snr", "prn"],
      ],
      [
        ["prn", "el"],
        ["prn", "el"],
      ],
      [["ztd"], ["ztd"]],
    ] as const) {
      const { json } = await query(service, { ...DAY, station_ids: [uuid(1)], data_vars: variables });
      expect(Object.keys(json.data[0]).slice(3)).toEqual(fields);
    }
  });

  it("2.4.5 no data: null, or as configured", async () => {
    const world = tinyWorld([{ epochs: [{ time: minute(1), ztd: 1 }] }]);
    for (const [noData, value] of [
      ["null", null],
      ["NaN", "NaN"],
      ["empty", ""],
      ["omit", undefined],
    ] as const) {
      const service = await started({ world, noData });
      const { json } = await query(service, { ...DAY, station_ids: [uuid(1)], data_vars: ["pwv", "ztd"] });
      expect([json.data[0].pwv, json.data[0].ztd]).toEqual([value, 1]);
    }
  });

  it("2.4 pwv: alone has rows every five minutes only", async () => {
    const service = await started();
    const { json } = await query(service, { ...DAY, station_ids: [BUSY.id], data_vars: ["pwv"] });
    expect(json.count).toBeGreaterThan(200);
    for (const row of json.data) {
      expect(Date.parse(row.timestamp) % 300_000).toBe(0);
      expect(row.pwv).toEqual(expect.any(Number));
    }
  });
});

describe("4.4 POST /measurements/query", () => {
  it("4.4 range: start inclusive, end exclusive, to the millisecond", async () => {
    const times = [
      "2026-01-01T00:00:00.000Z",
      "2026-01-01T00:00:00.001Z",
      "2026-01-01T00:59:59.999Z",
      "2026-01-01T01:00:00.000Z",
    ];
    const service = await started({ world: tinyWorld([{ epochs: times.map((time) => ({ time, ztd: 1 })) }]) });
    const ask = async (start_time: string, end_time: string): Promise<string[]> =>
      (await query(service, { start_time, end_time, station_ids: [uuid(1)], data_vars: ["ztd"] })).json.data.map(
        (r: Wire) => r.timestamp,
      );
    expect(await ask(times[0]!, times[3]!)).toEqual(times.slice(0, 3));
    expect(await ask(times[1]!, times[2]!)).toEqual([times[1]]);
    expect(await ask(times[2]!, "2026-01-01T01:00:00.001Z")).toEqual(times.slice(2));
    expect(await ask("2026-01-01T02:00:00+01:00", "2026-01-01T03:00:00+01:00")).toEqual([times[3]]);
  });

  it("4.4 time order: rows of all stations by time, then in the order of station_ids; count is their number", async () => {
    const service = await started();
    const mixed = [WORLD.stations.find((s) => s.nativeSeconds === 1)!, BUSY, ...WORLD.stations.slice(25, 29)];
    const ids = mixed.map((s) => s.id);
    const body = { start_time: "2026-01-03T10:00:00Z", end_time: "2026-01-03T11:30:00Z", data_vars: ["ztd", "pwv"] };
    const { json } = await query(service, { ...body, station_ids: ids });
    expect(json.count).toBe(json.data.length);
    const expected = json.data.toSorted(
      (a: Wire, b: Wire) =>
        Date.parse(a.timestamp) - Date.parse(b.timestamp) || ids.indexOf(a.station_id) - ids.indexOf(b.station_id),
    );
    expect(json.data).toEqual(expected);
    const alone = await Promise.all(ids.map((id) => query(service, { ...body, station_ids: [id] })));
    const sum = alone.reduce((n, response) => n + response.json.count, 0);
    expect(json.count).toBe(sum);
    for (const [i, id] of ids.entries()) {
      expect(json.data.filter((r: Wire) => r.station_id === id)).toEqual(alone[i]!.json.data);
    }
  });

  it("4.4 station_ids: each station once, in any case of letters", async () => {
    const service = await started();
    const ids = [BUSY.id, BUSY.id.toUpperCase(), BUSY.id];
    const once = await query(service, { ...DAY, station_ids: [BUSY.id], data_vars: ["ztd"] });
    expect((await query(service, { ...DAY, station_ids: ids, data_vars: ["ztd"] })).json).toEqual(once.json);
  });

  it("4.4.3 nothing in the range: an empty list", async () => {
    const service = await started();
    const before = { start_time: "1990-01-01T00:00:00Z", end_time: "1990-01-02T00:00:00Z" };
    const { status, json } = await query(service, { ...before, station_ids: [BUSY.id], data_vars: ["ztd"] });
    expect([status, json]).toEqual([200, { data: [], count: 0 }]);
  });

  it("1 filter: only epochs that pass are returned; raw returns all observed ones", async () => {
    const service = await started();
    const body = { ...BUSY_DAYS, station_ids: [BUSY.id], data_vars: ["ztd"] };
    const filtered = (await query(service, body)).json.data as Wire[];
    const raw = (await query(service, { ...body, raw: true })).json.data as Wire[];
    const states = (rows: readonly Wire[]) => rows.map((r) => WORLD.explain(BUSY, Date.parse(r.timestamp)));
    expect(new Set(states(filtered))).toEqual(new Set(["none"]));
    const passing = raw.filter((r) => WORLD.explain(BUSY, Date.parse(r.timestamp)) === "none");
    expect(filtered).toEqual(passing);
    let observed = 0;
    for (let t = Date.parse(BUSY_DAYS.start_time); t < Date.parse(BUSY_DAYS.end_time); t += 30_000) {
      if (WORLD.explain(BUSY, t) !== "gap") observed++;
    }
    expect(raw.length).toBe(observed);
  });

  it("1 gap: raw distinguishes epochs without a solution, which have rows, from epochs that were never sent", async () => {
    const epochs = [
      { time: minute(0), ztd: 1, pwv: 2 },
      { time: minute(5), quality: "noSolution" as const },
      { time: minute(6), quality: "noSolution" as const },
    ];
    const service = await started({ world: tinyWorld([{ epochs }]) });
    const ask = async (data_vars: string[], raw: boolean) =>
      (await query(service, { ...DAY, station_ids: [uuid(1)], data_vars, raw })).json.data.map(
        (r: Wire) => r.timestamp,
      );
    expect(await ask(["ztd"], false)).toEqual([minute(0)]);
    expect(await ask(["ztd"], true)).toEqual([minute(0), minute(5), minute(6)]);
    expect(await ask(["pwv"], true)).toEqual([minute(0), minute(5)]);
  });

  it("1 time: observations that have not arrived yet are not returned", async () => {
    const service = await started();
    const late = WORLD.stations.find((s) => s.latencyMs > 3_600_000)!;
    const body = {
      start_time: "2026-06-15T00:00:00Z",
      end_time: "2026-06-16T00:00:00Z",
      station_ids: [late.id],
      data_vars: ["ztd"],
      raw: true,
    };
    const before = (await query(service, body)).json.data as Wire[];
    expect(Date.parse(before.at(-1).timestamp)).toBeLessThanOrEqual(NOW - late.latencyMs);
    service.advanceClock(3_600_000);
    const after = (await query(service, body)).json.data as Wire[];
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.length).toBeGreaterThan(before.length);
  });

  it("5.5 entitlement: 403 for a station of another organization or one that does not exist", async () => {
    const service = await started();
    const own = WORLD.stations.find((s) => s.network.code === "BMAST")!;
    for (const id of [BUSY.id, uuid(5)]) {
      const body = { ...DAY, station_ids: [own.id, id], data_vars: ["ztd"], interval_seconds: 3600 };
      const { status, json } = await query(service, body, { key: "key-b" });
      expect([status, Object.keys(json)]).toEqual([403, ["error"]]);
    }
    service.setOrganization("b", { stationIds: [BUSY.id], withheldStationIds: [own.id] });
    const ask = (id: string) =>
      query(service, { ...DAY, station_ids: [id], data_vars: ["ztd"], interval_seconds: 3600 }, { key: "key-b" });
    expect([(await ask(own.id)).status, (await ask(BUSY.id)).status]).toEqual([403, 200]);
  });
});

describe("4.4 bad requests", () => {
  const good = { ...DAY, station_ids: [uuid(1)], data_vars: ["ztd"] };
  const { start_time: _, ...noStart } = good;
  const CASES: readonly [string, object, string][] = [
    ["4.4 start_time: required", noStart, "start_time"],
    ["4.4 start_time: no date", { ...good, start_time: "yesterday" }, "start_time"],
    ["4.4 start_time: February 30", { ...good, start_time: "2026-02-30T00:00:00Z" }, "start_time"],
    ["4.4 start_time: a number", { ...good, start_time: 0 }, "start_time"],
    ["4.4 end_time: required", { ...good, end_time: undefined }, "end_time"],
    ["4.4 end_time: before the start", { ...good, end_time: "2025-01-01T00:00:00Z" }, "end_time"],
    ["4.4 end_time: the start itself", { ...good, end_time: good.start_time }, "end_time"],
    ["4.4 station_ids: required", { ...good, station_ids: undefined }, "station_ids"],
    ["4.4 station_ids: at least one", { ...good, station_ids: [] }, "station_ids"],
    ["4.4 station_ids: UUIDs", { ...good, station_ids: ["abc"] }, "station_ids"],
    ["4.4 station_ids: a list", { ...good, station_ids: uuid(1) }, "station_ids"],
    ["4.4 data_vars: required", { ...good, data_vars: undefined }, "data_vars"],
    ["4.4 data_vars: at least one", { ...good, data_vars: [] }, "data_vars"],
    ["4.4 data_vars: of the table only", { ...good, data_vars: ["ztd", "iwv"] }, "data_vars"],
    ["4.4 interval_seconds: at least 30", { ...good, interval_seconds: 29 }, "interval_seconds"],
    ["4.4 interval_seconds: an integer", { ...good, interval_seconds: 30.5 }, "interval_seconds"],
    ["4.4 interval_seconds: a number", { ...good, interval_seconds: "900" }, "interval_seconds"],
    ["4.4 raw: true or false", { ...good, raw: "yes" }, "raw"],
  ];
  for (const [name, body, parameter] of CASES) {
    it(name, async () => {
      const service = await started({ world: tinyWorld([{}], [tinyNetwork(1)]) });
      const { status, json } = await query(service, body);
      expect([status, Object.keys(json)]).toEqual([400, ["error"]]);
      expect(json.error).toContain(parameter);
    });
  }

  it("4.4 body: a JSON object of limited size with its Content-Type", async () => {
    const service = await started({ world: tinyWorld([{}]) });
    const post = (body: string | Uint8Array, headers: Record<string, string> = JSON_TYPE) =>
      callQuery(service, {}, { body, headers: { "Content-Type": "", ...headers } });
    for (const body of ["", "{", "null", "[]", '"text"', "1", "\ud800", "x".repeat(2_000_000)]) {
      expect((await post(body)).status).toBe(400);
    }
    const text = JSON.stringify(good);
    expect((await post(Buffer.from(text.replace("{", '{"note":"\xff",'), "latin1"))).status).toBe(400);
    expect((await post(text, { "Content-Type": "text/plain" })).status).toBe(400);
    expect((await post(text, { ...JSON_TYPE, "Content-Type": "application/json; charset=utf-8" })).status).toBe(200);
  });
});
