import { statSync } from "node:fs";
import Database from "better-sqlite3";
import { writeReplacing } from "#formats/temporary.ts";
import { isVariable, type VariableKind, variableKind } from "#shared/service/variables.ts";
import { intersect, type RangeSet, rangeSet } from "#shared/time/rangeset.ts";
import { bucketMs, bucketStart } from "../chunks/bucket.ts";
import type { Db } from "../database/database.ts";
import { DamagedData, StoreError, toStoreError } from "../errors.ts";
import { NO_COVERAGE } from "../chunks/coverage.ts";
import { CACHE_MIGRATIONS } from "../migrations/cache/index.ts";
import { rebuildRegister } from "../maintenance/rebuildRegister.ts";
import { openTables, type Tables } from "../tables/index.ts";
import { SESSION_TABLE } from "./expectedSchema.ts";
import {
  countContents,
  createFile,
  SESSION_APPLICATION_ID,
  type SessionContents,
  type SessionManifest,
  sealOf,
  verifySteps,
} from "./form.ts";
import { type Pace, takeSteps } from "./steps.ts";
import { CHUNK_TABLES, isKind, type SliceKey, type SlicedTable, transferBetween } from "./transfer.ts";

/** Which data of a cache go along. */
export interface SessionParts {
  /** Ranges of each station, grown to whole chunks. */
  readonly ranges: ReadonlyMap<string, RangeSet>;
  readonly kinds: readonly VariableKind[];
}

export interface SessionForecast {
  readonly stations: number;
  readonly chunks: number;
  /** About. */
  readonly bytes: number;
}

/** What a file takes beside its blobs: tables and indices, even where it is empty. */
const EMPTY_BYTES = 140_000;
/** Pyramids, times and keys beside a byte of values, where nothing better is known. */
const COPIED_SHARE = 0.7;

/** How large the file would be, from what the cache counts anyway: no blob is read. */
export function estimateSessionFile(cachePath: string, parts: SessionParts): SessionForecast {
  return reading(cachePath, (db) => {
    const tables = openTables(db);
    const number = (sql: string): number => Number(db.prepare(sql).pluck().get() ?? 0);
    const pragma = (name: string): number => Number(db.pragma(name, { simple: true }));
    const used = (pragma("page_count") - pragma("freelist_count")) * pragma("page_size");
    const all = number("SELECT sum(bytes) FROM size");
    const overhead = all === 0 ? 1 : Math.max(1, (used - EMPTY_BYTES) / all);
    const sizes = new Map(
      db
        .prepare<[], { site: number; variable: string; bytes: number }>("SELECT site, variable, bytes FROM size")
        .all()
        .map(({ site, variable, bytes }) => [`${site} ${variable}`, bytes]),
    );
    const held = db
      .prepare<[number, string], number>("SELECT count(*) FROM chunk_column WHERE site = ? AND variable = ?")
      .pluck();
    const within = db
      .prepare<unknown[], number>(
        `SELECT count(*) FROM chunk_column WHERE site = ? AND variable = ? AND interval_seconds = ? AND raw = ?
           AND bucket_ms >= ? AND bucket_ms < ?`,
      )
      .pluck();
    let [chunks, bytes, stations] = [0, 0, 0];
    for (const { site, ranges } of sitesOf(tables, parts)) {
      let own = 0;
      for (const { of, key, buckets } of slicesOf(db, site, ranges, parts.kinds)) {
        if (of.table !== "chunk_column") continue;
        const { name, interval, raw } = key;
        const n = buckets.reduce((sum, r) => sum + within.get(site, name, interval, raw, r.startMs, r.endMs)!, 0);
        own += n;
        bytes += (n / Math.max(1, held.get(site, name)!)) * (sizes.get(`${site} ${name}`) ?? 0);
      }
      chunks += own;
      if (own > 0) stations++;
    }
    return { stations, chunks, bytes: Math.round(EMPTY_BYTES + bytes * overhead) };
  });
}

/**
 * Writes a file with a part of a cache, as it is at one moment: streamed, checked as a whole, and under its final name
 * only then. A file of that name is replaced; the cache may be written to meanwhile.
 *
 * @throws StoreError, and what the signal throws; nothing is left of an unfinished file then
 */
export async function writeSessionFile(
  cachePath: string,
  target: string,
  manifest: SessionManifest,
  parts: SessionParts,
  pace: Pace,
): Promise<SessionContents & { readonly bytes: number }> {
  try {
    const counts = await writeReplacing(target, (unfinished) => fillFile(cachePath, unfinished, manifest, parts, pace));
    pace.onProgress(1);
    return { ...counts, bytes: statSync(target).size };
  } catch (thrown) {
    if (pace.signal.aborted) throw thrown;
    if (!(thrown instanceof DamagedData)) throw toStoreError(target, thrown);
    const said =
      `${cachePath}: What should go into the file is damaged (${thrown.message}). Nothing was written. Check the cache ` +
      "in the storage room, then try again.";
    throw new StoreError("corrupt", cachePath, said, thrown);
  }
}

/** @param unfinished an empty file */
async function fillFile(
  cachePath: string,
  unfinished: string,
  manifest: SessionManifest,
  parts: SessionParts,
  pace: Pace,
): Promise<SessionContents> {
  const { chunks: total } = estimateSessionFile(cachePath, parts);
  const from = new Database(cachePath, { readonly: true });
  let counts: SessionContents;
  try {
    const to = createFile(unfinished, SESSION_APPLICATION_ID, CACHE_MIGRATIONS.length);
    try {
      // One moment of the cache: rows of it never come without their extents.
      from.exec("BEGIN");
      await takeSteps(copyParts(from, to, parts), to, { from: 0, to: COPIED_SHARE, total }, pace);
      rebuildRegister(to);
      counts = countContents(to);
      to.exec(SESSION_TABLE);
      const content = { manifest, contents: counts, seal: sealOf(to, manifest, counts) };
      to.prepare<[string]>("INSERT INTO session VALUES (?)").run(JSON.stringify(content));
    } finally {
      to.close();
    }
  } finally {
    from.close();
  }
  const verify = { from: COPIED_SHARE, to: 1, total: counts.chunks };
  await takeSteps(verifySteps(unfinished, SESSION_APPLICATION_ID), null, verify, pace);
  return counts;
}

function reading<T>(path: string, work: (db: Db) => T): T {
  const db = new Database(path, { readonly: true });
  try {
    return work(db);
  } catch (thrown) {
    throw toStoreError(path, thrown);
  } finally {
    db.close();
  }
}

function* copyParts(from: Db, to: Db, parts: SessionParts): Generator<number> {
  const [source, target] = [openTables(from), openTables(to)];
  const transfer = transferBetween(from, to);
  transfer.rows("catalogue");
  for (const stationId of parts.ranges.keys()) transfer.rows("station", "station_id = ?", stationId);
  // Only the networks of these stations: which others there are is nobody else's business.
  const networks = to.prepare<[], string>("SELECT DISTINCT network_id FROM station").pluck().all();
  for (const id of networks) transfer.rows("network", "network_id = ?", id);
  yield 0;
  for (const { site, stationId, ranges } of sitesOf(source, parts)) {
    transfer.rows("site", "station_id = ?", stationId);
    for (const { of, key, buckets } of slicesOf(from, site, ranges, parts.kinds)) {
      for (const n of transfer.slices(of, key, buckets)) yield of.table === "chunk_column" ? n : 0;
    }
    for (const series of source.extents.series(site)) {
      const kind = variableKind(series.variable);
      if (!parts.kinds.includes(kind)) continue;
      const within = wholeBuckets(ranges, kind, series.interval);
      const { final, provisional } = source.extents.read(series);
      const cut = {
        final: intersect(rangeSet(final), within),
        provisional: provisional.flatMap(({ range, fetchedAtMs }) =>
          intersect([range], within).map((part) => ({ range: part, fetchedAtMs })),
        ),
      };
      target.extents.replace(series, NO_COVERAGE, cut);
    }
    yield 0;
  }
}

function sitesOf(tables: Tables, { ranges }: SessionParts) {
  return tables.sites.all().flatMap(({ site, stationId }) => {
    const own = ranges.get(stationId);
    return own && own.length > 0 ? [{ site, stationId, ranges: own }] : [];
  });
}

function* slicesOf(
  db: Db,
  site: number,
  ranges: RangeSet,
  kinds: readonly VariableKind[],
): Generator<{ readonly of: SlicedTable; readonly key: SliceKey; readonly buckets: RangeSet }> {
  for (const of of CHUNK_TABLES) {
    const keys = db
      .prepare<[number], SliceKey>(
        `SELECT DISTINCT site, ${of.name} AS name, interval_seconds AS interval, raw FROM ${of.table} WHERE site = ?`,
      )
      .all(site);
    for (const key of keys) {
      const kind = kindOf(key.name);
      if (kind !== null && kinds.includes(kind)) yield { of, key, buckets: wholeBuckets(ranges, kind, key.interval) };
    }
  }
}

function kindOf(name: string): VariableKind | null {
  if (isKind(name)) return name;
  return isVariable(name) ? variableKind(name) : null;
}

/** The ranges grown to whole chunks: what is asked and what is there stay together without a chunk being cut. */
function wholeBuckets(ranges: RangeSet, kind: VariableKind, interval: number): RangeSet {
  const lengthMs = bucketMs(kind, interval === 0 ? null : interval);
  return rangeSet(
    ranges.map(({ startMs, endMs }) => ({
      startMs: bucketStart(startMs, lengthMs),
      endMs: bucketStart(endMs + lengthMs - 1, lengthMs),
    })),
  );
}
