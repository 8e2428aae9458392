import Database from "better-sqlite3";
import { variableKind } from "#shared/service/variables.ts";
import { variablesOfKind } from "./answer/commit.ts";
import { decodeChunk, type StoredChunk } from "./chunk.ts";
import { checkPages } from "./damage.ts";
import type { Db } from "./database.ts";
import { DamagedData } from "./errors.ts";
import { soundTables, type Tables } from "./tables/index.ts";
import type { ChunkKey } from "./tables/keys.ts";
import type { ThreadPace } from "./thread/messages.ts";

const ALWAYS = { startMs: -9e15, endMs: 9e15 };

/**
 * Decodes everything in a cache file once, as it is at one moment: others may write to it meanwhile. To be run in a
 * thread: a look at all pages is one piece.
 *
 * @throws DamagedData at the first thing that is not as it was written, Stopped, and whatever SQLite throws
 */
export function checkFile(path: string, { onProgress, demandGoOn }: ThreadPace): void {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    db.exec("BEGIN");
    const tables = soundTables(db);
    const total = db.prepare<[], number>("SELECT coalesce(sum(bytes), 0) FROM size").pluck().get()!;
    let done = 0;
    for (const bytes of checkSteps(db, tables)) {
      demandGoOn();
      done += bytes;
      onProgress(Math.min(1, done / Math.max(1, total)));
    }
  } finally {
    db.close();
  }
}

/**
 * Decodes every chunk, pyramid and extent once, in small steps but for the first, which looks at all pages. Each step
 * gives the bytes of the values that it decoded.
 *
 * @throws DamagedData at the first thing that is not as it was written
 */
export function* checkSteps(db: Db, tables: Tables): Generator<number> {
  checkPages(db);
  yield 0;
  const keysOf = db.prepare<[number], ChunkKey>(
    "SELECT DISTINCT site, kind, interval_seconds AS interval, raw FROM chunk WHERE site = ?",
  );
  let columns = 0;
  for (const { site } of tables.sites.all()) {
    for (const key of keysOf.all(site)) {
      const variables = variablesOfKind(key.kind);
      for (const head of tables.heads.read(key, ALWAYS)) {
        const chunk = tables.chunks.stored(key, head.bucketMs, head.variables);
        if (chunk === null) throw new DamagedData("a chunk that is lost");
        decodeChunk(chunk, head.variables);
        columns += head.variables.length;
        yield bytesOf(chunk);
      }
      for (const variable of variables) {
        if (variableKind(variable) === "scalar") tables.pyramids.read({ ...key, variable }, ALWAYS);
      }
    }
    for (const series of tables.extents.series(site)) tables.extents.read(series);
  }
  const all = db.prepare<[], number>("SELECT count(*) FROM chunk_column").pluck().get();
  if (columns !== all) throw new DamagedData("columns without a chunk");
}

function bytesOf({ columns }: StoredChunk): number {
  return [...columns.values()].reduce((sum, { data, present }) => sum + data.length + (present?.length ?? 0), 0);
}
