import { constants, createReadStream } from "node:fs";
import { type FileHandle, lstat, open, readlink, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "#shared/fault.ts";
import { retry } from "#shared/async.ts";
import { FormatFailure } from "./error.ts";

/** The target of a path to write to. */
export type Target =
  /** A new file, or one to replace. Symbolic links are resolved and kept. */
  | { readonly kind: "file"; readonly path: string }
  /** A pipe, a terminal or another device to write into. */
  | { readonly kind: "stream"; readonly path: string };

/** Paths of this process's open files, such as standard output, which a shell may have redirected to any file. */
const OWN_STREAM = /^\/(dev\/(stdin|stdout|stderr|fd\/\d+)|proc\/(self|\d+)\/fd\/\d+)$/;
/** Limit of the system for nested symbolic links. */
const MAX_LINKS = 40;
const STICKY = 0o1000;
const WRITABLE_BY_ALL = 0o002;
/** Polling interval for the reader of a named pipe. */
const READER_PAUSE_MS = 50;

/** Resolves symbolic links. @throws FormatFailure if the target must not be written, and errors of the file system */
export async function resolveTarget(path: string): Promise<Target> {
  let current = resolve(path);
  for (let links = 0; links <= MAX_LINKS; links++) {
    if (OWN_STREAM.test(current)) return { kind: "stream", path: current };
    const found = await lstat(current).catch(nullIfAbsent);
    if (found === null || found.isFile() || found.isDirectory()) return { kind: "file", path: current };
    if (found.isFIFO() || found.isCharacterDevice()) return { kind: "stream", path: current };
    if (!found.isSymbolicLink())
      throw new FormatFailure("invalid", `${path} is a disk or a socket, which an export does not write to.`);
    await refuseForeignLink(current, found.uid);
    current = resolve(dirname(current), await readlink(current));
  }
  throw new FormatFailure("invalid", `The links behind ${path} go in a circle. Choose another name.`);
}

/** In a folder writable by all, such as /tmp, another user's link could redirect the export to any file of this user. */
async function refuseForeignLink(link: string, owner: number): Promise<void> {
  const folder = await stat(dirname(link));
  const isShared = (folder.mode & STICKY) !== 0 && (folder.mode & WRITABLE_BY_ALL) !== 0;
  if (isShared && owner !== process.getuid?.() && owner !== folder.uid)
    throw new FormatFailure("invalid", `${link} is a link that another user made. Choose another name.`);
}

function nullIfAbsent(thrown: NodeJS.ErrnoException): null {
  if (thrown.code === "ENOENT") return null;
  throw thrown;
}

/** Copies a file into a stream. It is not a failure if the reader closes the stream early. */
export async function copyToStream(filePath: string, target: Target, signal?: AbortSignal): Promise<void> {
  const { stream, isOwn } = await openStream(target, signal);
  try {
    await pipeline(createReadStream(filePath), stream, { end: !isOwn, ...(signal ? { signal } : {}) });
  } catch (thrown) {
    if (codeOf(thrown) !== "EPIPE") throw thrown;
  }
}

/**
 * Opens a stream for writing. `isOwn`: it is a stream of this process, which must not be closed.
 *
 * @param signal stops waiting for the reader of a named pipe
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

/** Returns an open stream of this process: opening it again would overwrite a redirected file from its start. */
function ownStream(path: string): NodeJS.WriteStream | null {
  if (/^\/(dev\/(stdout|fd\/1)|proc\/self\/fd\/1)$/.test(path)) return process.stdout;
  return /^\/(dev\/(stderr|fd\/2)|proc\/self\/fd\/2)$/.test(path) ? process.stderr : null;
}

/** Opens a named pipe when it has a reader. Polls, because a blocking open would occupy a thread and cannot be stopped. */
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
