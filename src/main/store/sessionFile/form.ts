import { z } from "zod";
import type { Coverage, SeriesMode } from "#shared/series/rows.ts";
import type { CatalogueStation, Network } from "#shared/service/catalogue.ts";
import { VARIABLE_NAMES } from "#shared/service/variables.ts";
import type { TimeRange } from "#shared/time/range.ts";
import type { EncodedChunk } from "../chunks/chunk.ts";
import { DamagedData, StoreError } from "../errors.ts";

/*
 * A session file is a zip archive without compression, so that no entry is longer than the file:
 *
 *   manifest.json   the description of the session, its stations and networks, and the counts of everything
 *   views.json      the views, in the form of a view file
 *   data/1 …        a part of one station in one mode, as frames: its coverage, then its chunks
 *
 * A frame is the length of its header (4 bytes, little-endian), the header as JSON, and for a chunk the bytes of its times
 * and of each column: values, then marks. The archive has a checksum of each entry.
 */

export const SESSION_VERSION = 1;
export const MANIFEST_NAME = "manifest.json";
export const VIEWS_NAME = "views.json";

const counted = z.number().int().min(0);
const moment = z.number().min(-8.64e15).max(8.64e15);
const time = moment.nullable();
const text = z.string().max(2_000);
const number = z.number().nullable();

/** As in the catalogue of a cache. */
const station: z.ZodType<CatalogueStation> = z.object({
  id: z.string().min(1).max(1_000),
  displayName: text,
  mountpoint: z.null(),
  sourceType: text,
  historicDataFromMs: time,
  resolutionSeconds: z.number(),
  locationAlias: text,
  countryCode: text,
  latitudeDeg: number,
  longitudeDeg: number,
  height: number,
  heightReference: text,
  ellipsoidalHeight: number,
  orthometricHeight: number,
  dataLastUpdatedMs: time,
  hasNeverSent: z.boolean(),
  networkId: text,
  networkCode: text,
  createdAtMs: time,
  updatedAtMs: time,
});

const network: z.ZodType<Network> = z.object({
  id: z.string().min(1).max(1_000),
  code: text,
  name: text,
  isOwner: z.literal(false),
  visibility: text.nullable(),
  isInternal: z.boolean().nullable(),
  createdAtMs: time,
  updatedAtMs: time,
});

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

/** A session that was read. */
export interface ReadSession {
  readonly manifest: SessionManifest;
  readonly contents: SessionContents;
}

const span = z.object({ startMs: moment, endMs: moment }).refine(({ startMs, endMs }) => startMs < endMs);
const variable = z.enum(VARIABLE_NAMES);

const partHeader = z.object({
  stationId: z.string().min(1).max(1_000),
  intervalSeconds: z.number().int().positive().nullable(),
  raw: z.boolean(),
  range: span,
  coverage: z.array(
    z.object({
      variable,
      final: z.array(span),
      provisional: z.array(z.object({ range: span, fetchedAtMs: moment })),
    }),
  ),
});

/** What a cache knows of a range of one station in one mode. */
export interface SessionPart extends SeriesMode {
  readonly stationId: string;
  readonly range: TimeRange;
  readonly coverage: readonly ({ readonly variable: (typeof VARIABLE_NAMES)[number] } & Coverage)[];
}

/** Maximum rows of a chunk: a day of a receiver at 20 Hz. */
const MAX_CHUNK_ROWS = 2_000_000;

const chunkHeader = z.object({
  rows: counted.min(1).max(MAX_CHUNK_ROWS),
  times: counted,
  columns: z.array(
    z.object({ variable, codec: z.string().max(40), count: counted, data: counted, present: counted.nullable() }),
  ),
});

/** The parts of a chunk that are needed to decode it. */
export type SessionChunk = Pick<EncodedChunk, "rows" | "times"> & {
  readonly columns: readonly Pick<
    EncodedChunk["columns"][number],
    "variable" | "codec" | "count" | "data" | "present"
  >[];
};

export function partFrame(part: SessionPart): Uint8Array[] {
  return frame(part);
}

export function chunkFrame({ rows, times, columns }: SessionChunk): Uint8Array[] {
  const header = {
    rows,
    times: times.length,
    columns: columns.map(({ variable: name, codec, count, data, present }) => ({
      variable: name,
      codec,
      count,
      data: data.length,
      present: present?.length ?? null,
    })),
  };
  return [...frame(header), times, ...columns.flatMap(({ data, present }) => (present ? [data, present] : [data]))];
}

/** Reads the frames of an entry. @throws DamagedData, and errors of the schemas */
export function readFrames(bytes: Buffer): { readonly part: SessionPart; readonly chunks: readonly SessionChunk[] } {
  let at = 0;
  const take = (length: number): Buffer => {
    if (length > bytes.length - at) throw new DamagedData("an entry that ends early");
    at += length;
    return bytes.subarray(at - length, at);
  };
  const header = (): unknown => JSON.parse(take(take(4).readUInt32LE(0)).toString("utf8"));
  const part = partHeader.parse(header());
  const chunks: SessionChunk[] = [];
  while (at < bytes.length) {
    const { rows, times, columns } = chunkHeader.parse(header());
    chunks.push({
      rows,
      times: take(times),
      columns: columns.map((column) => ({
        ...column,
        data: take(column.data),
        present: column.present === null ? null : take(column.present),
      })),
    });
  }
  return { part, chunks };
}

function frame(header: object): Uint8Array[] {
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return [length, json];
}

export function damagedSession(path: string, name: string, cause: unknown): StoreError {
  const sentence = `${name}: This file is damaged or incomplete. Ask for it again; nothing was saved.`;
  return new StoreError("corrupt", path, sentence, cause);
}
