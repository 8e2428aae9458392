import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { codeOf } from "#shared/fault.ts";
import { FormatFailure, unreadable } from "../../error.ts";
import { chunksOf, type ForeignFile } from "../../foreign/file.ts";
import { openScratch, type Scratch } from "../../foreign/scratch.ts";
import { isContent } from "../../folderFiles.ts";
import { zipEntries } from "../../zip.ts";

/** Limit of the unpacked size, because a few kilobytes can unpack to more than any disk holds. */
const MAX_BYTES = 8 * 2 ** 30;
/** Signatures of a local file header, and of the end of an empty archive. */
const ZIP_MARKS = new Set(["504b0304", "504b0506"]);
/** The part list of an Office document, and the first part of one of LibreOffice. */
const MIME_TYPE = "mimetype";
const OFFICE = "[Content_Types].xml";
const DAMAGED = "This compressed file is damaged or incomplete. Download or copy it again.";

/** A file in an archive, or the only one in a gzip file. */
interface PackedFile {
  /** Path in the archive; null in a gzip file. */
  readonly name: string | null;
  /** Unpacks into a temporary file. @throws FormatFailure if it is damaged, encrypted or too large */
  unpack(signal?: AbortSignal): Promise<ForeignFile>;
}

/**
 * Returns the files in a gzip file (RFC 1952) or a zip archive, by its first bytes.
 * @returns null for other files, including workbooks
 * @throws FormatFailure if it is damaged or empty
 */
export async function packedFiles(file: ForeignFile, head: Buffer): Promise<PackedFile[] | null> {
  const mark = head.toString("hex", 0, 4);
  if (mark.startsWith("1f8b"))
    return [{ name: null, unpack: (signal) => unpacked((write) => gunzipped(file, write), signal) }];
  if (!ZIP_MARKS.has(mark) || head.includes(OFFICE) || head.toString("latin1", 30, 38) === MIME_TYPE) return null;
  const entries = await zipEntries(file);
  // Office documents are zip archives too; their part list may be at any position.
  if (entries.some(({ name }) => name === OFFICE)) return null;
  const files = entries.filter(({ name }) => isContent(name));
  if (files.length === 0) throw unreadable("This zip archive is empty.");
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_BYTES) throw tooLarge();
  return files.map(({ name, bytes, unpack }) => ({
    name,
    unpack(signal) {
      if (bytes === 0) throw unreadable("This zip archive holds an empty file.");
      return unpacked((write) => unpack(write, signal), signal);
    },
  }));
}

type Write = (bytes: Uint8Array) => void;

async function unpacked(fill: (write: Write) => Promise<void>, signal: AbortSignal | undefined): Promise<Scratch> {
  const scratch = openScratch();
  let end = 0;
  try {
    await fill((bytes) => {
      signal?.throwIfAborted();
      if (end + bytes.length > MAX_BYTES) throw tooLarge();
      scratch.write(bytes, end);
      end += bytes.length;
    });
    return scratch;
  } catch (thrown) {
    scratch.close();
    if (signal?.aborted) throw new FormatFailure("cancelled", "Opening was stopped.", thrown);
    throw codeOf(thrown).startsWith("Z_") ? unreadable(DAMAGED, thrown) : thrown;
  }
}

async function gunzipped(file: ForeignFile, write: Write): Promise<void> {
  await pipeline(chunksOf(file), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) write(chunk);
  });
}

function tooLarge(): FormatFailure {
  const limit = `${MAX_BYTES / 2 ** 30} GiB`;
  return new FormatFailure(
    "tooLarge",
    `This compressed file holds more than ${limit}. Unpack it and open its content.`,
  );
}
