import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { writeTimeSeriesCsv } from "#formats/csv/index.ts";
import { writeTimeSeriesNetcdf } from "#formats/netcdf/index.ts";
import { FormatFailure, openSeriesFile } from "#formats/open/index.ts";
import { writeParquetFile } from "#formats/parquet/index.ts";
import { writeSinexTro } from "#formats/sinex/index.ts";
import { writeTimeSeriesXlsx } from "#formats/xlsx/index.ts";
import { writePlainSqlite } from "#main/export/sqlite.ts";
import type { Variable } from "#shared/service/variables.ts";
import { tries } from "../../support/endurance.ts";
import { regularRows, sourceOf, station } from "../sources.ts";
import { mustSucceed, scratchFolder } from "../tools.ts";

// Changed, cut and swapped bytes of every format: a message or a file, never an error that nobody catches; and where the
// format has checksums, never other values without a word.

const folder = scratchFolder();
const source = () =>
  sourceOf({
    stations: [station(0), station(1)],
    variables: ["ztd", "pwv"] as Variable[],
    rows: [regularRows(300, 0), regularRows(200, 50)],
  });

/** Formats whose content is compared with checksums as a whole. */
const WRITERS: readonly (readonly [name: string, isChecked: boolean, write: (path: string) => Promise<unknown>])[] = [
  ["a.csv", false, async (path) => mustSucceed(await writeTimeSeriesCsv(path, source()))],
  ["a.tro", false, async (path) => mustSucceed(await writeSinexTro(path, source()))],
  ["a.nc", false, async (path) => mustSucceed(await writeTimeSeriesNetcdf(path, source(), { container: "netcdf4" }))],
  ["a3.nc", false, async (path) => mustSucceed(await writeTimeSeriesNetcdf(path, source(), { container: "netcdf3" }))],
  [
    "a.sqlite",
    false,
    async (path) => mustSucceed(await writePlainSqlite(path, { series: source(), satellites: null }, {})),
  ],
  ["a.parquet", true, async (path) => mustSucceed(await writeParquetFile(path, source()))],
  ["a.xlsx", true, async (path) => mustSucceed(await writeTimeSeriesXlsx(path, source(), {}))],
  [
    "a.csv.gz",
    true,
    async (path) => {
      mustSucceed(await writeTimeSeriesCsv(`${path}.csv`, source()));
      writeFileSync(path, gzipSync(readFileSync(`${path}.csv`)));
    },
  ],
];

/** All that is shown of a file, or its message. */
async function shown(path: string): Promise<string> {
  const opened = await openSeriesFile(path);
  if (!opened.ok) return `! ${opened.error.message}`;
  const file = opened.value;
  const { series, notes } = file;
  const rows = series.map((_, i) => {
    try {
      const { timesMs, values } = file.rows(i);
      return [[...timesMs].join(), [...values].join()];
    } catch (thrown) {
      // Values are read when they are shown.
      if (thrown instanceof FormatFailure) return [thrown.message];
      throw thrown;
    }
  });
  file.close();
  return JSON.stringify([series, rows, notes]);
}

describe.each(WRITERS)("%s", (name, isChecked, write) => {
  let bytes = Buffer.alloc(0);
  let before = "";

  beforeAll(async () => {
    const path = join(folder, name);
    await write(path);
    bytes = readFileSync(path);
    before = await shown(path);
  });

  it("is shown as it is", () => {
    expect(before).toMatch(/^\[/);
  });

  it("is shown or rejected with a message, however it is changed", async () => {
    const place = fc.nat();
    const change = fc.oneof(
      fc.record({ kind: fc.constant("bit" as const), at: place, bit: fc.nat(7) }),
      fc.record({ kind: fc.constant("byte" as const), at: place, value: fc.nat(255) }),
      fc.record({ kind: fc.constant("cut" as const), at: place }),
      fc.record({ kind: fc.constant("zeros" as const), at: place }),
    );
    const path = join(folder, `changed-${name}`);
    await fc.assert(
      fc.asyncProperty(change, async (each) => {
        const copy = Buffer.from(bytes);
        const at = each.at % bytes.length;
        if (each.kind === "bit") copy[at]! ^= 1 << each.bit;
        else if (each.kind === "byte") copy[at] = each.value;
        else if (each.kind === "zeros") copy.fill(0, at, Math.min(copy.length, at + 512));
        writeFileSync(path, each.kind === "cut" ? copy.subarray(0, at) : copy);
        const after = await shown(path);
        // Of a format without checksums, other values may be shown.
        const isMessage = /^! .{20,}[.”]( Write .*)?$/s.test(after);
        expect(isMessage || (isChecked ? after === before : after.startsWith("["))).toBe(true);
      }),
      { numRuns: tries(25, 375) },
    );
  });
});
