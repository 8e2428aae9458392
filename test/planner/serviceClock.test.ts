import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { confirmedTime, readServiceTime, UNKNOWN_CLOCK, withSample } from "#main/planner/serviceClock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time/utc.ts";

/** Clocks closer than this agree. */
const AGREE_MS = 2 * MINUTE_MS;
const TRUE_MS = Date.UTC(2026, 10, 22, 12);
const YEARS_MS = 3_653 * DAY_MS;

interface Moment {
  /** True time since the start. */
  readonly atMs: number;
  /** Error of this computer's clock. */
  readonly wallErrorMs?: number;
  /** Error of the received `Date` header. */
  readonly dateErrorMs?: number;
}

function own({ atMs, wallErrorMs = 0 }: Moment) {
  return { wallMs: TRUE_MS + atMs + wallErrorMs, monotonicMs: 5_000 + atMs };
}

function received(moments: readonly Moment[]) {
  return moments.reduce(
    (clock, moment) =>
      withSample(clock, {
        serverMs: Math.floor((TRUE_MS + moment.atMs + (moment.dateErrorMs ?? 0)) / 1_000) * 1_000,
        sentMonotonicMs: 5_000 + moment.atMs - 200,
        ...own(moment),
      }),
    UNKNOWN_CLOCK,
  );
}

const dataBehindMs = (ms: number) => (moment: Moment) => () => TRUE_MS + moment.atMs - ms;
const newest = dataBehindMs(10 * MINUTE_MS);
const errors = fc.oneof(
  fc.integer({ min: -40 * DAY_MS, max: 40 * DAY_MS }),
  fc.constantFrom(-YEARS_MS, YEARS_MS, -TRUE_MS, 3 * DAY_MS, -3 * DAY_MS, HOUR_MS, -HOUR_MS),
);

describe("the time at the service", () => {
  it("is that of this computer if the responses agree within a second or two", () => {
    const now = { atMs: 60_000 };
    const time = readServiceTime(received([{ atMs: 0 }, { atMs: 30_000 }]), own(now), newest(now));
    const { wallMs } = own(now);
    expect(time).toEqual({
      nowMs: wallMs,
      earliestMs: wallMs,
      latestMs: wallMs,
      ageClocksMs: [wallMs],
      disagreement: null,
    });
  });

  it.each([MINUTE_MS, -MINUTE_MS, 3 * MINUTE_MS, -3 * MINUTE_MS])(
    "is disputed by clocks that differ by more than two minutes: %i ms",
    (wallErrorMs) => {
      const now = { atMs: 60_000, wallErrorMs };
      const clock = received([0, 30_000].map((atMs) => ({ atMs, wallErrorMs })));
      const { disagreement } = readServiceTime(clock, own(now), newest(now));
      expect(disagreement === null).toBe(Math.abs(wallErrorMs) < AGREE_MS);
    },
  );

  it("is most likely what is nearest to the newest data, if a clock is wrong by any amount", () => {
    fc.assert(
      fc.property(errors, fc.boolean(), fc.integer({ min: 1, max: 8 }), (errorMs, isServerWrong, responses) => {
        fc.pre(Math.abs(errorMs) > 2 * HOUR_MS);
        const error = isServerWrong ? { dateErrorMs: errorMs } : { wallErrorMs: errorMs };
        const moments = Array.from({ length: responses }, (_, i) => ({ atMs: i * 7_000, ...error }));
        const now = { atMs: 60_000, ...error };
        const time = readServiceTime(received(moments), own(now), newest(now));
        const trueMs = TRUE_MS + now.atMs;
        expect(Math.abs(time.nowMs - trueMs)).toBeLessThan(3_000);
        expect(time.earliestMs).toBeLessThan(trueMs + 3_000);
        expect(time.latestMs).toBeGreaterThan(trueMs - 3_000);
        expect(time.ageClocksMs.some((ms) => Math.abs(ms - trueMs) < 3_000)).toBe(true);
        expect(time.disagreement).not.toBeNull();
      }),
    );
  });

  it("is within its bounds if one source is right", () => {
    const sources = fc.record({ dateErrorMs: errors, wallErrorMs: errors, behindMs: fc.integer({ min: 0, max: 900 }) });
    fc.assert(
      fc.property(sources, fc.constantFrom("date", "wall"), fc.boolean(), (w, right, hasData) => {
        const moment = {
          dateErrorMs: right === "date" ? 0 : w.dateErrorMs,
          wallErrorMs: right === "wall" ? 0 : w.wallErrorMs,
        };
        const moments = [0, 20_000, 40_000].map((atMs) => ({ atMs, ...moment }));
        const now = { atMs: 50_000, ...moment };
        const data = hasData ? dataBehindMs(w.behindMs * DAY_MS)(now) : () => null;
        const time = readServiceTime(received(moments), own(now), data);
        expect(time.earliestMs).toBeLessThanOrEqual(TRUE_MS + now.atMs + AGREE_MS);
        expect(time.latestMs).toBeGreaterThanOrEqual(TRUE_MS + now.atMs - AGREE_MS);
      }),
    );
  });

  it("does not change for one wrong response among right ones", () => {
    fc.assert(
      fc.property(errors, fc.integer({ min: 0, max: 3 }), (errorMs, wrong) => {
        const moments = [0, 1, 2, 3].map((i) => ({ atMs: i * 5_000, dateErrorMs: i === wrong ? errorMs : 0 }));
        const now = { atMs: 20_000 };
        expect(readServiceTime(received(moments), own(now), () => null)).toMatchObject({
          nowMs: own(now).wallMs,
          earliestMs: own(now).wallMs,
          disagreement: null,
        });
      }),
    );
  });

  it("is uncertain if the responses contradict each other and this computer", () => {
    const wallErrorMs = -3 * DAY_MS;
    const alternating = [0, 1].map((i) => ({ atMs: i * 5_000, wallErrorMs, dateErrorMs: i % 2 ? YEARS_MS : 0 }));
    const now = { atMs: 40_000, wallErrorMs };
    const time = readServiceTime(received(alternating), own(now), () => null);
    expect(time.earliestMs).toBeLessThanOrEqual(TRUE_MS + now.atMs);
    expect(time.latestMs).toBeGreaterThan(TRUE_MS + YEARS_MS - DAY_MS);
    expect(time.ageClocksMs.length).toBeGreaterThan(1);
    expect(time.disagreement).not.toBeNull();
  });

  it("ignores a Date that stands still", () => {
    const still = [0, 1, 2, 3, 4].map((i) => ({ atMs: i * 60_000, dateErrorMs: -YEARS_MS - i * 60_000 }));
    const now = { atMs: 300_000, wallErrorMs: 0 };
    const time = readServiceTime(received(still), own(now), () => TRUE_MS - YEARS_MS);
    expect(time.ageClocksMs).toContain(own(now).wallMs);
    expect(time.latestMs).toBeGreaterThanOrEqual(own(now).wallMs);
  });

  it("is uncertain after a jump of this computer's clock, until the next response shows whether it slept", () => {
    const before = [0, 10_000, 20_000].map((atMs) => ({ atMs }));
    const now = { atMs: 30_000, wallErrorMs: 8 * HOUR_MS };
    const uncertain = readServiceTime(received(before), own(now), () => null);
    expect(uncertain.earliestMs).toBeLessThanOrEqual(TRUE_MS + now.atMs);
    expect(uncertain.latestMs).toBe(own(now).wallMs);
    expect(new Set(uncertain.ageClocksMs).size).toBeGreaterThan(1);
    const slept = received([...before, { ...now, dateErrorMs: 8 * HOUR_MS }]);
    expect(readServiceTime(slept, own(now), () => null)).toMatchObject({ earliestMs: own(now).wallMs });
  });

  it("recovers within two right responses", () => {
    fc.assert(
      fc.property(fc.array(errors, { maxLength: 12 }), (wrong) => {
        const moments = [...wrong, 0, 0].map((dateErrorMs, i) => ({ atMs: i * 5_000, dateErrorMs }));
        const now = { atMs: moments.length * 5_000 };
        expect(readServiceTime(received(moments), own(now), () => null).disagreement).toBeNull();
      }),
    );
  });

  it("is confirmed by responses and measurements, never by this computer's clock alone", () => {
    const now = { atMs: 60_000, wallErrorMs: 400 * DAY_MS };
    const trueMs = TRUE_MS + now.atMs;
    const stored = (behindMs: number) => () => trueMs - behindMs;
    const unheard = UNKNOWN_CLOCK;
    expect(confirmedTime(unheard, own(now), () => null)).toBeNull();
    expect(confirmedTime(unheard, own(now), stored(HOUR_MS))).toBe(trueMs - HOUR_MS);
    for (const data of [newest(now), stored(9 * DAY_MS), () => null]) {
      const confirmed = confirmedTime(received([{ ...now, atMs: 0 }]), own(now), data);
      expect(Math.abs((confirmed ?? 0) - trueMs)).toBeLessThan(2_000);
    }
    // A service whose clock is ahead confirms nothing either.
    const right = { atMs: 60_000 };
    const ahead = [{ atMs: 0, dateErrorMs: 400 * DAY_MS }];
    expect(confirmedTime(received(ahead), own(right), stored(HOUR_MS))).toBe(trueMs);
    // Nor does its measurement of the same wrong time.
    expect(confirmedTime(received(ahead), own(right), stored(-400 * DAY_MS))).toBe(trueMs);
    expect(confirmedTime(unheard, own({ atMs: 60_000, wallErrorMs: -9 * DAY_MS }), stored(HOUR_MS))).toBe(
      trueMs - 9 * DAY_MS,
    );
  });
});
