import type { ResponseScope } from "#main/store/types.ts";
import type { ModelRow } from "./model.ts";

/** Each response is ten hours of 30 s data of two stations: responses share day buckets, so commits merge. */
export const ANSWER_ROWS = 1_200;
export const KILL_STATIONS = ["a", "b"];

export function killScope(answer: number): ResponseScope {
  const startMs = answer * ANSWER_ROWS * 30_000;
  const range = { startMs, endMs: startMs + ANSWER_ROWS * 30_000 };
  return { stationIds: KILL_STATIONS, variables: ["ztd", "prn"], range, intervalSeconds: null, raw: false };
}

/** Returns the same rows at each call. */
export function rowsOfAnswer(answer: number): ModelRow[] {
  return KILL_STATIONS.flatMap((stationId) =>
    Array.from({ length: ANSWER_ROWS }, (_, i) => ({
      stationId,
      timeMs: (answer * ANSWER_ROWS + i) * 30_000,
      values: { ztd: ((answer * 7919 + i * 104_729) % 10_000) / 10, prn: `G${i % 32}` },
    })),
  );
}
