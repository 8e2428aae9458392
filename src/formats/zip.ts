import type { FileEntry } from "@zip.js/zip.js/index-native.js";
import { FormatFailure, unreadable } from "./error.ts";
import { bytesIn, type ForeignFile } from "./foreign/file.ts";

export interface ZipEntry {
  readonly name: string;
  readonly bytes: number;
  /** Writes the unpacked bytes, and compares them with the checksum and sizes in the archive. @throws FormatFailure */
  unpack(write: (bytes: Uint8Array) => void, signal?: AbortSignal): Promise<void>;
}

const DAMAGED = "This zip archive is damaged or incomplete. Download or copy it again.";
const UNLISTED =
  "This zip archive has files that its directory does not list: it is damaged, or was changed. Download or copy it again.";
const ENCRYPTED = "This zip archive is encrypted. Unpack it with its password.";
const OTHER_METHOD = "This zip archive cannot be unpacked here. Unpack it and open its content.";
const CHANGED =
  "The content of this zip archive differs from its checksum or size: the archive is damaged. Download or copy it again.";
const STORED = 0;
const DEFLATED = 8;

/** Reads the directory of an archive, without folders. @throws FormatFailure if it is damaged, or does not list all files */
export async function zipEntries(file: ForeignFile): Promise<ZipEntry[]> {
  // Loaded when it is needed: a guest and a thread of the store start a sixth faster.
  const { openZip } = await import("./zipReader.ts");
  const zip = openZip(file);
  const all = await readable(() =>
    zip.getEntries({
      filenameValidation: "tolerant",
      // Some programs of Windows write backslashes, which 4.4.17.1 of APPNOTE.TXT forbids.
      normalizeFilename: (name) => name.replaceAll("\\", "/"),
    }),
  );
  const files = all.filter((entry): entry is FileEntry => !entry.directory);
  if (hasUnlisted(file, all)) throw unreadable(UNLISTED);
  return files.map((entry) => ({
    name: entry.filename,
    bytes: entry.uncompressedSize,
    async unpack(write, signal) {
      if (entry.encrypted) throw unreadable(ENCRYPTED);
      if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) throw unreadable(OTHER_METHOD);
      let bytes = 0;
      const sink = new WritableStream<Uint8Array>({
        write(chunk) {
          bytes += chunk.length;
          // Stops as soon as the content is longer than stated.
          if (bytes > entry.uncompressedSize) throw unreadable(CHANGED);
          write(chunk);
        },
      });
      await readable(() => entry.getData(sink, signal ? { signal } : {}));
      if (bytes !== entry.uncompressedSize) throw unreadable(CHANGED);
    },
  }));
}

async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof FormatFailure) throw thrown;
    const isContent = thrown instanceof Error && /CRC-?32|uncompressed|Ambiguous|size/i.test(thrown.message);
    throw unreadable(isContent ? CHANGED : DAMAGED, thrown);
  }
}

const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
/** Sizes of a data descriptor, with or without a signature and in zip64 (4.3.9). */
const DESCRIPTORS = [0, 12, 16, 20, 24];

/** Whether there is a file at the start of the archive, or after another one, that the directory does not list. */
function hasUnlisted(
  file: ForeignFile,
  entries: readonly { readonly offset: number; readonly compressedSize: number }[],
) {
  const listed = new Set(entries.map(({ offset }) => offset));
  const isUnlisted = (at: number): boolean => {
    const head = bytesIn(file, at, 4);
    return !listed.has(at) && head.length === 4 && head.readUInt32LE(0) === LOCAL;
  };
  return (
    isUnlisted(0) ||
    entries.some(({ offset, compressedSize }) => {
      const local = bytesIn(file, offset, LOCAL_BYTES);
      if (local.length < LOCAL_BYTES) return false;
      const end = offset + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28) + compressedSize;
      return DESCRIPTORS.some((bytes) => isUnlisted(end + bytes));
    })
  );
}
