// Promise: another program that locks the cache, for any time, delays a download and loses nothing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { messageOf } from "#shared/fault.ts";
import { runJob } from "#main/sync/job.ts";
import { CacheWrites } from "#main/sync/whenUnlocked.ts";
import { StoreError } from "#main/store/index.ts";
import { IS_ENDURANCE } from "../support/endurance.ts";
import { fakeClock } from "./fakeClock.ts";
import { openHostile, specOf } from "./hostileService.ts";

const never = new AbortController().signal;
const locked = () => new StoreError("busy", "cache.db", "cache.db: Another program keeps the file locked.");

function always(): never {
  throw locked();
}

function full(): never {
  throw new StoreError("full", "cache.db", "cache.db: The disk is full.");
}

describe("a locked cache", () => {
  it("is waited for as long as a service would be, and told", async () => {
    const clock = fakeClock();
    const writes = new CacheWrites(clock, 600_000);
    let attempts = 0;
    const write = (): number => {
      if (++attempts < 15) throw locked();
      return attempts;
    };
    const ended = writes.run(write, never);
    await clock.advance(5_500);
    expect(writes.lock()).toMatchObject({ reason: expect.stringMatching(/locked/) });
    await clock.advance(10_000);
    expect(await ended).toBe(15);
    expect(writes.lock()).toBeNull();
  });

  it("ends the work after its patience, at a stop, and never for another reason", async () => {
    const clock = fakeClock();
    const writes = new CacheWrites(clock, 60_000);
    const impatient = writes.run(always, never).catch(messageOf);
    await clock.advance(62_000);
    expect(await impatient).toMatch(/locked/);
    const stop = new AbortController();
    const stopped = writes.run(always, stop.signal).catch(messageOf);
    stop.abort();
    expect(await stopped).toMatch(/locked/);
    await expect(writes.run(full, never)).rejects.toThrow(/full/);
    expect(writes.lock()).toBeNull();
  });

  // SQLite itself waits ten seconds, which is too long for each run of all tests.
  it.each(IS_ENDURANCE ? [14_000] : [])(
    "is waited for by a download, longer than SQLite itself waits: %d ms",
    async (lockMs) => {
      const hostile = await openHostile(3, { patience: { jobMs: 600_000, callMs: 5_000 } });
      const spec = specOf(3, 500);
      const path = hostile.session.cache.path;
      const holder = spawn(process.execPath, [
        "-e",
        `const db = new (require("better-sqlite3"))(${JSON.stringify(path)});
       db.exec("BEGIN IMMEDIATE");
       console.log("locked");
       setTimeout(() => { db.exec("COMMIT"); db.close(); }, ${lockMs});`,
      ]);
      const released = once(holder, "exit");
      await once(holder.stdout, "data");
      const outcome = await runJob(hostile.session, spec, { signal: never });
      expect(outcome).toMatchObject({ state: "finished", failures: [] });
      for (const stationId of spec.stationIds)
        expect(hostile.session.cache.countRows({ ...spec, stationId })).toBe(500);
      await released;
    },
    60_000,
  );
});
