import { type FileHandle, open } from "node:fs/promises";
import { FormatFailure } from "../../error.ts";

/** Directory entry of a file; the position of its data is determined by `zipData`. */
export interface ZipEntry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly crc: number;
  readonly localAt: number;
}

/** The data of a file in a zip archive. */
interface ZipData {
  readonly start: number;
  readonly packedBytes: number;
  readonly isDeflated: boolean;
}

// APPNOTE.TXT 6.3.10 of PKWARE: end of central directory (4.3.16), central directory (4.3.12), local header (4.3.7), and
// of zip64 the end record (4.3.14), its locator (4.3.15) and the extra field with longer numbers (4.5.3).
const END = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT = 65_535;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
/** Placeholder of a number in a zip64 record (4.4.1.4). */
const IN_ZIP64 = 0xffff_ffff;
const LOCATOR = 0x07064b50;
const LOCATOR_BYTES = 20;
const END64 = 0x06064b50;
const END64_BYTES = 56;
const EXTRA64 = 1;
const MAX_DIRECTORY = 2 ** 24;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;
const DAMAGED = "This zip archive is damaged or incomplete. Download or copy it again.";
const OTHER_METHOD = "This zip archive cannot be unpacked here. Unpack it and open its content.";

/** Reads the directory of an archive, without folders. @throws FormatFailure if it is damaged */
export async function zipEntries(path: string): Promise<ZipEntry[]> {
  const file = await open(path, "r");
  try {
    return await entriesOf(file);
  } finally {
    await file.close();
  }
}

/** Locates the data of a file. @throws FormatFailure if it is damaged, encrypted, or compressed by another method */
export async function zipData(path: string, entry: ZipEntry): Promise<ZipData> {
  const { flags, method, packedBytes, localAt } = entry;
  if ((flags & ENCRYPTED) !== 0)
    throw new FormatFailure("unreadable", "This zip archive is encrypted. Unpack it with its password.");
  if (method !== STORED && method !== DEFLATED) throw new FormatFailure("unreadable", OTHER_METHOD);
  const file = await open(path, "r");
  try {
    const local = await bytesAt(file, localAt, LOCAL_BYTES);
    const start = localAt + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28);
    if (local.readUInt32LE(0) !== LOCAL || start + packedBytes > (await file.stat()).size) damaged();
    return { start, packedBytes, isDeflated: method === DEFLATED };
  } finally {
    await file.close();
  }
}

async function entriesOf(file: FileHandle): Promise<ZipEntry[]> {
  const { size } = await file.stat();
  const tailBytes = Math.min(size, END_BYTES + MAX_COMMENT);
  const tail = await bytesAt(file, size - tailBytes, tailBytes);
  let end = tail.length - END_BYTES;
  while (end >= 0 && tail.readUInt32LE(end) !== END) end--;
  if (end < 0) damaged();
  const { directoryBytes, directoryAt } = await directoryOf(file, tail, end, size - tailBytes);
  if (directoryBytes > MAX_DIRECTORY) damaged();
  const directory = await bytesAt(file, directoryAt, directoryBytes);
  const entries: ZipEntry[] = [];
  for (let at = 0; at + ENTRY_BYTES <= directory.length;) {
    if (directory.readUInt32LE(at) !== ENTRY) damaged();
    const [nameBytes, extraBytes] = [directory.readUInt16LE(at + 28), directory.readUInt16LE(at + 30)];
    const nameAt = at + ENTRY_BYTES;
    const long = longNumbers(directory.subarray(nameAt + nameBytes, nameAt + nameBytes + extraBytes));
    const number = (offset: number): number => {
      const short = directory.readUInt32LE(at + offset);
      return short === IN_ZIP64 ? (long.shift() ?? damaged()) : short;
    };
    // In the order of the zip64 numbers.
    const [bytes, packedBytes, localAt] = [number(24), number(20), number(42)];
    entries.push({
      // Some programs of Windows write backslashes, which 4.4.17.1 forbids.
      name: directory.toString("utf8", nameAt, nameAt + nameBytes).replaceAll("\\", "/"),
      flags: directory.readUInt16LE(at + 8),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      packedBytes,
      bytes,
      localAt,
    });
    at = nameAt + nameBytes + extraBytes + directory.readUInt16LE(at + 32);
  }
  return entries.filter(({ name }) => !name.endsWith("/"));
}

/** Locates the directory. @param end position of the end record in the tail, which starts at `tailAt` */
async function directoryOf(file: FileHandle, tail: Buffer, end: number, tailAt: number) {
  const [directoryBytes, directoryAt] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  if (tail.readUInt16LE(end + 10) !== 0xffff && directoryBytes !== IN_ZIP64 && directoryAt !== IN_ZIP64)
    return { directoryBytes, directoryAt };
  const locator = await bytesAt(file, tailAt + end - LOCATOR_BYTES, LOCATOR_BYTES);
  if (locator.readUInt32LE(0) !== LOCATOR) return damaged();
  const long = await bytesAt(file, safe(locator.readBigUInt64LE(8)), END64_BYTES);
  if (long.readUInt32LE(0) !== END64) return damaged();
  return { directoryBytes: safe(long.readBigUInt64LE(40)), directoryAt: safe(long.readBigUInt64LE(48)) };
}

function longNumbers(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== EXTRA64) continue;
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    return Array.from({ length: Math.floor(field.length / 8) }, (_, i) => safe(field.readBigUInt64LE(8 * i)));
  }
  return [];
}

function safe(value: bigint): number {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : damaged();
}

function damaged(): never {
  throw new FormatFailure("unreadable", DAMAGED);
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  if (at < 0) damaged();
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  if (bytesRead < length) damaged();
  return bytes;
}
