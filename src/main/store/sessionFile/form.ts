import { APPLICATION_ID } from "#shared/file/applicationId.ts";
import { createHash } from "node:crypto";
import Database from "better-sqlite3";
import { z } from "zod";
import { soundSteps } from "../maintenance/check.ts";
import { closedOnFailure, columnNamesOf, type Db, migrate, numberOf } from "../database/database.ts";
import { StoreError } from "../errors.ts";
import { CACHE_MIGRATIONS } from "../migrations/cache/index.ts";
import { makePrivate } from "../database/private.ts";
import { openTables } from "../tables/index.ts";

/** `PRAGMA application_id` of a shared session. */
export const SESSION_APPLICATION_ID = APPLICATION_ID.session;
/** Version of the manifest; the tables have the version of a cache. */
export const SESSION_VERSION = 1;

const counted = z.number().int().min(0);

/** The description of a session. Its author chose how much it tells. */
const sessionManifest = z.object({
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
  /** The views, in the form of a view file; null if there are none. */
  views: z.string().nullable(),
});

export type SessionManifest = z.output<typeof sessionManifest>;

const contents = z.object({
  stations: counted,
  networks: counted,
  sites: counted,
  chunks: counted,
  columns: counted,
  pyramids: counted,
  extents: counted,
  rows: counted,
});

/** Number of rows of each kind, so that missing data are noticed. */
export type SessionContents = z.output<typeof contents>;

/** A session that was read. */
export interface ReadSession {
  readonly manifest: SessionManifest;
  readonly contents: SessionContents;
}

export const sealed = z.object({ manifest: sessionManifest, contents, seal: z.string() });

/** Returns a checksum of what has none of its own: the manifest, the counts, and the stations. */
export function sealOf(db: Db, manifest: SessionManifest, counts: SessionContents): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([sessionManifest.parse(manifest), counts]));
  for (const table of ["station", "network", "catalogue"]) {
    const [key] = columnNamesOf(db, table);
    for (const row of db.prepare<[], unknown[]>(`SELECT * FROM ${table} ORDER BY ${key}`).raw().iterate())
      hash.update(JSON.stringify(row));
  }
  return hash.digest("hex");
}

export function countContents(db: Db): SessionContents {
  const one = (sql: string): number => numberOf(db, sql);
  return {
    stations: one("SELECT count(*) FROM station"),
    networks: one("SELECT count(*) FROM network"),
    sites: one("SELECT count(*) FROM site"),
    chunks: one("SELECT count(*) FROM chunk"),
    columns: one("SELECT count(*) FROM chunk_column"),
    pyramids: one("SELECT count(*) FROM pyramid"),
    extents: one("SELECT count(*) FROM extent"),
    rows: one("SELECT sum(n) FROM chunk"),
  };
}

/**
 * Creates a file with the tables of a cache of this version. It is not safe against a kill: it counts only when it is
 * complete.
 */
export function createFile(path: string, applicationId: number, version: number): Db {
  makePrivate(path);
  return closedOnFailure(new Database(path), (db) => {
    db.pragma("page_size = 8192");
    db.pragma("journal_mode = MEMORY");
    db.pragma("synchronous = OFF");
    migrate(db, CACHE_MIGRATIONS.slice(0, version), applicationId);
    return db;
  });
}

/** Decodes everything in a complete file, in small steps. @throws DamagedData */
export function* verifySteps(path: string, applicationId: number): Generator<number> {
  const db = new Database(path);
  try {
    migrate(db, CACHE_MIGRATIONS, applicationId);
    yield* soundSteps(db, openTables(db));
  } finally {
    db.close();
  }
}

export function damagedSession(path: string, name: string, cause: unknown): StoreError {
  const sentence = `${name}: This file is damaged or incomplete. Ask for it again; nothing was saved.`;
  return new StoreError("corrupt", path, sentence, cause);
}
