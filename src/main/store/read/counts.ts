import type { SeriesSelection } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import { intersectRange, isEmpty, type TimeRange } from "#shared/time/range.ts";
import { expandRuns } from "#shared/time/runs.ts";
import { bucketStart } from "../chunks/bucket.ts";
import { kindsOf, readCoverage, type SelectedKind } from "./reader.ts";
import type { Tables } from "../tables/index.ts";
import { readValueTimes } from "./times.ts";
import type { CountedSeries } from "../types.ts";

/** Times per block. */
const BLOCK = 4_096;

/**
 * Implements `CacheReader.countBins`. Must run in one transaction, so that counts and coverage are of the same state.
 */
export function countBins(tables: Tables, selection: SeriesSelection, binMs: number): CountedSeries {
  const { range } = selection;
  const [variable] = selection.variables;
  const firstMs = bucketStart(range.startMs, binMs);
  const values = new Uint32Array(Math.ceil((range.endMs - firstMs) / binMs));
  if (variable === undefined) return { coverage: { final: [], provisional: [] }, values };
  const [kind] = kindsOf(tables, selection);
  const addTimes = (part: TimeRange): void => {
    for (const times of expandRuns(readValueTimes(tables, { ...selection, range: part }, true), BLOCK))
      for (const timeMs of times) values[Math.floor((timeMs - firstMs) / binMs)]!++;
  };
  if (kind && binMs % kind.bucketLengthMs === 0)
    addBuckets(tables, kind, variable, range, { firstMs, binMs, values, addTimes });
  else if (kind) addTimes(range);
  return { coverage: readCoverage(tables, selection, variable), values };
}

/** Implements `CacheReader.countValues`. Must run in one transaction. */
export function countValues(tables: Tables, selection: SeriesSelection): number {
  const [variable] = selection.variables;
  const [kind] = kindsOf(tables, selection);
  if (variable === undefined || !kind || isEmpty(selection.range)) return 0;
  const { range } = selection;
  const buckets = { startMs: bucketStart(range.startMs, kind.bucketLengthMs), endMs: range.endMs };
  let sum = 0;
  for (const { bucketMs, values } of tables.columns.valueCounts(kind.key, variable, buckets)) {
    const whole = { startMs: bucketMs, endMs: bucketMs + kind.bucketLengthMs };
    const part = intersectRange(whole, range);
    const isCut = part.startMs > whole.startMs || part.endMs < whole.endMs;
    sum += isCut ? readValueTimes(tables, { ...selection, range: part }, true).total : values;
  }
  return sum;
}

interface Bins {
  readonly firstMs: number;
  readonly binMs: number;
  readonly values: Uint32Array;
  addTimes(part: TimeRange): void;
}

function addBuckets(tables: Tables, kind: SelectedKind, variable: Variable, range: TimeRange, bins: Bins): void {
  const { bucketLengthMs } = kind;
  const buckets = { startMs: bucketStart(range.startMs, bucketLengthMs), endMs: range.endMs };
  for (const { bucketMs, values } of tables.columns.valueCounts(kind.key, variable, buckets)) {
    const endMs = bucketMs + bucketLengthMs;
    // The range cuts this bucket: its times must be decoded.
    if (bucketMs < range.startMs || endMs > range.endMs)
      bins.addTimes({ startMs: Math.max(bucketMs, range.startMs), endMs: Math.min(endMs, range.endMs) });
    else bins.values[Math.floor((bucketMs - bins.firstMs) / bins.binMs)]! += values;
  }
}
