import { constants, createReadStream } from "node:fs";
import { type FileHandle, lstat, open, readlink, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "#shared/thrown.ts";
import { retry } from "#shared/async.ts";
import { FormatFailure } from "./error.ts";

/** Where the bytes of a path go. */
export type Target =
  /** A file, or none yet: what is written replaces it. Links are followed; they stay. */
  | { readonly kind: "file"; readonly path: string }
  /** A pipe, a terminal or another device: bytes are written into it, and it stays. */
  | { readonly kind: "stream"; readonly path: string };

/** How the streams of this program are called as files; a shell may have turned them into any file. */
const OWN_STREAM = /^\/(dev\/(stdin|stdout|stderr|fd\/\d+)|proc\/(self|\d+)\/fd\/\d+)$/;
/** As the system counts before it gives up on links that go in a circle. */
const MOST_LINKS = 40;
const STICKY = 0o1000;
const WRITABLE_BY_ALL = 0o002;
/** Between two looks whether somebody reads a named pipe. */
const READER_PAUSE_MS = 50;

/** @throws FormatFailure where nothing should be written, and what the file system throws */
export async function resolveTarget(path: string): Promise<Target> {
  let place = resolve(path);
  for (let links = 0; links <= MOST_LINKS; links++) {
    if (OWN_STREAM.test(place)) return { kind: "stream", path: place };
    const found = await lstat(place).catch(noneThere);
    if (found === null || found.isFile() || found.isDirectory()) return { kind: "file", path: place };
    if (found.isFIFO() || found.isCharacterDevice()) return { kind: "stream", path: place };
    if (!found.isSymbolicLink())
      throw new FormatFailure("invalid", `${path} is a disk or a socket, which an export does not write to.`);
    await refuseStrangersLink(place, found.uid);
    place = resolve(dirname(place), await readlink(place));
  }
  throw new FormatFailure("invalid", `The links behind ${path} go in a circle. Choose another name.`);
}

/** In a folder where all may write, such as /tmp, somebody else's link may lead to a file that is not to be replaced. */
async function refuseStrangersLink(link: string, owner: number): Promise<void> {
  const folder = await stat(dirname(link));
  const isShared = (folder.mode & STICKY) !== 0 && (folder.mode & WRITABLE_BY_ALL) !== 0;
  if (isShared && owner !== process.getuid?.() && owner !== folder.uid)
    throw new FormatFailure("invalid", `${link} is a link that another user made. Choose another name.`);
}

function noneThere(thrown: NodeJS.ErrnoException): null {
  if (thrown.code === "ENOENT") return null;
  throw thrown;
}

/** Writes a whole file into a stream. A reader that has seen enough and goes is no failure. */
export async function pour(filePath: string, target: Target, signal?: AbortSignal): Promise<void> {
  const { stream, isOwn } = await openStream(target, signal);
  try {
    await pipeline(createReadStream(filePath), stream, { end: !isOwn, ...(signal ? { signal } : {}) });
  } catch (thrown) {
    if (codeOf(thrown) !== "EPIPE") throw thrown;
  }
}

/**
 * What takes the bytes of a stream. One of the program's own stays open.
 *
 * @param signal stops the wait for somebody who reads a named pipe
 */
export async function openStream(
  { path }: Target,
  signal?: AbortSignal,
): Promise<{ readonly stream: Writable; readonly isOwn: boolean }> {
  const own = ownStream(path);
  return own
    ? { stream: own, isOwn: true }
    : { stream: (await openForWriting(path, signal)).createWriteStream(), isOwn: false };
}

/** The streams that the program has open already: opened anew, a file behind one would be written from its start on. */
function ownStream(path: string): NodeJS.WriteStream | null {
  if (/^\/(dev\/(stdout|fd\/1)|proc\/self\/fd\/1)$/.test(path)) return process.stdout;
  return /^\/(dev\/(stderr|fd\/2)|proc\/self\/fd\/2)$/.test(path) ? process.stderr : null;
}

/** Waits until somebody reads a named pipe, in a way that can be stopped: the system's own would block a thread. */
function openForWriting(path: string, signal?: AbortSignal): Promise<FileHandle> {
  return retry(
    async () => {
      try {
        await using _reader = await open(path, constants.O_WRONLY | constants.O_NONBLOCK);
        return { result: await open(path, constants.O_WRONLY) };
      } catch (thrown) {
        if (codeOf(thrown) !== "ENXIO") throw thrown;
        return { retryAfterMs: READER_PAUSE_MS };
      }
    },
    (ms) => sleep(ms, undefined, signal ? { signal } : {}),
  );
}
