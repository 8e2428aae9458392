import { addAnomaly, type AnomalyCounts, type ReceivedRows } from "#shared/series/rows.ts";
import { isAligned } from "#shared/time/interval.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import type { ResponseScope } from "../types.ts";

/** Selects the rows of a block that belong to the scope, and counts irregularities among them. */
interface RowFilter {
  /** Calls `accept` for each run of rows (`to` is exclusive) that belong to the scope, in order of arrival. */
  filter(block: ReceivedRows, progress: StationProgress, accept: (from: number, to: number) => void): void;
}

/** What the filter keeps of a station between its blocks. */
export interface StationProgress {
  latestMs: number;
  /** Rows outside the range, without those just beyond its ends. */
  outside: number;
  /** Rows off the grid of the interval. */
  offGrid: number;
}

/**
 * Services may round a range or include its end. Rows this close to the range are no sign that the response is for
 * another range: if it were shifted by so little, most of its rows would still be inside.
 */
const MAX_OVERHANG_MS = 600_000;

function overhangMs(range: TimeRange): number {
  return Math.min(MAX_OVERHANG_MS, durationMs(range) / 4);
}

export function createRowFilter(scope: ResponseScope, anomalies: AnomalyCounts): RowFilter {
  const { startMs, endMs } = scope.range;
  const { intervalSeconds } = scope;
  const overhang = overhangMs(scope.range);
  const onGrid = (time: number): boolean => intervalSeconds === null || isAligned(time, intervalSeconds);
  const inRange = (time: number): boolean => time >= startMs && time < endMs;

  function countRejected(time: number, progress: StationProgress): void {
    if (inRange(time)) {
      addAnomaly(anomalies, "offGrid");
      progress.offGrid++;
      return;
    }
    addAnomaly(anomalies, "outOfRange");
    if (time < startMs - overhang || time > endMs + overhang) progress.outside++;
  }

  return {
    filter({ timesMs }, progress, accept) {
      let unsorted = 0;
      let { latestMs } = progress;
      // First row of the current run of accepted rows.
      let from = 0;
      timesMs.forEach((time, i) => {
        if (inRange(time) && onGrid(time)) {
          if (time < latestMs) unsorted++;
          else latestMs = time;
          return;
        }
        if (i > from) accept(from, i);
        countRejected(time, progress);
        from = i + 1;
      });
      if (timesMs.length > from) accept(from, timesMs.length);
      progress.latestMs = latestMs;
      addAnomaly(anomalies, "unsorted", unsorted);
    },
  };
}
