import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SCALAR_VARIABLES, variableInfo } from "#shared/service/variables.ts";
import { openService } from "../support/openService.ts";
import { makeHome } from "./program.ts";

// The tests share one data folder and run in the order in which a user would type the commands.
const DAY = ["--day", "2026-10-05"];
const EPOCHS = 2_880;

const service = await openService();
const home = makeHome();

describe("from connect to a file", () => {
  it("connect checks the key of the environment, saves it readable only by its owner, and does not show it", async () => {
    const env = { ZENITH_API_KEY: "demo-key" };
    const ended = await home.run(["connect", `${service.url}/api/v1/`, "--name", "trial"], { env });
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("67 stations") });
    expect(ended.stdout + ended.stderr).not.toContain("demo-key");
    const keys = join(home.folder, "home", "keys");
    const [file] = readdirSync(keys);
    const kept = JSON.parse(readFileSync(join(keys, file!), "utf8")) as object;
    expect(kept).toEqual({ version: 1, origin: service.url, allowsPlainHttp: false, key: "demo-key" });
    expect(statSync(join(keys, file!)).mode & 0o777).toBe(0o600);
    expect(statSync(keys).mode & 0o777).toBe(0o700);
    const { connections } = await home.json(["connect"]);
    expect(connections).toMatchObject([{ name: "trial", base_url: service.url, has_key: true }]);
  });

  it("a key of another organization is rejected before a request", async () => {
    service.resetStats();
    const ended = await home.run(["stations", "--refresh"], { env: { ZENITH_API_KEY: "partner-key" } });
    expect(ended).toMatchObject({ code: 4, stdout: "", stderr: expect.stringContaining("another organization") });
    expect(service.stats.requests).toBe(0);
  });

  it("stations prints a table, or JSON, with the same filters", async () => {
    const text = await home.run(["stations", "--country", "FI", "ee", "--network", "NORDA"]);
    expect(text.stdout).toContain("Heinäniemi");
    expect(text.stdout).not.toContain("Torsvika");
    const { stations } = await home.json(["stations", "--search", "ÄLVSBORG"]);
    expect(stations).toMatchObject([
      { display_name: "Älvsborgsudden, Outer Pier", resolution_seconds: 30, ellipsoidal_height: 44.8 },
    ]);
  });

  it("networks lists the number of stations", async () => {
    const { networks } = await home.json(["networks"]);
    expect(networks).toContainEqual(expect.objectContaining({ code: "NORDA", is_owner: true, stations: 16 }));
  });

  it("plan estimates points like the service, and sends no request", async () => {
    service.resetStats();
    const cost = await home.json(["plan", "Torsvika", "country:EE", ...DAY]);
    expect(service.stats.requests).toBe(0);
    // Torsvika and four Estonian stations, one of them at the native rate of one epoch per second.
    expect(cost).toMatchObject({ stations: 5, points_known: 0 });
    const two = await home.json(["plan", "Torsvika", "Heinäniemi", ...DAY]);
    expect(two).toMatchObject({ points_requested: 2 * EPOCHS, points_to_fetch: 2 * EPOCHS, requests: 1 });
  });

  it("fetch downloads with a verdict for each station, and sends no request when run again", async () => {
    const words = ["fetch", "Torsvika", "Heinäniemi", "Mast 012 Tyhjäkallio", ...DAY];
    const first = await home.run(words);
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Tyhjäkallio +0 +empty: The station has never/),
    });
    service.resetStats();
    const again = await home.json(words);
    expect(service.stats.requests).toBe(0);
    expect(again).toMatchObject({ job: { state: "finished" }, progress: { requests_sent: 0 } });
    expect((await home.run(words)).stdout).toContain("Everything was cached: 0 requests sent.");
    expect(await home.json(["plan", "Torsvika", "Heinäniemi", ...DAY])).toMatchObject({
      points_to_fetch: 0,
      missing: [],
    });
  });

  it("export writes all cached rows, and names stations without data", async () => {
    const csv = join(home.folder, "out", "day.csv");
    const words = ["export", "Torsvika", "Heinäniemi", "Mast 012 Tyhjäkallio", ...DAY];
    const early = ["--day", "2026-10-07", "--fetch"];
    service.resetStats();
    // Reported before the download.
    expect(await home.run(["export", "Torsvika", ...early, "--out", csv])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining(`The folder ${join(home.folder, "out")} does not exist.`),
    });
    expect(service.stats.requests).toBe(0);
    expect(existsSync(join(home.folder, "out"))).toBe(false);
    const ended = await home.run([...words, "--out", "day.csv"]);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("“Mast 012 Tyhjäkallio”") });
    const lines = readFileSync(join(home.folder, "day.csv"), "utf8").trimEnd().split("\r\n");
    const report = await home.json([...words, "--out", "day.nc"]);
    expect(report).toMatchObject({ rows: lines.length - 1 });
    expect(lines.length).toBeGreaterThan(EPOCHS);
    expect(readFileSync(join(home.folder, "day.nc")).subarray(1, 4).toString()).toBe("HDF");
    const parquet = await home.json([...words, "--out", "day.parquet"]);
    expect(parquet).toMatchObject({ rows: lines.length - 1, files: [{ path: join(home.folder, "day.parquet") }] });
    expect(readdirSync(join(home.folder, "day.parquet"))).toHaveLength(2);
    await home.json([...words, "--out", "day.tro"]);
    expect(readFileSync(join(home.folder, "day.tro"), "latin1").slice(0, 10)).toBe("%=TRO 2.00");
    await home.json([...words, "--out", "day.db"]);
    expect(readFileSync(join(home.folder, "day.db"), "latin1").slice(0, 15)).toBe("SQLite format 3");
    await home.json([...words, "--out", "old.nc", "--format", "netcdf3"]);
    expect(readFileSync(join(home.folder, "old.nc"), "latin1").slice(0, 4)).toBe("CDF\x02");
    // Missing data is reported with the command that downloads it.
    const more = await home.run(["export", "Torsvika", "--day", "2026-10-06", "--out", "more.csv"]);
    expect(more.stderr).toMatch(/1 station of 1 lacks parts[^]*fetch Torsvika .*2026-10-06/);
    expect(more.stderr.replaceAll(/\s+/g, " ")).toContain(
      `${SCALAR_VARIABLES.join(", ")} (1 station, 2026-10-06T00:00:00Z → 2026-10-07T00:00:00Z). The result`,
    );
  });

  it("export prints the layout, and a program that opens the file", async () => {
    const words = ["export", "Torsvika", ...DAY, "--out", "ragged.nc", "--layout", "ragged"];
    const ended = await home.run([...words, "--snippet", "python"]);
    expect(ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("Layout: ragged, 1 station one after the other."),
    });
    expect(ended.stdout).toMatch(/^import numpy as np\n.*data\["row_size"\].values\)\n$/s);
    expect(await home.run(["export", "Torsvika", ...DAY, "--out", "grid.nc"])).toMatchObject({
      stderr: expect.stringMatching(/Layout: a grid of [\d,]+ times and 1 station, 0 % of it without a row\.\n/),
    });
    expect(await home.run(["export", "Torsvika", ...DAY, "--out", "a.nc", "--snippet", "duckdb"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("DuckDB SQL does not read netcdf. Choose another format."),
    });
  });

  it("resample averages cached data, as CSV without a terminal", async () => {
    service.resetStats();
    const ended = await home.run(["resample", "Torsvika", ...DAY, "--interval", "1h"]);
    const lines = ended.stdout.trimEnd().split("\n");
    expect(lines[0]).toBe(["station_id", "time", ...SCALAR_VARIABLES.map((v) => variableInfo(v).column)].join(","));
    expect(lines).toHaveLength(25);
    expect(lines[1]).toMatch(/^[0-9a-f-]{36},2026-10-05T00:00:00Z,2\d{3}\.\d+,/);
    const { rows } = await home.json(["resample", "Torsvika", ...DAY, "--interval", "6h"]);
    expect(rows).toHaveLength(4);
    expect(service.stats.requests).toBe(0);
    const file = await home.json(["resample", "Torsvika", ...DAY, "--interval", "15m", "--out", "quarter.csv"]);
    expect(file).toMatchObject({ rows: 96 });
  });

  it("export --update keeps a Parquet dataset up to date in whole months", async () => {
    const words = [
      "export",
      "Torsvika",
      ...DAY,
      "--vars",
      "ztd",
      "--out",
      "kept.parquet",
      "--update",
      "--allow-incomplete",
    ];
    const { updated } = await home.json<{ updated: object }>(words);
    expect(updated).toEqual({ written: 1, unchanged: 0, removed: 0, kept: [] });
    const again = await home.run(words);
    expect(again.stdout).toContain("0 months of stations written, 1 unchanged, 0 removed.");
    expect(again.stderr).toContain("Months are updated as a whole: the range was extended to");
    for (const wrong of [
      ["--out", "a.csv"],
      ["--out", "b.parquet", "--vars", "el"],
      ["--template", "{stations}.parquet"],
    ])
      expect(await home.run(["export", "Torsvika", ...DAY, "--update", ...wrong])).toMatchObject({ code: 2 });
  });

  it("nearest shows the age of each observation, and why a station has none", async () => {
    const words = ["nearest", "Torsvika", "Mast 012 Tyhjäkallio", "--time", "2026-10-05T12:00:10Z"];
    const document = await home.json([...words, "--vars", "ztd,pwv"]);
    expect(document).toMatchObject({
      time: "2026-10-05T12:00:10Z",
      rows: [{ display_name: "Torsvika", age_seconds: 10 }],
    });
    expect(document["missing"]).toMatchObject([
      { station_id: (document["missing_station_ids"] as string[])[0], cause: "nothingSent", data_last_updated: null },
    ]);
    // The nearest observation usually has no PWV; the nearest one with PWV is shown too.
    const rows = document["rows"] as { values: { pwv: number | null } }[];
    expect(rows.some((row) => row.values.pwv !== null)).toBe(true);
    const { stdout } = await home.run([...words, "--vars", "ztd"]);
    expect(stdout).toMatch(/Torsvika +2026-10-05T12:00:00Z +10 s before +2/);
    expect(stdout).toMatch(/Nothing in this window +Why +Newest data[^]*Tyhjäkallio +nothing sent +never any/);
  });

  it("jobs and cache list their content; forgotten data is planned again", async () => {
    const { jobs } = await home.json(["jobs"]);
    expect(jobs).toHaveLength(3);
    const before = await home.json(["cache"]);
    expect(before).toMatchObject({ connection: "trial", stations: 2 });
    const { forgotten_rows: forgotten } = await home.json(["cache", "forget", "--stations", "Torsvika"]);
    expect(forgotten).toBeGreaterThan(2_000);
    expect(await home.json(["cache", "compact"])).toHaveProperty("bytes_after");
    expect(await home.json(["cache", "path"])).toMatchObject({ path: before["path"] });
    const cost = await home.json(["plan", "Torsvika", "Heinäniemi", ...DAY]);
    expect(cost).toMatchObject({ points_to_fetch: EPOCHS });
  });

  it("export --update --fetch of the current month says that data may still arrive, not that they are not downloaded", async () => {
    const words = "export Torsvika --last 1h --vars ztd --fetch --out month.parquet --update".split(" ");
    const ended = await home.run(words);
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining("may still arrive or change") });
    expect(ended.stderr).not.toContain("not downloaded");
  });
});
