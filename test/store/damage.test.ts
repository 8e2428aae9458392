import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { openCache, StoreError } from "#main/store/index.ts";
import type { Cache } from "#main/store/types.ts";
import type { SeriesMode } from "#shared/series/rows.ts";
import { VARIABLE_NAMES } from "#shared/service/variables.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { SOUND, UNSEEN } from "../support/pace.ts";
import { TEST_START_MS } from "./arbitraries.ts";
import { damageOf } from "./damageOf.ts";
import { temporaryFolders } from "./folder.ts";
import { type ModelRow, rowsAsModel, writeRows } from "./model.ts";

const folder = temporaryFolders();
const NATIVE: SeriesMode = { intervalSeconds: null, raw: false };
const STEP_MS = 300_000;
const ROWS = 3_000;
const RANGE = { startMs: TEST_START_MS, endMs: TEST_START_MS + ROWS * STEP_MS };
const VARIABLES = ["ztd", "pwv", "el", "prn"] as const;
const STATIONS = ["a", "b"];

function rowAt(stationId: string, i: number): ModelRow {
  const el = [20, 40, 60].map((base) => (base + Math.sin(i / 50 + base)).toFixed(1)).join();
  const ztd = stationId === "a" ? Math.round(24_000 + 300 * Math.sin(i / 100)) / 10 : 2_400 + Math.sin(i);
  return { stationId, timeMs: TEST_START_MS + i * STEP_MS, values: { ztd, pwv: i % 4, el, prn: "G01,G02,R05" } };
}

const ALL_ROWS = STATIONS.flatMap((stationId) => Array.from({ length: ROWS }, (_, i) => rowAt(stationId, i)));

/** A cleanly closed cache with rows of two stations. */
function soundCache(): string {
  const path = join(folder(), "cache.db");
  const cache = openCache(path);
  writeRows(cache, { stationIds: STATIONS, variables: VARIABLES, range: RANGE, ...NATIVE }, ALL_ROWS);
  cache.close();
  return path;
}

function allRows(cache: Cache): ModelRow[] {
  return STATIONS.flatMap((stationId) =>
    rowsAsModel(
      stationId,
      cache.rows({
        stationId,
        variables: VARIABLE_NAMES.filter((v) => v !== "az" && v !== "snr" && v !== "ztd_sigma"),
        range: RANGE,
        ...NATIVE,
      }),
    ),
  );
}

type Reading = "intact" | "incomplete" | "quarantined";

/**
 * Returns the outcome of opening the file: the original rows, some of them and their coverage, or a report that they
 * are lost. Throws for other rows.
 */
function readFile(path: string): Reading {
  try {
    return readOnce(path);
  } catch (thrown) {
    // Damage found while reading is reported with a message, and the file is quarantined at the next opening.
    if (!(thrown instanceof StoreError) || thrown.kind !== "corrupt") throw thrown;
    demand(thrown.message.includes("damaged"), thrown.message);
    const next = readOnce(path);
    demand(next === "quarantined", "damage outlived its discovery");
    return next;
  }
}

function readOnce(path: string): Reading {
  const cache = openCache(path);
  try {
    // The first pass finds the damage, the second reads what is left.
    allRows(cache);
    const coverage = STATIONS.flatMap((s) => VARIABLES.map((v) => cache.coverage(s, v, NATIVE)));
    const rows = allRows(cache);
    if (cache.quarantined === null) {
      const held = new Map(rows.map((row) => [`${row.stationId} ${row.timeMs}`, row.values]));
      let lost = 0;
      for (const { stationId, timeMs, values } of ALL_ROWS)
        for (const variable of VARIABLES) {
          const value = held.get(`${stationId} ${timeMs}`)?.[variable];
          const { final } = coverage[STATIONS.indexOf(stationId) * VARIABLES.length + VARIABLES.indexOf(variable)]!;
          demand(value === undefined || value === values[variable], "another value");
          demand(final.some((r) => timeMs >= r.startMs && timeMs < r.endMs) === (value !== undefined), "a false gap");
          if (value === undefined) lost++;
        }
      demand(rows.length <= ALL_ROWS.length, "more rows than were written");
      return lost === 0 ? "intact" : "incomplete";
    }
    demand(existsSync(cache.quarantined), "the damaged file is gone");
    demand(rows.length === 0 && coverage.every(({ final }) => final.length === 0), "a new cache that is not empty");
    writeRows(cache, { stationIds: ["a"], variables: ["ztd"], range: RANGE, ...NATIVE }, ALL_ROWS.slice(0, 5));
    demand(damageOf(path) === null, "a new cache that does not work");
    return "quarantined";
  } finally {
    cache.close();
  }
}

function demand(condition: boolean, complaint: string): void {
  if (!condition) throw new Error(complaint);
}

function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

describe("a damaged cache", () => {
  test("loses only the bucket of a page that was cut", () => {
    const path = soundCache();
    truncateSync(path, readFileSync(path).length - 100);
    expect(readFile(path)).toBe("incomplete");
    const cache = openCache(path);
    const covered = STATIONS.flatMap((s) => VARIABLES.flatMap((v) => cache.coverage(s, v, NATIVE).final));
    cache.close();
    const coveredMs = covered.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
    const all = STATIONS.length * VARIABLES.length * (RANGE.endMs - RANGE.startMs);
    // The two variables of a kind are in one bucket.
    expect(all - coveredMs).toBeLessThanOrEqual(2 * DAY_MS);
  });

  test.each([
    ["truncated in the middle", (path: string, size: number) => truncateSync(path, Math.floor(size / 2))],
    ["a zeroed header", (path: string) => overwrite(path, 0, new Uint8Array(100))],
    ["another kind of file", (path: string) => writeFileSync(path, "<html>not a database</html>".repeat(500))],
  ])("is quarantined with its path and replaced by an empty cache: %s", (_, harm) => {
    const path = soundCache();
    harm(path, readFileSync(path).length);
    expect(readFile(path)).toBe("quarantined");
    expect(readdirSync(dirname(path)).some((name) => name.startsWith("cache.db.damaged-"))).toBe(true);
  });

  test("is reported by the check if its structure is broken, and quarantined at the next opening", async () => {
    const path = soundCache();
    const db = new Database(path);
    const page = Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'pyramid'").pluck().get());
    db.close();
    overwrite(path, (page - 1) * 8_192, new Uint8Array(8_192));
    const reports: string[] = [];
    const cache = openCache(path, { onDamage: (message) => void reports.push(message) });
    expect((await cache.check(UNSEEN)).structure).not.toBeNull();
    expect(reports).toEqual([expect.stringContaining("The cache is damaged")]);
    cache.close();
    const next = openCache(path);
    expect(next.quarantined).not.toBeNull();
    next.close();
  });

  test("is used if the file is sound, and the mark of a failed read is removed", () => {
    const path = soundCache();
    writeFileSync(`${path}-damaged`, "SqliteError: database disk image is malformed\n");
    const met = [readFile(path)];
    expect(met).toEqual(["intact"]);
    expect(existsSync(`${path}-damaged`)).toBe(false);
  });

  test("loses whole responses only without its log", () => {
    const path = soundCache();
    const cache = openCache(path);
    const later = { startMs: RANGE.endMs, endMs: RANGE.endMs + 10 };
    writeRows(cache, { stationIds: ["a"], variables: ["ztd"], range: later, ...NATIVE }, []);
    // Only the file, like after a kill and the loss of the log.
    const copy = join(folder(), "cache.db");
    cpSync(dirname(path), dirname(copy), { recursive: true });
    rmSync(`${copy}-wal`);
    rmSync(`${copy}-shm`);
    cache.close();
    expect(readFile(copy)).toBe("intact");
    const reopened = openCache(path);
    expect(reopened.coverage("a", "ztd", NATIVE).final).toEqual([{ startMs: RANGE.startMs, endMs: later.endMs }]);
    reopened.close();
  });

  test("is found by the check even if SQLite cannot detect it, and the repair removes only that day", async () => {
    const path = soundCache();
    const db = new Database(path);
    db.exec("UPDATE bucket_column SET data = zeroblob(length(data)) WHERE id = 2");
    db.close();
    const cache = openCache(path);
    const { damages, structure } = await cache.check(UNSEEN);
    expect(structure).toBeNull();
    expect(damages).toMatchObject([{ stationId: "a", intervalSeconds: null, raw: false }]);
    const bad = damages[0]!.range;
    expect([bad.endMs - bad.startMs, damages[0]!.variables]).toEqual([DAY_MS, ["ztd", "pwv"]]);
    expect(await cache.repair(UNSEEN)).toEqual({ damages, structure: null });
    expect(await cache.check(UNSEEN)).toEqual(SOUND);
    const isBad = ({ timeMs }: { readonly timeMs: number }) => timeMs >= bad.startMs && timeMs < bad.endMs;
    const expected = ALL_ROWS.map((row) =>
      row.stationId === "a" && isBad(row) ? { ...row, values: { el: row.values.el!, prn: row.values.prn! } } : row,
    );
    expect(allRows(cache).map(({ values }) => values)).toEqual(expected.map(({ values }) => ({ ...values })));
    const left = cache.coverage("a", "pwv", NATIVE).final;
    expect(left.some((r) => r.startMs < bad.endMs && bad.startMs < r.endMs)).toBe(false);
    expect(cache.coverage("a", "el", NATIVE).final).toEqual([RANGE]);
    cache.close();
  });
});

describe("a file that cannot be opened", () => {
  test("because of a newer version is rejected with a message and unchanged", () => {
    const path = soundCache();
    const db = new Database(path);
    db.pragma("user_version = 99");
    db.exec("CREATE TABLE more (x)");
    db.close();
    const before = readFileSync(path);
    expect(() => openCache(path)).toThrow("newer version of Zenith Desk");
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test.each(["user_version = 99", "user_version = -1", "application_id = 7"])(
    "is none with a number of the header that its tables contradict: %s",
    async (number) => {
      const path = soundCache();
      const db = new Database(path);
      db.pragma(number);
      db.close();
      expect(readFile(path)).toBe("intact");
      const cache = openCache(path);
      expect(await cache.check(UNSEEN)).toEqual(SOUND);
      expect(await cache.repair(UNSEEN)).toEqual(SOUND);
      cache.close();
    },
  );

  test("because of another program is rejected with a message and unchanged", () => {
    const path = join(folder(), "cache.db");
    openCache(path).close();
    rmSync(path);
    const db = new Database(path);
    db.exec("CREATE TABLE theirs (x)");
    db.close();
    const before = readFileSync(path);
    expect(() => openCache(path)).toThrow("belongs to another program");
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("because of an impossible path is rejected with a message", () => {
    const path = join(folder(), "cache.db");
    openCache(path).close();
    expect(() => openCache(join(path, "below", "a.db"))).toThrow(StoreError);
    expect(() => openCache(dirname(path))).toThrow(StoreError);
  });
});

describe("two programs on one cache", () => {
  test("merge their writes row by row", () => {
    const path = join(folder(), "cache.db");
    const window = openCache(path);
    const commandLine = openCache(path);
    const rows = ALL_ROWS.slice(0, 600);
    for (let i = 0; i < rows.length; i += 50) {
      const range = { startMs: rows[i]!.timeMs, endMs: rows[i]!.timeMs + 50 * STEP_MS };
      const scope = { stationIds: ["a"], variables: VARIABLES, range, ...NATIVE };
      writeRows(i % 100 === 0 ? window : commandLine, scope, rows.slice(i, i + 50));
    }
    expect(allRows(window)).toEqual(rows);
    expect(allRows(commandLine)).toEqual(rows);
    expect(window.coverage("a", "el", NATIVE).final.length).toBe(1);
    window.close();
    expect(allRows(commandLine)).toEqual(rows);
    commandLine.close();
  });

  test("a reader between two blocks neither blocks writers nor is blocked", () => {
    const path = soundCache();
    const cache = openCache(path);
    const selection = { stationId: "a", variables: ["ztd"] as const, range: RANGE, ...NATIVE };
    let rows = 0;
    for (const block of cache.blocks(selection)) {
      rows += block.timesMs.length;
      cache.setSetting("seen", String(rows));
    }
    expect(rows).toBe(ROWS);
    cache.close();
  });
});
