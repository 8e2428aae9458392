import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32, createGunzip, createInflateRaw } from "node:zlib";
import { FormatFailure } from "../../error.ts";
import { isOwnerGone, ownerMark } from "../../owner.ts";
import { type Member, onlyMember } from "./zip.ts";

/** A file that was unpacked into the folder for temporary files. */
export interface Unpacked {
  readonly path: string;
  remove(): Promise<void>;
}

/** A few kilobytes can unpack to more than any disk holds. */
const MOST_BYTES = 8 * 2 ** 30;
const FOLDER = "zenith-unpacked-";
/** The header of a first file, and the end of an archive without files. */
const ZIP_MARKS = new Set(["504b0304", "504b0506"]);
const CHANGED =
  "The content of this zip archive differs from its checksum or size: the archive is damaged. Download or copy it again.";
const DAMAGED = "This compressed file is damaged or incomplete. Download or copy it again.";

/**
 * Unpacks a gzip file (RFC 1952), or a zip archive of one file, by its first bytes.
 *
 * @returns null for other files
 * @throws FormatFailure if it is damaged, too large, or an archive of several files
 */
export async function unpacked(path: string, head: Buffer, signal?: AbortSignal): Promise<Unpacked | null> {
  const stages = await stagesFor(path, head);
  if (stages === null) return null;
  await removeAbandoned();
  const folder = await mkdtemp(join(tmpdir(), `${FOLDER}${ownerMark()}-`));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const content = join(folder, "content");
    await pipeline([...stages, bounded(MOST_BYTES), createWriteStream(content)], signal ? { signal } : {});
    return { path: content, remove };
  } catch (thrown) {
    await remove();
    throw reasonOf(thrown, signal);
  }
}

async function stagesFor(path: string, head: Buffer): Promise<[Readable, ...Transform[]] | null> {
  const mark = head.toString("hex", 0, 4);
  if (mark.startsWith("1f8b")) return [createReadStream(path), createGunzip()];
  // Documents of Office are zip archives as well, and have a sentence of their own.
  if (!ZIP_MARKS.has(mark) || head.includes("[Content_Types].xml")) return null;
  const member = await onlyMember(path);
  const { start, packedBytes, isDeflated } = member;
  // A stream of no bytes at all cannot be asked of a file.
  const source =
    packedBytes === 0 ? Readable.from([]) : createReadStream(path, { start, end: start + packedBytes - 1 });
  return [source, ...(isDeflated ? [createInflateRaw()] : []), checked(member)];
}

/** Compares the content with the size and the CRC-32 in the archive's directory. */
function checked({ bytes, crc }: Member): Transform {
  let [seenBytes, seenCrc] = [0, 0];
  return new Transform({
    transform(chunk: Buffer, _, done) {
      seenBytes += chunk.length;
      seenCrc = crc32(chunk, seenCrc);
      done(null, chunk);
    },
    flush(done) {
      if (seenBytes !== bytes || seenCrc !== crc) done(new FormatFailure("unreadable", CHANGED));
      else done(bytes === 0 ? new FormatFailure("unreadable", "This zip archive holds an empty file.") : null);
    },
  });
}

function bounded(mostBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      if (bytes <= mostBytes) return done(null, chunk);
      const most = `${mostBytes / 2 ** 30} GiB`;
      done(
        new FormatFailure("tooLarge", `This compressed file holds more than ${most}. Unpack it and open its content.`),
      );
    },
  });
}

function reasonOf(thrown: unknown, signal: AbortSignal | undefined): unknown {
  if (thrown instanceof FormatFailure) return thrown;
  if (signal?.aborted) return new FormatFailure("cancelled", "Opening was stopped.", thrown);
  const code = String((thrown as { code?: unknown } | null)?.code);
  if (code.startsWith("Z_")) return new FormatFailure("unreadable", DAMAGED, thrown);
  if (code !== "ENOSPC") return thrown;
  const place = `the folder for temporary files, ${tmpdir()}`;
  return new FormatFailure("noSpace", `This compressed file does not fit into ${place}. Free some room there.`, thrown);
}

/** A process that was killed leaves what it unpacked. */
async function removeAbandoned(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  const abandoned = names.filter((name) => name.startsWith(FOLDER) && isOwnerGone(name.slice(FOLDER.length)) === true);
  await Promise.all(
    abandoned.map((name) => rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})),
  );
}
