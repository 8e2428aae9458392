import { type Schedule, UNWATCHED } from "#shared/schedule/schedule.ts";

/** A daily schedule without files. */
export function scheduleOf(change: Partial<Schedule> = {}): Schedule {
  return {
    name: "Morning",
    connectionId: "c1",
    when: { kind: "daily", time: "06:30", clock: "utc" },
    stations: { kind: "list", stationIds: ["a"] },
    variables: ["ztd"],
    range: { start: "yesterday", end: "" },
    intervalSeconds: null,
    raw: false,
    resampled: false,
    exports: [],
    folder: null,
    catchUpDays: 30,
    sinceMs: null,
    ...UNWATCHED,
    keepDays: null,
    notice: "end",
    isPaused: false,
    ...change,
  };
}
