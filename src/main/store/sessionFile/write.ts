import { statSync } from "node:fs";
import Database from "better-sqlite3";
import { writeReplacing } from "#formats/temporary.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { type VariableKind, variableKind } from "#shared/service/variables.ts";
import { intersect, type RangeSet, rangeSet } from "#shared/time/rangeset.ts";
import { bucketStart } from "../chunks/bucket.ts";
import { type Db, numberOf, usedBytesOf, withDatabase } from "../database/database.ts";
import { DamagedData, StoreError, toStoreError } from "../errors.ts";
import { NO_COVERAGE } from "../chunks/coverage.ts";
import { CACHE_MIGRATIONS } from "../migrations/cache/index.ts";
import { rebuildRegister } from "../maintenance/rebuildRegister.ts";
import { openTables, type Tables } from "../tables/index.ts";
import { bucketLength } from "../tables/keys.ts";
import { SESSION_TABLE } from "./schemaPages.ts";
import {
  countContents,
  createFile,
  SESSION_APPLICATION_ID,
  type SessionContents,
  type SessionManifest,
  sealOf,
  verifySteps,
} from "./form.ts";
import { runSteps } from "./steps.ts";
import type { WorkPace } from "../types.ts";
import { CHUNK_TABLES, kindOf, type SliceKey, sliceKeys, type SlicedTable, transferBetween } from "./transfer.ts";

/** The part of a cache to share. */
export interface SessionParts {
  /** Ranges of each station, to be extended to whole chunks. */
  readonly ranges: ReadonlyMap<string, RangeSet>;
  readonly kinds: readonly VariableKind[];
}

export interface SessionForecast {
  readonly stations: number;
  readonly chunks: number;
  /** Approximate size. */
  readonly bytes: number;
}

/** Size of a file without data: tables and indices. */
const EMPTY_BYTES = 140_000;
/** Share of the progress until everything is copied. */
const COPIED_SHARE = 0.7;

/** Estimates the size of a session file from stored counts, without reading blobs. */
export function estimateSessionFile(cachePath: string, parts: SessionParts): SessionForecast {
  const estimate = (db: Db): SessionForecast => {
    const tables = openTables(db);
    const blobBytes = numberOf(db, "SELECT sum(bytes) FROM size");
    const overhead = blobBytes === 0 ? 1 : Math.max(1, (usedBytesOf(db) - EMPTY_BYTES) / blobBytes);
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
        const count = buckets.reduce(
          (sum, { startMs, endMs }) => sum + (within.get(site, name, interval, raw, startMs, endMs) ?? 0),
          0,
        );
        own += count;
        bytes += (count / Math.max(1, held.get(site, name) ?? 0)) * (sizes.get(`${site} ${name}`) ?? 0);
      }
      chunks += own;
      if (own > 0) stations++;
    }
    return { stations, chunks, bytes: Math.round(EMPTY_BYTES + bytes * overhead) };
  };
  try {
    return withDatabase(new Database(cachePath, { readonly: true }), estimate);
  } catch (thrown) {
    throw toStoreError(cachePath, thrown);
  }
}

/**
 * Writes a session file with a snapshot of a part of a cache. The file is verified before it gets its final name, and
 * replaces an existing one. The cache may be written to meanwhile.
 *
 * @throws StoreError, and what the signal throws; nothing is left of an unfinished file then
 */
export async function writeSessionFile(
  cachePath: string,
  target: string,
  manifest: SessionManifest,
  parts: SessionParts,
  pace: WorkPace,
): Promise<SessionContents & { readonly bytes: number }> {
  try {
    const counts = await writeReplacing(target, (unfinished) => fillFile(cachePath, unfinished, manifest, parts, pace));
    pace.onProgress(1);
    return { ...counts, bytes: statSync(target).size };
  } catch (thrown) {
    if (pace.signal.aborted) throw thrown;
    if (!(thrown instanceof DamagedData)) throw toStoreError(target, thrown);
    const sentence =
      `${cachePath}: What should go into the file is damaged (${thrown.message}). Nothing was written. Check the cache ` +
      "under Storage, then try again.";
    throw new StoreError("corrupt", cachePath, sentence, thrown);
  }
}

/** @param unfinished an empty file */
async function fillFile(
  cachePath: string,
  unfinished: string,
  manifest: SessionManifest,
  parts: SessionParts,
  pace: WorkPace,
): Promise<SessionContents> {
  const { chunks: total } = estimateSessionFile(cachePath, parts);
  const from = new Database(cachePath, { readonly: true });
  let counts: SessionContents;
  try {
    const to = createFile(unfinished, SESSION_APPLICATION_ID, CACHE_MIGRATIONS.length);
    try {
      // Read one snapshot of the cache, so that rows never come without their extents.
      from.exec("BEGIN");
      await runSteps(copyParts(from, to, parts), to, { from: 0, to: COPIED_SHARE, total }, pace);
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
  await runSteps(verifySteps(unfinished, SESSION_APPLICATION_ID), null, verify, pace);
  return counts;
}

function* copyParts(from: Db, to: Db, parts: SessionParts): Generator<number> {
  const [source, target] = [openTables(from), openTables(to)];
  const transfer = transferBetween(from, to);
  copyCatalogue(from, source, target, parts);
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

/**
 * Copies the stations of the parts and their networks, without what the service tells only to the organization that owns
 * them (specification 2.1): the mountpoint, and that it is the owner.
 */
function copyCatalogue(from: Db, source: Tables, target: Tables, { ranges }: SessionParts): void {
  const { stations, withdrawn, networks, fetchedAtMs } = source.catalogue.read();
  const shared = (all: readonly CatalogueStation[]): CatalogueStation[] =>
    all.filter(({ id }) => ranges.has(id)).map((station) => ({ ...station, mountpoint: null }));
  const [listed, unlisted] = [shared(stations), shared(withdrawn)];
  const known = new Set([...listed, ...unlisted].map(({ id }) => id));
  const stored = from.prepare<[string], number>(
    "SELECT 1 FROM station JOIN site USING (station_id) WHERE station_id = ?",
  );
  for (const id of ranges.keys())
    if (!known.has(id) && stored.get(id) !== undefined) throw new DamagedData("the list of stations");
  // Only the networks of these stations: others are private.
  const used = new Set([...listed, ...unlisted].map(({ networkId }) => networkId));
  const ofThese = networks.filter(({ id }) => used.has(id)).map((network) => ({ ...network, isOwner: false }));
  target.catalogue.replace(listed, ofThese, fetchedAtMs ?? 0, unlisted);
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
    for (const key of sliceKeys(db, of, site)) {
      const kind = kindOf(key);
      if (kind !== null && kinds.includes(kind)) yield { of, key, buckets: wholeBuckets(ranges, kind, key.interval) };
    }
  }
}

/** Extends the ranges to whole chunks, so that extents and rows stay together without cutting a chunk. */
function wholeBuckets(ranges: RangeSet, kind: VariableKind, interval: number): RangeSet {
  const lengthMs = bucketLength({ kind, interval });
  return rangeSet(
    ranges.map(({ startMs, endMs }) => ({
      startMs: bucketStart(startMs, lengthMs),
      endMs: bucketStart(endMs + lengthMs - 1, lengthMs),
    })),
  );
}
