import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isWorkedOn } from "#main/app/schedules/ledger.ts";
import { batches } from "#main/app/schedules/plan.ts";
import { ScheduleStore } from "#main/app/schedules/scheduleStore.ts";
import { openUserStore } from "#main/store/index.ts";
import { dueRange, type LedgerRange, nextTryAt, openAt } from "#shared/schedule/ledger.ts";
import { type Schedule, scheduledRange } from "#shared/schedule/schedule.ts";
import { nextTime } from "#shared/schedule/when.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time/utc.ts";
import { temporaryFolders } from "../support/folder.ts";
import { CONNECTION } from "../store/userRecords.ts";
import { KEY } from "../support/desk.ts";
import { gateCases, gateShare, tries } from "../support/endurance.ts";
import { itNightly } from "../support/needs.ts";
import { at, CSV, expectSame, filesIn, openBox, rowsOf, TIMER_MS } from "./scheduleBox.ts";
import { scheduleOf } from "./scheduleOf.ts";
import { valueOf } from "./window.ts";

const folders = temporaryFolders();

function states(ranges: readonly LedgerRange[]): string[] {
  return ranges.map((range) => `${new Date(range.startMs).toISOString().slice(5, 10)} ${range.state}`);
}

/** A day of November 2026. */
function november(day: number): readonly [number, number] {
  return [at(`2026-11-0${day}`), at(`2026-11-0${day + 1}`)];
}

/** Number of values that the second run of a day reads as JSON, so many days after the schedule was added. */
async function readsAfter(days: number): Promise<number> {
  const box = await openBox(at("2026-01-02 12:00"));
  await box.add({
    exports: [CSV],
    catchUpDays: 1,
    when: { kind: "every", minutes: 360 },
    range: { start: "now-6h", end: "" },
  });
  box.time += days * DAY_MS;
  await box.wake();
  box.time += 6 * HOUR_MS;
  const parse = vi.spyOn(JSON, "parse");
  expect(await box.wake()).toMatchObject({
    state: "incomplete",
    remarks: expect.arrayContaining([expect.stringContaining("not delivered")]),
  });
  const reads = parse.mock.calls.length;
  parse.mockRestore();
  return reads;
}

describe("a schedule delivers every range", () => {
  itNightly(
    "of days on which the computer was off or the service down, once each and equal to one export of all",
    async () => {
      const box = await openBox(at("2026-11-02 12:00"));
      await box.add({ exports: [CSV] });
      const folder = box.out;
      await box.wakeUntil(at("2026-11-04 00:00"));
      // Off from the 4th to the 7th.
      box.time = at("2026-11-07 20:00");
      const missed = await box.wake();
      expect(missed).toMatchObject({ trigger: "missed", ranges: expect.any(Number) });
      expect(filesIn(folder)).toEqual([2, 3, 4, 5, 6].map((day) => `2026-11-0${day}.csv`));
      // Down at 06:30 on the 9th, and for two hours.
      await box.wakeUntil(at("2026-11-09 06:00"));
      await box.stopService();
      const down = await box.wakeUntil(at("2026-11-09 08:30"));
      expect(down.map((run) => (typeof run === "string" ? run : run.state))).toContain("failed");
      // Several tries, with growing waits.
      expect(down.length).toBeGreaterThan(2);
      expect(down.length).toBeLessThan(8);
      await box.startService();
      await box.wakeUntil(at("2026-11-14 00:00"));
      const ledger = await box.ledger();
      const days = Array.from({ length: 12 }, (_, i) => String(i + 2).padStart(2, "0"));
      expect(ledger.map(({ startMs }) => new Date(startMs).toISOString().slice(8, 10))).toEqual(days.slice(0, 11));
      expect(filesIn(folder)).toEqual(days.slice(0, 11).map((day) => `2026-11-${day}.csv`));
      expect(
        states(ledger)
          .slice(0, 9)
          .filter((one) => !one.endsWith("final")),
      ).toEqual([]);
      expectSame(
        rowsOf(filesIn(folder).map((name) => join(folder, name))),
        await box.exported(at("2026-11-02"), at("2026-11-13")),
      );
    },
    120_000,
  );

  it("also between planned times after twelve hours off, where ranges reach back three hours", async () => {
    const box = await openBox(at("2026-11-02 12:00"));
    await box.add({ when: { kind: "every", minutes: 15 }, range: { start: "now-3h", end: "" } });
    await box.wakeUntil(at("2026-11-02 13:00"));
    box.time = at("2026-11-03 01:00");
    const requests = box.service.stats.requests;
    expect(await box.wake()).toMatchObject({ trigger: "missed", delivered: expect.any(Number) });
    // Ranges that touch are one request.
    expect(box.service.stats.requests - requests).toBeLessThan(12);
    const ledger = await box.ledger();
    expect(ledger).toHaveLength(52);
    expect(ledger.every((range) => range.deliveredMs !== null)).toBe(true);
  }, 60_000);

  itNightly(
    "again when a late station has sent the rest, and says so",
    async () => {
      const box = await openBox(at("2026-11-02 12:00"));
      const late = box.service.world.stations.find(({ id }) => id === box.stationIds[0])!;
      Object.assign(late, { latencyMs: 10 * HOUR_MS });
      await box.add({ exports: [CSV], when: { kind: "daily", time: "02:00", clock: "utc" } });
      const folder = box.out;
      box.time = at("2026-11-03 02:00");
      expect(await box.wake()).toMatchObject({ state: "mayStillArrive" });
      const first = rowsOf([join(folder, "2026-11-02.csv")]);
      expect(first.at(-1)).toContain("2026-11-02T16:00:00");
      const runs = await box.wakeUntil(at("2026-11-07 00:00"));
      const said = runs.flatMap((run) => (typeof run === "string" ? [] : run.remarks));
      expect(said).toContainEqual(expect.stringMatching(/^2026-11-02.*written again, final\.$/));
      const [day] = await box.ledger();
      expect(day).toMatchObject({ state: "final", complete: expect.any(Number) });
      expectSame(rowsOf([join(folder, "2026-11-02.csv")]), await box.exported(at("2026-11-02"), at("2026-11-03")));
    },
    120_000,
  );

  it("again once somebody has fetched what it lacked, also after it was final", async () => {
    const box = await openBox(at("2026-11-02 12:00"));
    await box.add({ exports: [CSV], variables: ["ztd", "pwv"] });
    box.lacking.add("pwv");
    await box.wakeUntil(at("2026-11-06 12:00"));
    expect((await box.ledger())[0]).toMatchObject({ state: "final", complete: 0 });
    box.lacking.clear();
    await box.recheck(...november(2), ["ztd", "pwv"]);
    const runs = await box.wakeUntil(at("2026-11-07 12:00"));
    const said = runs.flatMap((run) => (typeof run === "string" ? [] : run.remarks));
    expect(said.filter((remark) => remark.startsWith("2026-11-02"))).toEqual([
      expect.stringMatching(/written again, final\.$/),
    ]);
    const file = join(box.out, "2026-11-02.csv");
    expectSame(rowsOf([file]), await box.exported(...november(2), ["ztd", "pwv"]));
  }, 60_000);

  it("also if it was too old, once somebody has fetched it", async () => {
    const box = await openBox(at("2026-11-02 12:00"));
    await box.add({ exports: [CSV], catchUpDays: 2 });
    box.time = at("2026-11-09 12:00");
    expect(await box.wake()).toMatchObject({
      state: "incomplete",
      remarks: expect.arrayContaining([
        expect.stringMatching(/5 ranges are not delivered .* are not tried any more: they are older than 2 days\./),
      ]),
    });
    await box.recheck(at("2026-11-02"), at("2026-11-07"), ["ztd"]);
    await box.wakeUntil(at("2026-11-10 08:00"));
    expectSame(rowsOf([join(box.out, "2026-11-02.csv")]), await box.exported(...november(2)));
    expect((await box.ledger()).filter(({ state }) => state === "due")).toEqual([]);
  }, 60_000);

  it("as failed while its file cannot be written, although an earlier one is there", async () => {
    const box = await openBox(at("2026-11-02 12:00"));
    await box.add({ exports: [CSV] });
    await box.wakeUntil(at("2026-11-03 08:00"));
    const file = join(box.out, "2026-11-02.csv");
    writeFileSync(file, "mine");
    const runs = (await box.wakeUntil(at("2026-11-05 12:00"))).filter((run) => typeof run !== "string");
    expect((await box.ledger())[0]).toMatchObject({ state: "failed", reason: expect.stringContaining("was changed") });
    expect(runs.filter(({ delivered }) => delivered > 0).at(-1)?.state).toBe("incomplete");
    expect(readFileSync(file, "utf8")).toBe("mine");
    rmSync(file);
    await box.wakeUntil(at("2026-11-06 12:00"));
    expect((await box.ledger())[0]).toMatchObject({ state: "final" });
    expectSame(rowsOf([file]), await box.exported(...november(2)));
  }, 60_000);

  it("again without losing a station that has left meanwhile", async () => {
    const box = await openBox(at("2026-11-02 12:00"), 2);
    await box.add({ exports: [CSV] });
    await box.wakeUntil(at("2026-11-03 08:00"));
    expect((await box.ledger())[0]).toMatchObject({ state: "mayStillArrive" });
    await box.edit({ stations: { kind: "list", stationIds: box.stationIds.slice(0, 1) } });
    await box.wakeUntil(at("2026-11-07 12:00"));
    const [first, , , fourth] = await box.ledger();
    expect(first?.state).toBe("final");
    expectSame(rowsOf([join(box.out, "2026-11-02.csv")]), await box.exported(...november(2)));
    // Later ranges have the present stations.
    expect(fourth?.startMs).toBe(november(5)[0]);
    expect(rowsOf([join(box.out, "2026-11-05.csv")]).length).toBeLessThan((await box.exported(...november(5))).length);
  }, 60_000);

  it("and keeps the files of data that were deleted", async () => {
    const box = await openBox(at("2026-11-02 12:00"));
    await box.add({ exports: [CSV], keepDays: 4 });
    const runs = await box.wakeUntil(at("2026-11-09 12:00"));
    const done = runs.filter((run) => typeof run !== "string");
    expect(done.some((run) => run.forgottenRows > 0)).toBe(true);
    // Nor is it downloaded again.
    const firstMs = Math.min(
      ...done.filter(({ startedMs }) => startedMs > at("2026-11-08")).map(({ range }) => range!.startMs),
    );
    expect(firstMs).toBeGreaterThan(at("2026-11-04"));
    expectSame(rowsOf([join(box.out, "2026-11-02.csv")]), await box.exported(at("2026-11-02"), at("2026-11-03")));
  }, 60_000);

  it("after a kill in each step", async () => {
    const box = await openBox(at("2026-11-02 12:00"));
    await box.add({ exports: [CSV, { ...CSV, template: "{name}.{ext}" }] });
    const folder = box.out;
    box.time = at("2026-11-04 12:00");
    for (const step of gateShare(Array.from({ length: 11 }, (_, i) => i + 1))) {
      let n = 0;
      await box.wake((stop) => void (++n === step && stop()));
      box.time += MINUTE_MS;
    }
    await box.wakeUntil(at("2026-11-06 00:00"));
    const expected = [2, 3, 4].map((day) => `2026-11-0${day}.csv`);
    expect(filesIn(folder)).toEqual([...expected, "Morning.csv"]);
    expectSame(
      rowsOf(expected.map((name) => join(folder, name))),
      await box.exported(at("2026-11-02"), at("2026-11-05")),
    );
    // The file without a range in its name shows the newest one.
    expectSame(rowsOf([join(folder, "Morning.csv")]), rowsOf([join(folder, "2026-11-04.csv")]));
  }, 120_000);

  it("in one file that each run replaces, while the ranges before may still change", async () => {
    const box = await openBox(at("2026-11-02 12:00"));
    const late = box.service.world.stations.find(({ id }) => id === box.stationIds[0])!;
    Object.assign(late, { latencyMs: 10 * HOUR_MS });
    await box.add({ exports: [{ ...CSV, template: "{name}.{ext}" }], range: { start: "now-2d", end: "" } });
    const file = join(box.out, "Morning.csv");
    for (const day of [3, 4, 5]) {
      box.time = at(`2026-11-0${day} 06:30`);
      expect(await box.wake()).toMatchObject({ state: "mayStillArrive", reason: null });
      const { startMs, endMs } = (await box.ledger()).at(-1)!;
      expectSame(rowsOf([file]), await box.exported(startMs, endMs));
    }
  }, 60_000);

  it("in files that are its own, also after their names and variables were changed and changed back", async () => {
    const box = await openBox(at("2026-11-02 12:00"));
    const variables = ["ztd", "el"] as const;
    const exports = [{ ...CSV, template: "{name}.{ext}" }];
    await box.add({ exports, variables, range: { start: "now-1h", end: "" } });
    const folder = box.out;
    const changes = [
      {},
      { variables: ["ztd"] },
      { exports: [{ ...CSV, template: "{stations}.{ext}" }] },
      { exports, variables },
    ] as const;
    for (const [i, change] of changes.entries()) {
      await box.edit(change);
      box.time = at(`2026-11-0${i + 3} 06:30`);
      expect(await box.wake()).toMatchObject({ state: "mayStillArrive", reason: null });
    }
    const { startMs, endMs } = (await box.ledger()).at(-1)!;
    expectSame(rowsOf([join(folder, "Morning.csv")]), await box.exported(startMs, endMs));
    expect(rowsOf([join(folder, "Morning-satellites.csv")])[0]).toContain("2026-11-06T05:30");
  }, 60_000);

  it("in one file that shows the newest range, also after the clock was ahead", async () => {
    const box = await openBox(at("2026-11-02 12:00"));
    await box.add({ exports: [{ ...CSV, template: "{name}.{ext}" }] });
    box.time = at("2026-11-03 12:00");
    box.aheadMs = 3 * DAY_MS;
    await box.wake();
    box.aheadMs = 0;
    const file = join(box.out, "Morning.csv");
    for (const day of [4, 5, 6]) {
      box.time = at(`2026-11-0${day} 12:00`);
      expect(await box.wake()).toMatchObject({ state: "mayStillArrive", reason: null });
      expectSame(rowsOf([file]), await box.exported(at(`2026-11-0${day - 1}`), at(`2026-11-0${day}`)));
    }
  }, 60_000);

  it("and tells of failures and successes, without the key", async () => {
    const box = await openBox(at("2026-11-02 12:00"));
    const told: string[] = [];
    const listener = createServer((request, response) => {
      told.push(`${request.url} ${JSON.stringify(request.headers).includes(KEY)}`);
      response.end();
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void listener.close());
    await once(listener, "listening");
    const { port } = listener.address() as AddressInfo;
    vi.stubEnv("ZENITH_API_KEY", KEY);
    onTestFinished(() => void vi.unstubAllEnvs());
    const file = join(box.folder, "told.txt");
    const say = (word: string): string =>
      `"${process.execPath}" -e "require('fs').appendFileSync('${file}', '${word} ' + [process.env.ZENITH_SCHEDULE, process.env.ZENITH_STATE, process.env.ZENITH_API_KEY] + ';')"`;
    await box.add({
      onFailure: say("bad"),
      onSuccess: say("good"),
      ping: `http://127.0.0.1:${port}/check`,
      silentMinutes: 60,
    });
    await box.stopService();
    box.time = at("2026-11-03 06:30");
    expect(await box.wake()).toMatchObject({ state: "failed" });
    await box.startService();
    box.time += DAY_MS;
    expect(await box.wake()).toMatchObject({ delivered: 2, alarms: [] });
    Object.assign(
      box.service.world.stations.find(({ id }) => id === box.stationIds[0])!,
      { latencyMs: 2 * HOUR_MS },
    );
    box.time += DAY_MS;
    expect(await box.wake()).toMatchObject({
      alarms: [expect.stringMatching(/^Silent for longer than 1 h: .* \(since 2026-11-05 04:\d\d UTC\)\.$/)],
    });
    // A run that only tries the range again raises no alarm for the same silence.
    box.time += 15 * MINUTE_MS;
    expect(await box.wake()).toMatchObject({ trigger: "retry", alarms: [] });
    expect(readFileSync(file, "utf8").replaceAll("ok", "mayStillArrive")).toBe(
      "bad Morning,failed,;good Morning,mayStillArrive,;bad Morning,mayStillArrive,;good Morning,mayStillArrive,;",
    );
    expect(told).toEqual(["/check/fail false", "/check false", "/check/fail false", "/check false"]);
  }, 60_000);

  itNightly(
    "and raises an alarm once for a range that is less complete than it should be, even if data may still arrive",
    async () => {
      const box = await openBox(at("2026-11-02 12:00"));
      // The first station has an outage on the 4th.
      await box.add({ completeBelow: 0.985 });
      const first = await box.wakeUntil(at("2026-11-05 12:00"));
      const outage = (await box.ledger()).find(({ startMs }) => startMs === at("2026-11-04 00:00"));
      expect(outage).toMatchObject({ state: "mayStillArrive", hasAlarm: true });
      const runs = [...first, ...(await box.wakeUntil(at("2026-11-07 00:00")))];
      const low = (await box.ledger()).filter(({ state, complete }) => state === "final" && complete! < 0.985);
      expect(low.map(({ startMs }) => startMs)).toEqual([at("2026-11-04 00:00")]);
      const alarms = runs.flatMap((run) => (typeof run === "string" ? [] : run.alarms));
      expect(alarms).toEqual([expect.stringMatching(/Less than 98\.5 % of ZTD: \S+ 98\.0 %\./)]);
    },
    120_000,
  );

  it("and says which quantity is the least complete, and raises the alarm for it", async () => {
    const box = await openBox(at("2026-11-10 12:00"));
    await box.add({ variables: ["ztd", "pwv"], completeBelow: 0.9 });
    box.lacking.add("pwv");
    box.time = at("2026-11-11 06:30");
    expect(await box.wake()).toMatchObject({
      alarms: [expect.stringMatching(/^Less than 90\.0 % of PWV: \S+ 0(?:\.0)? %\.$/)],
      remarks: expect.arrayContaining([expect.stringMatching(/Less than 99 % of PWV: \S+ 0 %\./)]),
    });
    expect(await box.ledger()).toMatchObject([{ complete: 0, completeOf: "pwv" }]);
  }, 60_000);

  it("since a date before it was added, and none twice", async () => {
    const box = await openBox(at("2026-11-10 12:00"));
    await box.add({ exports: [CSV], sinceMs: at("2026-11-05") });
    const run = await box.wake();
    expect(run).toMatchObject({ ranges: 5, delivered: 5 });
    box.service.resetStats();
    expect(await box.wake()).toBe("notDue");
    expect(box.service.stats.requests).toBe(0);
  }, 60_000);

  it("reading only those that it works on, however many there were before", async () => {
    expect((await readsAfter(120)) - (await readsAfter(10))).toBeLessThan(20);
  }, 60_000);

  itNightly(
    "for a year in a minute",
    async () => {
      const days = tries(8, 365);
      const box = await openBox(at("2025-11-01 12:00"));
      await box.add({ exports: [CSV], intervalSeconds: 3600, catchUpDays: 60 });
      const folder = box.out;
      const endMs = box.time + days * DAY_MS;
      // A computer that is on at some hours of some days.
      for (let i = 0; box.time < endMs; i++) {
        box.time += ((i * 7919) % 37) * HOUR_MS + 6 * HOUR_MS;
        await box.wake();
      }
      for (let i = 0; i < 6; i++) {
        box.time += DAY_MS;
        await box.wake();
      }
      const ledger = await box.ledger();
      const firstMs = at("2025-11-01");
      expect(ledger.map((range) => range.startMs)).toEqual(ledger.map((_, i) => firstMs + i * DAY_MS));
      expect(ledger.length).toBeGreaterThanOrEqual(days);
      expect(ledger.filter((range) => range.startMs < box.time - 6 * DAY_MS && range.state !== "final")).toEqual([]);
      expect(filesIn(folder)).toHaveLength(ledger.length);
    },
    300_000,
  );
});

function openLedger(schedule: Schedule, nowMs: number) {
  const users = openUserStore(join(folders(), "user.db"));
  onTestFinished(() => users.close());
  users.putConnection(CONNECTION);
  const store = new ScheduleStore(users);
  const { id } = valueOf(store.save(null, schedule, nowMs));
  const enter = (timeMs: number): void => store.ledger.enter(store.find(id)!, timeMs);
  return { users, store, id, enter, all: () => store.ledger.all(id) };
}

describe("the ledger", () => {
  const HOURLY = scheduleOf({ when: { kind: "every", minutes: 60 }, range: { start: "now-1h", end: "" } });

  it("has each local day once and whole, also those of 23 and 25 hours", () => {
    for (const [from, hours] of [
      ["2026-10-22 12:00", [24, 24, 24, 25, 24]],
      ["2026-03-26 12:00", [24, 24, 24, 23, 24]],
    ] as const) {
      const days = { intervalSeconds: 86_400, resampled: true, zone: "Europe/Helsinki" };
      const when = { kind: "daily", time: "06:30", clock: "utc" } as const;
      const startMs = at(from);
      const { enter, all } = openLedger(scheduleOf({ ...days, when, range: { start: "yesterday", end: "" } }), startMs);
      for (let day = 0; day <= hours.length; day++) enter(startMs + day * DAY_MS);
      const ranges = all();
      expect(ranges.map(({ startMs, endMs }) => (endMs - startMs) / HOUR_MS)).toEqual(hours);
      expect(ranges.slice(1).map((range) => range.startMs)).toEqual(ranges.slice(0, -1).map((range) => range.endMs));
    }
  });

  it("has each planned time once, whenever it is asked and however the clock is set", () => {
    const startMs = at("2026-10-20 12:00");
    const when = fc.constantFrom<Schedule["when"]>(
      { kind: "every", minutes: 60 },
      { kind: "every", minutes: 420 },
      { kind: "daily", time: "02:30", clock: "local" },
      { kind: "daily", time: "06:30", clock: "utc" },
    );
    const steps = fc.array(fc.integer({ min: -90, max: 3 * 24 * 60 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(when, steps, (time, minutes) => {
        const schedule = scheduleOf({ when: time, range: { start: "yesterday", end: "" } });
        const { enter, all } = openLedger(schedule, startMs);
        let nowMs = startMs;
        let latestMs = startMs;
        for (const step of minutes) {
          // A clock that is set back makes nothing due twice.
          nowMs = Math.max(startMs, nowMs + step * MINUTE_MS);
          latestMs = Math.max(latestMs, nowMs);
          enter(nowMs);
        }
        enter(latestMs);
        const expected = new Set<number>();
        for (let t = nextTime(time, startMs); t <= latestMs; t = nextTime(time, t))
          expected.add(scheduledRange(schedule, t)!.startMs);
        expect(all().map((range) => range.startMs)).toEqual([...expected]);
      }),
      { numRuns: tries(gateCases(30), 300) },
    );
  });

  it("forgets what a fast clock made due, and continues where it was", () => {
    const startMs = at("2026-10-05 12:00");
    const { enter, all } = openLedger(HOURLY, startMs);
    enter(startMs + HOUR_MS);
    enter(startMs + 10 * DAY_MS);
    expect(all().length).toBeGreaterThan(200);
    enter(startMs + 2.5 * HOUR_MS);
    expect(all().map((range) => (range.dueMs - startMs) / HOUR_MS)).toEqual([1, 2]);
  });

  it("has no range twice on days of 23 and 25 hours", () => {
    const { enter, all } = openLedger(
      scheduleOf({ when: { kind: "daily", time: "03:30", clock: "local" } }),
      at("2026-10-23 12:00"),
    );
    for (let day = 0; day < 5; day++) enter(at("2026-10-24 12:00") + day * DAY_MS);
    expect(states(all())).toEqual(["10-23 due", "10-24 due", "10-25 due", "10-26 due", "10-27 due"]);
  });

  it("makes up for the days that the user chose, and shows the others", () => {
    const startMs = at("2026-10-05 12:00");
    const { enter, all, store, id } = openLedger(scheduleOf({ catchUpDays: 3 }), startMs);
    enter(startMs + 10 * DAY_MS);
    expect(all()).toHaveLength(10);
    expect(store.ledger.open(store.find(id)!, startMs + 10 * DAY_MS)).toHaveLength(3);
    const none = openLedger(scheduleOf({ catchUpDays: 0 }), startMs);
    none.enter(startMs + 10 * DAY_MS);
    expect(none.all()).toEqual([]);
    none.enter(at("2026-10-16 06:30") + SECOND_MS);
    expect(none.all()).toHaveLength(1);
  });

  it("closes what is too old, says so, and opens it again for an edit or after a wrong clock", () => {
    const startMs = at("2026-10-05 12:00");
    const nowMs = startMs + 10 * DAY_MS;
    const { users, enter, all, store, id } = openLedger(scheduleOf({ catchUpDays: 3 }), startMs);
    enter(nowMs);
    const before = store.ledger.unfinished(id, nowMs);
    store.ledger.closeOld(store.find(id)!, nowMs);
    expect(users.scheduleRanges(id, "open")).toHaveLength(3);
    expect(all()).toHaveLength(10);
    expect(store.ledger.unfinished(id, nowMs)).toEqual({ ...before, tooOld: 7 });
    expect(before).toMatchObject({ counts: { due: 10 }, tooOld: 0, undelivered: { startMs: at("2026-10-05") } });
    valueOf(store.save(id, scheduleOf({ catchUpDays: 8 }), nowMs));
    expect(store.ledger.open(store.find(id)!, nowMs)).toHaveLength(8);
    // A clock that is a month ahead closes all.
    enter(nowMs + 31 * DAY_MS);
    store.ledger.closeOld(store.find(id)!, nowMs + 31 * DAY_MS);
    enter(nowMs);
    expect(store.ledger.open(store.find(id)!, nowMs)).toHaveLength(8);
  });

  it("closes what has brought nothing new for long, and waits for what was never delivered since the chosen start", () => {
    const nowMs = at("2026-10-05 12:00");
    const isOpen = openAt(scheduleOf({ sinceMs: at("2026-01-01"), catchUpDays: 30 }), nowMs);
    const range = dueRange({ startMs: at("2026-02-01"), endMs: at("2026-02-02") }, at("2026-02-02 06:30"));
    const delivered = (days: number) => ({
      ...range,
      state: "incomplete" as const,
      deliveredMs: nowMs - days * DAY_MS,
    });
    expect([range, delivered(1), delivered(31)].map(isOpen)).toEqual([true, true, false]);
  });

  it("lets ranges that wait be downloaded together, however many there are", () => {
    const startMs = at("2026-10-05 12:00");
    for (const state of ["failed", "incomplete", "mayStillArrive"] as const) {
      let ranges: LedgerRange[] = [];
      const downloads = Array.from({ length: 10 * 96 }, (_, i) => {
        const nowMs = startMs + i * TIMER_MS;
        const range = { startMs: nowMs - 3 * HOUR_MS, endMs: nowMs };
        ranges.push({ ...dueRange(range, nowMs), state });
        const due = ranges.filter((one) => isWorkedOn(one, nowMs)).map((one) => ({ range: one }));
        ranges = ranges.map((one) => {
          const tries = one.tries + 1;
          return isWorkedOn(one, nowMs)
            ? { ...one, tries, nextTryMs: nextTryAt(state, tries, nowMs + SECOND_MS) }
            : one;
        });
        return batches(due).length;
      });
      const onDay = (day: number) => downloads.slice(day * 96, (day + 1) * 96).reduce((sum, n) => sum + n, 0);
      expect([onDay(2), onDay(9)]).toEqual([onDay(1), onDay(1)]);
      expect(onDay(9)).toBeLessThan(100);
      expect(ranges.filter(({ tries }) => tries > 8 + 10 * 5).length).toBe(0);
    }
  });

  it("works on a range until the last planned time that has it is too old", () => {
    const range = { start: "last month", end: "" };
    const { store, id, enter } = openLedger(scheduleOf({ range, catchUpDays: 0 }), at("2026-10-31 12:00"));
    enter(at("2026-11-01 06:30"));
    const opened = (text: string): number => store.ledger.open(store.find(id)!, at(text)).length;
    const times = ["2026-11-01 06:31", "2026-11-01 07:00", "2026-11-30 06:30", "2026-12-01 06:30"];
    expect(times.map(opened)).toEqual([1, 0, 1, 0]);
  });

  it("skips a pause, and keeps what became due before", () => {
    const startMs = at("2026-10-05 12:00");
    const { store, id, enter, all } = openLedger(scheduleOf(), startMs);
    valueOf(store.setPaused(id, true, startMs + DAY_MS));
    enter(startMs + 3 * DAY_MS);
    valueOf(store.setPaused(id, false, startMs + 3 * DAY_MS));
    enter(startMs + 4 * DAY_MS);
    expect(states(all())).toEqual(["10-05 due", "10-08 due"]);
  });

  it("takes a damaged record for a range that is due", () => {
    const startMs = at("2026-10-05 12:00");
    const { users, store, id, enter, all } = openLedger(scheduleOf(), startMs);
    enter(startMs + DAY_MS);
    const [record] = users.scheduleRanges(id, "all");
    users.putScheduleRanges([{ ...record!, content: 5 }]);
    expect(all()).toMatchObject([{ state: "due", files: [] }]);
    expect(openAt(store.find(id)!.schedule, startMs + DAY_MS)(all()[0]!)).toBe(true);
  });
});
