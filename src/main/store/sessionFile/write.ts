import { statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { setImmediate as otherTurns } from "node:timers/promises";
import { configure, Uint8ArrayReader, Writer, ZipWriter } from "@zip.js/zip.js/index-native.js";
import { writeReplacing } from "#formats/temporary.ts";
import type { Coverage, SeriesMode } from "#shared/series/rows.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import { type VariableKind, variableKind } from "#shared/service/variables.ts";
import { alignOutward, ceilToInterval, intersectRange, isEmpty, type TimeRange } from "#shared/time/range.ts";
import { intersect, type RangeSet, rangeSet } from "#shared/time/rangeset.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import { bucketMs, bucketStart } from "../chunks/bucket.ts";
import { encodeChunk } from "../chunks/chunk.ts";
import { dropAbsent } from "../chunks/rows.ts";
import { toStoreError } from "../errors.ts";
import { variablesOfKind } from "../tables/keys.ts";
import type { CacheReader, WorkPace } from "../types.ts";
import {
  chunkFrame,
  MANIFEST_NAME,
  partFrame,
  type SessionContents,
  type SessionManifest,
  type SessionPart,
  storedManifest,
  VIEWS_NAME,
} from "./form.ts";

configure({ useWebWorkers: false });

/** The part of a cache to share. */
export interface SessionParts {
  /** Ranges of each station. */
  readonly ranges: ReadonlyMap<string, RangeSet>;
  readonly kinds: readonly VariableKind[];
}

export interface SessionForecast {
  /** Stations with rows. */
  readonly stations: number;
  /** Approximate size. */
  readonly bytes: number;
}

/** What sharing reads of a cache. */
export type SharedCache = Pick<CacheReader, "catalogue" | "coverage" | "modesOf" | "blocks" | "sizes" | "countRows">;

/** Buckets of one entry: read at once, so that rows and coverage are of one moment. */
const BUCKETS_PER_PART = 64;
/** Size of a file without data, bytes. */
const EMPTY_BYTES = 2_000;
/** Size of the description of a column in one bucket, bytes. */
const COLUMN_HEAD_BYTES = 80;
/** Share of the progress until everything is written. */
const WRITTEN_SHARE = 0.9;

/** Estimates the size of a session file from coverage and stored sizes, without reading values. */
export function estimateSessionFile(cache: SharedCache, parts: SessionParts): SessionForecast {
  const stored = new Map(cache.sizes().map((size) => [size.stationId, size.bytes]));
  let [bytes, stations] = [0, 0];
  for (const [stationId, ranges] of parts.ranges) {
    let hasRows = false;
    for (const variable of parts.kinds.flatMap(variablesOfKind)) {
      let buckets = 0;
      let [shared, all] = [0, 0];
      for (const mode of cache.modesOf(stationId)) {
        const covered = coveredBy(cache.coverage(stationId, variable, mode));
        const within = intersect(covered, ranges);
        shared += durationOf(within);
        all += durationOf(covered);
        buckets += durationOf(within) / bucketMs(variableKind(variable), mode.intervalSeconds);
        hasRows ||= within.some(
          (range) => cache.countRows({ stationId, variables: [variable], range, ...mode }, 0) > 0,
        );
      }
      const own = stored.get(stationId)?.[variable] ?? 0;
      if (all > 0 && own > 0) bytes += (shared / all) * own + buckets * COLUMN_HEAD_BYTES;
    }
    if (hasRows) stations++;
  }
  return { stations, bytes: Math.round(EMPTY_BYTES + bytes) };
}

function coveredBy({ final, provisional }: Coverage): RangeSet {
  return rangeSet([...final, ...provisional.map(({ range }) => range)]);
}

function durationOf(ranges: RangeSet): number {
  return ranges.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
}

interface SharedContent {
  readonly manifest: SessionManifest;
  readonly parts: SessionParts;
}

/**
 * Writes a session file with a part of a cache, which may be written to meanwhile. The file gets its final name when it
 * is complete, and replaces an existing one.
 *
 * @throws StoreError, and what the signal throws; nothing is left of an unfinished file then
 */
export async function writeSessionFile(
  cache: SharedCache,
  target: string,
  content: SharedContent,
  pace: WorkPace,
): Promise<SessionContents & { readonly bytes: number }> {
  try {
    const counts = await writeReplacing(target, (unfinished) => fillFile(cache, unfinished, content, pace));
    pace.onProgress(1);
    return { ...counts, bytes: statSync(target).size };
  } catch (thrown) {
    if (pace.signal.aborted) throw thrown;
    throw toStoreError(target, thrown);
  }
}

/** Writes an archive to an open file. */
class FileWriter extends Writer<FileHandle> {
  readonly #file: FileHandle;

  constructor(file: FileHandle) {
    super();
    this.#file = file;
  }

  override async writeUint8Array(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) at += (await this.#file.write(bytes, at)).bytesWritten;
  }

  override getData(): Promise<FileHandle> {
    return Promise.resolve(this.#file);
  }
}

async function fillFile(
  cache: SharedCache,
  unfinished: string,
  { manifest: { views, ...about }, parts }: SharedContent,
  { onProgress, signal }: WorkPace,
): Promise<SessionContents> {
  await using file = await open(unfinished, "w", 0o600);
  const zip = new ZipWriter(new FileWriter(file), { level: 0, extendedTimestamp: false });
  const add = (name: string, blobs: readonly Uint8Array[]) => zip.add(name, new Uint8ArrayReader(Buffer.concat(blobs)));
  // Before the data: stations that were withdrawn meanwhile are still listed.
  const catalogue = sharedCatalogue(cache, parts);
  const all = partsIn(cache, parts);
  const stations = new Set<string>();
  let [written, rows] = [0, 0];
  for (const [i, place] of all.entries()) {
    signal.throwIfAborted();
    const part = readPart(cache, place);
    if (part === null) continue;
    stations.add(place[0]);
    rows += part.rows;
    await add(`data/${++written}`, part.frames);
    onProgress((i / all.length) * WRITTEN_SHARE);
    await otherTurns();
  }
  const contents: SessionContents = { stations: stations.size, parts: written, rows };
  if (views !== null) await add(VIEWS_NAME, [Buffer.from(views)]);
  // The reader demands the same, so a file that could not be opened is never written.
  const stored = storedManifest.parse({ ...about, contents, ...catalogue });
  await add(MANIFEST_NAME, [Buffer.from(JSON.stringify(stored))]);
  await zip.close();
  return contents;
}

type Place = readonly [stationId: string, mode: SeriesMode, kind: VariableKind, range: TimeRange];

/** Cuts the ranges of each station, mode and kind into the ranges of entries; means keep their whole intervals. */
function partsIn(cache: SharedCache, { ranges, kinds }: SessionParts): Place[] {
  const places: Place[] = [];
  for (const [stationId, own] of ranges) {
    for (const mode of cache.modesOf(stationId)) {
      for (const kind of kinds) {
        const lengthMs = BUCKETS_PER_PART * bucketMs(kind, mode.intervalSeconds);
        const coverage = variablesOfKind(kind).map((variable) => coveredBy(cache.coverage(stationId, variable, mode)));
        const covered = intersect(rangeSet(coverage.flat()), own);
        const whole = rangeSet(
          covered.map((range) => (mode.intervalSeconds === null ? range : alignOutward(range, mode.intervalSeconds))),
        );
        for (const { startMs, endMs } of whole)
          for (let at = bucketStart(startMs, lengthMs); at < endMs; at += lengthMs) {
            const part = { startMs: onGrid(at, mode), endMs: onGrid(at + lengthMs, mode) };
            const range = intersectRange({ startMs, endMs }, part);
            if (!isEmpty(range)) places.push([stationId, mode, kind, range]);
          }
      }
    }
  }
  return places;
}

function onGrid(ms: UtcMs, { intervalSeconds }: SeriesMode): UtcMs {
  return intervalSeconds === null ? ms : ceilToInterval(ms, intervalSeconds);
}

/** Reads an entry, without giving other work its turn. Returns null if the cache knows nothing of the range any more. */
function readPart(
  cache: SharedCache,
  [stationId, mode, kind, range]: Place,
): { readonly frames: readonly Uint8Array[]; readonly rows: number } | null {
  const variables = variablesOfKind(kind);
  // First the coverage: another process may only add rows meanwhile, and rows without coverage claim nothing.
  const coverage = variables.flatMap((variable) => {
    const { final, provisional } = cache.coverage(stationId, variable, mode);
    const cut = {
      final: intersect(rangeSet(final), [range]),
      provisional: provisional.flatMap(({ range: one, fetchedAtMs }) =>
        intersect([one], [range]).map((within) => ({ range: within, fetchedAtMs })),
      ),
    };
    return cut.final.length + cut.provisional.length === 0 ? [] : [{ variable, ...cut }];
  });
  const frames: Uint8Array[] = [];
  let rows = 0;
  for (const block of cache.blocks({ stationId, variables, range, ...mode })) {
    const chunk = encodeChunk(range.startMs, dropAbsent(block));
    frames.push(...chunkFrame(chunk));
    rows += chunk.rows;
  }
  if (coverage.length === 0 && rows === 0) return null;
  const { intervalSeconds, raw } = mode;
  const part: SessionPart = { stationId, intervalSeconds, raw, range, coverage };
  return { frames: [...partFrame(part), ...frames], rows };
}

/**
 * The stations of the parts and their networks, without what the service tells only to the organization that owns them
 * (specification 2.1): the mountpoint, and that it is the owner. Networks without these stations are private.
 *
 * @throws StoreError if a station with data is in no list
 */
function sharedCatalogue(cache: SharedCache, { ranges }: SessionParts) {
  const { stations, withdrawn, networks, fetchedAtMs } = cache.catalogue();
  const shared = (all: readonly CatalogueStation[]): CatalogueStation[] =>
    all.filter(({ id }) => ranges.has(id)).map((station) => ({ ...station, mountpoint: null }));
  const [listed, unlisted] = [shared(stations), shared(withdrawn)];
  const used = new Set([...listed, ...unlisted].map(({ networkId }) => networkId));
  return {
    stations: listed,
    withdrawn: unlisted,
    networks: networks.filter(({ id }) => used.has(id)).map((network) => ({ ...network, isOwner: false as const })),
    fetchedAtMs,
  };
}
