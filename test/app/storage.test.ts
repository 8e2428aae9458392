import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { evict, evictionOrder } from "#main/app/storage/limit.ts";
import type { StationSize } from "#shared/series/cacheStatistics.ts";
import { KEY } from "../support/desk.ts";
import {
  chosenFile,
  connect,
  event,
  jobIn,
  openWorld,
  specFor,
  type TestWindow,
  valueOf,
  type World,
} from "./window.ts";

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

/** A world whose first window has fetched two days of four stations. */
async function filled(): Promise<{ world: World; window: TestWindow; connectionId: string; ids: readonly string[] }> {
  world = await openWorld();
  const window = world.open();
  const connectionId = await connect(world, window);
  const spec = specFor(world, 4);
  const { id } = valueOf(await window.bridge.jobs.start({ connectionId, spec, keepUp: false }));
  await jobIn(window, id, "finished");
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

/** A cache as far as making room needs one. */
function heapOf(stations: readonly StationSize[]) {
  const left = new Map(stations.map((s) => [s.stationId, s]));
  return {
    left,
    usedBytes: () => 1_000 + [...left.values()].reduce((sum, s) => sum + s.totalBytes, 0),
    sizes: () => [...left.values()],
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

describe("making room", () => {
  it("never takes what is pinned or in use, takes the oldest first, and ends below the limit or with nothing to take", async () => {
    await fc.assert(
      fc.asyncProperty(anyStations, fc.nat(60_000), fc.func(fc.boolean()), async (stations, limit, inUse) => {
        const heap = heapOf(stations);
        const { stationIds, isStillOver } = await evict(heap, limit, inUse);
        const gone = stations.filter((s) => !heap.left.has(s.stationId));
        const left = [...heap.left.values()].filter((s) => !s.isPinned && !inUse(s.stationId));
        expect(gone.map((s) => s.stationId).toSorted()).toEqual(stationIds.toSorted());
        expect(gone.every((s) => !s.isPinned && !inUse(s.stationId))).toBe(true);
        expect(heap.usedBytes() <= limit || left.length === 0).toBe(true);
        expect(isStillOver).toBe(heap.usedBytes() > limit);
        const newestGone = Math.max(-1, ...gone.map((s) => s.usedAtMs ?? 0));
        expect(left.every((s) => (s.usedAtMs ?? 0) >= newestGone)).toBe(true);
        // No more than is needed: without the last one it would not have been enough.
        const last = gone.find((s) => s.stationId === stationIds.at(-1));
        expect(heap.usedBytes() + (last?.totalBytes ?? Infinity)).toBeGreaterThan(limit);
      }),
      { numRuns: 300 },
    );
  });

  it("takes stations that were never used first", () => {
    const one = { bytes: {}, totalBytes: 1, asked: { startMs: 0, endMs: 1 }, isPinned: false };
    const stations = [
      { ...one, stationId: "new", usedAtMs: 9 },
      { ...one, stationId: "old", usedAtMs: null },
    ];
    expect(evictionOrder(stations, () => false).map((s) => s.stationId)).toEqual(["old", "new"]);
  });

  it("is done in a real file when the limit is set, and told; pinned stations stay, the others are not asked any more", async () => {
    const { window, connectionId, ids } = await filled();
    const { bridge } = window;
    valueOf(await bridge.cache.pin({ connectionId, stationIds: [ids[1]!], isPinned: true }));
    // The file is below the least limit that a window may set: the core is asked itself.
    const told = event(window, "cacheTrimmed", () => true);
    const connection = await openOf(window, connectionId);
    const { usedBytes, last } = await window.app.limits.set(connection, 1_000);
    expect(await told).toMatchObject({ connectionId, limitBytes: 1_000, isStillOver: true });
    expect(last?.stationIds.toSorted()).toEqual(ids.filter((id) => id !== ids[1]).toSorted());
    expect(usedBytes).toBe(valueOf(await bridge.cache.limit({ connectionId })).usedBytes);
    const sizes = valueOf(await bridge.cache.stations({ connectionId }));
    expect(sizes).toMatchObject([{ stationId: ids[1], isPinned: true }]);
    expect(connection.cache.coverage(ids[0]!, "ztd", { intervalSeconds: null, raw: false }).final).toEqual([]);
    expect(rowsOf(connection.cache, ids[1]!).timesMs.length).toBeGreaterThan(1_000);
  });

  it("comes after the end of a download, never into it", async () => {
    const { world: w, window, connectionId } = await filled();
    const connection = await openOf(window, connectionId);
    connection.cache.setSetting("limitBytes", "1000");
    const trimmed: string[] = [];
    window.bridge.on("cacheTrimmed", () => trimmed.push("trimmed"));
    const spec = specFor(w, 4, { range: { startMs: Date.UTC(2026, 8, 3), endMs: Date.UTC(2026, 8, 5) } });
    const told = event(window, "cacheTrimmed", ({ stationIds }) => stationIds.length === 4);
    const job = valueOf(await window.bridge.jobs.start({ connectionId, spec, keepUp: false }));
    const done = await jobIn(window, job.id, "finished");
    expect(done.verdictCounts?.failed ?? 0).toBe(0);
    expect(trimmed).toEqual([]);
    await told;
    expect(valueOf(await window.bridge.cache.stations({ connectionId }))).toEqual([]);
  });
});

describe("comparing with the service", () => {
  it("finds nothing in what the service still says, and what it costs is what was said", async () => {
    const { world: w, window, connectionId } = await filled();
    const { pieces, cost } = valueOf(await window.bridge.cache.drawSample({ connectionId }));
    expect(pieces).toHaveLength(4);
    const from = w.service.stats.log.length;
    const compared = valueOf(await window.bridge.cache.compare({ connectionId, pieces }));
    const sent = w.service.stats.log.slice(from).filter((r) => r.endpoint === "query");
    expect(sent).toHaveLength(cost.requests);
    expect(sent.reduce((sum, r) => sum + (r.points ?? 0), 0)).toBe(cost.points);
    expect(compared.every((c) => c.revised + c.deleted + c.added === 0)).toBe(true);
    expect(compared.some((c) => c.same > 0)).toBe(true);
  });

  it("reports rows that are otherwise now, and puts the service's in their place", async () => {
    const { window, connectionId, ids } = await filled();
    const { cache } = await openOf(window, connectionId);
    const stationId = ids[0]!;
    const range = { startMs: Date.UTC(2026, 8, 1, 3), endMs: Date.UTC(2026, 8, 1, 4) };
    const selection = { stationId, variables: ["ztd"] as const, intervalSeconds: null, raw: false, range };
    const truth = cache.rows(selection);
    const ztd = truth.columns.ztd;
    if (ztd?.kind !== "scalar") throw new Error("no rows");
    // As an older answer would have it: the first two rows missing, the third with another value, one too many.
    const falseTimes = Float64Array.from([...truth.timesMs.slice(2), range.endMs - 1]);
    const falseValues = Float64Array.from([ztd.values[2]! + 5, ...ztd.values.slice(3), 1]);
    const writer = cache.openResponse({ ...selection, stationIds: [stationId] });
    writer.add({ stationId, timesMs: falseTimes, scalars: { ztd: falseValues }, texts: {} });
    writer.commit({ fetchedAtMs: range.endMs, finalUntilMs: () => Infinity });
    const told = event(window, "cacheChanged", ({ stationIds }) => stationIds?.includes(stationId) ?? true);
    const pieces = [{ stationId, variable: "ztd" as const, range }];
    const [compared] = valueOf(await window.bridge.cache.compare({ connectionId, pieces }));
    expect(compared).toMatchObject({ revised: 1, deleted: 1, added: 2, same: truth.timesMs.length - 3 });
    expect(compared?.examples).toContainEqual({
      kind: "revised",
      timeMs: truth.timesMs[2],
      before: ztd.values[2]! + 5,
      after: ztd.values[2],
    });
    expect(cache.rows(selection)).toEqual(truth);
    expect(cache.coverage(stationId, "ztd", selection).final).toEqual([
      { startMs: Date.UTC(2026, 8, 1), endMs: Date.UTC(2026, 8, 3) },
    ]);
    await told;
  });

  it("asks in smaller parts where the service gives out less at a time", async () => {
    const { world: w, window, connectionId, ids } = await filled();
    await w.service.close();
    await w.serve({ organizations: [{ key: KEY, name: "test", owner: "aurora", maxPoints: 200 }] });
    const range = { startMs: Date.UTC(2026, 8, 1, 3), endMs: Date.UTC(2026, 8, 1, 9) };
    const pieces = [{ stationId: ids[0]!, variable: "ztd" as const, range }];
    const [compared] = valueOf(await window.bridge.cache.compare({ connectionId, pieces }));
    expect(compared).toMatchObject({ revised: 0, deleted: 0, added: 0 });
    expect(compared!.same).toBeGreaterThan(400);
  });

  it("foretells the parts of each piece once a limit is known, and until then that there may be more", async () => {
    const { world: w, window, connectionId, ids } = await filled();
    const draw = async () => valueOf(await window.bridge.cache.drawSample({ connectionId }));
    expect((await draw()).cost).toMatchObject({ requests: 4, mayBeMore: true });
    await w.service.close();
    await w.serve({ organizations: [{ key: KEY, name: "test", owner: "aurora", maxPoints: 200 }] });
    // The first piece that is refused teaches the limit.
    const range = { startMs: Date.UTC(2026, 8, 1, 3), endMs: Date.UTC(2026, 8, 1, 9) };
    valueOf(
      await window.bridge.cache.compare({ connectionId, pieces: [{ stationId: ids[0]!, variable: "ztd", range }] }),
    );
    const { pieces, cost } = await draw();
    expect(cost.mayBeMore).toBe(false);
    expect(cost.requests).toBeGreaterThan(pieces.length);
    const from = w.service.stats.log.length;
    valueOf(await window.bridge.cache.compare({ connectionId, pieces }));
    const sent = w.service.stats.log.slice(from).filter((r) => r.endpoint === "query");
    expect(sent.map((r) => r.status)).toEqual(sent.map(() => 200));
    expect(sent).toHaveLength(cost.requests);
    expect(sent.reduce((sum, r) => sum + (r.points ?? 0), 0)).toBe(cost.points);
  });

  it("leaves out what was forgotten after the sample was drawn", async () => {
    const { world: w, window, connectionId } = await filled();
    const { pieces } = valueOf(await window.bridge.cache.drawSample({ connectionId }));
    const [gone, ...rest] = pieces;
    valueOf(await window.bridge.cache.forget({ connectionId, stationIds: [gone!.stationId], range: null }));
    const from = w.service.stats.log.length;
    const compared = valueOf(await window.bridge.cache.compare({ connectionId, pieces }));
    expect(compared.map((c) => c.stationId)).toEqual(rest.map((p) => p.stationId));
    expect(w.service.stats.log.slice(from).filter((r) => r.endpoint === "query")).toHaveLength(rest.length);
  });

  it("says why where the service cannot be asked, and changes nothing", async () => {
    const { world: w, window, connectionId, ids } = await filled();
    const { cache } = await openOf(window, connectionId);
    const before = rowsOf(cache, ids[0]!);
    const { pieces } = valueOf(await window.bridge.cache.drawSample({ connectionId }));
    await w.service.close();
    const answer = await window.bridge.cache.compare({ connectionId, pieces });
    expect(answer).toMatchObject({ ok: false, error: { kind: "network" } });
    expect(rowsOf(cache, ids[0]!)).toEqual(before);
  });
});

describe("forgetting", () => {
  it("tells how far it is, can be stopped by its name, and leaves what is left whole", async () => {
    const { window, connectionId, ids } = await filled();
    const { bridge } = window;
    const told = event(window, "workProgress", ({ workId }) => workId === "slow");
    const all = { connectionId, stationIds: null, range: null };
    const answer = bridge.cache.forget({ ...all, workId: "slow" });
    expect((await told).share).toBeGreaterThan(0);
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

describe("moving the cache", () => {
  it("loses nothing, deletes the old file, and is still there after a restart, a new key and a removal", async () => {
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
    // Moved once more, then removed: nothing stays at either place.
    const second = await chosenFile(again, join(w.folder, "second.db"));
    valueOf(await again.bridge.cache.move({ connectionId, path: second.path }));
    expect(existsSync(path)).toBe(false);
    const twice = (await openOf(again, connectionId)).cache;
    expect(ids.map((station) => rowsOf(twice, station))).toEqual(expected);
    valueOf(await again.bridge.connections.remove({ connectionId }));
    expect(existsSync(second.path)).toBe(false);
  });

  it("leaves the old one in use where the new one cannot be, and writes only where the user chose", async () => {
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
      error: { kind: "disk", message: expect.stringContaining("of this name already") },
    });
    expect(rowsOf((await openOf(window, connectionId)).cache, ids[0]!)).toEqual(expected);
    // What a stopped move left behind is in no one's way.
    const free = join(w.folder, "free.db");
    writeFileSync(`${free}.unfinished`, "half of it");
    await chosenFile(window, free);
    valueOf(await window.bridge.cache.move({ connectionId, path: free }));
    expect(rowsOf((await openOf(window, connectionId)).cache, ids[0]!)).toEqual(expected);
  });

  it("says so where the new folder is gone later, instead of beginning with an empty cache", async () => {
    const { world: w, window, connectionId } = await filled();
    mkdirSync(join(w.folder, "disk"));
    const { path } = await chosenFile(window, join(w.folder, "disk", "cache.db"));
    valueOf(await window.bridge.cache.move({ connectionId, path }));
    await window.app.close();
    renameSync(join(w.folder, "disk"), join(w.folder, "unplugged"));
    const again = w.open();
    const answer = await again.bridge.cache.statistics({ connectionId });
    expect(answer).toMatchObject({
      ok: false,
      error: { kind: "disk", message: expect.stringContaining("Attach its disk") },
    });
    renameSync(join(w.folder, "unplugged"), join(w.folder, "disk"));
    expect(valueOf(await again.bridge.cache.statistics({ connectionId })).rows).toBeGreaterThan(1_000);
  });
});
