import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, expect, it } from "vitest";
import type { SeriesFile } from "#formats/open/index.ts";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { writeParquetFile } from "#formats/parquet/index.ts";
import { writePlainSqlite } from "#main/export/sqlite.ts";
import { resample } from "#main/analysis/resample.ts";
import { duckdb } from "../duckdb.ts";
import { regularRows, sourceOf, station } from "../sources.ts";
import { mustSucceed, runPython, scratchFolder } from "../tools.ts";

// Tables of this program that other programs write again mean the same: their columns decide.

const folder = scratchFolder();
const range = { startMs: Date.UTC(2026, 0, 1), endMs: Date.UTC(2026, 0, 2) };
const plain = sourceOf({
  stations: [
    station(0, { height: 45.25, heightReference: "WGS84_ELLIPSOID" }),
    station(1, { height: 27.5, heightReference: "EGM2008" }),
  ],
  variables: ["ztd", "pwv"],
  rows: [regularRows(300, 0), regularRows(200, 50)],
});
const means = {
  ...plain,
  range,
  intervalSeconds: 900,
  blocks: (index: number) => resample(plain.blocks(index), { variables: ["ztd", "pwv"], range, intervalSeconds: 900 }),
};
const SOURCES = { observations: plain, means } as const;
const NAMES = ["observations", "means"] as const;

const ours = (name: string, form: string): string => join(folder, `${name}.${form}`);

beforeAll(async () => {
  for (const name of NAMES) {
    const source = SOURCES[name];
    mustSucceed(await writeParquetFile(ours(name, "parquet"), source));
    mustSucceed(await writePlainSqlite(ours(name, "sqlite"), { series: source, satellites: null }, {}));
  }
});

/** What each series is, with its rows; of columns without a value nothing is left by some programs. */
async function shown(path: string): Promise<unknown> {
  const file: SeriesFile = mustSucceed(await openSeriesFile(path));
  const all = file.series.map(({ label, stationId, position, quantity, cell }, i) => {
    const { timesMs, values } = file.rows(i);
    const { name, unit, variable, conversion } = quantity;
    return {
      label,
      stationId,
      position,
      name,
      unit,
      variable,
      conversion,
      cell,
      rows: [timesMs.join(), values.join()],
    };
  });
  file.close();
  return all.toSorted((a, b) => (`${a.stationId} ${a.name}` < `${b.stationId} ${b.name}` ? -1 : 1));
}

const PYTHON: Readonly<Record<string, string>> = {
  pandas: "pandas.read_parquet(a).to_parquet(b)",
  "pandas, with other rows first and an index":
    "pandas.read_parquet(a).sample(frac=1, random_state=1).set_index('time').sort_index().to_parquet(b)",
  fastparquet: "pandas.read_parquet(a).to_parquet(b, engine='fastparquet')",
  Polars: "polars.read_parquet(a).write_parquet(b)",
};

// One process for all, because their imports take longest.
it("Parquet of this program is its own after pandas, fastparquet and Polars", async (context) => {
  const cases = NAMES.flatMap((source) =>
    Object.entries(PYTHON).map(([name, statement], i) => {
      const [from, to] = [ours(source, "parquet"), join(folder, `${source} ${i}.parquet`)];
      return { source, name, to, line: `a, b = ${JSON.stringify(from)}, ${JSON.stringify(to)}\n${statement}` };
    }),
  );
  const script = [...cases.map(({ line }) => line), 'print("true")'].join("\n");
  runPython(context, ["pandas", "pyarrow", "fastparquet", "polars"], script);
  for (const { source, name, to } of cases) {
    const [found, expected] = [await shown(to), await shown(ours(source, "parquet"))];
    expect({ source, name, found }).toEqual({ source, name, found: expected });
  }
});

it("Parquet of this program is its own after DuckDB, sorted by time", async () => {
  for (const name of NAMES) {
    const path = join(folder, `${name} duckdb.parquet`);
    await duckdb(`COPY (SELECT * FROM '${ours(name, "parquet")}' ORDER BY time, ztd_mm) TO '${path}' (FORMAT parquet)`);
    expect(await shown(path)).toEqual(await shown(ours(name, "parquet")));
  }
});

it.each([
  ["ANALYZE", "ANALYZE"],
  ["CREATE INDEX, and VACUUM", "CREATE INDEX by_time ON series (time); VACUUM"],
])("SQLite of this program is its own after %s", async (_, sql) => {
  for (const name of NAMES) {
    const path = join(folder, `${name} ${sql.length}.sqlite`);
    copyFileSync(ours(name, "sqlite"), path);
    const before = readFileSync(path);
    const database = new Database(path);
    const [table] = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rootpage DESC")
      .all();
    const main = (table as { readonly name: string }).name;
    database.exec(sql.replace("series", main));
    database.close();
    expect(readFileSync(path).equals(before)).toBe(false);
    expect(await shown(path)).toEqual(await shown(ours(name, "sqlite")));
  }
});
