import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evict } from "#main/app/storage/maximumSize.ts";
import type { StationSize } from "#shared/series/cache.ts";
import type { WorkPace } from "#main/store/types.ts";
import {
  chosenFile,
  connect,
  connectedWorld,
  download,
  event,
  isDownloaded,
  jobIn,
  specFor,
  type TestWindow,
  valueOf,
  type World,
} from "./window.ts";
import { gateCases } from "../support/endurance.ts";

/** A running download, and work on its cache that lasts until it is ended or stopped. */
async function maintained() {
  const faults = [{ fault: { kind: "slow", delayMs: 400 }, endpoints: ["query"] }] as const;
  const { world, window, app, bridge, connectionId } = await connectedWorld({ faults }, {}, 1);
  const { id } = valueOf(await bridge.jobs.start({ connectionId, spec: specFor(world, 4), keepUp: false }));
  await jobIn(window, id, "running", (job) => (job.progress?.pointsDone ?? 0) > 0);
  const connection = await openOf(window, connectionId);
  const work = (workId: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const compact = ({ signal }: WorkPace): Promise<void> => {
      signal.addEventListener("abort", () => reject(signal.reason));
      begun.resolve();
      return promise;
    };
    const ended = app.maintenance.run({ workId, connectionId }, (pace) =>
      app.cacheMaintenance.compact({ ...connection, cache: { ...connection.cache, compact } }, pace),
    );
    return { begun: begun.promise, end: resolve, ended };
  };
  const stateNow = () => app.queue.list().find((job) => job.id === id)!.state;
  return { world, window, jobId: id, work, stateNow };
}

describe("downloads during maintenance of their cache", () => {
  it("wait until the last work has ended, also if the computer wakes meanwhile", async () => {
    const { window, jobId, work, stateNow } = await maintained();
    const [first, second] = [work("first"), work("second")];
    await Promise.all([first.begun, second.begun]);
    expect(stateNow()).toBe("queued");
    await window.app.suspend();
    first.end();
    await first.ended;
    expect(stateNow()).toBe("queued");
    await window.app.resume();
    expect(stateNow()).toBe("queued");
    second.end();
    await second.ended;
    expect(stateNow()).toBe("running");
    expect((await jobIn(window, jobId, "finished")).verdictCounts).toSatisfy(isDownloaded);
  });

  it("of another connection continue", async () => {
    const { window, jobId, work, stateNow } = await maintained();
    await window.app.queue.suspend("another");
    expect(stateNow()).toBe("running");
    const own = work("own");
    await own.begun;
    expect(stateNow()).toBe("queued");
    own.end();
    await jobIn(window, jobId, "finished");
  });

  it("do not start again when the program ends, and continue after the next start", async () => {
    const { world, window, jobId, work, stateNow } = await maintained();
    const { begun, ended } = work("stopped by the end");
    await begun;
    const stateAfter = ended.catch(() => null).then(stateNow);
    await window.app.close();
    expect(await stateAfter).toBe("queued");
    const again = world.open();
    valueOf(
      await again.bridge.connections.open({ connectionId: valueOf(await again.bridge.connections.list({}))[0]!.id }),
    );
    await jobIn(again, jobId, "finished");
  });
});

/** A world whose first window has downloaded two days of four stations. */
async function filled(): Promise<{ world: World; window: TestWindow; connectionId: string; ids: readonly string[] }> {
  const { world, window, connectionId } = await connectedWorld();
  const spec = specFor(world, 4);
  await download(window, connectionId, spec);
  const { cache } = await openOf(window, connectionId);
  const parts = spec.stationIds.flatMap((stationId) =>
    spec.variables.map((variable) => ({ stationId, variable, range: spec.range, intervalSeconds: null, raw: false })),
  );
  cache.amendCoverage(parts, (_, { range }) => ({ final: [range], provisional: [] }));
  return { world, window, connectionId, ids: spec.stationIds };
}

async function openOf({ app }: TestWindow, connectionId: string) {
  const record = app.connections.find(connectionId);
  if (!record) throw new Error("no such connection");
  return app.connections.open(record);
}

function rowsOf(cache: Awaited<ReturnType<typeof openOf>>["cache"], stationId: string) {
  const range = { startMs: Date.UTC(2026, 8, 1), endMs: Date.UTC(2026, 8, 3) };
  return cache.rows({ stationId, variables: ["ztd", "pwv"], intervalSeconds: null, raw: false, range });
}

/** A cache with only the methods that eviction needs. */
function heapOf(stations: readonly StationSize[]) {
  const left = new Map(stations.map((s) => [s.stationId, s]));
  return {
    left,
    usedBytes: () => 1_000 + [...left.values()].reduce((sum, s) => sum + s.totalBytes, 0),
    forget(ids: readonly string[] | null) {
      for (const id of ids ?? []) left.delete(id);
      return 0;
    },
  };
}

const anyStations = fc
  .uniqueArray(
    fc.record({
      stationId: fc.string({ minLength: 1, maxLength: 3 }),
      bytes: fc.constant({}),
      totalBytes: fc.nat(10_000),
      asked: fc.constant({ startMs: 0, endMs: 1 }),
      usedAtMs: fc.option(fc.nat(50)),
      isPinned: fc.boolean(),
    }),
    { selector: (s) => s.stationId, maxLength: 30 },
  )
  .map((all): StationSize[] => all);

describe("eviction", () => {
  it("spares pinned and used stations, removes the oldest first, and ends below the maximum or with nothing to remove", async () => {
    await fc.assert(
      fc.asyncProperty(anyStations, fc.nat(60_000), fc.func(fc.boolean()), async (stations, maximum, inUse) => {
        const heap = heapOf(stations);
        const evictable = () => [...heap.left.values()].filter((s) => !s.isPinned && !inUse(s.stationId));
        const { stationIds, isStillOver } = await evict(heap, maximum, evictable);
        const gone = stations.filter((s) => !heap.left.has(s.stationId));
        const left = evictable();
        expect(gone.map((s) => s.stationId).toSorted()).toEqual(stationIds.toSorted());
        expect(gone.every((s) => !s.isPinned && !inUse(s.stationId))).toBe(true);
        expect(heap.usedBytes() <= maximum || left.length === 0).toBe(true);
        expect(isStillOver).toBe(heap.usedBytes() > maximum);
        const newestGone = Math.max(-1, ...gone.map((s) => s.usedAtMs ?? 0));
        expect(left.every((s) => (s.usedAtMs ?? 0) >= newestGone)).toBe(true);
        // No more than necessary: without the last one, the maximum would still be exceeded.
        const last = gone.find((s) => s.stationId === stationIds.at(-1));
        expect(heap.usedBytes() + (last?.totalBytes ?? Infinity)).toBeGreaterThan(maximum);
      }),
      { numRuns: gateCases(300) },
    );
  });

  it("runs when the maximum size is set and reports it: pinned stations stay, the coverage of others is deleted", async () => {
    const { window, connectionId, ids } = await filled();
    const { bridge } = window;
    valueOf(await bridge.cache.pin({ connectionId, stationIds: [ids[1]!], isPinned: true }));
    // The file is smaller than the minimum maximum of a window, so the core is called directly.
    const reported = event(window, "cacheTrimmed", () => true);
    const connection = await openOf(window, connectionId);
    const { usedBytes, last } = await window.app.maximumSizes.set(connection, 1_000);
    expect(await reported).toMatchObject({ connectionId, maximumBytes: 1_000, isStillOver: true });
    expect(last?.stationIds.toSorted()).toEqual(ids.filter((id) => id !== ids[1]).toSorted());
    expect(usedBytes).toBe(valueOf(await bridge.cache.maximumSize({ connectionId })).usedBytes);
    const sizes = valueOf(await bridge.cache.stations({ connectionId }));
    expect(sizes).toMatchObject([{ stationId: ids[1], isPinned: true }]);
    expect(connection.cache.coverage(ids[0]!, "ztd", { intervalSeconds: null, raw: false }).final).toEqual([]);
    expect(rowsOf(connection.cache, ids[1]!).timesMs.length).toBeGreaterThan(1_000);
  });

  it("runs after a download, not during it", async () => {
    const { world: w, window, connectionId } = await filled();
    const connection = await openOf(window, connectionId);
    connection.cache.setSetting("maximumBytes", "1000");
    const trimmed: string[] = [];
    window.bridge.on("cacheTrimmed", () => trimmed.push("trimmed"));
    const spec = specFor(w, 4, { range: { startMs: Date.UTC(2026, 8, 3), endMs: Date.UTC(2026, 8, 5) } });
    const reported = event(window, "cacheTrimmed", ({ stationIds }) => stationIds.length === 4);
    const job = valueOf(await window.bridge.jobs.start({ connectionId, spec, keepUp: false }));
    const done = await jobIn(window, job.id, "finished");
    expect(done.verdictCounts?.failed ?? 0).toBe(0);
    expect(trimmed).toEqual([]);
    await reported;
    expect(valueOf(await window.bridge.cache.stations({ connectionId }))).toEqual([]);
  });
});

describe("deletion", () => {
  it("reports progress, can be stopped by its id, and leaves consistent data", async () => {
    const { window, connectionId, ids } = await filled();
    const { bridge } = window;
    const reported = event(window, "workProgress", ({ workId }) => workId === "slow");
    const all = { connectionId, stationIds: null, range: null };
    const answer = bridge.cache.forget({ ...all, workId: "slow" });
    expect((await reported).share).toBeGreaterThan(0);
    valueOf(await bridge.cache.stopWork({ workId: "slow" }));
    const { rows, isStopped } = valueOf(await answer);
    const { cache } = await openOf(window, connectionId);
    const left = ids.reduce((sum, id) => sum + rowsOf(cache, id).timesMs.length, 0);
    expect(rows > 0 && (isStopped || left === 0)).toBe(true);
    for (const id of ids) {
      const { final, provisional } = cache.coverage(id, "ztd", { intervalSeconds: null, raw: false });
      expect(final.length + provisional.length > 0).toBe(rowsOf(cache, id).timesMs.length > 0);
    }
    expect(valueOf(await bridge.cache.forget(all)).isStopped).toBe(false);
    expect(cache.statistics().rows).toBe(0);
  });
});

describe("a move of the cache", () => {
  it("keeps all data, deletes the old file, and persists after a restart, a new key and a removal", async () => {
    const { world: w, window, connectionId, ids } = await filled();
    const before = (await openOf(window, connectionId)).cache;
    const expected = ids.map((id) => rowsOf(before, id));
    const { path } = await chosenFile(window, join(w.folder, "new place", "kept here.db"));
    const moved = valueOf(await window.bridge.cache.move({ connectionId, path }));
    expect(moved).toEqual({ path, warning: null, oldLeftAt: null });
    expect(readdirSync(w.folder).filter((name) => name.startsWith(basename(before.path)))).toEqual([]);
    const now = (await openOf(window, connectionId)).cache;
    expect(ids.map((id) => rowsOf(now, id))).toEqual(expected);
    expect(valueOf(await window.bridge.cache.statistics({ connectionId })).path).toBe(path);

    await window.app.close();
    const again = w.open();
    const id = await connect(w, again);
    expect(id).toBe(connectionId);
    expect(valueOf(await again.bridge.cache.statistics({ connectionId })).path).toBe(path);
    // Moved again, then removed: no file is left at either path.
    const second = await chosenFile(again, join(w.folder, "second.db"));
    valueOf(await again.bridge.cache.move({ connectionId, path: second.path }));
    expect(existsSync(path)).toBe(false);
    const twice = (await openOf(again, connectionId)).cache;
    expect(ids.map((station) => rowsOf(twice, station))).toEqual(expected);
    valueOf(await again.bridge.connections.remove({ connectionId }));
    expect(existsSync(second.path)).toBe(false);
  });

  it("can be stopped, and leaves the cache where it is", async () => {
    const { world: w, window, connectionId, ids } = await filled();
    const { path: from } = (await openOf(window, connectionId)).cache;
    const { path } = await chosenFile(window, join(w.folder, "new.db"));
    const stopped = event(window, "workProgress", () => true).then(() =>
      window.bridge.cache.stopWork({ workId: "move" }),
    );
    expect(await window.bridge.cache.move({ connectionId, path, workId: "move" })).toMatchObject({
      error: { kind: "cancelled", message: "Stopped. The cache stays where it is." },
    });
    await stopped;
    expect(readdirSync(w.folder).filter((name) => name.startsWith("new"))).toEqual([]);
    const { cache } = await openOf(window, connectionId);
    expect([cache.path, rowsOf(cache, ids[0]!).timesMs.length > 1_000]).toEqual([from, true]);
  });

  it("keeps the old file in use if the new path is taken, and writes only where the user chose", async () => {
    const { world: w, window, connectionId, ids } = await filled();
    const expected = rowsOf((await openOf(window, connectionId)).cache, ids[0]!);
    const taken = join(w.folder, "taken.db");
    writeFileSync(taken, "not ours");
    expect(await window.bridge.cache.move({ connectionId, path: taken })).toMatchObject({
      ok: false,
      error: { kind: "usage", message: expect.stringContaining("dialog") },
    });
    await chosenFile(window, taken);
    expect(await window.bridge.cache.move({ connectionId, path: taken })).toMatchObject({
      ok: false,
      error: { kind: "disk", message: expect.stringContaining("with this name already exists") },
    });
    expect(rowsOf((await openOf(window, connectionId)).cache, ids[0]!)).toEqual(expected);
    // Files of an interrupted move do not block a new one.
    const free = join(w.folder, "free.db");
    writeFileSync(`${free}.unfinished`, "half of it");
    await chosenFile(window, free);
    valueOf(await window.bridge.cache.move({ connectionId, path: free }));
    expect(rowsOf((await openOf(window, connectionId)).cache, ids[0]!)).toEqual(expected);
  });
});
