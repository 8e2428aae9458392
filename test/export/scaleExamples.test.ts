import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { updateParquetDataset } from "#formats/parquet/update.ts";
import { duckdb } from "../formats/duckdb.ts";
import { type PlainRow, sourceOf, START_MS, station } from "../formats/sources.ts";
import { mustSucceed, scratchFolder } from "../formats/tools.ts";

const HOUR_MS = 3_600_000;
const page = readFileSync(join(import.meta.dirname, "../../docs/scale.md"), "utf8");
const QUERIES = Array.from(page.matchAll(/```sql\n([\s\S]*?)```/g), ([, sql = ""]) => sql);

/** January in half-hourly rows; PWV with a daily cycle. */
function rows(ztd: number, n = 1_488): PlainRow[] {
  return Array.from({ length: n }, (_, i) => ({
    timeMs: START_MS + (i * HOUR_MS) / 2,
    values: { ztd: ztd + (i % 2), pwv: 20 + 3 * Math.sin((2 * Math.PI * i) / 48) },
  }));
}

describe("the queries in docs/scale.md", async () => {
  const folder = scratchFolder();
  const stations = [station(0), station(1)];
  for (const [name, offset] of [
    ["all", 0],
    ["other", 2.5],
  ] as const) {
    const source = sourceOf({
      stations,
      variables: ["ztd", "pwv"],
      rows: [rows(2_400 - offset), rows(2_300 - offset, 720)],
    });
    mustSucceed(
      await updateParquetDataset(join(folder, `${name}.parquet`), source, () => ({ final: [], provisional: [] })),
    );
  }
  const run = (k: number): Promise<Record<string, number>[]> => {
    const sql = QUERIES[k]!.replaceAll(/'(all|other)\.parquet/g, (_, name: string) => `'${folder}/${name}.parquet`);
    return duckdb(sql.replace(/;\s*$/, ""), "SET TimeZone = 'UTC'");
  };

  it("are three", () => {
    expect(QUERIES).toHaveLength(3);
  });

  it("return the share of each month", async () => {
    const found = await run(0);
    expect(found.map((row) => row["share_of_month"])).toEqual([1_488 / 89_280, 720 / 89_280]);
  });

  it("return the diurnal cycle of PWV", async () => {
    const found = await run(1);
    expect(found).toHaveLength(48);
    const noon = found.filter((row) => Number(row["hour"]) === 6).map((row) => row["anomaly_mm"]!);
    // Rows at 6:00 and 6:30.
    const expected = 1.5 * (1 + Math.sin((2 * Math.PI * 13) / 48));
    for (const value of noon) expect(value).toBeCloseTo(expected, 6);
  });

  it("return the bias against a second product", async () => {
    const found = await run(2);
    expect(found.map((row) => [Number(row["hours"]), row["bias_mm"], row["std_mm"]])).toEqual([
      [744, 2.5, 0],
      [360, 2.5, 0],
    ]);
  });
});
