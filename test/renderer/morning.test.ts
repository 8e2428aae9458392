import { expect, test } from "vitest";
import type { SeriesAvailability } from "#shared/bridge/methods/availability.ts";
import { abortedState, newRun } from "#main/app/schedules/delivery.ts";
import { runDetails } from "#shared/schedule/schedule.ts";
import { MINUTE_MS } from "#shared/time/utc.ts";
import { dayWords, missingWords } from "#renderer/features/morning/labels.ts";
import { lastText } from "#renderer/features/schedules/labels.ts";

const one = (n: number): Uint32Array => Uint32Array.of(n);
const gap = (minute: number, minutes: number) => {
  const range = { startMs: minute * MINUTE_MS, endMs: (minute + minutes) * MINUTE_MS };
  return { stationId: "a", name: "A", variables: ["ztd" as const], parts: [], range, cause: "filteredOut" as const };
};

test("the shares of a day are of the same whole: what is here, and what is not downloaded", () => {
  const day: SeriesAvailability = {
    firstMs: 0,
    binMs: 86_400_000,
    bins: 1,
    nowMs: 86_400_000,
    stations: [{ stationId: "a", stepSeconds: 30, isForbidden: false, hasEverSent: true, failedBecause: null }],
    expected: one(1_000),
    received: one(990),
    filtered: one(0),
    missing: one(2),
    failed: one(0),
    notRequested: one(8),
    mayStillArrive: one(0),
    rawAsked: Uint8Array.of(0),
  };
  expect(dayWords(day, "a", 0)).toBe("99.0 %, 0.8 % not downloaded");
  expect(dayWords({ ...day, received: one(992), missing: one(0) }, "a", 0)).toBe("99.2 %, 0.8 % not downloaded");
});

test("the longest gaps are listed, and short ones are counted", () => {
  const long = [gap(20, 6), gap(40, 7), gap(60, 30)];
  expect(missingWords([gap(0, 0.5), gap(10, 1), ...long])).toBe(
    "01-01 01:00 → 01:30 filtered out; 01-01 00:40 → 00:47 filtered out; 1 more; 2 gaps shorter than 5 min",
  );
  expect(missingWords([gap(0, 0.5)])).toBe("1 gap shorter than 5 min");
});

test("a run that was stopped says so once", () => {
  const run = { ...newRun("schedule", "user", 0), ...abortedState(AbortSignal.abort()) };
  expect(`${lastText(run, 0)}. ${runDetails(run)}`.match(/stopped/gi)).toHaveLength(1);
});
