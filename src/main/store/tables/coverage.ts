import { defined } from "#shared/defined.ts";
import type { Coverage } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketStart } from "./keys.ts";
import { type Extent, extentsOf, joinExtents } from "../chunks/coverage.ts";
import type { BucketRow } from "./bucketRow.ts";

/** Returns the coverage of a variable in these rows, which are in order of time. @throws DamagedData */
export function coverageIn(rows: readonly BucketRow[], variable: Variable): Coverage {
  const extents: Extent[] = [];
  for (let i = 0; i < rows.length; i++) {
    const row = defined(rows[i]);
    let end = row;
    if (!row.isFinal(variable)) extents.push(...row.extents(variable));
    else {
      // Most rows are final in all of their buckets.
      for (let next = rows[i + 1]; next?.bucketMs === end.endMs && next.isFinal(variable); next = rows[i + 1]) {
        end = next;
        i++;
      }
      extents.push({ startMs: row.bucketMs, endMs: end.endMs, fetchedAtMs: null });
    }
  }
  return joinExtents(extents);
}

/** Cuts coverage into the buckets of this length, within a range of whole buckets. */
export function extentsByBucket(coverage: Coverage, lengthMs: number, within: TimeRange): Map<UtcMs, Extent[]> {
  const found = new Map<UtcMs, Extent[]>();
  for (const { startMs, endMs, fetchedAtMs } of extentsOf(coverage).toSorted((a, b) => a.startMs - b.startMs)) {
    const lastMs = Math.min(endMs, within.endMs);
    let at = Math.max(startMs, within.startMs);
    while (at < lastMs) {
      const bucketMs = bucketStart(at, lengthMs);
      const end = Math.min(lastMs, bucketMs + lengthMs);
      const own = found.get(bucketMs) ?? [];
      own.push({ startMs: at, endMs: end, fetchedAtMs });
      found.set(bucketMs, own);
      at = end;
    }
  }
  return found;
}
