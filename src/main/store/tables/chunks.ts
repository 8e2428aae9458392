import type { SeriesRows } from "#shared/series/rows.ts";
import type { Variable } from "#shared/service/variables.ts";
import type { UtcMs } from "#shared/time/utc.ts";
import {
  decodeChunk,
  type EncodedChunk,
  type EncodedColumn,
  keyVariables,
  type StoredChunk,
  type StoredColumn,
} from "../chunk.ts";
import { DamagedData } from "../errors.ts";
import type { ColumnTable } from "./columns.ts";
import type { HeadTable } from "./heads.ts";
import type { ChunkKey } from "./keys.ts";
import type { Memories } from "./memories.ts";
import type { PyramidTable } from "./pyramids.ts";

/** Whole chunks: a head, a column for each variable, and its pyramid. Nothing here opens a transaction. */
export interface ChunkTable {
  /** Rows of the chunk with those of the variables that it holds; null where there is none. */
  read(key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): SeriesRows | null;
  /** The same before it is decoded, with the columns by which others are. */
  stored(key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): StoredChunk | null;
  /** Puts the chunks in the place of what is stored for their buckets. Returns the bytes of their blobs. */
  write(key: ChunkKey, chunks: readonly EncodedChunk[], variables: readonly Variable[]): number;
  remove(key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): void;
  /** Removes some variables of a chunk whose rows all stay: nothing of the others is read. `left` are those that stay. */
  strip(key: ChunkKey, bucketMs: UtcMs, gone: readonly Variable[], left: readonly Variable[]): void;
}

export interface ChunkParts {
  readonly heads: HeadTable;
  readonly columns: ColumnTable;
  readonly pyramids: PyramidTable;
  readonly memories: Memories;
}

export function chunkTable({ heads, columns, pyramids, memories }: ChunkParts): ChunkTable {
  const stored = (key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): StoredChunk | null => {
    const head = heads.find(key, bucketMs);
    if (!head) return null;
    const found = new Map<Variable, StoredColumn>();
    for (const variable of new Set([...variables, ...keyVariables(variables)])) {
      if (!head.variables.includes(variable)) continue;
      const column = columns.find({ ...key, variable }, bucketMs);
      if (!column) throw new DamagedData("a chunk that lost a column");
      found.set(variable, column);
    }
    return { rows: head.rows, times: head.times, columns: found };
  };

  const writeColumn = (key: ChunkKey, bucketMs: UtcMs, column: EncodedColumn): number => {
    const series = { ...key, variable: column.variable };
    columns.write(series, bucketMs, column);
    if (column.pyramid !== null) pyramids.write(series, bucketMs, column.pyramid);
    return column.data.length + (column.pyramid?.length ?? 0) + (column.present?.length ?? 0);
  };

  const removeColumn = (key: ChunkKey, bucketMs: UtcMs, variable: Variable): void => {
    columns.remove({ ...key, variable }, bucketMs);
    pyramids.remove({ ...key, variable }, bucketMs);
  };

  return {
    stored,
    read(key, bucketMs, variables) {
      const chunk = stored(key, bucketMs, variables);
      return chunk && decodeChunk(chunk, variables);
    },
    write(key, chunks, variables) {
      let bytes = 0;
      memories.forget(key, variables);
      for (const chunk of chunks) {
        heads.write(key, { ...chunk, variables: chunk.columns.map((column) => column.variable) });
        bytes += chunk.times.length;
      }
      // Variable by variable, so that the blobs of one series lie one after the other in the file.
      for (const variable of variables) {
        for (const chunk of chunks) {
          const column = chunk.columns.find((c) => c.variable === variable);
          if (column) bytes += writeColumn(key, chunk.bucketMs, column);
          else removeColumn(key, chunk.bucketMs, variable);
        }
      }
      return bytes;
    },
    remove(key, bucketMs, variables) {
      memories.forget(key, variables);
      heads.remove(key, bucketMs);
      for (const variable of variables) removeColumn(key, bucketMs, variable);
    },
    strip(key, bucketMs, gone, left) {
      memories.forget(key, gone);
      const head = heads.find(key, bucketMs);
      if (!head) throw new DamagedData("a chunk that is lost");
      heads.rename(key, head, left);
      for (const variable of gone) removeColumn(key, bucketMs, variable);
    },
  };
}
