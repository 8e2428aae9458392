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
import { demandPart, type HeadTable, type SealedHead } from "./heads.ts";
import type { ChunkKey } from "./keys.ts";
import type { Caches } from "./caches.ts";
import type { PyramidTable } from "./pyramids.ts";
import { type Counted, PARTS, type RegisterTable } from "./register.ts";

/** Whole chunks: a head, a column for each variable, and its pyramid. Nothing here opens a transaction. */
export interface ChunkTable {
  /** Rows of the chunk with those of the variables that it holds; null where there is none. */
  read(key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): SeriesRows | null;
  /** The same before it is decoded, with the columns by which others are. */
  stored(key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): StoredChunk | null;
  /** Rows of a chunk whose head is known to be sound; the register is not asked. @throws DamagedData */
  readUnverified(key: ChunkKey, head: SealedHead, variables: readonly Variable[]): SeriesRows;
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
  readonly caches: Caches;
  readonly register: RegisterTable;
}

export function chunkTable({ heads, columns, pyramids, caches, register }: ChunkParts): ChunkTable {
  const stored = (key: ChunkKey, bucketMs: UtcMs, variables: readonly Variable[]): StoredChunk | null => {
    heads.demandAll(key, { startMs: bucketMs, endMs: bucketMs + 1 });
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
      demandPart(head, variable, column.checksum);
      found.set(variable, column);
    }
    return { rows: head.rows, times: head.times, columns: found };
  };

  const writeColumn = (key: ChunkKey, bucketMs: UtcMs, column: EncodedColumn): readonly number[] => {
    const series = { ...key, variable: column.variable };
    const sum = columns.write(series, bucketMs, column);
    return [sum, column.pyramid === null ? 0 : pyramids.write(series, bucketMs, column.pyramid), column.count];
  };

  /** The parts of a chunk; of one of the form before, as its columns have them. */
  const partsOf = (key: ChunkKey, { bucketMs, variables, parts }: SealedHead): Uint32Array =>
    parts ??
    Uint32Array.from(
      variables.flatMap((variable) => {
        const column = columns.find({ ...key, variable }, bucketMs);
        if (!column) throw new DamagedData("a chunk that lost a column");
        return [column.checksum, pyramids.seal({ ...key, variable }, bucketMs)?.checksum ?? 0, column.count];
      }),
    );

  const countedOf = (key: ChunkKey, head: SealedHead): Counted => ({ ...head, parts: partsOf(key, head) });

  const removeColumn = (key: ChunkKey, bucketMs: UtcMs, variable: Variable): void => {
    columns.remove({ ...key, variable }, bucketMs);
    pyramids.remove({ ...key, variable }, bucketMs);
  };

  return {
    stored,
    readUnverified: (key, head, variables) => decodeChunk(columnsOf(key, head, variables), variables),
    read(key, bucketMs, variables) {
      const chunk = stored(key, bucketMs, variables);
      return chunk && decodeChunk(chunk, variables);
    },
    write(key, chunks, variables) {
      let bytes = 0;
      caches.forget(key, variables);
      const old = chunks.flatMap(({ bucketMs }) => heads.find(key, bucketMs) ?? []).map((head) => countedOf(key, head));
      const held = new Map(old.map((chunk) => [chunk.bucketMs, chunk.variables]));
      const parts = chunks.map((chunk) => new Uint32Array(chunk.columns.length * PARTS));
      // Variable by variable, so that the blobs of one series lie one after the other in the file.
      for (const variable of variables) {
        chunks.forEach(({ bucketMs, columns: own }, i) => {
          const at = own.findIndex((c) => c.variable === variable);
          const column = own[at];
          if (column) {
            parts[i]!.set(writeColumn(key, bucketMs, column), at * PARTS);
            bytes += column.data.length + (column.pyramid?.length ?? 0) + (column.present?.length ?? 0);
          } else if (held.get(bucketMs)?.includes(variable)) removeColumn(key, bucketMs, variable);
        });
      }
      const fresh = chunks.map((chunk, i): Counted => {
        const head = { ...chunk, variables: chunk.columns.map((column) => column.variable), parts: parts[i]! };
        bytes += chunk.times.length;
        return { ...head, checksum: heads.write(key, head) };
      });
      register.changeChunks(key, old, fresh);
      return bytes;
    },
    remove(key, bucketMs, variables) {
      caches.forget(key, variables);
      const head = heads.find(key, bucketMs);
      if (head) register.changeChunks(key, [countedOf(key, head)], []);
      heads.remove(key, bucketMs);
      for (const variable of variables) removeColumn(key, bucketMs, variable);
    },
    strip(key, bucketMs, gone, left) {
      caches.forget(key, gone);
      const head = heads.find(key, bucketMs);
      if (!head) throw new DamagedData("a chunk that is lost");
      const old = countedOf(key, head);
      const parts = Uint32Array.from(
        left.flatMap((variable) => {
          const at = head.variables.indexOf(variable) * PARTS;
          return [...old.parts.subarray(at, at + PARTS)];
        }),
      );
      const fresh = { ...head, variables: left, parts };
      register.changeChunks(key, [old], [{ ...fresh, checksum: heads.write(key, fresh) }]);
      for (const variable of gone) removeColumn(key, bucketMs, variable);
    },
  };
}
