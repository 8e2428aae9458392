import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openCache } from "#main/store/index.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";
import { asItIs, FOREIGN_ID, STATIONS, startOddService, type Twist, type WireStation } from "../support/oddService.ts";
import { openHome } from "./trial.ts";

const DAY = ["--day", "2026-09-01"];
const foreign: Twist = (rows) => rows.map((row) => ({ ...row, station_id: FOREIGN_ID }));

const service = await startOddService();
afterAll(() => service.close());
const home = await openHome(service);

it("an unusable response makes fetch exit with 3 and a message, is listed as failed by gaps, and is requested again", async () => {
  service.twist = () => ({ body: "{}" });
  const failed = await home.run(["fetch", "Station 1", ...DAY, "--vars", "ztd"]);
  expect(failed.code).toBe(3);
  expect(failed.stdout).toContain("failed: The service's answer cannot be used: it has no readable data");
  expect(failed.stdout).not.toMatch(/empty|not downloaded/);
  const gaps = await home.json<{ gaps: { cause: string }[] }>(["gaps", "Station 1", ...DAY, "--vars", "ztd"]);
  expect(gaps.gaps).toMatchObject([{ cause: "failed", reason: expect.stringContaining("cannot be used") }]);
  const listed = await home.run(["gaps", "Station 1", ...DAY, "--vars", "ztd"]);
  expect(listed.stdout).toMatch(/Why it failed:\n +The service's answer cannot be used/);
  const plan = await home.run(["plan", "Station 1", ...DAY, "--vars", "ztd"]);
  expect(plan.stdout).toMatch(
    /failed +parts of 1 station the last time; a fetch requests them again\n +The service's answer cannot be used/,
  );

  service.twist = asItIs;
  service.queries.length = 0;
  expect(await home.run(["fetch", "Station 1", ...DAY, "--vars", "ztd"])).toMatchObject({ code: 0 });
  expect(service.queries.length).toBeGreaterThan(0);
  service.queries.length = 0;
  expect(await home.run(["fetch", "Station 1", ...DAY, "--vars", "ztd"])).toMatchObject({ code: 0 });
  expect(service.queries).toEqual([]);
});

it("rows of other stations are ignored and counted, and what is missing may still arrive", async () => {
  service.twist = foreign;
  const words = ["Station 2", ...DAY, "--vars", "ztd"];
  const silent = await home.run(["fetch", ...words]);
  expect(silent).toMatchObject({ code: 0, stdout: expect.stringContaining("stale: missing, may still arrive") });
  expect(silent.stdout).toContain(
    "rows of stations that were not requested, or with the name of another one, left out",
  );
  const soon = await home.run(["fetch", ...words]);
  expect(soon.stdout).toContain("The rest was requested less than five minutes ago");
  service.twist = asItIs;
  service.offsetMs = 6 * MINUTE_MS;
  const again = await home.run(["fetch", ...words]);
  expect(again).toMatchObject({ code: 0 });
  service.offsetMs = 0;
});

it("an error in every response makes cells fail; fetch, gaps and plan show the error", async () => {
  service.twist = () => ({ status: 500, body: '{"error":"store is down"}' });
  const words = ["Station 3", ...DAY, "--vars", "ztd"];
  const failed = await home.run(["fetch", ...words, "--wait-for-service", "0"]);
  expect(failed).toMatchObject({ code: 5, stderr: expect.stringMatching(/Nothing was answered/) });
  const why = /Station 3 .*failed: .*store is down/;
  expect(failed.stdout).toMatch(why);
  const gaps = await home.json<{ gaps: object[] }>(["gaps", ...words]);
  expect(gaps.gaps).toMatchObject([{ cause: "failed", reason: expect.stringContaining("store is down") }]);
  const plan = await home.run(["plan", ...words]);
  expect(plan.stdout).toMatch(/failed +parts of 1 station .*\n +.*store is down/);
  service.twist = asItIs;
  expect(await home.run(["fetch", ...words])).toMatchObject({ code: 0, stdout: expect.stringMatching(/2,880 +ok/) });
});

it("nearest lists a station that the response omits, and reports contradictions", async () => {
  const timeMs = Date.UTC(2026, 8, 1, 6);
  service.nearest = ([first], momentMs) => {
    const row = { timestamp: new Date(momentMs - 30_000).toISOString(), station_id: first, ztd: 2_400 };
    const data = [row, { ...row, station_id: FOREIGN_ID }];
    return { time: new Date(timeMs).toISOString(), data, count: 3, missing_station_ids: [] };
  };
  const words = ["nearest", "Station 1", "Station 2", "--time", "2026-09-01T06:00:00Z", "--vars", "ztd"];
  const shown = await home.run(words);
  expect(shown.stdout).toMatch(/Station 1 +2026-09-01T05:59:30Z +30 s before +2400/);
  expect(shown.stdout).toMatch(/Station 2 +failed: not in the response/);
  expect(shown.stderr).toContain("it counts 3 rows and has 2");
  expect(shown.stderr).toContain(
    "1 × rows of stations that were not requested, or with the name of another one, left out",
  );
  const document = await home.json(words);
  expect(document).toMatchObject({
    missing: [{ display_name: "Station 2", cause: "failed", reason: "not in the response" }],
    remarks: expect.arrayContaining([expect.stringContaining("it counts 3 rows and has 2")]),
  });
});

it("an export names the values of satellites that it could not read, in every format", async () => {
  service.twist = (rows) =>
    rows.map((row, i) => ({
      ...row,
      prn: i === 2 ? "G01,G01" : "G01,G02",
      el: i === 0 ? "10,20,30" : "10,20",
      az: "1,2",
      snr: i === 1 ? "L1:45.1;L2:40.2" : "45,40",
    }));
  const selection = ["Station 1", "--from", "2026-09-02", "--to", "2026-09-02T01:00", "--vars", "el,az,snr"];
  expect(await home.run(["fetch", ...selection])).toMatchObject({ code: 0 });
  for (const [format, name] of Object.entries({
    csv: "sky.csv",
    netcdf: "sky.nc",
    excel: "sky.xlsx",
    parquet: "sky.parquet",
    sqlite: "sky.db",
    zarr: "sky.zarr",
  })) {
    const { code, stderr } = await home.run(["export", ...selection, "--format", format, "--out", name]);
    expect([format, code]).toEqual([format, 0]);
    expect(stderr).toMatch(
      /could not be read and are not in the file: lists that are longer or shorter .* \(2\); satellites that a row lists twice.* \(1\)\./,
    );
    const sidecar = JSON.parse(readFileSync(join(home.folder, `${name}.json`), "utf8")) as object;
    expect(sidecar).toMatchObject({
      satellite_problems: [
        { kind: "countMismatch", count: 2 },
        { kind: "duplicateSatellite", count: 1 },
      ],
    });
  }
  service.twist = asItIs;
});

it("a name is that of the current list of stations, even if the cached one is old", async () => {
  service.twist = asItIs;
  const exportFirst = ["export", "Station 1", "--day", "2026-09-03", "--vars", "ztd", "--fetch", "--format", "csv"];
  const data = join(home.folder, "home");
  const name = readdirSync(data).find((file) => /^cache-.*\.db$/.test(file));
  const cache = openCache(join(data, name ?? ""));
  const { stations, networks } = cache.catalogue();
  cache.replaceCatalogue(stations, networks, Date.now() - 2 * HOUR_MS);
  cache.close();
  const [first, second, ...others] = STATIONS as [WireStation, WireStation, ...WireStation[]];
  service.stations = [
    { ...first, display_name: second.display_name },
    { ...second, display_name: first.display_name },
    ...others,
  ];
  expect(await home.run([...exportFirst, "--out", "renamed.csv"])).toMatchObject({ code: 0 });
  service.stations = STATIONS;
  const [, row] = readFileSync(join(home.folder, "renamed.csv"), "utf8").split("\r\n");
  expect(row).toMatch(new RegExp(`^${second.id},Station 1,`));
});
