import { variableKind } from "#shared/service/variables.ts";
import { variablesOfKind } from "./answer/commit.ts";
import { checkPages } from "./damage.ts";
import type { Db } from "./database.ts";
import { DamagedData } from "./errors.ts";
import type { Tables } from "./tables/index.ts";
import type { ChunkKey } from "./tables/keys.ts";

const ALWAYS = { startMs: -9e15, endMs: 9e15 };

/**
 * Decodes every chunk, pyramid and extent once.
 *
 * @throws DamagedData at the first thing that is not as it was written
 */
export function checkEverything(db: Db, tables: Tables): void {
  for (const _ of checkSteps(db, tables)) continue;
}

/** The same in small steps, so that others have their turn between two of them. @throws DamagedData */
export function* checkSteps(db: Db, tables: Tables): Generator<void> {
  checkPages(db);
  yield;
  const keysOf = db.prepare<[number], ChunkKey>(
    "SELECT DISTINCT site, kind, interval_seconds AS interval, raw FROM chunk WHERE site = ?",
  );
  let columns = 0;
  for (const { site } of tables.sites.all()) {
    for (const key of keysOf.all(site)) {
      const variables = variablesOfKind(key.kind);
      for (const head of tables.chunks.heads(key, ALWAYS)) {
        tables.chunks.read(key, head.bucketMs, head.variables);
        columns += head.variables.length;
        yield;
      }
      for (const variable of variables) {
        if (variableKind(variable) === "scalar") tables.chunks.pyramids({ ...key, variable }, ALWAYS);
      }
    }
    for (const series of tables.extents.series(site)) tables.extents.read(series);
  }
  const all = db.prepare<[], number>("SELECT count(*) FROM chunk_column").pluck().get();
  if (columns !== all) throw new DamagedData("columns without a chunk");
}
