import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32, createGunzip, createInflateRaw } from "node:zlib";
import { codeOf } from "#shared/fault.ts";
import { FormatFailure } from "../../error.ts";
import { isOwnerGone, ownerMark } from "../../owner.ts";
import { Uncompress } from "./lzw.ts";
import { zipData, zipEntries, type ZipEntry } from "./zip.ts";

/** A file unpacked into the temporary folder. */
interface Unpacked {
  readonly path: string;
  remove(): Promise<void>;
}

/** Limit of the unpacked size, because a few kilobytes can unpack to more than any disk holds. */
const MAX_BYTES = 8 * 2 ** 30;
const FOLDER = "zenith-unpacked-";
/** Signatures of a local file header, and of the end of an empty archive. */
const ZIP_MARKS = new Set(["504b0304", "504b0506"]);
/** The part list of an Office document. */
const OFFICE = "[Content_Types].xml";
const CHANGED =
  "The content of this zip archive differs from its checksum or size: the archive is damaged. Download or copy it again.";
const DAMAGED = "This compressed file is damaged or incomplete. Download or copy it again.";

/** A file in an archive, or the only one in a gzip file. */
export interface PackedFile {
  /** Path in the archive; null in a gzip file. */
  readonly name: string | null;
  /** @throws FormatFailure if it is damaged, encrypted or too large */
  unpack(signal?: AbortSignal): Promise<Unpacked>;
}

/**
 * Returns the files in a gzip file (RFC 1952), a “compress” file (.Z) or a zip archive, by its first bytes.
 *
 * @returns null for other files, including workbooks
 * @throws FormatFailure if it is damaged or empty
 */
export async function packedFiles(path: string, head: Buffer): Promise<PackedFile[] | null> {
  const mark = head.toString("hex", 0, 4);
  const unpacking = mark.startsWith("1f8b") ? createGunzip : mark.startsWith("1f9d") ? () => new Uncompress() : null;
  if (unpacking)
    return [
      { name: null, unpack: (signal) => unpack(() => Promise.resolve([createReadStream(path), unpacking()]), signal) },
    ];
  if (!ZIP_MARKS.has(mark) || head.includes(OFFICE)) return null;
  const entries = await zipEntries(path);
  // Office documents are zip archives too; their part list may be at any position.
  if (entries.some(({ name }) => name === OFFICE)) return null;
  const files = entries.filter(({ name }) => isContent(name));
  if (files.length === 0) throw new FormatFailure("unreadable", "This zip archive is empty.");
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_BYTES) throw tooLarge();
  return files.map((entry) => ({
    name: entry.name,
    unpack: (signal) => unpack(() => zipStages(path, entry), signal),
  }));
}

/** Whether a file is neither hidden nor metadata of an operating system. */
export function isContent(name: string): boolean {
  return !name.startsWith("__MACOSX/") && !/(^|\/)\.[^/]*$/.test(name);
}

type Stages = [Readable, ...Transform[]];

async function unpack(stagesOf: () => Promise<Stages>, signal?: AbortSignal): Promise<Unpacked> {
  const stages = await stagesOf();
  await removeAbandoned();
  const folder = await mkdtemp(join(tmpdir(), `${FOLDER}${ownerMark()}-`));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const content = join(folder, "content");
    await pipeline([...stages, bounded(), createWriteStream(content)], signal ? { signal } : {});
    return { path: content, remove };
  } catch (thrown) {
    await remove();
    throw reasonOf(thrown, signal);
  }
}

async function zipStages(path: string, entry: ZipEntry): Promise<Stages> {
  const { start, packedBytes, isDeflated } = await zipData(path, entry);
  // A read stream cannot have an empty range.
  const source =
    packedBytes === 0 ? Readable.from([]) : createReadStream(path, { start, end: start + packedBytes - 1 });
  return [source, ...(isDeflated ? [createInflateRaw()] : []), checked(entry)];
}

/** Compares the content with the size and the CRC-32 in the archive's directory. */
function checked({ bytes, crc }: ZipEntry): Transform {
  let [seenBytes, seenCrc] = [0, 0];
  return new Transform({
    transform(chunk: Buffer, _, done) {
      seenBytes += chunk.length;
      seenCrc = crc32(chunk, seenCrc);
      // Stops as soon as the content is longer than stated.
      done(seenBytes > bytes ? new FormatFailure("unreadable", CHANGED) : null, chunk);
    },
    flush(done) {
      if (seenBytes !== bytes || seenCrc !== crc) done(new FormatFailure("unreadable", CHANGED));
      else done(bytes === 0 ? new FormatFailure("unreadable", "This zip archive holds an empty file.") : null);
    },
  });
}

function tooLarge(): FormatFailure {
  const limit = `${MAX_BYTES / 2 ** 30} GiB`;
  return new FormatFailure(
    "tooLarge",
    `This compressed file holds more than ${limit}. Unpack it and open its content.`,
  );
}

function bounded(): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      if (bytes <= MAX_BYTES) return done(null, chunk);
      done(tooLarge());
    },
  });
}

function reasonOf(thrown: unknown, signal: AbortSignal | undefined): unknown {
  if (thrown instanceof FormatFailure) return thrown;
  if (signal?.aborted) return new FormatFailure("cancelled", "Opening was stopped.", thrown);
  const code = codeOf(thrown);
  if (code.startsWith("Z_")) return new FormatFailure("unreadable", DAMAGED, thrown);
  if (code !== "ENOSPC") return thrown;
  const place = `the folder for temporary files, ${tmpdir()}`;
  return new FormatFailure("noSpace", `This compressed file does not fit into ${place}. Free some room there.`, thrown);
}

/** Removes files that killed processes unpacked. */
async function removeAbandoned(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  const abandoned = names.filter((name) => name.startsWith(FOLDER) && isOwnerGone(name.slice(FOLDER.length)) === true);
  await Promise.all(
    abandoned.map((name) => rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})),
  );
}
