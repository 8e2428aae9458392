import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { schedule } from "#shared/schedule/schedule.ts";
import { nextTime, readTimeOfDay, type ScheduleTime, timeWords } from "#shared/schedule/when.ts";
import { DAY_MS, formatUtcShort, MINUTE_MS, parseUtc } from "#shared/time/utc.ts";
import { systemTimer } from "#main/cli/schedule/systemTimers.ts";

const originalZone = process.env["TZ"];

function at(text: string): number {
  const moment = parseUtc(text);
  if (moment === null) throw new Error(text);
  return moment;
}

function times(when: ScheduleTime, after: string, n: number): string[] {
  const found: string[] = [];
  for (let moment = at(after); found.length < n;) found.push(formatUtcShort((moment = nextTime(when, moment))));
  return found;
}

const local = (time: string): ScheduleTime => ({ kind: "daily", time, clock: "local" });

/** The local times of day at which launchd starts the program. */
function localTimes(when: ScheduleTime): string[] {
  const program = { schedule: { name: "A", when }, id: "x", words: ["zenith"] };
  const { text } = systemTimer("launchd", program, "").files[0]!;
  const entries = text.matchAll(
    /<key>Hour<\/key><integer>(\d+)<\/integer><key>Minute<\/key><integer>(\d+)<\/integer>/g,
  );
  return [...entries].map(([, hour = "", minute = ""]) => `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`);
}

it("a time of day is read as it may be typed", () => {
  const typed = ["6:30", " 06:30 ", "6.30", "630", "0630", "6h30"];
  expect(new Set(typed.map(readTimeOfDay))).toEqual(new Set(["06:30"]));
  expect(["6", "0", "2359", "24:00", "6:60", "6:3", "", "noon"].map(readTimeOfDay)).toEqual([
    "06:00",
    "00:00",
    "23:59",
    null,
    null,
    null,
    null,
    null,
  ]);
});

describe("the times of a schedule", () => {
  afterAll(() => {
    if (originalZone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = originalZone;
  });

  it("are daily in UTC, independent of the computer's time zone", () => {
    process.env["TZ"] = "America/St_Johns";
    const when = { kind: "daily", time: "06:30", clock: "utc" } as const;
    expect(times(when, "2026-03-28T06:29:59Z", 3)).toEqual([
      "2026-03-28T06:30:00Z",
      "2026-03-29T06:30:00Z",
      "2026-03-30T06:30:00Z",
    ]);
  });

  it("are daily in local time, once on days when clocks change, and later if the time is skipped", () => {
    process.env["TZ"] = "Europe/Helsinki";
    // 03:30 does not exist on 29 March: an hour later by the clock.
    expect(times(local("03:30"), "2026-03-28T00:00:00Z", 3)).toEqual([
      "2026-03-28T01:30:00Z",
      "2026-03-29T01:30:00Z",
      "2026-03-30T00:30:00Z",
    ]);
    // 03:30 occurs twice on 25 October.
    expect(times(local("03:30"), "2026-10-24T00:00:00Z", 3)).toEqual([
      "2026-10-24T00:30:00Z",
      "2026-10-25T00:30:00Z",
      "2026-10-26T01:30:00Z",
    ]);
  });

  it("are those of another computer if its time zone is given", () => {
    process.env["TZ"] = "Europe/Helsinki";
    const after = at("2026-03-07T12:00:00Z");
    const times = ["Europe/Helsinki", "America/New_York", "Australia/Lord_Howe"].map((zone) =>
      formatUtcShort(nextTime(local("06:30"), after, zone)),
    );
    expect(times).toEqual(["2026-03-08T04:30:00Z", "2026-03-08T10:30:00Z", "2026-03-07T19:30:00Z"]);
    expect(nextTime(local("06:30"), after)).toBe(at("2026-03-08T04:30:00Z"));
  });

  it("are daily in local time if the clock is set back across midnight", () => {
    // On 2026-04-04 (Santiago) 24:00 becomes 23:00 of the same day.
    process.env["TZ"] = "America/Santiago";
    const found = times(local("23:30"), "2026-04-03T12:00:00Z", 3);
    expect(found).toEqual(["2026-04-04T02:30:00Z", "2026-04-05T02:30:00Z", "2026-04-06T03:30:00Z"]);
  });

  it("end with the last date of the calendar, where a local time has no next day", () => {
    process.env["TZ"] = "Europe/Helsinki";
    for (const moment of [8.64e15, 2 ** 53 - 1, Number.NaN])
      expect(() => nextTime(local("06:30"), moment)).toThrow(RangeError);
  });

  it("repeat at a fixed number of minutes, counted from midnight UTC", () => {
    expect(times({ kind: "every", minutes: 90 }, "2026-03-28T21:00:00Z", 3)).toEqual([
      "2026-03-28T22:30:00Z",
      "2026-03-29T00:00:00Z",
      "2026-03-29T01:30:00Z",
    ]);
  });

  it("begin again at each midnight UTC if the interval does not divide a day", () => {
    expect(times({ kind: "every", minutes: 420 }, "2026-03-28T13:59:59Z", 5)).toEqual([
      "2026-03-28T14:00:00Z",
      "2026-03-28T21:00:00Z",
      "2026-03-29T00:00:00Z",
      "2026-03-29T07:00:00Z",
      "2026-03-29T14:00:00Z",
    ]);
  });

  it("are at midnight UTC for whole days, and never restart for intervals above a day", () => {
    expect(times({ kind: "every", minutes: 2_880 }, "2026-03-28T12:00:00Z", 2)).toEqual([
      "2026-03-30T00:00:00Z",
      "2026-04-01T00:00:00Z",
    ]);
    const [first, second] = times({ kind: "every", minutes: 2_160 }, "2026-03-28T12:00:00Z", 2);
    expect(at(second ?? "") - at(first ?? "")).toBe(1.5 * DAY_MS);
  });

  it("are after the given moment, by at most 25 hours", () => {
    const zones = ["UTC", "Europe/Helsinki", "America/Santiago", "Australia/Lord_Howe", "Asia/Kathmandu"];
    const moments = fc.integer({ min: at("2020-01-01"), max: at("2030-01-01") });
    fc.assert(
      fc.property(fc.constantFrom(...zones), moments, fc.integer({ min: 0, max: 1_439 }), (name, moment, minute) => {
        process.env["TZ"] = name;
        const time = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
        for (const clock of ["utc", "local"] as const) {
          const next = nextTime({ kind: "daily", time, clock }, moment);
          expect(next).toBeGreaterThan(moment);
          expect(next - moment).toBeLessThanOrEqual(DAY_MS + 60 * MINUTE_MS);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("are described in words", () => {
    expect(timeWords(local("06:30"))).toBe("Every day at 06:30 local time");
    expect([15, 60, 120].map((minutes) => timeWords({ kind: "every", minutes }))).toEqual([
      "Every 15 minutes",
      "Every hour",
      "Every 2 hours",
    ]);
  });

  it("in UTC become up to two local times for launchd, which uses local time only", () => {
    process.env["TZ"] = "Europe/Helsinki";
    const when = { kind: "daily", time: "22:30", clock: "utc" } as const;
    expect(localTimes(when)).toEqual(["00:30", "01:30"]);
    process.env["TZ"] = "America/New_York";
    expect(localTimes({ ...when, time: "02:00" })).toEqual(["21:00", "22:00"]);
  });

  it("are all among the local times at which the system starts the program", () => {
    const times = ["00:30", "02:15", "12:00"];
    for (const zone of ["Europe/Berlin", "Australia/Lord_Howe", "America/Santiago"]) {
      process.env["TZ"] = zone;
      for (const [time, clock] of times.flatMap((time) => [[time, "local"] as const, [time, "utc"] as const])) {
        const when = { kind: "daily", time, clock } as const;
        const due = new Set<string>();
        const year = new Date().getFullYear();
        for (let ms = Date.UTC(year); (ms = nextTime(when, ms, zone)) < Date.UTC(year + 1);)
          due.add(new Date(ms).toTimeString().slice(0, 5));
        expect(localTimes(when)).toEqual(expect.arrayContaining([...due]));
      }
    }
  });
});

it.each([
  ["yesterday", "today", true],
  ["now-7d", "now", true],
  // From any day on, also one that is later than that of this version of the program.
  ["2026-11-28", "now", true],
  ["2031-01-01", "now", true],
  ["2026-01-01", "2026-01-02", false],
])("a schedule of %s to %s is accepted: %s", (start, end, isAccepted) => {
  expect(schedule.shape.range.safeParse({ start, end }).success).toBe(isAccepted);
});
