import { z } from "zod";
import { catalogueNetwork, catalogueStation } from "#shared/service/catalogue.ts";
import { VARIABLE_NAMES } from "#shared/service/variables.ts";
import { DamagedData, StoreError } from "../errors.ts";
import type { BucketChange } from "../tables/chunks.ts";
import type { ChunkKey } from "../tables/keys.ts";

/*
 * A session file is a zip archive without compression, so that no entry is longer than the file:
 *
 *   manifest.json   the description of the session, its stations and networks, and the counts of everything
 *   views.json      the views, in the form of a view file
 *   data/1 …        consecutive buckets of one station, kind and mode
 *
 * An entry with data is the length of its header (4 bytes, little-endian), the header as JSON, and the bytes of each bucket:
 * times, then for each column values and marks. The archive has a checksum of each entry.
 */

export const SESSION_VERSION = 1;
export const MANIFEST_NAME = "manifest.json";
export const VIEWS_NAME = "views.json";

const counted = z.number().int().min(0);
const moment = z.number().min(-8.64e15).max(8.64e15);
const time = moment.nullable();

/** As in the catalogue of a cache, without what only the owner of a network may know. */
const station = catalogueStation.extend({ mountpoint: z.null() });
const network = catalogueNetwork.extend({ isOwner: z.literal(false) });

const about = {
  version: z.literal(SESSION_VERSION),
  program: z.string().max(100),
  savedAtMs: z.number().int().min(-62_135_596_800_000).max(253_402_300_799_999),
  /** Name of the author; null if withheld. */
  author: z.string().max(100).nullable(),
  connectionName: z.string().max(200),
  /** Address of the service; null if withheld. */
  baseUrl: z.string().max(2_000).nullable(),
  /** Present if the data are those of the demo. */
  isSimulated: z.literal(true).optional(),
  /** Names of opened files that belong to the views, and are not in this file. */
  withoutFiles: z.array(z.string().max(1_000)).max(1_000),
};

/** The description of a session. Its author chose how much it tells. */
export interface SessionManifest extends z.output<z.ZodObject<typeof about>> {
  /** The views, in the form of a view file; null if there are none. */
  readonly views: string | null;
}

/** Number of things of each kind, so that missing data are noticed. */
export interface SessionContents {
  readonly stations: number;
  /** Entries with data. */
  readonly parts: number;
  readonly rows: number;
}

export const storedManifest = z.object({
  ...about,
  contents: z.object({ stations: counted, parts: counted, rows: counted }),
  stations: z.array(station),
  withdrawn: z.array(station),
  networks: z.array(network),
  fetchedAtMs: time,
});

export interface ReadSession {
  readonly manifest: SessionManifest;
  readonly contents: SessionContents;
}

/** Maximum rows of a bucket: a day of a receiver at 20 Hz. */
const MAX_BUCKET_ROWS = 2_000_000;

const variable = z.enum(VARIABLE_NAMES);

const partHeader = z.object({
  key: z.object({
    stationId: z.string().min(1).max(1_000),
    kind: z.enum(["scalar", "satellite"]),
    /** Seconds; 0 for every observation. */
    interval: counted,
    raw: z.literal([0, 1]),
  }),
  buckets: z.array(
    z.object({
      bucketMs: moment,
      rows: counted.max(MAX_BUCKET_ROWS),
      times: counted,
      columns: z.array(z.object({ variable, codec: z.string().max(40), data: counted, present: counted.nullable() })),
      extents: z.array(z.tuple([variable, z.array(z.object({ startMs: moment, endMs: moment, fetchedAtMs: time }))])),
    }),
  ),
});

/** Encodes an entry with data. */
export function encodePart(key: ChunkKey, changes: readonly BucketChange[]): Buffer {
  const header: z.input<typeof partHeader> = {
    key,
    buckets: changes.map(({ bucketMs, chunk, extents }) => ({
      bucketMs,
      rows: chunk?.rows ?? 0,
      times: chunk?.times.length ?? 0,
      columns: Array.from(chunk?.columns.values() ?? [], ({ variable: name, codec, data, present }) => ({
        variable: name,
        codec,
        data: data.length,
        present: present?.length ?? null,
      })),
      extents: Array.from(extents, ([name, own]) => [name, [...own]]),
    })),
  };
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  const blobs = changes.flatMap(({ chunk }) =>
    chunk
      ? [
          chunk.times,
          ...[...chunk.columns.values()].flatMap(({ data, present }) => (present ? [data, present] : [data])),
        ]
      : [],
  );
  return Buffer.concat([length, json, ...blobs]);
}

/** Reads an entry with data, whose contents prove nothing yet. @throws DamagedData, and errors of the schema */
export function decodePart(bytes: Buffer) {
  let at = 0;
  const take = (length: number): Buffer => {
    if (length > bytes.length - at) throw new DamagedData("an entry that ends early");
    at += length;
    return bytes.subarray(at - length, at);
  };
  const { key, buckets } = partHeader.parse(JSON.parse(take(take(4).readUInt32LE(0)).toString("utf8")));
  const read = buckets.map(({ times, columns, ...bucket }) => ({
    ...bucket,
    times: take(times),
    columns: columns.map(({ data, present, ...column }) => ({
      ...column,
      data: take(data),
      present: present === null ? null : take(present),
    })),
  }));
  if (at !== bytes.length) throw new DamagedData("an entry that is too long");
  return { key, buckets: read };
}

/** A bucket in an entry of a session file. */
export type SessionBucket = ReturnType<typeof decodePart>["buckets"][number];

export function damagedSession(path: string, name: string, cause: unknown): StoreError {
  const sentence = `${name}: This file is damaged or incomplete. Ask for it again; nothing was saved.`;
  return new StoreError("corrupt", path, sentence, cause);
}
