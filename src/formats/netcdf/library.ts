import type { File } from "h5wasm/node";

// HDF5 identifies a file by device and inode, and shares the state in memory of two openings of the same file. A damaged
// file stays open inside the library, because a failed operation does not release it; a file written to its place later
// would be read with the state of the damaged one. So every opening gets an inode of its own, and is closed here.

type H5 = typeof import("h5wasm/node");

interface Stream {
  readonly fd: number;
}

/** The used part of the library's file system (Emscripten), for which its own types are wrong. */
interface FileSystem {
  readonly streams: readonly (Stream | null | undefined)[];
  close(stream: Stream): void;
  fstat(fd: number): { ino: number };
}

function fileSystemOf(h5: H5): FileSystem {
  return h5.Module.FS as unknown as FileSystem;
}

/** Gives every opened file an inode of its own. To be called once, before the library opens its first file. */
function isolateOpenFiles(h5: H5): void {
  const fs = fileSystemOf(h5);
  const { fstat } = fs;
  const inodes = new WeakMap<Stream, number>();
  let last = 0;
  fs.fstat = (fd) => {
    const found = fstat(fd);
    const stream = fs.streams[fd];
    if (!stream) return found;
    const ino = inodes.get(stream) ?? ++last;
    inodes.set(stream, ino);
    return Object.assign(found, { ino });
  };
}

/**
 * Opens a file for reading and passes it to `read`. `close` never throws and releases everything, whatever failed before;
 * if `read` throws, the file is closed.
 */
export function openHdf5<T>(h5: H5, path: string, read: (file: File, close: () => void) => T): T {
  return closingOnFailure(h5, () => {
    const added = streamsSince(h5);
    const file = new h5.File(path, "r");
    const own = added();
    const close = (): void => {
      try {
        file.close();
      } catch {
        // Ignored, so as not to hide an earlier failure; the streams are closed anyway.
      }
      closeStreams(h5, own);
    };
    try {
      return read(file, close);
    } catch (thrown) {
      close();
      throw thrown;
    }
  });
}

/** Closes the streams that a failed call of the library leaves open: the file, and another one for its error messages. */
export function closingOnFailure<T>(h5: H5, call: () => T): T {
  const added = streamsSince(h5);
  try {
    return call();
  } catch (thrown) {
    closeStreams(h5, added());
    throw thrown;
  }
}

function streamsSince(h5: H5): () => Stream[] {
  const before = new Set(fileSystemOf(h5).streams);
  return () => fileSystemOf(h5).streams.filter((s): s is Stream => Boolean(s) && !before.has(s));
}

function closeStreams(h5: H5, streams: readonly Stream[]): void {
  const fs = fileSystemOf(h5);
  for (const stream of streams) if (fs.streams[stream.fd] === stream) fs.close(stream);
}

/** The current instance of the HDF5 library. A damaged file may abort it; the next file then gets a new instance. */
let current: Promise<H5> | null = null;
const aborted = new WeakSet<H5>();
let started = 0;

/** Returns an instance of the HDF5 library, compiled at the first call. */
export async function hdf5Library(): Promise<H5> {
  const library = await (current ??= start());
  if (!aborted.has(library)) return library;
  current = null;
  return hdf5Library();
}

async function start(): Promise<H5> {
  const h5 = await load(started++);
  const module = await h5.ready;
  // By default, errors are only printed.
  module.activate_throwing_error_handler();
  isolateOpenFiles(h5);
  return h5;
}

/** Imports a new instance: a module is evaluated once for each distinct URL. */
async function load(n: number): Promise<H5> {
  if (n === 0) return import("h5wasm/node");
  return (await import(/* @vite-ignore */ `${import.meta.resolve("h5wasm/node")}?${n}`)) as H5;
}

/**
 * Returns whether an error aborted the library, as WebAssembly does when its memory is corrupt. The instance is then no
 * longer used, and files that it has open cannot be read any more.
 */
export function markAborted(thrown: unknown, library: H5): boolean {
  const isAbort = thrown instanceof Error && thrown.name === "RuntimeError";
  if (isAbort) aborted.add(library);
  return isAbort;
}

/** Whether the library was aborted by any file, so that its results cannot be trusted. */
export function isAborted(library: H5): boolean {
  return aborted.has(library);
}
