import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seeded } from "../support/seeded.ts";
import { channelPair } from "#shared/bridge/transport/protocol.ts";
import type { Variable } from "#shared/service/variables.ts";
import { intersect } from "#shared/time/rangeset.ts";
import { type App } from "#main/app.ts";
import { type Cache, openCache, type SessionManifest, type SessionParts, writeSessionFile } from "#main/store/index.ts";
import { openApp } from "../bridge/app.ts";
import { builtApp } from "../support/build.ts";
import { dump } from "../support/dump.ts";
import { IS_ENDURANCE, tries } from "../support/endurance.ts";
import { emptyTally, type Tally, tallyCells, writeRow } from "../support/reliability.ts";
import { SOUND, UNSEEN } from "../support/pace.ts";
import { CONNECTION, shared, halfOf, movedTo, NATIVE, PINNED, RANGE, SCALARS, STATIONS } from "./maintenanceFixture.ts";
import { prepare } from "./maintenanceFolder.ts";
import { scratchFolder } from "../support/folder.ts";

/** The first kill after a counted call and the first after a time cover each kind of state. */
const POINTS = tries(2, 64);
const LANES = 2;
/** A few kills need not have every outcome; many must, otherwise the test proves nothing. */
const LEAST_SEEN = tries(0, 1);
const LONGEST_MS = tries(200_000, 3_600_000);
/** Counts of the comparisons since the start of the last work. */
let tally: Tally = emptyTally();
type Work = "move" | "compact" | "compactHere" | "evict" | "forget" | "open";

/** Rows in docs/reliability.md. */
const ROWS: Readonly<Record<Work, string>> = {
  move: "`cache move`",
  compact: "`cache compact`",
  compactHere: "`cache compact`, step by step",
  evict: "making room for the maximum size",
  forget: "`cache forget`",
  open: "`session open`",
};

const contentsOf = (cache: Cache, stationIds: readonly string[], variables: readonly Variable[]) => {
  const series = { stationIds, variables, range: RANGE, ...NATIVE };
  const provisional = stationIds.map((id) => variables.map((v) => cache.coverage(id, v, NATIVE).provisional));
  const all = dump(cache, series);
  tally.rows += all.reduce((sum, { times }) => sum + times.length, 0);
  return { ...series, provisional, rows: all };
};

/** Checks that the cache has the rows of the whole cache where it is covered. */
function shareOf(cache: Cache, whole: Cache, stationId: string, variable: Variable): "all" | "part" | "none" {
  const { final, provisional } = cache.coverage(stationId, variable, NATIVE);
  const covered = [...final, ...provisional.map((p) => p.range)];
  const before = whole.coverage(stationId, variable, NATIVE);
  expect(intersect(final, before.final)).toEqual(final);
  const rows = (of: Cache) => dump(of, { stationIds: [stationId], variables: [variable], range: RANGE, ...NATIVE })[0]!;
  const [now, then] = [rows(cache), rows(whole)];
  tally.rows += now.times.length;
  const isCovered = (timeMs: number): boolean => covered.some((r) => timeMs >= r.startMs && timeMs < r.endMs);
  expect(now.times).toEqual(then.times.filter(isCovered));
  return now.times.length === then.times.length ? "all" : now.times.length > 0 ? "part" : "none";
}

async function child(work: Work, folder: string, killAt: number, afterMs: number | null): Promise<string> {
  const script = join(import.meta.dirname, "maintenanceChild.ts");
  const running = spawn(process.execPath, [script, work, folder, String(killAt)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  const gone = once(running, "close");
  running.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  if (afterMs !== null) {
    await Promise.race([once(running.stdout, "data"), gone]);
    await delay(afterMs);
    running.kill("SIGKILL");
  }
  const [code, signal] = (await gone) as [number | null, string | null];
  if (signal === null && code !== 0) throw new Error(`The ${work} failed by itself.`);
  return output;
}

/** Opens the application after the kill, like a window. */
async function restarted<T>(folder: string, look: (cache: Cache, app: App) => T | Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const app = openApp(folder);
  try {
    app.serve(channelPair().core, null);
    const { cache } = await app.connections.open(app.connections.find(CONNECTION)!);
    expect(cache.quarantined).toBeNull();
    expect(await cache.check(UNSEEN)).toEqual(SOUND);
    tally.slowestMs = Math.max(tally.slowestMs, performance.now() - startedMs);
    return await look(cache, app);
  } finally {
    await app.close();
  }
}

/** All unknown files of the folder after the application was closed. */
function leftoversIn(folder: string): string[] {
  const known =
    /^(log(\.1)?\.txt|user\.db(\.backup-[\dTZ-]+)?|claims\.db(-[\da-f-]{36})?|cache-kept\.db|exports|elsewhere|moved\.db|s\.zenith)(-lock)?$/;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => entry.name)
    .filter((name) => !known.test(name));
}

const MANIFEST: SessionManifest = {
  version: 1,
  program: "Zenith Desk 0",
  savedAtMs: 0,
  author: "Anna",
  connectionName: "Kept",
  baseUrl: null,
  withoutFiles: [],
  views: null,
};
const PARTS: SessionParts = {
  ranges: new Map(STATIONS.map((id) => [id, [RANGE]])),
  kinds: ["scalar", "satellite"],
};
const PACE = { onProgress: () => {}, signal: new AbortController().signal };

describe("kill −9 during maintenance of a cache", () => {
  const root = scratchFolder();
  const template = join(root, "template");
  let whole: Cache;
  beforeAll(async () => {
    builtApp();
    mkdirSync(template);
    prepare(template);
    const kept = openCache(join(template, "cache-kept.db"));
    await writeSessionFile(kept, shared(template), { manifest: MANIFEST, parts: PARTS }, PACE);
    kept.close();
    cpSync(template, join(root, "whole"), { recursive: true });
    whole = openCache(join(root, "whole", "cache-kept.db"));
  });
  afterAll(() => whole.close());

  /** Kills at seeded disk calls and at seeded times. Returns the number of kills before the end. */
  async function atManyPoints(work: Work, seed: number, after: (folder: string) => Promise<void>): Promise<number> {
    tally = emptyTally();
    const measured = join(root, `${work}-measured`);
    cpSync(template, measured, { recursive: true });
    const startedMs = performance.now();
    const output = await child(work, measured, 0, null);
    const runMs = performance.now() - startedMs;
    const calls = Number(/done (\d+)/.exec(output)?.[1]);
    expect(calls).toBeGreaterThan(1);
    const random = seeded(seed);
    const points = Array.from({ length: POINTS }, (_, i) => ({ i, share: random() }));
    let killed = 0;
    const queue = points.values();
    await Promise.all(
      Array.from({ length: LANES }, async () => {
        for (const { i, share } of queue) {
          const folder = join(root, `${work}-${i}`);
          cpSync(template, folder, { recursive: true });
          // The last steps of the work follow each other closely: half of the points count calls, with more near the
          // end.
          const isCounted = i % 2 === 0;
          const killAt = isCounted ? Math.max(1, Math.ceil(calls - (i % 4 === 0 ? 30 : calls) * share)) : 0;
          const output = await child(work, folder, killAt, isCounted ? null : share * 0.4 * runMs);
          if (!output.includes("done")) killed++;
          await after(folder);
          rmSync(folder, { recursive: true, force: true });
          tally.tries++;
        }
      }),
    );
    if (IS_ENDURANCE) writeRow(ROWS[work], tallyCells(tally));
    return killed;
  }

  it(
    "during a move leaves the whole cache in use at one place, and no file at the other",
    async () => {
      const places = { old: 0, new: 0 };
      const all = contentsOf(whole, STATIONS, SCALARS);
      const killed = await atManyPoints("move", 20_261_122, async (folder) => {
        const old = join(folder, "cache-kept.db");
        const path = await restarted(folder, (cache) => {
          expect(contentsOf(cache, STATIONS, SCALARS)).toEqual(all);
          return cache.path;
        });
        expect([old, movedTo(folder)]).toContain(path);
        places[path === old ? "old" : "new"]++;
        expect(existsSync(path === old ? movedTo(folder) : old)).toBe(false);
        expect(leftoversIn(folder)).toEqual([]);
      });
      expect(killed).toBeGreaterThan(IS_ENDURANCE ? POINTS / 3 : 0);
      expect(Math.min(places.old, places.new)).toBeGreaterThanOrEqual(LEAST_SEEN);
    },
    LONGEST_MS,
  );

  it(
    "during the opening of a session leaves all of its data or none",
    async () => {
      const places = { there: 0, not: 0 };
      const all = contentsOf(whole, STATIONS, SCALARS);
      await atManyPoints("open", 20_261_126, async (folder) => {
        await restarted(folder, async (cache, app) => {
          expect(contentsOf(cache, STATIONS, SCALARS)).toEqual(all);
          const added = (await app.connections.list()).filter((c) => c.kind === "file");
          const files = leftoversIn(folder).filter(
            (name) => name.startsWith("cache-") && !name.startsWith("cache-kept"),
          );
          expect(files.filter((name) => name.endsWith(".db"))).toHaveLength(added.length);
          places[added.length > 0 ? "there" : "not"]++;
          for (const { id } of added) {
            const opened = await app.connections.open(app.connections.find(id)!);
            expect(contentsOf(opened.cache, STATIONS, SCALARS)).toEqual(all);
            await app.connections.remove(id);
          }
        });
        expect(leftoversIn(folder)).toEqual([]);
      });
      expect(places.not).toBeGreaterThanOrEqual(LEAST_SEEN);
    },
    LONGEST_MS,
  );

  // In its thread, and in this one, where each call can be counted.
  it.each(["compact", "compactHere"] as const)(
    "during %s loses no data, and leaves no temporary file",
    async (work) => {
      const all = contentsOf(whole, STATIONS, SCALARS);
      const killed = await atManyPoints(work, 20_261_123, async (folder) => {
        await restarted(folder, (cache) => expect(contentsOf(cache, STATIONS, SCALARS)).toEqual(all));
        expect(leftoversIn(folder)).toEqual([]);
      });
      expect(killed).toBeGreaterThan(IS_ENDURANCE ? POINTS / 3 : 0);
    },
    LONGEST_MS,
  );

  it(
    "during an eviction keeps pinned stations and each other station completely or not at all, and the eviction can be completed",
    async () => {
      const killed = await atManyPoints("evict", 20_261_124, async (folder) => {
        await restarted(folder, async (cache, app) => {
          for (const id of STATIONS) {
            const found = SCALARS.map((v) => shareOf(cache, whole, id, v));
            expect(new Set(found).size).toBe(1);
            expect(found[0]).not.toBe("part");
          }
          cache.pin([PINNED], true);
          const maximum = halfOf(whole.usedBytes());
          await app.maximumSizes.set(await app.connections.open(app.connections.find(CONNECTION)!), maximum);
          expect(shareOf(cache, whole, PINNED, "ztd")).toBe("all");
          expect(cache.usedBytes()).toBeLessThanOrEqual(maximum);
        });
        expect(leftoversIn(folder)).toEqual([]);
      });
      expect(killed).toBeGreaterThan(IS_ENDURANCE ? POINTS / 3 : 0);
    },
    LONGEST_MS,
  );

  it(
    "during a deletion leaves rows and coverage consistent and other variables unchanged, and the deletion can be completed",
    async () => {
      let inTheMiddle = 0;
      const others = contentsOf(whole, STATIONS, ["ztd"]);
      const killed = await atManyPoints("forget", 20_261_125, async (folder) => {
        await restarted(folder, (cache) => {
          const found = STATIONS.map((id) => shareOf(cache, whole, id, "pwv"));
          if (found.some((f) => f !== found[0] || f === "part")) inTheMiddle++;
          expect(contentsOf(cache, STATIONS, ["ztd"])).toEqual(others);
          cache.forget(null, null, ["pwv"]);
          expect(cache.sizes().some((s) => s.bytes.pwv !== undefined)).toBe(false);
          expect(contentsOf(cache, STATIONS, ["ztd"])).toEqual(others);
        });
        expect(leftoversIn(folder)).toEqual([]);
      });
      expect(killed).toBeGreaterThan(IS_ENDURANCE ? POINTS / 3 : 0);
      expect(inTheMiddle).toBeGreaterThanOrEqual(LEAST_SEEN);
    },
    LONGEST_MS,
  );
});
