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

/** How a variable is divided into chunks. */
export interface Grid {
  /** Outermost first. */
  readonly axes: readonly GridAxis[];
  readonly elementBytes: number;
}

interface GridAxis {
  /** Length of a chunk. */
  readonly length: number;
  readonly chunks: number;
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
  const keyBytes = 8 + 8 * (grid.axes.length + 1);
  const nodeBytes = NODE_HEAD_BYTES + MAX_CHILDREN * (keyBytes + 8) + keyBytes;
  const levels = [Math.ceil(chunks.bytes.length / MAX_CHILDREN)];
  while (defined(levels.at(-1)) > 1) levels.push(Math.ceil(defined(levels.at(-1)) / MAX_CHILDREN));
  const bytes = Buffer.alloc(levels.reduce((a, b) => a + b) * nodeBytes);
  const writeKey = keyWriter(grid, chunks, bytes);

  let firstNode = 0;
  let children = chunks.addresses;
  for (const [level, count] of levels.entries()) {
    const first = firstNode;
    const nodes = Float64Array.from({ length: count }, (_, node) => address + (first + node) * nodeBytes);
    // Chunks below each child.
    const span = MAX_CHILDREN ** level;
    for (const [node, nodeAddress] of nodes.entries()) {
      const from = node * MAX_CHILDREN;
      const own = children.subarray(from, from + MAX_CHILDREN);
      let at = nodeAddress - address;
      bytes.write("TREE", at, "latin1");
      bytes.writeUInt8(1, at + 4);
      bytes.writeUInt8(level, at + 5);
      bytes.writeUInt16LE(own.length, at + 6);
      bytes.writeBigUInt64LE(siblingAddress(nodes[node - 1]), at + 8);
      bytes.writeBigUInt64LE(siblingAddress(nodes[node + 1]), at + 16);
      at += NODE_HEAD_BYTES;
      for (const [i, childAddress] of own.entries()) {
        writeKey((from + i) * span, at);
        bytes.writeBigUInt64LE(BigInt(childAddress), at + keyBytes);
        at += keyBytes + 8;
      }
      writeKey((from + own.length) * span, at);
    }
    children = nodes;
    firstNode += count;
  }
  return { bytes, root: BigInt(address + bytes.length - nodeBytes) };
}

/** @param address undefined before the first and after the last node */
function siblingAddress(address: number | undefined): bigint {
  return address === undefined ? UNDEFINED : BigInt(address);
}

/**
 * Returns a function that writes a key of the tree. Keys separate the children: each has the size, filter mask and offsets
 * of the first chunk after it. The offsets of the last key lie one chunk beyond the last chunk along every axis, including
 * the axis of element bytes.
 */
function keyWriter(grid: Grid, chunks: StoredChunks, target: Buffer): (chunk: number, at: number) => void {
  const innermostFirst = [...grid.axes, { length: grid.elementBytes, chunks: 1 }].toReversed();
  return (chunk, at) => {
    const isEnd = chunk >= chunks.bytes.length;
    target.writeUInt32LE(isEnd ? 0 : defined(chunks.bytes[chunk]), at);
    target.writeUInt32LE(isEnd ? 0 : defined(chunks.filterMasks[chunk]), at + 4);
    let remaining = isEnd ? chunks.bytes.length - 1 : chunk;
    let offsetAt = at + 8 + 8 * innermostFirst.length;
    for (const axis of innermostFirst) {
      const position = (remaining % axis.chunks) + (isEnd ? 1 : 0);
      offsetAt -= 8;
      target.writeBigUInt64LE(BigInt(position * axis.length), offsetAt);
      remaining = Math.floor(remaining / axis.chunks);
    }
  };
}
