import type { ResponseScope } from "#main/store/types.ts";
import type { ModelRow } from "./model.ts";

/** Each response has ten hours of 30 s data of two stations: responses share day buckets, so commits merge. */
export const RESPONSE_ROWS = 1_200;
export const KILL_STATIONS = ["a", "b"];

export function killScope(response: number): ResponseScope {
  const startMs = response * RESPONSE_ROWS * 30_000;
  const range = { startMs, endMs: startMs + RESPONSE_ROWS * 30_000 };
  return { stationIds: KILL_STATIONS, variables: ["ztd", "prn"], range, intervalSeconds: null, raw: false };
}

/** Returns the same rows at each call. */
export function rowsOfResponse(response: number): ModelRow[] {
  return KILL_STATIONS.flatMap((stationId) =>
    Array.from({ length: RESPONSE_ROWS }, (_, i) => ({
      stationId,
      timeMs: (response * RESPONSE_ROWS + i) * 30_000,
      values: { ztd: ((response * 7919 + i * 104_729) % 10_000) / 10, prn: `G${i % 32}` },
    })),
  );
}
