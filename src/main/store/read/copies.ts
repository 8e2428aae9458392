import type { VariableKind } from "#shared/service/variables.ts";
import { alignOutward, durationMs, intersectRange, type TimeRange } from "#shared/time/range.ts";
import { hull, intersect, type RangeSet, rangeSet, totalMs } from "#shared/time/rangeset.ts";
import { emptyRuns } from "#shared/time/runs.ts";
import { bucketLength, bucketStart, type ChunkKey } from "../tables/keys.ts";
import { decodeRunsInto } from "../codec/runs.ts";
import type { BucketChange } from "../tables/chunks.ts";
import type { Tables } from "../tables/index.ts";

/** Buckets that are read at once, so that their rows and coverage are of one moment. */
const BUCKETS_PER_PART = 64;

/** Some buckets of a key. */
interface CopiedPart {
  readonly key: ChunkKey;
  /** The ranges to copy: for means, whole intervals. */
  readonly within: RangeSet;
  readonly buckets: TimeRange;
}

/** Returns the parts with the buckets of a station that the ranges touch. */
export function partsToCopy(
  { buckets }: Tables,
  stationId: string,
  kinds: readonly VariableKind[],
  ranges: RangeSet,
): CopiedPart[] {
  return buckets.keysOf(stationId).flatMap((key): CopiedPart[] => {
    const within = key.interval === 0 ? ranges : rangeSet(ranges.map((range) => alignOutward(range, key.interval)));
    const wanted = hull(within);
    const held = buckets.hull(key);
    if (!kinds.includes(key.kind) || wanted === null || held === null) return [];
    const lengthMs = bucketLength(key);
    const { startMs, endMs } = intersectRange(wanted, { startMs: held.startMs, endMs: held.endMs + lengthMs });
    const parts: CopiedPart[] = [];
    for (let at = bucketStart(startMs, lengthMs); at < endMs; at += BUCKETS_PER_PART * lengthMs)
      parts.push({ key, within, buckets: { startMs: at, endMs: at + BUCKETS_PER_PART * lengthMs } });
    return parts;
  });
}

/** Returns the buckets of a part that the ranges touch, cut to them, as changes that create them in another file. */
export function copyPart({ buckets, chunks }: Tables, { key, within, buckets: range }: CopiedPart): BucketChange[] {
  return buckets
    .scan(key, range)
    .map((row) => chunks.copyOf(key, row, within))
    .filter(({ chunk, extents }) => chunk !== null || [...extents.values()].some((own) => own.length > 0));
}

/** Approximate bytes of these parts, the number of their columns, and whether there is any row in the ranges. */
export function sizeOfParts({ buckets }: Tables, parts: readonly CopiedPart[]) {
  let [bytes, columns, hasRows] = [0, 0, false];
  for (const { key, within, buckets: range } of parts) {
    for (const row of buckets.scan(key, range)) {
      const bucket = { startMs: row.bucketMs, endMs: row.endMs };
      const own = intersect(within, [bucket]);
      if (own.length === 0 || row.rows === 0) continue;
      const stored = row.variables.reduce(
        (sum, variable) => sum + (row.column(variable)?.bytes ?? 0),
        row.times.length,
      );
      bytes += stored * (totalMs(own) / durationMs(bucket));
      columns += row.variables.length;
      hasRows ||= own.some((one) => countIn(row.times, one) > 0);
    }
  }
  return { bytes, columns, hasRows };
}

function countIn(times: Uint8Array, range: TimeRange): number {
  const runs = emptyRuns();
  decodeRunsInto(runs, range, times);
  return runs.total;
}
