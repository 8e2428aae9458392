import { defined } from "#shared/defined.ts";
import type { Pyramid } from "#shared/series/pyramid.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { Db } from "../database/database.ts";
import { decodePyramids } from "../pyramid/pyramid.ts";
import type { BucketValue } from "../read/bucketCache.ts";
import type { BucketRow } from "./bucketRow.ts";
import { assertChecksum, checksum, type ChunkKey, DamagedSeries, keyText } from "./keys.ts";

/** Pyramids, joined, and their lengths in bytes, separated by commas. */
interface Joined {
  readonly data: Uint8Array | null;
  readonly lengths: string | null;
}

/** The pyramids of columns, by their id. No method opens a transaction. */
export function pyramidTable(db: Db) {
  // Returning a row for each bucket would take longer than all further work.
  const joined = db.prepare<[string], Joined>(
    `SELECT CAST(group_concat(data, '') AS BLOB) AS data, group_concat(length(data)) AS lengths
     FROM json_each(?) AS wanted CROSS JOIN pyramid ON pyramid.id = wanted.value`,
  );
  const insert = db.prepare<[number, Uint8Array]>("INSERT OR REPLACE INTO pyramid VALUES (?,?)");
  const deletePyramid = db.prepare<[number]>("DELETE FROM pyramid WHERE id = ?");
  return {
    /** Reads the pyramids of a variable in these rows. @throws DamagedData */
    read(key: ChunkKey, variable: Variable, rows: readonly BucketRow[]): BucketValue<Pyramid>[] {
      const held = rows.filter((row) => row.has(variable));
      if (held.length === 0) return [];
      const entries = held.map((row) => defined(row.column(variable)));
      const found = joined.get(JSON.stringify(entries.map(({ id }) => id)));
      const data = found?.data ?? new Uint8Array(0);
      const lengths = found?.lengths?.split(",").map(Number) ?? [];
      if (lengths.length !== held.length) throw new DamagedSeries(key, "a column that lost its pyramid");
      let at = 0;
      for (const [i, row] of held.entries()) {
        const end = at + defined(lengths[i]);
        assertChecksum(
          key,
          defined(entries[i]).pyramid,
          pyramidChecksum(key, row.bucketMs, variable, data.subarray(at, end)),
        );
        at = end;
      }
      const values = decodePyramids(data, lengths);
      return held.map(({ bucketMs }, i) => ({ bucketMs, value: defined(values[i]) }));
    },
    /** @param encoded output of `encodePyramid` */
    write: (id: number, encoded: Uint8Array) => void insert.run(id, encoded),
    checksumOf: pyramidChecksum,
    remove: (id: number) => void deletePyramid.run(id),
  };
}

function pyramidChecksum(key: ChunkKey, bucketMs: UtcMs, variable: Variable, encoded: Uint8Array): number {
  return checksum([keyText(key), bucketMs, variable, "pyramid"], encoded);
}
