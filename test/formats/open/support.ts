import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "vitest";
import type { FileSeries } from "#shared/file/opened.ts";
import type { SeriesFile } from "#formats/open/index.ts";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { mustSucceed, runTool } from "../tools.ts";

const CDL = join(import.meta.dirname, "cdl");

/** Generates the NetCDF file of a description with ncgen. @param kind the argument of `ncgen -k` */
export function generated(context: TestContext, folder: string, name: string, kind = "nc4"): string {
  const path = join(folder, `${name}-${kind.replaceAll(" ", "-")}.nc`);
  runTool(context, "ncgen", ["-k", kind, "-o", path, join(CDL, `${name}.cdl`)]);
  return path;
}

export function described(name: string): string {
  return readFileSync(join(CDL, `${name}.cdl`), "utf8");
}

export async function openedSeries(path: string): Promise<SeriesFile> {
  return mustSucceed(await openSeriesFile(path));
}

/** Rows of a series: seconds since `fromMs` and value, null if missing. */
export function plainRows(file: SeriesFile, series: FileSeries, fromMs: number): (readonly [number, number | null])[] {
  const { timesMs, values } = file.rows(file.series.indexOf(series));
  return Array.from(timesMs, (ms, i) => [(ms - fromMs) / 1_000, Number.isNaN(values[i]!) ? null : values[i]!] as const);
}

export function seriesBy(file: SeriesFile, label: string, quantity: string): FileSeries {
  const found = file.series.find((s) => s.label === label && s.quantity.name === quantity);
  if (!found)
    throw new Error(
      `no ${quantity} of ${label} among ${file.series.map((s) => `${s.quantity.name} of ${s.label}`).join("; ")}`,
    );
  return found;
}
