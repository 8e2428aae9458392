import { type FileHandle, open } from "node:fs/promises";
import { FormatFailure } from "../../error.ts";

/** Where the data of a file stand in a zip archive, and what the archive says of them. */
export interface Member {
  readonly start: number;
  readonly packedBytes: number;
  readonly isDeflated: boolean;
  readonly bytes: number;
  readonly crc: number;
}

// APPNOTE.TXT 6.3.10 of PKWARE: end of central directory (4.3.16), central directory (4.3.12), local header (4.3.7).
const END = 0x06054b50;
const END_BYTES = 22;
const MOST_COMMENT = 65_535;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
/** The real number is in a record of zip64 (4.4.1.4). */
const IN_ZIP64 = 0xffff_ffff;
const MOST_DIRECTORY = 2 ** 24;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;
const DAMAGED = "This zip archive is damaged or incomplete. Download or copy it again.";
const OTHER_METHOD = "This zip archive cannot be unpacked here. Unpack it and open its content.";
/** Names of members that are listed. */
const MOST_NAMES = 5;

interface Entry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly crc: number;
  readonly localAt: number;
}

/** The one file in an archive. @throws FormatFailure if it is damaged, encrypted, or holds several */
export async function onlyMember(path: string): Promise<Member> {
  const file = await open(path, "r");
  try {
    const entries = (await entriesOf(file)).filter(({ name }) => isContent(name));
    const [entry] = entries;
    if (!entry) throw new FormatFailure("unreadable", "This zip archive is empty.");
    if (entries.length > 1) throw new FormatFailure("unreadable", several(entries));
    if ((entry.flags & ENCRYPTED) !== 0)
      throw new FormatFailure("unreadable", "This zip archive is encrypted. Unpack it with its password.");
    const { method, packedBytes, bytes, crc, localAt } = entry;
    if ((method !== STORED && method !== DEFLATED) || [packedBytes, bytes, localAt].includes(IN_ZIP64))
      throw new FormatFailure("unreadable", OTHER_METHOD);
    const local = await bytesAt(file, localAt, LOCAL_BYTES);
    const start = localAt + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28);
    if (local.readUInt32LE(0) !== LOCAL || start + packedBytes > (await file.stat()).size)
      throw new FormatFailure("unreadable", DAMAGED);
    return { start, packedBytes, isDeflated: method === DEFLATED, bytes, crc };
  } finally {
    await file.close();
  }
}

async function entriesOf(file: FileHandle): Promise<Entry[]> {
  const { size } = await file.stat();
  const tailBytes = Math.min(size, END_BYTES + MOST_COMMENT);
  const tail = await bytesAt(file, size - tailBytes, tailBytes);
  let end = tail.length - END_BYTES;
  while (end >= 0 && tail.readUInt32LE(end) !== END) end--;
  if (end < 0) throw new FormatFailure("unreadable", DAMAGED);
  const [directoryBytes, directoryAt] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  if (tail.readUInt16LE(end + 10) === 0xffff || directoryBytes === IN_ZIP64 || directoryAt === IN_ZIP64)
    throw new FormatFailure("unreadable", OTHER_METHOD);
  if (directoryBytes > MOST_DIRECTORY) throw new FormatFailure("unreadable", DAMAGED);
  const directory = await bytesAt(file, directoryAt, directoryBytes);
  const entries: Entry[] = [];
  for (let at = 0; at + ENTRY_BYTES <= directory.length;) {
    if (directory.readUInt32LE(at) !== ENTRY) throw new FormatFailure("unreadable", DAMAGED);
    const nameBytes = directory.readUInt16LE(at + 28);
    entries.push({
      name: directory.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes),
      flags: directory.readUInt16LE(at + 8),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      packedBytes: directory.readUInt32LE(at + 20),
      bytes: directory.readUInt32LE(at + 24),
      localAt: directory.readUInt32LE(at + 42),
    });
    at += ENTRY_BYTES + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/** Neither a folder, nor what systems put beside the files. */
function isContent(name: string): boolean {
  return !name.endsWith("/") && !name.startsWith("__MACOSX/") && !/(^|\/)\.[^/]*$/.test(name);
}

function several(entries: readonly Entry[]): string {
  const names = entries.slice(0, MOST_NAMES).map(({ name }) => name);
  const more = entries.length > MOST_NAMES ? " …" : "";
  return `This zip archive holds ${entries.length} files: ${names.join(", ")}${more}. Unpack it and open them.`;
}

async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, at);
  if (bytesRead < length) throw new FormatFailure("unreadable", DAMAGED);
  return bytes;
}
