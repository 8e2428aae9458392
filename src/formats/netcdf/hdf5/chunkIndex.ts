import { defined } from "#shared/defined.ts";
import { UNDEFINED } from "./messages.ts";

/** Children of a node of the index: twice the rank that HDF5 takes where the superblock names no other. */
export const MAX_CHILDREN = 64;
const NODE_HEAD_BYTES = 24;

/** Chunks of a variable in the order of their places (last axis fastest), all of them stored. */
export interface StoredChunks {
  readonly addresses: Float64Array;
  /** Bytes as they lie in the file. */
  readonly bytes: Uint32Array;
  /** A bit for each filter that a chunk passed over. */
  readonly filterMasks: Uint8Array;
}

/** How a variable is cut: sizes along each axis, outermost first. */
export interface Grid {
  readonly shape: readonly number[];
  readonly chunk: readonly number[];
  readonly elementBytes: number;
}

export function chunksAlong({ shape, chunk }: Grid): number[] {
  return shape.map((size, axis) => Math.ceil(size / chunk[axis]!));
}

/**
 * The index of a variable's chunks as HDF5 reads it: a B-tree, version 1, of raw data chunks. To be written at
 * `address`.
 *
 * @returns the bytes of all nodes, and where among the addresses of the file the root stands
 */
export function chunkIndex(
  grid: Grid,
  chunks: StoredChunks,
  address: number,
): { readonly bytes: Buffer; readonly root: bigint } {
  if (chunks.bytes.length === 0) return { bytes: Buffer.alloc(0), root: UNDEFINED };
  const keyBytes = 8 + 8 * (grid.shape.length + 1);
  const nodeBytes = NODE_HEAD_BYTES + MAX_CHILDREN * (keyBytes + 8) + keyBytes;
  const levels = [Math.ceil(chunks.bytes.length / MAX_CHILDREN)];
  while (defined(levels.at(-1)) > 1) levels.push(Math.ceil(defined(levels.at(-1)) / MAX_CHILDREN));
  const bytes = Buffer.alloc(levels.reduce((a, b) => a + b) * nodeBytes);
  const writeKey = keyWriter(grid, chunks, bytes);

  let firstNode = 0;
  levels.forEach((nodes, level) => {
    const children = level === 0 ? chunks.bytes.length : levels[level - 1]!;
    const firstChild = firstNode - children;
    // So many chunks are below each child.
    const span = MAX_CHILDREN ** level;
    const addressOf = (node: number): bigint =>
      node < 0 || node >= nodes ? UNDEFINED : BigInt(address + (firstNode + node) * nodeBytes);
    for (let node = 0; node < nodes; node++) {
      const from = node * MAX_CHILDREN;
      const to = Math.min(from + MAX_CHILDREN, children);
      let at = (firstNode + node) * nodeBytes;
      bytes.write("TREE", at, "latin1");
      bytes.writeUInt8(1, at + 4);
      bytes.writeUInt8(level, at + 5);
      bytes.writeUInt16LE(to - from, at + 6);
      bytes.writeBigUInt64LE(addressOf(node - 1), at + 8);
      bytes.writeBigUInt64LE(addressOf(node + 1), at + 16);
      at += NODE_HEAD_BYTES;
      for (let child = from; child < to; child++) {
        writeKey(child * span, at);
        const place = level === 0 ? chunks.addresses[child]! : address + (firstChild + child) * nodeBytes;
        bytes.writeBigUInt64LE(BigInt(place), at + keyBytes);
        at += keyBytes + 8;
      }
      writeKey(to * span, at);
    }
    firstNode += nodes;
  });
  return { bytes, root: BigInt(address + bytes.length - nodeBytes) };
}

/**
 * Keys lie between the children. One tells how many bytes the first chunk behind it has, and where that begins; the
 * last of all lies a whole chunk beyond the last one along every axis, the bytes of an element being an axis too.
 */
function keyWriter(grid: Grid, chunks: StoredChunks, target: Buffer): (chunk: number, at: number) => void {
  const counts = chunksAlong(grid);
  const lengths = [...grid.chunk, grid.elementBytes];
  return (chunk, at) => {
    const isEnd = chunk >= chunks.bytes.length;
    target.writeUInt32LE(isEnd ? 0 : chunks.bytes[chunk]!, at);
    target.writeUInt32LE(isEnd ? 0 : chunks.filterMasks[chunk]!, at + 4);
    let rest = isEnd ? chunks.bytes.length - 1 : chunk;
    for (let axis = lengths.length - 1; axis >= 0; axis--) {
      const count = counts[axis] ?? 1;
      const place = (rest % count) + (isEnd ? 1 : 0);
      target.writeBigUInt64LE(BigInt(place * lengths[axis]!), at + 8 + 8 * axis);
      rest = Math.floor(rest / count);
    }
  };
}
