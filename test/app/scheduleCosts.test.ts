// Promise: a schedule that is left running costs as little after years as in its first week.
import { join } from "node:path";
import { expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "#shared/time/utc.ts";
import { at, CSV, expectSame, filesIn, openBox, rowsOf } from "./scheduleBox.ts";

it("a station of which nothing arrives costs few requests and no file of old ranges, and is complete once it answers", async () => {
  const box = await openBox(at("2026-11-10 12:00"), 2);
  box.refused.set(box.stationIds[1]!, 500);
  await box.add({ exports: [CSV], sinceMs: at("2026-10-21") });
  expect(await box.wake()).toMatchObject({ state: "incomplete", delivered: 20 });
  const requests: number[] = [];
  for (const newest of ["2026-11-10.csv", "2026-11-11.csv"]) {
    box.time += DAY_MS;
    const before = box.sent.measurements;
    expect(await box.wake()).toMatchObject({ delivered: 1, files: [{ path: join(box.out, newest) }] });
    requests.push(box.sent.measurements - before);
  }
  expect(requests[0]).toBeLessThan(20);
  expect(requests[1]).toBeLessThanOrEqual(requests[0]!);
  box.refused.clear();
  box.time += DAY_MS;
  expect(await box.wake()).toMatchObject({ state: "mayStillArrive", delivered: 23 });
  expectSame(
    rowsOf(filesIn(box.out).map((name) => join(box.out, name))).toSorted(),
    (await box.exported(at("2026-10-21"), at("2026-11-13"))).toSorted(),
  );
}, 60_000);

it("a station of which nothing arrives is asked for by one download of a run, not by the others", async () => {
  const box = await openBox(at("2026-11-10 12:00"), 2);
  await box.add({ when: { kind: "every", minutes: 360 }, range: { start: "now-1h", end: "" } });
  box.refused.set(box.stationIds[1]!, 500);
  box.time += 7 * HOUR_MS;
  await box.wake();
  box.time += 5 * DAY_MS;
  const before = box.sent.measurements;
  expect(await box.wake()).toMatchObject({ ranges: 21 });
  // A request for each range of the other station, few questions, and those that show that nothing arrives.
  expect(box.sent.measurements - before).toBeLessThan(60);
}, 60_000);

it("rows that one station sends late are delivered although nothing arrives of another", async () => {
  const box = await openBox(at("2026-11-02 12:00"), 2);
  const late = box.service.world.stations.find(({ id }) => id === box.stationIds[0]);
  Object.assign(late!, { latencyMs: 10 * HOUR_MS });
  box.refused.set(box.stationIds[1]!, 500);
  await box.add({ exports: [CSV], when: { kind: "daily", time: "02:00", clock: "utc" } });
  const lastRow = (): string | undefined => rowsOf([join(box.out, "2026-11-02.csv")]).at(-1);
  box.time = at("2026-11-03 02:00");
  await box.wake();
  expect(lastRow()).toContain("2026-11-02T16:00:00");
  await box.wakeUntil(at("2026-11-04 00:00"));
  expect(lastRow()).toContain("2026-11-02T23:59:30");
}, 60_000);
