import { addAnomaly, type AnomalyCounts, type ArrivedRows } from "#shared/series/rows.ts";
import { isAligned } from "#shared/time/interval.ts";
import { durationMs, type TimeRange } from "#shared/time/range.ts";
import type { AnswerScope } from "../types.ts";

/** Says which rows of a block belong to the scope, and counts what is odd about them. */
export interface ArrivalCheck {
  /** Calls `accept` for each run of rows that belong to the scope, in order of arrival. */
  inspect(block: ArrivedRows, state: ArrivalState, accept: (from: number, to: number) => void): void;
}

/** What is remembered of a station between its blocks. */
export interface ArrivalState {
  latestMs: number;
  /** Rows outside of the range, but for those just beyond its ends. */
  outside: number;
  /** Rows off the grid of the interval. */
  offGrid: number;
}

/**
 * Services round ranges, or count their ends in. Rows so little outside are no sign of another range's answer: shifted by so
 * little, most of them would still lie inside.
 */
const MOST_OVERHANG_MS = 600_000;

function overhangMs(range: TimeRange): number {
  return Math.min(MOST_OVERHANG_MS, durationMs(range) / 4);
}

export function arrivalCheck(scope: AnswerScope, anomalies: AnomalyCounts): ArrivalCheck {
  const { startMs, endMs } = scope.range;
  const { intervalSeconds } = scope;
  const overhang = overhangMs(scope.range);
  const onGrid = (time: number): boolean => intervalSeconds === null || isAligned(time, intervalSeconds);
  const inRange = (time: number): boolean => time >= startMs && time < endMs;

  function leaveOut(time: number, state: ArrivalState): void {
    if (inRange(time)) {
      addAnomaly(anomalies, "offGrid");
      state.offGrid++;
      return;
    }
    addAnomaly(anomalies, "outOfRange");
    if (time < startMs - overhang || time > endMs + overhang) state.outside++;
  }

  return {
    inspect(block, state, accept) {
      const times = block.timesMs;
      let unsorted = 0;
      let { latestMs } = state;
      for (let i = 0; i < times.length;) {
        const from = i;
        for (; i < times.length && inRange(times[i]!) && onGrid(times[i]!); i++) {
          if (times[i]! < latestMs) unsorted++;
          else latestMs = times[i]!;
        }
        if (i > from) accept(from, i);
        if (i === times.length) break;
        leaveOut(times[i]!, state);
        i++;
      }
      state.latestMs = latestMs;
      addAnomaly(anomalies, "unsorted", unsorted);
    },
  };
}
