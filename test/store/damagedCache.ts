import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Cache, openCache, StoreError } from "#main/store/index.ts";
import type { SeriesMode, SeriesSelection } from "#shared/series/rows.ts";
import { stationSchema } from "#shared/service/catalogue.ts";
import { type Variable, variableKind } from "#shared/service/variables.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { damageOf } from "./damageOf.ts";
import { type ModelRow, rowsAsModel, writeRows } from "./model.ts";

export const NATIVE: SeriesMode = { intervalSeconds: null, raw: false };
export const START_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 1_800_000;
const VARIABLES: readonly Variable[] = ["ztd", "pwv", "el", "prn"];

/** The station list of each state; incompressible, so that it takes several pages. */
const CATALOGUES = Array.from({ length: 3 }, (_, moment) =>
  Array.from({ length: 150 }, (_, n) => ({
    ...stationSchema.parse({
      id: `station-${n + moment * 7}`,
      display_name: createHash("sha512").update(`${n} of ${moment}`).digest("base64"),
      network_id: "n",
    }),
    ellipsoidalHeight: 1,
    orthometricHeight: 2,
  })),
);

/** Values that depend only on station, time and revision. */
function rowAt(stationId: string, i: number, revision: number): ModelRow {
  const seed = [...stationId].reduce((sum, c) => sum + c.charCodeAt(0), 0);
  const ztd = 2_300 + seed + Math.round(300 * Math.sin(i / 100 + seed)) / 10 + revision / 100;
  const el = [20, 40, 60].map((base) => (base + (i % 20) + revision).toFixed(1)).join();
  return { stationId, timeMs: START_MS + i * STEP_MS, values: { ztd, pwv: (i + seed) % 40, el, prn: "G01,G02,R05" } };
}

const PER_DAY = DAY_MS / STEP_MS;

/** The first day, and the one after the last. */
type Days = readonly [from: number, to: number];

function fill(cache: Cache, stationId: string, [fromDay, toDay]: Days, revision: number): void {
  const range = { startMs: START_MS + fromDay * DAY_MS, endMs: START_MS + toDay * DAY_MS };
  const rows = Array.from({ length: (toDay - fromDay) * PER_DAY }, (_, i) =>
    rowAt(stationId, fromDay * PER_DAY + i, revision),
  );
  writeRows(cache, { stationIds: [stationId], variables: VARIABLES, range, ...NATIVE }, rows);
}

/** Revisions of the data of a day that the service may have sent, by station and day. */
const TRUTH = new Map<string, ReadonlySet<number>>();

function send(id: string, days: Days, revision: number, work: Cache): void {
  fill(work, id, days, revision);
  for (let [day, to] = days; day < to; day++) {
    const key = `${id} ${day}`;
    TRUTH.set(key, new Set([...(TRUTH.get(key) ?? []), revision]));
  }
}

/** Creates a cache whose stations are added, deleted, extended and revised. @returns the closed file at three states */
export function statesOfCache(folder: string): Buffer[] {
  const path = join(folder, "cache.db");
  const states: Buffer[] = [];
  const during = (work: (cache: Cache) => void): void => {
    const cache = openCache(path);
    work(cache);
    cache.replaceCatalogue(CATALOGUES[states.length]!, [], states.length);
    cache.close();
    states.push(readFileSync(path));
  };
  during((cache) => {
    cache.pin(["alpha"], true);
    for (const id of ["alpha", "beta", "gamma"]) send(id, [0, 12], 0, cache);
  });
  during((cache) => {
    send("alpha", [12, 20], 0, cache);
    send("beta", [4, 6], 1, cache);
    cache.forget(["gamma"], null);
    send("delta", [0, 12], 0, cache);
    const gap = { startMs: START_MS + 20 * DAY_MS, endMs: START_MS + 24 * DAY_MS };
    writeRows(cache, { stationIds: ["alpha"], variables: VARIABLES, range: gap, ...NATIVE }, []);
    cache.setSetting("limits", "second");
  });
  during((cache) => {
    send("alpha", [20, 22], 2, cache);
    send("epsilon", [0, 12], 0, cache);
    cache.forget(["beta"], { startMs: START_MS, endMs: START_MS + 2 * DAY_MS });
  });
  return states;
}

const STATION_IDS = ["alpha", "beta", "gamma", "delta", "epsilon"];

/** Days of each station in the last state that were sent only once. */
const LAST: Readonly<Record<string, readonly [from: number, to: number]>> = {
  alpha: [0, 22],
  beta: [2, 12],
  delta: [0, 12],
  epsilon: [0, 12],
};

/** One for each kind of data that is read for the first time. */
const MAX_PASSES = 4;

export interface Reading {
  readonly outcome: "intact" | "repaired" | "quarantined" | "refused";
  /** Number of covered, complete days of all stations. */
  readonly days: number;
}

/**
 * Reads everything in a file until nothing more is repaired. For any damage, each row must be one that the service sent
 * for that station and time, each covered day must have all its rows, and a list of stations is whole.
 */
export function readDamaged(path: string): Reading {
  let repaired = 0;
  for (let tries = 0; ; tries++) {
    try {
      const cache = openCache(path, { onRepaired: (damages) => void (repaired += damages.length) });
      try {
        // A pass that finds damage is followed by another one, up to one that reads everything as it is now.
        let days = 0;
        for (let before = -1, passes = 0; before !== repaired; passes++) {
          if (passes > MAX_PASSES) throw new Error("each pass finds more damage");
          before = repaired;
          days = readAll(cache, () => repaired);
        }
        if (cache.quarantined !== null) demandNew(cache, cache.quarantined);
        if (cache.quarantined !== null) return { outcome: "quarantined", days };
        return { outcome: repaired > 0 ? "repaired" : "intact", days };
      } finally {
        cache.close();
      }
    } catch (thrown) {
      if (!(thrown instanceof StoreError) || thrown.kind === "internal") throw thrown;
      // The header of another program or of a newer version.
      if (thrown.kind === "foreign" || thrown.kind === "newer") return { outcome: "refused", days: 0 };
      if (thrown.kind !== "corrupt" || tries > 1) throw thrown;
    }
  }
}

/** A damaged file was moved away; in its place is an empty one that works. */
function demandNew(cache: Cache, quarantined: string): void {
  expect(existsSync(quarantined)).toBe(true);
  expect(cache.statistics()).toMatchObject({ rows: 0, stations: 0 });
  fill(cache, "alpha", [0, 1], 0);
  expect(damageOf(cache.path)).toBeNull();
}

function readAll(cache: Cache, repaired: () => number): number {
  const { stations, fetchedAtMs } = cache.catalogue();
  expect(stations).toEqual(fetchedAtMs === null ? [] : CATALOGUES[fetchedAtMs]);
  for (const station of stations.slice(0, 9)) expect(cache.station(station.id)).toEqual(station);
  const range = { startMs: START_MS - 30 * DAY_MS, endMs: START_MS + 60 * DAY_MS };
  let days = 0;
  const all = cache.coverages(NATIVE, VARIABLES, range);
  const before = repaired();
  for (const stationId of STATION_IDS) {
    const selection = { stationId, range, ...NATIVE };
    for (const variables of [
      ["ztd", "pwv"],
      ["el", "prn"],
    ] as const) {
      const atRows = repaired();
      const rows = rowsAsModel(stationId, cache.rows({ ...selection, variables }));
      const byTime = new Map(rows.map((row) => [row.timeMs, row]));
      for (const row of rows) demandTrue(row);
      for (const variable of variables) {
        const coverage = cache.coverage(stationId, variable, NATIVE);
        // A list of all series may lack one whose key is damaged, which then counts as not downloaded; it never has more.
        const listed = all.get(stationId)?.[variable]?.final ?? [];
        if (repaired() === before) expect([[], coverage.final]).toContainEqual(listed);
        expect(coverage.provisional).toEqual([]);
        const [first, end] = LAST[stationId] ?? [0, 0];
        for (let day = 0; day < 30; day++) {
          const startMs = START_MS + day * DAY_MS;
          const endMs = startMs + DAY_MS;
          if (!coverage.final.some((r) => r.startMs <= startMs && endMs <= r.endMs)) continue;
          const held = Array.from({ length: PER_DAY }, (_, i) => byTime.get(startMs + i * STEP_MS)).filter(
            (row) => row?.values[variable] !== undefined,
          ).length;
          const wasSent = TRUTH.has(`${stationId} ${day}`);
          // Days 20 and 21 of alpha were empty once, so a complete file of that state may show them as empty.
          const mayBeEmpty = stationId === "alpha" && day >= 20;
          if (held !== PER_DAY && (wasSent ? !(mayBeEmpty && held === 0) : held !== 0))
            throw new Error(`a false gap: ${stationId} ${variable} day ${day} has ${held} rows`);
          if (day >= first && day < end && held === PER_DAY) days++;
        }
        // A repair in between removes rows that were read before.
        const isSameState = (): boolean => repaired() === atRows;
        if (isSameState() && variableKind(variable) === "scalar")
          demandDerived(cache, { ...selection, variables: [variable] }, rows, isSameState);
      }
    }
  }
  return days;
}

/** Checks that derived data agree with the rows, unless the rows were damaged and are removed by now. */
function demandDerived(
  cache: Cache,
  selection: SeriesSelection,
  rows: readonly ModelRow[],
  isSameState: () => boolean,
): void {
  const variable = selection.variables[0]!;
  const values = rows.filter((row) => typeof row.values[variable] === "number").length;
  const { values: counted } = cache.countBins(selection, DAY_MS);
  if (!isSameState()) return;
  expect(counted.reduce((sum, n) => sum + n, 0)).toBe(values);
  const { min, max } = cache.decimate(selection, 1, false)[variable]!;
  if (values === 0 || !isSameState()) return;
  const held = rows.map((row) => row.values[variable]).filter((value) => typeof value === "number");
  // Summaries are stored in single precision.
  expect(min[0]).toBeCloseTo(Math.min(...held), 2);
  expect(max[0]).toBeCloseTo(Math.max(...held), 2);
}

function demandTrue(row: ModelRow): void {
  const day = Math.floor((row.timeMs - START_MS) / DAY_MS);
  const i = (row.timeMs - START_MS) / STEP_MS;
  const revisions = [...(TRUTH.get(`${row.stationId} ${day}`) ?? [])];
  const isTrue = revisions.some((revision) => {
    const sent = rowAt(row.stationId, i, revision).values;
    return Object.entries(row.values).every(([v, value]) => sent[v as Variable] === value);
  });
  if (!isTrue) throw new Error(`a row that was never sent: ${JSON.stringify(row)}`);
}
