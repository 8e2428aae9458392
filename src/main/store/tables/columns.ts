import { defined } from "#shared/defined.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import type { EncodedColumn, StoredColumn } from "../chunks/chunk.ts";
import type { Db } from "../database/database.ts";
import type { BucketRow, ColumnEntry } from "./bucketRow.ts";
import { assertChecksum, checksum, type ChunkKey, DamagedSeries, keyText } from "./keys.ts";

export interface ColumnOfBucket extends StoredColumn {
  readonly row: BucketRow;
}

interface Stored {
  readonly id: number;
  readonly codec: string;
  readonly present: Uint8Array | null;
  readonly data: Uint8Array;
}

/** Columns per statement: enough to cost little more than one, and few enough for constant memory. */
const PER_STATEMENT = 64;

/** The values of one variable in each bucket, as bucket rows name them. No method opens a transaction. */
export function columnTable(db: Db) {
  const selectMany = db.prepare<[string], Stored>(
    `SELECT c.id, codec, present, data FROM json_each(?) AS wanted CROSS JOIN bucket_column AS c ON c.id = wanted.value`,
  );
  const selectOne = db.prepare<[number], Stored>("SELECT id, codec, present, data FROM bucket_column WHERE id = ?");
  const insert = db.prepare<unknown[]>("INSERT INTO bucket_column VALUES (NULL,?,?,?,?)");
  const update = db.prepare<unknown[]>(
    "UPDATE bucket_column SET variable = ?, codec = ?, present = ?, data = ? WHERE id = ?",
  );
  const deleteColumn = db.prepare<[number]>("DELETE FROM bucket_column WHERE id = ?");

  const verified = (key: ChunkKey, variable: Variable, row: BucketRow, stored: Stored | undefined): StoredColumn => {
    const { checksum: sum } = defined(row.column(variable));
    if (!stored) throw new DamagedSeries(key, "a bucket that lost a column");
    assertChecksum(key, sum, columnChecksum(key, row.bucketMs, { ...stored, variable }));
    const { codec, present, data } = stored;
    return { variable, codec, present, data };
  };
  return {
    /** Reads the columns of these rows that have one, in their order. @throws DamagedData */
    *read(key: ChunkKey, variable: Variable, rows: readonly BucketRow[]): Generator<ColumnOfBucket> {
      const held = rows.filter((row) => row.has(variable));
      for (let from = 0; from < held.length; from += PER_STATEMENT) {
        const part = held.slice(from, from + PER_STATEMENT);
        const entries = part.map((row) => defined(row.column(variable)));
        const found = selectMany.all(JSON.stringify(entries.map(({ id }) => id)));
        for (const [i, row] of part.entries()) {
          const entry = defined(entries[i]);
          const stored = found[i]?.id === entry.id ? found[i] : undefined;
          yield { row, ...verified(key, variable, row, stored) };
        }
      }
    },
    /** @returns null if the row has no column of the variable @throws DamagedData */
    find(key: ChunkKey, variable: Variable, row: BucketRow): StoredColumn | null {
      const entry = row.column(variable);
      return entry && verified(key, variable, row, selectOne.get(entry.id));
    },
    /** @param id a column that it replaces, or null */
    write(key: ChunkKey, bucketMs: UtcMs, column: EncodedColumn, id: number | null): Omit<ColumnEntry, "pyramid"> {
      const { variable, codec, present, data, count } = column;
      const values = [variable, codec, present, data];
      const isReplaced = id !== null && update.run(...values, id).changes > 0;
      return {
        id: isReplaced ? id : Number(insert.run(...values).lastInsertRowid),
        checksum: columnChecksum(key, bucketMs, column),
        count,
        isWhole: present === null,
        bytes: data.length + (present?.length ?? 0),
      };
    },
    remove: (id: number) => void deleteColumn.run(id),
  };
}

function columnChecksum(key: ChunkKey, bucketMs: UtcMs, { variable, codec, present, data }: StoredColumn): number {
  return checksum([keyText(key), bucketMs, variable, codec, present?.length ?? "whole"], present, data);
}
