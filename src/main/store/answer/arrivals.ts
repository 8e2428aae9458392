import { addAnomaly, type AnomalyCounts, type ArrivedRows } from "#shared/series/rows.ts";
import { isAligned } from "#shared/time/interval.ts";
import type { AnswerScope } from "../types.ts";

/** Says which rows of a block belong to the scope, and counts what is odd about them. */
export interface ArrivalCheck {
  /** Calls `accept` for each run of rows that belong to the scope, in order of arrival. */
  inspect(block: ArrivedRows, state: ArrivalState, accept: (from: number, to: number) => void): void;
}

/** What is remembered of a station between its blocks. */
export interface ArrivalState {
  latestMs: number;
}

export function arrivalCheck(scope: AnswerScope, anomalies: AnomalyCounts): ArrivalCheck {
  const { startMs, endMs } = scope.range;
  const { intervalSeconds } = scope;
  const onGrid = (time: number): boolean => intervalSeconds === null || isAligned(time, intervalSeconds);
  const inRange = (time: number): boolean => time >= startMs && time < endMs;

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
        addAnomaly(anomalies, inRange(times[i]!) ? "offGrid" : "outOfRange");
        i++;
      }
      state.latestMs = latestMs;
      addAnomaly(anomalies, "unsorted", unsorted);
    },
  };
}
