import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { KeptSchedule } from "#shared/bridge/methods/jobs.ts";
import type { ScheduleRun } from "#shared/schedule/run.ts";
import { type Schedule } from "#shared/schedule/schedule.ts";
import { MINUTE_MS } from "#shared/time/utc.ts";
import { KEPT, ONE } from "../fixture.ts";
import { type Cases, connectService, faultOf, ordinaryStations, smallSpec, valueOf, type World } from "./case.ts";
import { scheduleOf } from "../../app/scheduleOf.ts";

const CSV = {
  kind: "own",
  format: "csv",
  heightReference: "WGS84_ELLIPSOID",
  template: "{name}_{stations}.{ext}",
} as const;

function schedule(name: string, change: Partial<Schedule> = {}): Schedule {
  return scheduleOf({ name, connectionId: KEPT, stations: { kind: "list", stationIds: [ONE] }, ...change });
}

async function saved({ bridge }: World, given: Schedule): Promise<KeptSchedule> {
  return valueOf(await bridge.schedules.save({ id: null, schedule: given }));
}

async function found({ bridge }: World, id: string): Promise<KeptSchedule | undefined> {
  return valueOf(await bridge.schedules.list({})).find((one) => one.id === id);
}

function minutesSince(timeMs: number): number {
  return Math.round((Date.now() - timeMs) / MINUTE_MS);
}

/** Runs a schedule, and waits for the end. */
async function ran({ bridge }: World, { id, schedule: { name } }: KeptSchedule): Promise<ScheduleRun> {
  const ended = new Promise<ScheduleRun>((resolve) => {
    const stop = bridge.on("scheduleEnded", (data) => {
      if (data.name !== name) return;
      stop();
      resolve(data.run);
    });
  });
  valueOf(await bridge.schedules.run({ id }));
  return ended;
}

export const scheduleCases: Cases<`schedules.${string}`> = {
  async "schedules.save"(world) {
    const { bridge } = world;
    const changed = new Promise((resolve) => bridge.on("schedulesChanged", resolve));
    const { id, nextRunMs, lastRun, folder } = await saved(world, schedule("Saved"));
    await changed;
    expect([lastRun, new Date(nextRunMs ?? 0).toISOString().slice(11, 16)]).toEqual([null, "06:30"]);
    expect(folder).toBe(join(world.folder, "scheduled", "Saved"));
    const every = schedule("Saved", { when: { kind: "every", minutes: 15 } });
    expect(valueOf(await bridge.schedules.save({ id, schedule: every })).schedule).toEqual(every);
    const wrong = [
      schedule("Saved"),
      schedule("Wild", { connectionId: "no such" }),
      schedule('a "quoted" one'),
      schedule("Fixed", { range: { start: "2026-01-01", end: "2026-01-02" } }),
      schedule("Nonsense", { range: { start: "rubbish", end: "" } }),
      schedule("Wasteful", { range: { start: "now-9d", end: "now" }, keepDays: 5 }),
      schedule("Never", { when: { kind: "daily", time: "24:00", clock: "utc" } }),
    ];
    for (const one of wrong)
      expect(faultOf(await bridge.schedules.save({ id: null, schedule: one })).kind).toBe("usage");
    const elsewhere = schedule("Elsewhere", { folder: "/tmp" });
    const { shell } = valueOf(await bridge.system.capabilities({}));
    // Only a window must choose its folders in a dialog; the tests in one process act as the program itself.
    const result = await bridge.schedules.save({ id: null, schedule: elsewhere });
    if (!result.ok) expect(result.error.message).toContain("Choose the folder");
    else expect(shell).toBe("test");
  },
  async "schedules.list"(world) {
    for (const name of ["Every 10", "Every 9"]) await saved(world, schedule(name));
    const names = valueOf(await world.bridge.schedules.list({})).map((one) => one.schedule.name);
    expect(names.filter((name) => name.startsWith("Every"))).toEqual(["Every 9", "Every 10"]);
  },
  async "schedules.setPaused"(world) {
    const { id } = await saved(world, schedule("Paused"));
    valueOf(await world.bridge.schedules.setPaused({ id, isPaused: true }));
    expect(await found(world, id)).toMatchObject({ nextRunMs: null, schedule: { isPaused: true } });
    valueOf(await world.bridge.schedules.setPaused({ id, isPaused: false }));
    expect((await found(world, id))?.nextRunMs).not.toBeNull();
    expect(faultOf(await world.bridge.schedules.setPaused({ id: "no such", isPaused: true })).kind).toBe("usage");
  },
  async "schedules.run"(world) {
    const connectionId = await connectService(world);
    const stations = { kind: "list", stationIds: ordinaryStations(world, 1) } as const;
    const { range: known } = smallSpec(world);
    const start = `now-${minutesSince(known.startMs)}m`;
    const range = { start, end: `now-${minutesSince(known.endMs)}m` };
    const kept = await saved(world, schedule("Run now", { connectionId, stations, range, exports: [CSV] }));
    const run = await ran(world, kept);
    expect(run).toMatchObject({ trigger: "user", state: "ok", reason: null });
    // The number of downloaded rows depends on earlier cases. Two hours of 30 s, with a minute of tolerance at each
    // end.
    expect(run.files[0]?.rows).toBeGreaterThan(235);
    expect(run.files[0]?.rows).toBeLessThan(245);
    expect(run.files.map(({ path }) => existsSync(path))).toEqual([true]);
    expect(run.files[0]?.path.startsWith(kept.folder)).toBe(true);
    expect((await found(world, kept.id))?.lastRun).toEqual(run);
    expect(faultOf(await world.bridge.schedules.run({ id: "no such" })).kind).toBe("usage");
  },
  async "schedules.ledger"(world) {
    // Nothing responds at the address of this connection, which has no key.
    const kept = await saved(world, schedule("Ledger"));
    expect(valueOf(await world.bridge.schedules.ledger({ id: kept.id }))).toEqual([]);
    await ran(world, kept);
    const ledger = valueOf(await world.bridge.schedules.ledger({ id: kept.id }));
    expect(ledger).toMatchObject([{ state: "failed", tries: 1, files: [], reason: expect.stringMatching(/\.$/) }]);
  },
  async "schedules.history"(world) {
    // Nothing responds at the address of this connection, which has no key.
    const kept = await saved(world, schedule("History"));
    const run = await ran(world, kept);
    expect(run).toMatchObject({ state: "failed", files: [] });
    expect(run.reason).toMatch(/No file was written\.$/);
    expect(valueOf(await world.bridge.schedules.history({ id: kept.id }))).toEqual([run]);
  },
  async "schedules.stop"(world) {
    const { id } = await saved(world, schedule("At rest"));
    expect(valueOf(await world.bridge.schedules.stop({ id }))).toBeNull();
  },
  async "schedules.remove"(world) {
    const { id } = await saved(world, schedule("Gone"));
    valueOf(await world.bridge.schedules.remove({ id }));
    expect(await found(world, id)).toBeUndefined();
  },
};
