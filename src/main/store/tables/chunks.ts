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
} from "../chunks/chunk.ts";
import { DamagedData } from "../errors.ts";
import type { ColumnTable } from "./columns.ts";
import { assertColumnChecksum, type HeadTable, type SealedHead } from "./heads.ts";
import type { ChunkKey } from "./keys.ts";
import type { PyramidTable, ReadCache } from "./pyramids.ts";
import { type CountedChunk, NUMBERS_PER_PART } from "./periodTotals.ts";
import type { RegisterTable } from "./register.ts";

/** Whole chunks: a head, a column for each variable, and its pyramid. No method opens a transaction. */
export interface ChunkTable {
  /** Reads the rows of a chunk, with those of the variables that it has; null if there is no chunk. */
  read(key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): SeriesRows | null;
  /** Like `read`, without decoding; includes the columns that decoding needs. */
  stored(key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): StoredChunk | null;
  /** Reads a chunk whose head is sound, without the register. @throws DamagedData */
  readUnverified(key: ChunkKey, head: SealedHead, variables: readonly Variable[]): SeriesRows;
  /** Returns what the register counts of a chunk. @throws DamagedData if a column is lost */
  counted(key: ChunkKey, head: SealedHead): CountedChunk;
  /** Replaces the chunks of their buckets. Returns the bytes of the blobs written. */
  write(key: ChunkKey, chunks: readonly EncodedChunk[], variables: readonly Variable[]): number;
  remove(key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): void;
  /**
   * Removes some variables of a chunk whose rows all stay, without reading the others. `left` are the remaining
   * variables.
   */
  strip(key: ChunkKey, bucketMs: UtcMs, removed: readonly Variable[], left: readonly Variable[]): void;
}

interface ChunkParts {
  readonly heads: HeadTable;
  readonly columns: ColumnTable;
  readonly pyramids: PyramidTable;
  readonly readCache: ReadCache;
  readonly register: RegisterTable;
}

export function chunkTable({ heads, columns, pyramids, readCache, register }: ChunkParts): ChunkTable {
  const stored = (key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): StoredChunk | null => {
    heads.verifyHeads(key, { startMs: bucketMs, endMs: bucketMs + 1 });
    const head = heads.find(key, bucketMs);
    return head && columnsOf(key, head, variables);
  };

  const columnsOf = (key: ChunkKey, head: SealedHead, variables: readonly Variable[]): StoredChunk => {
    const { bucketMs } = head;
    const found = new Map<Variable, StoredColumn>();
    for (const variable of new Set([...variables, ...keyVariables(variables)])) {
      if (!head.variables.includes(variable)) continue;
      const column = columns.find({ ...key, variable }, bucketMs);
      if (!column) throw new DamagedData("a chunk that lost a column");
      assertColumnChecksum(head, variable, column.checksum);
      found.set(variable, column);
    }
    return { rows: head.rows, times: head.times, columns: found };
  };

  const writeColumn = (key: ChunkKey, bucketMs: UtcMs, column: EncodedColumn): readonly number[] => {
    const series = { ...key, variable: column.variable };
    const sum = columns.write(series, bucketMs, column);
    return [sum, column.pyramid === null ? 0 : pyramids.write(series, bucketMs, column.pyramid), column.count];
  };

  /** Returns the parts of a chunk; in the previous format, those of its columns. */
  const partsOf = (key: ChunkKey, { bucketMs, variables, parts }: SealedHead): Uint32Array =>
    parts ??
    Uint32Array.from(
      variables.flatMap((variable) => {
        const column = columns.find({ ...key, variable }, bucketMs);
        if (!column) throw new DamagedData("a chunk that lost a column");
        return [column.checksum, pyramids.seal({ ...key, variable }, bucketMs)?.checksum ?? 0, column.count];
      }),
    );

  const countedOf = (key: ChunkKey, head: SealedHead): CountedChunk => ({ ...head, parts: partsOf(key, head) });

  const removeColumn = (key: ChunkKey, bucketMs: UtcMs, variable: Variable): void => {
    columns.remove({ ...key, variable }, bucketMs);
    pyramids.remove({ ...key, variable }, bucketMs);
  };

  return {
    stored,
    counted: countedOf,
    readUnverified: (key, head, variables) => decodeChunk(columnsOf(key, head, variables), variables),
    read(key, bucketMs, variables) {
      const chunk = stored(key, bucketMs, variables);
      return chunk && decodeChunk(chunk, variables);
    },
    write(key, chunks, variables) {
      let bytes = 0;
      readCache.forget(key, variables);
      const old = chunks.flatMap(({ bucketMs }) => heads.find(key, bucketMs) ?? []).map((head) => countedOf(key, head));
      const held = new Map(old.map((chunk) => [chunk.bucketMs, chunk.variables]));
      const written = chunks.map((chunk) => ({
        chunk,
        parts: new Uint32Array(chunk.columns.length * NUMBERS_PER_PART),
      }));
      // Variable by variable, so that the blobs of a series are adjacent in the file.
      for (const variable of variables) {
        for (const { chunk, parts } of written) {
          const { bucketMs, columns: own } = chunk;
          const at = own.findIndex((c) => c.variable === variable);
          const column = own[at];
          if (column) {
            parts.set(writeColumn(key, bucketMs, column), at * NUMBERS_PER_PART);
            bytes += column.data.length + (column.pyramid?.length ?? 0) + (column.present?.length ?? 0);
          } else if (held.get(bucketMs)?.includes(variable)) removeColumn(key, bucketMs, variable);
        }
      }
      const fresh = written.map(({ chunk, parts }): CountedChunk => {
        const head = { ...chunk, variables: chunk.columns.map((column) => column.variable), parts };
        bytes += chunk.times.length;
        return { ...head, checksum: heads.write(key, head) };
      });
      register.changeChunks(key, old, fresh);
      return bytes;
    },
    remove(key, bucketMs, variables) {
      readCache.forget(key, variables);
      const head = heads.find(key, bucketMs);
      if (head) register.changeChunks(key, [countedOf(key, head)], []);
      heads.remove(key, bucketMs);
      for (const variable of variables) removeColumn(key, bucketMs, variable);
    },
    strip(key, bucketMs, removed, left) {
      readCache.forget(key, removed);
      const head = heads.find(key, bucketMs);
      if (!head) throw new DamagedData("a chunk that is lost");
      const old = countedOf(key, head);
      const parts = Uint32Array.from(
        left.flatMap((variable) => {
          const at = head.variables.indexOf(variable) * NUMBERS_PER_PART;
          return [...old.parts.subarray(at, at + NUMBERS_PER_PART)];
        }),
      );
      const fresh = { ...head, variables: left, parts };
      register.changeChunks(key, [old], [{ ...fresh, checksum: heads.write(key, fresh) }]);
      for (const variable of removed) removeColumn(key, bucketMs, variable);
    },
  };
}
