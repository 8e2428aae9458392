import { defined } from "#shared/defined.ts";
import { UNDEFINED } from "./messages.ts";

/** Children of a B-tree node: twice the default rank of HDF5. */
const MAX_CHILDREN = 64;
const NODE_HEAD_BYTES = 24;

/** All chunks of a variable, ordered by position (last axis fastest). */
export interface StoredChunks {
  readonly addresses: Float64Array;
  /** Compressed sizes in bytes. */
  readonly bytes: Uint32Array;
  /** A bit for each filter that was skipped. */
  readonly filterMasks: Uint8Array;
}

/** How a variable is divided into chunks: sizes along each axis, outermost first. */
export interface Grid {
  readonly shape: readonly number[];
  readonly chunk: readonly number[];
  readonly elementBytes: number;
}

export function chunksAlong({ shape, chunk }: Grid): number[] {
  return shape.map((size, axis) => Math.ceil(size / chunk[axis]!));
}

/**
 * Returns the index of a variable's chunks: a version 1 B-tree of raw data chunks.
 *
 * @param address where its bytes will be written
 * @returns the bytes of all nodes, and the address of the root node
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
    // Chunks below each child.
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
        const childAddress = level === 0 ? chunks.addresses[child]! : address + (firstChild + child) * nodeBytes;
        bytes.writeBigUInt64LE(BigInt(childAddress), at + keyBytes);
        at += keyBytes + 8;
      }
      writeKey(to * span, at);
    }
    firstNode += nodes;
  });
  return { bytes, root: BigInt(address + bytes.length - nodeBytes) };
}

/**
 * Returns a function that writes a key of the tree. Keys separate the children: each has the size, filter mask and offsets
 * of the first chunk behind it. The offsets of the last key lie one chunk beyond the last chunk along every axis, including
 * the axis of element bytes.
 */
function keyWriter(grid: Grid, chunks: StoredChunks, target: Buffer): (chunk: number, at: number) => void {
  const counts = chunksAlong(grid);
  const lengths = [...grid.chunk, grid.elementBytes];
  return (chunk, at) => {
    const isEnd = chunk >= chunks.bytes.length;
    target.writeUInt32LE(isEnd ? 0 : chunks.bytes[chunk]!, at);
    target.writeUInt32LE(isEnd ? 0 : chunks.filterMasks[chunk]!, at + 4);
    let remaining = isEnd ? chunks.bytes.length - 1 : chunk;
    for (let axis = lengths.length - 1; axis >= 0; axis--) {
      const count = counts[axis] ?? 1;
      const position = (remaining % count) + (isEnd ? 1 : 0);
      target.writeBigUInt64LE(BigInt(position * lengths[axis]!), at + 8 + 8 * axis);
      remaining = Math.floor(remaining / count);
    }
  };
}
