// Runs the queries of docs/scale.md in DuckDB, Polars, Dask and Spark on a dataset of `export --parquet --update`, and compares
// their results with each other and with numpy. See `npm run engines -- --help`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { exportSeries } from "#main/export/exportSeries.ts";
import { openCache } from "#main/store/index.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { monthOf, type TimeRange } from "#shared/time/range.ts";
import { catalogueOf } from "../desktop/folders.ts";
import { scalarJob } from "../harness/data.ts";
import { worldRows } from "../harness/worldRows.ts";
import { settled } from "../../test/support/judge.ts";

const HELP = `Runs the queries of docs/scale.md in every engine and compares their results.

  npm run engines -- [--stations N] [--months N] [--only ENGINE] [--python PATH] [--dataset PATH]

  --stations N   stations of the dataset (500)
  --months N     months of 30 s data (3)
  --only ENGINE  DuckDB, Polars, Dask or Spark; may be given several times (all)
  --python PATH  a Python with bench/engines/requirements.txt; by default, one is made from PyPI
  --dataset PATH keeps the dataset in this folder; uses the one that is there`;

const ENGINES = ["DuckDB", "Polars", "Dask", "Spark"] as const;

const { values } = parseArgs({
  options: {
    stations: { type: "string", default: "500" },
    months: { type: "string", default: "3" },
    only: { type: "string", multiple: true, default: [...ENGINES] },
    python: { type: "string" },
    dataset: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit();
}

const VARIABLES = ["ztd", "ztd_sigma", "pwv"] as const;
/** Shifts the second product, in mm. */
const BIAS_MM = 2.5;

interface Answer {
  readonly results: readonly (readonly (readonly (string | number)[])[])[];
  readonly version: string;
  readonly seconds: number;
  readonly megabytes: number;
}

const folder = values.dataset === undefined ? mkdtempSync(join(tmpdir(), "zenith-engines-")) : resolve(values.dataset);
if (values.dataset === undefined) process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const python = values.python ?? madePython();
mkdirSync(folder, { recursive: true });
const complete = join(folder, "complete");
if (!existsSync(complete)) {
  await writeDatasets(Number(values.stations), Number(values.months));
  writeFileSync(complete, "");
}
const answers = ["numpy", ...values.only].map((engine) => [engine, ask(engine)] as const);
const [, expected] = answers[0]!;
console.log(`\n${cpus().length} processors, ${values.stations} stations, ${values.months} months\n`);
console.log("| engine | version | s | MB | results |\n|---|---|---|---|---|");
for (const [engine, answer] of answers) {
  const verdict =
    typeof answer === "string" ? answer : typeof expected === "string" ? "not compared" : compared(answer, expected);
  const cells =
    typeof answer === "string"
      ? " | | "
      : `${answer.version} | ${answer.seconds.toFixed(1)} | ${answer.megabytes.toFixed(0)}`;
  console.log(`| ${engine} | ${cells} | ${verdict} |`);
  if (verdict !== "equal") process.exitCode = 1;
}

/** Makes a Python with the packages, once for each version of their list. */
function madePython(): string {
  const home = join(import.meta.dirname, "../../.python-engines");
  const wanted = readFileSync(join(import.meta.dirname, "requirements.txt"), "utf8");
  const stamp = join(home, "requirements.txt");
  const own = join(home, "bin/python");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return own;
  console.log("Installing the engines from PyPI …");
  rmSync(home, { recursive: true, force: true });
  run("python3", ["-m", "venv", home]);
  run(own, ["-m", "pip", "install", "--quiet", "--no-input", "-r", join(import.meta.dirname, "requirements.txt")]);
  writeFileSync(stamp, wanted);
  return own;
}

function run(program: string, args: readonly string[]): void {
  const done = spawnSync(program, args, { stdio: "inherit" });
  if (done.status !== 0) throw new Error(`${program} ${args.join(" ")} failed.`);
}

/** Writes both datasets by updates: all but one month and one station, a revised month, the last month, the last station. */
async function writeDatasets(stations: number, months: number): Promise<void> {
  const ids = Array.from({ length: stations }, (_, i) => `station-${String(i).padStart(4, "0")}`);
  const [first] = [scalarJob(3, 1)];
  const start = first.range.startMs;
  const range = { startMs: start, endMs: monthOf(start, months).startMs };
  const patterns = first.stationIds.map((id) => [...worldRows(id, { range, variables: VARIABLES }, 1)]);
  const started = performance.now();
  for (const [name, shift, own] of [
    ["all", 0, ids],
    ["other", BIAS_MM, ids.slice(0, Math.max(1, Math.floor(stations / 50)))],
  ] as const) {
    const cache = openCache(join(folder, `${name}.db`));
    cache.replaceCatalogue(catalogueOf(own), [], Date.now());
    const fill = (stationIds: readonly string[], part: TimeRange, offset: number): void => {
      for (const stationId of stationIds) {
        const scope = { stationIds: [stationId], variables: VARIABLES, range: part, intervalSeconds: null, raw: false };
        const writer = cache.openResponse(scope);
        const number = Number(stationId.slice(-4));
        for (const { timesMs, scalars } of patterns[number % patterns.length]!) {
          // Every station lacks other hours.
          const kept = [...timesMs.keys()].filter((i) => {
            const ms = timesMs[i]!;
            return ms >= part.startMs && ms < part.endMs && (ms / 3_600_000 + number) % 97 >= 1;
          });
          const moved = (of: Float64Array): Float64Array => Float64Array.from(kept, (i) => of[i]! + offset);
          const ztd = moved(scalars.ztd!);
          const others = { ztd_sigma: moved(scalars.ztd_sigma!), pwv: moved(scalars.pwv!) };
          const moments = Float64Array.from(kept, (i) => timesMs[i]!);
          if (kept.length > 0) writer.add({ stationId, timesMs: moments, scalars: { ztd, ...others }, texts: {} });
        }
        writer.commit(settled(part));
      }
    };
    const update = async (stationIds: readonly string[], part: TimeRange): Promise<void> => {
      const what = {
        stationIds,
        variables: VARIABLES,
        range: part,
        intervalSeconds: null,
        raw: false,
        resampled: false,
      };
      const how = { format: "parquet", isUpdate: true, heightReference: "WGS84_ELLIPSOID" } as const;
      const origin = { service: "simulated", isSimulated: true };
      const path = join(folder, `${name}.parquet`);
      const done = await exportSeries(cache, origin, { ...what, ...how, path }, {});
      if (!done.ok) throw new Error(done.error.message);
      const { written = 0, unchanged = 0 } = done.value.updated ?? {};
      const seconds = ((performance.now() - started) / 1_000).toFixed(0);
      console.log(
        `${name}.parquet: ${written} months written, ${unchanged} unchanged, ${done.value.rows} rows, after ${seconds} s`,
      );
    };
    const early = own.slice(0, Math.max(1, own.length - 1));
    const lastMonth = { startMs: monthOf(start, months - 1).startMs, endMs: range.endMs };
    const before = { startMs: start, endMs: Math.max(lastMonth.startMs, start + DAY_MS) };
    fill(early, before, shift);
    await update(early, before);
    fill(early.slice(0, 1), monthOf(start), shift + 1);
    fill(own, lastMonth, shift);
    if (months > 1) fill(own.slice(early.length), before, shift);
    await update(own, range);
    if (name === "all") {
      const lines = catalogueOf(ids).map((s) => `${s.id},${s.displayName},${s.countryCode}`);
      writeFileSync(join(folder, "stations.csv"), `station_id,station_name,country_code\n${lines.join("\n")}\n`);
    }
    cache.close();
    rmSync(join(folder, `${name}.db`), { force: true });
    // What an update leaves beside the data is no data to any engine.
    if (!readdirSync(join(folder, `${name}.parquet`)).includes("_manifest.json")) throw new Error("no manifest");
  }
}

function ask(engine: string): Answer | string {
  const done = spawnSync(python, [join(import.meta.dirname, "queries.py"), engine, folder], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  const line = done.stdout?.trimEnd().split("\n").at(-1) ?? "";
  if (done.status === 0 && line.startsWith("{")) return JSON.parse(line) as Answer;
  return `failed: ${(done.stderr || done.error?.message || "no output").trim().split("\n").at(-1)}`;
}

/** Compares to a relative difference of 1e-9, since sums are added in another order. */
function compared(answer: Answer, expected: Answer): string {
  for (const [k, rows] of expected.results.entries()) {
    const own = answer.results[k] ?? [];
    if (own.length !== rows.length) return `query ${k + 1}: ${own.length} rows instead of ${rows.length}`;
    for (const [i, row] of rows.entries())
      for (const [j, value] of row.entries()) {
        const found = own[i]![j]!;
        const isEqual =
          typeof value === "number"
            ? Math.abs(Number(found) - value) <= 1e-9 * Math.max(1, Math.abs(value))
            : found === value;
        if (!isEqual) return `query ${k + 1}, row ${i + 1}: ${String(found)} instead of ${String(value)}`;
      }
  }
  return "equal";
}
