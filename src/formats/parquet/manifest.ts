import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Coverage } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { parseStored } from "#shared/storedJson.ts";
import type { TimeRange } from "#shared/time/range.ts";
import { difference, intersect, type RangeSet, rangeSet } from "#shared/time/rangeset.ts";
import { FormatFailure } from "../error.ts";
import { lockNames } from "../fileLock.ts";
import { isTemporaryName } from "../leftovers.ts";
import { writeThroughTemporary } from "../temporary.ts";
import { MANIFEST } from "./partitions.ts";

/** UTC milliseconds of starts and ends. */
const rangesSchema = z.array(z.tuple([z.number(), z.number()]));
/** What was known when a partition was written, of each variable. */
const knownSchema = z.record(z.string(), z.object({ final: rangesSchema, provisional: rangesSchema }));
const manifestSchema = z.object({
  version: z.literal(1),
  /** Columns, interval, filter, kind of means and reference of heights of every partition, as JSON. */
  content: z.string(),
  /** SHA-256 of the rows of each partition, and its coverage then, by its folder. */
  partitions: z.record(z.string(), z.object({ rows: z.string(), known: knownSchema })),
});
export type Manifest = z.output<typeof manifestSchema>;
export type Known = z.output<typeof knownSchema>;

/** Returns the requested and answered time of a variable of a station. */
export type CoverageOf = (stationId: string, variable: Variable) => Coverage;

/** What is known of a station in a month, of each variable. */
export function knownIn(
  month: TimeRange,
  stationId: string,
  variables: readonly Variable[],
  coverageOf: CoverageOf,
): Known {
  const inMonth = (ranges: readonly TimeRange[]) =>
    intersect(rangeSet(ranges), [month]).map(({ startMs, endMs }) => [startMs, endMs] as [number, number]);
  return Object.fromEntries(
    variables.map((variable) => {
      const { final, provisional } = coverageOf(stationId, variable);
      return [variable, { final: inMonth(final), provisional: inMonth(provisional.map(({ range }) => range)) }];
    }),
  );
}

/** A month of which everything is known, in the variables of another. */
export function wholeOf(known: Known, { startMs, endMs }: TimeRange): Known {
  return Object.fromEntries(
    Object.keys(known).map((variable) => [variable, { final: [[startMs, endMs]], provisional: [] }]),
  );
}

function setOf(ranges: readonly (readonly [number, number])[]): RangeSet {
  return rangeSet(ranges.map(([startMs, endMs]) => ({ startMs, endMs })));
}

/** Whether all that was known is known: what was final is final, and what was answered is answered. */
export function includesAll(known: Known, before: Known): boolean {
  return Object.entries(before).every(([variable, { final, provisional }]) => {
    const now = known[variable] ?? { final: [], provisional: [] };
    return (
      difference(setOf(final), setOf(now.final)).length === 0 &&
      difference(setOf(provisional), setOf([...now.final, ...now.provisional])).length === 0
    );
  });
}

/** The manifest, of which a first update in another process may be writing the first one. */
export async function lockedManifestOf(folder: string, content: string): Promise<Manifest> {
  using _lock = await lockNames([folder]);
  return manifestOf(folder, content);
}

/**
 * Reads the manifest; writes an empty one into an empty folder, so that the folder is known as a dataset after a kill and to
 * an update in another process.
 *
 * @throws FormatFailure for any other dataset
 */
export async function manifestOf(folder: string, content: string): Promise<Manifest> {
  const names = await readdir(folder);
  const text = await readFile(join(folder, MANIFEST), "utf8").catch(() => null);
  const manifest = text === null ? null : parseStored(manifestSchema, text);
  if (manifest === null) {
    if (text === null && names.every(isTemporaryName)) {
      const empty: Manifest = { version: 1, content, partitions: {} };
      await writeManifest(folder, empty);
      return empty;
    }
    throw new FormatFailure(
      "invalid",
      `${folder} is not a dataset that --update made. Choose a new folder, or one of an earlier update.`,
    );
  }
  if (manifest.content === content) return manifest;
  throw new FormatFailure(
    "invalid",
    `${folder} holds other variables, or another interval, filter, kind of means or reference of heights. Choose the same ones, or a new folder.`,
  );
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  const written = await writeThroughTemporary(join(folder, MANIFEST), (path) => writeFile(path, text));
  if (!written.ok) throw new FormatFailure(written.error.kind, written.error.message, written.error.cause);
}
