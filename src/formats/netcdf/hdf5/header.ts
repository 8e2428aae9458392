import type { FileHandle } from "node:fs/promises";
import { FormatFailure } from "../../error.ts";
import { lookup3 } from "./checksum.ts";
import { type Grid, UNDEFINED_ADDRESS } from "./chunkIndex.ts";
import { DEFLATE_LEVEL } from "./pack.ts";

// What the HDF5 library wrote is parsed, not assumed, and only what looks exactly as it writes it today is touched.

const SUPERBLOCK_BYTES = 48;
const CHECKSUM_BYTES = 4;
const LAYOUT_MESSAGE = 8;
const FILTER_MESSAGE = 11;
const CONTINUATION_MESSAGE = 16;

const DEFLATE = 1;
const SHUFFLE = 2;

/** What to declare with a dataset as the parameters of deflate, so that there is room for the filters that are meant. */
export const ROOM_FOR_FILTERS: readonly number[] = [1, 0, 0, 0, 0, 0, 0, 0];

/** A piece of an object header with a checksum of its own at its end. */
interface Block {
  readonly address: number;
  readonly bytes: Buffer;
}

interface Message {
  readonly type: number;
  readonly block: Block;
  /** Its content, a view into the block. */
  readonly content: Buffer;
}

/** Where the content of the file ends. */
export async function endOfFile(file: FileHandle): Promise<number> {
  return Number((await superblock(file)).readBigUInt64LE(28));
}

/** Makes the file end at `end`. */
export async function setEndOfFile(file: FileHandle, end: number): Promise<void> {
  const bytes = await superblock(file);
  bytes.writeBigUInt64LE(BigInt(end), 28);
  await write(file, { address: 0, bytes });
}

async function superblock(file: FileHandle): Promise<Buffer> {
  const bytes = await read(file, 0, SUPERBLOCK_BYTES);
  expect(bytes.toString("latin1", 0, 8) === "\x89HDF\r\n\x1a\n" && bytes[8] === 2, "its superblock");
  expect(bytes[9] === 8 && bytes[10] === 8, "the size of its addresses");
  expect(bytes.readBigUInt64LE(12) === 0n, "where it begins");
  // An extension could name another size of the nodes of an index.
  expect(bytes.readBigUInt64LE(20) === UNDEFINED_ADDRESS, "an extension of its superblock");
  return bytes;
}

/** Tells the header of a dataset at `header` where the index of its chunks is, and that they are shuffled and deflated. */
export async function completeDataset(file: FileHandle, header: number, grid: Grid, index: bigint): Promise<void> {
  const messages = await messagesOf(file, header);
  const layout = only(messages, LAYOUT_MESSAGE);
  const lengths = [...grid.chunk, grid.elementBytes];
  expect(layout.content[0] === 3 && layout.content[1] === 2, "the layout of a variable");
  expect(layout.content[2] === lengths.length, "the axes of a variable");
  expect(layout.content.readBigUInt64LE(3) === UNDEFINED_ADDRESS, "a variable without values");
  expect(
    lengths.every((length, axis) => layout.content.readUInt32LE(11 + 4 * axis) === length),
    "the chunks of a variable",
  );
  layout.content.writeBigUInt64LE(index, 3);

  const filters = only(messages, FILTER_MESSAGE);
  const meant = filterMessage(grid.elementBytes);
  expect(filters.content.length === meant.length, "the filters of a variable");
  meant.copy(filters.content);
  for (const block of new Set([layout.block, filters.block])) await write(file, block);
}

/** In version 1, as it was before HDF5 1.8: every reader knows it. */
function filterMessage(elementBytes: number): Buffer {
  return Buffer.from([1, 2, 0, 0, 0, 0, 0, 0, ...filter(SHUFFLE, elementBytes), ...filter(DEFLATE, DEFLATE_LEVEL)]);
}

/** Without a name, not to be done without, with one parameter. */
function filter(id: number, parameter: number): number[] {
  return [id, 0, 0, 0, 0, 0, 1, 0, parameter, 0, 0, 0, 0, 0, 0, 0];
}

/** The messages of an object header of version 2, continuations included. */
async function messagesOf(file: FileHandle, address: number): Promise<Message[]> {
  const head = await read(file, address, 64);
  const flags = head[5]!;
  expect(head.toString("latin1", 0, 4) === "OHDR" && head[4] === 2, "the header of a variable");
  const sizeAt = 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);
  const sizeBytes = 1 << (flags & 3);
  const from = sizeAt + sizeBytes;
  const size = head.readUIntLE(sizeAt, Math.min(sizeBytes, 6));
  const headBytes = flags & 4 ? 6 : 4;

  const found: Message[] = [];
  const pending = [{ address, length: from + size + CHECKSUM_BYTES, from }];
  for (let piece = pending.shift(); piece; piece = pending.shift()) {
    const block = { address: piece.address, bytes: await read(file, piece.address, piece.length) };
    const end = piece.length - CHECKSUM_BYTES;
    expect(block.bytes.readUInt32LE(end) === lookup3(block.bytes.subarray(0, end)), "a checksum");
    for (let at = piece.from; at + headBytes <= end;) {
      const type = block.bytes[at]!;
      const next = at + headBytes + block.bytes.readUInt16LE(at + 1);
      expect(next <= end, "the header of a variable");
      const content = block.bytes.subarray(at + headBytes, next);
      if (type === CONTINUATION_MESSAGE) {
        pending.push({ address: number(content, 0), length: number(content, 8), from: 4 });
      } else {
        found.push({ type, block, content });
      }
      at = next;
    }
  }
  return found;
}

function only(messages: readonly Message[], type: number): Message {
  const found = messages.filter((m) => m.type === type);
  expect(found.length === 1, "the header of a variable");
  return found[0]!;
}

function number(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at));
}

async function read(file: FileHandle, address: number, length: number): Promise<Buffer> {
  // Far more than a header takes.
  expect(length <= 1 << 24, "the header of a variable");
  const bytes = Buffer.alloc(length);
  await file.read(bytes, 0, length, address);
  return bytes;
}

/** With the checksum that its content has now. */
function write(file: FileHandle, { address, bytes }: Block): Promise<void> {
  const end = bytes.length - CHECKSUM_BYTES;
  bytes.writeUInt32LE(lookup3(bytes.subarray(0, end)), end);
  return writeAt(file, bytes, address);
}

/** All of it: the system may take less at once. */
export async function writeAt(file: FileHandle, bytes: Uint8Array, address: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += (await file.write(bytes, done, bytes.length - done, address + done)).bytesWritten;
  }
}

function expect(isTrue: boolean, what: string): asserts isTrue {
  if (isTrue) return;
  throw new FormatFailure(
    "io",
    "The NetCDF-4 file was not written: the HDF5 library lays it out in a way that is not known here. NetCDF-3 can be chosen instead.",
    `Not as expected: ${what}`,
  );
}
