import { closeSync, copyFileSync, mkdirSync, openSync, statSync, writeSync } from "node:fs";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { type Cache, openCache } from "#main/store/index.ts";
import { salvageFile } from "#main/store/maintenance/salvage.ts";
import { SCALAR_VARIABLES, type Variable, VARIABLE_NAMES, variableKind } from "#shared/service/variables.ts";
import { DAY_MS } from "#shared/time/utc.ts";
import { damageOf } from "./damageOf.ts";
import { temporaryFolders } from "./folder.ts";
import { rowsAsModel, writeRows } from "./model.ts";
import { tries } from "../support/endurance.ts";

const folder = temporaryFolders();
const NATIVE = { intervalSeconds: null, raw: false } as const;
const DAYS = 12;
const RANGE = { startMs: 0, endMs: DAYS * DAY_MS };
const STATIONS = ["a", "b", "c"];
const PAGE_BYTES = 8_192;
const HOUR_MS = 3_600_000;

function filled(place: string): Cache {
  const cache = openCache(`${place}/cache.db`);
  for (const stationId of STATIONS) {
    const rows = Array.from({ length: DAYS * 24 }, (_, i) => ({
      stationId,
      timeMs: i * HOUR_MS,
      values: Object.fromEntries(
        VARIABLE_NAMES.map((v) => [v, variableKind(v) === "scalar" ? Math.sin(i * 7.1) * 2_000 : `${i % 30}.5,${i}`]),
      ),
    }));
    writeRows(cache, { stationIds: [stationId], variables: VARIABLE_NAMES, range: RANGE, ...NATIVE }, rows);
  }
  cache.pin(["b"], true);
  cache.setSetting("limits", "x");
  return cache;
}

const rowsOf = (cache: Cache, stationId: string, variable: Variable) =>
  rowsAsModel(stationId, cache.rows({ stationId, variables: [variable], range: RANGE, ...NATIVE }));

/** Checks that every covered row is unchanged, so that lost data is not a gap. @returns covered hours */
function demandTrue(cache: Cache, before: ReadonlyMap<string, ReturnType<typeof rowsOf>>): number {
  let covered = 0;
  for (const stationId of STATIONS) {
    for (const variable of VARIABLE_NAMES) {
      const { final } = cache.coverage(stationId, variable, NATIVE);
      const isCovered = ({ timeMs }: { readonly timeMs: number }) =>
        final.some((r) => timeMs >= r.startMs && timeMs < r.endMs);
      const expected = before.get(`${stationId} ${variable}`)!.filter(isCovered);
      const rows = rowsOf(cache, stationId, variable);
      expect(rows.filter(isCovered)).toEqual(expected);
      // Rows that may be incomplete are kept unchanged, and requested again.
      const sent = new Map(before.get(`${stationId} ${variable}`)!.map((row) => [row.timeMs, row]));
      for (const row of rows) expect(row).toEqual(sent.get(row.timeMs));
      covered += expected.length;
    }
  }
  expect(damageOf(cache.path)).toBeNull();
  return covered;
}

function all(cache: Cache): Map<string, ReturnType<typeof rowsOf>> {
  return new Map(STATIONS.flatMap((id) => VARIABLE_NAMES.map((v) => [`${id} ${v}`, rowsOf(cache, id, v)] as const)));
}

const EVERYTHING = STATIONS.length * VARIABLE_NAMES.length * DAYS * 24;

function salvaged(place: string) {
  const report = salvageFile(`${place}/cache.db`, `${place}/new.db`, {
    onProgress: () => {},
    throwIfStopped: () => {},
  });
  return { report, cache: openCache(`${place}/new.db`) };
}

test("salvage copies a sound file completely, with pins and limits", () => {
  const place = folder();
  const old = filled(place);
  const before = all(old);
  old.close();
  openCache(`${place}/new.db`).close();
  const { report, cache } = salvaged(place);
  expect(report.lostRows).toBe(0);
  expect(demandTrue(cache, before)).toBe(EVERYTHING);
  expect(
    cache
      .sizes()
      .filter((s) => s.isPinned)
      .map((s) => s.stationId),
  ).toEqual(["b"]);
  expect(cache.setting("limits")).toBe("x");
  cache.close();
});

test("salvage loses only a damaged chunk, which is requested again", () => {
  const place = folder();
  const old = filled(place);
  const before = all(old);
  old.close();
  const db = new Database(`${place}/cache.db`);
  db.exec(
    `UPDATE bucket_column SET data = zeroblob(10) WHERE id = (
       SELECT id FROM bucket_column WHERE variable = 'pwv' ORDER BY id LIMIT 1 OFFSET 3)`,
  );
  db.exec(`DELETE FROM bucket WHERE kind = 'satellite' AND station_id = 'b' AND bucket_ms = ${5 * DAY_MS}`);
  db.close();
  openCache(`${place}/new.db`).close();
  const { report, cache } = salvaged(place);
  const scalars = SCALAR_VARIABLES.length;
  const satellites = VARIABLE_NAMES.length - scalars;
  expect(demandTrue(cache, before)).toBe(EVERYTHING - scalars * 24 - satellites * 6);
  expect(report.lostRows).toBe(24);
  cache.close();
});

test("salvage after any overwritten page reports no lost data as a gap", () => {
  const place = folder();
  const old = filled(place);
  const before = all(old);
  old.close();
  const pages = statSync(`${place}/cache.db`).size / PAGE_BYTES;
  let kept = 0;
  let damaged = 0;
  for (let page = 0; page < pages; page += tries(9, 1)) {
    const copy = folder();
    mkdirSync(copy);
    copyFileSync(`${place}/cache.db`, `${copy}/cache.db`);
    const file = openSync(`${copy}/cache.db`, "r+");
    writeSync(file, Buffer.alloc(2_000, 0xa7), 0, 2_000, page * PAGE_BYTES + (page % 2 === 0 ? 0 : 3_000));
    closeSync(file);
    openCache(`${copy}/new.db`).close();
    const { cache } = salvaged(copy);
    kept += demandTrue(cache, before);
    damaged++;
    cache.close();
  }
  expect(kept / damaged / EVERYTHING).toBeGreaterThan(0.5);
});
