import { createHash } from "node:crypto";
import { copyFileSync, cpSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import type { Bridge } from "#shared/bridge/contract.ts";
import { createBridgeClient } from "#shared/bridge/client.ts";
import { channelPair } from "#shared/bridge/transport/protocol.ts";
import { type App } from "#main/app.ts";
import { compactFile } from "#main/store/maintenance/compact.ts";
import { type Cache, openCache } from "#main/store/index.ts";
import { Stopped } from "#main/store/errors.ts";
import { openApp } from "../bridge/app.ts";
import { valueOf } from "../support/valueOf.ts";
import { builtApp } from "../support/build.ts";
import { dump } from "../support/dump.ts";
import { SOUND, UNSEEN } from "../support/pace.ts";
import { mountSmallDisk } from "./smallDisk.ts";
import { BIG_DAYS, BIG_RANGE, BIG_STATIONS, bigCachePath, prepareBig } from "./bigCache.ts";
import { CONNECTION, NATIVE, PINNED } from "./maintenanceFixture.ts";
import { scratchFolder } from "../support/folder.ts";

const READ = { ...NATIVE, resampled: false };

function openFolder(folder: string): { readonly app: App; readonly bridge: Bridge } {
  const app = openApp(folder);
  const { bridge, attach } = createBridgeClient();
  const { window, core } = channelPair();
  app.serve(core, null);
  attach(window);
  return { app, bridge };
}

async function openBig(folder: string) {
  const { app, bridge } = openFolder(folder);
  const { cache } = await app.connections.open(app.connections.find(CONNECTION)!);
  return { app, bridge, cache };
}

/** Resolves when the work has reached this share. */
function shareReached(bridge: Bridge, workId: string, least: number): Promise<number> {
  return new Promise((resolve) => {
    const stop = bridge.on("workProgress", (progress) => {
      if (progress.workId !== workId || progress.share < least) return;
      stop();
      resolve(progress.share);
    });
  });
}

async function begin(bridge: Bridge, work: "check" | "compact", workId: string): Promise<{ isStopped: boolean }> {
  const input = { connectionId: CONNECTION, workId };
  if (work === "compact") return valueOf(await bridge.cache.compact(input));
  return { isStopped: valueOf(await bridge.cache.check(input)).findings === null };
}

/** Reads rows of a series through the bridge, like a window. */
async function readSome(bridge: Bridge, i: number): Promise<void> {
  const selection = {
    stationIds: [BIG_STATIONS[i % BIG_STATIONS.length]!],
    variables: ["ztd" as const],
    range: BIG_RANGE,
    mode: READ,
  };
  const drawn = await bridge.series.window({ connectionId: CONNECTION, ...selection, columns: 100, mostRows: 10 });
  expect(valueOf(drawn)).toHaveLength(1);
}

/** All rows of some stations, and counts of all. */
const contentsOf = (cache: Cache) => {
  const { rows, chunks, stations } = cache.statistics();
  const counts = { rows, chunks, stations };
  const some = [PINNED, "s60", "s119"];
  return { counts, rows: dump(cache, { stationIds: some, variables: ["ztd", "pwv"], range: BIG_RANGE, ...NATIVE }) };
};

/** Files of caches, without lock files. */
const caches = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.startsWith("cache") && !name.endsWith("-lock"));

/** Moves the write-ahead log into the file. */
function settle(path: string): void {
  const db = new Database(path);
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
}

const sumOf = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

describe("a large cache", () => {
  const root = scratchFolder();
  const template = join(root, "template");
  let n = 0;

  beforeAll(() => {
    builtApp();
    prepareBig(template);
  }, 120_000);

  function copied(): string {
    const folder = join(root, `copy-${n++}`);
    cpSync(template, folder, { recursive: true });
    return folder;
  }

  it.each(["check", "compact"] as const)("%s does not block a window that reads", async (work) => {
    expect(statSync(bigCachePath(template)).size).toBeGreaterThan(BIG_DAYS * 4_500_000);
    const folder = copied();
    const { app, bridge, cache } = await openBig(folder);
    const before = contentsOf(cache);
    const copySizes: number[] = [];
    const progress = { isEnded: false };
    let reads = 0;
    const shares: number[] = [];
    bridge.on("workProgress", ({ share }) => shares.push(share));
    const ended = begin(bridge, work, "w").finally(() => (progress.isEnded = true));
    for (; !progress.isEnded; reads++) {
      await readSome(bridge, reads);
      copySizes.push(statSync(`${cache.path}.unfinished`, { throwIfNoEntry: false })?.size ?? 0);
    }
    expect(await ended).toMatchObject({ isStopped: false });
    expect(reads).toBeGreaterThan(5);
    // SQLite writes the dense copy in one call; reads succeeded while it grew.
    const whole = Math.max(...copySizes);
    expect(copySizes.some((size) => size > 0 && size < whole * 0.9)).toBe(work === "compact");
    expect(shares.length).toBeGreaterThan(0);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(contentsOf(cache)).toEqual(before);
    expect(await cache.check(UNSEEN)).toEqual(SOUND);
    await app.close();
    const [now, then] = [bigCachePath(folder), bigCachePath(template)].map((path) => statSync(path).size);
    expect(now! < then! * 0.85).toBe(work === "compact");
    expect(caches(folder)).toEqual(["cache-kept.db"]);
  });

  it.each(["check", "compact"] as const)("%s leaves the file unchanged if a window stops it", async (work) => {
    const folder = copied();
    const { app, bridge, cache } = await openBig(folder);
    // The opening is recorded in the file once.
    cache.setSetting("seen", "1");
    settle(cache.path);
    const before = sumOf(cache.path);
    const told = shareReached(bridge, "w", 0);
    const ended = begin(bridge, work, "w");
    expect(await told).toBeLessThan(1);
    await bridge.cache.stopWork({ workId: "w" });
    expect((await ended).isStopped).toBe(true);
    expect(sumOf(cache.path)).toBe(before);
    expect(caches(folder).filter((name) => name.includes("unfinished"))).toEqual([]);
    // It can be started again.
    cache.setSetting("seen", "2");
    expect((await begin(bridge, work, "again")).isStopped).toBe(false);
    await app.close();
  });

  it("compacting that is stopped between any two steps leaves the file unchanged", async () => {
    const folder = copied();
    const path = bigCachePath(folder);
    const cache = openCache(path);
    settle(path);
    const before = sumOf(path);
    for (const least of [0, 0.5, 0.51, 0.7, 0.9]) {
      let reached = 0;
      const stoppedThere = compactFile(path, {
        onProgress: (share) => (reached = share),
        throwIfStopped() {
          if (reached >= least) throw new Stopped();
        },
      });
      await expect(stoppedThere).rejects.toThrow(Stopped);
      expect(sumOf(path)).toBe(before);
      expect(caches(folder)).toEqual(["cache-kept.db", "cache-kept.db-shm", "cache-kept.db-wal"]);
      expect(statSync(`${path}-wal`).size).toBe(0);
    }
    expect(await cache.check(UNSEEN)).toEqual(SOUND);
    cache.close();
  });

  it("closing the app during compacting loses no data", async () => {
    const folder = copied();
    const { app, bridge, cache } = await openBig(folder);
    const before = contentsOf(cache);
    const told = shareReached(bridge, "w", 0.51);
    const ended = bridge.cache.compact({ connectionId: CONNECTION, workId: "w" });
    // In memory, the pages can be copied back before the share is reported.
    await Promise.race([told, ended]);
    await app.close();
    await ended;
    const again = openCache(bigCachePath(folder));
    expect(contentsOf(again)).toEqual(before);
    again.close();
    expect(caches(folder)).toEqual(["cache-kept.db"]);
  });

  it("a write by another process after the dense copy is kept", async () => {
    const path = bigCachePath(copied());
    const cache = openCache(path);
    let asked = 0;
    const compacted = compactFile(path, {
      onProgress: () => {},
      // Before the copy, and after it.
      throwIfStopped: () => ++asked === 2 && cache.setSetting("theirs", "kept"),
    });
    await expect(compacted).rejects.toThrow(
      /was written to while it was compacted.*Nothing was changed\. Pause the downloads/,
    );
    expect(cache.setting("theirs")).toBe("kept");
    cache.close();
  });

  it("compacting on a full disk is rejected before any change", async ({ skip }) => {
    const disk = join(root, "disk");
    const unmount = mountSmallDisk(disk, BIG_DAYS * 10);
    if (unmount === null) return skip("no small disk can be mounted here");
    try {
      const path = join(disk, "cache.db");
      copyFileSync(bigCachePath(template), path);
      const cache = openCache(path);
      await expect(cache.compact(UNSEEN)).rejects.toThrow(
        /Compacting needs \d+ MB on this disk for a while, .* and \d+ MB are free\. Nothing was changed/,
      );
      cache.setSetting("still", "writable");
      cache.close();
      expect(caches(disk)).toEqual(["cache.db"]);
    } finally {
      unmount();
    }
  });
});
