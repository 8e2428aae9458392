import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, type TestContext } from "vitest";
import type { FileSeries } from "#shared/file/opened.ts";
import type { OpenOptions, SeriesFile } from "#formats/open/index.ts";
import { openSeriesFile } from "../../support/openSeriesFile.ts";
import { mustSucceed, runTool } from "../tools.ts";

const CDL = join(import.meta.dirname, "cdl");

/** Generates the NetCDF file of a description with ncgen. @param kind the argument of `ncgen -k` */
export function generated(context: TestContext, folder: string, name: string, kind = "nc4"): string {
  const path = join(folder, `${name}-${kind.replaceAll(" ", "-")}.nc`);
  runTool(context, "ncgen", ["-k", kind, "-o", path, join(CDL, `${name}.cdl`)]);
  return path;
}

/** The same of the content of one, without its braces. */
export function generatedFrom(context: TestContext, path: string, content: string, kind = "nc4"): string {
  writeFileSync(`${path}.cdl`, `netcdf a {\n${content}\n}\n`);
  runTool(context, "ncgen", ["-k", kind, "-o", path, `${path}.cdl`]);
  return path;
}

export function described(name: string): string {
  return readFileSync(join(CDL, `${name}.cdl`), "utf8");
}

export async function openedSeries(path: string, options?: OpenOptions): Promise<SeriesFile> {
  return mustSucceed(await openSeriesFile(path, options));
}

/** What a file shows. */
export interface Shown {
  /** The first row of each series: `KALL ztd mm 2026-03-01T00:05 2400.5`. */
  readonly first: readonly string[];
  readonly labels: readonly string[];
  readonly variables: readonly (string | null)[];
  readonly units: readonly (string | null)[];
  readonly cells: readonly FileSeries["cell"][];
  /** Of the first series. */
  readonly position: FileSeries["position"] | undefined;
  /** Of ZTD, or else of the first series. */
  readonly times: readonly number[];
  readonly values: readonly number[];
  /** The values of all series. */
  readonly all: readonly (readonly number[])[];
  readonly notes: readonly string[];
}

/** Opens a file, which is written first if there is content; a string `kind: message choices` if it is refused or asks. */
export async function shown(
  path: string,
  content: string | Buffer | null,
  options?: OpenOptions,
): Promise<Shown | string> {
  if (content !== null) writeFileSync(path, content);
  const opened = await openSeriesFile(path, options);
  if (!opened.ok) {
    const { kind, message, choices = [] } = opened.error;
    return [`${kind}: ${message}`, ...choices.map(({ column, role, unit }) => `${column}=${role}:${unit}`)].join(" ");
  }
  const { series, notes } = opened.value;
  const rows = series.map((_, i) => opened.value.rows(i));
  const main = rows[series.findIndex(({ quantity }) => quantity.variable === "ztd")] ?? rows[0];
  opened.value.close();
  return {
    first: series.map(({ label, quantity: { variable, name, unit } }, i) => {
      const time = new Date(rows[i]!.timesMs[0]!).toISOString().slice(0, 19).replace(/:00$/, "");
      return `${label} ${variable ?? name} ${unit} ${time} ${rows[i]!.values[0]}`;
    }),
    labels: series.map(({ label }) => label),
    variables: series.map(({ quantity }) => quantity.variable),
    units: series.map(({ quantity }) => quantity.unit),
    cells: series.map(({ cell }) => cell),
    position: series[0]?.position,
    times: [...(main?.timesMs ?? [])],
    values: [...(main?.values ?? [])],
    all: rows.map(({ values }) => [...values]),
    notes,
  };
}

/** The same of a file that is not refused. */
export async function mustShow(...args: Parameters<typeof shown>): Promise<Shown> {
  const found = await shown(...args);
  if (typeof found === "string") throw new Error(found);
  return found;
}

/** Milliseconds since 1970 and value, null if missing, by label and quantity. */
export type RowsByName = Record<string, (readonly [number, number | null])[]>;

export async function rowsByName(path: string, options?: OpenOptions): Promise<RowsByName> {
  const file = mustSucceed(await openSeriesFile(path, options));
  const rows = file.series.map(
    (series) => [`${series.label}/${series.quantity.name}`, plainRows(file, series, 0)] as const,
  );
  file.close();
  return Object.fromEntries(rows.map(([name, own]) => [name, own.map(([s, value]) => [Math.round(1_000 * s), value])]));
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

/** Changes lines of texts: whatever is left is read in order of time, or refused with a sentence. */
export function readOrRefused(path: string, texts: readonly string[]): fc.IAsyncProperty<unknown> {
  const change = fc.tuple(fc.nat(), fc.constantFrom("drop", "twice", "cut", "noise"), fc.nat(100), fc.string());
  const changes = fc.array(change, { maxLength: 6 });
  return fc.asyncProperty(fc.constantFrom(...texts), changes, async (text, all) => {
    const lines = text.split("\n");
    for (const [at, how, column, noise] of all) {
      const i = at % lines.length;
      const line = lines[i] ?? "";
      if (how === "drop") lines.splice(i, 1);
      else if (how === "twice") lines.splice(i, 0, line);
      else lines[i] = line.slice(0, column) + (how === "cut" ? "" : noise + line.slice(column + noise.length));
    }
    writeFileSync(path, lines.join("\n"));
    const result = await openSeriesFile(path);
    expect(result.ok ? "A description." : result.error.message).toMatch(/^[A-Z“].{10,}\.$/s);
    if (!result.ok) return;
    for (const [i, { rows }] of result.value.series.entries()) {
      const { timesMs, values } = result.value.rows(i);
      expect([timesMs.length, values.length]).toEqual([rows, rows]);
      expect(timesMs.every((ms, k) => k === 0 || ms >= timesMs[k - 1]!)).toBe(true);
    }
    result.value.close();
  });
}
