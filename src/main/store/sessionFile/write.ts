import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import { setImmediate as otherTurns } from "node:timers/promises";
import { writeReplacing } from "#formats/temporary.ts";
import type { CatalogueStation } from "#shared/service/catalogue.ts";
import type { VariableKind } from "#shared/service/variables.ts";
import type { RangeSet } from "#shared/time/rangeset.ts";
import type { Cache } from "../cache/cache.ts";
import { toStoreError } from "../errors.ts";
import type { WorkPace } from "../types.ts";
import {
  encodePart,
  MANIFEST_NAME,
  type SessionContents,
  type SessionManifest,
  storedManifest,
  VIEWS_NAME,
} from "./form.ts";

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
type SharedCache = Pick<Cache, "catalogue" | "copies" | "sizeOfCopies">;

/** Size of a file without data, bytes. */
const EMPTY_BYTES = 2_000;
/** Size of the description of a column and its coverage in one bucket, bytes. */
const COLUMN_HEAD_BYTES = 150;
/** Share of the progress until everything is written. */
const WRITTEN_SHARE = 0.9;

/** Estimates the size of a session file from bucket rows, without reading values. */
export function estimateSessionFile(cache: SharedCache, { ranges, kinds }: SessionParts): SessionForecast {
  let [bytes, stations] = [EMPTY_BYTES, 0];
  for (const [stationId, own] of ranges) {
    const size = cache.sizeOfCopies(stationId, kinds, own);
    bytes += size.bytes + size.columns * COLUMN_HEAD_BYTES;
    if (size.hasRows) stations++;
  }
  return { stations, bytes: Math.round(bytes) };
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

async function fillFile(
  cache: SharedCache,
  unfinished: string,
  { manifest: { views, ...about }, parts }: SharedContent,
  { onProgress, signal }: WorkPace,
): Promise<SessionContents> {
  const { configure, Uint8ArrayReader, ZipWriter } = await import("@zip.js/zip.js/index-native.js");
  configure({ useWebWorkers: false });
  await using file = await open(unfinished, "w", 0o600);
  const stream = new WritableStream<Uint8Array>({ write: (bytes) => file.writeFile(bytes) });
  const zip = new ZipWriter(stream, { level: 0, extendedTimestamp: false });
  const add = (name: string, bytes: Uint8Array) => zip.add(name, new Uint8ArrayReader(bytes));
  // Before the data: stations that were withdrawn meanwhile are still listed.
  const catalogue = sharedCatalogue(cache, parts);
  const stations = new Set<string>();
  let [written, rows, done] = [0, 0, 0];
  for (const [stationId, ranges] of parts.ranges) {
    for (const { key, changes, share } of cache.copies(stationId, parts.kinds, ranges)) {
      signal.throwIfAborted();
      stations.add(stationId);
      rows = changes.reduce((sum, { chunk }) => sum + (chunk?.rows ?? 0), rows);
      await add(`data/${++written}`, encodePart(key, changes));
      onProgress(((done + share) / parts.ranges.size) * WRITTEN_SHARE);
      await otherTurns();
    }
    done++;
  }
  const contents: SessionContents = { stations: stations.size, parts: written, rows };
  if (views !== null) await add(VIEWS_NAME, Buffer.from(views));
  // The reader demands the same, so a file that could not be opened is never written.
  const stored = storedManifest.parse({ ...about, contents, ...catalogue });
  await add(MANIFEST_NAME, Buffer.from(JSON.stringify(stored)));
  await zip.close();
  return contents;
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
